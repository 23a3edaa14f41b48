"""Scheduled backups: when they are due, what is printed, and restoring one."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path

import pytest

from referee.commands import schedule
from referee.commands.schedule import back_up_if_due
from referee.ledger.backup import BackupFolder, KeptBackup
from referee.ledger.chain import Mark
from referee.ledger.integrity import amount
from referee.ledger.store import Ledger, NewSheet
from referee.rules.text import Text
from referee.settings import Settings
from tests.support.books import begin_sheet, play, record_rows
from tests.support.command_line import one_error, run
from tests.support.server import Server

NOON = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)


def after(seconds: float) -> datetime:
    """So many seconds after noon."""
    return NOON + timedelta(seconds=seconds)


@pytest.fixture
def settings(instance: Path, database: Path) -> Settings:
    """The settings of a book with two sheets, backed up every ten minutes."""
    return Settings(instance, backup_every="10m", backup_keep=3)


def kept(settings: Settings) -> list[KeptBackup]:
    return BackupFolder(settings.backups, settings.file).kept()


def back_up(settings: Settings, at: datetime) -> KeptBackup:
    """Make a backup if one is due at this time."""
    assert back_up_if_due(settings, at, print) == 600
    return kept(settings)[-1]


def test_a_backup_is_made_at_once_and_then_at_intervals(settings: Settings) -> None:
    """It is announced only if something was written since the last."""
    said: list[Text] = []
    assert back_up_if_due(settings, NOON, said.append) == 600
    (first,) = kept(settings)
    assert [str(says) for says in said] == [
        f"Backed up 2 sheets with 3 rows to {first.path}, and verified it."
    ]
    assert back_up_if_due(settings, after(599), said.append) == 1
    assert back_up_if_due(settings, after(600), said.append) == 600
    assert [one.number for one in kept(settings)] == [2]
    assert len(said) == 1


@pytest.mark.parametrize(
    ("seconds", "due"), [(0, 600), (200, 400), (700, 0), (-1, 0), (-4e6, 0), (4e6, 0)]
)
def test_when_the_next_is_due(settings: Settings, seconds: float, due: float) -> None:
    """Counted from the last of any program; at once if the clock was set back since."""
    back_up(settings, NOON)
    assert back_up_if_due(settings, after(seconds), print) == (due or 600)
    assert [one.number for one in kept(settings)] == ([1] if due else [2])


def test_a_failed_backup_is_reported_and_retried(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk, or an error of ours in one sheet, loses no earlier or later backup."""
    said: list[Text] = []
    first = back_up(settings, NOON - timedelta(days=1))

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    def fail(book: Path) -> None:
        raise RecursionError("maximum recursion depth exceeded")

    with monkeypatch.context() as during:
        during.setattr(os, "fsync", full)
        assert back_up_if_due(settings, NOON, said.append) == 300, "sooner than usual"
    assert re.fullmatch(r"No backup was made\. .* No space left on device\.", str(said[0]))
    with monkeypatch.context() as during:
        during.setattr(schedule, "audited", fail)
        assert back_up_if_due(settings, NOON, said.append) == 300
    assert str(said[1]) == "No backup was made. maximum recursion depth exceeded"
    assert kept(settings) == [first]
    back_up(settings, after(300))


def test_an_error_of_ours_is_named_and_traced(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Even one without a message."""
    said: list[Text] = []

    def fail(book: Path) -> None:
        raise AssertionError

    monkeypatch.setattr(schedule, "audited", fail)
    back_up_if_due(settings, NOON, said.append)
    assert [str(says) for says in said] == ["No backup was made. AssertionError"]
    assert "in fail" in caplog.text


def test_a_sick_sheet_stops_no_backup(settings: Settings) -> None:
    """It is named."""
    back_up(settings, NOON)
    with closing(Ledger(settings.file)) as ledger:
        ledger.append(1, Mark(2), [play("k", body='{"action":"out","player":"Nobody"}')])
    said: list[Text] = []
    back_up_if_due(settings, after(600), said.append)
    assert "but not all is well:" in str(said[0])
    assert str(said[1]).startswith("Sheet 1: ")
    assert [one.proved for one in kept(settings)] == [True, False]


@pytest.mark.parametrize("period", ["10", "m", "0m", "-1m", "10 m", "1w", "", "999999d"])
def test_an_invalid_interval_is_refused(period: str) -> None:
    """With an example of a valid one."""
    for command in (["backup", "--every"], ["serve", "--backup-every"]):
        said = run(*command, period)
        assert said.exit_code == 2
        assert "as in 90s, 10m" in said.stderr


@pytest.mark.parametrize("given", [[], ["--keep", "3", "x"], ["--force", "--every", "1m"]])
def test_backup_needs_either_a_file_or_an_interval(given: list[str]) -> None:
    """Neither or both is refused, and so is the status of a missing book."""
    said = run("backup", *given)
    assert said.exit_code == 2
    assert "--every" in said.stderr
    assert "There’s no file" in one_error(run("status"))


# --- with real processes


@contextmanager
def backing_up(instance: Path) -> Iterator[str]:
    """Run `referee backup --every` beside a served book; yields its first line, stops it after."""
    command = [sys.executable, "-u", "-m", "referee", "backup", "--every", "1d", "--keep", "9"]
    process = subprocess.Popen(
        [*command, "--instance", str(instance)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline()
    finally:
        process.terminate()
        rest, _ = process.communicate(timeout=30)
    assert (rest, process.returncode) == ("", 0), "it stops without a word"


def test_restore_drill(instance: Path, tmp_path: Path) -> None:
    """Served, written to, backed up, killed, deleted: the book is restored from the backup."""
    token = begin_sheet(instance)
    book = instance / "referee.sqlite"
    rows = 0
    for evening in (1, 2):
        server = Server(instance)
        try:
            record_rows(server.address, token, range(rows, evening * 20))
            for kept in (instance / "backups").glob("*"):
                kept.unlink()  # so that the next is due
            with backing_up(instance) as said:
                record_rows(server.address, token, range(evening * 20, evening * 20 + 5))
        finally:
            server.kill()
        found = re.fullmatch(r"Backed up 1 sheet with \d+ rows to (.*), and verified it\.\n", said)
        assert found is not None, said
        for path in instance.glob("referee.sqlite*"):
            path.unlink()
        assert run("restore", found[1]).exit_code == 0
        assert run("verify").exit_code == 0
        rows = amount(book).rows
        assert evening * 20 <= rows <= evening * 20 + 5


def test_served_with_backups(instance: Path) -> None:
    """`serve --backup-every` makes backups in a process of its own, which ends with it."""
    begin_sheet(instance)
    server = Server(instance, "--backup-every", "1h")
    try:
        assert server.process.stdout is not None
        printed = chain(server.said.splitlines(keepends=True), server.process.stdout)
        said = next(line for line in printed if line.startswith("Backed up"))
        (kept,) = (instance / "backups").iterdir()
        assert said == f"Backed up 1 sheet with 0 rows to {kept}, and verified it.\n"
    finally:
        os.kill(server.process.pid, 9)  # only this process
    after = server.process.stdout.read()  # which ends, as nobody holds on to where it printed
    assert "Backed up" not in after
    server.process.wait()


def test_status_shows_the_last_backup(settings: Settings) -> None:
    """How long ago it was made, and whether it was verified."""
    assert "There’s no backup in" in run("status").stdout
    assert "`referee --backup-every 10m`" in run("status").stdout
    now = datetime.now(UTC)
    made = back_up(settings, now - timedelta(hours=3))
    said = run("status").stdout
    assert said.startswith(f"Score book: {settings.file}, 2 sheets with 3 rows, by SQLite 3.")
    assert f"Last verified backup: 3 hours ago, {made.path}." in said
    assert "1 verified backup is kept, the oldest made 3 hours ago." in said
    with closing(Ledger(settings.file)) as ledger:
        ledger.create_all([NewSheet("{}", [("host", "h")], "")])
    assert not back_up(settings, now - timedelta(hours=2)).proved
    said = run("status").stdout
    assert "Last backup: 2 hours ago, not verified. Run `referee verify`." in said
    assert "Last verified backup: 3 hours ago" in said
    made.path.rename(made.path.with_name("referee-00009-2999-01-01-000000.sqlite"))
    assert "Last verified backup: at a time that’s still to come" in run("status").stdout
