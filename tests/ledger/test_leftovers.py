"""What lies beside a copy: another book's log, what a kill left, what a failure would leave."""

import os
import shutil
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger.backup import backup, faults, restore
from referee.ledger.backup_folder import BackupFolder
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Draft, Ledger
from referee.rules.text import say
from tests.ledger.test_opening import written

AT = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of one sheet, in a folder of its own."""
    path = tmp_path / "instance" / "referee.sqlite"
    written(path, rows=3)
    return path


def named(folder: Path) -> list[str]:
    """What is in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("left", ["-wal", "-journal"])
@pytest.mark.parametrize("gone", [True, False])
def test_no_copy_is_put_beside_the_log_of_another_book(
    book: Path, tmp_path: Path, left: str, gone: bool
) -> None:
    """SQLite would take that for the log of the copy, which would then hold the other book."""
    killed = tmp_path / "killed" / "scores.sqlite"
    with closing(Ledger(tmp_path / "other.sqlite")) as other:
        other.create('{"game":"other"}', [("host", "o")], AT)
        killed.parent.mkdir()
        for end in ("", "-wal"):
            shutil.copy(f"{other.path}{end}", f"{killed}{end}")
    Path(f"{killed}-wal").replace(f"{killed}{left}")
    if gone:
        killed.unlink()
    before = {path: path.read_bytes() for path in killed.parent.iterdir()}
    with pytest.raises(UnavailableError, match=f"another score book is kept: scores.sqlite{left}"):
        backup(book, killed, replace=True)
    assert {path: path.read_bytes() for path in killed.parent.iterdir()} == before


def test_a_journal_that_was_left_behind_is_not_rolled_back_into_it(
    book: Path, tmp_path: Path
) -> None:
    """As one would be that a killed restore left, had the book been deleted since."""
    backup(book, tmp_path / "copy.sqlite")
    with closing(sqlite3.connect(book)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")
        raw.execute("PRAGMA cache_size=1")  # so that it is needed, and on the disk
        raw.execute("BEGIN")
        raw.execute("CREATE TABLE junk (x)")
        raw.executemany("INSERT INTO junk VALUES (?)", [("x" * 3000,)] * 100)
        left = Path(f"{book}-journal").read_bytes()
    book.unlink()
    Path(f"{book}-journal").write_bytes(left)
    restore(tmp_path / "copy.sqlite", book)
    assert faults(book) == []
    assert not Path(f"{book}-journal").exists()
    assert [path.read_bytes() for path in book.parent.glob("*-before-*-journal")] == [left]


def test_a_restore_that_fails_leaves_no_second_book(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old book is still in its place, so there is nothing to keep beside it."""
    backup(book, tmp_path / "copy.sqlite")
    copy, calls = copies._copy, list[Path]()

    def full_in_the_end(
        source: sqlite3.Connection, name: Path, into: sqlite3.Connection, target: Path
    ) -> None:
        calls.append(target)
        if target == book:
            raise UnavailableError(say("The disk is full."))
        copy(source, name, into, target)

    monkeypatch.setattr(copies, "_copy", full_in_the_end)
    with pytest.raises(UnavailableError, match="full"):
        restore(tmp_path / "copy.sqlite", book, force=True)
    assert len(calls) == 3, "a copy, the old book aside, and then it failed"
    assert list(book.parent.glob("*-before-*")) == []
    monkeypatch.undo()
    with closing(Ledger(book)) as ledger:
        assert ledger.newest(1) == 3
        ledger.append(1, 3, [Draft("play", "{}", "next", "host", AT)])


def long_ago(path: Path) -> Path:
    """Make a file that nobody has touched for years."""
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"half of a copy")
    os.utime(path, (1, 1))
    return path


def test_what_a_kill_broke_off_is_cleared_up(book: Path, tmp_path: Path) -> None:
    """A copy at every stage: of one backup, and of those that are made by themselves."""
    target, folder = tmp_path / "copy.sqlite", tmp_path / "backups"
    left = [
        long_ago(tmp_path / ".copy.sqlite-x1y2z3.part"),
        long_ago(tmp_path / ".copy.sqlite-x1y2z3.part-journal"),
        long_ago(folder / ".referee-being-proved-7-7f.sqlite"),
        long_ago(folder / "..referee-being-proved-7-7f.sqlite-x1y2z3.part"),
    ]
    under_way = tmp_path / ".copy.sqlite-newnew.part"
    under_way.touch()
    backup(book, target)
    BackupFolder(folder, book).add(3, lambda copy: (), lambda: datetime.now(UTC))
    assert [path for path in left if path.exists()] == []
    assert under_way.exists()
    assert len(named(folder)) == 1
