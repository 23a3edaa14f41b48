"""Backups: taken while others write, restored, and refused if damaged."""

import os
import random
import re
import shutil
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger import disk
from referee.ledger.backup import backup, restore
from referee.ledger.chain import Mark
from referee.ledger.errors import DamagedError, UnavailableError
from referee.ledger.integrity import Amount, amount, faults
from referee.ledger.store import Ledger
from tests.support.books import play, written


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of one sheet with two hundred rows, in a folder of its own."""
    return written(tmp_path / "instance" / "referee.sqlite", rows=200)


@pytest.fixture
def copy(book: Path, tmp_path: Path) -> Path:
    backup(book, tmp_path / "copy.sqlite")
    return tmp_path / "copy.sqlite"


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.is_file())


# --- backup


def test_a_backup_is_the_book_in_one_file(book: Path, copy: Path) -> None:
    """It holds every sheet, row and link, needs no file beside it, and is for its owner's eyes."""
    assert faults(copy) == []
    with closing(sqlite3.connect(book)) as raw, closing(sqlite3.connect(copy)) as other:
        assert list(raw.iterdump()) == list(other.iterdump())
    assert files(copy.parent) == ["copy.sqlite"]
    assert copy.stat().st_mode & 0o077 == 0


def test_a_backup_is_one_moment_whoever_writes(book: Path, tmp_path: Path) -> None:
    """Backups taken during writes are sound, and hold the rows up to some number without a gap."""
    done, number = threading.Event(), 200

    def write() -> None:
        nonlocal number
        with closing(Ledger(book)) as ledger:
            while not done.is_set():
                number = ledger.append(1, Mark(number), [play(f"more-{number}")]).seq

    writer = threading.Thread(target=write)
    writer.start()
    try:
        rows = [backup(book, tmp_path / f"{n}.sqlite")[0].rows for n in range(12)]
    finally:
        done.set()
        writer.join()
    assert rows == sorted(rows)
    assert 200 < rows[-1] <= number, "the writer got on while the copies were made"


def test_the_book_is_not_copied_over_itself(book: Path) -> None:
    """Neither the database nor its log may be the target, and it is no backup of itself."""
    with closing(Ledger(book)) as ledger:
        for target in (book, Path(f"{book}-wal"), Path(f"{book}-shm")):
            with pytest.raises(UnavailableError, match="is the score book itself"):
                backup(book, target, replace=True)
        assert ledger.newest(1) == 200
    with pytest.raises(UnavailableError, match="is the score book itself"):
        restore(book, book, force=True)


@pytest.mark.parametrize("left", ["-wal", "-journal"])
def test_no_copy_is_put_beside_the_log_of_another_book(book: Path, copy: Path, left: str) -> None:
    """SQLite would apply that log to the copy."""
    before = copy.read_bytes()
    Path(f"{copy}{left}").write_bytes(b"of a book that was killed")
    with pytest.raises(UnavailableError, match=f"another score book is kept: copy.sqlite{left}"):
        backup(book, copy, replace=True)
    assert copy.read_bytes() == before
    assert files(copy.parent) == ["copy.sqlite", f"copy.sqlite{left}"]


def test_a_backup_that_cannot_be_written_says_why(book: Path, tmp_path: Path) -> None:
    """The target is a folder or in a missing one, or the book is missing."""
    for target, why in {
        tmp_path: "is a folder",
        tmp_path / "no" / "copy": "can’t be written: No such file",
        tmp_path / "nul\0": "^A file can’t be called",
    }.items():
        with pytest.raises(UnavailableError, match=why):
            backup(book, target)
    with pytest.raises(UnavailableError, match="There’s no file"):
        backup(tmp_path / "nobody.sqlite", tmp_path / "copy.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["instance"], "nothing is left behind"


def test_files_left_by_a_killed_backup_are_removed_after_a_day(book: Path, tmp_path: Path) -> None:
    """Until then the backup may still be running."""
    left = [tmp_path / f".copy.sqlite-x1y2z3.part{end}" for end in ("", "-journal")]
    for path in left:
        path.write_bytes(b"half of a copy")
        os.utime(path, (1, 1))
    under_way = tmp_path / ".copy.sqlite-newnew.part"
    under_way.touch()
    backup(book, tmp_path / "copy.sqlite")
    assert files(tmp_path) == [under_way.name, "copy.sqlite"]


# --- damaged files


def torn(path: Path) -> None:
    whole = path.read_bytes()
    half = len(whole) // 2
    path.write_bytes(whole[:half] + random.Random(9).randbytes(len(whole) - half))


def without_a_trigger(path: Path) -> None:
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("DROP TRIGGER entries_refuse_delete")


#: Damage to a file, and its fault; `test_chain` has more about parts and rows.
DAMAGED: dict[str, tuple[Callable[[Path], object], str]] = {
    "torn": (torn, "."),
    "cut short": (lambda path: path.write_bytes(path.read_bytes()[: 4096 * 6 + 100]), "."),
    "something else": (lambda path: path.write_bytes(b"no database " * 99), "not a data"),
    "empty": (lambda path: path.write_bytes(b""), "tables .* are missing"),
    "no trigger": (without_a_trigger, "trigger entries_refuse_delete is missing"),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_file_is_not_restored(book: Path, copy: Path, tmp_path: Path, case: str) -> None:
    """Its fault is named; the book is unchanged, and no other file is left."""
    harm, why = DAMAGED[case]
    harm(copy)
    before = book.read_bytes()
    with pytest.raises(DamagedError, match=f"is damaged or isn’t a score book.*{why}"):
        restore(copy, book, force=True)
    assert book.read_bytes() == before
    assert not list(tmp_path.glob("**/.*.part*"))


@pytest.mark.parametrize("case", DAMAGED)
def test_a_damaged_book_is_copied_with_a_mark(copy: Path, tmp_path: Path, case: str) -> None:
    """It may be all there is; but it never gets the name of a good copy."""
    harm, why = DAMAGED[case]
    harm(copy)
    target, marked = tmp_path / "of-it.sqlite", tmp_path / "of-it-damaged.sqlite"
    try:
        _, kept, found = backup(copy, target)
    except DamagedError as error:  # no database at all
        assert case == "something else" or "torn" in case or "cut" in case
        assert re.search(why, str(error))
        assert not marked.exists()
    else:
        assert re.search(why, " ".join(map(str, found)))
        assert kept == marked
        assert marked.exists()
    assert not target.exists()
    assert not list(tmp_path.glob("**/.*.part*"))


def test_an_earlier_damaged_copy_is_kept(copy: Path, tmp_path: Path) -> None:
    """It may have what a later one lacks."""
    without_a_trigger(copy)
    target = tmp_path / "of-it.sqlite"
    names = [backup(copy, target, replace=True)[1].name for _ in range(3)]
    assert names == [f"of-it-damaged{n}.sqlite" for n in ("", "-2", "-3")]


# --- restore


@pytest.mark.parametrize("begun", [False, True])
def test_a_backup_is_restored_where_there_is_no_book(
    copy: Path, tmp_path: Path, begun: bool
) -> None:
    """On a new machine the folder is made; a book without sheets is replaced without asking."""
    fresh = tmp_path / "new" / "folder" / "referee.sqlite"
    if begun:
        Ledger(fresh).close()
    assert restore(copy, fresh) == (Amount(1, 200), None)
    assert amount(fresh) == amount(copy)


@pytest.mark.parametrize("end", ["-wal", "-journal"])
def test_an_old_log_is_not_applied_to_a_restored_book(copy: Path, book: Path, end: str) -> None:
    """The log of a lost book, or a killed program's journal, is kept under another name."""
    book.unlink()
    Path(f"{book}{end}").write_bytes(b"of another file")
    restore(copy, book)
    assert (faults(book), amount(book).rows) == ([], 200)
    assert [path.read_bytes() for path in book.parent.glob(f"*-before-*{end}")] == [
        b"of another file"
    ]


def test_a_killed_restore_leaves_the_old_book_or_the_new_one(
    book: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever it is killed."""

    def killed(*files: Path) -> None:
        raise KeyboardInterrupt

    with closing(Ledger(book)) as ledger:
        ledger.append(1, Mark(200), [play("later")])
    with monkeypatch.context() as soon:
        soon.setattr(disk, "put_in_place", killed)
        with pytest.raises(KeyboardInterrupt):
            restore(copy, book, force=True)
    assert (faults(book), amount(book).rows) == ([], 201)
    _, old = restore(copy, book, force=True)
    assert old is not None
    assert (amount(old).rows, amount(book).rows) == (201, 200)
    assert old.stat().st_mode & 0o077 == 0


def test_rows_left_in_the_log_stay_with_the_old_book(book: Path, copy: Path) -> None:
    """As by a killed program; the restored book doesn't get them."""
    killed = book.with_name("killed.sqlite")
    with closing(Ledger(book)) as ledger:
        ledger.append(1, Mark(200), [play("in the log")])
        for end in ("", "-wal"):
            shutil.copy(f"{book}{end}", f"{killed}{end}")
    _, old = restore(copy, killed, force=True)
    assert old is not None
    assert (amount(old).rows, amount(killed).rows) == (201, 200)
    assert not Path(f"{killed}-wal").exists()


def test_a_damaged_book_is_put_aside(book: Path, copy: Path) -> None:
    """It is replaced only if forced, and kept under another name."""
    content = b"no database, but something else" * 99
    book.write_bytes(content)
    with pytest.raises(
        DamagedError, match=r"Use --force to set it aside and restore .*copy\.sqlite"
    ):
        restore(copy, book)
    assert book.read_bytes() == content
    _, old = restore(copy, book, force=True)
    assert old is not None
    assert old.read_bytes() == content
    assert amount(book).sheets == 1


def test_a_full_disk_leaves_all_as_it_was(
    book: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The restore fails with a message, and nothing is half written."""
    really = copies._connected

    def cramped(path: Path) -> sqlite3.Connection:
        connection = really(path)
        connection.execute("PRAGMA max_page_count=2")
        return connection

    monkeypatch.setattr(copies, "_connected", cramped)
    before = amount(book)
    with pytest.raises(UnavailableError, match=r"disk that holds .* is full"):
        restore(copy, book, force=True)
    assert (amount(book), faults(book)) == (before, [])
    assert [name for name in files(book.parent) if not name.startswith("referee.sqlite")] == []
