"""A book that is taken away, or swapped, while somebody has it open; and one behind a link."""

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.backup import backup, restore
from referee.ledger.checkpoints import WhenIdle, checkpoint
from referee.ledger.ends import EndsFile
from referee.ledger.errors import LossError, UnavailableError
from referee.ledger.mending import take_as_it_is
from referee.ledger.store import Draft, Ledger

AT = "2026-01-02T03:04:05+00:00"
HEAD = '{"game":"any"}'


def record(ledger: Ledger, seen: int) -> None:
    """Append a play."""
    ledger.append(1, seen, [Draft("play", "{}", f"k{seen}", "host", AT)])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Ledger]:
    """A book that is open, with a row on its one sheet."""
    with closing(Ledger(tmp_path / "book" / "referee.sqlite")) as ledger:
        ledger.create(HEAD, [("host", "h")], AT)
        record(ledger, 0)
        yield ledger


def log(book: Path) -> Path:
    """The write-ahead log of a book."""
    return Path(f"{book}-wal")


def swapped(book: Path) -> None:
    """Put a copy in the place of a book."""
    shutil.copy(book, book.with_name("copy"))
    book.with_name("copy").replace(book)


TAKEN: dict[str, Callable[[Path], object]] = {
    "deleted": lambda book: book.unlink(),
    "moved": lambda book: book.replace(book.with_name("elsewhere")),
    "swapped": swapped,
    "its log deleted": lambda book: log(book).unlink(),
    "its log swapped": lambda book: swapped(log(book)),
    "all of it deleted": lambda book: shutil.rmtree(book.parent),
}


@pytest.mark.parametrize("case", TAKEN)
def test_nothing_is_acknowledged_that_goes_to_a_file_without_a_name(
    served: Ledger, case: str
) -> None:
    """What is written then would be gone with the program: whoever records is told."""
    TAKEN[case](served.path)
    for _ in range(2):
        with pytest.raises(UnavailableError, match="deleted, moved, or replaced"):
            record(served, 1)
    with ThreadPoolExecutor(1) as other, pytest.raises(UnavailableError):
        other.submit(record, served, 1).result()


@pytest.mark.parametrize("case", ["deleted", "moved"])
def test_no_other_book_is_begun_in_its_place(served: Ledger, case: str) -> None:
    """Whoever looks for it, or moves what is in its log, makes no empty file."""
    idle = WhenIdle(served.path)
    TAKEN[case](served.path)
    with ThreadPoolExecutor(1) as other, pytest.raises(UnavailableError, match="deleted, moved"):
        other.submit(served.sheets).result()
    with pytest.raises(sqlite3.OperationalError):
        checkpoint(served.path)
    with pytest.raises(sqlite3.OperationalError):
        idle.look()
    assert not served.path.exists()


def test_a_book_that_is_put_back_is_written_on(served: Ledger) -> None:
    """Moved away and back again it is the same file."""
    served.path.replace(served.path.with_name("elsewhere"))
    with pytest.raises(UnavailableError):
        record(served, 1)
    served.path.with_name("elsewhere").replace(served.path)
    record(served, 1)
    assert served.newest(1) == 2


def test_a_log_without_its_book_is_told(served: Ledger, tmp_path: Path) -> None:
    """Even where nothing was noted beside: SQLite would clear it away and begin anew."""
    for end in ("", "-wal"):
        shutil.copy(f"{served.path}{end}", tmp_path / f"referee.sqlite{end}")
    book = tmp_path / "referee.sqlite"
    os.truncate(book, 0)
    size = log(book).stat().st_size
    for _ in range(2):
        with pytest.raises(LossError, match="The file is missing or empty"):
            Ledger(book)
        book.unlink(missing_ok=True)
    assert log(book).stat().st_size == size
    assert [str(says) for says in take_as_it_is(book)] == ["The file is missing or empty."]
    with closing(Ledger(book)) as ledger:
        assert ledger.sheets() == []
    assert [path.stat().st_size for path in tmp_path.glob("referee-before-*-wal")] == [size]


# --- behind a symbolic link


@pytest.fixture
def links(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders that each have a link to a book that is not there yet."""
    there = tmp_path / "disk" / "scores.sqlite"
    there.parent.mkdir()
    found = []
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "referee.sqlite").symlink_to(there)
        found.append(tmp_path / name / "referee.sqlite")
    return found[0], found[1]


@pytest.mark.skipif(os.name != "posix", reason="rights are POSIX's")
def test_a_linked_book_is_its_owners_alone(links: tuple[Path, Path]) -> None:
    """From the moment it is made, and so is what lies beside it."""
    before = os.umask(0o022)
    try:
        with closing(Ledger(links[0])) as ledger:
            ledger.create(HEAD, [("host", "h")], AT)
            there = list(links[0].resolve().parent.iterdir())
            assert len(there) >= 3
            assert [path.name for path in there if path.stat().st_mode & 0o077] == []
    finally:
        os.umask(before)


def test_what_is_noted_lies_beside_the_book_itself(links: tuple[Path, Path]) -> None:
    """Whichever way somebody comes to it, there is one witness: a restore blames nobody later."""
    for host, link in enumerate(links):
        with closing(Ledger(link)) as ledger:
            ledger.create(HEAD, [("host", f"h{host}")], AT)
    copy = links[0].with_name("copy.sqlite")
    backup(links[0], copy)
    with closing(Ledger(links[1])) as ledger:
        record(ledger, 0)
    restore(copy, links[0].resolve(), force=True)
    with closing(Ledger(links[1])) as ledger:
        assert ledger.newest(1) == 0
    assert EndsFile(links[0]).path == EndsFile(links[1]).path == Path(f"{links[0].resolve()}-ends")
    assert sorted(path.name for path in links[1].parent.iterdir()) == ["referee.sqlite"]


def test_a_link_to_itself_is_told(tmp_path: Path) -> None:
    """In a sentence."""
    book = tmp_path / "referee.sqlite"
    book.symlink_to(book)
    with pytest.raises(UnavailableError, match=r"referee\.sqlite can’t be"):
        Ledger(book)
