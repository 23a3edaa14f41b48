"""Checking a score book or a backup: `referee verify`."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

import click

from referee.commands import console
from referee.commands.extras import Commands
from referee.extras import parts
from referee.ledger import backup as copies
from referee.ledger import sqlite
from referee.ledger.databases import shown
from referee.ledger.disk import same_file
from referee.ledger.engine import Place
from referee.ledger.errors import DamagedError, OlderError, distrusted
from referee.ledger.integrity import Amount, faults, faults_in
from referee.ledger.store import Ledger
from referee.rules.text import Text, say, say_many
from referee.sheets.audit import Audit, audit
from referee.sheets.book import Book


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@console.book_options
def verify(file: Path | None, **where: Any) -> None:
    """Check that the score book, or the backup FILE, is intact. Nothing in it is changed.

    The database is whole, its triggers are in place, every sheet can be played through, and no
    counter was made or lost. Prints a line for each fault and a summary; exit 0 if all is well,
    1 if something is wrong.
    """
    settings = console.settings_of(**where)
    book = settings.book if file is None else file
    with console.one_line_errors(), console.progress(say("Checking")):
        found = audited(book, settings.summaries if file is None else None)
    for fault in found.faults:
        console.print_line(fault)
    named = click.format_filename(shown(book))
    amount = amount_of(found)
    if not found.faults:
        console.print_line(
            say("{file} is intact: {amount}, all played through.", file=named, amount=amount)
        )
        if file is not None and not same_file(file, settings.file) and sqlite.lacks_log(file):
            console.print_line(
                say(
                    "It isn’t one that `referee backup` made: if it was copied while the book was "
                    "served, what was recorded in the seconds before may be missing."
                )
            )
        return
    says = say_many(
        "{file}: {amount} checked, {n} fault found.",
        "{file}: {amount} checked, {n} faults found.",
        n=len(found.faults),
        file=named,
        amount=amount,
    )
    console.print_line(says)
    sys.exit(1)


def audited(book: Place, summaries: Path | None = None) -> Audit:
    """Check a book; one in a file is copied first, so that no writer has to wait.

    Extras compare what they keep in the file of `summaries` with what they compute anew.
    """
    if isinstance(book, str):
        with closing(Ledger(book)) as ledger:
            damages = tuple(say("Database: {fault}", fault=one) for one in faults_in(ledger.engine))
            found = _with_extras(ledger, summaries)
        return Audit((*damages, *found.faults), found.sheets, found.rows)
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        copy = Path(folder) / "copy.sqlite"
        copies.copy_file(book, copy)
        damages = ()
        try:
            damages = tuple(say("Database: {fault}", fault=one) for one in faults(copy))
            with distrusted(book), closing(Ledger(copy)) as ledger:
                found = _with_extras(ledger, summaries)
        except (DamagedError, OlderError) as error:
            return Audit((*damages, say("The sheets can’t be read: {why}", why=error.says)), 0, 0)
        return Audit((*damages, *found.faults), found.sheets, found.rows)


def _with_extras(ledger: Ledger, summaries: Path | None) -> Audit:
    """The faults of all sheets, and of what extras keep."""
    found, kept = audit(ledger), summaries if summaries and summaries.exists() else None
    book = Book(ledger, summaries=kept)
    finders = (part.faults for part in parts("commands", Commands) if part.faults)
    more = (fault for find in finders for fault in find(book))
    return Audit((*found.faults, *more), found.sheets, found.rows)


def amount_of(book: Amount | Audit) -> Text:
    """The amount in a book, in words: "2 sheets with 31 rows"."""
    return say(
        "{sheets} with {rows}",
        sheets=say_many("{n} sheet", "{n} sheets", n=book.sheets),
        rows=say_many("{n} row", "{n} rows", n=book.rows),
    )
