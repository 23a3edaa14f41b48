"""Backups of the ledger: copied while others write, checked, restored, and kept in a folder.

SQLite's online backup makes the copies: each is the book at one moment, even if others write
meanwhile. A copy is written to a temporary file, which is then renamed to its target: if anything
fails, the old file is still there.
"""

import filecmp
import re
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from referee.ledger import disk
from referee.ledger.engine import READ_SECONDS
from referee.ledger.errors import (
    DamagedError,
    InUseError,
    LedgerError,
    UnavailableError,
    distrusted,
    translated,
)
from referee.ledger.integrity import Amount, amount, faults
from referee.ledger.sqlite import check_tables, read_only
from referee.progress import report
from referee.rules.text import Text, say, say_many

UNPROVED, DAMAGED = "-unproved", "-damaged"  # ends of the names of copies with faults
COPIED_AT_ONCE = 2000  # pages
_TIME = "%Y-%m-%d-%H%M%S"


# --- copying a book


def backup(
    book: Path, target: Path, *, replace: bool = False
) -> tuple[Amount, Path, tuple[Text, ...]]:
    """Copy the ledger at `book` to the file `target`, which appears whole or not at all.

    Returns the amount copied, the path of the copy, and the faults found. If there are any, that
    path says “damaged”, and `target` is unchanged. Raises `UnavailableError` if `target` cannot be
    written, or exists and `replace` is false, and as `check_tables` does.
    """
    if target.is_dir():
        raise UnavailableError(say("{path} is a folder. Name a file in it.", path=str(target)))
    if any(disk.same_file(target, Path(f"{book}{end}")) for end in disk.BOOK_FILES):
        says = say("{path} is the score book itself. Name another file.", path=str(target))
        raise UnavailableError(says)
    if target.exists() and not replace:
        says = say("{path} already exists. Use --force to replace it.", path=str(target))
        raise UnavailableError(says)
    beside = (Path(f"{target}{end}") for end in disk.JOURNALS)
    left = next((path for path in beside if not disk.is_blank(path)), None)
    if left is not None:  # SQLite would take it for the copy's journal, and apply it
        says = say(
            "{path} is where another score book is kept: {found} belongs to it. Name another file.",
            path=str(target),
            found=left.name,
        )
        raise UnavailableError(says)
    with disk.file_beside(target) as part:
        _copy_book(book, part)
        copied, found, ending = _examine(part, lambda _: ())
        kept = _unused(target.with_stem(f"{target.stem}{ending}")) if ending else target
        disk.put_in_place(part, kept)
    return copied, kept, found


def copy_file(source: Path, target: Path) -> None:
    """Copy the database at `source` over the file `target`, damaged or not.

    Raises `UnavailableError` if either cannot be opened, and `DamagedError` for no database.
    """
    give_up = time.monotonic() + READ_SECONDS

    def on_progress(status: int, remaining: int, total: int) -> None:
        """Report progress, and give up after waiting `READ_SECONDS` for a lock.

        SQLite itself would wait for ever.
        """
        if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) and time.monotonic() > give_up:
            error = sqlite3.OperationalError("locked")
            error.sqlite_errorcode = status
            with translated(source):
                raise error
        report(total - remaining, total)

    with (
        closing(read_only(source)) as book,
        translated(target),
        closing(_connected(target)) as copy,
    ):
        with translated(source):  # one moment's content, even if others write between two parts
            book.execute("BEGIN")
            book.execute("SELECT 1 FROM sqlite_master").fetchone()
        book.backup(copy, pages=COPIED_AT_ONCE, progress=on_progress)
        copy.execute("PRAGMA journal_mode=DELETE")  # so that the copy is one file


def _copy_book(source: Path, target: Path) -> None:
    """Copy as `copy_file`; raises as `check_tables` for what is no book of this version."""
    copy_file(source, target)
    with distrusted(source), closing(read_only(target)) as copy:
        check_tables(copy, source)


def _copy_intact_book(source: Path, target: Path) -> Amount:
    """Copy as `copy_file`; raises as `_copy_book`, and `DamagedError` for one with faults."""
    _copy_book(source, target)
    found = faults(target)
    if found:
        says = say(
            "{path} is damaged or isn’t a score book. {fault}", path=str(source), fault=found[0]
        )
        raise DamagedError(says)
    return amount(target)


def _connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=READ_SECONDS, isolation_level=None)


# --- putting a copy in its place


def restore(source: Path, book: Path, *, force: bool = False) -> tuple[Amount, Path | None]:
    """Replace the ledger at `book` by the one in the file `source`.

    Returns the amount in it, and the new path of the old ledger if that held any sheets. Raises,
    with `book` unchanged, `DamagedError` or `NewerError` if `source` is damaged or newer, and
    `UnavailableError` if `source` cannot be opened, if `book` is in use, or if `book` holds sheets
    and `force` is false.
    """
    with disk.writable(book):
        disk.make_folder(book.parent)
    if disk.same_file(source, book):
        says = say(
            "{path} is the score book itself, so there’s nothing to restore.", path=str(source)
        )
        raise UnavailableError(says)
    with disk.file_beside(book) as part:
        copied = _copy_intact_book(source, part)
        try:
            sheets = _sheets_if_unused(book)
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
        with disk.writable(book):
            old = _set_aside(book)
        disk.put_in_place(part, book)
    return copied, old if sheets else None


def _set_aside(book: Path) -> Path:
    """Copy `book` and move its log to a new path, which is returned."""
    old = _unused(book.with_stem(f"{book.stem}-before-{datetime.now(UTC).strftime(_TIME)}"))
    if book.exists():
        disk.make_file(old)
        shutil.copyfile(book, old)
        disk.to_disk(old)
    for end in disk.BOOK_FILES[1:]:
        if Path(f"{book}{end}").exists():
            Path(f"{book}{end}").replace(f"{old}{end}")
    return old


def _unused(path: Path) -> Path:
    """`path`, or if that exists, the first with a number that doesn't."""
    found, number = path, 1
    while found.exists():
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def _sheets_if_unused(book: Path) -> int:
    """The number of sheets in a book; raises `InUseError` if another program has it open."""
    if disk.is_blank(book):
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


# --- a folder of backups


class KeptBackup(Struct, frozen=True):
    """A backup in the folder: its number, when it was made, and whether all of it was proved."""

    path: Path
    number: int
    at: datetime
    proved: bool


class MadeBackup(Struct, frozen=True):
    """A backup that was just made, with its faults; `new` if it differs from the last."""

    kept: KeptBackup
    copied: Amount
    faults: tuple[Text, ...]
    new: bool


class BackupFolder:
    """The backups of one book in one folder: numbered, the oldest deleted as new ones are made.

    The numbers give the order, even if the clock was wrong; the time in a name is for people, and
    for knowing when the next is due. A damaged copy has a text file with its faults beside it.
    """

    def __init__(self, path: Path, book: Path) -> None:
        self.path = path
        self._book = book
        stem, suffix = re.escape(book.stem), re.escape(book.suffix)
        self._name = re.compile(
            rf"{stem}-(\d{{5,}})-(\d{{4}}-\d\d-\d\d-\d{{6}})({UNPROVED}|{DAMAGED})?{suffix}"
        )

    def kept(self) -> list[KeptBackup]:
        """The backups in the folder, in the order in which they were made."""
        with _usable(self.path):
            paths = list(self.path.iterdir()) if self.path.is_dir() else []
        kept = []
        for path in paths:
            found = self._name.fullmatch(path.name)
            if found is not None:
                with suppress(ValueError):  # no such date
                    at = datetime.strptime(found[2], _TIME).replace(tzinfo=UTC)
                    kept.append(KeptBackup(path, int(found[1]), at, found[3] is None))
        return sorted(kept, key=lambda one: one.number)

    def add(self, keep: int, prove: Callable[[Path], Sequence[Text]], at: datetime) -> MadeBackup:
        """Make a backup, and delete the oldest proved ones beyond the newest `keep`.

        `prove` lists the faults in the sheets of a copy. A copy with such faults is marked as
        unproved, one of a damaged book as damaged; it replaces earlier copies with these marks, but
        no proved one. A copy with the same content as the last one replaces it, so that days
        without a game don't push out older backups. Raises `UnavailableError` if the book or the
        folder cannot be used, and `DamagedError` if the book is no database; nothing changes then.
        """
        if not self._book.is_file():
            raise UnavailableError(say("There’s no file {path}.", path=str(self._book)))
        with _usable(self.path):
            disk.make_folder(self.path)
        with disk.file_beside(self.path / self._book.name) as copy:
            copy_file(self._book, copy)
            copied, found, ending = _examine(copy, prove)
            before = self.kept()
            number = before[-1].number + 1 if before else 1
            name = f"{self._book.stem}-{number:05}-{at.strftime(_TIME)}{ending}{self._book.suffix}"
            kept = KeptBackup(self.path / name, number, at.replace(microsecond=0), not ending)
            last = next((one for one in reversed(before) if one.proved == kept.proved), None)
            with _usable(self.path):
                same = last is not None and filecmp.cmp(copy, last.path, shallow=False)
                if ending == DAMAGED:
                    lines = "".join(f"{one}\n" for one in found)
                    _faults_file(kept.path).write_text(lines, encoding="utf-8")
                disk.put_in_place(copy, kept.path)
                gone = [one for one in before if not one.proved or (same and one == last)]
                if kept.proved:
                    rest = [one for one in before if one not in gone]
                    gone += rest[: max(0, len(rest) + 1 - keep)]
                for path in (one.path for one in gone):
                    path.unlink(missing_ok=True)
                    _faults_file(path).unlink(missing_ok=True)
        return MadeBackup(kept, copied, found, not same)


def _examine(
    copy: Path, prove: Callable[[Path], Sequence[Text]]
) -> tuple[Amount, tuple[Text, ...], str]:
    """The amount in a copy, its faults, and the end of its name: `UNPROVED`, `DAMAGED` or ""."""
    copied, damages = Amount(0, 0), list[Text]()
    try:
        damages = faults(copy)
        copied = amount(copy)
    except LedgerError as error:
        damages = damages or [error.says]
    if damages:
        return copied, tuple(damages), DAMAGED
    found = tuple(prove(copy))
    return copied, found, UNPROVED if found else ""


def _faults_file(copy: Path) -> Path:
    """The text file with the faults of a damaged copy."""
    return copy.with_name(f"{copy.name}.txt")


@contextmanager
def _usable(folder: Path) -> Iterator[None]:
    """Turn errors of using the folder of backups into `UnavailableError`."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        says = say("Backups can’t be kept in {folder}: {why}.", folder=str(folder), why=why)
        raise UnavailableError(says) from error
