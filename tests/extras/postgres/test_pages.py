"""Pages of processes on one database."""

import time
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path

from flask import Flask

from referee.settings import Settings
from referee.web.app import create_app
from referee.web.context import state
from tests.extras.postgres.cluster import Cluster
from tests.support.phone import begin
from tests.support.until import until
from tests.web.site.test_moving import a_code, take


def test_the_health_check_says_that_the_database_is_away(postgres: Cluster, tmp_path: Path) -> None:
    """503 within seconds, while it is stopped or frozen."""
    client = create_app(Settings(tmp_path, database=postgres.fresh())).test_client()

    def status() -> int:
        began = time.monotonic()
        found = client.get("/health").status_code
        assert time.monotonic() - began < 30
        return found

    until(lambda: status() == 200)
    postgres.stop("immediate")
    try:
        assert status() == 503
        assert status() == 503
    finally:
        postgres.start()
    until(lambda: status() == 200)
    with postgres.frozen():
        assert status() == 503
    until(lambda: status() == 200)


def test_a_host_learns_that_backups_are_postgresqls(postgres: Cluster, tmp_path: Path) -> None:
    """This program makes none."""
    client = create_app(Settings(tmp_path, database=postgres.fresh())).test_client()
    page = begin(client, "pink-nines", ["Dan", "Eve"]).get("/more").text
    assert "The sheets are in a PostgreSQL database. Whoever runs that sees to its backups" in page
    assert "No backup yet" not in page


def test_a_code_works_on_machines_whose_clocks_differ(postgres: Cluster, tmp_path: Path) -> None:
    """By an hour: a code made on one works on the other, for ten minutes."""
    address, machines = postgres.fresh(), list[Flask]()
    for number in range(2):
        (tmp_path / str(number)).mkdir()
        machines.append(create_app(Settings(tmp_path / str(number), database=address)))
    slow = datetime.now(UTC) - timedelta(hours=1)
    state(machines[1]).book.now = lambda: slow.isoformat(timespec="seconds")
    codes = []
    for machine in machines:
        phone = machine.test_client()
        begin(phone, "pink-nines", ["Dan", "Eve"])
        codes.append(a_code(phone))
    for machine, code in product(machines, codes):
        assert machine.test_client().get(f"/move/{code}").status_code == 200
    for machine, code in zip(reversed(machines), codes, strict=True):
        assert take(machine.test_client(), code).status_code == 303
