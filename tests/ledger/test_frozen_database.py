"""A database that hangs without a word: nobody waits for it for long, and it is found again."""

import gc
import time
import weakref
from threading import Thread
from unittest import mock

import pytest
from psycopg_pool import ConnectionPool

from referee.ledger.engine import lock_of
from referee.ledger.errors import UnavailableError
from referee.ledger.postgres import PostgresEngine
from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT, play
from tests.support.postgres import Cluster

SLOW = "SELECT 1 FROM pg_sleep(?)"


def test_nobody_waits_for_long(postgres: Cluster) -> None:
    """With several open connections: none of them holds a thread."""
    ledger = Ledger(postgres.fresh())
    ledger.create_all([NewSheet("{}", [("host", "h")], AT)])
    at_once = [Thread(target=ledger.engine.read, args=(SLOW, 0.3)) for _ in range(3)]
    for one in at_once:
        one.start()
    for one in at_once:
        one.join()
    with postgres.frozen():
        began = time.monotonic()
        with pytest.raises(UnavailableError):
            ledger.newest(1)
        assert time.monotonic() - began < 6
        began = time.monotonic()
        for _ in range(20):
            with pytest.raises(UnavailableError):
                ledger.newest(1)
        assert time.monotonic() - began < 6
    give_up = time.monotonic() + 20
    while time.monotonic() < give_up:
        try:
            assert ledger.append(1, 0, [play("a")]).seq == 1
            break
        except UnavailableError:
            time.sleep(0.05)
    assert ledger.newest(1) == 1


def test_a_long_outage_gathers_nothing(postgres: Cluster) -> None:
    """A pool of connections that found none is replaced, and is gone."""
    engine = Ledger(postgres.fresh()).engine
    assert isinstance(engine, PostgresEngine)
    with postgres.frozen():
        with pytest.raises(UnavailableError):
            engine.read("SELECT 1")
        given_up = [weakref.ref(one) for one in gc.get_objects() if isinstance(one, ConnectionPool)]
        with pytest.raises(UnavailableError):
            engine.read("SELECT 1")
    give_up = time.monotonic() + 20
    while any(one() is not None and one().closed for one in given_up):  # type: ignore[union-attr]
        assert time.monotonic() < give_up
        gc.collect()
        time.sleep(0.1)


def test_a_statement_has_an_end(postgres: Cluster) -> None:
    """One that was under way when the database stopped; its lock is free again, too."""
    engine = Ledger(postgres.fresh()).engine
    with mock.patch("referee.ledger.postgres.STATEMENT_SECONDS", 0.3):
        with pytest.raises(UnavailableError):
            engine.read(SLOW, 5)
        with pytest.raises(UnavailableError), engine.writing(lock_of(1)) as writing:
            writing.execute(SLOW, (1,))
    with engine.writing(lock_of(1)):
        assert engine.read("SELECT 1") == [(1,)]
    with engine.at_one_moment(), mock.patch("referee.ledger.postgres.STATEMENT_SECONDS", 0.1):
        assert engine.read(SLOW, 0.3) == [(1,)]
