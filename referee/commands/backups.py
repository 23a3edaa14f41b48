"""Copies of the score book: `backup`, `restore`, and its `status`."""

import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
from babel.dates import format_timedelta

from referee.commands import console
from referee.commands.schedule import keep_backing_up, period
from referee.commands.verifying import amount_of, audited
from referee.ledger import backup as copies
from referee.ledger.backup import BackupFolder, KeptBackup
from referee.ledger.databases import part_of, shown
from referee.ledger.disk import open_to_others
from referee.ledger.engine import Place
from referee.ledger.integrity import Amount, amount, amount_in, faults
from referee.ledger.store import Ledger
from referee.rules.language import spoken
from referee.rules.text import Text, listed, say, say_many
from referee.settings import DEFAULTS, Settings

FILE = click.Path(path_type=Path)


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option("--every", type=period, help="Make one every 90s, 10m, 2h, or 1d, until stopped.")
@click.option(
    "--keep",
    type=click.IntRange(1),
    help=f"How many of those to keep.  [default: {DEFAULTS.backup_keep}]",
)
@console.book_options
def backup(
    file: Path | None, force: bool, every: str | None, keep: int | None, **where: Any
) -> None:
    """Copy the whole score book to FILE, even while it's being served.

    The copy is the book at one moment, and is checked before it gets its name: one of a damaged
    book ends in “-damaged”, and the exit is 1. With --every, FILE
    is the folder for the copies (`backups` beside the book, if you don't name one). Each of them is
    played through as by `referee verify`; the oldest go once there are newer ones.
    """
    settings = console.settings_of(**where)
    only_for_files(settings)
    if every is not None and not force:
        into = None if file is None else str(file)
        keep_backing_up(
            console.settings_of(**where, backup_every=every, backup_keep=keep, backup_folder=into)
        )
    if every is not None or file is None or keep is not None:
        raise click.UsageError(
            "Either name a FILE, or say how often with --every, without --force."
        )
    with console.one_line_errors(), console.progress(say("Copying")):
        copied, kept, found = copies.backup(settings.file, file, replace=force)
    held, named = amount_of(copied), click.format_filename(kept)
    if not found:
        console.print_line(say("Copied {amount} to {file}.", amount=held, file=named))
        return
    says = say("Copied {amount} to {file}, but not all is well:", amount=held, file=named)
    for line in (says, *found):
        console.print_line(line, err=True)
    sys.exit(1)


@click.command()
@click.argument("file", type=FILE)
@click.option("--force", is_flag=True, help="Restore even if the book has sheets, or FILE faults.")
@console.book_options
def restore(file: Path, force: bool, **where: Any) -> None:
    """Put the backup FILE in place of the score book; the old book is kept beside it.

    FILE is checked first. Stop `referee` before you restore.
    """
    settings = console.settings_of(**where)
    only_for_files(settings)
    named = click.format_filename(file)
    with console.one_line_errors():
        found: tuple[Text, ...] = ()
        with console.progress(say("Checking")):
            if not force and not faults(file):
                found = audited(file).faults
        if found:
            for fault in found:
                console.print_line(fault, err=True)
            says = say_many(
                "{file} has {n} fault. Use --force to restore it all the same.",
                "{file} has {n} faults. Use --force to restore it all the same.",
                n=len(found),
                file=named,
            )
            raise click.ClickException(str(says))
        with console.progress(say("Copying")):
            copied, old = copies.restore(file, settings.file, force=force)
        Ledger(settings.file).close()  # migrates the backup of an older version
    console.print_line(say("Restored {amount} from {file}.", amount=amount_of(copied), file=named))
    if old is not None:
        console.print_line(
            say("The old score book is now {file}.", file=click.format_filename(old))
        )


def only_for_files(settings: Settings) -> None:
    """End a command that copies files if the book is in a database with tools of its own."""
    if part := part_of(settings.book):
        says = say(
            "This book is in {product}, which has its own tools for that: {tools}.",
            product=part.product,
            tools=part.tools,
        )
        raise click.ClickException(str(says))


@click.command()
@console.book_options
def status(**where: Any) -> None:
    """Say where the score book is, what is in it, and when it was last backed up."""
    settings = console.settings_of(**where)
    with console.one_line_errors():
        for says in list(_status(settings, datetime.now(UTC))):
            console.print_line(says)


def _status(settings: Settings, now: datetime) -> Iterator[Text]:
    if part := part_of(settings.book):
        with closing(Ledger(settings.book)) as ledger:
            yield _score_book(settings.book, amount_in(ledger.engine), ledger.engine.product)
        yield say("{product}’s own tools make its backups.", product=part.product)
        return
    yield _score_book(settings.book, amount(settings.file), f"SQLite {sqlite3.sqlite_version}")
    exposed = [click.format_filename(path) for path in open_to_others(settings.file)]
    if exposed:
        yield say("Others on this machine can open {files}.", files=listed(exposed))
    kept = BackupFolder(settings.backups, settings.file).kept()
    proved = [one for one in kept if one.proved]
    if not kept:
        folder = click.format_filename(settings.backups)
        yield say("There’s no backup in {folder} yet.", folder=folder)
    elif not kept[-1].proved:
        yield say(
            "Last backup: {age}, not verified. Run `referee verify`.", age=_age(kept[-1], now)
        )
    if proved:
        yield say(
            "Last verified backup: {age}, {file}.",
            age=_age(proved[-1], now),
            file=click.format_filename(proved[-1].path),
        )
        yield say_many(
            "{n} verified backup is kept, the oldest made {age}.",
            "{n} verified backups are kept, the oldest made {age}.",
            n=len(proved),
            age=_age(proved[0], now),
        )
    if settings.backup_every:
        yield say(
            "One is made every {period} while the book is served.", period=settings.backup_every
        )
    else:
        yield say("Backups aren’t automatic. Start with `referee --backup-every 10m`.")


def _score_book(book: Place, held: Amount, product: str) -> Text:
    return say(
        "Score book: {file}, {amount}, by {product}.",
        file=click.format_filename(shown(book)),
        amount=amount_of(held),
        product=product,
    )


def _age(kept: KeptBackup, now: datetime) -> Text:
    """How long ago a backup was made; a time to come if the clock was set back since."""
    if kept.at > now:
        return say("at a time that’s still to come, by this machine’s clock")
    return say(
        "{age}", age=format_timedelta(kept.at - now, add_direction=True, locale=spoken().locale)
    )
