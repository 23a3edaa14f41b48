"""Several machines with one database behind nginx, with the configuration in `docs/deploy`."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

from referee.ledger.store import Ledger
from tests.extras.postgres.cluster import Cluster
from tests.reliability.writers import Writers
from tests.support.campaign import usual_or_nightly
from tests.support.proxy import Proxy
from tests.support.server import Server, ask
from tests.test_nginx import post, pytestmark

__all__ = ["pytestmark"]

TABLES = 6


def test_three_processes_share_one_postgresql(postgres: Cluster, tmp_path: Path) -> None:
    """One is killed and restarted while eight clients write; all show the same."""
    book = "--database", postgres.fresh(), "--name", ""
    proxy = Proxy(tmp_path, *(Server(tmp_path / machine, *book) for machine in "abc"))
    try:
        writers = Writers(Ledger(book[1]), [proxy])
        try:
            writers.wait_for(20)
            proxy.servers[0].kill()
            writers.wait_for(40)
            proxy.servers[0].start()
            writers.wait_for(20)
        finally:
            writers.end()
        for sheet, keys in writers.acknowledged.items():
            for address in (proxy.address, *(one.address for one in proxy.servers)):
                page = ask(address, f"/s/{writers.tokens[sheet]}").text
                assert f'data-seq="{len(keys)}-' in page
    finally:
        proxy.stop()


def test_restarting_processes_in_turn_refuses_nobody(postgres: Cluster, tmp_path: Path) -> None:
    """While tables record and phones poll."""
    book = "--database", postgres.fresh(), "--name", ""
    proxy = Proxy(tmp_path, *(Server(tmp_path / machine, *book) for machine in "abc"))
    over = Event()

    def evening(table: int) -> list[int]:
        names = {"name": ["Ann", "Ben"], "dealer": "0", "target": "0", "key": f"t{table}"}
        sheet = post(proxy.address, "/new/multiple-9", names)
        statuses = list[int]()
        while not over.is_set():
            seq = statuses.count(303)
            entry = {"action": "out", "player": "Ann", "after": seq, "key": f"k{seq}"}
            statuses.append(ask(proxy.address, f"{sheet}/entries", entry).status)
            statuses.append(ask(proxy.address, f"{sheet}/board").status)
        return statuses

    try:
        with ThreadPoolExecutor(TABLES) as pool:
            evenings = [pool.submit(evening, table) for table in range(TABLES)]
            try:
                for one in proxy.servers * usual_or_nightly(1, 4):
                    one.stop()
                    one.start()
            finally:
                over.set()
        statuses = Counter(status for one in evenings for status in one.result())
    finally:
        proxy.stop()
    assert statuses.keys() == {200, 303}, statuses
    assert statuses[303] > TABLES
