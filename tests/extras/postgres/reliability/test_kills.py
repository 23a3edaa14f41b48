"""Several processes on one PostgreSQL, any of them killed: acknowledged entries are stored once."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from referee.ledger.integrity import faults_in
from referee.ledger.store import Ledger
from referee.sheets.audit import audit
from tests.extras.postgres.cluster import Cluster
from tests.reliability.writers import WRITERS, Writers
from tests.support.campaign import SEED, usual_or_nightly
from tests.support.server import Server

PROCESSES = 3
KILLS = usual_or_nightly(2, 200)
FAILOVERS = usual_or_nightly(1, 20)


@pytest.fixture
def new_cluster() -> Iterator[Callable[[], Cluster]]:
    """A function that makes a server that syncs to disk and can be killed."""
    made = list[Cluster]()

    def make() -> Cluster:
        made.append(Cluster(durable=True))
        return made[-1]

    yield make
    for one in made:
        one.end()


def kill_one(servers: list[Server], cluster: Cluster, rng: random.Random) -> None:
    """Kill a process or the database, and restart it."""
    if rng.random() < 0.3:
        cluster.stop("immediate")
        time.sleep(rng.random() / 2)
        cluster.start()
    else:
        one = rng.choice(servers)
        one.kill()
        one.start()


@contextmanager
def writing_to(address: str, folder: Path) -> Iterator[tuple[list[Server], Writers]]:
    """Run three processes and eight writers; check that acknowledged entries are stored once."""
    ledger = Ledger(address)
    servers = [
        Server(folder / str(number), "--database", address, "--name", "")
        for number in range(PROCESSES)
    ]
    try:
        writers = Writers(ledger, servers)
        try:
            yield servers, writers
            writers.wait_for(8)
        finally:
            writers.end()
    finally:
        for one in servers:
            one.stop()
    print(f"{writers.number()} acknowledged")
    ledger = Ledger(address)  # that one may just have met the database's restart
    for sheet, keys in writers.acknowledged.items():
        written = [row.key for row in ledger.rows(sheet)]
        assert len(written) == len(set(written))
        assert keys.keys() <= set(written)
        assert len(written) - len(keys) <= WRITERS  # at most one each was not answered at the end
    assert faults_in(ledger.engine) == []
    assert audit(ledger).faults == ()


def test_acknowledged_entries_are_stored_once_despite_kills(
    new_cluster: Callable[[], Cluster], tmp_path: Path
) -> None:
    """Of any process, and of the database, at any moment."""
    rng, cluster = random.Random(SEED), new_cluster()
    with writing_to(cluster.address(), tmp_path) as (servers, writers):
        for _ in range(KILLS):
            writers.wait_for(rng.randrange(40))
            kill_one(servers, cluster, rng)


def test_a_standby_takes_over(new_cluster: Callable[[], Cluster], tmp_path: Path) -> None:
    """The processes have one address for both, and are not restarted."""
    primary, standby = new_cluster(), new_cluster()
    standby.stop()
    standby.follow(primary)
    both = f"host={primary.folder},{standby.folder}&target_session_attrs=read-write"
    with writing_to(f"postgresql://referee@/postgres?{both}", tmp_path) as (_, writers):
        for _ in range(FAILOVERS):
            writers.wait_for(20)
            primary.stop("immediate")
            standby.promote()
            primary, standby = standby, primary
            writers.wait_for(8)
            standby.follow(primary)
