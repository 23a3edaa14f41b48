"""A book that is not as it should be: what `verify`, `restore` and `export` make of it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.store import Draft, Ledger
from referee.sheets.book import Book
from referee.sheets.comparison import NewSettings
from tests.support.command_line import PINK, SHEET, as_line, run

AT = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def database(instance: Path) -> Path:
    """A closed book with two sheets in it, all in one file."""
    run("import", "-", given=as_line(SHEET) + as_line(PINK))
    return instance / "referee.sqlite"


@pytest.fixture
def voided(database: Path) -> Path:
    """The book; on its first sheet a change of names was removed, by somebody's hand."""
    with closing(Ledger(database)) as ledger:
        book = Book(ledger)
        link = book.all_links()[0]
        settings = book.open(link).head.settings
        becomes = type(settings)(["Eve", "Zoë"], settings.dealer, settings.options)
        note = book.correct(link, NewSettings(becomes, {"Ann": "Eve"}), 2, "name")
        ledger.append(link.sheet, note, [Draft("void", "{}", "void", "score", AT, note)])
    return database


def test_a_removed_note_is_told(voided: Path) -> None:
    """`verify` names the row."""
    said = run("verify")
    assert said.exit_code == 1
    assert "Sheet 1: row 4 can’t change row 3." in said.stdout


def test_a_removed_note_keeps_no_other_sheet_from_being_imported(voided: Path) -> None:
    """`export --all` leaves out the history that would be refused, and says so."""
    whole = run("export", "--all")
    assert whole.exit_code == 1
    assert whole.stderr.startswith("Sheet 1 is exported without its history: ")
    first, second = (json.loads(line) for line in whole.stdout.splitlines())
    assert ("history" in first, "history" in second) == (False, True)
    assert first["players"] == ["Eve", "Zoë"]
    assert run("import", "-", given=whole.stdout).exit_code == 0


def test_restore_refuses_what_verify_faults(voided: Path, tmp_path: Path) -> None:
    """Each fault is a line; the book stays as it was. When forced, the old one is kept."""
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


def test_cards_that_cannot_be_shown_are_verified(database: Path) -> None:
    """A voided entry whose cards are none is told, and not restored without a word."""
    file = {"referee": 1, "game": "colorado-nines", "players": ["Ann", "Ben"]}
    run("import", "-", given=json.dumps(file))
    body = '{"action":"grids","grids":{"Ann":"what","Ben":3}}'
    with closing(Ledger(database)) as ledger:
        drafts = [
            Draft("play", body, "play", "host", AT),
            Draft("void", "{}", "void", "host", AT, 1),
        ]
        ledger.append(3, 0, drafts)
    said = run("verify")
    assert said.exit_code == 1
    assert said.stdout.startswith("Sheet 3: row 1 can’t be read (“what” in Ann’s grid")


# --- left half done


def test_a_killed_restore_is_undone(database: Path, tmp_path: Path) -> None:
    """What it left is a journal of how the book was: reading the book brings that back."""
    whole = run("export", "--all").stdout
    with closing(sqlite3.connect(database, isolation_level=None)) as half_done:
        half_done.execute("PRAGMA journal_mode=DELETE")
        half_done.execute("PRAGMA cache_spill=1")
        half_done.execute("PRAGMA cache_size=1")
        half_done.execute("BEGIN EXCLUSIVE")
        half_done.execute("CREATE TABLE much (x)")
        half_done.executemany("INSERT INTO much VALUES (zeroblob(4000))", [()] * 400)
        for end in ("", "-journal"):
            content = Path(f"{database}{end}").read_bytes()
            (tmp_path / f"killed{end}").write_bytes(content)
    killed = tmp_path / "instance" / "referee.sqlite"
    assert killed == database
    for end in ("", "-journal"):
        (tmp_path / f"killed{end}").replace(f"{database}{end}")
    said = run("verify")
    assert (said.exit_code, said.stderr) == (0, "")
    assert run("export", "--all").stdout == whole


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
