"""What is written on a sheet stays written, in one order, whoever writes at the same time."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from referee.ledger import file
from referee.ledger.errors import InUseError, LedgerError, MovedOnError, UnavailableError
from referee.ledger.store import Draft, Ledger
from tests.support.at_once import WRITERS, at_once

AT = "2026-01-02T03:04:05+00:00"


def draft(key: str, **fields: Any) -> Draft:
    """A play called `key`."""
    return Draft(**{"kind": "play", "body": "{}", "key": key, "role": "score", "at": AT, **fields})


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """A fresh ledger."""
    opened = Ledger(tmp_path / "referee.sqlite")
    yield opened
    opened.close()


@pytest.fixture
def sheet(ledger: Ledger) -> int:
    """A sheet with two plays, `a` and `b`."""
    number = ledger.create('{"game":"any"}', [("view", "v"), ("score", "s"), ("host", "h")], AT)
    ledger.append(number, 0, [draft("a"), draft("b")])
    return number


@pytest.fixture
def raw(ledger: Ledger, sheet: int) -> Iterator[sqlite3.Connection]:
    """The database behind the ledger's back, with the setting its own connections have."""
    connection = sqlite3.connect(ledger.path, isolation_level=None)
    connection.execute("PRAGMA recursive_triggers=ON")
    yield connection
    connection.close()


# --- kept for ever

FORBIDDEN = {
    "sheets": (
        "UPDATE sheets SET head = '{}'",
        "DELETE FROM sheets",
        "REPLACE INTO sheets (id, head, at) VALUES (1, '{}', '')",
        "INSERT OR REPLACE INTO sheets (id, head, at) VALUES (1, '{}', '')",
        "UPDATE OR REPLACE sheets SET id = 7",
    ),
    "entries": (
        "UPDATE entries SET body = '{\"points\":9}' WHERE seq = 1",
        "UPDATE entries SET seq = 3 WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 2",
        "DELETE FROM entries",
        "REPLACE INTO entries VALUES (1, 2, 'play', NULL, '{}', 'other', 'host', '', '', '', '')",
        "INSERT OR REPLACE INTO entries "
        "VALUES (1, 3, 'play', NULL, '{}', 'a', 'host', '', '', '', '')",
        "UPDATE OR REPLACE entries SET key = 'b' WHERE key = 'a'",
        "INSERT INTO entries VALUES (1, 2, 'play', NULL, '{}', 'c', 'host', '', '', '', '') "
        "ON CONFLICT DO UPDATE SET body = 'x'",
    ),
}


@pytest.mark.parametrize(
    ("table", "statement"),
    [(table, statement) for table, statements in FORBIDDEN.items() for statement in statements],
)
def test_the_database_itself_refuses_to_change_or_delete(
    raw: sqlite3.Connection, table: str, statement: str
) -> None:
    """No statement changes or deletes what was written, not even one that replaces."""
    before = list(raw.execute(f"SELECT * FROM {table}"))
    with pytest.raises(sqlite3.IntegrityError, match=f"{table} are kept for ever"):
        raw.execute(statement)
    assert list(raw.execute(f"SELECT * FROM {table}")) == before


def test_every_connection_of_the_ledger_minds_replacing(ledger: Ledger, sheet: int) -> None:
    """The setting without which REPLACE slips past the triggers holds in every thread."""
    statement = (
        "REPLACE INTO entries VALUES (1, 2, 'play', NULL, '{}', 'z', 'host', '', '', '', '')"
    )

    def replace(_: int) -> str:
        try:
            ledger._connection.execute(statement)
        except sqlite3.IntegrityError as error:
            return str(error)
        finally:
            ledger.close()
        return "replaced"

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
    """A row of no known kind, or about a row or sheet that is not there, is not stored."""
    raw.execute("PRAGMA foreign_keys=ON")
    with pytest.raises(sqlite3.IntegrityError):
        raw.execute(f"INSERT INTO entries VALUES {values}")


# --- one order


def test_rows_come_back_as_they_were_written(ledger: Ledger, sheet: int) -> None:
    """Rows are read oldest first, numbered from 1, with everything that was written."""
    body = '{"reason":"Käse ♠ \\u0000"}'
    assert ledger.append(sheet, 2, [draft("c", kind="void", target=1, body=body)]).seq == 3
    assert [(row.seq, row.key) for row in ledger.rows(sheet)] == [(1, "a"), (2, "b"), (3, "c")]
    last = ledger.rows(sheet)[-1]
    assert (last.kind, last.target, last.body, last.at) == ("void", 1, body, AT)
    assert ledger.newest(sheet) == 3


@pytest.mark.parametrize("after", [-1, 0, 1, 3, 10**9])
def test_a_writer_who_has_not_seen_the_newest_row_stores_nothing(
    ledger: Ledger, sheet: int, after: int
) -> None:
    """The sheet has two rows; who has seen more or fewer is told so, and decides anew."""
    with pytest.raises(MovedOnError) as moved:
        ledger.append(sheet, after, [draft("c"), draft("d")])
    assert moved.value.seq == 2
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b"]


def test_several_rows_are_stored_all_or_none(ledger: Ledger, sheet: int) -> None:
    """Where the third of three rows cannot be stored, the first two are not either."""
    with pytest.raises(LedgerError):
        ledger.append(sheet, 2, [draft("c"), draft("d"), draft("c")])
    assert ledger.newest(sheet) == 2
    assert ledger.append(sheet, 2, [draft("c")]).seq == 3


def test_sheets_do_not_mix(ledger: Ledger, sheet: int) -> None:
    """Every sheet counts its rows from 1, and a key is known on its own sheet only."""
    other = ledger.create("{}", [("host", "other")], AT)
    assert ledger.newest(other) == 0
    assert ledger.append(other, 0, [draft("b")]).seq == 1
    assert ledger.newest(sheet) == 2
    assert ledger.sheets() == [sheet, other]


def test_nothing_is_written_on_a_sheet_that_is_not_there(ledger: Ledger, sheet: int) -> None:
    """Writing on an unknown sheet is an error of ours; reading it finds nothing."""
    with pytest.raises(LedgerError):
        ledger.append(99, 0, [draft("a")])
    assert ledger.rows(99) == []
    assert ledger.head(99) is None


def test_eight_writers_lose_nothing(ledger: Ledger, sheet: int) -> None:
    """Eight writers who try again when the sheet has moved on all get in, each place used once."""
    each = 6

    def write(writer: int) -> list[int]:
        places, seen = [], 0
        for number in range(each):
            while True:
                try:
                    seen = ledger.append(sheet, seen, [draft(f"{writer}-{number}")]).seq
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


def test_one_of_eight_writers_gets_a_place(ledger: Ledger, sheet: int) -> None:
    """Of eight writers who have seen the same row one is stored, and seven are told to look."""

    def write(writer: int) -> str:
        try:
            ledger.append(sheet, 2, [draft(str(writer))])
        except MovedOnError as moved:
            return f"moved on to {moved.seq}"
        finally:
            ledger.close()
        return "stored"

    assert sorted(at_once(write)) == ["moved on to 3"] * (WRITERS - 1) + ["stored"]
    assert len(ledger.rows(sheet)) == 3


# --- the same entry twice


def test_the_same_key_twice_is_one_row(ledger: Ledger, sheet: int) -> None:
    """An entry sent again, whatever its sender has seen since, is answered with its place."""
    assert [ledger.append(sheet, after, [draft("a")]).seq for after in (0, 2, 7)] == [1, 1, 1]
    assert ledger.append(sheet, 2, [draft("c")]).seq == 3
    assert [row.body for row in ledger.rows(sheet)] == ["{}", "{}", "{}"]


@pytest.mark.parametrize(
    "changed",
    [{"body": '{"other":1}'}, {"kind": "void", "target": 1}, {"kind": "note"}],
)
def test_a_key_that_stands_for_something_else_stores_nothing(
    ledger: Ledger, sheet: int, changed: dict[str, Any]
) -> None:
    """What is not stored is not acknowledged: the same key with other content is refused."""
    assert ledger.append(sheet, 2, [draft("c")]).seq == 3
    for after in (2, 3):
        with pytest.raises(MovedOnError) as refused:
            ledger.append(sheet, after, [draft("c", **changed)])
        assert refused.value.seq == 3
    assert ledger.newest(sheet) == 3


def test_of_two_contents_with_one_key_at_once_one_is_told(ledger: Ledger, sheet: int) -> None:
    """Whoever is answered has an entry there: of eight different ones with a key, one writer."""

    def write(number: int) -> int | None:
        try:
            return ledger.append(sheet, 2, [draft("c", body=f'{{"writer":{number}}}')]).seq
        except MovedOnError:
            return None
        finally:
            ledger.close()

    answers = at_once(write)
    stored = ledger.rows(sheet)[-1].body
    assert answers.count(3) == 1
    assert answers.count(None) == WRITERS - 1
    assert stored == f'{{"writer":{answers.index(3)}}}'


def test_the_same_key_at_once_is_one_row(ledger: Ledger, sheet: int) -> None:
    """A form sent eight times at once is one row, and all eight get the same answer."""

    def write(_: int) -> int:
        try:
            return ledger.append(sheet, 2, [draft("c")]).seq
        finally:
            ledger.close()

    assert at_once(write) == [3] * WRITERS
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b", "c"]


# --- when it cannot be written


def test_a_ledger_in_use_says_so_and_works_again_later(
    ledger: Ledger, raw: sqlite3.Connection, sheet: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another program holds the file an entry is refused, nothing half stored."""
    monkeypatch.setattr(file, "BUSY_SECONDS", 0.01)
    ledger.close()
    raw.execute("BEGIN IMMEDIATE")
    with pytest.raises(InUseError, match="in use by another program"):
        ledger.append(sheet, 2, [draft("c")])
    assert ledger.newest(sheet) == 2, "reading goes on"
    raw.execute("ROLLBACK")
    assert ledger.append(sheet, 2, [draft("c")]).seq == 3


@pytest.mark.parametrize("after", range(12))
def test_whoever_is_interrupted_can_write_again(ledger: Ledger, sheet: int, after: int) -> None:
    """At whatever step of SQLite's: no transaction stays open, and the next try is one row."""
    steps = iter(range(after, -1, -1))
    ledger._connection.set_progress_handler(lambda: next(steps, 1) == 0, 1)
    with pytest.raises(LedgerError, match="interrupted"):
        ledger.append(sheet, 2, [draft("c")])
    ledger._connection.set_progress_handler(None, 1)
    assert not ledger._connection.in_transaction
    assert ledger.append(sheet, 2, [draft("c")]).seq == 3


def test_a_full_disk_is_told_and_leaves_nothing_behind(ledger: Ledger, sheet: int) -> None:
    """An entry the disk has no room for is refused whole; a smaller one can follow."""
    connection = ledger._connection
    pages = connection.execute("PRAGMA page_count").fetchone()[0]
    connection.execute(f"PRAGMA max_page_count={pages}")
    long = '"' + "x" * 100_000 + '"'
    with pytest.raises(UnavailableError, match=r"disk that holds .* is full"):
        ledger.append(sheet, 2, [draft("c"), draft("d", body=long)])
    assert ledger.append(sheet, 2, [draft("c")]).seq == 3


# --- links


def test_a_link_that_was_withdrawn_is_gone(ledger: Ledger, sheet: int) -> None:
    """The old scoring link leads nowhere, the new one to the sheet, the others still do."""
    ledger.renew_link(sheet, "score", "s2", AT)
    assert ledger.link("s") is None
    found = ledger.link("s2")
    assert found is not None
    assert (found.sheet, found.role) == (sheet, "score")
    assert ledger.links(sheet) == {"view": "v", "score": "s2", "host": "h"}


@pytest.mark.parametrize("token", ["", "nobody", "' OR 1=1 --", "\0", "v "])
def test_an_unknown_link_leads_nowhere(ledger: Ledger, sheet: int, token: str) -> None:
    """Only the very token opens a sheet."""
    assert ledger.link(token) is None


def test_a_token_in_use_is_not_given_again(ledger: Ledger, sheet: int) -> None:
    """A new link with the token of another is refused, and the old link stays."""
    with pytest.raises(LedgerError):
        ledger.renew_link(sheet, "score", "v", AT)
    assert ledger.links(sheet) == {"view": "v", "score": "s", "host": "h"}
