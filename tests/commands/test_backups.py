"""Copies of the score book, and whether it is intact: what is printed, how it ends, what is left.

The book may be whole, damaged, of another program, or changed by somebody's hand.
"""

import json
import re
import sqlite3
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.comparison import NewSettings
from tests.support.books import play
from tests.support.command_line import PINK, SHEET, as_line, one_error, run
from tests.support.server import Server


def test_an_evening_with_a_spilled_glass(database: Path, tmp_path: Path) -> None:
    """Backed up, lost, restored and verified: the book is as it was."""
    copy = tmp_path / "copy.sqlite"
    said = run("backup", str(copy))
    assert (said.exit_code, said.output) == (0, f"Copied 2 sheets with 3 rows to {copy}.\n")
    before = run("export", "--all").stdout
    database.unlink()
    said = run("restore", str(copy))
    assert (said.exit_code, said.output) == (0, f"Restored 2 sheets with 3 rows from {copy}.\n")
    said = run("verify")
    assert said.exit_code == 0
    assert said.stdout == f"{database} is intact: 2 sheets with 3 rows, all played through.\n"
    assert run("export", "--all").stdout == before
    assert run("verify", str(copy)).stdout.startswith(f"{copy} is intact: 2 sheets")


def test_a_book_with_sheets_is_kept_beside(database: Path, tmp_path: Path) -> None:
    """Restoring over a book that is in use needs --force, and says where the old one is."""
    copy = str(tmp_path / "copy.sqlite")
    run("backup", copy)
    run("import", "-", given=json.dumps(SHEET))
    assert "holds 3 sheets. Use --force to restore" in one_error(run("restore", copy))
    assert "already exists. Use --force to replace it." in one_error(run("backup", copy))
    said = run("restore", copy, "--force")
    assert said.exit_code == 0
    found = re.search(r"The old score book is now (.*)\.\n", said.stdout)
    assert found is not None
    assert run("verify", found[1]).stdout.startswith(f"{found[1]} is intact: 3 sheets")
    assert len(run("export").stdout.splitlines()) == 2
    assert run("backup", copy, "--force").exit_code == 0


def test_while_it_is_served(
    instance: Path, database: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A book can be backed up, verified, and added to while it's served; not replaced."""
    monkeypatch.setattr(copies, "READ_SECONDS", 0.01)
    copy = str(tmp_path / "copy.sqlite")
    served = Server(instance)
    try:
        assert run("backup", copy).exit_code == 0
        assert run("verify").exit_code == 0
        imported = run("import", "-", given=as_line(PINK)).stdout
        with urllib.request.urlopen(served.address + re.findall(r"/s/\S+", imported)[0]) as page:
            assert "Pink Nines" in page.read().decode()
        assert "is in use. Stop `referee` first" in one_error(run("restore", copy, "--force"))
        assert run("verify", copy).exit_code == 0
    finally:
        served.stop()


# --- what is no book, or not as it should be


@pytest.mark.parametrize("content", [b"no book", b"", b"no database, but something else" * 99])
def test_a_file_that_is_no_book_is_told(database: Path, tmp_path: Path, content: bytes) -> None:
    """Restoring it is refused, with one line; verifying it says what is wrong, exit 1."""
    file = tmp_path / "copy.sqlite"
    file.write_bytes(content)
    for force in ([], ["--force"]):
        assert "is damaged or isn’t a score book" in one_error(run("restore", str(file), *force))
    result = run("verify", str(file))
    assert result.exit_code == 1
    assert result.output
    assert file.read_bytes() == content
    assert run("verify").exit_code == 0


def test_a_file_that_is_not_there_is_told(database: Path, tmp_path: Path) -> None:
    """One line for a missing file, for every command; nothing is made in its place."""
    missing = tmp_path / "missing"
    assert one_error(run("verify", str(missing))) == f"There’s no file {missing}."
    assert one_error(run("restore", str(missing))) == f"There’s no file {missing}."
    elsewhere = ["--instance", str(missing)]
    for command in (["backup", str(tmp_path / "copy")], ["verify"]):
        assert one_error(run(*command, *elsewhere)).startswith("There’s no file")
    assert "can’t be written" in one_error(run("backup", str(missing / "deeper")))
    assert "is a folder" in one_error(run("backup", str(tmp_path)))
    assert not missing.exists()


def test_a_newer_book_is_told(database: Path, tmp_path: Path) -> None:
    """It can be neither verified nor restored by a program that does not know its tables."""
    copy = tmp_path / "copy.sqlite"
    run("backup", str(copy))
    with closing(sqlite3.connect(copy)) as raw, raw:
        raw.execute("PRAGMA user_version = 999")
    for command in (
        ["verify", str(copy)],
        ["restore", str(copy)],
        ["restore", str(copy), "--force"],
    ):
        assert "Update the program" in one_error(run(*command))
    assert run("verify").exit_code == 0


def test_every_fault_is_a_line(database: Path) -> None:
    """A missing trigger and a sheet that cannot be played through are both told, exit 1."""
    with closing(Ledger(database)) as ledger:
        ledger.append(2, 1, [play("k", body='{"action":"sing"}')])
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("DROP TRIGGER sheets_refuse_update")
    result = run("verify")
    assert result.exit_code == 1
    first, second, summary = result.stdout.splitlines()
    assert first == "Database: The trigger sheets_refuse_update is missing."
    assert second.startswith(
        "Sheet 2: can’t be played through: Pink Nines has no entry called “sing”"
    )
    assert summary == f"{database}: 2 sheets with 4 rows checked, 2 faults found."


@pytest.fixture
def voided(database: Path) -> Path:
    """The book; on its first sheet a change of names was removed, by somebody's hand."""
    with closing(Ledger(database)) as ledger:
        book = Book(ledger)
        link = book.all_links()[0]
        settings = book.open(link).head.settings
        becomes = type(settings)(["Eve", "Zoë"], settings.dealer, settings.options)
        note = book.correct(link, NewSettings(becomes, {"Ann": "Eve"}), 2, "name")
        ledger.append(link.sheet, note, [play("void", kind="void", target=note)])
    return database


def test_restore_refuses_what_verify_faults(voided: Path, tmp_path: Path) -> None:
    """Each fault is a line; the book stays as it was. When forced, the old one is kept."""
    verified = run("verify")
    assert verified.exit_code == 1
    assert "Sheet 1: row 4 can’t change row 3." in verified.stdout
    copy = str(tmp_path / "copy.sqlite")
    assert run("backup", copy).exit_code == 0
    before = voided.read_bytes()
    refused = run("restore", copy)
    assert refused.exit_code == 1
    fault, error = refused.stderr.splitlines()
    assert fault == "Sheet 1: row 4 can’t change row 3."
    assert error == f"Error: {copy} has 1 fault. Use --force to restore it all the same."
    assert voided.read_bytes() == before
    assert run("restore", copy, "--force").exit_code == 0
    assert len(list(voided.parent.glob("referee-before-*.sqlite"))) == 1


def test_a_removed_note_keeps_no_other_sheet_from_being_imported(voided: Path) -> None:
    """`export --all` leaves out the history that would be refused, and says so."""
    whole = run("export", "--all")
    assert whole.exit_code == 1
    assert whole.stderr.startswith("Sheet 1 is exported without its history: ")
    first, second = (json.loads(line) for line in whole.stdout.splitlines())
    assert ("history" in first, "history" in second) == (False, True)
    assert first["players"] == ["Eve", "Zoë"]
    assert run("import", "-", given=whole.stdout).exit_code == 0


def test_cards_that_cannot_be_shown_are_verified(database: Path) -> None:
    """A voided entry whose cards are none is told, and not restored without a word."""
    file = {"referee": 1, "game": "colorado-nines", "players": ["Ann", "Ben"]}
    run("import", "-", given=json.dumps(file))
    body = '{"action":"grids","grids":{"Ann":"what","Ben":3}}'
    with closing(Ledger(database)) as ledger:
        ledger.append(3, 0, [play("play", body=body), play("void", kind="void", target=1)])
    said = run("verify")
    assert said.exit_code == 1
    assert said.stdout.startswith("Sheet 3: row 1 can’t be read (“what” in Ann’s grid")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sqlite_master SET sql = CAST(sql AS BLOB) WHERE name = 'trash'",
        "UPDATE sqlite_master SET sql = replace(sql, 'withdrawn', 'withdrawm')",
        "UPDATE sqlite_master SET sql = replace(sql, 'TABLE trash', 'TABLE crash')",
        "UPDATE sqlite_master SET sql = 'gibberish' WHERE name = 'entries'",
        "UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT) WHERE name = 'trash'",
        "UPDATE sqlite_master SET rootpage = 2",
    ],
)
def test_a_damaged_list_of_tables_is_told(database: Path, statement: str) -> None:
    """Whatever has become of it, that is said, and nothing breaks."""
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("PRAGMA writable_schema=ON")
        raw.execute(statement)
    for command in (["verify"], ["backup", str(database.parent / "copy")], ["export"]):
        said = run(*command)
        assert "Traceback" not in said.output
        assert said.exit_code == 1 or command == ["export"]
