"""The databases themselves refuse to change or delete what was written on a sheet."""

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import psycopg
import pytest

from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT, contents, play, sqlite_of
from tests.support.postgres import Cluster


@pytest.fixture
def sheet(ledger: Ledger) -> int:
    """A sheet with two plays, `a` and `b`."""
    return ledger.create_all([NewSheet("{}", [("host", "h")], AT, [play("a"), play("b")])])[0]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sheets SET head = '{}'",
        "DELETE FROM sheets",
        "REPLACE INTO sheets (id, head, at) VALUES (1, '{}', '')",
        "UPDATE entries SET body = '{\"points\":9}' WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 2",
        "REPLACE INTO entries VALUES (1, 2, 'play', NULL, '{}', 'other', 'host', '', '', '', '')",
        "REPLACE INTO entries VALUES (1, 3, 'play', NULL, '{}', 'a', 'host', '', '', '', '')",
        "INSERT INTO entries VALUES (1, 2, 'play', NULL, '{}', 'c', 'host', '', '', '', '') "
        "ON CONFLICT DO UPDATE SET body = 'x'",
    ],
)
@pytest.mark.usefixtures("sheet")
def test_the_database_itself_refuses_to_change_or_delete(ledger: Ledger, statement: str) -> None:
    """No statement changes or deletes a row, not even REPLACE or an upsert, in any thread."""
    before = contents(sqlite_of(ledger).path)

    def refused() -> None:
        with closing(ledger), pytest.raises(sqlite3.IntegrityError, match="are kept for ever"):
            sqlite_of(ledger).connection.execute(statement)

    refused()
    with ThreadPoolExecutor(1) as other:
        other.submit(refused).result()
    assert contents(sqlite_of(ledger).path) == before


@pytest.mark.parametrize(
    "values",
    [
        "(1, 3, 'rub out', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 0, 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 3, 'void', 9, '{}', 'c', 'host', '', '', '', '')",
        "(9, 1, 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 'three', 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 3, 'play', NULL, NULL, 'c', 'host', '', '', '', '')",
    ],
    ids=["kind", "seq", "target", "sheet", "type", "body"],
)
@pytest.mark.usefixtures("sheet")
def test_the_database_itself_refuses_nonsense(ledger: Ledger, values: str) -> None:
    """A row with an unknown kind, or a missing target, sheet or body, is not stored."""
    with pytest.raises(sqlite3.IntegrityError):
        sqlite_of(ledger).connection.execute(f"INSERT INTO entries VALUES {values}")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sheets SET head = '{}'",
        "DELETE FROM sheets",
        "UPDATE entries SET seq = 9 WHERE seq = 2",
        "DELETE FROM entries WHERE seq = 2",
        "TRUNCATE sheets CASCADE",
        "TRUNCATE trash",
        "INSERT INTO entries VALUES (1, 2, 'play', NULL, '{}', 'c', 'host', '', '', '', '') "
        "ON CONFLICT (sheet, seq) DO UPDATE SET body = 'x'",
    ],
)
def test_so_does_postgresql(postgres: Cluster, statement: str) -> None:
    """Even to the owner of the tables."""
    address = postgres.fresh()
    ledger = Ledger(address)
    ledger.create_all([NewSheet("{}", [("host", "h")], AT, [play("a"), play("b")])])
    before = ledger.rows(1)
    with (
        psycopg.connect(address) as connection,
        pytest.raises(psycopg.errors.RaiseException, match="are kept for ever"),
    ):
        connection.execute(statement.encode())
    assert ledger.rows(1) == before
