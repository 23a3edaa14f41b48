"""Backups of the ledger: copied while others write, checked, and restored.

SQLite's online backup makes the copies: each is the book at one moment, even if others write
meanwhile. A copy is written to a temporary file, which is then renamed to its target: if anything
fails, the old file is still there.
"""

import glob
import os
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from referee.ledger import integrity, privacy
from referee.ledger.errors import DamagedError, InUseError, UnavailableError, distrusted, translated
from referee.ledger.file import BESIDE, JOURNALS, READ_SECONDS, is_blank, read_only
from referee.rules.text import Text, say, say_many

_STALE_SECONDS = 86_400  # no copy takes that long


class Copied(Struct, frozen=True):
    """The number of sheets and rows in a ledger or its copy."""

    sheets: int
    rows: int


# --- reading a book


def held(path: Path) -> Copied:
    """Count what the ledger at `path` holds; raises as `snapshot` does."""
    with distrusted(path), closing(read_only(path)) as book:
        return Copied(*integrity.counts(book))


def faults(path: Path) -> list[Text]:
    """The faults of the database at `path`, a sentence each; `NewerError` as in `snapshot`."""
    with distrusted(path), closing(read_only(path)) as connection:
        return integrity.faults(connection)


# --- copying it


def backup(book: Path, target: Path, *, replace: bool = False) -> Copied:
    """Copy the ledger at `book` to the file `target`, which appears whole or not at all.

    Raises `UnavailableError` if `target` cannot be written, or exists and `replace` is false, and
    `DamagedError` if the copy is damaged; `target` is then unchanged.
    """
    if target.is_dir():
        raise UnavailableError(say("{path} is a folder. Name a file in it.", path=str(target)))
    if any(_same(target, Path(f"{book}{end}")) for end in BESIDE):
        says = say("{path} is the score book itself. Name another file.", path=str(target))
        raise UnavailableError(says)
    if target.exists() and not replace:
        says = say("{path} already exists. Use --force to replace it.", path=str(target))
        raise UnavailableError(says)
    beside = (Path(f"{target}{end}") for end in JOURNALS)
    left = next((path for path in beside if not is_blank(path)), None)
    if left is not None:  # SQLite would take it for the copy's journal, and mix it in
        says = say(
            "{path} is where another score book is kept: {found} belongs to it. Name another file.",
            path=str(target),
            found=left.name,
        )
        raise UnavailableError(says)
    with file_beside(target) as part:
        copied = snapshot(book, part)
        put_in_place(part, target)
    return copied


def snapshot(source: Path, target: Path) -> Copied:
    """Copy the ledger at `source` over the file `target`, and check the copy.

    Raises `UnavailableError` if either cannot be opened, `DamagedError` if `source` is damaged or
    no ledger, and `NewerError` if a newer version wrote it.
    """
    copy_file(source, target)
    found = faults(target)
    if found:
        says = say(
            "{path} is damaged or isn’t a score book. {fault}", path=str(source), fault=found[0]
        )
        raise DamagedError(says)
    return held(target)


def copy_file(source: Path, target: Path) -> None:
    """Copy the database at `source` over `target`, damaged or not; raises as `snapshot` does."""
    give_up = time.monotonic() + READ_SECONDS

    def patiently(status: int, remaining: int, total: int) -> None:
        """Give up after `READ_SECONDS`: by itself a copy waits for a lock for ever."""
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > give_up:
            error = sqlite3.OperationalError("locked")
            error.sqlite_errorcode = status
            with translated(source):
                raise error

    with (
        closing(read_only(source)) as book,
        translated(target),
        closing(_connected(target)) as copy,
    ):
        book.backup(copy, progress=patiently)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=READ_SECONDS, isolation_level=None)


# --- putting one in its place


def restore(source: Path, book: Path, *, force: bool = False) -> tuple[Copied, Path | None]:
    """Replace the ledger at `book` by the one in the file `source`.

    Returns how much that holds, and the new path of the old ledger if that held any sheets. Raises,
    with `book` unchanged, `DamagedError` or `NewerError` as `snapshot` does, and `UnavailableError`
    if `source` cannot be opened, if `book` is in use, or if it holds sheets and `force` is false.
    """
    with _writable(book):
        privacy.make_folder(book.parent)
    if _same(source, book):
        says = say(
            "{path} is the score book itself, so there’s nothing to restore.", path=str(source)
        )
        raise UnavailableError(says)
    with file_beside(book) as part:
        copied = snapshot(source, part)
        try:
            sheets = _sheets_in_unused(book)
        except DamagedError as error:
            if not force:
                says = say(
                    "{why} Use --force to set it aside and restore {path}.",
                    why=error.says,
                    path=str(source),
                )
                raise DamagedError(says) from error
            sheets = 1  # or none: it can't be read
        if sheets and not force:
            says = say_many(
                "{path} holds {n} sheet. Use --force to restore anyway and keep the old file.",
                "{path} holds {n} sheets. Use --force to restore anyway and keep the old file.",
                n=sheets,
                path=str(book),
            )
            raise UnavailableError(says)
        with _writable(book):
            to_disk(part)
        old = _name_aside(book)
        _set_aside(book, old)
        put_in_place(part, book)
    return copied, old if sheets else None


def _set_aside(book: Path, old: Path) -> None:
    """Give `book` the second name `old`, before the restored file takes its own.

    Its log moves along; there is one only if the book could not be closed.
    """
    with _writable(old):
        for end in BESIDE[1:]:
            if Path(f"{book}{end}").exists():
                Path(f"{book}{end}").replace(f"{old}{end}")
        if not book.exists():
            return
        try:
            os.link(book, old)
        except OSError:  # a disk without hard links
            privacy.make_file(old)
            shutil.copyfile(book, old)
            to_disk(old)


def _sheets_in_unused(book: Path) -> int:
    """Count the sheets of a book; raises `InUseError` if another program has it open."""
    if is_blank(book):
        return 0
    try:
        with translated(book), closing(_connected(book)) as connection:
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("BEGIN EXCLUSIVE")
            tables = connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sheets'")
            if tables.fetchone() is None:
                return 0
            return int(connection.execute("SELECT count(*) FROM sheets").fetchone()[0])
    except InUseError as error:
        says = say("{path} is in use. Stop `referee` first, then restore.", path=str(book))
        raise InUseError(says) from error


def _name_aside(book: Path) -> Path:
    when = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    name, number = f"{book.stem}-before-{when}", 1
    aside = book.with_name(f"{name}{book.suffix}")
    while aside.exists():
        number += 1
        aside = book.with_name(f"{name}-{number}{book.suffix}")
    return aside


# --- files


@contextmanager
def file_beside(path: Path) -> Iterator[Path]:
    """Yield a temporary file in the folder of `path`, readable by its owner alone.

    Files that killed programs left are deleted first, once they are too old to be in use.
    """
    with _writable(path):
        for left in path.parent.glob(f".{glob.escape(path.name)}-*.part*"):
            with suppress(FileNotFoundError):  # its owner has just deleted it
                if abs(time.time() - left.stat().st_mtime) > _STALE_SECONDS:
                    left.unlink()
        handle, name = tempfile.mkstemp(".part", f".{path.name}-", path.parent)
        os.close(handle)
    try:
        yield Path(name)
    finally:
        for end in BESIDE:
            with suppress(OSError):
                Path(f"{name}{end}").unlink(missing_ok=True)


def put_in_place(part: Path, target: Path) -> None:
    """Rename the finished file `part` to `target`, and wait until that is on the disk."""
    with _writable(target):
        to_disk(part)
        part.replace(target)
        to_disk(target.parent)


@contextmanager
def _writable(path: Path) -> Iterator[None]:
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


def to_disk(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk."""
    if path.is_dir() and os.name != "posix":
        return  # folders cannot be opened there
    handle = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):
        return False
