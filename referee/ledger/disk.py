"""The files of a book on the disk: who may read them, and how one is written whole or not at all.

A book holds the links of all sheets, so its files are 0600 in a folder of 0700, and are made so
again when it is opened (on POSIX).
"""

import glob
import os
import stat
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from referee.ledger.errors import UnavailableError
from referee.rules.text import say

LOG = "-wal"
JOURNALS = (LOG, "-journal")  # SQLite applies them to any database file beside them
BOOK_FILES = ("", *JOURNALS, "-shm")  # the ends of the names of a book's files
BACKUPS = "backups"  # the folder beside a book for its backups

_POSIX = os.name == "posix"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_STALE_SECONDS = 86_400  # no copy takes that long


def is_blank(path: Path) -> bool:
    """Whether there is no ledger at `path`: no file, or one that is empty."""
    return not path.is_file() or not path.stat().st_size


def same_file(one: Path, other: Path) -> bool:
    """Whether both paths lead to one file."""
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False


# --- permissions


def make_folder(path: Path) -> None:
    """Make the folder `path` and its missing parents; raises `OSError`."""
    if not path.is_dir():
        make_folder(path.parent)
        path.mkdir(0o700, exist_ok=True)


def make_file(path: Path) -> None:
    """Make an empty file `path` unless it exists; raises `OSError`.

    SQLite gives the files beside a database the same permissions.
    """
    with suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def close_to_others(book: Path) -> None:
    """Remove other users' permissions from the files of a book; raises `OSError`."""
    for path in open_to_others(book):
        with suppress(FileNotFoundError, PermissionError):  # just deleted, or another user's
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


def open_to_others(book: Path) -> list[Path]:
    """The book's files, log, copies and backups that other users may open; raises `OSError`."""
    names = (book.name, f"{book.stem}-", f".{book.stem}")
    backups = book.parent / BACKUPS
    beside = [*book.parent.iterdir(), *(backups.iterdir() if backups.is_dir() else ())]
    ours = [path for path in beside if path.is_file() and path.name.startswith(names)]
    return [path for path in ours if _POSIX and path.stat().st_mode & _OTHERS]


# --- whole or not at all


@contextmanager
def writable(path: Path) -> Iterator[None]:
    """Turn errors of writing `path` into `UnavailableError`."""
    try:
        yield
    except OSError as error:
        says = say(
            "{path} can’t be written: {why}.", path=str(path), why=error.strerror or str(error)
        )
        raise UnavailableError(says) from error
    except ValueError as error:
        says = say("A file can’t be called {path}.", path=str(path))
        raise UnavailableError(says) from error


@contextmanager
def file_beside(path: Path) -> Iterator[Path]:
    """Yield a temporary file in the folder of `path`, readable by its owner alone.

    Files that killed programs left are deleted first, once they are too old to be in use.
    """
    with writable(path):
        for left in path.parent.glob(f".{glob.escape(path.name)}-*.part*"):
            with suppress(FileNotFoundError):  # its owner has just deleted it
                if abs(time.time() - left.stat().st_mtime) > _STALE_SECONDS:
                    left.unlink()
        handle, name = tempfile.mkstemp(".part", f".{path.name}-", path.parent)
        os.close(handle)
    try:
        yield Path(name)
    finally:
        for end in BOOK_FILES:
            with suppress(OSError):
                Path(f"{name}{end}").unlink(missing_ok=True)


def put_in_place(part: Path, target: Path) -> None:
    """Rename the finished file `part` to `target`, and wait until that is on the disk."""
    with writable(target):
        to_disk(part)
        part.replace(target)
        to_disk(target.parent)


def to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if path.is_dir() and not _POSIX:
        return  # folders cannot be opened there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
