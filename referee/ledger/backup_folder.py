"""A folder of backups: numbered copies of one book, the oldest deleted as new ones are made.

A copy of a damaged book has a text file beside it that lists the faults.

The numbers give the order of the copies, even if the clock was wrong. The time in the name is for
people, and tells when the next backup is due.
"""

import filecmp
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from referee.ledger import backup, privacy
from referee.ledger.backup import Copied
from referee.ledger.errors import DamagedError, UnavailableError
from referee.rules.text import Text, say

UNPROVED, DAMAGED = "-unproved", "-damaged"  # in the name of a copy that isn't known to be whole
_TIME = "%Y-%m-%d-%H%M%S"


class Kept(Struct, frozen=True):
    """A backup in the folder: its number, when it was made, and whether all of it was proved."""

    path: Path
    number: int
    at: datetime
    proved: bool


class Made(Struct, frozen=True):
    """A backup that was just made; `new` unless the previous one had the same content.

    `faults` are those of the book: of the database if that is damaged, otherwise of its sheets.
    """

    kept: Kept
    copied: Copied
    faults: tuple[Text, ...]
    new: bool


class BackupFolder:
    """The backups of one book in one folder."""

    def __init__(self, path: Path, book: Path) -> None:
        """The folder `path` need not exist yet."""
        self.path = path
        self._book = book
        stem, suffix = re.escape(book.stem), re.escape(book.suffix)
        self._name = re.compile(
            rf"{stem}-(\d{{5,}})-(\d{{4}}-\d\d-\d\d-\d{{6}})({UNPROVED}|{DAMAGED})?{suffix}"
        )

    def kept(self) -> list[Kept]:
        """The backups in the folder, in the order in which they were made."""
        with _telling(self.path):
            paths = list(self.path.iterdir()) if self.path.is_dir() else []
        found = [kept for path in paths if (kept := self._read(path))]
        return sorted(found, key=lambda kept: kept.number)

    def _read(self, path: Path) -> Kept | None:
        found = self._name.fullmatch(path.name)
        if found is None:
            return None
        try:
            at = datetime.strptime(found[2], _TIME).replace(tzinfo=UTC)
        except ValueError:  # no such date
            return None
        return Kept(path, int(found[1]), at, found[3] is None)

    def add(self, keep: int, prove: Callable[[Path], Sequence[Text]], at: datetime) -> Made:
        """Make a backup, and delete the oldest proved ones beyond the newest `keep`.

        `prove` lists the faults in the sheets of a copy. A copy with such faults is marked as
        unproved, one of a damaged book as damaged; it replaces earlier copies with these marks, but
        no proved one. A copy with the same content as the last one replaces it, so that days
        without a game don't push out older backups. Raises `UnavailableError` if the book or the
        folder cannot be used, and `DamagedError` if the book is no database; nothing changes then.
        """
        if not self._book.is_file():
            raise UnavailableError(say("There’s no file {path}.", path=str(self._book)))
        with _telling(self.path):
            privacy.make_folder(self.path)
        with backup.file_beside(self.path / self._book.name) as copy:
            backup.copy_file(self._book, copy)
            copied, faults, mark = _looked_at(copy, prove)
            before = self.kept()
            number = before[-1].number + 1 if before else 1
            name = f"{self._book.stem}-{number:05}-{at.strftime(_TIME)}{mark}{self._book.suffix}"
            kept = Kept(self.path / name, number, at.replace(microsecond=0), not mark)
            last = next((one for one in reversed(before) if one.proved == kept.proved), None)
            with _telling(self.path):
                same = last is not None and filecmp.cmp(copy, last.path, shallow=False)
                if mark == DAMAGED:
                    lines = "".join(f"{one}\n" for one in faults)
                    _beside(kept.path).write_text(lines, encoding="utf-8")
                backup.put_in_place(copy, kept.path)
                gone = [one for one in before if not one.proved or (same and one == last)]
                if kept.proved:
                    rest = [one for one in before if one not in gone]
                    gone += rest[: max(0, len(rest) + 1 - keep)]
                for path in (one.path for one in gone):
                    path.unlink(missing_ok=True)
                    _beside(path).unlink(missing_ok=True)
        return Made(kept, copied, faults, not same)


def _looked_at(
    copy: Path, prove: Callable[[Path], Sequence[Text]]
) -> tuple[Copied, tuple[Text, ...], str]:
    """How much a copy holds, its faults, and the mark for its name."""
    try:
        damages = backup.faults(copy)
    except DamagedError as error:
        damages = [error.says]
    if not damages:
        faults = tuple(prove(copy))
        return backup.held(copy), faults, UNPROVED if faults else ""
    try:
        return backup.held(copy), tuple(damages), DAMAGED
    except DamagedError:
        return Copied(0, 0), tuple(damages), DAMAGED


def _beside(copy: Path) -> Path:
    """The text file with the faults of a damaged copy."""
    return copy.with_name(f"{copy.name}.txt")


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    """Turn errors of using the folder into `UnavailableError`."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        says = say("Backups can’t be kept in {folder}: {why}.", folder=str(folder), why=why)
        raise UnavailableError(says) from error
