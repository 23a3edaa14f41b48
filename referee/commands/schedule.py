"""Copies of the score book: `referee backup`, once or every so often, also beside the server."""

import multiprocessing
import os
import re
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NoReturn

import click

from referee.commands.backups import FILE, amount_of, audited
from referee.commands.console import one_line_errors, print_line
from referee.commands.reading import instance_option, settings_of
from referee.ledger import backup as copies
from referee.ledger.backup_folder import BackupFolder, Made
from referee.ledger.store import Ledger
from referee.rules.text import Text, language, say, speaking
from referee.settings import PERIOD, Settings, seconds_in

AGAIN_SECONDS = 300  # after a try that failed, unless the next is due sooner
_TO_STOP = ("SIGINT", "SIGTERM", "SIGHUP")


class Period(click.ParamType[str]):
    """How long: "90s", "10m", "2h", "1d"."""

    name = "period"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The period as the settings have it."""
        if not re.fullmatch(PERIOD, value):
            self.fail("Say how often as in 90s, 10m, 2h, or 1d.", param, ctx)
        return value


@click.command()
@click.argument("file", type=FILE, required=False)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.option("--every", type=Period(), help="Make one every 90s, 10m, 2h, or 1d, until stopped.")
@click.option("--keep", type=click.IntRange(1), help="How many of those to keep.  [default: 24]")
@instance_option
def backup(
    file: Path | None, force: bool, every: str | None, keep: int | None, instance: Path | None
) -> None:
    """Copy the whole score book to FILE, even while it's being served.

    The copy is the book at one moment, and is checked before it gets its name. With --every, FILE
    is the folder for the copies (`backups` beside the book, if you don't name one). Each of them is
    played through as by `referee verify`; the oldest go once there are newer ones.
    """
    if every is not None and not force:
        into = None if file is None else str(file)
        keep_backing_up(
            settings_of(instance, backup_every=every, backup_keep=keep, backup_folder=into)
        )
    if every is not None or file is None or keep is not None:
        raise click.UsageError(
            "Either name a FILE, or say how often with --every, without --force."
        )
    settings = settings_of(instance)
    with one_line_errors():
        copied = copies.backup(settings.database, file, replace=force)
    amount = amount_of(copied.sheets, copied.rows)
    print_line(say("Copied {amount} to {file}.", amount=amount, file=click.format_filename(file)))


def _now() -> datetime:
    return datetime.now(UTC)


class Schedule:
    """When a backup is due, and making it."""

    def __init__(
        self,
        settings: Settings,
        now: Callable[[], datetime] = _now,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`now` is the time of day, which may be wrong; `clock` gives seconds that only grow."""
        self.folder = BackupFolder(settings.backups, settings.database)
        self._every = seconds_in(settings.backup_every)
        self._keep = settings.backup_keep
        self._now, self._clock = now, clock
        self._mine: tuple[int, float] | None = None  # the last one made here, and when

    def due_in(self) -> float:
        """The seconds until the next backup is due, whoever made the last; 0 where it is due."""
        proved = [kept for kept in self.folder.kept() if kept.proved]
        if not proved:
            return 0
        last = proved[-1]
        if self._mine is not None and self._mine[0] == last.number:
            return max(0, self._mine[1] + self._every - self._clock())
        age = (self._now() - last.at).total_seconds()
        return max(0, self._every - age) if age >= 0 else 0  # the clock was set back

    def make(self) -> Made:
        """Make the backup that is due; raises `LedgerError`."""
        made = self.folder.add(self._keep, _sheet_faults, self._now)
        if made.kept.proved:
            self._mine = made.kept.number, self._clock()
        return made

    def turn(self, tell: Callable[[Text], None]) -> float:
        """Make a backup if it is due, `tell` what came of it; the seconds until the next turn."""
        try:
            wait = self.due_in()
            if wait > 0:
                return wait
            made = self.make()
        except Exception as error:  # whatever it is, it is told, and the next try may do better
            tell(say("No backup was made. {why}", why=str(error)))
            return min(self._every, AGAIN_SECONDS)
        for says in _told(made):
            tell(says)
        return self._every


def _sheet_faults(copy: Path) -> tuple[Text, ...]:
    with tempfile.TemporaryDirectory(prefix="referee-") as folder:
        return audited(copy, Path(folder) / "copy.sqlite").faults


def _told(made: Made) -> Iterator[Text]:
    """What there is to say of a backup; nothing where the book was as it was before."""
    file = click.format_filename(made.kept.path)
    amount = amount_of(made.copied.sheets, made.copied.rows)
    if made.faults:
        yield say("Backed up {amount} to {file}, but not all is well:", amount=amount, file=file)
        yield from made.faults
    elif made.new:
        yield say("Backed up {amount} to {file}, and proved it.", amount=amount, file=file)


def keep_backing_up(settings: Settings) -> NoReturn:
    """Make backups for as long as this process runs; Ctrl+C and SIGTERM end it."""
    for number in (getattr(signal, name, None) for name in _TO_STOP):
        if number is not None:
            signal.signal(number, _leave)
    schedule, pause = Schedule(settings), threading.Event()
    with speaking(language(settings.language)):
        while True:
            pause.wait(schedule.turn(print_line))


def _leave(number: int, frame: Any) -> None:
    """End as a program does that has done its work: what was being copied is taken away."""
    sys.exit(0)


@contextmanager
def backing_up(settings: Settings) -> Iterator[None]:
    """Have backups made meanwhile, if the settings say so.

    In a process that is spawned: those that answer are forked from this one, and a fork must not
    inherit an open database. Raises `LedgerError` where the book cannot be opened.
    """
    if not settings.backup_every:
        yield
        return
    Ledger(settings.database).close()  # on its first day the book may not be there yet
    spawned = multiprocessing.get_context("spawn")
    process = spawned.Process(target=_beside_the_server, args=(settings,), daemon=True)
    process.start()
    try:
        yield
    finally:
        process.terminate()
        process.join()


def _beside_the_server(settings: Settings) -> None:
    threading.Thread(target=_end_with_the_server, daemon=True).start()
    if hasattr(os, "nice"):
        os.nice(10)  # whoever plays comes first
    keep_backing_up(settings)


def _end_with_the_server() -> None:
    """No backups of a book that nobody serves: the program was killed."""
    server = multiprocessing.parent_process()
    if server is not None:
        server.join()
        os.kill(os.getpid(), signal.SIGTERM)
