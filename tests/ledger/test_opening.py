"""Opening a ledger: new, existing, unusable, and removed while open.

`test_backup.py` and `tests/fuzz` have more kinds of damaged files.
"""

import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import referee
from referee.ledger import sqlite
from referee.ledger.chain import Mark
from referee.ledger.errors import (
    DamagedError,
    InUseError,
    LedgerError,
    NewerError,
    UnavailableError,
    translated,
)
from referee.ledger.integrity import Amount, amount, faults
from referee.ledger.links import renew_link
from referee.ledger.sqlite import VERSION, version_of
from referee.ledger.store import Ledger
from referee.ledger.tables import TABLES
from referee.settings import DATABASE
from tests.support.books import AT, NEWER, play, sqlite_of, written
from tests.support.command_line import run
from tests.support.server import PATIENCE

NOBODY = 65534


# --- usable


def test_a_fresh_file_and_its_folders_are_made(tmp_path: Path) -> None:
    """A ledger in a missing folder or an empty file begins empty, and is there when reopened."""
    (tmp_path / "empty.sqlite").touch()
    for path in (tmp_path / "new" / "folder" / "referee.sqlite", tmp_path / "empty.sqlite"):
        with closing(Ledger(path)) as ledger:
            assert ledger.sheets() == []
        written(path)
        with closing(Ledger(path)) as ledger:
            assert [row.key for row in ledger.rows(1)] == ["k0"]
        with closing(sqlite3.connect(path)) as raw, raw:
            assert version_of(raw) == VERSION
            raw.execute(NEWER)
        with pytest.raises(NewerError, match=r"newer version of Referee .*\. Update the program"):
            Ledger(path)


#: Books of other versions, and other databases.
FOREIGN = {
    "older, without a table": ("DROP TABLE evening_links", "An older version .* `referee import"),
    "older, without a column": ("ALTER TABLE evenings DROP COLUMN at", "An older version"),
    "newer, by its migrations": (NEWER, "A newer version .* Update the program"),
    "newer, with a column": ("ALTER TABLE trash ADD COLUMN why TEXT", "A newer version"),
    "only the migrations": (
        ";".join(f"DROP TABLE {table}" for table in reversed(TABLES)),
        "is a database, but no score book",
    ),
}


@pytest.mark.parametrize("case", FOREIGN)
def test_another_versions_book_is_refused_at_the_start(tmp_path: Path, case: str) -> None:
    """By the program and by commands; it is left unchanged."""
    statements, told = FOREIGN[case]
    book = written(tmp_path / DATABASE)
    with closing(sqlite3.connect(book)) as raw:
        raw.execute("PRAGMA journal_mode=DELETE")
        raw.executescript(statements)
    content = book.read_bytes()
    line = [sys.executable, "-m", "referee", "serve", "--port", "0", "--instance", str(tmp_path)]
    started = subprocess.run(line, check=False, capture_output=True, text=True, timeout=PATIENCE)
    assert re.fullmatch(rf"Error: .*{told}.*\n", started.stderr)
    assert (started.returncode, started.stdout) == (1, "")
    commands = (["export", "--all"], ["move", "--to", "new"], ["backup", "copy"])
    for command in commands:
        said = run(*command, "--instance", str(tmp_path))
        assert re.fullmatch(rf"Error: .*{told}.*\n", said.stderr), (command, said.output)
        assert (said.exit_code, said.stdout) == (1, "")
    assert run("verify", "--instance", str(tmp_path)).exit_code == 1
    assert book.read_bytes() == content


def test_a_database_without_tables_becomes_a_book(tmp_path: Path) -> None:
    """Whatever number another program gave it: there is nothing in it to lose."""
    with closing(sqlite3.connect(tmp_path / DATABASE)) as raw:
        raw.execute("PRAGMA user_version = 999")
    with closing(Ledger(written(tmp_path / DATABASE))) as ledger:
        assert ledger.sheets() == [1]


def test_a_book_is_brought_up_to_date(tmp_path: Path) -> None:
    """One that was made before links had an index by sheet; `verify` misses nothing then."""
    book = written(tmp_path / DATABASE)
    with closing(sqlite3.connect(book)) as raw, raw:
        raw.execute("DROP INDEX links_of_sheet")
        raw.execute("DELETE FROM _sqlite_migrations WHERE name != 'm001_tables'")
    assert [str(fault) for fault in faults(book)] == ["The index links_of_sheet is missing."]
    Ledger(book).close()
    assert (amount(book), faults(book)) == (Amount(1, 1), [])


USER = """
import sys
from pathlib import Path
from referee.ledger.store import Draft, Ledger
import referee.web.app
ledger = Ledger(Path(sys.argv[1]))
seen = ledger.glance("h")
ledger.append(seen.link.document, seen.mark, [Draft("play", "{}", "next", "host", "")])
print(sorted({"sqlite_utils", "qrcode", "numpy", "PIL"}.intersection(sys.modules)))
"""


def test_starting_and_playing_import_no_slow_library(tmp_path: Path) -> None:
    """Only a migration does."""
    line = [sys.executable, "-c", USER, str(written(tmp_path / "referee.sqlite"))]
    root = Path(referee.__file__).parent.parent
    ended = subprocess.run(line, check=True, cwd=root, capture_output=True, text=True)
    assert ended.stdout == "[]\n"


# --- unusable


@pytest.mark.parametrize(
    ("code", "meaning"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, InUseError),
        (sqlite3.SQLITE_LOCKED, InUseError),
        (sqlite3.SQLITE_PROTOCOL, InUseError),
        (sqlite3.SQLITE_FULL, UnavailableError),
        (sqlite3.SQLITE_READONLY, UnavailableError),
        (sqlite3.SQLITE_CANTOPEN, UnavailableError),
        (sqlite3.SQLITE_IOERR_READ, UnavailableError),
        (sqlite3.SQLITE_PERM, UnavailableError),
        (sqlite3.SQLITE_CORRUPT, DamagedError),
        (sqlite3.SQLITE_NOTADB, DamagedError),
        (sqlite3.SQLITE_CONSTRAINT, LedgerError),
    ],
)
def test_each_error_of_sqlite_has_one_meaning(code: int, meaning: type[LedgerError]) -> None:
    """Each error of SQLite has a class of ours, and a sentence that names the file."""
    reported = sqlite3.OperationalError("what SQLite says")
    reported.sqlite_errorcode = code
    with pytest.raises(LedgerError) as told, translated("book.sqlite"):
        raise reported
    assert type(told.value) is meaning
    assert re.fullmatch(r".*book\.sqlite.*\.", str(told.value))
    with pytest.raises(DamagedError, match=r"book\.sqlite is damaged"), translated("book.sqlite"):
        b"near \xf4".decode()  # a message of SQLite that quotes bytes of the file


def test_a_damaged_file_is_refused_and_left_unchanged(tmp_path: Path) -> None:
    """A foreign, overwritten or truncated one."""
    whole = written(tmp_path / "whole.sqlite", rows=200).read_bytes()
    half = len(whole) // 2
    noise = random.Random(9).randbytes(len(whole) - half)
    for content in (noise, whole[:half] + noise, whole[: 4096 * 3 + 100]):
        path = tmp_path / "referee.sqlite"
        path.write_bytes(content)
        with pytest.raises(LedgerError, match=r"is damaged|can’t be opened"):
            Ledger(path).rows(1)
        assert path.read_bytes() == content


def test_an_impossible_place_for_a_ledger_is_named(tmp_path: Path) -> None:
    """A folder instead of a file, a file instead of a folder, a circular link."""
    (tmp_path / "instance").write_text("a file")
    (tmp_path / "circle.sqlite").symlink_to(tmp_path / "circle.sqlite")
    for path, why in {
        tmp_path: "can’t be opened",
        tmp_path / "instance" / "referee.sqlite": "The folder .*instance can’t be created",
        tmp_path / "circle.sqlite": r"circle\.sqlite can’t be",
    }.items():
        with pytest.raises(UnavailableError, match=why):
            Ledger(path)


def test_a_file_locked_by_another_program_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening waits for a while, then says that the file is in use."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.01)
    path = tmp_path / "referee.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InUseError, match="in use by another program"):
            Ledger(path)
        raw.execute("ROLLBACK")
    Ledger(path).close()


@pytest.fixture
def book_of_another() -> Iterator[Path]:
    """A closed book of three rows in a folder that we can only read; not as root."""
    with tempfile.TemporaryDirectory() as folder:
        book = written(Path(folder) / "referee.sqlite", rows=3)
        book.chmod(0o444)
        book.parent.chmod(0o555)
        us = os.geteuid()
        os.seteuid(us or NOBODY)
        yield book
        os.seteuid(us)
        book.parent.chmod(0o755)


@pytest.mark.skipif(os.name != "posix", reason="permissions are another matter there")
def test_a_closed_book_in_a_read_only_folder_can_be_read(book_of_another: Path) -> None:
    """No ledger is created there, and none is written.

    SQLite cannot create its reader files there; a closed book needs none.
    """
    for name, why in {
        "new.sqlite": r"new\.sqlite can’t be opened",
        "deeper/new.sqlite": r"folder .*deeper can’t be created",
        "referee.sqlite": r"can’t be opened|isn’t allowed to write",
    }.items():
        with pytest.raises(UnavailableError, match=why):
            Ledger(book_of_another.parent / name)
    assert (amount(book_of_another), faults(book_of_another)) == (Amount(1, 3), [])


def test_a_transaction_of_a_killed_program_is_rolled_back(tmp_path: Path) -> None:
    """The journal that it left has what is needed for that."""
    killed = tmp_path / "killed.sqlite"
    book = written(tmp_path / "referee.sqlite", rows=300)
    with closing(sqlite3.connect(book, isolation_level=None)) as half_done:
        half_done.execute("PRAGMA journal_mode=DELETE")
        half_done.execute("PRAGMA cache_size=1")
        half_done.execute("BEGIN EXCLUSIVE")
        half_done.execute("CREATE TABLE much (x)")
        half_done.executemany("INSERT INTO much VALUES (zeroblob(4000))", [()] * 400)
        for end in ("", "-journal"):
            Path(f"{killed}{end}").write_bytes(Path(f"{book}{end}").read_bytes())
    assert (amount(killed), faults(killed)) == (Amount(1, 300), [])


# --- removed while it is open


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Ledger]:
    """A book that is open, with a row on its one sheet."""
    with closing(Ledger(written(tmp_path / "book" / "referee.sqlite"))) as ledger:
        renew_link(ledger, 1, ("view", "v"), AT)
        yield ledger


def swapped(book: Path) -> None:
    """Replace a book or its log by a copy."""
    shutil.copy(book, book.with_name("copy"))
    book.with_name("copy").replace(book)


TAKEN: dict[str, Callable[[Path], object]] = {
    "deleted": lambda book: book.unlink(),
    "moved": lambda book: book.replace(book.with_name("elsewhere")),
    "swapped": swapped,
    "its log deleted": lambda book: Path(f"{book}-wal").unlink(),
    "its log swapped": lambda book: swapped(Path(f"{book}-wal")),
    "all of it deleted": lambda book: shutil.rmtree(book.parent),
}


@pytest.mark.parametrize("case", TAKEN)
def test_writes_to_a_removed_or_replaced_file_are_refused(served: Ledger, case: str) -> None:
    """And no empty book is created in its place."""
    TAKEN[case](sqlite_of(served).path)
    there = sqlite_of(served).path.exists()
    for _ in range(2):
        with pytest.raises(UnavailableError, match="deleted, moved, or replaced"):
            served.append(1, Mark(1), [play("new")])
    with ThreadPoolExecutor(1) as other, pytest.raises(UnavailableError, match="deleted, moved"):
        other.submit(served.sheets).result()
    assert sqlite_of(served).path.exists() == there
    if case == "moved":
        sqlite_of(served).path.with_name("elsewhere").replace(sqlite_of(served).path)
        served.append(1, Mark(1), [play("new")])
        assert served.newest(1) == 2


def test_a_log_without_its_book_is_refused(served: Ledger, tmp_path: Path) -> None:
    """It is kept; once it is moved away, a new book can begin."""
    for end in ("", "-wal"):
        shutil.copy(f"{sqlite_of(served).path}{end}", tmp_path / f"referee.sqlite{end}")
    book, log = tmp_path / "referee.sqlite", tmp_path / "referee.sqlite-wal"
    os.truncate(book, 0)
    size = log.stat().st_size
    for _ in range(2):
        with pytest.raises(DamagedError, match="is missing or empty, but"):
            Ledger(book)
        book.unlink(missing_ok=True)
    assert log.stat().st_size == size
    log.replace(tmp_path / "kept")
    with closing(Ledger(book)) as ledger:
        assert ledger.sheets() == []
