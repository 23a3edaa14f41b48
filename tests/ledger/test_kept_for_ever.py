"""The databases themselves refuse to change or delete what was written."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import psycopg
import pytest

from referee.ledger.clubs import Clubs
from referee.ledger.errors import LedgerError, UnavailableError
from referee.ledger.evenings import Evenings
from referee.ledger.links import Handovers, PhoneLinks
from referee.ledger.store import Ledger, NewSheet
from tests.ledger.test_tables_of_extras import LEAGUES, here
from tests.support.books import AT, play
from tests.support.postgres import ROLE, Cluster

ON_EITHER_ENGINE = True
KEPT = ("sheets", "entries", "evenings", "evening_sheets", "club_sheets", "trash")


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger with an evening of two sheets; the first has plays `a` and `b`, and was put away."""
    fill(ledger)
    return ledger


def fill(ledger: Ledger) -> None:
    """Do everything once that a ledger can do."""
    ledger.create_all([NewSheet("{}", [("host", "h"), ("view", "v")], AT, [play("a")])])
    ledger.append(1, 1, [play("b")])
    evenings = Evenings(ledger)
    evenings.begin_next(1, 0, NewSheet("{}", [("host", "h2")], AT), "key")
    evenings.token(1, "evening", AT)
    evenings.part(1, [2], AT)
    evenings.join([1, 2], AT)
    evenings.leave_apart([1, 2], AT)
    ledger.create_all([NewSheet("{}", [("host", "h3")], AT, kind="club")])
    Clubs(ledger).put([1, 2], 3, AT)
    ledger.note_trash(1, "put", AT)
    ledger.renew_link(1, "view", "v2", AT)
    PhoneLinks(ledger).add("phone", ["h", "h2"], AT, 1)
    Handovers(ledger).offer("code", ["h"], "", AT)
    assert Handovers(ledger).take("code", "key", "phone", AT, 1) is not None


def schema_of(address: str) -> str:
    return address.rpartition("%3D")[2]


def kept(ledger: Ledger) -> list[list[Any]]:
    return [ledger.engine.read(f"SELECT * FROM {table} ORDER BY 1, 2") for table in KEPT]


def insert(values: str) -> str:
    return f"INSERT INTO entries VALUES {values}"


UPSERT = insert("(1, 2, 'play', NULL, '{}', 'c', 'host', '', '', '', '')") + (
    " ON CONFLICT (sheet, seq) DO UPDATE SET body = 'x'"
)


@pytest.mark.parametrize(
    "statement",
    [
        *(f"DELETE FROM {table}" for table in reversed(KEPT)),
        *(f"UPDATE {table} SET at = ''" for table in ("sheets", "entries", "evenings", "trash")),
        "UPDATE evening_sheets SET evening = NULL",
        "UPDATE club_sheets SET club = NULL",
        "UPDATE entries SET seq = 9 WHERE seq = 2",
        UPSERT,
    ],
)
def test_no_statement_changes_or_deletes_a_row(ledger: Ledger, statement: str) -> None:
    """Not even an upsert, in any thread."""
    before = kept(ledger)

    def refused() -> None:
        with (
            closing(ledger),
            pytest.raises(LedgerError, match="are kept for ever"),
            ledger.engine.writing() as writing,
        ):
            writing.execute(statement)

    refused()
    with ThreadPoolExecutor(1) as other:
        other.submit(refused).result()
    assert kept(ledger) == before


@pytest.mark.parametrize(
    ("book_address", "statement"),
    [
        ("SQLite", "REPLACE INTO sheets (id, kind, head, at) VALUES (1, 'sheet', '{}', '')"),
        (
            "SQLite",
            insert("(1, 2, 'play', NULL, '{}', 'z', 'host', '', '', '', '')").replace(
                "INSERT", "REPLACE"
            ),
        ),
        (
            "SQLite",
            insert("(1, 3, 'play', NULL, '{}', 'a', 'host', '', '', '', '')").replace(
                "INSERT", "REPLACE"
            ),
        ),
        *(("PostgreSQL", f"TRUNCATE {table} CASCADE") for table in KEPT),
    ],
    indirect=["book_address"],
)
def test_nor_does_one_that_only_one_engine_knows(ledger: Ledger, statement: str) -> None:
    """REPLACE and TRUNCATE."""
    before = kept(ledger)
    with (
        pytest.raises(LedgerError, match="are kept for ever"),
        ledger.engine.writing() as writing,
    ):
        writing.execute(statement)
    assert kept(ledger) == before


@pytest.mark.parametrize(
    "values",
    [
        "(1, 3, 'rub out', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 0, 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 3, 'void', 9, '{}', 'c', 'host', '', '', '', '')",
        "(9, 1, 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 'three', 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 3, 'play', NULL, NULL, 'c', 'host', '', '', '', '')",
    ],
    ids=["kind", "seq", "target", "sheet", "type", "body"],
)
def test_the_database_itself_refuses_nonsense(ledger: Ledger, values: str) -> None:
    """A row with an unknown kind, or a missing target, sheet or body, is not stored."""
    before = kept(ledger)
    with pytest.raises(LedgerError), ledger.engine.writing() as writing:
        writing.execute(insert(values))
    assert kept(ledger) == before


def test_a_role_that_may_only_insert_and_select_is_enough(postgres: Cluster) -> None:
    """`docs/deploy/postgresql-role.sql` makes it: the triggers need not even be asked."""
    owner = postgres.fresh()
    Ledger(owner)
    with psycopg.connect(owner) as connection:
        connection.execute("CREATE ROLE referee_server LOGIN")
    assert postgres.psql("-f", str(ROLE), owner) == 0
    ledger = Ledger(owner.replace("//referee@", "//referee_server@"))
    fill(ledger)
    for statement in ("UPDATE entries SET body = ''", "DELETE FROM sheets", "DELETE FROM links"):
        with pytest.raises(UnavailableError), ledger.engine.writing() as writing:
            writing.execute(statement)
    assert postgres.psql("-f", str(ROLE), postgres.fresh()) != 0, "without tables it fails, aloud"


def test_such_a_role_makes_no_tables_and_says_who_can(postgres: Cluster) -> None:
    """When an extra came after the tables were made."""
    owner = postgres.fresh()
    Ledger(owner)
    with psycopg.connect(owner) as connection:
        connection.execute("CREATE ROLE referee_guest LOGIN")
        tables = "SELECT, INSERT ON ALL TABLES IN SCHEMA"
        connection.execute(f"GRANT {tables} {schema_of(owner)} TO referee_guest".encode())
        connection.execute(f"GRANT USAGE ON SCHEMA {schema_of(owner)} TO referee_guest".encode())
    guest = owner.replace("//referee@", "//referee_guest@")
    Ledger(guest).close()
    with (
        here(LEAGUES),
        pytest.raises(UnavailableError, match="lacks the tables of leagues"),
    ):
        Ledger(guest)


@pytest.mark.parametrize("table", ["links", "evening_links"])
@pytest.mark.parametrize(
    "statement", ["UPDATE {table} SET withdrawn = NULL", "DELETE FROM {table}", "TRUNCATE {table}"]
)
def test_a_withdrawn_link_stays_withdrawn(postgres: Cluster, table: str, statement: str) -> None:
    """Even for the owner of the tables: nobody who was turned away gets back in."""
    ledger = Ledger(postgres.fresh())
    fill(ledger)
    there = ledger.engine.read(f"SELECT * FROM {table} WHERE withdrawn IS NOT NULL")
    assert there
    with (
        pytest.raises(LedgerError, match=r"are kept for ever|foreign key"),
        ledger.engine.writing() as writing,
    ):
        writing.execute(statement.format(table=table))
    assert ledger.engine.read(f"SELECT * FROM {table} WHERE withdrawn IS NOT NULL") == there


def test_an_entry_waits_for_the_disk(postgres: Cluster) -> None:
    """Even in a database where others do without."""
    with Ledger(postgres.fresh()).engine.writing() as writing:
        assert writing.execute("SHOW synchronous_commit").fetchone() == ("on",)
