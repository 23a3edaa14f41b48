"""Copies of the ledger: taken while others write, checked, and put back in its place.

All copying is SQLite's own (its online backup): a copy is the book at one moment, whoever writes
meanwhile, and a copy that breaks off leaves what was there before.
"""

import glob
import os
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
from referee.ledger.file import BESIDE, READ_SECONDS, has_log, is_blank, read_only
from referee.rules.text import Text, say, say_many

_STALE_SECONDS = 86_400  # no copy takes so long


class Copied(Struct, frozen=True):
    """A copy that was made: how many sheets and rows it holds."""

    sheets: int
    rows: int


def backup(book: Path, target: Path, *, replace: bool = False) -> Copied:
    """Copy the ledger at `book` to the file `target`, which appears whole or not at all.

    Raises `UnavailableError` where `target` is there already (unless it may `replace` it) or
    cannot be written, `DamagedError` where the copy is damaged; then `target` is as it was.
    """
    if target.is_dir():
        raise UnavailableError(say("{path} is a folder. Name a file in it.", path=str(target)))
    if any(_same(target, Path(f"{book}{end}")) for end in BESIDE):
        says = say("{path} is the score book itself. Name another file.", path=str(target))
        raise UnavailableError(says)
    if target.exists() and not replace:
        says = say("{path} already exists. Use --force to replace it.", path=str(target))
        raise UnavailableError(says)
    _refuse_in_a_books_place(target)
    with _file_beside(target) as part:
        copied = snapshot(book, part)
        with _writable(target):
            to_disk(part)
            part.replace(target)
            to_disk(target.parent)
    return copied


def backup_damaged(book: Path, target: Path) -> tuple[Copied, tuple[Text, ...]]:
    """Copy the damaged ledger at `book` as it is; returns how much can be read, and all its faults.

    Raises as `copy_file` does where it is no database any more.
    """
    with _file_beside(target) as part:
        copy_file(book, part)
        with _writable(target):
            to_disk(part)
            part.replace(target)
    try:
        found = tuple(faults(target))
    except DamagedError as error:
        found = (error.says,)
    try:
        return held(target), found
    except DamagedError:
        return Copied(0, 0), found


def _refuse_in_a_books_place(target: Path) -> None:
    """Raise `UnavailableError` where something lies beside `target` that belongs to another book.

    SQLite would take a log there for that of the copy, and read the other book out of it.
    """
    beside = (Path(f"{target}{end}") for end in BESIDE if end not in ("", "-shm"))
    found = next((path for path in beside if not is_blank(path)), None)
    if found is not None:
        says = say(
            "{path} is where another score book is kept: {found} belongs to it. Name another file.",
            path=str(target),
            found=found.name,
        )
        raise UnavailableError(says)


def snapshot(source: Path, target: Path) -> Copied:
    """Copy the ledger at `source`, which is not changed, over the file `target`.

    Raises `UnavailableError` where either cannot be had, and `DamagedError` or `NewerError` where
    `source` is damaged, or is no ledger that this program knows.
    """
    copy_file(source, target)
    found = faults(target)
    if found:
        says = say(
            "{path} is damaged or isn’t a score book. {fault}", path=str(source), fault=found[0]
        )
        raise DamagedError(says)
    return held(target)


def held(path: Path) -> Copied:
    """How much the ledger at `path` holds, which is not changed; raises as `snapshot` does."""
    with distrusted(path), closing(read_only(path)) as book:
        return Copied(*integrity.counts(book))


def faults(path: Path) -> list[Text]:
    """What is wrong with the database at `path`, a sentence each; `NewerError` as in `snapshot`."""
    with distrusted(path), closing(read_only(path)) as connection:
        return integrity.faults(connection)


def copy_file(source: Path, target: Path) -> None:
    """Copy the database at `source` over `target`, damaged or not; raises as `snapshot` does."""
    with closing(read_only(source)) as book, closing(_connected(target)) as copy:
        _copy(book, source, copy, target)
        with translated(target):
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, nothing beside it


def restore(source: Path, book: Path, *, force: bool = False) -> tuple[Copied, Path | None]:
    """Put the ledger in the file `source` in place of the one at `book`.

    Returns what it holds, and where the old one was put, if there was one. Raises, with `book` as
    it was: `DamagedError` or `NewerError` as `snapshot` does; `UnavailableError` where `source`
    cannot be had, or `book` holds sheets and this is not `force`d, or is being served.
    """
    with _writable(book):
        privacy.make_folder(book.parent)
    if _same(source, book):
        says = say(
            "{path} is the score book itself, so there’s nothing to restore.", path=str(source)
        )
        raise UnavailableError(says)
    with _file_beside(book) as part:
        copied = snapshot(source, part)
        try:
            return copied, _put_in_place(part, book, force)
        except DamagedError as error:
            if not force:
                says = say(
                    "{why} Use --force to set it aside and restore {path}.",
                    why=error.says,
                    path=str(source),
                )
                raise DamagedError(says) from error
        old = put_aside(book)
        _put_in_place(part, book, force)
        return copied, old


def _put_in_place(part: Path, book: Path, force: bool) -> Path | None:
    """Overwrite the ledger at `book` in one transaction, nobody else having it open."""
    if not book.exists() or (is_blank(book) and has_log(book)):
        put_aside(book)  # a log that was left behind would be taken for that of the new file
        with _writable(book):
            part.replace(book)
            to_disk(book.parent)
        return None
    with closing(_alone_with(book)) as connection:
        sheets = _sheets_in(connection, book)
        if sheets and not force:
            says = say_many(
                "{path} holds {n} sheet. Use --force to restore anyway and keep the old file.",
                "{path} holds {n} sheets. Use --force to restore anyway and keep the old file.",
                n=sheets,
                path=str(book),
            )
            raise UnavailableError(says)
        old = None
        if sheets:
            old = _name_aside(book)
        kept = _kept_aside(connection, book, old)
        with kept, closing(read_only(part)) as copy:
            _copy(copy, part, connection, book)
    return old


@contextmanager
def _kept_aside(connection: sqlite3.Connection, book: Path, old: Path | None) -> Iterator[None]:
    """Copy the book to the file `old`, if one is named; not kept where what follows fails."""
    if old is None:
        yield
        return
    try:
        with _writable(old):
            privacy.make_file(old)
            with closing(_connected(old)) as aside:
                _copy(connection, book, aside, old)
            to_disk(old)
        yield
    except Exception:  # not where a signal ends it, by when the copy may be the only one
        for end in BESIDE:
            with suppress(OSError):
                Path(f"{old}{end}").unlink(missing_ok=True)
        raise


def _alone_with(book: Path) -> sqlite3.Connection:
    """A connection that nobody else can get in beside, from now until it is closed."""
    connection = _connected(book)
    try:
        with translated(book):
            connection.execute("PRAGMA locking_mode=EXCLUSIVE")
            connection.execute("PRAGMA synchronous=FULL")
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("COMMIT")  # in this mode the lock stays
    except InUseError as error:
        connection.close()
        says = say("{path} is in use. Stop `referee` first, then restore.", path=str(book))
        raise InUseError(says) from error
    except BaseException:
        connection.close()
        raise
    return connection


def _connected(path: Path) -> sqlite3.Connection:
    """A connection to the file at `path`, be it empty; a disk may be sick by then already."""
    with translated(path):
        return sqlite3.connect(path, timeout=READ_SECONDS, isolation_level=None)


def _sheets_in(connection: sqlite3.Connection, book: Path) -> int:
    with translated(book):
        tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'sheets'")
        if not tables.fetchone()[0]:
            return 0
        return int(connection.execute("SELECT count(*) FROM sheets").fetchone()[0])


def put_aside(book: Path) -> Path:
    """Give a damaged book, and what belongs to it, a name of its own; nothing is lost with it."""
    aside = _name_aside(book)
    with _writable(book):
        for end in BESIDE:
            with suppress(FileNotFoundError):
                Path(f"{book}{end}").replace(f"{aside}{end}")
    return aside


def _name_aside(book: Path) -> Path:
    when = datetime.now(UTC).strftime("%Y-%m-%d-%H%M%S")
    name, number = f"{book.stem}-before-{when}", 1
    aside = book.with_name(f"{name}{book.suffix}")
    while aside.exists():
        number += 1
        aside = book.with_name(f"{name}-{number}{book.suffix}")
    return aside


def _copy(source: sqlite3.Connection, name: Path, into: sqlite3.Connection, target: Path) -> None:
    """Raises `InUseError` where another program locks either: by itself a copy waits for ever."""
    give_up = time.monotonic() + READ_SECONDS

    def patiently(status: int, remaining: int, total: int) -> None:
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > give_up:
            error = sqlite3.OperationalError("locked")
            error.sqlite_errorcode = status
            with translated(name):
                raise error

    with translated(name):
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
    with translated(target):
        source.backup(into, progress=patiently)


@contextmanager
def _file_beside(path: Path) -> Iterator[Path]:
    """A file to write in the folder of `path`, taken away again; readable by its owner alone."""
    with _writable(path):
        clear_up(path.parent, f".{glob.escape(path.name)}-*.part*", time.time())
        handle, name = tempfile.mkstemp(".part", f".{path.name}-", path.parent)
        os.close(handle)
    try:
        yield Path(name)
    finally:
        for end in BESIDE:
            with suppress(OSError):
                Path(f"{name}{end}").unlink(missing_ok=True)


def clear_up(folder: Path, pattern: str, now: float) -> None:
    """Delete copies that a kill broke off, unless another program may be at them still.

    `now` are the seconds of the clock, which may have been set either way. Raises `OSError`.
    """
    for path in folder.glob(pattern):
        with suppress(FileNotFoundError):  # whose copy it was has just done so
            if abs(now - path.stat().st_mtime) > _STALE_SECONDS:
                path.unlink()


@contextmanager
def _writable(path: Path) -> Iterator[None]:
    """Say in words why `path` cannot be written."""
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
        return  # there are no handles of folders
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
