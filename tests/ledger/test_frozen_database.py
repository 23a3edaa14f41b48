"""A database that hangs without a word: nobody waits for it for long, and it is found again."""

import socket
import time
from collections.abc import Callable
from threading import Thread
from unittest import mock

import pytest

from referee.ledger.engine import lock_of
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT, play
from tests.support.postgres import Cluster

SLOW = "SELECT 1 FROM pg_sleep(?)"


def until_it_answers(ask: Callable[[], object]) -> None:
    """Ask until the database can be reached."""
    give_up = time.monotonic() + 30
    while True:
        try:
            ask()
        except UnavailableError:
            assert time.monotonic() < give_up
            time.sleep(0.05)
        else:
            return


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
    until_it_answers(lambda: ledger.append(1, 0, [play("a")]))
    assert ledger.newest(1) == 1


def test_the_next_host_is_found(postgres: Cluster) -> None:
    """Where the first one says nothing: a connection takes longer than anybody waits for it."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        mock.patch.dict("referee.ledger.postgres._HABITS", connect_timeout=3),
    ):
        hosts = f"port={silent.getsockname()[1]},5432&host=127.0.0.1,"
        ledger = Ledger(postgres.fresh().replace("host=", hosts))
        until_it_answers(ledger.sheets)


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
