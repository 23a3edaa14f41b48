"""The commands that keep the book: what they print, how they end, and what they leave alone."""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger.store import Draft, Ledger
from referee.sheets.book import Book
from tests.support.server import Server
from tests.test_cli import ILLEGAL, SHEET, as_line, instance, lines_of, one_error, run

__all__ = ["instance"]  # a fixture, used by every test

PINK = {
    "referee": 1,
    "game": "pink-nines",
    "players": ["Ann", "=Ben"],
    "entries": [{"action": "out", "player": "Ann"}],
}


@pytest.fixture
def kept(instance: Path) -> Path:
    """The book with two sheets in it."""
    run("import", "-", given=as_line(SHEET) + as_line(PINK))
    return instance / "referee.sqlite"


@pytest.fixture
def served(instance: Path, kept: Path) -> Iterator[Server]:
    """A server that has the book open."""
    running = Server(instance)
    yield running
    running.stop()


# --- backup, restore, verify


def test_an_evening_with_a_spilled_glass(kept: Path, tmp_path: Path) -> None:
    """Backed up, lost, restored and proved: the book is as it was."""
    copy = tmp_path / "copy.sqlite"
    said = run("backup", str(copy))
    assert (said.exit_code, said.output) == (0, f"2 sheets with 3 rows copied to {copy}.\n")
    before = run("export", "--all").stdout
    kept.unlink()
    said = run("restore", str(copy))
    assert (said.exit_code, said.output) == (0, f"2 sheets with 3 rows restored from {copy}.\n")
    said = run("verify")
    assert said.exit_code == 0
    assert said.stdout == f"{kept} is sound: 2 sheets with 3 rows, every one played through.\n"
    assert run("export", "--all").stdout == before
    assert run("verify", str(copy)).stdout.startswith(f"{copy} is sound: 2 sheets")


def test_a_book_with_sheets_is_kept_beside(kept: Path, tmp_path: Path) -> None:
    """Restoring over a book that is in use needs --force, and says where the old one is."""
    copy = str(tmp_path / "copy.sqlite")
    run("backup", copy)
    run("import", "-", given=json.dumps(SHEET))
    assert "holds 3 sheets. --force restores" in one_error(run("restore", copy))
    assert "is there already. --force replaces it." in one_error(run("backup", copy))
    said = run("restore", copy, "--force")
    assert said.exit_code == 0
    found = re.search(r"The old book is kept as (.*)\.\n", said.stdout)
    assert found is not None
    assert run("verify", found[1]).stdout.startswith(f"{found[1]} is sound: 3 sheets")
    assert len(run("export").stdout.splitlines()) == 2
    assert run("backup", copy, "--force").exit_code == 0


def test_while_it_is_served(
    served: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A book can be backed up and proved while it is being served, not replaced."""
    monkeypatch.setattr(copies, "WAIT_SECONDS", 0.01)
    copy = str(tmp_path / "copy.sqlite")
    assert run("backup", copy).exit_code == 0
    assert run("verify").exit_code == 0
    assert "is in use. Stop `referee` first" in one_error(run("restore", copy, "--force"))
    assert run("verify", copy).exit_code == 0


@pytest.mark.parametrize("content", [b"no book", b"", b"no database, but something else" * 99])
def test_a_file_that_is_no_book_is_told(kept: Path, tmp_path: Path, content: bytes) -> None:
    """Restoring it is refused, with one line; verifying it says what is wrong, exit 1."""
    file = tmp_path / "copy.sqlite"
    file.write_bytes(content)
    assert "is damaged or no database of ours" in one_error(run("restore", str(file), "--force"))
    result = run("verify", str(file))
    assert result.exit_code == 1
    assert result.output
    assert file.read_bytes() == content
    assert run("verify").exit_code == 0


def test_a_file_that_is_not_there_is_told(kept: Path, tmp_path: Path) -> None:
    """One line for a missing file, for every command; nothing is made in its place."""
    missing = tmp_path / "missing"
    assert one_error(run("verify", str(missing))) == f"There is no file {missing}."
    assert one_error(run("restore", str(missing))) == f"There is no file {missing}."
    elsewhere = ["--instance", str(missing)]
    for command in (["backup", str(tmp_path / "copy")], ["verify"]):
        assert one_error(run(*command, *elsewhere)).startswith("There is no file")
    assert "cannot be written" in one_error(run("backup", str(missing / "deeper")))
    assert "is a folder" in one_error(run("backup", str(tmp_path)))
    assert not missing.exists()


def test_a_newer_book_is_told(kept: Path, tmp_path: Path) -> None:
    """It can be neither proved nor restored by a program that does not know its tables."""
    copy = tmp_path / "copy.sqlite"
    run("backup", str(copy))
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("INSERT INTO _sqlite_migrations VALUES (999, 'referee', 'm999', '')")
    for command in (["verify", str(copy)], ["restore", str(copy), "--force"]):
        assert "Update the program." in one_error(run(*command))
    assert run("verify").exit_code == 0


def test_every_fault_is_a_line(kept: Path) -> None:
    """A missing trigger and a sheet that cannot be played through are both told, exit 1."""
    ledger = Ledger(kept)
    ledger.append(2, 1, [Draft("play", '{"action":"sing"}', "k", "host", "")])
    ledger.close()
    with closing(sqlite3.connect(kept)) as raw, raw:
        raw.execute("DROP TRIGGER sheets_refuse_update")
    result = run("verify")
    assert result.exit_code == 1
    first, second, summary = result.stdout.splitlines()
    assert first == "Database: the trigger sheets_refuse_update is missing."
    assert second.startswith("Sheet 2: cannot be played through: “sing” is no entry")
    assert summary == f"{kept}: 2 sheets with 4 rows looked at, 2 faults found."


# --- all sheets


def test_the_whole_book_goes_out_and_in(kept: Path, tmp_path: Path) -> None:
    """One sheet a line, with its history; read in again it comes to the same."""
    printed = run("export", "--all")
    assert printed.exit_code == 0
    first, second = lines_of(printed)
    assert (first["game"], second["game"]) == ("multiple-9", "pink-nines")
    assert [row["kind"] for row in first["history"]] == ["play", "play"]
    elsewhere = ["--instance", str(tmp_path / "elsewhere")]
    said = run("import", "-", *elsewhere, given=printed.stdout)
    assert re.findall(r"^Kept as sheet (\d+)\.", said.stdout, re.MULTILINE) == ["1", "2"]
    assert run("export", "--all", *elsewhere).stdout == printed.stdout
    assert run("score", "--lines", given=printed.stdout).exit_code == 0


def test_the_whole_book_goes_to_a_folder(kept: Path, tmp_path: Path) -> None:
    """A file a sheet, each as `export` alone writes it; all of them can be read in at once."""
    folder = tmp_path / "out" / "deeper"
    said = run("export", "--all", "-o", str(folder))
    assert (said.exit_code, said.output) == (0, f"2 sheets written to {folder}.\n")
    files = sorted(folder.iterdir())
    assert [file.name[:16] for file in files] == ["0001-multiple-9-", "0002-pink-nines-"]
    assert files[0].read_text(encoding="utf-8") == run("export", "1").stdout
    assert run("import", *map(str, files)).stdout.count("Kept as sheet") == 2
    assert "cannot be written" in one_error(run("export", "--all", "-o", str(files[0])))


def test_a_sheet_that_cannot_be_opened_is_left_out(kept: Path) -> None:
    """It is named, the others are written, and the exit code says that one is missing."""
    ledger = Ledger(kept)
    ledger.append(1, 2, [Draft("play", '{"action":"sing"}', "k", "host", "")])
    ledger.close()
    result = run("export", "--all")
    assert result.exit_code == 1
    assert [sheet["game"] for sheet in lines_of(result)] == ["pink-nines"]
    assert result.stderr.startswith("Sheet 1 cannot be opened: “sing” is no entry")


def test_where_one_of_several_is_wrong_none_is_kept(instance: Path) -> None:
    """The line is named, with the exit code that the sheet alone would have."""
    for wrong, code, said in (
        (as_line(ILLEGAL), 1, "Line 3: Entry 3: “Dan” is not on this sheet."),
        ("{\n", 2, "Line 3: This is not a sheet file"),
    ):
        result = run("import", "-", given=as_line(SHEET) + "\n" + wrong)
        assert (result.exit_code, result.stdout) == (code, "")
        assert result.stderr.startswith(said)
    assert run("export").output == ""


# --- tables


def test_the_standings_as_a_table(kept: Path, tmp_path: Path) -> None:
    """On the screen, or in a file whose first bytes tell Excel that it is UTF-8."""
    printed = run("export", "2", "--csv")
    assert printed.exit_code == 0
    lines = printed.stdout_bytes.decode().split("\r\n")
    assert lines[0] == "entry,at,action,player,change,total,why"
    assert lines[1].endswith(",begin,Ann,0,35,")
    assert lines[4].split(",")[2:6] == ["out", "'=Ben", "-1", "34"]
    file = tmp_path / "out.csv"
    assert run("export", "2", "--csv", "-o", str(file)).output == ""
    assert file.read_bytes() == b"\xef\xbb\xbf" + printed.stdout_bytes


@pytest.mark.parametrize("args", [["--csv"], ["--all", "--csv"], ["1", "--all"]])
def test_what_does_not_go_together_is_told(kept: Path, args: list[str]) -> None:
    """One line says which words are too many, or which is missing."""
    assert one_error(run("export", *args))


def test_an_exported_correction_comes_back(instance: Path) -> None:
    """A sheet with an undone entry has the same history after a journey through a file."""
    ledger = Ledger(instance / "referee.sqlite")
    book = Book(ledger)
    link = book.begin("multiple-9", ["Ann", "Ben"], None, {})
    book.record(link, {"action": "out", "player": "Ann"}, 0, "a")
    book.undo(link, 1, "b")
    ledger.close()
    printed = run("export", "--all").stdout
    run("import", "-", given=printed)
    assert lines_of(run("export", "--all")) == [json.loads(printed)] * 2
