"""Copies of the ledger: taken while others write, put back, refused where they are damaged."""

import random
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger import integrity
from referee.ledger.backup import backup, faults, restore
from referee.ledger.errors import DamagedError, InUseError, NewerError, UnavailableError, translated
from referee.ledger.store import Draft, Ledger
from tests.ledger.test_opening import without_privileges, written

AT = "2026-01-02T03:04:05+00:00"


def sheets_in(path: Path) -> int:
    """How many sheets a ledger holds."""
    ledger = Ledger(path)
    number = len(ledger.sheets())
    ledger.close()
    return number


def behind_its_back(path: Path, *statements: str) -> None:
    """Change a database as no program of ours would."""
    with closing(sqlite3.connect(path)) as raw, raw:
        for statement in statements:
            raw.execute(statement)


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A book of one sheet with two hundred rows, in a folder of its own."""
    path = tmp_path / "instance" / "referee.sqlite"
    written(path, rows=200)
    return path


@pytest.fixture
def copy(book: Path, tmp_path: Path) -> Path:
    """A backup of the book."""
    backup(book, tmp_path / "copy.sqlite")
    return tmp_path / "copy.sqlite"


# --- backup


def test_a_backup_is_the_book_in_one_file(book: Path, copy: Path) -> None:
    """It holds every sheet, row and link, needs no file beside it, and is for its owner's eyes."""
    assert faults(copy) == []
    with closing(sqlite3.connect(book)) as raw, closing(sqlite3.connect(copy)) as other:
        assert list(raw.iterdump()) == list(other.iterdump())
    assert [path.name for path in copy.parent.iterdir() if path.is_file()] == ["copy.sqlite"]
    assert copy.stat().st_mode & 0o077 == 0


def test_a_backup_is_one_moment_whoever_writes(book: Path, tmp_path: Path) -> None:
    """Copies taken while somebody writes are intact, and hold rows 1 to some row without a gap."""
    done, number = threading.Event(), 200

    def write() -> None:
        nonlocal number
        ledger = Ledger(book)
        while not done.is_set():
            draft = Draft("play", "{}", f"more-{number}", "host", AT)
            number = ledger.append(1, number, [draft]).seq
        ledger.close()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        held = [backup(book, tmp_path / f"{n}.sqlite").rows for n in range(12)]
    finally:
        done.set()
        writer.join()
    assert held == sorted(held)
    assert 200 < held[-1] <= number, "the writer got on while the copies were made"


def test_a_copy_that_another_program_locks_is_not_waited_for(
    book: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A virus scanner, say: SQLite would try again and again, for as long as that takes."""
    monkeypatch.setattr(copies, "READ_SECONDS", 0.01)
    target, really = tmp_path / "new.sqlite", copies._connected
    others = []

    def locked(path: Path) -> sqlite3.Connection:
        connection = really(path)
        others.append(sqlite3.connect(path))
        others[-1].execute("BEGIN EXCLUSIVE")
        return connection

    with monkeypatch.context() as patched:
        patched.setattr(copies, "_connected", locked)
        with pytest.raises(InUseError, match=r"in use by another program"):
            backup(book, target)
    others[0].close()
    assert not target.exists()
    backup(book, target)


def test_an_earlier_backup_is_replaced_only_when_asked(book: Path, copy: Path) -> None:
    """A file that is there stays as it is, unless it may be replaced."""
    before = copy.read_bytes()
    Ledger(book).append(1, 200, [Draft("play", "{}", "new", "host", AT)])
    with pytest.raises(UnavailableError, match=r"already exists\. Use --force to replace it"):
        backup(book, copy)
    assert copy.read_bytes() == before
    assert backup(book, copy, replace=True).rows == 201


@pytest.mark.parametrize("name", ["referee.sqlite", "referee.sqlite-wal", "referee.sqlite-shm"])
def test_the_book_is_not_copied_over_itself(book: Path, name: str) -> None:
    """Neither the database nor what belongs to it is ever the target."""
    ledger = Ledger(book)
    with pytest.raises(UnavailableError, match="is the score book itself"):
        backup(book, book.with_name(name), replace=True)
    assert ledger.newest(1) == 200


def test_where_a_backup_cannot_be_written_is_told(book: Path, tmp_path: Path) -> None:
    """A folder, a folder that is not there, a book that is not there: one sentence each."""
    for target, why in {
        tmp_path: "is a folder",
        tmp_path / "no" / "copy": "can’t be written: No such file",
        tmp_path / "nul\0": "^A file can’t be called",
    }.items():
        with pytest.raises(UnavailableError, match=why):
            backup(book, target)
    with pytest.raises(UnavailableError, match="There’s no file"):
        backup(tmp_path / "nobody.sqlite", tmp_path / "copy.sqlite")
    assert [path.name for path in tmp_path.iterdir()] == ["instance"], "nothing is left behind"


def test_a_folder_that_may_not_be_written_is_told(book: Path) -> None:
    """No copy can be put into a folder of somebody else's."""
    folder = Path("/") / "usr"
    with (
        without_privileges(folder),
        pytest.raises(UnavailableError, match="can’t be written: Permission denied"),
    ):
        backup(book, folder / "copy.sqlite")


def test_a_full_disk_leaves_the_earlier_backup(
    book: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where there is no room for the copy, it is told so, and the earlier one stays as it was."""
    before = copy.read_bytes()

    def cramped(*args: object) -> None:
        with closing(sqlite3.connect(args[3])) as full:  # type: ignore[call-overload]
            full.execute("PRAGMA max_page_count=2")
            with translated(args[3]):
                full.execute("CREATE TABLE big (x)")
                full.execute("INSERT INTO big VALUES (zeroblob(99999))")

    monkeypatch.setattr(copies, "_copy", cramped)
    with pytest.raises(UnavailableError, match=r"disk that holds .* is full"):
        backup(book, copy, replace=True)
    assert copy.read_bytes() == before
    assert [path.name for path in copy.parent.iterdir() if path.is_file()] == ["copy.sqlite"]


# --- what is damaged


def torn(path: Path) -> None:
    """Overwrite the second half of a file."""
    whole = path.read_bytes()
    half = len(whole) // 2
    path.write_bytes(whole[:half] + random.Random(9).randbytes(len(whole) - half))


def cut_short(path: Path) -> None:
    """Let a file end too early."""
    path.write_bytes(path.read_bytes()[: 4096 * 6 + 100])


def overwriting(content: bytes) -> Callable[[Path], None]:
    """Overwrite a file with this."""

    def write(path: Path) -> None:
        path.write_bytes(content)

    return write


def of_another_program(path: Path) -> None:
    """Put another program's database in place of a file."""
    path.unlink()
    behind_its_back(path, "CREATE TABLE t (x)")


DAMAGED: dict[str, tuple[Callable[[Path], None], str]] = {
    "torn": (torn, "."),
    "cut short": (cut_short, "."),
    "something else": (overwriting(b"no database " * 99), "not a data"),
    "empty": (overwriting(b""), "tables .* are missing"),
    "of another program": (
        of_another_program,
        "tables .* are missing",
    ),
    "no trigger": (
        lambda path: behind_its_back(path, "DROP TRIGGER entries_refuse_delete"),
        "trigger entries_refuse_delete is missing",
    ),
    "a trigger that does nothing": (
        lambda path: behind_its_back(
            path,
            "DROP TRIGGER entries_refuse_delete",
            "CREATE TRIGGER entries_refuse_delete BEFORE DELETE ON entries BEGIN SELECT 1; END",
        ),
        "trigger entries_refuse_delete isn’t as Referee makes it",
    ),
    "a trigger of somebody's": (
        lambda path: behind_its_back(
            path, "CREATE TRIGGER mine AFTER INSERT ON entries BEGIN SELECT 1; END"
        ),
        "trigger mine doesn’t belong in a score book",
    ),
    "no index": (
        lambda path: behind_its_back(path, "DROP INDEX links_in_use"),
        "index links_in_use is missing",
    ),
    "a link to nowhere": (
        lambda path: behind_its_back(
            path,
            "INSERT INTO links (token, sheet, role, at, digest) VALUES ('x', 9, 'view', '', 'd')",
        ),
        "A row of links belongs to a row of sheets that isn’t there",
    ),
    "a gap": (
        lambda path: behind_its_back(
            path,
            'INSERT INTO entries (sheet, seq, kind, body, key, role, at, "by", hash, seal) '
            "VALUES (1, 300, 'play', '{}', 'x', 'host', '', '', '', '')",
        ),
        "Sheet 1 has 201 rows, but its newest is row 300",
    ),
}


@pytest.mark.parametrize("case", DAMAGED)
def test_what_is_not_sound_is_neither_restored_nor_copied(
    book: Path, copy: Path, tmp_path: Path, case: str
) -> None:
    """The fault is named, the book stays as it was, and nothing is left lying about."""
    harm, why = DAMAGED[case]
    harm(copy)
    before = book.read_bytes()
    with pytest.raises(DamagedError, match=f"is damaged or isn’t a score book.*{why}"):
        restore(copy, book, force=True)
    with pytest.raises(DamagedError, match=why):
        backup(copy, tmp_path / "of-a-copy.sqlite")
    assert book.read_bytes() == before
    assert not list(tmp_path.glob("**/.*.part*"))
    assert not (tmp_path / "of-a-copy.sqlite").exists()


def test_a_newer_ledger_is_not_restored(book: Path, copy: Path) -> None:
    """The program asks to be updated; it cannot know whether that file is intact."""
    behind_its_back(copy, "PRAGMA user_version = 999")
    with pytest.raises(NewerError, match="Update the program"):
        restore(copy, book, force=True)
    assert sheets_in(book) == 1


# --- restore


def test_a_backup_is_restored_where_there_is_no_book(copy: Path, tmp_path: Path) -> None:
    """On a new machine: the folder is made, and the book is what was backed up."""
    fresh = tmp_path / "new" / "folder" / "referee.sqlite"
    copied, old = restore(copy, fresh)
    assert (copied.sheets, copied.rows, old) == (1, 200, None)
    assert sheets_in(fresh) == 1
    assert copy.is_file()


def test_a_log_that_was_left_behind_is_not_mixed_in(copy: Path, tmp_path: Path) -> None:
    """Where only the write-ahead log of a lost book is left, it is put aside."""
    lost = tmp_path / "lost" / "referee.sqlite"
    lost.parent.mkdir()
    lost.with_name("referee.sqlite-wal").write_bytes(b"the log of another file")
    restore(copy, lost)
    assert sheets_in(lost) == 1
    assert [path.read_bytes() for path in lost.parent.glob("*before*")] == [
        b"the log of another file"
    ]


def test_an_empty_book_gives_way(copy: Path, tmp_path: Path) -> None:
    """A book without a sheet, as a first start leaves it, holds nothing to be kept."""
    Ledger(tmp_path / "new.sqlite").close()
    assert restore(copy, tmp_path / "new.sqlite")[1] is None
    assert sheets_in(tmp_path / "new.sqlite") == 1


def test_a_book_with_sheets_gives_way_only_when_forced(book: Path, copy: Path) -> None:
    """It is refused, and when forced the old book is kept beside the new one, whole."""
    for key in ("one", "two"):
        ledger = Ledger(book)
        ledger.create("{}", [("host", key)], AT)
        ledger.close()
        before = sheets_in(book)
        with pytest.raises(
            UnavailableError, match=rf"holds {before} sheets?\. Use --force to restore"
        ):
            restore(copy, book)
        assert sheets_in(book) == before
        _, old = restore(copy, book, force=True)
        assert old is not None
        assert old.parent == book.parent
        assert (sheets_in(old), faults(old), sheets_in(book)) == (before, [], 1)
    assert len(list(book.parent.glob("referee-before-*.sqlite"))) == 2


def test_a_book_that_is_served_is_left_alone(
    book: Path, copy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has it open would write on; they are to stop first."""
    monkeypatch.setattr(copies, "READ_SECONDS", 0.01)
    ledger = Ledger(book)
    with pytest.raises(InUseError, match=r"is in use\. Stop `referee` first"):
        restore(copy, book, force=True)
    ledger.close()
    restore(copy, book, force=True)


@pytest.mark.parametrize("content", [b"no database, but something else" * 99, b"SQLite"])
def test_a_damaged_book_is_put_aside(book: Path, copy: Path, content: bytes) -> None:
    """What cannot be read is kept under another name, and only when forced."""
    book.write_bytes(content)
    with pytest.raises(
        DamagedError, match=r"Use --force to set it aside and restore .*copy\.sqlite"
    ):
        restore(copy, book)
    assert book.read_bytes() == content
    _, old = restore(copy, book, force=True)
    assert old is not None
    assert old.read_bytes() == content
    assert sheets_in(book) == 1


def test_a_full_disk_leaves_the_book_as_it_was(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the book has no room to grow, a restore is told so, and changes nothing."""
    book = tmp_path / "small" / "referee.sqlite"
    written(book, rows=3)
    really = copies._alone_with

    def cramped(path: Path) -> sqlite3.Connection:
        connection = really(path)
        connection.execute(f"PRAGMA max_page_count={book.stat().st_size // 4096}")
        return connection

    monkeypatch.setattr(copies, "_alone_with", cramped)
    with pytest.raises(UnavailableError, match=r"disk that holds .*referee\.sqlite is full"):
        restore(copy, book, force=True)
    assert faults(book) == []
    with closing(sqlite3.connect(book)) as raw:
        assert integrity.counts(raw) == (1, 3)


def test_the_book_is_no_backup_of_itself(book: Path) -> None:
    """There is nothing to restore from the file itself."""
    with pytest.raises(UnavailableError, match="is the score book itself"):
        restore(book, book, force=True)
