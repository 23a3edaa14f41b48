"""Moving a score book into PostgreSQL, or back into a file: `referee move`."""

from contextlib import closing
from pathlib import Path
from typing import Any

import click

from referee.commands import console
from referee.commands.extras import Commands
from referee.commands.verifying import amount_of
from referee.extras.postgres.engine import PART as POSTGRESQL
from referee.extras.postgres.moving import copy_ledger
from referee.ledger.databases import shown
from referee.ledger.engine import Place
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Ledger
from referee.rules.text import say


@click.command()
@click.option(
    "--to",
    "place",
    required=True,
    type=console.printable,
    metavar="PLACE",
    help=f"A file that doesn’t exist yet, or an empty database: {POSTGRESQL.example}",
)
@console.book_options
def move(place: str, **where: Any) -> None:
    """Copy the whole score book to PLACE, and prove that it’s all there.

    Sheets with their history and links, evenings, the trash, and the lists of phones. Stop
    `referee` first: what is recorded meanwhile isn’t copied. The old book is left as it is.
    """
    settings = console.settings_of(**where)
    target: Place = place if "://" in place else Path(place)
    with console.one_line_errors():
        if settings.book == settings.file and not settings.file.is_file():
            raise UnavailableError(say("There’s no file {path}.", path=str(settings.file)))
        with (
            closing(Ledger(settings.book)) as ledger,
            closing(Ledger(target)) as copy,
            console.progress(say("Copying")),
        ):
            copied = copy_ledger(ledger.engine, copy.engine)
    console.print_line(
        say(
            "Copied {amount} to {file}, and compared every row. Start `referee` there from now on.",
            amount=amount_of(copied),
            file=click.format_filename(shown(target)),
        )
    )


PART = Commands((move,))
