"""A book moves into PostgreSQL and back unchanged."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from referee.ledger.store import Ledger, NewSheet
from tests.commands.conftest import instance
from tests.commands.test_move import book
from tests.extras.postgres.cluster import Cluster
from tests.support.books import AT, contents
from tests.support.command_line import one_error, run

__all__ = ["book", "instance"]


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
        give_up = time.monotonic() + 30
        while connection.execute(waiting).fetchone() is None:
            assert moving.poll() is None
            assert time.monotonic() < give_up
            time.sleep(0.02)
        moving.kill()
        moving.wait()
    said = run("move", "--to", place)
    assert said.exit_code == 0, said.output
