"""PostgreSQL refuses to change or delete what was written, for every role."""

import psycopg
import pytest

from referee.ledger.errors import LedgerError, UnavailableError
from referee.ledger.store import Ledger
from tests.extras.postgres.cluster import ROLE, Cluster
from tests.ledger.test_kept_for_ever import KEPT, fill, kept
from tests.ledger.test_tables_of_extras import LEAGUES, here


@pytest.mark.parametrize("table", KEPT)
def test_no_table_can_be_truncated(postgres: Cluster, table: str) -> None:
    """Row triggers don't fire for TRUNCATE."""
    ledger = Ledger(postgres.fresh())
    fill(ledger)
    before = kept(ledger)
    with (
        pytest.raises(LedgerError, match="are kept for ever"),
        ledger.engine.writing() as writing,
    ):
        writing.execute(f"TRUNCATE {table} CASCADE")
    assert kept(ledger) == before


def schema_of(address: str) -> str:
    return address.rpartition("%3D")[2]


def test_a_role_that_may_only_insert_and_select_is_enough(postgres: Cluster) -> None:
    """`role.sql` grants it no more, so the triggers are a second guard."""
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


def test_such_a_role_makes_no_tables_for_a_new_extra(postgres: Cluster) -> None:
    """It says who can."""
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
    """Even for the owner of the tables."""
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
    """Even if that is off in the database."""
    with Ledger(postgres.fresh()).engine.writing() as writing:
        assert writing.execute("SHOW synchronous_commit").fetchone() == ("on",)
