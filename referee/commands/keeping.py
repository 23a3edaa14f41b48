"""Copies of the book and proof that it is sound: `referee backup`, `restore` and `verify`."""

import sys
import tempfile
from contextlib import closing
from pathlib import Path

import click

from referee.commands.shared import instance_option, one_line_errors, settings_of
from referee.ledger import backup as copies
from referee.ledger.backup import Copied
from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger
from referee.sheets.audit import Proof, prove

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Replace FILE where it is there already.")
@instance_option
def backup(file: Path, force: bool, instance: Path | None) -> None:
    """Copy the whole book to FILE, also while it is being served.

    The copy is the book at one moment, and is proved sound before it gets its name.
    """
    settings = settings_of(instance)
    with one_line_errors():
        copied = copies.backup(settings.database, file, replace=force)
    click.echo(f"{_many(copied)} copied to {click.format_filename(file)}.")


@click.command()
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Also where the book holds sheets already.")
@instance_option
def restore(file: Path, force: bool, instance: Path | None) -> None:
    """Put the backup FILE in place of the book; the old book is kept beside it.

    FILE is proved sound first. Stop `referee` before you restore.
    """
    settings = settings_of(instance)
    with one_line_errors():
        copied, old = copies.restore(file, settings.database, force=force)
        with closing(Ledger(settings.database)):  # a backup of an older version is brought up
            pass
    click.echo(f"{_many(copied)} restored from {click.format_filename(file)}.")
    if old is not None:
        click.echo(f"The old book is kept as {click.format_filename(old)}.")


@click.command()
@click.argument("file", required=False, type=FILE)
@instance_option
def verify(file: Path | None, instance: Path | None) -> None:
    """Prove that the book, or the backup FILE, is sound. Nothing in it is changed.

    The database is whole and its triggers are in place, every sheet can be played through, and no
    counter was made or lost. Prints a line for each fault and a summary; exit 0 where all is well,
    1 where something is wrong.
    """
    book = settings_of(instance).database if file is None else file
    with one_line_errors(), tempfile.TemporaryDirectory(prefix="referee-") as folder:
        proof = _proof(book, Path(folder) / "copy.sqlite")
    for fault in proof.faults:
        click.echo(fault)
    many = _many(Copied(proof.sheets, proof.rows))
    if proof.faults:
        faults = "1 fault" if len(proof.faults) == 1 else f"{len(proof.faults)} faults"
        click.echo(f"{click.format_filename(book)}: {many} looked at, {faults} found.")
        sys.exit(1)
    click.echo(f"{click.format_filename(book)} is sound: {many}, every one played through.")


def _proof(book: Path, copy: Path) -> Proof:
    """What is wrong with a book, found on a copy of one moment, so that nobody is kept waiting."""
    copies.copy_file(book, copy)
    faults = tuple(f"Database: {fault}" for fault in copies.faults(copy))
    try:
        with closing(Ledger(copy)) as ledger:
            proof = prove(ledger)
    except LedgerError as error:
        if not faults:
            raise
        return Proof((*faults, f"The sheets cannot be read: {error}"), 0, 0)
    return Proof((*faults, *proof.faults), proof.sheets, proof.rows)


def _many(copied: Copied) -> str:
    sheets = "1 sheet" if copied.sheets == 1 else f"{copied.sheets} sheets"
    entries = "1 row" if copied.rows == 1 else f"{copied.rows} rows"
    return f"{sheets} with {entries}"
