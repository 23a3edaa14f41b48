"""Fixtures: a sheet of Multiple 9."""

import pytest
from flask.testing import FlaskClient

from tests.support.phone import Phone, begin


@pytest.fixture
def host(client: FlaskClient) -> Phone:
    """The host's phone of a sheet of Multiple 9: Ann deals, so Ben begins."""
    return begin(client, "multiple-9", ["Ann", "Ben", "Cat"])
