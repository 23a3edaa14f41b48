"""A deal is gathered from the phones of those at the table, and recorded once all are in."""

from collections.abc import Mapping

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.phone import Phone, begin, first_in, words


class Seat(Phone):
    """A phone with a seat of its own, by the link that says Play."""

    def __init__(self, app: Flask, token: str, player: str) -> None:
        super().__init__(app.test_client(), token)
        self.player = player
        assert self.post("/seat/take", {"player": player}).status_code == 303

    def deal(self) -> str:
        """The deal that its pad is for."""
        return first_in(self.get("/seat?change=yes").text, r'name="deal" value="(-?\d+)"')

    def enter(self, fields: Mapping[str, object], deal: int = 0) -> str:
        """Send a figure; returns where that leads, or what is wrong with it."""
        sent = {"seat_of": self.player, "deal": deal, **fields}
        answer = self.post("/seat/hand", sent)
        return answer.headers.get("Location", words(answer))


@pytest.fixture
def host(client: FlaskClient) -> Phone:
    return begin(client, "red-nines-1881", ["Ann", "Ben", "Cy", "Dot"])


@pytest.fixture
def seats(app: Flask, host: Phone) -> dict[str, Seat]:
    token = host.link("play")
    return {player: Seat(app, token, player) for player in ("Ann", "Ben", "Cy", "Dot")}


def test_the_last_figure_records_the_deal(host: Phone, seats: dict[str, Seat]) -> None:
    seats["Ann"].enter({"action": "out", "player": "Ann", "red_nine": "false"})
    seats["Ben"].enter({"action": "out", "hands.1.plain": "3"})
    seats["Cy"].enter({"action": "out", "hands.2.plain": "1"})
    assert host.file()["entries"] == []
    assert (
        seats["Dot"]
        .enter({"action": "out", "hands.3.plain": "2 + 9♦"})
        .endswith(seats["Dot"].token)
    )
    (entry,) = host.file()["entries"]
    assert entry["player"] == "Ann"
    assert entry["hands"]["Dot"] == {"plain": 2, "red_nines": 1}


def test_a_figure_that_cannot_be_is_refused_at_once(seats: dict[str, Seat]) -> None:
    assert "30" in seats["Ben"].enter({"action": "out", "hands.1.plain": "30"})
