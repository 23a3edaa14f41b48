"""Backups made regularly, beside the server or by `referee backup --every`."""

import logging
import multiprocessing
import os
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import NoReturn

import click

from referee import parent
from referee.commands import console
from referee.commands.verifying import amount_of, audited
from referee.ledger import sqlite
from referee.ledger.backup import BackupFolder
from referee.ledger.disk import LOG
from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger
from referee.rules.language import language, speaking
from referee.rules.text import Text, say
from referee.settings import PERIOD, Settings, seconds_in

AGAIN_SECONDS = 300  # after a try that failed, unless the next is due sooner


def period(value: str) -> str:
    """A period as an argument, once it has been checked: "90s", "10m", "2h", "1d"."""
    if not re.fullmatch(PERIOD, value):
        raise click.BadParameter("Say how often as in 90s, 10m, 2h, or 1d.")
    return value


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
    except Exception as error:  # whatever it is, it is reported; the next try may succeed
        tell(say("No backup was made. {why}", why=str(error) or type(error).__name__))
        if not isinstance(error, LedgerError):
            logging.getLogger(__name__).error("Because of this:", exc_info=error)
        return min(every, AGAIN_SECONDS)
    file = click.format_filename(made.kept.path)
    amount = amount_of(made.copied)
    if made.faults:
        tell(say("Backed up {amount} to {file}, but not all is well:", amount=amount, file=file))
        for fault in made.faults:
            tell(fault)
    elif made.new:
        tell(say("Backed up {amount} to {file}, and verified it.", amount=amount, file=file))
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

    Afterwards merge the book's log into its file, or print that this could not be done.
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
        if not settings.database and not sqlite.merge_log(settings.file):
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
