"""Flipped databases: `verify` finds every change of what is recorded, and nothing breaks on it."""

import json
import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from referee.cli import main
from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger
from referee.rules.core.ruling import RefereeError
from referee.settings import DATABASE, Settings
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.sheets.files import sheet_from
from referee.web.app import create_app
from tests.fuzz.engine import Crash
from tests.fuzz.sheets import example_sheets, with_history
from tests.support.scratch import scratch
from tests.support.unexpected import unexpected_errors

SERVED = 16  # one in so many is served as well


class Databases:
    """Changes to the file of a book: `{"flips": [[byte, bit], …], "cut": bytes taken off its end}`.

    Bytes are counted modulo the length of the file, so that what was found stays of use when the
    tables change.
    """

    name = "databases"

    def seeds(self) -> Iterator[bytes]:
        """A bit in a few places, and a page cut off."""
        for byte in (0, 18, 24, 100, 4096, 12_345, 54_321):
            yield json.dumps({"flips": [[byte, byte % 8]]}).encode()
        yield b'{"flips": [], "cut": 4096}'

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """Another bit, mostly a single one; now and then more of them, or a cut."""
        flips = json.loads(one)["flips"] if chance.random() < 0.2 else []
        somewhere = chance.randrange(len(self._whole))
        byte = chance.choice(self._written) if chance.random() < 0.8 else somewhere
        flips = [*flips, [byte, chance.randrange(8)]]
        changed: dict[str, Any] = {"flips": flips}
        if chance.random() < 0.02:
            changed["cut"] = chance.randrange(len(self._whole))
        return json.dumps(changed).encode()

    @contextmanager
    def running(self) -> Iterator[None]:
        """A book of every game, with corrections, renewed links, an evening and the trash."""
        with scratch() as folder:
            self._folder = Path(folder)
            whole = self._folder / "whole.sqlite"
            self._tokens = book_of_everything(whole)
            self._whole = whole.read_bytes()
            self._written = [place for place, byte in enumerate(self._whole) if byte]
            self._recorded = recorded(whole)
            self._tries = 0
            yield

    def tried(self, given: bytes) -> str:
        """Whether the change was found, or changed nothing."""
        asked = json.loads(given)
        content = bytearray(self._whole)
        for byte, bit in asked["flips"]:
            content[byte % len(content)] ^= 1 << bit
        kept = len(content) - asked.get("cut", 0) % len(content)
        self._tries += 1
        instance = self._folder / "flipped"
        instance.mkdir(exist_ok=True)
        book = instance / DATABASE
        for path in instance.iterdir():
            path.unlink()
        book.write_bytes(content[:kept])
        code, printed = command("verify", str(book), "--instance", str(instance))
        if self._tries % SERVED == 0:
            self._served(instance)
        if code:
            return "found: " + " ".join(word for word in printed.split()[-8:] if word.isalpha())
        if recorded(book) != self._recorded:
            raise Crash("a change of what is recorded was not found")
        return "nothing that is recorded was changed"

    def _served(self, instance: Path) -> None:
        """Every page of every sheet is a page, if only one that says what is wrong."""
        try:
            app = create_app(Settings(instance=instance))
        except (LedgerError, RefereeError):
            return  # told when the program starts
        unexpected, client = unexpected_errors(app), app.test_client()
        for token in self._tokens:
            client.get(f"/s/{token}")
        client.set_cookie("sheets", ".".join(self._tokens))
        client.get("/")
        if unexpected:
            raise Crash(f"a page of a damaged book broke: {unexpected[0][:120]}")


def command(*args: str) -> tuple[int, str]:
    """The exit code of a command and what it printed; raises `Crash` for a traceback."""
    result = CliRunner().invoke(main, args)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    if "Traceback" in result.output or result.exit_code not in (0, 1):
        raise Crash(f"{args[0]} ended with {result.exit_code}")
    return result.exit_code, result.output


def book_of_everything(path: Path) -> list[str]:
    """Write a book that has something in every table, in one file; returns the host links.

    It is a small one, so that many changes of it can be tried.
    """
    short = sorted(example_sheets(), key=lambda sheet: len(sheet["entries"]))[:4]
    with closing(Ledger(path)) as ledger:
        book = Book(ledger)
        links = [book.take_in(sheet_from(with_history(sheet))) for sheet in short]
        evenings = EveningBook(ledger, book)
        evenings.play_again(links[0], 0, "again")
        evenings.token_of(links[0].sheet)
        book.hosting.renew(links[1], "score")
        book.trash.put(links[2])
        book.trash.take_out(links[2])
        book.trash.put(links[3])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA page_size=1024")  # so that little of it is empty
        connection.execute("VACUUM")
    return [link.token for link in links]


def contents(path: Path) -> dict[str, list[tuple[Any, ...]]]:
    """All that is written in a database, by its tables; what cannot be read is left out."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        names = [
            name.decode()
            for (name,) in connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name"
            )
        ]
        return {
            name: sorted(connection.execute(f'SELECT * FROM "{name}"'), key=repr) for name in names
        }


def recorded(path: Path) -> tuple[Any, ...]:
    """What is proved of a database: every row, what each sheet was begun with, and the links."""
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        queries = (
            "SELECT * FROM entries",
            "SELECT id, head FROM sheets",
            "SELECT token, digest, sheet FROM links ORDER BY token",
        )
        return tuple(connection.execute(query).fetchall() for query in queries)
