"""What there is to know of the score book, and when it was last backed up: `referee status`."""

import sqlite3
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import click
from babel.dates import format_timedelta

from referee.commands.backups import amount_of
from referee.commands.console import one_line_errors, print_line
from referee.commands.reading import instance_option, settings_of
from referee.ledger import backup as copies
from referee.ledger.backup_folder import BackupFolder, Kept
from referee.ledger.privacy import open_to_others
from referee.rules.text import Text, listed, say, say_many, spoken
from referee.settings import Settings


@click.command()
@instance_option
def status(instance: Path | None) -> None:
    """Say where the score book is, what is in it, and when it was last backed up."""
    settings = settings_of(instance)
    with one_line_errors():
        for says in [*_book(settings), *_backups(settings, datetime.now(UTC))]:
            print_line(says)


def _book(settings: Settings) -> Iterator[Text]:
    held = copies.held(settings.database)
    yield say(
        "Score book: {file}, {amount}, by SQLite {version}.",
        file=click.format_filename(settings.database),
        amount=amount_of(held.sheets, held.rows),
        version=sqlite3.sqlite_version,
    )
    exposed = [click.format_filename(path) for path in open_to_others(settings.database)]
    if exposed:
        yield say("Others on this machine can open {files}.", files=listed(exposed))


def _backups(settings: Settings, now: datetime) -> Iterator[Text]:
    """When the last one was made; that of days on which nothing changed is made anew each time."""
    kept = BackupFolder(settings.backups, settings.database).kept()
    proved = [one for one in kept if one.proved]
    if not kept:
        folder = click.format_filename(settings.backups)
        yield say("There’s no backup in {folder} yet.", folder=folder)
    elif not kept[-1].proved:
        yield say("Last backup: {age}, not proved. Run `referee verify`.", age=_age(kept[-1], now))
    if proved:
        yield say(
            "Last proved backup: {age}, {file}.",
            age=_age(proved[-1], now),
            file=click.format_filename(proved[-1].path),
        )
        yield say_many(
            "{n} proved backup is kept, the oldest made {age}.",
            "{n} proved backups are kept, the oldest made {age}.",
            n=len(proved),
            age=_age(proved[0], now),
        )
    if settings.backup_every:
        yield say(
            "One is made every {period} while the book is served.", period=settings.backup_every
        )
    else:
        yield say("None is made by itself. `referee --backup-every 10m` sees to that.")


def _age(kept: Kept, now: datetime) -> Text:
    """How long ago it was; the clock may have been set back since."""
    if kept.at > now:
        return say("at a time that’s still to come, by this machine’s clock")
    return say(
        "{age}", age=format_timedelta(kept.at - now, add_direction=True, locale=spoken().locale)
    )
