"""A book with rows in every table, changes of one cell, and the commands that read it."""

import sqlite3
from contextlib import closing
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

from referee.ledger.extras import tables_in
from referee.ledger.links import Handovers, PhoneLinks
from referee.ledger.store import Ledger
from referee.settings import DATABASE
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.sheets.files import sheet_from
from tests.support.books import AT, with_history
from tests.support.cases import EXAMPLES

#: What extras have in a book: `fill(book, links)`, and the `COMMANDS` that read it.
OF_EXTRAS = [
    import_module(f"tests.extras.{path.parent.name}.whole_book")
    for path in sorted(Path(__file__).parents[1].glob("extras/*/whole_book.py"))
]
#: What reads a book, in whose folder `{}` it writes.
COMMANDS = (
    ["verify"],
    ["export"],
    ["export", "1"],
    ["export", "2", "--csv"],
    ["export", "--all"],
    ["status"],
    ["backup", "{folder}/copy.sqlite"],
    ["move", "--to", "{folder}/moved.sqlite"],
    *(command for extra in OF_EXTRAS for command in extra.COMMANDS),
)


def whole_book(folder: Path) -> tuple[Path, list[str]]:
    """A closed book with rows in every table, and the host links of its sheets.

    It is small and in one file, so that many changes can be tried.
    """
    path = folder / DATABASE
    short = sorted(EXAMPLES.values(), key=lambda sheet: len(sheet["entries"]))[:4]
    with closing(Ledger(path)) as ledger:
        book = Book(ledger)
        evenings = EveningBook(book)
        links = [book.import_sheet(sheet_from(with_history(sheet))) for sheet in short]
        for extra in OF_EXTRAS:
            extra.fill(book, links)
        evenings.play_again(links[0], 0, "again")
        evenings.token_of(links[0].document)
        evenings.join(links[:2])
        book.hosting.renew(links[1], "score")
        book.trash.put(links[2])
        book.trash.take_out(links[2])
        book.trash.put(links[3])
        tokens = [link.token for link in links]
        PhoneLinks(ledger).add("phone", tokens, AT, 9)
        Handovers(ledger).offer("code", tokens, "Ann", AT)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=DELETE")
        connection.execute("PRAGMA page_size=1024")  # leaves little empty space
        connection.execute("VACUUM")
    return path, tokens


def columns_of(book: Path) -> list[tuple[str, str]]:
    """Every (table, column) of a book, with those of extras."""
    with closing(sqlite3.connect(book)) as raw:
        tables = tables_in(raw.execute)
    return [(table, column.strip('"')) for table in tables for column in tables[table].split(", ")]


def change_cell(book: Path, table: str, column: str, random: Random) -> tuple[Any, Any]:
    """Change one cell of this column, past the triggers; returns the old and the new value.

    As a flipped byte or an edit by hand would.
    """
    with closing(sqlite3.connect(book, isolation_level=None)) as raw:
        for pragma in ("ignore_check_constraints=ON", "foreign_keys=OFF"):
            raw.execute(f"PRAGMA {pragma}")
        triggers = raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        kept = triggers.fetchall()
        for name, _ in kept:
            raw.execute(f"DROP TRIGGER {name}")
        keys = tables_in(raw.execute)[table].split(", ")[:2]
        rows = raw.execute(f'SELECT {", ".join(keys)}, "{column}" FROM {table}').fetchall()
        while True:
            *place, old = random.choice(rows)
            others = [row[-1] for row in rows if row[-1] != old]
            new = _another(old, others, random)
            if new == old:
                continue
            first, second = (f"{one} IS ?" for one in keys)
            try:
                raw.execute(
                    f'UPDATE {table} SET "{column}" = ? WHERE {first} AND {second}', (new, *place)
                )
            except sqlite3.IntegrityError:  # it can't be NULL, or is another row's
                continue
            if raw.execute("SELECT changes()").fetchone() != (1,):
                continue
            for _, made in kept:
                raw.execute(made)
            return old, new


def _another(old: Any, others: list[Any], random: Random) -> Any:
    if others and random.random() < 0.3:
        return random.choice(others)
    if isinstance(old, int):
        return random.choice([old + 1, old ^ (1 << random.randrange(40)), -old, 0, None])
    if not old or random.random() < 0.1:
        return random.choice(["", None, "x", "[]", "9" * 400, "9999-12-31T23:59:59+00:00", "\0"])
    letters = list(old)
    place = random.randrange(len(letters))
    letters[place] = chr((ord(letters[place]) ^ (1 << random.randrange(7))) or 1)
    return "".join(letters)
