"""Appended rows stay, in one order, even with concurrent writers."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

from referee.ledger.errors import LedgerError, MovedOnError
from referee.ledger.store import Ledger
from tests.support.at_once import WRITERS, at_once
from tests.support.books import AT, play


@pytest.fixture
def sheet(ledger: Ledger) -> int:
    """A sheet with two plays, `a` and `b`."""
    number = ledger.create('{"game":"any"}', [("view", "v"), ("score", "s"), ("host", "h")], AT)
    ledger.append(number, 0, [play("a"), play("b")])
    return number


@pytest.fixture
def raw(ledger: Ledger, sheet: int) -> Iterator[sqlite3.Connection]:
    """A direct connection to the database, with the settings of the ledger's own."""
    with closing(sqlite3.connect(ledger.path, isolation_level=None)) as connection:
        connection.execute("PRAGMA recursive_triggers=ON")
        connection.execute("PRAGMA foreign_keys=ON")
        yield connection


# --- kept for ever


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sheets SET head = '{}'",
        "DELETE FROM sheets",
        "REPLACE INTO sheets (id, head, at) VALUES (1, '{}', '')",
        "UPDATE OR REPLACE sheets SET id = 7",
        "UPDATE entries SET body = '{\"points\":9}' WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 2",
        "REPLACE INTO entries VALUES (1, 2, 'play', NULL, '{}', 'other', 'host', '', '', '', '')",
        "REPLACE INTO entries VALUES (1, 3, 'play', NULL, '{}', 'a', 'host', '', '', '', '')",
        "UPDATE OR REPLACE entries SET key = 'b' WHERE key = 'a'",
        "INSERT INTO entries VALUES (1, 2, 'play', NULL, '{}', 'c', 'host', '', '', '', '') "
        "ON CONFLICT DO UPDATE SET body = 'x'",
    ],
)
def test_the_database_itself_refuses_to_change_or_delete(
    raw: sqlite3.Connection, statement: str
) -> None:
    """No statement changes or deletes a row, not even REPLACE or an upsert."""
    before = list(raw.iterdump())
    with pytest.raises(sqlite3.IntegrityError, match="are kept for ever"):
        raw.execute(statement)
    assert list(raw.iterdump()) == before


def test_every_connection_of_the_ledger_minds_replacing(ledger: Ledger, sheet: int) -> None:
    """Every thread's connection has the setting that makes REPLACE fire the triggers."""
    statement = (
        "REPLACE INTO entries VALUES (1, 2, 'play', NULL, '{}', 'z', 'host', '', '', '', '')"
    )

    def replace(_: int) -> str:
        with pytest.raises(sqlite3.IntegrityError) as refused, closing(ledger):
            ledger.engine.connection.execute(statement)
        return str(refused.value)

    assert at_once(replace) == ["entries are kept for ever"] * WRITERS


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
def test_the_database_itself_refuses_nonsense(raw: sqlite3.Connection, values: str) -> None:
    """A row with an unknown kind, or a missing target, sheet or body, is not stored."""
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"INSERT INTO entries VALUES {values}")


# --- one order


def test_rows_come_back_as_they_were_written(ledger: Ledger, sheet: int) -> None:
    """Rows are read oldest first, numbered from 1, with everything that was written."""
    body = '{"reason":"Käse ♠ \\u0000"}'
    assert ledger.append(sheet, 2, [play("c", kind="void", target=1, body=body)]).seq == 3
    assert [(row.seq, row.key) for row in ledger.rows(sheet)] == [(1, "a"), (2, "b"), (3, "c")]
    last = ledger.rows(sheet)[-1]
    assert (last.kind, last.target, last.body, last.at) == ("void", 1, body, AT)
    assert ledger.newest(sheet) == 3


@pytest.mark.parametrize("after", [-1, 0, 1, 3, 10**9])
def test_a_writer_who_has_not_seen_the_newest_row_stores_nothing(
    ledger: Ledger, sheet: int, after: int
) -> None:
    """A writer who has seen more or fewer rows than there are is refused."""
    with pytest.raises(MovedOnError) as moved:
        ledger.append(sheet, after, [play("c"), play("d")])
    assert moved.value.seq == 2
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b"]


def test_several_rows_are_stored_all_or_none(ledger: Ledger, sheet: int) -> None:
    """If the third of three rows cannot be stored, none is."""
    with pytest.raises(LedgerError):
        ledger.append(sheet, 2, [play("c"), play("d"), play("c")])
    assert ledger.newest(sheet) == 2
    assert ledger.append(sheet, 2, [play("c")]).seq == 3


def test_sheets_do_not_mix(ledger: Ledger, sheet: int) -> None:
    """Every sheet counts its rows from 1, and a key is known on its own sheet only."""
    other = ledger.create("{}", [("host", "other")], AT)
    assert ledger.newest(other) == 0
    assert ledger.append(other, 0, [play("b")]).seq == 1
    assert ledger.newest(sheet) == 2
    assert ledger.sheets() == [sheet, other]
    with pytest.raises(LedgerError):
        ledger.append(99, 0, [play("a")])
    assert (ledger.rows(99), ledger.head(99)) == ([], None)


def test_eight_writers_lose_nothing(ledger: Ledger, sheet: int) -> None:
    """Eight writers who retry after a conflict lose no row, and each row number is used once."""
    each = 6

    def write(writer: int) -> list[int]:
        places, seen = [], 0
        for number in range(each):
            while True:
                try:
                    seen = ledger.append(sheet, seen, [play(f"{writer}-{number}")]).seq
                    break
                except MovedOnError as moved:
                    seen = moved.seq
            places.append(seen)
        ledger.close()
        return places

    told = at_once(write)
    rows = ledger.rows(sheet)
    assert [row.seq for row in rows] == list(range(1, 2 + WRITERS * each + 1))
    where = {row.key: row.seq for row in rows}
    assert told == [[where[f"{w}-{n}"] for n in range(each)] for w in range(WRITERS)]
    assert all(places == sorted(places) for places in told)


# --- the same entry twice


def test_the_same_key_twice_is_one_row(ledger: Ledger, sheet: int) -> None:
    """An entry sent again is answered with its row's number, whatever row the sender has seen."""
    assert [ledger.append(sheet, after, [play("a")]).seq for after in (0, 2, 7)] == [1, 1, 1]
    assert ledger.append(sheet, 2, [play("c")]).seq == 3
    assert [row.body for row in ledger.rows(sheet)] == ["{}", "{}", "{}"]


@pytest.mark.parametrize(
    "changed",
    [{"body": '{"other":1}'}, {"kind": "void", "target": 1}, {"kind": "note"}],
)
def test_a_key_that_stands_for_something_else_stores_nothing(
    ledger: Ledger, sheet: int, changed: dict[str, Any]
) -> None:
    """The same key with other content is refused, not acknowledged."""
    assert ledger.append(sheet, 2, [play("c")]).seq == 3
    for after in (2, 3):
        with pytest.raises(MovedOnError) as refused:
            ledger.append(sheet, after, [play("c", **changed)])
        assert refused.value.seq == 3
    assert ledger.newest(sheet) == 3


@pytest.mark.parametrize("same", [True, False])
def test_eight_at_once_with_one_key_are_one_row(ledger: Ledger, sheet: int, same: bool) -> None:
    """Eight equal forms get the same answer; of eight different ones only one is stored."""

    def write(writer: int) -> int | None:
        with closing(ledger):
            try:
                return ledger.append(sheet, 2, [play("c", body=str(0 if same else writer))]).seq
            except MovedOnError:
                return None

    answers = at_once(write)
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b", "c"]
    assert answers.count(3) == (WRITERS if same else 1)
    assert ledger.rows(sheet)[-1].body == str(answers.index(3))


# --- links


def test_a_link_that_was_withdrawn_is_gone(ledger: Ledger, sheet: int) -> None:
    """After renewal the old scoring link opens nothing; the new one and the others do."""
    ledger.renew_link(sheet, "score", "s2", AT)
    assert ledger.link("s") is None
    found = ledger.link("s2")
    assert found is not None
    assert (found.sheet, found.role) == (sheet, "score")
    assert ledger.links(sheet) == {"view": "v", "score": "s2", "host": "h"}
    with pytest.raises(LedgerError):  # a token in use is not given again
        ledger.renew_link(sheet, "score", "v", AT)
    assert ledger.links(sheet) == {"view": "v", "score": "s2", "host": "h"}


@pytest.mark.parametrize("token", ["", "nobody", "' OR 1=1 --", "\0", "v "])
def test_an_unknown_link_leads_nowhere(ledger: Ledger, sheet: int, token: str) -> None:
    """Only the exact token opens a sheet."""
    assert ledger.link(token) is None
