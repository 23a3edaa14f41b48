"""Fixtures: a sheet, and phones with its links."""

from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from tests.support.phone import Phone, begin


@pytest.fixture
def host(client: FlaskClient) -> Phone:
    """The host's phone of a sheet of Multiple 9: Ann deals, so Ben begins."""
    return begin(client, "multiple-9", ["Ann", "Ben", "Cat"])


@pytest.fixture
def phone_with(app: object, host: Phone) -> Callable[[str], Phone]:
    """A function that returns another phone with the link of a role."""

    def open_with(role: str) -> Phone:
        return Phone(host.client.application.test_client(), host.link(role))

    return open_with
