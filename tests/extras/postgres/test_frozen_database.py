"""A database that hangs silently: nobody waits for it long, and it is found again."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from threading import Thread
from unittest import mock

import pytest

from referee.ledger.chain import Mark
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Ledger, NewSheet, lock_of
from tests.extras.postgres.cluster import Cluster
from tests.support.books import AT, play

NOT_LONG = 25  # seconds, on a machine with other work; twenty waits would take twice that
SLOW = "SELECT 1 FROM pg_sleep(?)"
#: A program that stops itself in a transaction, and prints the outcome once it is continued.
STOPPED = """
import os, signal, sys
from referee.ledger.store import lock_of
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Ledger, add_row
engine = Ledger(sys.argv[1]).engine
try:
    with engine.writing(lock_of(1)) as writing:
        add_row(writing, "trash", {"sheet": 1, "what": "put", "at": ""})
        os.kill(os.getpid(), signal.SIGSTOP)
except UnavailableError:
    print("unavailable")
"""


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


def test_nobody_waits_long_for_a_hanging_database(postgres: Cluster) -> None:
    """On none of several open connections."""
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
        assert time.monotonic() - began < NOT_LONG
        began = time.monotonic()
        for _ in range(20):
            with pytest.raises(UnavailableError):
                ledger.newest(1)
        assert time.monotonic() - began < NOT_LONG
    until_it_answers(lambda: ledger.append(1, Mark(0), [play("a")]))
    assert ledger.newest(1) == 1


def test_the_next_host_is_found_if_the_first_hangs(postgres: Cluster) -> None:
    """Though connecting takes longer than any request waits."""
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        mock.patch.dict("referee.extras.postgres.database._CONNECTION_OPTIONS", connect_timeout=3),
    ):
        hosts = f"port={silent.getsockname()[1]},5432&host=127.0.0.1,"
        ledger = Ledger(postgres.fresh().replace("host=", hosts))
        until_it_answers(ledger.sheets)


def test_a_statement_has_a_time_limit(postgres: Cluster) -> None:
    """Also one in progress when the database hangs; its lock is freed."""
    engine = Ledger(postgres.fresh()).engine
    with mock.patch("referee.extras.postgres.database.STATEMENT_SECONDS", 0.3):
        with pytest.raises(UnavailableError):
            engine.read(SLOW, 5)
        with pytest.raises(UnavailableError), engine.writing(lock_of(1)) as writing:
            writing.execute(SLOW, (1,))
    with engine.writing(lock_of(1)):
        assert engine.read("SELECT 1") == [(1,)]
    with (
        engine.at_one_moment(),
        mock.patch("referee.extras.postgres.database.STATEMENT_SECONDS", 0.1),
    ):
        assert engine.read(SLOW, 0.3) == [(1,)]


def test_a_frozen_process_loses_its_lock(postgres: Cluster) -> None:
    """As on a machine put to sleep: others can write, and its transaction is rolled back."""
    place = postgres.fresh()
    ledger = Ledger(place)
    ledger.create_all([NewSheet("{}", [("host", "h")], AT)])
    frozen = subprocess.Popen([sys.executable, "-c", STOPPED, place], stdout=subprocess.PIPE)
    try:
        _, status = os.waitpid(frozen.pid, os.WUNTRACED)
        assert os.WIFSTOPPED(status)
        assert ledger.append(1, Mark(0), [play("a")]).seq == 1
        frozen.send_signal(signal.SIGCONT)
        assert frozen.communicate(timeout=30)[0] == b"unavailable\n"
    finally:
        frozen.kill()
        frozen.wait()
    assert ledger.trashed(1) is None


def test_copying_a_whole_book_has_no_time_limit(postgres: Cluster) -> None:
    """Not between two statements, either."""
    source, target = Ledger(postgres.fresh()).engine, Ledger(postgres.fresh()).engine
    with (
        mock.patch("referee.extras.postgres.database.FROZEN_SECONDS", 0.2),
        source.at_one_moment(),
        target.writing("tables") as writing,
    ):
        source.read("SELECT 1")
        writing.executemany("INSERT INTO evenings (at) VALUES (?)", [("",)])
        target.read(SLOW, 0.5)
        source.read(SLOW, 0.5)
        assert target.read("SELECT count(*) FROM evenings") == [(1,)]
