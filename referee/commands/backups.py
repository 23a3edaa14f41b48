"""Whether a score book is right, and putting a backup in its place: `verify`, `restore`."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

import click

from referee.commands.console import one_line_errors, print_line
from referee.commands.reading import instance_option, settings_of
from referee.ledger import backup as copies
from referee.ledger.errors import DamagedError, distrusted
from referee.ledger.store import Ledger
from referee.rules.text import Text, say, say_many
from referee.sheets.audit import Audit, audit

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Restore even if the book has sheets, or FILE faults.")
@instance_option
def restore(file: Path, force: bool, instance: Path | None) -> None:
    """Put the backup FILE in place of the score book; the old book is kept beside it.

    FILE is checked first. Stop `referee` before you restore.
    """
    settings = settings_of(instance)
    with one_line_errors():
        if not force:
            _refuse_unsound(file)
        copied, old = copies.restore(file, settings.database, force=force)
        with closing(Ledger(settings.database)):  # a backup of an older version is brought up
            pass
    amount = amount_of(copied.sheets, copied.rows)
    print_line(
        say("Restored {amount} from {file}.", amount=amount, file=click.format_filename(file))
    )
    if old is not None:
        print_line(say("The old score book is now {file}.", file=click.format_filename(old)))


@click.command()
@click.argument("file", required=False, type=FILE)
@instance_option
def verify(file: Path | None, instance: Path | None) -> None:
    """Check that the score book, or the backup FILE, is intact. Nothing in it is changed.

    The database is whole, its triggers are in place, every sheet can be played through, and no
    counter was made or lost. Prints a line for each fault and a summary; exit 0 if all is well,
    1 if something is wrong.
    """
    book = settings_of(instance).database if file is None else file
    with one_line_errors(), tempfile.TemporaryDirectory(prefix="referee-") as folder:
        found = audited(book, Path(folder) / "copy.sqlite")
    for fault in found.faults:
        print_line(fault)
    print_line(_summary(click.format_filename(book), found))
    sys.exit(1 if found.faults else 0)


def _refuse_unsound(file: Path) -> None:
    """End the command where `file` can be restored, but some of its sheets can’t be played."""
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        copy = Path(folder) / "copy.sqlite"
        copies.snapshot(file, copy)
        with closing(Ledger(copy)) as ledger:
            found = audit(ledger).faults
    for fault in found:
        print_line(fault, err=True)
    if found:
        says = say_many(
            "{file} has {n} fault. Use --force to restore it all the same.",
            "{file} has {n} faults. Use --force to restore it all the same.",
            n=len(found),
            file=click.format_filename(file),
        )
        raise click.ClickException(str(says))


def audited(book: Path, copy: Path) -> Audit:
    """What is wrong with a book, found on a copy of one moment, so that nobody has to wait."""
    copies.copy_file(book, copy)
    faults: tuple[Text, ...] = ()
    try:
        faults = tuple(say("Database: {fault}", fault=one) for one in copies.faults(copy))
        with distrusted(book), closing(Ledger(copy)) as ledger:
            found = audit(ledger)
    except DamagedError as error:
        return Audit((*faults, say("The sheets can’t be read: {why}", why=error.says)), 0, 0)
    return Audit((*faults, *found.faults), found.sheets, found.rows)


def _summary(book: str, found: Audit) -> Text:
    amount = amount_of(found.sheets, found.rows)
    if not found.faults:
        return say("{file} is intact: {amount}, all played through.", file=book, amount=amount)
    return say_many(
        "{file}: {amount} checked, {n} fault found.",
        "{file}: {amount} checked, {n} faults found.",
        n=len(found.faults),
        file=book,
        amount=amount,
    )


def amount_of(sheets: int, rows: int) -> Text:
    """How much there is: "2 sheets with 31 rows"."""
    return say(
        "{sheets} with {rows}",
        sheets=say_many("{n} sheet", "{n} sheets", n=sheets),
        rows=say_many("{n} row", "{n} rows", n=rows),
    )
