"""“This program” under More, for hosts: the last verified backup, or why there is none."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from errno import EACCES
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from referee.commands.schedule import back_up_if_due
from referee.settings import Settings
from referee.web.app import create_app
from tests.support.phone import Phone, begin


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """An app with scheduled backups."""
    return create_app(Settings(tmp_path, backup_every="10m"))


def back_up(folder: Path, minutes_ago: float) -> None:
    """Make a backup as of that moment."""
    then = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    back_up_if_due(Settings(folder, backup_every="10m"), then, print)


def told(host: Phone) -> str:
    """The section “This program”."""
    page = unescape(host.get("/more").text)
    return page.split("This program")[1].split("</section>")[0]


def test_the_host_sees_the_last_good_backup(tmp_path: Path, host: Phone) -> None:
    """When it was made and that it was verified; only a host sees it."""
    assert "No backup yet" in told(host)
    back_up(tmp_path, 12)
    assert "Last backup 12 minutes ago" in told(host)
    assert "Restored as a test: all there" in told(host)
    for role in ("view", "score"):
        assert "This program" not in host.other(role).get("/more").text


def test_a_faulty_backup_is_shown_beside_the_last_good_one(tmp_path: Path, host: Phone) -> None:
    """As when the book is damaged since."""
    back_up(tmp_path, 90)
    with closing(sqlite3.connect(tmp_path / "referee.sqlite")) as raw, raw:
        raw.execute("DROP TRIGGER entries_refuse_update")
    back_up(tmp_path, 3)
    assert "Last backup 2 hours ago" in told(host)
    assert "Something was wrong with the one 3 minutes ago" in told(host)


def test_the_reason_for_a_missing_backup_is_shown(
    tmp_path: Path, host: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The folder can’t be read, or this program makes none by itself."""
    other = begin(create_app(Settings(tmp_path / "other")).test_client(), "pink-nines", ["A", "B"])
    assert "Ask whoever runs Referee." in told(other)

    def unreadable(path: Path) -> None:
        raise PermissionError(EACCES, "Permission denied")

    (tmp_path / "backups").mkdir()
    monkeypatch.setattr(Path, "iterdir", unreadable)
    assert f"Backups can’t be kept in {tmp_path / 'backups'}: Permission denied." in told(host)


def test_a_backup_from_a_clock_ahead_was_made_just_now(tmp_path: Path, host: Phone) -> None:
    """It is not “in 0 seconds”."""
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "referee-00001-2099-01-01-000000.sqlite").touch()
    assert "Last backup 1 second ago" in told(host)
