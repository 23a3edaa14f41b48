"""Run those tests of the base that are for either engine on PostgreSQL as well."""

import os
from collections.abc import Iterator

import pytest

from tests.extras.postgres.cluster import POSTGRES, Cluster
from tests.support.optional import ENGINES, PROGRAMS

REQUIRED = os.environ.get("REFEREE_EXTRAS_TESTS") == "required"
NOT_INSTALLED = "no PostgreSQL is installed"

PROGRAMS[NOT_INSTALLED] = "TESTS ON POSTGRESQL", "PostgreSQL"
ENGINES["PostgreSQL"] = "postgres_address"


@pytest.fixture(scope="session")
def postgres() -> Iterator[Cluster]:
    """A PostgreSQL server shared by all tests."""
    if not POSTGRES and not REQUIRED:
        pytest.skip(NOT_INSTALLED)
    cluster = Cluster()
    yield cluster
    cluster.end()


@pytest.fixture
def postgres_address(postgres: Cluster) -> str:
    """The address of an empty database."""
    return postgres.fresh()
