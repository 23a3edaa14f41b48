"""Write books for tests, and read what they contain."""

import os
import sqlite3
import tempfile
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from unittest import mock
from urllib.parse import urlencode

from referee.ledger.chain import Mark
from referee.ledger.sqlite import SQLiteEngine
from referee.ledger.store import Draft, Ledger, NewSheet
from referee.sheets.book import Book

MEMORY = Path("/dev/shm")  # on Linux; elsewhere it is an ordinary folder
#: Makes a book one of a newer version, which has more migrations.
NEWER = "INSERT INTO _sqlite_migrations (migration_set, name) VALUES ('referee', 'newer')"
AT = "2026-01-02T03:04:05+00:00"


def sqlite_of(ledger: Ledger) -> SQLiteEngine:
    """The engine of a ledger in a file."""
    assert isinstance(ledger.engine, SQLiteEngine)
    return ledger.engine


def play(key: str, **fields: Any) -> Draft:
    """A draft of an entry with this form key."""
    return Draft(**{"kind": "play", "body": "{}", "key": key, "role": "score", "at": AT, **fields})


def written(path: Path, rows: int = 1) -> Path:
    """Write a closed book at `path` with one sheet of `rows` filler rows; returns `path`."""
    with closing(Ledger(path)) as ledger:
        sheet = ledger.create_all([NewSheet("{}", [("host", "h")], AT)])[0]
        body = '"' + "x" * 500 + '"'
        ledger.append(sheet, Mark(0), [play(f"k{number}", body=body) for number in range(rows)])
    return path


def begin_sheet(instance: Path) -> str:
    """Begin an open-ended sheet of Multiple 9; returns the token of its scoring link."""
    with closing(Ledger(instance / "referee.sqlite")) as ledger:
        book = Book(ledger)
        host = book.begin("multiple-9", ["Ann", "Ben"], None, {"target": 0})
        return str(book.hosting.links(host)["score"])


def record_rows(address: str, token: str, rows: Iterable[int]) -> None:
    """Record a one-point adjustment of Ann’s over HTTP for each of these rows, counted from 0."""
    for row in rows:
        form = {"action": "adjust", "player": "Ann", "points": 1, "reason": f"row {row}"}
        sent = urlencode({**form, "after": row, "key": f"row {row}"}).encode()
        with urllib.request.urlopen(f"{address}/s/{token}/entries", sent) as answer:
            assert answer.status == 200


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """The sorted rows of every table of a database, text as bytes."""
    with closing(sqlite3.connect(path)) as raw:
        raw.text_factory = bytes
        found = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        names = [name.decode() for (name,) in found]
        return {name: sorted(raw.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names}


def with_history(sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet file with a history: its last entry was amended, voided and restored."""
    plays = [{"kind": "play", "entry": entry} for entry in sheet["entries"]]
    settings = {
        "players": sheet["players"],
        "dealer": sheet.get("dealer", sheet["players"][0]),
        "options": sheet.get("options", {}),
    }
    last = len(plays)
    rows = [
        *plays,
        {"kind": "amend", "target": last, "entry": sheet["entries"][-1], "reason": "seen again"},
        {"kind": "void", "target": last + 1},
        {"kind": "void", "target": last, "by": "Ann’s phone"},
        {"kind": "void", "target": last + 3, "reason": "it did count"},
    ]
    numbered = [{"seq": n, "at": AT, **row} for n, row in enumerate(rows, start=1)]
    return {**sheet, **settings, "history": numbered}


@contextmanager
def scratch() -> Iterator[str]:
    """A temporary folder, in memory where possible; other temporary files are put there too."""
    in_memory = MEMORY.is_dir() and os.access(MEMORY, os.W_OK)
    place = str(MEMORY) if in_memory else None
    with (
        tempfile.TemporaryDirectory(prefix="referee-", dir=place) as folder,
        mock.patch.object(tempfile, "tempdir", place or tempfile.tempdir),
    ):
        yield folder
