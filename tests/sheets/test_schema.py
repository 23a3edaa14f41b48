"""The JSON Schema of a sheet file: what it accepts and refuses, and that the file is current."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator

from referee.cli import main
from referee.ledger.chain import Mark
from referee.rules.core.ruling import RefereeError
from referee.rules.games.pink_nines import PinkNines
from referee.rules.registry import GAMES
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.files import read_sheet, sheet_from, table_settings
from referee.sheets.history import SheetSettings
from referee.sheets.schema import sheet_schema
from referee.sheets.sheet import as_file
from tests.sheets.test_files import UNREADABLE
from tests.support.cases import EXAMPLES, cases_of, sheet_file
from tests.support.random_play import RandomPlayer

ROOT = Path(__file__).parents[2]
COMMITTED = ROOT / "docs" / "sheet.schema.json"
SCHEMA = sheet_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
DEFINITIONS = {"$defs": SCHEMA["$defs"]}

OUT = {"action": "out", "player": "Ann"}
ABANDONED = {"action": "abandon", "reason": "misdeal"}
ROW = {"seq": 1, "kind": "play", "at": "2026-01-02T03:04:05+00:00", "entry": OUT}
SHEET: dict[str, Any] = {
    "referee": 1,
    "game": "pink-nines",
    "players": ["Ann", "Ben"],
    "dealer": "Ben",
    "options": {"ante": 2},
    "entries": [OUT],
    "history": [ROW],
}


def complaints(sheet: Any) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in VALIDATOR.iter_errors(sheet)]


def case_sheets() -> Iterator[Any]:
    """Every sheet of the tables of cases that can be read, legal or not."""
    for slug in GAMES:
        for case in cases_of(slug, "sheet"):
            if not case.get("error", {}).get("unreadable"):
                yield pytest.param(sheet_file(slug, case), id=f"{slug}: {case['from']}")


def test_the_committed_file_is_what_the_command_prints() -> None:
    """After a change run `referee schema > docs/sheet.schema.json`."""
    printed = CliRunner().invoke(main, ["schema"])
    assert printed.exit_code == 0
    assert printed.stdout == COMMITTED.read_text(encoding="utf-8")


def test_the_schema_is_valid() -> None:
    """In its own dialect; that its references resolve, the sheets below show."""
    assert SCHEMA["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(SCHEMA)


def test_a_new_game_is_in_the_schema() -> None:
    """With its options and entries."""

    class PaleNines(PinkNines):
        slug = "pale-nines"

    sheet = {**SHEET, "game": "pale-nines"}
    assert complaints(sheet)
    schema = sheet_schema((*GAMES.values(), PaleNines()))
    assert schema["properties"]["game"]["enum"] == [*GAMES, "pale-nines"]
    validator = Draft202012Validator(schema)
    assert validator.is_valid(sheet)
    assert not validator.is_valid({**sheet, "options": {"anti": 2}})


@pytest.mark.parametrize("sheet", list(case_sheets()))
def test_a_case_passes(sheet: dict[str, Any]) -> None:
    """Every sheet of the cases that can be read, whether its entries are legal or not."""
    assert complaints(sheet) == []


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
def test_an_example_passes(sheet: dict[str, Any], book: Book) -> None:
    """As it is, and exported with a history of plays, voids, an amendment and new names."""
    assert complaints(sheet) == []
    link = book.import_sheet(sheet_from(sheet))
    seen = book.undo(link, Mark(book.open(link).seq))
    seen = book.record(link, ABANDONED, Mark(seen), "abandon the deal")
    seen = book.correct(link, Change(seen, {**ABANDONED, "reason": "12 cards"}), Mark(seen), "why")
    opened = book.open(link)
    before = table_settings(opened.course.start.table)
    others = [f"{name} the Great" for name in before.players]
    names = dict(zip(before.players, others, strict=True))
    after = SheetSettings(others, names[before.dealer], before.options)
    book.correct(link, NewSettings(after, names), Mark(seen), "other names")
    exported = json.loads(json.dumps(as_file(book.open(link))))
    assert {row["kind"] for row in exported["history"]} == {"play", "void", "amend", "note"}
    assert complaints(exported) == []


def test_whatever_the_reader_accepts_passes() -> None:
    """Of random entries, all that can be read.

    It accepts more: what a text may be, and which fields go together, only the reader knows.
    """
    player = RandomPlayer(seed=11)
    read = 0
    for game in GAMES.values():
        validator = VALIDATOR.evolve(
            schema={"$ref": f"#/$defs/{game.slug}/$defs/entry", **DEFINITIONS}
        )
        state = game.start(player.sheet(game))
        for _ in range(300):
            entry = player.entry(game, state)
            try:
                game.read_entry(entry)
            except RefereeError:
                continue
            read += 1
            assert validator.is_valid(entry), (game.slug, entry)
    assert read > 1000


def changed(**changes: Any) -> dict[str, Any]:
    """The sheet with other values; None removes a key."""
    there = {**SHEET, "history": None, **changes}
    return {key: value for key, value in there.items() if value is not None}


def of_game(slug: str, *entries: dict[str, Any], **options: Any) -> dict[str, Any]:
    """A sheet of another game with these entries."""
    return changed(game=slug, players=["Ann", "Ben", "Cat"], options=options, entries=[*entries])


def past(**changes: Any) -> dict[str, Any]:
    """The sheet with its only row of history changed; None removes a field."""
    row = {key: value for key, value in {**ROW, **changes}.items() if value is not None}
    return {**SHEET, "history": [row]}


#: What `test_files` has of what cannot be read, as far as types and ranges say so; and by game.
CODES = {
    *("unreadable-sheet", "unreadable-options", "unreadable-entry"),
    *("unknown-game", "unknown-action", "field-missing"),
}
BEYOND_A_SCHEMA = "a version as fraction"  # for which 1.0 is a whole number
WRONG: dict[str, Any] = {
    **{
        name: json.loads(text)
        for name, (text, code, _) in UNREADABLE.items()
        if code in CODES and name != BEYOND_A_SCHEMA
    },
    "a blank name": changed(players=["Ann", " "]),
    "an option of another game": changed(options={"red_nine_pool": 6}),
    "no such choice": of_game("nine-five-two", exchange="might"),
    "an action of another game": of_game("nine-five-two", OUT),
    "a penalty without a reason": changed(
        entries=[{"action": "adjust", "player": "Ann", "points": -5}]
    ),
    "half a counted hand": of_game(
        "red-nines-1881", {"action": "out", "player": "Ann", "hands": {"Ben": {"plain": 2}}}
    ),
    "a row of another game’s entry": past(entry={"action": "trick", "winner": "Ann"}),
    "a play without an entry": past(entry=None),
    "a play with a target": past(target=1),
    "an amendment without a target": past(kind="amend"),
    "a void with an entry": past(kind="void", target=1),
    "a note of nothing": past(kind="note", entry=None),
}


@pytest.mark.parametrize("sheet", list(WRONG.values()), ids=list(WRONG))
def test_a_wrong_file_fails(sheet: Any) -> None:
    """Whatever the schema refuses, the program cannot read either."""
    assert complaints(SHEET) == []
    assert complaints(sheet)
    with pytest.raises(RefereeError):
        read_sheet(json.dumps(sheet))
