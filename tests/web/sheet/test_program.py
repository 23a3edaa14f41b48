"""What a host reads under More of the program: the last backup that was proved, or why none was."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path

import pytest
from flask import Flask

from referee.commands.backups import back_up_if_due
from referee.settings import Settings
from referee.web.app import create_app
from tests.support.phone import Phone, begin


@pytest.fixture
def app(tmp_path: Path) -> Flask:
    """The app of a program that makes backups by itself."""
    return create_app(Settings(tmp_path, backup_every="10m"))


def back_up(folder: Path, minutes_ago: float) -> None:
    """A backup as it was made then."""
    then = datetime.now(UTC) - timedelta(minutes=minutes_ago)
    back_up_if_due(Settings(folder, backup_every="10m"), then, print)


def told(host: Phone) -> str:
    """What stands under “This program”."""
    page = unescape(host.get("/more").text)
    return page.split("This program")[1].split("</section>")[0]


def test_the_host_sees_the_last_good_backup(tmp_path: Path, host: Phone) -> None:
    """When it was and that it was proved; nobody else is told."""
    assert "No backup yet" in told(host)
    back_up(tmp_path, 12)
    assert "Last backup 12 minutes ago" in told(host)
    assert "Restored as a test: all there" in told(host)
    for role in ("view", "score"):
        assert "This program" not in host.other(role).get("/more").text


def test_a_damaged_book_is_told(tmp_path: Path, host: Phone) -> None:
    """The good one stays in sight, and that something is wrong since."""
    back_up(tmp_path, 90)
    with closing(sqlite3.connect(tmp_path / "referee.sqlite")) as raw, raw:
        raw.execute("DROP TRIGGER entries_refuse_update")
    back_up(tmp_path, 3)
    assert "Last backup 2 hours ago" in told(host)
    assert "Something was wrong with the one 3 minutes ago" in told(host)


def test_a_folder_that_cannot_be_read_costs_no_page(tmp_path: Path, host: Phone) -> None:
    """It says why; so does a program that makes none by itself."""
    (tmp_path / "backups").mkdir()
    (tmp_path / "backups" / "referee-00001-2099-01-01-000000.sqlite").touch()
    assert "Last backup" in told(host), "made when the clock was ahead"
    other = tmp_path / "other"
    by_hand = begin(create_app(Settings(other)).test_client(), "multiple-9", ["Ann", "Ben"])
    assert "Ask whoever runs Referee." in told(by_hand)
