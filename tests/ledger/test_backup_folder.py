"""A folder of backups: proved before they are named, the oldest given up only for new ones."""

import os
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.ledger import backup_folder
from referee.ledger.backup import faults, held
from referee.ledger.backup_folder import BackupFolder, Made
from referee.ledger.errors import DamagedError, UnavailableError
from referee.ledger.store import Draft, Ledger
from referee.rules.text import Text, say
from tests.ledger.test_opening import written

NOON = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
SICK = (say("Sheet 1: can’t be played through."),)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of one sheet with one row."""
    written(tmp_path / "instance" / "referee.sqlite")
    return tmp_path / "instance" / "referee.sqlite"


@pytest.fixture
def folder(book: Path) -> BackupFolder:
    """The folder for its backups, which is not there yet."""
    return BackupFolder(book.parent / "backups", book)


def play(book: Path) -> None:
    """Something is written in the book."""
    with closing(Ledger(book)) as ledger:
        newest = ledger.newest(1)
        ledger.append(1, newest, [Draft("play", "{}", f"later-{newest}", "host", "")])


def add(
    folder: BackupFolder, keep: int = 24, found: Sequence[Text] = (), at: datetime = NOON
) -> Made:
    """One more backup, in whose sheets this was `found`."""
    return folder.add(keep, lambda copy: found, lambda: at)


def names(folder: BackupFolder) -> list[str]:
    """All that lies in the folder, by name."""
    return sorted(path.name for path in folder.path.iterdir())


def test_a_backup_is_numbered_and_dated(folder: BackupFolder, book: Path) -> None:
    """It is a whole book, and its name says which it is, and when it was made."""
    made = add(folder)
    assert names(folder) == ["referee-00001-2026-11-22-120000.sqlite"]
    assert folder.kept() == [made.kept]
    assert (made.kept.number, made.kept.at, made.kept.proved) == (1, NOON, True)
    assert (faults(made.kept.path), held(made.kept.path)) == ([], held(book))
    assert (made.new, made.copied.rows) == (True, 1)


def test_what_is_proved_is_what_gets_the_name(folder: BackupFolder) -> None:
    """The copy is looked at while it has no name yet; then it is moved, not made again."""
    seen = []

    def prove(copy: Path) -> tuple[Text, ...]:
        assert folder.kept() == []
        seen.append((copy.stat().st_ino, held(copy).rows))
        return ()

    made = folder.add(24, prove, lambda: NOON)
    assert seen == [(made.kept.path.stat().st_ino, 1)]


def test_the_oldest_go(folder: BackupFolder, book: Path) -> None:
    """So many are kept; what else lies in the folder is nobody's business."""
    add(folder)
    (folder.path / "letter.txt").touch()
    (folder.path / "referee-00099-2026-99-99-999999.sqlite").touch()
    for _ in range(4):
        play(book)
        add(folder, keep=3)
    assert [kept.number for kept in folder.kept()] == [3, 4, 5]
    assert {"letter.txt", "referee-00099-2026-99-99-999999.sqlite"} < set(names(folder))
    play(book)
    add(folder, keep=1)
    assert [kept.number for kept in folder.kept()] == [6]


def test_days_without_a_game_push_nothing_out(folder: BackupFolder, book: Path) -> None:
    """A copy of the same takes the place of the one before, with its new time."""
    add(folder)
    play(book)
    for hours in range(1, 30):
        made = add(folder, keep=2, at=NOON + timedelta(hours=hours))
        assert made.new == (hours == 1)
    assert [held(kept.path).rows for kept in folder.kept()] == [1, 2]
    assert folder.kept()[-1].at == NOON + timedelta(hours=29)


def test_a_clock_that_was_set_back(folder: BackupFolder, book: Path) -> None:
    """The order is that of their making: the newest stays although its name says otherwise."""
    add(folder, at=NOON + timedelta(days=400))
    play(book)
    add(folder, at=NOON)
    play(book)
    newest = add(folder, keep=2, at=NOON - timedelta(days=400))
    assert [held(kept.path).rows for kept in folder.kept()] == [2, 3]
    assert folder.kept()[-1] == newest.kept


def test_nothing_goes_for_a_copy_that_is_not_proved(folder: BackupFolder, book: Path) -> None:
    """It is kept beside the others until there is a newer one, and marked; faults are returned."""
    add(folder)
    for _ in range(3):
        play(book)
        made = add(folder, keep=1, found=SICK)
    assert made.faults == SICK
    assert names(folder) == [
        "referee-00001-2026-11-22-120000.sqlite",
        "referee-00004-2026-11-22-120000-unproved.sqlite",
    ]
    play(book)
    add(folder, keep=1)
    assert names(folder) == ["referee-00005-2026-11-22-120000.sqlite"]


def damage_a_row(book: Path) -> None:
    """As a disk does it: nobody was asked, and the row no longer fits the chain."""
    with closing(sqlite3.connect(book)) as raw, raw:
        (guard,) = raw.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'entries_refuse_update'"
        ).fetchone()
        raw.execute("DROP TRIGGER entries_refuse_update")
        raw.execute("UPDATE entries SET body = '[]' WHERE seq = 1")
        raw.execute(guard)


def test_a_damaged_row_stops_no_backup(folder: BackupFolder, book: Path) -> None:
    """What is there is copied, marked, with what is wrong in a file beside; no good one goes."""
    add(folder)
    damage_a_row(book)
    for _ in range(3):
        made = add(folder, keep=1)
        assert not made.kept.proved
    assert held(made.kept.path).rows == 1
    assert names(folder) == [
        "referee-00001-2026-11-22-120000.sqlite",
        "referee-00004-2026-11-22-120000-damaged.sqlite",
        "referee-00004-2026-11-22-120000-damaged.sqlite.txt",
    ]
    why = Path(f"{made.kept.path}.txt").read_text(encoding="utf-8").splitlines()
    assert why == [str(one) for one in made.faults]
    assert any("Sheet 1" in line or "sheet 1" in line for line in why)


def test_a_good_backup_takes_the_place_of_a_damaged_one(folder: BackupFolder, book: Path) -> None:
    """Once the book is whole again, and what was wrong goes with it."""
    add(folder)
    whole = book.read_bytes()
    damage_a_row(book)
    add(folder)
    book.write_bytes(whole)
    add(folder, at=NOON + timedelta(hours=1))
    assert names(folder) == ["referee-00003-2026-11-22-130000.sqlite"]


def test_of_what_is_no_database_there_is_no_copy(folder: BackupFolder, book: Path) -> None:
    """Nothing could be read out of it; what was there stays."""
    add(folder)
    book.write_bytes(b"not a database" * 1000)
    with pytest.raises(DamagedError, match="isn’t a score book"):
        add(folder, keep=1)
    assert names(folder) == ["referee-00001-2026-11-22-120000.sqlite"]


def test_a_full_disk_costs_no_backup(
    folder: BackupFolder, book: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Full in the middle of a copy, or just before it gets its name: told; the next one works."""
    add(folder)
    play(book)

    def full(*args: object, **how: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as during:
        during.setattr(os, "fsync", full)
        with pytest.raises(UnavailableError, match="No space left on device"):
            add(folder, keep=1)
    with monkeypatch.context() as during:
        during.setattr(backup_folder, "to_disk", full)
        with pytest.raises(UnavailableError, match=r"can’t be kept in .*: No space left"):
            add(folder, keep=1)
    assert "referee-00001-2026-11-22-120000.sqlite" in names(folder)
    assert held(add(folder, keep=1).kept.path).rows == 2
    assert len(names(folder)) == 1


def test_a_folder_that_cannot_be_had(book: Path, tmp_path: Path) -> None:
    """A file in its place: one sentence, which names it."""
    (tmp_path / "backups").touch()
    with pytest.raises(UnavailableError, match=r"can’t be kept in .*backups"):
        add(BackupFolder(tmp_path / "backups", book))


def test_no_book(tmp_path: Path) -> None:
    """Nothing is made in its place, not even the folder."""
    with pytest.raises(UnavailableError, match="There’s no file"):
        add(BackupFolder(tmp_path / "instance" / "backups", tmp_path / "instance" / "book.sqlite"))
    assert list(tmp_path.iterdir()) == []


def test_what_a_kill_broke_off_is_cleared_up(folder: BackupFolder) -> None:
    """After a day: until then another program may still be at it."""
    add(folder)
    stale = folder.path / ".referee-being-proved-12-ab.sqlite"
    fresh = folder.path / ".referee-being-proved-34-cd.sqlite"
    stale.touch()
    fresh.touch()
    days_ago = NOON - timedelta(days=2)
    os.utime(stale, (days_ago.timestamp(),) * 2)
    os.utime(fresh, (NOON.timestamp(),) * 2)
    add(folder)
    assert not stale.exists()
    assert fresh.exists()
