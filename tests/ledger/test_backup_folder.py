"""The backup folder: backups are verified first, and an old one is deleted only for a good one."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from referee.ledger.backup import BackupFolder, MadeBackup
from referee.ledger.chain import Mark
from referee.ledger.errors import DamagedError, UnavailableError
from referee.ledger.integrity import amount, faults
from referee.ledger.store import Ledger
from referee.rules.text import Text, say
from tests.support.books import play, written

NOON = datetime(2026, 11, 22, 12, 0, 0, tzinfo=UTC)
SICK = (say("Sheet 1: can’t be played through."),)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of one sheet with one row."""
    return written(tmp_path / "instance" / "referee.sqlite")


@pytest.fixture
def folder(book: Path) -> BackupFolder:
    """The folder for its backups, which does not exist yet."""
    return BackupFolder(book.parent / "backups", book)


def record(book: Path) -> None:
    with closing(Ledger(book)) as ledger:
        newest = ledger.newest(1)
        ledger.append(1, Mark(newest), [play(f"later-{newest}")])


def add(
    folder: BackupFolder, keep: int = 24, found: Sequence[Text] = (), at: datetime = NOON
) -> MadeBackup:
    """Add a backup; `found` are the faults of its sheets."""
    return folder.add(keep, lambda copy: found, at)


def names(folder: BackupFolder) -> list[str]:
    return sorted(path.name for path in folder.path.iterdir())


def test_a_backup_is_numbered_and_dated(folder: BackupFolder, book: Path) -> None:
    """It is a complete book, verified before it gets its name."""
    seen = []

    def prove(copy: Path) -> tuple[Text, ...]:
        assert folder.kept() == [], "it has no name yet"
        seen.append((copy.stat().st_ino, amount(copy)))
        return ()

    made = folder.add(24, prove, NOON)
    assert names(folder) == ["referee-00001-2026-11-22-120000.sqlite"]
    assert folder.kept() == [made.kept]
    assert (made.kept.number, made.kept.at, made.kept.proved) == (1, NOON, True)
    assert (faults(made.kept.path), made.copied, made.new) == ([], amount(book), True)
    assert seen == [(made.kept.path.stat().st_ino, amount(book))], "that very file was proved"


def test_the_oldest_backups_are_deleted(folder: BackupFolder, book: Path) -> None:
    """Other files in the folder are left alone."""
    add(folder)
    (folder.path / "letter.txt").touch()
    (folder.path / "referee-00099-2026-99-99-999999.sqlite").touch()
    for _ in range(4):
        record(book)
        add(folder, keep=3)
    assert [kept.number for kept in folder.kept()] == [3, 4, 5]
    assert {"letter.txt", "referee-00099-2026-99-99-999999.sqlite"} < set(names(folder))
    record(book)
    add(folder, keep=1)
    assert [kept.number for kept in folder.kept()] == [6]


@pytest.mark.parametrize("step", [timedelta(hours=1), timedelta(days=-400)])
def test_backups_of_an_unchanged_book_delete_no_older_ones(
    folder: BackupFolder, book: Path, step: timedelta
) -> None:
    """Each replaces the one before, also if the clock was set back."""
    add(folder)
    record(book)
    for number in range(1, 6):
        made = add(folder, keep=2, at=NOON + number * step)
        assert made.new == (number == 1)
    assert [amount(kept.path).rows for kept in folder.kept()] == [1, 2]
    assert folder.kept()[-1].at == NOON + 5 * step


def test_a_faulty_backup_replaces_no_good_one(folder: BackupFolder, book: Path) -> None:
    """It is marked, and deleted with the next good backup."""
    add(folder)
    for _ in range(3):
        record(book)
        made = add(folder, keep=1, found=SICK)
    assert made.faults == SICK
    assert names(folder) == [
        "referee-00001-2026-11-22-120000.sqlite",
        "referee-00004-2026-11-22-120000-unproved.sqlite",
    ]
    record(book)
    add(folder, keep=1)
    assert names(folder) == ["referee-00005-2026-11-22-120000.sqlite"]


def test_a_damaged_book_is_backed_up_too(folder: BackupFolder, book: Path) -> None:
    """The copy is marked, its faults are in a file, and no good backup is deleted for it."""
    add(folder)
    whole = book.read_bytes()
    with closing(sqlite3.connect(book)) as raw, raw:
        (guard,) = raw.execute(
            "SELECT sql FROM sqlite_master WHERE name = 'entries_refuse_update'"
        ).fetchone()
        raw.execute("DROP TRIGGER entries_refuse_update")
        raw.execute("UPDATE entries SET body = '[]' WHERE seq = 1")
        raw.execute(guard)
    for _ in range(3):
        made = add(folder, keep=1)
        assert not made.kept.proved
    assert made.copied.rows == amount(made.kept.path).rows == 1
    assert names(folder) == [
        "referee-00001-2026-11-22-120000.sqlite",
        "referee-00004-2026-11-22-120000-damaged.sqlite",
        "referee-00004-2026-11-22-120000-damaged.sqlite.txt",
    ]
    why = Path(f"{made.kept.path}.txt").read_text(encoding="utf-8").splitlines()
    assert why == [str(one) for one in made.faults] == ["Sheet 1: row 1 isn’t as it was written."]
    book.write_bytes(whole)
    add(folder, at=NOON + timedelta(hours=1))
    assert names(folder) == ["referee-00005-2026-11-22-130000.sqlite"]


def test_a_backup_that_cannot_be_made_deletes_none(
    folder: BackupFolder, book: Path, tmp_path: Path
) -> None:
    """The book is no database or missing, or the folder is a file; each is reported."""
    add(folder)
    book.write_bytes(b"not a database" * 1000)
    with pytest.raises(DamagedError, match="isn’t a score book"):
        add(folder, keep=1)
    assert names(folder) == ["referee-00001-2026-11-22-120000.sqlite"]
    (tmp_path / "backups").touch()
    with pytest.raises(UnavailableError, match=r"can’t be kept in .*backups"):
        add(BackupFolder(tmp_path / "backups", book))
    nowhere = tmp_path / "nowhere"
    with pytest.raises(UnavailableError, match="There’s no file"):
        add(BackupFolder(nowhere / "backups", nowhere / "book.sqlite"))
    assert not nowhere.exists()
