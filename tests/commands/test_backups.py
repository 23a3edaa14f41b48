"""Copies of the score book, and whether it is intact: what is printed, and how it ends."""

import itertools
import json
import re
import sqlite3
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import backup as copies
from referee.ledger.store import Draft, Ledger
from tests.support.books import contents
from tests.support.command_line import PINK, SHEET, as_line, one_error, run
from tests.support.server import Server


@pytest.fixture
def database(instance: Path) -> Path:
    """The book with two sheets in it."""
    run("import", "-", given=as_line(SHEET) + as_line(PINK))
    return instance / "referee.sqlite"


@pytest.fixture
def served(instance: Path, database: Path) -> Iterator[Server]:
    """A server that has the book open."""
    running = Server(instance)
    yield running
    running.stop()


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
    served: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A book can be backed up, verified, and added to while it's served; not replaced."""
    monkeypatch.setattr(copies, "READ_SECONDS", 0.01)
    copy = str(tmp_path / "copy.sqlite")
    assert run("backup", copy).exit_code == 0
    assert run("verify").exit_code == 0
    imported = run("import", "-", given=as_line(PINK)).stdout
    with urllib.request.urlopen(served.address + re.findall(r"/s/\S+", imported)[0]) as page:
        assert "Pink Nines" in page.read().decode()
    assert "is in use. Stop `referee` first" in one_error(run("restore", copy, "--force"))
    assert run("verify", copy).exit_code == 0


@pytest.mark.parametrize("content", [b"no book", b"", b"no database, but something else" * 99])
def test_a_file_that_is_no_book_is_told(database: Path, tmp_path: Path, content: bytes) -> None:
    """Restoring it is refused, with one line; verifying it says what is wrong, exit 1."""
    file = tmp_path / "copy.sqlite"
    file.write_bytes(content)
    assert "is damaged or isn’t a score book" in one_error(run("restore", str(file), "--force"))
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
    for command in (["verify", str(copy)], ["restore", str(copy), "--force"]):
        assert "Update the program" in one_error(run(*command))
    assert run("verify").exit_code == 0


def test_every_fault_is_a_line(database: Path) -> None:
    """A missing trigger and a sheet that cannot be played through are both told, exit 1."""
    ledger = Ledger(database)
    ledger.append(2, 1, [Draft("play", '{"action":"sing"}', "k", "host", "")])
    ledger.close()
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


@pytest.mark.parametrize(
    "line",
    [
        ["backup", "copy"],
        ["restore", "kept", "--force"],
        ["verify"],
        ["import", "sheets"],
        ["export", "--all"],
    ],
    ids=lambda line: line[0],
)
def test_no_more_files_can_be_opened(database: Path, tmp_path: Path, line: list[str]) -> None:
    """Whichever of its files a command can't open, it says so in one line, and harms nothing."""
    resource = pytest.importorskip("resource", reason="this system has no such limit")
    run("backup", str(tmp_path / "kept"))
    (tmp_path / "sheets").write_text(as_line(SHEET), encoding="utf-8")
    command = [
        str(tmp_path / word) if word in ("copy", "kept", "sheets") else word for word in line
    ]
    run(*command)  # so that whatever it imports has been imported
    (tmp_path / "copy").unlink(missing_ok=True)
    before = contents(database)
    allowed = resource.getrlimit(resource.RLIMIT_NOFILE)
    refused = 0
    for limit in itertools.count(3):
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (limit, allowed[1]))
            result = run(*command)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, allowed)
        if result.exit_code == 0:
            break
        refused += 1
        one_error(result)
        assert contents(database) == before
        assert not (tmp_path / "copy").exists()
    assert refused > 1
