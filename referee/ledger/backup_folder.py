"""A folder of backups: numbered copies of one book, of which the oldest go when new ones come.

Beside a copy of a damaged book stands in a text file what is wrong with it.

Their numbers say in which order they were made, whatever the clock did. The time in the name is for
people, and for finding out when the next one is due.
"""

import filecmp
import glob
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec import Struct

from referee.ledger import privacy
from referee.ledger.backup import Copied, backup, backup_damaged, clear_up, to_disk
from referee.ledger.errors import DamagedError, UnavailableError
from referee.ledger.file import BESIDE
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
    """A backup that was just made; `new` unless the one before held the very same.

    `faults` are those that the book has as well: of its sheets, or where it is damaged, its own.
    """

    kept: Kept
    copied: Copied
    faults: tuple[Text, ...]
    new: bool


class BackupFolder:
    """The backups of one book in one folder."""

    def __init__(self, path: Path, book: Path) -> None:
        """The folder `path` need not be there yet."""
        self.path = path
        self._book = book
        stem, suffix = re.escape(book.stem), re.escape(book.suffix)
        self._name = re.compile(
            rf"{stem}-(\d{{5,}})-(\d{{4}}-\d\d-\d\d-\d{{6}})(-unproved|-damaged)?{suffix}"
        )

    def kept(self) -> list[Kept]:
        """What is in the folder, in the order in which it was made."""
        with _telling(self.path):
            paths = list(self.path.iterdir()) if self.path.is_dir() else []
        return sorted(
            (kept for path in paths if (kept := self._read(path))), key=lambda kept: kept.number
        )

    def _read(self, path: Path) -> Kept | None:
        found = self._name.fullmatch(path.name)
        if found is None:
            return None
        try:
            at = datetime.strptime(found[2], _TIME).replace(tzinfo=UTC)
        except ValueError:  # the thirteenth month
            return None
        return Kept(path, int(found[1]), at, found[3] is None)

    def add(
        self, keep: int, prove: Callable[[Path], Sequence[Text]], now: Callable[[], datetime]
    ) -> Made:
        """Make one more backup, and give up the oldest proved ones beyond the newest `keep`.

        `prove` says what is wrong with the sheets of a copy. Where that is anything the copy is
        marked as unproved, and where the book is damaged as that: it takes the place of such a one
        before, and of no other. A copy that holds the same as the one before takes its place, so
        that days without a game don't push out what is older. Raises `UnavailableError` where the
        book or the folder cannot be had, and `DamagedError` where the book is no database at all;
        then all is as it was.
        """
        if not self._book.is_file():
            raise UnavailableError(say("There’s no file {path}.", path=str(self._book)))
        with _telling(self.path):
            privacy.make_folder(self.path)
            # Those of this folder, and those that were on their way to be one.
            clear_up(
                self.path, f".*{glob.escape(self._book.stem)}-being-proved-*", now().timestamp()
            )
        with self._unnamed() as copy:
            copied, faults, mark = self._copied(copy, prove)
            before = self.kept()
            kept = self._named(before, now(), mark)
            last = next((one for one in reversed(before) if one.proved == kept.proved), None)
            with _telling(self.path):
                same = last is not None and filecmp.cmp(copy, last.path, shallow=False)
                if mark == DAMAGED:
                    _beside(kept.path).write_text(
                        "".join(f"{one}\n" for one in faults), encoding="utf-8"
                    )
                copy.rename(kept.path)
                to_disk(self.path)
                self._give_up(before, last if same else None, kept, keep)
        return Made(kept, copied, faults, not same)

    def _copied(
        self, copy: Path, prove: Callable[[Path], Sequence[Text]]
    ) -> tuple[Copied, tuple[Text, ...], str]:
        """How much was copied, what is wrong with it, and by which mark its name says so."""
        try:
            copied = backup(self._book, copy, replace=True)
        except DamagedError:
            return *backup_damaged(self._book, copy), DAMAGED
        faults = tuple(prove(copy))
        return copied, faults, UNPROVED if faults else ""

    def _named(self, before: Sequence[Kept], at: datetime, mark: str) -> Kept:
        number = before[-1].number + 1 if before else 1
        name = f"{self._book.stem}-{number:05}-{at.strftime(_TIME)}{mark}{self._book.suffix}"
        return Kept(self.path / name, number, at.replace(microsecond=0), not mark)

    def _give_up(self, before: Sequence[Kept], same: Kept | None, new: Kept, keep: int) -> None:
        """Delete what is no longer kept, now that the new one is on the disk."""
        rest = [kept for kept in before if kept != same]
        if new.proved:
            gone = [kept for kept in rest if kept.proved][: -(keep - 1) or None]
            gone += [kept for kept in rest if not kept.proved]
        else:
            gone = [kept for kept in rest if not kept.proved]
        for kept in [*gone, *([same] if same else [])]:
            kept.path.unlink(missing_ok=True)
            _beside(kept.path).unlink(missing_ok=True)

    @contextmanager
    def _unnamed(self) -> Iterator[Path]:
        """A file of the folder for a copy that has not been proved yet."""
        mine = f"{os.getpid()}-{threading.get_ident():x}"
        copy = self.path / f".{self._book.stem}-being-proved-{mine}{self._book.suffix}"
        try:
            yield copy
        finally:
            for end in BESIDE:
                Path(f"{copy}{end}").unlink(missing_ok=True)


def _beside(copy: Path) -> Path:
    """Where stands what is wrong with a copy of a damaged book."""
    return copy.with_name(f"{copy.name}.txt")


@contextmanager
def _telling(folder: Path) -> Iterator[None]:
    """Say in words why the folder cannot be used."""
    try:
        yield
    except (OSError, ValueError) as error:
        why = (error.strerror if isinstance(error, OSError) else None) or str(error)
        says = say("Backups can’t be kept in {folder}: {why}.", folder=str(folder), why=why)
        raise UnavailableError(says) from error
