"""Where the chains of a book end, noted in a small file beside it.

What was recorded last lies in SQLite's write-ahead log until it is moved into the database. Where
that log is lost, cut short or damaged, SQLite opens the book as it was some time before, sound and
without a word. This file is the witness: it says how far every sheet had come.

A line is written after its transaction is on the disk, so that it is never ahead of the book, at
whatever moment the program or the power fails. It may be behind: it is written a fifth of a second
later, since the next transaction would have to wait for it, and it is not waited for until it is on
the disk itself. A line that cannot be read says nothing.
"""

import logging
import re
import sqlite3
import threading
import zlib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

try:
    import fcntl
except ImportError:  # Windows, where several workers may set a line back now and then
    fcntl = None  # type: ignore[assignment]

from msgspec import Struct

from referee.ledger import privacy
from referee.ledger.beside import ENDS, followed
from referee.ledger.chain import HASH_LENGTH, first_hash
from referee.ledger.tallies import all_tallies
from referee.rules.text import Text, say, say_many

DELAY = 0.2  # seconds
LINE = 64  # bytes: a divisor of the sectors of any disk, so that no line lies in two of them
BOOK = 0  # the line that belongs to no sheet, but to links, evenings and the trash
MOST = 1_000_000  # lines: the number of a damaged sheet must not make this a file of terabytes

_LINE = re.compile(rf" *(\d+) ([0-9a-f]{{{HASH_LENGTH}}}) ([0-9a-f]{{8}}) *\n".encode())


class End(Struct, frozen=True):
    """How far something has come: how many rows (or changes) there are, and the last hash."""

    rows: int
    hash: str


class EndsFile:
    """The file beside the book at `path`: line n is of sheet n, the very first of the book."""

    def __init__(self, path: Path) -> None:
        """Nothing is opened or made yet."""
        self.path = Path(f"{followed(path)}{ENDS}")
        self._lock = threading.Lock()
        self._waiting: dict[int, End] = {}
        self._due: threading.Timer | None = None
        self._told = False

    def read(self) -> dict[int, End]:
        """What can be read of it, by the number of the sheet."""
        try:
            with self.path.open("rb") as file:
                content = file.read(MOST * LINE)
        except OSError:
            return {}
        lines = (content[start : start + LINE] for start in range(0, len(content), LINE))
        read = ((number, _end(line)) for number, line in enumerate(lines))
        return {number: end for number, end in read if end is not None}

    def note(self, ends: Mapping[int, End]) -> None:
        """Write these ends down in a moment, together with whatever else comes until then."""
        with self._lock:
            for number, end in ends.items():
                known = self._waiting.get(number)
                if known is None or known.rows < end.rows:  # the other thread may have been later
                    self._waiting[number] = end
            if self._due is None and self._waiting:
                self._due = threading.Timer(DELAY, self.flush)
                self._due.daemon = True
                self._due.start()

    def flush(self) -> None:
        """Write down what waits for it.

        Where that cannot be done the file says less, and nothing wrong, until the next time. What
        it would say is in the book by now, so whoever recorded it is not told of a failure; it is
        logged once.
        """
        with self._lock:
            if self._due is not None:
                self._due.cancel()
            self._due = None
            try:
                if self._waiting:
                    self._write(self._waiting)
            except OSError as error:
                if not self._told:
                    logging.getLogger(__name__).warning("%s can't be written: %s", self.path, error)
                self._told = True
            else:
                self._waiting = {}

    def _write(self, ends: Mapping[int, End]) -> None:
        """Raises `OSError`. A line is never set back: another process may have been faster."""
        privacy.make_file(self.path)
        with self.path.open("r+b", buffering=0) as file:
            _keep_others_out(file)
            for number, end in ends.items():
                line = _line(end)
                if not (0 <= number < MOST and len(line) == LINE):
                    continue  # damage, as `verify` will say
                file.seek(number * LINE)
                there = _end(file.read(LINE))
                if there is None or there.rows <= end.rows:
                    file.seek(number * LINE)
                    file.write(line)

    def remove(self) -> None:
        """Take the file away: what was noted in it holds no longer."""
        self.path.unlink(missing_ok=True)


def _keep_others_out(file: BinaryIO) -> None:
    """Let no other process write until this one has closed the file, where that can be had."""
    if fcntl is not None:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)


def _end(line: bytes) -> End | None:
    """What a line says; None where it cannot be read."""
    read = _LINE.fullmatch(line)
    if read is None or int(read[3], 16) != zlib.crc32(line[: read.end(2)]):
        return None
    return End(int(read[1]), read[2].decode())


def _line(end: End) -> bytes:
    text = f"{end.rows:>10} {end.hash}"
    return f"{text} {zlib.crc32(text.encode()):08x}".ljust(LINE - 1).encode() + b"\n"


def ends_in_book(connection: sqlite3.Connection) -> dict[int, End]:
    """The ends as the book itself has them; none where it lacks the table.

    Raises `sqlite3.DatabaseError` where what it has are no ends.
    """
    tables = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'ends'")
    if not tables.fetchone()[0]:
        return {}
    found = connection.execute("SELECT sheet, rows, hash FROM ends").fetchall()
    if any((int, int, str) != tuple(map(type, one)) for one in found):
        raise sqlite3.DatabaseError("the table ends holds what it can’t hold")
    ends = {sheet: End(rows, hash_) for sheet, rows, hash_ in found}
    return {BOOK: end_of_book(connection), **ends}


def end_of_book(connection: sqlite3.Connection) -> End:
    """How far all but the rows of sheets has come: the changes of the tallied tables."""
    changes, hash_ = all_tallies(connection)
    return End(changes, hash_[:HASH_LENGTH])


def losses(connection: sqlite3.Connection, noted: Mapping[int, End]) -> Iterator[Text]:
    """What was recorded according to the file, and is not in the book; a sentence each.

    `noted` is what the file said before the book was looked at: it may have grown since.
    """
    there = ends_in_book(connection)
    for sheet in sorted(noted.keys() - {BOOK}):
        now, then = there.get(sheet), noted[sheet]
        name = str(sheet)
        if now is None:
            yield say("Sheet {sheet} is missing.", sheet=name)
        elif now.rows < then.rows:
            yield say(
                "Sheet {sheet} has {rows} of {noted} recorded rows.",
                sheet=name,
                rows=now.rows,
                noted=then.rows,
            )
        elif now != then and _hash_at(connection, sheet, then.rows) != then.hash:
            yield say("Sheet {sheet} has other rows than were recorded.", sheet=name)
    if BOOK in noted:
        yield from _changes_lost(there.get(BOOK, End(0, "")), noted[BOOK])


def _changes_lost(now: End, then: End) -> Iterator[Text]:
    if now.rows < then.rows:
        yield say_many(
            "{n} change of sheets, links, evenings, or the trash is missing.",
            "{n} changes of sheets, links, evenings, or the trash are missing.",
            n=then.rows - now.rows,
        )
    elif now.rows == then.rows and now.hash != then.hash:
        yield say("Sheets, links, evenings, or the trash aren’t as they were recorded.")


def _hash_at(connection: sqlite3.Connection, sheet: int, seq: int) -> str:
    """The hash of a row as the book has it; of row 0, that with which the chain begins."""
    if seq == 0:
        head = connection.execute("SELECT head FROM sheets WHERE id = ?", (sheet,)).fetchone()
        return "" if head is None else first_hash(head[0])
    found = connection.execute(
        "SELECT hash FROM entries WHERE sheet = ? AND seq = ?", (sheet, seq)
    ).fetchone()
    return "" if found is None else str(found[0])
