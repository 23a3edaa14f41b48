"""Commands with a book in PostgreSQL, and its setting."""

import json
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from referee.ledger.store import Ledger
from referee.settings import SettingsError, load
from tests.commands.conftest import instance
from tests.extras.postgres.cluster import Cluster
from tests.support.at_once import WRITERS, at_once
from tests.support.command_line import PINK, SHEET, as_line, one_error, run

__all__ = ["instance"]


@pytest.fixture
def address(postgres: Cluster, monkeypatch: pytest.MonkeyPatch) -> str:
    """A book with two sheets, whose address is in the environment."""
    address = postgres.fresh()
    monkeypatch.setenv("REFEREE_DATABASE", address)
    assert run("import", "-", given=as_line(SHEET) + as_line(PINK)).exit_code == 0
    return address


def test_import_export_verify_and_status_work(address: str) -> None:
    """As with a book in a file."""
    exported = [json.loads(line) for line in run("export", "--all").stdout.splitlines()]
    assert [sheet["players"] for sheet in exported] == [SHEET["players"], PINK["players"]]
    said = run("verify")
    place = address.partition("?")[0]
    assert said.stdout == f"{place} is intact: 2 sheets with 3 rows, all played through.\n"
    status = run("status").stdout
    assert status.startswith(f"Score book: {place}, 2 sheets with 3 rows, by PostgreSQL ")
    assert status.endswith("\nPostgreSQL’s own tools make its backups.\n")
    assert run("export", "1", "--database", address).stdout == run("export", "1").stdout


def test_an_address_is_shown_without_its_password(address: str, postgres: Cluster) -> None:
    """Whatever characters they contain."""
    named = [f"{one}&application_name=ann@home" for one in (address, postgres.fresh())]
    named = [one.replace("//referee@", "//referee:secret@") for one in named]
    book, target = (one.partition("?")[0].replace(":secret", "") for one in named)
    assert run("verify", "--database", named[0]).stdout.startswith(f"{book} is intact: ")
    assert run("status", "--database", named[0]).stdout.startswith(f"Score book: {book}, ")
    moved = run("move", "--to", named[1], "--database", named[0]).stdout
    assert f"to {target}, and compared every row." in moved


@pytest.mark.usefixtures("address")
def test_libraries_print_nothing() -> None:
    """Such as warnings while the program ends."""
    command = [sys.executable, "-m", "referee", "status"]
    assert subprocess.run(command, check=True, capture_output=True).stderr == b""


@pytest.mark.usefixtures("address")
@pytest.mark.parametrize("command", ["backup", "restore"])
def test_backup_and_restore_point_to_postgresqls_tools(tmp_path: Path, command: str) -> None:
    """A copied file would not be the book."""
    assert "pg_dump" in one_error(run(command, str(tmp_path / "copy")))


def test_a_changed_row_is_found(address: str) -> None:
    """As by a superuser, whom triggers don't stop."""
    with psycopg.connect(address) as connection:
        connection.execute("ALTER TABLE entries DISABLE TRIGGER entries_are_kept")
        connection.execute("UPDATE entries SET body = replace(body, 'late', 'early')")
        connection.execute("DELETE FROM entries WHERE sheet = 1 AND seq = 1")
    said = run("verify")
    assert said.exit_code == 1
    assert "Database: The trigger entries_are_kept is missing." in said.stdout
    assert "Database: Sheet 1 has 1 row, but its newest is row 2." in said.stdout
    assert "Database: Sheet 1: row 2 isn’t as it was written." in said.stdout


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        (
            "postgresql://referee:secret@127.0.0.1:1,127.0.0.1:2/cards",
            "postgresql://referee@127.0.0.1:1,127.0.0.1:2/cards can’t be opened: "
            "Connection refused.",
        ),
        ("postgresql://[/cards", "can’t be opened"),
        ("postgresql://referee:secret%zz@a.test/cards", "postgresql://referee@a.test/cards can’t"),
        ("postgresql://referee:secret@[::1/cards", "postgresql://referee@[::1/cards can’t"),
        ("postgresql://referee:my?secret@127.0.0.1:1/cards", "postgresql://referee@127.0.0.1:1/c"),
        ("postgresql://referee:my@secret@127.0.0.1:1/cards", "password, write %40 for @"),
        ("postgresql://referee:secret/my@127.0.0.1:1/cards", "password, write %40 for @"),
        ("postgresql://referee:my%40secret@127.0.0.1:1/cards", "Connection refused"),
        (
            "postgresql://referee:secret@127.0.0.1:1/cards?application_name=ann@home",
            "postgresql://referee@127.0.0.1:1/cards can’t be opened: Connection refused.",
        ),
        (
            "postgresql://127.0.0.1:1/cards?password=secret@home",
            "postgresql://127.0.0.1:1/cards can’t be opened: Connection refused.",
        ),
        ("postgresql://a.test/cards?nonsense=1", "postgresql://a.test/cards can’t be opened"),
        ("mysql://a.test", "should look like postgresql://"),
    ],
)
def test_a_database_that_cannot_be_opened_is_named(wrong: str, told: str) -> None:
    """One line says why, without the password."""
    said = one_error(run("export", "--database", wrong))
    assert told in said
    assert "secret" not in said


def test_a_database_that_is_not_utf_8_is_refused(postgres: Cluster) -> None:
    """With how to create one; also a role that may not make tables."""
    with psycopg.connect(postgres.address(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE old ENCODING 'SQL_ASCII' TEMPLATE template0")
        connection.execute("CREATE ROLE guest LOGIN")
    at = f"host={postgres.folder}"
    assert "createdb" in one_error(run("status", "--database", f"postgresql://referee@/old?{at}"))
    as_guest = postgres.address().replace("referee@", "guest@")
    assert "isn’t allowed to write" in one_error(run("status", "--database", as_guest))


def test_a_book_with_missing_tables_is_not_opened(postgres: Cluster, address: str) -> None:
    """They are named."""
    with psycopg.connect(address) as connection:
        connection.execute("DROP TABLE phone_links, trash")
    said = one_error(run("status"))
    assert "it lacks trash and phone_links" in said
    only_a_version = postgres.fresh()
    with psycopg.connect(only_a_version) as connection:
        connection.execute("CREATE TABLE referee_version (version INTEGER)")
    said = one_error(run("status", "--database", only_a_version))
    assert "it lacks sheets, entries, " in said


def test_a_replica_is_read_and_not_served(address: str) -> None:
    """As it would refuse every entry."""
    replica = f"{address}%20-cdefault_transaction_read_only%3Don"
    assert run("verify", "--database", replica).exit_code == 0
    said = one_error(run("serve", "--port", "0", "--database", replica))
    assert "can only be read. Name the host that can be written to" in said


def test_the_tables_are_made_once(postgres: Cluster) -> None:
    """Other processes that start at the same moment wait for that."""
    place = postgres.fresh()
    assert [ledger.sheets() for ledger in at_once(lambda _: Ledger(place))] == [[]] * WRITERS


def test_without_the_library_one_line_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a traceback."""
    monkeypatch.setitem(sys.modules, "psycopg", None)
    monkeypatch.delitem(sys.modules, "referee.extras.postgres.database", raising=False)
    said = one_error(run("export", "--database", "postgresql://a.test/cards"))
    assert "pip install" in said


@pytest.mark.parametrize(
    ("statement", "wrote"),
    [
        ("INSERT INTO referee_version VALUES (99)", "A newer"),
        ("ALTER TABLE club_sheets ADD why TEXT", "A newer"),
        ("ALTER TABLE club_sheets DROP move", "An older"),
    ],
)
def test_a_book_of_another_version_is_not_opened(address: str, statement: str, wrote: str) -> None:
    """By its version, or by other columns."""
    with psycopg.connect(address) as connection:
        connection.execute(statement)
    assert f"{wrote} version of Referee wrote this score book" in one_error(run("status"))


def test_the_setting_is_an_address(tmp_path: Path) -> None:
    """Scheduled backups of a file are refused with it."""
    assert load({"instance": tmp_path}, {}).book == tmp_path / "referee.sqlite"
    there = {"instance": tmp_path, "database": "postgresql://ann@cards.test/book"}
    assert load(there, {}).book == "postgresql://ann@cards.test/book"
    with pytest.raises(SettingsError, match="backup_every` is for a book in a file"):
        load({**there, "backup_every": "10m"}, {})
