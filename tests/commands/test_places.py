"""Addresses, folders and settings that cannot be used."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger import databases
from tests.support.books import NEWER, written
from tests.support.command_line import SHEET, one_error, run


@pytest.mark.parametrize("host", ["999.9.9.9", "no such host", "\udcff", ""])
def test_an_address_that_does_not_exist_is_refused(host: str) -> None:
    """In one line."""
    assert one_error(run("serve", "--host", host, "--port", "0")).startswith("Can’t listen on")


@pytest.mark.parametrize("command", [["serve", "--port", "0"], ["export"], ["import", "-"]])
def test_an_unusable_instance_folder_is_refused(
    tmp_path: Path, instance: Path, command: list[str]
) -> None:
    """Every command that needs the book says in one line why it can't be opened."""
    (tmp_path / "file").write_text("a file")
    given = json.dumps(SHEET)
    said = one_error(run(*command, "--instance", str(tmp_path / "file" / "deeper"), given=given))
    assert str(tmp_path / "file" / "deeper") in said
    (instance / "referee.sqlite").mkdir(parents=True)
    assert "can’t be opened" in one_error(run(*command, given=given))
    (instance / "referee.sqlite").rmdir()
    (instance / "referee.sqlite").write_bytes(b"no database, but something else" * 99)
    assert "is damaged or isn’t a score book" in one_error(run(*command, given=given))
    with closing(sqlite3.connect(written(instance / "newer.sqlite"))) as raw, raw:
        raw.execute(NEWER)
    (instance / "newer.sqlite").replace(instance / "referee.sqlite")
    assert "Update the program" in one_error(run(*command, given=given))


@pytest.mark.usefixtures("database")
@pytest.mark.parametrize("command", [["export"], ["status"]])
def test_an_unknown_database_address_is_refused(
    command: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By every command, without its password."""
    monkeypatch.setattr(databases, "engine_parts", lambda: ())
    address = "elsewhere://referee:secret@a.test/cards"
    told = one_error(run(*command, "--database", address))
    assert "nothing that is installed here opens such an address" in told
    assert "secret" not in told
    monkeypatch.setenv("REFEREE_DATABASE", address)
    assert "`database`: nothing that is installed" in one_error(run(*command))


def test_rulings_and_scores_need_no_instance_folder(tmp_path: Path) -> None:
    """One that can't be used doesn't matter."""
    (tmp_path / "instance").write_text("a file")
    assert run("check", "multiple-9", "discard", "cards=9 9").exit_code == 0
    assert run("score", given=json.dumps(SHEET)).exit_code == 0
