"""Fixtures: the host's phone of a club, and games that are over."""

import re
from collections.abc import Callable

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.phone import Phone, begin


class ClubPhone:
    """A phone that has opened a club through one of its links."""

    def __init__(self, client: FlaskClient, token: str) -> None:
        self.client = client
        self.token = token

    def get(self, place: str = "", **headers: str) -> TestResponse:
        """Open a page of the club."""
        return self.client.get(f"/c/{self.token}{place}", headers=headers)

    def post(self, place: str, **fields: object) -> TestResponse:
        """Send a form of the club."""
        return self.client.post(f"/c/{self.token}{place}", data=fields)

    def other(self, role: str) -> "ClubPhone":
        """Another phone, with the club's link of this role."""
        page = self.get(f"/share?code={role}").text
        found = re.search(r'value="https?://[^"]+/c/([\w-]+)"', page)
        assert found is not None
        return ClubPhone(self.client.application.test_client(), found[1])


def begin_club(client: FlaskClient, name: str = "Thursday table", **fields: str) -> ClubPhone:
    """Begin a club; returns a phone with its host link."""
    answer = client.post("/clubs", data={"name": name, **fields})
    assert answer.status_code == 303, answer.text
    return ClubPhone(client, answer.headers["Location"].rsplit("/", 1)[1])


@pytest.fixture
def club(client: FlaskClient) -> ClubPhone:
    """The host's phone of a club without games."""
    return begin_club(client)


#: Begins a game of the club among these people, the first of whom deals and wins it.
Won = Callable[..., Phone]


@pytest.fixture
def won(app: Flask, club: ClubPhone) -> Won:
    """Games of the club that are over."""

    def played(*players: str, client: FlaskClient | None = None) -> Phone:
        fields = {"club": club.token, "target": "1"}
        host = begin(client or club.client, "multiple-9", list(players), **fields)
        assert host.record({"action": "out", "player": players[0]}, 0).status_code == 303
        return host

    return played
