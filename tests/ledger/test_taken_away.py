"""A book that is taken away, or swapped, while somebody has it open; and one behind a link."""

import os
import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.errors import DamagedError, UnavailableError
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
    """Whoever looks for it makes no empty file."""
    TAKEN[case](served.path)
    with ThreadPoolExecutor(1) as other, pytest.raises(UnavailableError, match="deleted, moved"):
        other.submit(served.sheets).result()
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
    """SQLite would clear it away and begin anew; once it is moved away, so does Referee."""
    for end in ("", "-wal"):
        shutil.copy(f"{served.path}{end}", tmp_path / f"referee.sqlite{end}")
    book = tmp_path / "referee.sqlite"
    os.truncate(book, 0)
    size = log(book).stat().st_size
    for _ in range(2):
        with pytest.raises(DamagedError, match="is missing or empty, but"):
            Ledger(book)
        book.unlink(missing_ok=True)
    assert log(book).stat().st_size == size
    log(book).replace(tmp_path / "kept")
    with closing(Ledger(book)) as ledger:
        assert ledger.sheets() == []


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


def test_a_link_to_itself_is_told(tmp_path: Path) -> None:
    """In a sentence."""
    book = tmp_path / "referee.sqlite"
    book.symlink_to(book)
    with pytest.raises(UnavailableError, match=r"referee\.sqlite can’t be"):
        Ledger(book)
