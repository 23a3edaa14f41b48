"""A book keeps the tables of an extra, and how they were made, while its code is gone."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from unittest import mock

import pytest

from referee.ledger.chain import Mark
from referee.ledger.engine import Place
from referee.ledger.errors import DamagedError, LedgerError, OlderError
from referee.ledger.extras import LedgerPart, ledger_parts, note
from referee.ledger.integrity import faults, faults_in
from referee.ledger.store import Ledger, NewSheet, Within, add_row
from tests.support.books import AT, play

ON_EITHER_ENGINE = True
#: The tables of a made-up extra, leagues: a kind of document, and its sheets.
LEAGUES = LedgerPart(
    name="leagues",
    kind="league",
    tables="""
CREATE TABLE league_sheets (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    league INTEGER REFERENCES sheets (id),
    how TEXT NOT NULL CHECK (how IN ('home', 'away'))
) STRICT;

CREATE INDEX league_of_sheet ON league_sheets (sheet);

CREATE TABLE league_links (
    token TEXT NOT NULL PRIMARY KEY,
    league INTEGER NOT NULL REFERENCES sheets (id),
    withdrawn TEXT
) STRICT, WITHOUT ROWID;
""",
    within=("league_sheets", "league"),
)


@contextmanager
def here(*parts: LedgerPart) -> Iterator[None]:
    """Replace the installed extras by these for a while."""
    ledger_parts.cache_clear()
    try:
        with mock.patch("referee.ledger.extras.parts", return_value=parts):
            yield
    finally:
        ledger_parts.cache_clear()


@pytest.fixture
def place(tmp_path: Path, book_address: str) -> Place:
    """A book in which sheet 1 was played in league 2; the extra has been deleted since."""
    place = book_address or tmp_path / "book.sqlite"
    with here(LEAGUES), closing(Ledger(place)) as ledger:
        ledger.create_all([NewSheet("{}", [("host", "h"), ("view", "v")], AT)])
        ledger.create_all([NewSheet("{}", [("host", "l")], AT, kind="league")])
        with ledger.engine.writing() as writing:
            add_row(writing, "league_sheets", {"sheet": 1, "league": 2, "how": "home"})
            add_row(writing, "league_links", {"token": "t", "league": 2})
        ledger.append(2, Mark(0), [play("note")])
    return place


def played_in(place: Place) -> list[tuple[int, int]]:
    """The sheets of leagues, read without the extra."""
    with here(), closing(Ledger(place)) as ledger:
        return ledger.engine.read("SELECT sheet, league FROM league_sheets")


def test_a_glance_has_the_documents_that_a_sheet_is_in(place: Place) -> None:
    """With their newest rows, so that boards change; without the extra there are none."""
    with here(LEAGUES), closing(Ledger(place)) as ledger:
        seen = ledger.glance("v")
        assert seen is not None
        assert seen.within == {"leagues": Within(2, 1)}
        ledger.append(2, Mark(1), [play("another")])
        later = ledger.glance("v")
        assert later is not None
        assert later.mark == seen.mark
        assert later.tag != seen.tag
        own = ledger.glance("l")
        assert own is not None
        assert own.within == {}
    with here(), closing(Ledger(place)) as ledger:
        seen = ledger.glance("v")
        assert seen is not None
        assert seen.within == {}


def damages(place: Place) -> list[str]:
    """The faults of a book, found without the extra."""
    with here():
        if isinstance(place, Path):
            return [str(fault) for fault in faults(place)]
        with closing(Ledger(place)) as ledger:
            return [str(fault) for fault in faults_in(ledger.engine)]


def test_tables_of_a_deleted_extra_are_kept_and_checked(place: Place) -> None:
    """No row can be changed, and tables or rows that differ from what was made are faults."""
    assert damages(place) == []
    with here(), closing(Ledger(place)) as ledger:
        for statement in ("UPDATE league_sheets SET league = 1", "DELETE FROM extras"):
            with (
                pytest.raises(LedgerError, match="are kept for ever"),
                ledger.engine.writing() as writing,
            ):
                writing.execute(statement)
        trigger = "league_sheets_refuse_delete"
        if isinstance(place, str):
            trigger = "league_sheets_are_kept ON league_sheets"
        with ledger.engine.writing() as writing:
            writing.execute(f"DROP TRIGGER {trigger}")
    assert damages(place) == [f"The trigger {trigger.split()[0]} is missing."]
    assert played_in(place) == [(1, 2)]


def test_a_document_of_an_unknown_kind_is_a_fault(place: Place) -> None:
    """A league is known: the book has noted its extra."""
    with here(), closing(Ledger(place)) as ledger:
        ledger.create_all([NewSheet("{}", [("host", "x")], AT, kind="leage")])
    assert damages(place) == ["1 row of sheets is of an unknown kind, “leage”."]


def test_tables_of_a_new_extra_are_added_to_an_existing_book(place: Place) -> None:
    """Once; if its tables have changed since, the book is another version's."""
    cups = LedgerPart("cups", LEAGUES.tables.replace("league", "cup"))
    for _ in range(2):
        with here(LEAGUES, cups), closing(Ledger(place)) as ledger:
            assert ledger.engine.read("SELECT name FROM extras ORDER BY name") == [
                ("cups",),
                ("leagues",),
            ]
    assert damages(place) == []
    changed = LedgerPart("cups", cups.tables.replace("how TEXT", "why TEXT"))
    with here(changed), pytest.raises(OlderError):
        Ledger(place)


def test_tables_whose_note_is_damaged_are_not_made_again(place: Place) -> None:
    """A bit of its name is wrong; there is no message about an index that exists already."""
    with here(), closing(Ledger(place)) as ledger, ledger.engine.writing() as writing:
        guard = "extras_are_kept ON extras" if isinstance(place, str) else "extras_refuse_update"
        writing.execute(f"DROP TRIGGER {guard}")
        writing.execute("UPDATE extras SET name = ?", ("leaguez",))
    with here(LEAGUES), pytest.raises(DamagedError, match="tables of “leagues”"):
        Ledger(place)


HARMFUL = (
    "ATTACH DATABASE '{}' AS other",
    "CREATE TABLE a (\n    b TEXT\n); DROP TABLE a",
    "CREATE TABLE a AS SELECT readfile('{}') AS b",
    "CREATE INDEX a ON sheets ((hex(head)))",
    "CREATE TABLE a (\n    b TEXT DEFAULT (hex('c'))\n)",
    "CREATE INDEX a ON sheets (id) WHERE hex(head) = 'c'",
)


@pytest.mark.parametrize("does", HARMFUL)
def test_statements_in_a_book_can_only_make_tables(tmp_path: Path, does: str) -> None:
    """Checking a backup runs the statements in it, and it may come from anybody."""
    book, other = tmp_path / "book.sqlite", tmp_path / "other.sqlite"
    with here(), closing(Ledger(book)) as ledger, ledger.engine.writing() as writing:
        note(writing, "cups", "", does.format(other))
    with pytest.raises(DamagedError, match="has a statement that Referee won’t run"):
        damages(book)
    assert not other.exists()
