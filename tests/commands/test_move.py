"""A book moves to another place and back, and is the same."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from referee.ledger.parts import ledger_parts, tables_in
from referee.ledger.store import Ledger, NewSheet
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from tests.ledger.test_kept_for_ever import fill
from tests.support.books import AT, contents
from tests.support.cases import EXAMPLES
from tests.support.command_line import one_error, run
from tests.support.postgres import Cluster


@pytest.fixture
def book(instance: Path) -> Path:
    """A book with all that a ledger can hold, and a sheet of every example."""
    file = instance / "referee.sqlite"
    ledger = Ledger(file)
    fill(ledger)
    for example in EXAMPLES.values():
        Book(ledger).take_in(sheet_from(example))
    ledger.close()
    return file


def test_all_tables_are_moved(book: Path) -> None:
    """With all their columns, and none is empty here."""
    held = contents(book)
    with closing(Ledger(book)) as ledger:
        tables = tables_in(ledger.engine.read)
    assert set(held) == {*tables, "_sqlite_migrations"}
    for table, columns in tables.items():
        assert held[table] or not ledger_parts(), table
        assert len(held[table][0]) == len(columns.split(","))


@pytest.mark.parametrize("there", ["a file", "PostgreSQL"])
def test_there_and_back(
    request: pytest.FixtureRequest, book: Path, tmp_path: Path, there: str
) -> None:
    """Every row of every table is as it was, and more can be recorded."""
    place = str(tmp_path / "there.sqlite")
    if there == "PostgreSQL":
        cluster: Cluster = request.getfixturevalue("postgres")
        place = cluster.fresh()
    said = run("move", "--to", place)
    shown = place.partition("?")[0]
    assert said.exit_code == 0, said.output
    assert f" to {shown}, and compared every row." in said.stdout
    ledger = Ledger(place if there == "PostgreSQL" else Path(place))
    here = [*ledger.sheets(), *ledger.sheets("club"), 0]
    assert ledger.create_all([NewSheet("{}", [("host", "new")], AT)]) == [len(here)]
    back = tmp_path / "back.sqlite"
    before = contents(book)
    if there == "PostgreSQL":
        assert "holds sheets already" in one_error(run("move", "--to", place))
        with psycopg.connect(place) as connection:
            for table in ("sheets", "links"):
                connection.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL".encode())
            connection.execute("DELETE FROM links WHERE token = 'new'")
            connection.execute("DELETE FROM sheets WHERE head = '{}' AND id > 3")
        assert run("move", "--to", str(back), "--database", place).exit_code == 0
        assert {**contents(back), "_sqlite_migrations": []} == {**before, "_sqlite_migrations": []}


def test_a_book_that_holds_sheets_is_no_target(book: Path, tmp_path: Path) -> None:
    """Nor is there anything to move where there is no book."""
    before = contents(book)
    assert "holds sheets already" in one_error(run("move", "--to", str(book)))
    assert contents(book) == before
    nothing = str(tmp_path / "nothing")
    assert "There’s no file" in one_error(run("move", "--to", nothing, "--instance", nothing))


@pytest.mark.usefixtures("book")
def test_a_mistyped_address_is_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The book isn't left in a folder that is called as its password."""
    monkeypatch.chdir(tmp_path)
    before = list(tmp_path.iterdir())
    said = one_error(run("move", "--to", "postgres1://referee:secret@a.test/cards"))
    assert "postgresql://user@host/name" in said
    assert "secret" not in said
    assert list(tmp_path.iterdir()) == before


def test_a_target_that_changes_what_is_written_is_refused(book: Path, postgres: Cluster) -> None:
    """Nothing is stored there."""
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


def test_a_letter_that_postgresql_lacks_is_told(book: Path, postgres: Cluster) -> None:
    """No page lets a NUL in; nothing is stored there."""
    with closing(sqlite3.connect(book)) as raw, raw:
        raw.execute("UPDATE links SET name = 'Ann' || char(0) WHERE role = 'host'")
    place = postgres.fresh()
    assert "cannot contain NUL" in one_error(run("move", "--to", place))
    assert Ledger(place).sheets() == []


@pytest.mark.usefixtures("book")
def test_a_move_that_is_killed_has_moved_nothing(postgres: Cluster) -> None:
    """When sheets and entries are there, and the links wait; the next one finds it empty."""
    place = postgres.fresh()
    Ledger(place)
    waiting = "SELECT 1 FROM pg_locks WHERE NOT granted AND relation = 'links'::regclass"
    with psycopg.connect(place) as connection:
        connection.execute("LOCK TABLE links IN SHARE MODE")
        moving = subprocess.Popen([sys.executable, "-m", "referee", "move", "--to", place])
        give_up = time.monotonic() + 30
        while connection.execute(waiting).fetchone() is None:
            assert moving.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.02)
        moving.kill()
        moving.wait()
    said = run("move", "--to", place)
    assert said.exit_code == 0, said.output
