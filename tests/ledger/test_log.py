"""The write-ahead log is moved into the book at intervals, never during a commit.

`tests/reliability/test_one_file.py` has the program do it.
"""

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import closing
from pathlib import Path
from typing import Any
from weakref import WeakSet

import pytest

from referee.ledger import sqlite
from referee.ledger.chain import Mark
from referee.ledger.engine import READ_SECONDS
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Ledger, NewSheet
from referee.rules.text import say
from tests.support.books import AT, play, sqlite_of

LONG = '"' + "x" * 500 + '"'
ROWS = 200  # written one by one
connect = sqlite3.connect


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """An empty ledger with an empty log; it stays open, as closing would move the log."""
    sqlite_of(ledger).connection.execute("PRAGMA wal_checkpoint(FULL)")
    return ledger


def write(ledger: Ledger, rows: int) -> int:
    """Create a sheet with this many rows, each with a commit of its own; returns its number."""
    sheet = ledger.create_all([NewSheet("{}", [("host", f"host-{rows}")], AT)])[0]
    for seq in range(rows):
        ledger.append(sheet, Mark(seq), [play(f"k{seq}", body=LONG)])
    return sheet


def rows_without_the_log(book: Path) -> int:
    """The number of rows in the book's file without its log."""
    alone = book.with_name("alone.sqlite")
    alone.write_bytes(book.read_bytes())
    with closing(connect(alone)) as raw:
        return int(raw.execute("SELECT count(*) FROM entries").fetchone()[0])


def test_no_commit_happens_while_the_log_is_moved(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """During a checkpoint the write lock is held, so no process can commit."""
    write(ledger, 3)
    committed, opened = list[bool](), sqlite.SQLiteEngine._connected

    def at_a_statement(statement: str) -> None:
        if "wal_checkpoint" in statement:
            committed.append(may_commit())

    def traced(engine: sqlite.SQLiteEngine) -> sqlite3.Connection:
        connection = opened(engine)
        connection.set_trace_callback(at_a_statement)
        return connection

    def may_commit() -> bool:
        try:
            other.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return False
        other.execute("ROLLBACK")
        return True

    monkeypatch.setattr(sqlite.SQLiteEngine, "_connected", traced)
    with closing(connect(sqlite_of(ledger).path, timeout=0, isolation_level=None)) as other:
        assert may_commit()
        assert sqlite_of(ledger).move_log()
        assert committed == [False]
        assert may_commit()


def test_the_log_does_not_grow_for_ever(ledger: Ledger) -> None:
    """Once moved into the book, it is reused from its beginning.

    SQLite moves nothing automatically.
    """
    engine = sqlite_of(ledger)
    write(ledger, ROWS)
    assert rows_without_the_log(engine.path) == 0
    assert engine.move_log()
    assert rows_without_the_log(engine.path) == ROWS
    size = Path(f"{engine.path}-wal").stat().st_size
    write(ledger, ROWS - 1)
    assert Path(f"{engine.path}-wal").stat().st_size < size * 1.5
    before = rows_without_the_log(sqlite_of(ledger).path)
    long = [play(f"k{seq}", body='"' + "x" * 9000 + '"') for seq in range(1500)]
    sheet = ledger.create_all([NewSheet("{}", [("host", "h")], AT, long)])[0]
    assert rows_without_the_log(sqlite_of(ledger).path) == before
    ledger.append(sheet, Mark(1500), [play("next")])
    assert sqlite_of(ledger).move_log()
    assert rows_without_the_log(sqlite_of(ledger).path) == 2 * ROWS - 1 + 1501


def test_a_long_reader_holds_up_nobody(ledger: Ledger) -> None:
    """Rows newer than its read stay in the log until it ends; nobody waits for it."""
    sheet = write(ledger, 2)
    with closing(connect(sqlite_of(ledger).path, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").fetchone() == (2,)
        ledger.append(sheet, Mark(2), [play("next")])
        begun = time.monotonic()
        assert not sqlite_of(ledger).move_log()
        assert time.monotonic() - begun < READ_SECONDS
        assert rows_without_the_log(sqlite_of(ledger).path) < 3
    assert sqlite_of(ledger).move_log()
    assert rows_without_the_log(sqlite_of(ledger).path) == 3


@pytest.mark.parametrize("comes", [True, False])
def test_connections_come_and_go_while_the_log_is_moved(ledger: Ledger, comes: bool) -> None:
    """Another thread opens or closes its own while the mover looks through those of all."""
    engine, others = sqlite_of(ledger), list[Future[None]]()

    class Disturbed(WeakSet[Any]):
        def __iter__(self) -> Iterator[Any]:
            for one in super().__iter__():
                if not others:
                    others.append(other.submit(come if comes else engine.close))
                    wait(others, timeout=0.1)
                yield one

    def come() -> None:
        engine.read("SELECT 1")

    with ThreadPoolExecutor(1) as other:
        if not comes:
            other.submit(come).result()
        engine._open = Disturbed(engine._open)
        assert engine.move_log()
        others[0].result()
        other.submit(engine.close)


class EnoughError(BaseException):
    """Ends a loop that is to go on for ever."""


def test_no_error_ends_the_moving_of_the_log(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """An unforeseen one is logged, and the log is moved ten seconds later."""
    engine, moved = sqlite_of(ledger), list[bool]()
    does = iter([RuntimeError("unforeseen"), UnavailableError(say("for now")), None])

    def tried() -> bool:
        error = next(does)
        if error:
            raise error
        moved.append(True)
        return True

    def wait_shortly(_seconds: float) -> None:
        if moved:
            raise EnoughError

    monkeypatch.setattr(engine, "move_log", tried)
    monkeypatch.setattr(time, "sleep", wait_shortly)
    with pytest.raises(EnoughError):
        engine.maintain()
    assert "unforeseen" in caplog.text
    assert "for now" not in caplog.text


def test_a_book_on_a_disk_without_write_ahead_logging_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With a message, when it is opened."""

    def without_shared_memory(path: Path, **how: object) -> sqlite3.Connection:
        address = f"{path.absolute().as_uri()}?vfs=unix-dotfile"
        return connect(address, uri=True, **how)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", without_shared_memory)
    with pytest.raises(UnavailableError, match="write-ahead log") as refused:
        Ledger(tmp_path / "referee.sqlite")
    assert str(tmp_path) in str(refused.value)
    assert "--instance" in str(refused.value)
