"""Pages of processes on one database."""

import time
from pathlib import Path

from referee.settings import Settings
from referee.web.app import create_app
from tests.extras.postgres.cluster import Cluster
from tests.support.phone import begin
from tests.support.until import until


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
