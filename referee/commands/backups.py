"""Backups of the score book: `backup`, once or regularly, `restore`, `verify`, `status`."""

import multiprocessing
import os
import re
import signal
import sqlite3
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import click
from babel.dates import format_timedelta

from referee import parent
from referee.commands import console
from referee.commands.extras import Commands
from referee.extras import parts
from referee.ledger import backup as copies
from referee.ledger import sqlite
from referee.ledger.backup import BackupFolder, Kept
from referee.ledger.databases import examples, part_of, shown
from referee.ledger.disk import LOG, open_to_others, same
from referee.ledger.engine import Place
from referee.ledger.errors import DamagedError, OlderError, UnavailableError, distrusted
from referee.ledger.integrity import Amount, amount, amount_in, faults, faults_in
from referee.ledger.moving import copy_ledger
from referee.ledger.store import Ledger
from referee.rules.text import Text, language, listed, say, say_many, speaking, spoken
from referee.settings import DEFAULTS, PERIOD, Settings, seconds_in
from referee.sheets.audit import Audit, audit
from referee.sheets.book import Book

FILE = click.Path(path_type=Path)
AGAIN_SECONDS = 300  # after a try that failed, unless the next is due sooner


def period(value: str) -> str:
    """A period as an argument, once it has been checked: "90s", "10m", "2h", "1d"."""
    if not re.fullmatch(PERIOD, value):
        raise click.BadParameter("Say how often as in 90s, 10m, 2h, or 1d.")
    return value


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
    amount, named = amount_of(copied.sheets, copied.rows), click.format_filename(kept)
    if not found:
        console.print_line(say("Copied {amount} to {file}.", amount=amount, file=named))
        return
    says = say("Copied {amount} to {file}, but not all is well:", amount=amount, file=named)
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
    amount = amount_of(copied.sheets, copied.rows)
    console.print_line(say("Restored {amount} from {file}.", amount=amount, file=named))
    if old is not None:
        console.print_line(
            say("The old score book is now {file}.", file=click.format_filename(old))
        )


@click.command()
@click.option(
    "--to",
    "place",
    required=True,
    type=console.printable,
    metavar="PLACE",
    help="A file that doesn’t exist yet"
    + (f", or an empty database: {examples()}" if examples() else ""),
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
            amount=amount_of(copied.sheets, copied.rows),
            file=click.format_filename(shown(target)),
        )
    )


@click.command()
@click.argument("file", required=False, type=FILE)
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
    amount = amount_of(found.sheets, found.rows)
    if not found.faults:
        console.print_line(
            say("{file} is intact: {amount}, all played through.", file=named, amount=amount)
        )
        if file is not None and not same(file, settings.file) and sqlite.was_logged(file):
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


def only_for_files(settings: Settings) -> None:
    """End a command that copies files if the book is in a database with tools of its own."""
    if part := part_of(settings.book):
        says = say(
            "This book is in {product}, which has its own tools for that: {tools}.",
            product=part.product,
            tools=part.tools,
        )
        raise click.ClickException(str(says))


def audited(book: Place, summaries: Path | None = None) -> Audit:
    """Check a book; one in a file is copied first, so that nobody has to wait.

    Extras recompute what they keep in the file of `summaries`, and compare.
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


def amount_of(sheets: int, rows: int) -> Text:
    """How much there is: "2 sheets with 31 rows"."""
    return say(
        "{sheets} with {rows}",
        sheets=say_many("{n} sheet", "{n} sheets", n=sheets),
        rows=say_many("{n} row", "{n} rows", n=rows),
    )


# --- automatic backups


def back_up_if_due(settings: Settings, now: datetime, tell: Callable[[Text], None]) -> float:
    """Make a backup if it is due, and `tell` the result; returns the seconds to the next try."""
    every = seconds_in(settings.backup_every)
    folder = BackupFolder(settings.backups, settings.file)
    try:
        proved = [one for one in folder.kept() if one.proved]
        age = (now - proved[-1].at).total_seconds() if proved else every
        if 0 <= age < every:
            return every - age
        made = folder.add(settings.backup_keep, lambda copy: audited(copy).faults, now)
    except Exception as error:  # whatever it is, it is told; the next try may succeed
        tell(say("No backup was made. {why}", why=str(error)))
        return min(every, AGAIN_SECONDS)
    file = click.format_filename(made.kept.path)
    amount = amount_of(made.copied.sheets, made.copied.rows)
    if made.faults:
        tell(say("Backed up {amount} to {file}, but not all is well:", amount=amount, file=file))
        for fault in made.faults:
            tell(fault)
    elif made.new:
        tell(say("Backed up {amount} to {file}, and proved it.", amount=amount, file=file))
    return every


def keep_backing_up(settings: Settings) -> NoReturn:
    """Make backups for as long as this process runs; Ctrl+C and SIGTERM end it."""
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):  # a normal exit, so that an unfinished copy is deleted
            signal.signal(getattr(signal, name), lambda *_: sys.exit(0))
    pause = threading.Event()
    with speaking(language(settings.language)):
        while True:
            pause.wait(back_up_if_due(settings, datetime.now(UTC), console.print_line))


@contextmanager
def keeping_safe(settings: Settings) -> Iterator[None]:
    """Make backups in another process meanwhile, if the settings say so; raises `LedgerError`.

    Afterwards merges the book's log into its file, or says that this could not be done.
    """
    process = None
    if settings.backup_every:
        Ledger(settings.file).close()  # creates the book if there is none yet
        # Spawned: workers are forked from this process, and must not inherit an open database.
        spawned = multiprocessing.get_context("spawn")
        process = spawned.Process(target=_beside_the_server, args=(settings,), daemon=True)
        process.start()
    try:
        yield
    finally:
        if process is not None:
            process.terminate()
            process.join()
        if not settings.database and not sqlite.put_to_rest(settings.file):
            log = click.format_filename(f"{settings.file}{LOG}")
            console.print_line(
                say("{log} still holds what was recorded last. Keep it beside the book.", log=log)
            )


def _beside_the_server(settings: Settings) -> None:
    parent.when_it_ends(_stop)
    if hasattr(os, "nice"):
        os.nice(10)  # the players come first
    keep_backing_up(settings)


def _stop() -> NoReturn:
    while True:  # Python may lose what a signal raises, in the middle of collecting garbage
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(10)  # to delete an unfinished copy


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


def _score_book(book: Place, held: Amount, product: str) -> Text:
    return say(
        "Score book: {file}, {amount}, by {product}.",
        file=click.format_filename(shown(book)),
        amount=amount_of(held.sheets, held.rows),
        product=product,
    )


def _age(kept: Kept, now: datetime) -> Text:
    """How long ago a backup was made, unless the clock was set back since."""
    if kept.at > now:
        return say("at a time that’s still to come, by this machine’s clock")
    return say(
        "{age}", age=format_timedelta(kept.at - now, add_direction=True, locale=spoken().locale)
    )
