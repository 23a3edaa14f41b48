"""Opening a ledger: fresh, again, by several programs at once, and where it cannot be had."""

import os
import random
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import referee
from referee.ledger import file, integrity
from referee.ledger.errors import (
    DamagedError,
    InUseError,
    LedgerError,
    NewerError,
    UnavailableError,
)
from referee.ledger.file import VERSION, read_only
from referee.ledger.store import Draft, Ledger

AT = "2026-01-02T03:04:05+00:00"
NOBODY = 65534


def written(path: Path, rows: int = 1) -> int:
    """A sheet with so many rows in a ledger that has been closed; returns its number."""
    ledger = Ledger(path)
    sheet = ledger.create("{}", [("host", "h")], AT)
    body = '"' + "x" * 500 + '"'
    ledger.append(sheet, 0, [Draft("play", body, f"k{n}", "host", AT) for n in range(rows)])
    ledger.close()
    return sheet


# --- as it should be


def test_a_fresh_file_and_its_folders_are_made(tmp_path: Path) -> None:
    """A ledger in a folder that is not there yet begins empty."""
    ledger = Ledger(tmp_path / "new" / "folder" / "referee.sqlite")
    assert ledger.sheets() == []
    ledger.close()
    assert ledger.path.is_file()


def test_opening_again_finds_what_was_written(tmp_path: Path) -> None:
    """A ledger opened twice is migrated once and holds what it held."""
    sheet = written(tmp_path / "referee.sqlite")
    again = Ledger(tmp_path / "referee.sqlite")
    assert [row.key for row in again.rows(sheet)] == ["k0"]
    again.close()
    with closing(sqlite3.connect(again.path)) as raw:
        assert raw.execute("PRAGMA user_version").fetchone() == (VERSION,)


def test_an_empty_file_is_a_fresh_ledger(tmp_path: Path) -> None:
    """A file of no bytes, as a crash at the very start may leave it, is begun anew."""
    (tmp_path / "referee.sqlite").touch()
    ledger = Ledger(tmp_path / "referee.sqlite")
    assert ledger.sheets() == []
    ledger.close()


OPENER = """
import sys
from pathlib import Path
from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger
print("ready", flush=True)
for line in sys.stdin:
    try:
        Ledger(Path(line.rstrip())).close()
        print("opened", flush=True)
    except LedgerError as error:
        print(error, flush=True)
"""


def test_several_programs_open_a_fresh_file_at_once(tmp_path: Path) -> None:
    """Four programs that open the same new file at the same moment all get in, time and again."""
    programs = [
        subprocess.Popen(
            [sys.executable, "-c", OPENER],
            cwd=Path(referee.__file__).parent.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]

    def answers() -> list[str]:
        return [program.stdout.readline().rstrip() for program in programs if program.stdout]

    try:
        assert answers() == ["ready"] * 4
        for number in range(12):
            for program in programs:
                assert program.stdin is not None
                program.stdin.write(f"{tmp_path / str(number)}.sqlite\n")
            for program in programs:
                assert program.stdin is not None
                program.stdin.flush()
            assert answers() == ["opened"] * 4
    finally:
        for program in programs:
            program.communicate(timeout=30)


USER = """
import sys
from pathlib import Path
from referee.ledger.store import Draft, Ledger
import referee.web.app
ledger = Ledger(Path(sys.argv[1]))
seen = ledger.glance("h")
ledger.append(seen.link.sheet, seen.mark, [Draft("play", "{}", "next", "host", "")])
print(sorted({"sqlite_utils", "qrcode", "numpy", "PIL"}.intersection(sys.modules)))
"""


def test_who_only_plays_does_not_wait_for_libraries(tmp_path: Path) -> None:
    """A start without a migration, a poll and an entry bring in nothing that takes long to load."""
    written(tmp_path / "referee.sqlite")
    line = [sys.executable, "-c", USER, str(tmp_path / "referee.sqlite")]
    root = Path(referee.__file__).parent.parent
    ended = subprocess.run(line, check=True, cwd=root, capture_output=True, text=True)
    assert ended.stdout == "[]\n"


# --- as it should not be


def test_random_bytes_are_no_ledger(tmp_path: Path) -> None:
    """A file of something else is refused as damaged, and is left as it was."""
    path = tmp_path / "referee.sqlite"
    noise = random.Random(9).randbytes(8192)
    path.write_bytes(noise)
    with pytest.raises(DamagedError, match=r"referee\.sqlite is damaged or isn’t a score book"):
        Ledger(path)
    assert path.read_bytes() == noise


def test_a_ledger_damaged_in_its_middle_is_told(tmp_path: Path) -> None:
    """Where pages were overwritten, opening or reading says that the file is damaged."""
    path = tmp_path / "referee.sqlite"
    sheet = written(path, rows=200)
    whole = path.read_bytes()
    half = len(whole) // 2
    path.write_bytes(whole[:half] + random.Random(9).randbytes(len(whole) - half))
    with pytest.raises(DamagedError, match="is damaged"):
        Ledger(path).rows(sheet)


def test_a_ledger_cut_short_is_told(tmp_path: Path) -> None:
    """A file that ends too early, as a copy that broke off, is not taken for an empty one."""
    path = tmp_path / "referee.sqlite"
    sheet = written(path, rows=200)
    path.write_bytes(path.read_bytes()[: 4096 * 3 + 100])
    with pytest.raises(LedgerError, match=r"damaged|can’t be opened"):
        Ledger(path).rows(sheet)


def test_a_newer_ledger_is_left_alone(tmp_path: Path) -> None:
    """A ledger with a migration we do not know is refused: the program must be updated."""
    path = tmp_path / "referee.sqlite"
    written(path)
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("PRAGMA user_version = 999")
    with pytest.raises(NewerError, match=r"newer version of Referee .*\. Update the program"):
        Ledger(path)


def test_a_folder_is_no_ledger(tmp_path: Path) -> None:
    """A folder where the file should be cannot be opened."""
    with pytest.raises(UnavailableError, match="can’t be opened"):
        Ledger(tmp_path)


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    """A file where the folder should be is named."""
    (tmp_path / "instance").write_text("a file")
    with pytest.raises(UnavailableError, match=r"The folder .*instance can’t be created"):
        Ledger(tmp_path / "instance" / "referee.sqlite")


def test_a_file_locked_by_another_program_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Opening waits for a while, then says that the file is in use."""
    monkeypatch.setattr(file, "BUSY_SECONDS", 0.01)
    path = tmp_path / "referee.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        raw.execute("BEGIN EXCLUSIVE")
        with pytest.raises(InUseError, match="in use by another program"):
            Ledger(path)
        raw.execute("ROLLBACK")
    Ledger(path).close()


@contextmanager
def without_privileges(folder: Path) -> Iterator[None]:
    """Run as a user whom permissions bind: they do not hold for root."""
    if os.name != "posix":
        pytest.skip("permissions are another matter on this system")
    if os.geteuid() != 0:
        yield
        return
    try:
        os.seteuid(NOBODY)
    except OSError:
        pytest.skip("runs as root and may not become anybody else: permissions do not hold")
    try:
        if not os.access(folder, os.R_OK | os.X_OK, effective_ids=True):
            pytest.skip("the folder for temporary files is closed to all but root")
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that anybody may look into, unlike those that pytest makes."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)
        Path(folder).chmod(0o755)


def test_a_folder_that_may_not_be_written_is_told(open_folder: Path) -> None:
    """No ledger can be begun in a folder of somebody else's."""
    open_folder.chmod(0o555)
    with (
        without_privileges(open_folder),
        pytest.raises(UnavailableError, match=r"referee\.sqlite can’t be opened"),
    ):
        Ledger(open_folder / "referee.sqlite")
    with (
        without_privileges(open_folder),
        pytest.raises(UnavailableError, match=r"folder .*deeper can’t be created"),
    ):
        Ledger(open_folder / "deeper" / "referee.sqlite")


def test_a_file_that_may_not_be_written_is_told(open_folder: Path) -> None:
    """A ledger of somebody else's can be opened by nobody who may not write it."""
    path = open_folder / "referee.sqlite"
    written(path)
    path.chmod(0o444)
    open_folder.chmod(0o555)
    with (
        without_privileges(open_folder),
        pytest.raises(UnavailableError, match=r"can’t be opened|isn’t allowed to write"),
    ):
        Ledger(path)


# --- only to be read


def test_a_closed_book_on_a_read_only_disk_can_be_looked_at(
    open_folder: Path, tmp_path: Path
) -> None:
    """There SQLite can make no notes on who reads; a book that was closed needs none."""
    book = open_folder / "referee.sqlite"
    written(book, rows=3)
    book.chmod(0o444)
    open_folder.chmod(0o555)
    with without_privileges(open_folder):
        with closing(read_only(book)) as connection:
            assert integrity.counts(connection) == (1, 3)
            assert integrity.faults(connection) == []
        with pytest.raises(UnavailableError):
            Ledger(book)
    open_folder.chmod(0o755)


def test_a_journal_of_a_killed_restore_is_played_back(tmp_path: Path) -> None:
    """Half of the pages are another book's: until the journal is back in place, nobody can read."""
    book, killed = tmp_path / "referee.sqlite", tmp_path / "killed.sqlite"
    written(book, rows=300)
    with closing(sqlite3.connect(book, isolation_level=None)) as half_done:
        half_done.execute("PRAGMA journal_mode=DELETE")
        half_done.execute("PRAGMA cache_size=1")
        half_done.execute("BEGIN EXCLUSIVE")
        half_done.execute("CREATE TABLE much (x)")
        half_done.executemany("INSERT INTO much VALUES (zeroblob(4000))", [()] * 400)
        for end in ("", "-journal"):
            Path(f"{killed}{end}").write_bytes(Path(f"{book}{end}").read_bytes())
    with closing(sqlite3.connect(f"file:{killed}?mode=ro", uri=True)) as reader:
        with pytest.raises(sqlite3.OperationalError) as error:
            reader.execute("SELECT count(*) FROM entries")
        assert error.value.sqlite_errorname == "SQLITE_READONLY_ROLLBACK"
    with closing(read_only(killed)) as connection:
        assert integrity.faults(connection) == []
        assert integrity.counts(connection) == (1, 300)
