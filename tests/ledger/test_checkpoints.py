"""Moving what was written into the book: never while somebody commits, and soon after."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import checkpoints
from referee.ledger.backup import faults
from referee.ledger.checkpoints import WhenIdle, checkpoint
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Draft, Ledger

AT = "2026-01-02T03:04:05+00:00"
connect = sqlite3.connect


@pytest.fixture
def ledger(tmp_path: Path) -> Iterator[Ledger]:
    """An empty ledger that stays open: closing the last connection moves everything as well."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    checkpoint(ledger.path)
    yield ledger
    ledger.close()


def write(ledger: Ledger, rows: int) -> int:
    """A sheet with so many rows, each committed on its own; returns its number."""
    sheet = ledger.create("{}", [("host", f"host-{rows}")], AT)
    for seq in range(rows):
        ledger.append(sheet, seq, [Draft("play", '"' + "x" * 500 + '"', f"k{seq}", "host", AT)])
    return sheet


def rows_without_the_log(book: Path) -> int:
    """How many rows the file of the book holds by itself, its log left behind."""
    alone = book.with_name("alone.sqlite")
    alone.write_bytes(book.read_bytes())
    with closing(connect(alone)) as raw:
        return int(raw.execute("SELECT count(*) FROM entries").fetchone()[0])


@pytest.fixture
def while_moving(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], None]], None]:
    """Has something done at the moment at which pages are being moved."""

    def have_done(at_that_moment: Callable[[], None]) -> None:
        def watched(*where: object, **how: object) -> sqlite3.Connection:
            connection: sqlite3.Connection = connect(*where, **how)  # type: ignore[call-overload]

            def trace(statement: str) -> None:
                if "wal_checkpoint" in statement:
                    at_that_moment()

            connection.set_trace_callback(trace)
            return connection

        monkeypatch.setattr(sqlite3, "connect", watched)

    return have_done


def test_nobody_commits_while_pages_are_moved(
    ledger: Ledger, while_moving: Callable[[Callable[[], None]], None]
) -> None:
    """Not from another connection, in this process or in any other: the lock is SQLite's own."""
    write(ledger, 3)
    tried = []

    def commit() -> None:
        with closing(connect(ledger.path, timeout=0, isolation_level=None)) as other:
            with pytest.raises(sqlite3.OperationalError, match="locked"):
                other.execute("BEGIN IMMEDIATE")
            tried.append(other.execute("SELECT count(*) FROM entries").fetchone())

    while_moving(commit)
    assert checkpoint(ledger.path)
    assert tried == [(3,)], "it was tried, and reading goes on meanwhile"


def test_sqlite_moves_nothing_by_itself(ledger: Ledger) -> None:
    """However much is in the log, no commit of ours moves pages beside others that commit."""
    assert ledger._connection.execute("PRAGMA wal_autocheckpoint").fetchone() == (0,)
    rows = [Draft("play", '"' + "x" * 9000 + '"', f"k{seq}", "host", AT) for seq in range(1500)]
    ledger.create("{}", [("host", "h")], AT, rows)
    assert rows_without_the_log(ledger.path) == 0


def test_the_log_does_not_grow_for_ever(ledger: Ledger) -> None:
    """After enough commits they are in the book, and the log is used from its beginning again."""
    write(ledger, checkpoints.COMMITS)
    assert rows_without_the_log(ledger.path) >= checkpoints.COMMITS - 2
    size = Path(f"{ledger.path}-wal").stat().st_size
    write(ledger, checkpoints.COMMITS - 2)
    assert Path(f"{ledger.path}-wal").stat().st_size < size * 1.5


def test_a_writer_is_not_disturbed(ledger: Ledger) -> None:
    """Where somebody is writing just now, nothing is moved, and nothing is wrong."""
    write(ledger, 3)
    with closing(connect(ledger.path, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert not checkpoint(ledger.path)
        writer.execute("ROLLBACK")
    assert checkpoint(ledger.path)
    assert rows_without_the_log(ledger.path) == 3
    assert faults(ledger.path) == []


def test_an_acknowledged_row_stays_so_where_moving_fails(
    ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that fails just then takes nothing back: the commit was made before."""

    def fail(book: Path) -> bool:
        raise sqlite3.OperationalError("disk I/O error")

    monkeypatch.setattr(checkpoints, "checkpoint", fail)
    monkeypatch.setattr(checkpoints, "COMMITS", 1)
    sheet = write(ledger, 2)
    assert ledger.newest(sheet) == 2


def test_a_small_book_does_not_live_in_its_log(ledger: Ledger) -> None:
    """Two looks without a commit between them, and everything is in the book; once is enough."""
    idle = WhenIdle(ledger.path)
    idle.look()
    write(ledger, 2)
    assert not idle.look(), "somebody has just written"
    assert rows_without_the_log(ledger.path) == 0
    assert idle.look()
    assert rows_without_the_log(ledger.path) == 2
    assert not idle.look(), "nothing was written since"
    write(ledger, 3)
    assert [idle.look(), idle.look()] == [False, True]
    assert rows_without_the_log(ledger.path) == 5


def test_a_disk_without_a_write_ahead_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite answers with another mode there; it is said, and nothing is kept in such a book."""

    def without_shared_memory(path: Path, **how: object) -> sqlite3.Connection:
        address = f"{path.absolute().as_uri()}?vfs=unix-dotfile"
        return connect(address, uri=True, **how)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr(sqlite3, "connect", without_shared_memory)
    with pytest.raises(UnavailableError, match="write-ahead log") as refused:
        Ledger(tmp_path / "referee.sqlite")
    assert str(tmp_path) in str(refused.value)
    assert "--instance" in str(refused.value)
