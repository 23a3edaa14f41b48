"""`referee move`: the book is the same in its new place, a file or PostgreSQL."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from referee.extras.postgres.moving import copy_ledger
from referee.ledger.engine import Place
from referee.ledger.errors import DamagedError
from referee.ledger.extras import LedgerPart, note
from referee.ledger.store import Ledger, NewSheet, add_row
from referee.ledger.tables import TABLES
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.commands.conftest import instance
from tests.commands.test_progress import on_a_terminal
from tests.extras.postgres.cluster import Cluster
from tests.ledger.test_kept_for_ever import fill
from tests.ledger.test_tables_of_extras import HARMFUL, LEAGUES, damages, here, place, played_in
from tests.support.books import AT, contents
from tests.support.cases import EXAMPLES
from tests.support.command_line import one_error, run
from tests.support.until import until

__all__ = ["instance", "place"]

ON_EITHER_ENGINE = True


@pytest.fixture
def book(instance: Path) -> Path:
    """A book with everything that a ledger can hold, and the example sheets."""
    file = instance / "referee.sqlite"
    ledger = Ledger(file)
    fill(ledger)
    for example in EXAMPLES.values():
        Book(ledger).import_sheet(sheet_from(example))
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
    """No folder gets a name with the password in it, nor is that printed."""
    monkeypatch.chdir(tmp_path)
    before = list(tmp_path.iterdir())
    said = one_error(run("move", "--to", "elsewhere://referee:secret@a.test/cards"))
    assert "The book can’t be opened: " in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == before


def test_progress_is_drawn_on_a_terminal_only(book: Path, tmp_path: Path) -> None:
    """From 0 to 100 %; a pipe gets the result alone."""
    printed, shown = on_a_terminal(["move", "--to", str(tmp_path / "moved.sqlite")])
    assert "100%" in shown
    ended = run("move", "--to", str(tmp_path / "again.sqlite"))
    assert ended.stderr == ""
    assert not {"%", "#"} & {*printed, *ended.stdout}
    assert book.is_file()


# --- into PostgreSQL, and back


def test_a_book_moves_there_and_back(book: Path, tmp_path: Path, postgres: Cluster) -> None:
    """Every row of every table is the same, and more can be recorded."""
    place, before = postgres.fresh(), contents(book)
    said = run("move", "--to", place)
    assert said.exit_code == 0, said.output
    assert f" to {place.partition('?')[0]}, and compared every row." in said.stdout
    ledger = Ledger(place)
    highest = ledger.engine.read("SELECT max(id) FROM sheets")[0][0]
    assert ledger.create_all([NewSheet("{}", [("host", "new")], AT)]) == [highest + 1]
    assert "holds sheets already" in one_error(run("move", "--to", place))
    with psycopg.connect(place) as connection:
        for table in ("sheets", "links"):
            connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL".encode())
        connection.execute("DELETE FROM links WHERE token = 'new'")
        connection.execute("DELETE FROM sheets WHERE id = %s", (highest + 1,))
    back = tmp_path / "back.sqlite"
    assert run("move", "--to", str(back), "--database", place).exit_code == 0
    assert {**contents(back), "_sqlite_migrations": []} == {**before, "_sqlite_migrations": []}


def test_a_target_that_alters_rows_is_refused(book: Path, postgres: Cluster) -> None:
    """As by a trigger; nothing is stored in it."""
    place = postgres.fresh()
    ledger = Ledger(place)
    with psycopg.connect(place) as connection:
        connection.execute("""
            CREATE FUNCTION worse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN NEW.at := 'later'; RETURN NEW; END $$;
            CREATE TRIGGER worse BEFORE INSERT ON trash FOR EACH ROW EXECUTE FUNCTION worse()
        """)
    assert "doesn’t give back what was written" in one_error(run("move", "--to", place))
    assert ledger.sheets() == []
    assert book.is_file()


def test_a_book_with_a_nul_is_refused(book: Path, postgres: Cluster) -> None:
    """PostgreSQL can't store one; no page accepts it, either."""
    with closing(sqlite3.connect(book)) as raw, raw:
        raw.execute("UPDATE links SET name = 'Ann' || char(0) WHERE role = 'host'")
    place = postgres.fresh()
    assert "cannot contain NUL" in one_error(run("move", "--to", place))
    assert Ledger(place).sheets() == []


@pytest.mark.usefixtures("book")
def test_a_killed_move_has_moved_nothing(postgres: Cluster) -> None:
    """Though sheets and entries were written already; the next move finds it empty."""
    place = postgres.fresh()
    Ledger(place)
    waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'links'::regclass"
    with psycopg.connect(place) as connection:
        connection.execute("LOCK TABLE links IN SHARE MODE")
        moving = subprocess.Popen([sys.executable, "-m", "referee", "move", "--to", place])
        until(lambda: connection.execute(waiting).fetchone())
        moving.kill()
        moving.wait()
    said = run("move", "--to", place)
    assert said.exit_code == 0, said.output


# --- with tables of an extra


def test_tables_of_a_deleted_extra_are_moved_and_used_again(place: Place, tmp_path: Path) -> None:
    """With their triggers, also to a book that has tables of another extra."""
    there = tmp_path / "there.sqlite"
    with here(LedgerPart("cups", LEAGUES.tables.replace("league", "cup"))):
        Ledger(there).close()
    with here(), closing(Ledger(place)) as ledger, closing(Ledger(there)) as copy:
        copy_ledger(ledger.engine, copy.engine)
    assert damages(there) == []
    assert played_in(there) == [(1, 2)]
    with here(LEAGUES), closing(Ledger(there)) as ledger:
        with ledger.engine.writing() as writing:
            add_row(writing, "league_sheets", {"sheet": 1, "league": None, "how": "away"})
        left = ledger.glance("v")
        assert left is not None
        assert left.within == {}


@pytest.mark.parametrize("does", HARMFUL)
def test_statements_in_a_book_that_is_moved_can_only_make_tables(tmp_path: Path, does: str) -> None:
    """As it may come from anybody."""
    book, other = tmp_path / "book.sqlite", tmp_path / "other.sqlite"
    with here(), closing(Ledger(book)) as ledger, ledger.engine.writing() as writing:
        note(writing, "cups", "", does.format(other))
    with (
        here(),
        closing(Ledger(book)) as ledger,
        closing(Ledger(tmp_path / "copy.sqlite")) as copy,
        pytest.raises(DamagedError, match="has a statement that Referee won’t run"),
    ):
        copy_ledger(ledger.engine, copy.engine)
    assert not other.exists()
