"""`referee move`: the book is the same in its new place."""

from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.store import Ledger, NewSheet
from referee.ledger.tables import TABLES
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.ledger.test_kept_for_ever import fill
from tests.support.books import AT, contents
from tests.support.cases import EXAMPLES
from tests.support.command_line import one_error, run


@pytest.fixture
def book(instance: Path) -> Path:
    """A book with everything that a ledger can hold, and the example sheets."""
    file = instance / "referee.sqlite"
    ledger = Ledger(file)
    fill(ledger)
    for example in EXAMPLES.values():
        Book(ledger).take_in(sheet_from(example))
    ledger.close()
    return file


def test_the_book_of_these_tests_has_rows_in_every_table(book: Path) -> None:
    """So every column of every table is moved."""
    held = contents(book)
    for table, columns in TABLES.items():
        if table != "extras":
            assert held[table], table
            assert len(held[table][0]) == len(columns.split(","))


def test_a_book_moves_to_another_file(book: Path, tmp_path: Path) -> None:
    """Every row of every table is the same, and more can be recorded."""
    place = tmp_path / "there.sqlite"
    said = run("move", "--to", str(place))
    assert said.exit_code == 0, said.output
    assert f" to {place}, and compared every row." in said.stdout
    assert {**contents(place), "_sqlite_migrations": []} == {
        **contents(book),
        "_sqlite_migrations": [],
    }
    with closing(Ledger(place)) as ledger:
        highest = ledger.engine.read("SELECT max(id) FROM sheets")[0][0]
        assert ledger.create_all([NewSheet("{}", [("host", "new")], AT)]) == [highest + 1]


def test_a_book_does_not_move_over_one_with_sheets(book: Path, tmp_path: Path) -> None:
    """Nor is there anything to move without a book."""
    before = contents(book)
    assert "holds sheets already" in one_error(run("move", "--to", str(book)))
    assert contents(book) == before
    nothing = str(tmp_path / "nothing")
    assert "There’s no file" in one_error(run("move", "--to", nothing, "--instance", nothing))


@pytest.mark.usefixtures("book")
def test_a_mistyped_address_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No folder gets a name with the password in it."""
    monkeypatch.chdir(tmp_path)
    before = list(tmp_path.iterdir())
    said = one_error(run("move", "--to", "elsewhere://referee:secret@a.test/cards"))
    assert "The book can’t be opened: " in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == before
