"""`backup`, `restore` and `verify`: what they print, their exit status, and the files they leave.

The book is intact, damaged, another program's, or edited by hand.
"""

import json
import re
import sqlite3
import urllib.request
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger.chain import Mark
from referee.ledger.store import Ledger
from referee.sheets.book import Book
from referee.sheets.comparison import NewSettings
from tests.support.books import NEWER, play, written
from tests.support.command_line import PINK, as_line, one_error, run
from tests.support.server import Server


def test_a_lost_book_is_restored_from_its_backup(database: Path, tmp_path: Path) -> None:
    """It is the same, and verified as intact."""
    copy = tmp_path / "copy.sqlite"
    said = run("backup", str(copy))
    assert (said.exit_code, said.output) == (0, f"Copied 2 sheets with 3 rows to {copy}.\n")
    assert "already exists. Use --force to replace it." in one_error(run("backup", str(copy)))
    assert run("backup", str(copy), "--force").exit_code == 0
    before = run("export", "--all").stdout
    database.unlink()
    said = run("restore", str(copy))
    assert (said.exit_code, said.output) == (0, f"Restored 2 sheets with 3 rows from {copy}.\n")
    said = run("verify")
    assert said.exit_code == 0
    assert said.stdout == f"{database} is intact: 2 sheets with 3 rows, all played through.\n"
    assert run("export", "--all").stdout == before
    assert "holds 2 sheets. Use --force to restore" in one_error(run("restore", str(copy)))
    old = set()
    for _ in range(2):
        said = run("restore", str(copy), "--force")
        old |= set(re.findall(r"The old score book is now (.*)\.\n", said.stdout))
    assert len(old) == 2
    for file in (*old, str(copy)):
        assert run("verify", file).stdout.startswith(f"{file} is intact: 2 sheets")


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


# --- no book, or a faulty one


def newer(file: Path) -> None:
    with closing(sqlite3.connect(written(file))) as raw, raw:
        raw.execute(NEWER)


@pytest.mark.parametrize(
    ("write", "told"),
    [
        (lambda file: file.write_bytes(b"no book"), "is damaged or isn’t a score book"),
        (lambda file: file.touch(), "is damaged or isn’t a score book"),
        (newer, "Update the program"),
        (lambda file: None, "There’s no file"),
    ],
)
@pytest.mark.usefixtures("database")
def test_a_file_that_is_no_book_is_refused(
    tmp_path: Path, write: Callable[[Path], object], told: str
) -> None:
    """`restore` refuses it in one line; `verify` says what is wrong, exit 1."""
    file = tmp_path / "copy.sqlite"
    write(file)
    for force in ([], ["--force"]):
        assert told in one_error(run("restore", str(file), *force))
    result = run("verify", str(file))
    assert result.exit_code == 1
    assert result.output
    assert run("verify").exit_code == 0
    assert one_error(run("verify", "--instance", str(tmp_path))).startswith("There’s no file")


def test_every_fault_is_a_line(database: Path) -> None:
    """A missing trigger, and a sheet that can't be played through; exit 1."""
    file = {"referee": 1, "game": "colorado-nines", "players": ["Ann", "Ben"]}
    run("import", "-", given=json.dumps(file))
    body = '{"action":"grids","grids":{"Ann":"what","Ben":3}}'
    with closing(Ledger(database)) as ledger:
        ledger.append(2, Mark(1), [play("k", body='{"action":"sing"}')])
        ledger.append(3, Mark(0), [play("play", body=body), play("void", kind="void", target=1)])
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("DROP TRIGGER sheets_refuse_update")
    result = run("verify")
    assert result.exit_code == 1
    first, second, third, summary = result.stdout.splitlines()
    assert first == "Database: The trigger sheets_refuse_update is missing."
    assert second.startswith(
        "Sheet 2: can’t be played through: Pink Nines has no entry called “sing”"
    )
    assert third.startswith("Sheet 3: row 1 can’t be read (“what” in Ann’s grid")
    assert summary == f"{database}: 3 sheets with 6 rows checked, 3 faults found."


def test_restore_refuses_a_backup_with_faults(database: Path, tmp_path: Path) -> None:
    """Each fault is a line, and the book is unchanged; if forced, the old one is kept."""
    with closing(Ledger(database)) as ledger:
        book = Book(ledger)
        link = book.all_links()[0]
        settings = book.open(link).head.settings
        becomes = type(settings)(["Eve", "Zoë"], settings.dealer, settings.options)
        note = book.correct(link, NewSettings(becomes, {"Ann": "Eve"}), Mark(2), "name")
        ledger.append(link.document, Mark(note), [play("void", kind="void", target=note)])
    verified = run("verify")
    assert verified.exit_code == 1
    assert "Sheet 1: row 4 can’t change row 3." in verified.stdout
    copy = str(tmp_path / "copy.sqlite")
    assert run("backup", copy).exit_code == 0
    before = database.read_bytes()
    refused = run("restore", copy)
    assert refused.exit_code == 1
    fault, error = refused.stderr.splitlines()
    assert fault == "Sheet 1: row 4 can’t change row 3."
    assert error == f"Error: {copy} has 1 fault. Use --force to restore it all the same."
    assert database.read_bytes() == before
    assert run("restore", copy, "--force").exit_code == 0
    assert len(list(database.parent.glob("referee-before-*.sqlite"))) == 1
    whole = run("export", "--all")
    assert whole.exit_code == 1
    assert whole.stderr.startswith("Sheet 1 is exported without its history: ")
    first, second = (json.loads(line) for line in whole.stdout.splitlines())
    assert ("history" in first, "history" in second) == (False, True)
    assert first["players"] == ["Eve", "Zoë"]
    assert run("import", "-", given=whole.stdout).exit_code == 0


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE sqlite_master SET sql = CAST(sql AS BLOB) WHERE name = 'trash'",
        "UPDATE sqlite_master SET sql = 'gibberish' WHERE name = 'entries'",
        "UPDATE sqlite_master SET name = CAST(x'ff' AS TEXT) WHERE name = 'trash'",
        "UPDATE sqlite_master SET rootpage = 2",
    ],
)
def test_a_damaged_list_of_tables_is_a_fault(database: Path, statement: str) -> None:
    """Without a traceback, whatever the damage."""
    with closing(sqlite3.connect(database)) as raw, raw:
        raw.execute("PRAGMA writable_schema=ON")
        raw.execute(statement)
    for command in (["verify"], ["backup", str(database.parent / "copy")], ["export"]):
        said = run(*command)
        assert "Traceback" not in said.output
        assert said.exit_code == 1 or command == ["export"]
