"""Each game's example sheet has its expected result: by file, by ledger and by command."""

import json
from typing import Any

import pytest
from click.testing import CliRunner
from syrupy.assertion import SnapshotAssertion

from referee.cli import main
from referee.ledger.chain import Mark
from referee.sheets.book import Book
from referee.sheets.files import play_through, result, sheet_from
from referee.sheets.sheet import as_file
from tests.support.cases import EXAMPLES, tables_of
from tests.support.golden import ExampleFile

ON_EITHER_ENGINE = True


def example(name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """The sheet of an example, and what its result must contain."""
    return EXAMPLES[name], tables_of(name)["example"]["result"]


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_has_a_file_for_other_programs(name: str, snapshot: SnapshotAssertion) -> None:
    """As its cases have it; `--snapshot-update` writes it."""
    sheet, expected = example(name)
    whole = {"note": tables_of(name)["example"]["note"], "sheet": sheet, "result": expected}
    written = json.dumps(whole, indent=1, ensure_ascii=False) + "\n"
    assert written == snapshot(name=name, extension_class=ExampleFile)


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_has_its_result(name: str) -> None:
    """`referee score --json` prints at least what the example says."""
    sheet, expected = example(name)
    answer = CliRunner().invoke(main, ["score", "-", "--json"], input=json.dumps(sheet))
    assert answer.exit_code == 0, answer.output
    found = json.loads(answer.stdout)
    assert found == {**found, **expected}
    assert found["game"] == name
    assert found["entries"] == len(sheet["entries"]) == len(found["lines"])


@pytest.mark.parametrize("name", EXAMPLES)
def test_the_example_recorded_entry_by_entry_is_the_same_sheet(name: str, book: Book) -> None:
    """Recorded by hand, undone completely and recorded again, it exports to the same score."""
    sheet, expected = example(name)
    link = book.begin(name, sheet["players"], sheet.get("dealer"), sheet.get("options", {}))
    seen = 0
    for attempt in range(2):
        for number, entry in enumerate(sheet["entries"]):
            seen = book.record(link, entry, Mark(seen), f"{attempt}-{number}")
        if attempt == 0:
            for _ in sheet["entries"]:
                seen = book.undo(link, Mark(seen))
            assert book.open(link).course.steps == ()
    exported = as_file(book.open(link))
    assert len(exported["history"]) == 3 * len(sheet["entries"])
    again = sheet_from(json.loads(json.dumps(exported)))
    found = result(play_through(again.game, again.table, again.entries))
    assert found == {**found, **expected}
