"""The cache of sheets in PostgreSQL is never older than two seconds, and mostly current."""

from collections.abc import Callable, Iterator
from functools import partial
from unittest import mock

import psycopg
import pytest

from referee.ledger.chain import Mark
from referee.ledger.engine import STALE_SECONDS
from referee.ledger.evenings import Evenings
from referee.ledger.links import renew_link
from referee.ledger.store import Glance, Ledger, NewSheet, Within, add_row
from tests.extras.postgres.cluster import PGBOUNCER, Cluster
from tests.ledger.test_tables_of_extras import LEAGUES, here
from tests.support.at_once import at_once
from tests.support.books import AT, play
from tests.support.until import until


@pytest.fixture
def address(postgres: Cluster) -> str:
    """The address of an empty database."""
    return postgres.fresh()


@pytest.fixture
def ledger(address: str) -> Iterator[Ledger]:
    """A ledger of two sheets that listens for changes, as when it is served."""
    ledger = Ledger(address)
    for number in (1, 2):
        ledger.create_all([NewSheet("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT)])
    for token in ("v1", "v2"):
        once_remembered(ledger, token)
    yield ledger
    ledger.close()


def remembered(ledger: Ledger, token: str) -> Glance | None:
    """The glance that is in memory; it is read afterwards, as by the page of a poll."""
    known = ledger.glance_at_once(token)
    if known is None:
        ledger.glance(token)
    return known


def shows(ledger: Ledger, newest: int) -> bool:
    """Whether a poll of the sheet at "v" gets the row `newest`."""
    return seq(ledger.glance_at_once("v") or ledger.glance("v")) == newest


def once_remembered(ledger: Ledger, token: str) -> Glance:
    """The glance, once it is in memory."""
    until(lambda: remembered(ledger, token) is not None)
    found = ledger.glance(token)
    assert found is not None
    return found


def seq(glance: Glance | None) -> int | None:
    """The newest row of a glance."""
    return None if glance is None else glance.mark.seq


def test_an_unchanged_sheet_needs_no_query(ledger: Ledger, address: str) -> None:
    """A row by another process is noticed, and invalidates only its sheet."""
    another = Ledger(address)
    with mock.patch.object(ledger.engine, "read", side_effect=AssertionError):
        until(lambda: seq(ledger.glance_at_once("v1")) == 0)
    another.append(1, Mark(0), [play("a")])
    until(lambda: seq(ledger.glance_at_once("v1")) != 0, STALE_SECONDS)
    until(lambda: seq(remembered(ledger, "v1")) == 1)
    with mock.patch.object(ledger.engine, "read", side_effect=AssertionError):
        until(lambda: seq(ledger.glance_at_once("v2")) == 0)


@pytest.mark.parametrize(
    "change",
    [
        lambda other: renew_link(other, 1, ("view", "new"), AT),
        lambda other: other.note_trash(1, "put", AT),
    ],
    ids=["withdrawn", "put away"],
)
def test_other_changes_are_noticed(
    ledger: Ledger, address: str, change: Callable[[Ledger], None]
) -> None:
    """A withdrawn link, and trashing a sheet."""
    before = once_remembered(ledger, "v1")
    change(Ledger(address))
    until(lambda: ledger.glance_at_once("v1") != before, STALE_SECONDS)
    after = ledger.glance("v1")
    assert after is None or after.trashed == AT


def test_a_note_on_a_document_is_noticed_on_its_sheets(address: str) -> None:
    """On those of a league, say, as it may change who is who."""
    with here(LEAGUES):
        ledger = Ledger(address)
    ledger.create_all([NewSheet("{}", [("host", "h1"), ("view", "v1")], AT)])
    (league,) = ledger.create_all([NewSheet("{}", [("host", "l")], AT, kind="league")])
    with ledger.engine.writing() as writing:
        add_row(writing, "league_sheets", {"sheet": 1, "league": league, "how": "home"})
    once_remembered(ledger, "v1")
    Ledger(address).append(league, Mark(0), [play("a")])
    noted = {"leagues": Within(league, 1)}
    until(lambda: (known := remembered(ledger, "v1")) is not None and known.within == noted)


def test_joining_an_evening_is_noticed(ledger: Ledger, address: str) -> None:
    """Though it writes no row on the sheet."""
    assert once_remembered(ledger, "v1").evening is None
    evening = Evenings(Ledger(address)).join([1, 2], AT)
    until(lambda: (known := remembered(ledger, "v1")) is not None and known.evening == evening)


def test_a_value_read_before_a_change_is_not_kept_after_it(ledger: Ledger) -> None:
    """As of a slow query that ends after somebody has written."""
    watched = ledger.engine.watched
    assert watched is not None
    moment = watched.moment()
    old = ledger.glance("v1")
    ledger.append(1, Mark(0), [play("a")])
    until(lambda: watched.moment() > moment)
    watched.keep("v1", [1], moment, old)
    assert ledger.glance_at_once("v1") is None


def test_a_cut_connection_makes_nothing_stale(ledger: Ledger, address: str) -> None:
    """While no notifications arrive, the database is queried."""
    listeners = "query = 'LISTEN referee' OR query LIKE 'SELECT pg_notify%'"
    query = f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {listeners}"
    with (
        psycopg.connect(address, autocommit=True) as connection,
        mock.patch("referee.extras.postgres.changes.AGAIN_SECONDS", 3),
    ):
        connection.execute(query.encode())
        ledger.append(1, Mark(0), [play("a")])
        until(lambda: seq(ledger.glance_at_once("v1")) != 0, STALE_SECONDS)
        assert seq(ledger.glance("v1")) == 1
    until(lambda: seq(remembered(ledger, "v1")) == 1)


@pytest.mark.skipif(PGBOUNCER is None, reason="PgBouncer is not installed")
def test_behind_a_pool_of_connections_nothing_is_stale(postgres: Cluster) -> None:
    """There notifications arrive only by chance, as connections are shared."""
    with postgres.behind_pgbouncer() as address:
        ledger, other = Ledger(address), Ledger(address)
        ledger.create_all([NewSheet("{}", [("view", "v")], AT)])
        at_once(lambda _: [ledger.glance("v") for _ in range(10)])
        for number in range(1, 11):
            other.append(1, Mark(number - 1), [play(f"{number}")])
            until(partial(shows, ledger, number), STALE_SECONDS)
        ledger.close()
        other.close()
