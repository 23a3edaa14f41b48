"""The line that says what was done last, and takes it back."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient
from msgspec import Struct

from referee.sheets.files import sheet_from
from tests.support.phone import Phone, begin
from tests.support.some_deals import all_called


def last_told(host: Phone) -> str:
    """The line that says what was done last, without its button; empty where nothing was."""
    said = re.search(r'id="toast".*?<p>(.*?)</p>', host.get().text, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", said[1]).split()) if said else ""


def take_back(host: Phone) -> None:
    """Press the button beside what was done last."""
    form = host.get().text.partition('id="toast"')[2]
    place = re.search(r'action="/s/[\w-]+([^"]+)"', form)
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form[: form.index("</form>")]))
    assert place is not None
    assert host.post(place[1], fields).status_code == 303


def test_what_was_done_last_is_told_and_can_be_taken_back(host: Phone) -> None:
    """Recorded, removed, brought back, corrected: one line each, and one button."""
    assert last_told(host) == ""
    host.record({"action": "out", "player": "Ben"}, after=0)
    assert last_told(host) == "Deal 1: Ben +1"
    take_back(host)
    assert last_told(host) == "Deal 1 removed"
    take_back(host)
    assert last_told(host) == "Deal 1 is back: Ben +1"
    sure = {"action": "out", "player": "Cat", "after": 3, "key": "changed", "sure": "yes"}
    assert host.post("/entries/1", sure).status_code == 303
    assert last_told(host) == "Deal 1 corrected: Cat +1"
    take_back(host)
    assert last_told(host) == "Deal 1 corrected: Ben +1"
    host.record({"action": "abandon", "reason": "misdeal"}, after=5)
    assert last_told(host) == "Called off and dealt again (misdeal)"


class Told(Struct, frozen=True):
    """What is told of the last of these entries, and of its removal."""

    slug: str
    players: int
    entries: list[dict[str, str]]
    recorded: str
    removed: str


TOLD = (
    Told(
        "red-nines-1881",
        4,
        [{"action": "aces", "player": "Ann"}],
        "Ann played both red aces",
        "Removed: Ann played both red aces",
    ),
    Told(
        "red-nines-1881",
        2,
        [
            {"action": "aces", "player": "Ann"},
            {"action": "out", "player": "Ann", "hands.1.plain": "3"},
        ],
        "Deal 1: Ann −3, Ben −3",  # nine of the dealer’s counters went into the pools
        "Removed: Ann went out",
    ),
    Told(
        "nine-five-two",
        3,
        [{"action": "tricks", "tricks.0": "9", "tricks.1": "5", "tricks.2": "2"}],
        "Deal 1: nobody scores",
        "Deal 1 removed",
    ),
    Told(
        "nine-five-two",
        3,
        [{"action": "trick", "winner": "Cat"}],
        "Cat won a trick",
        "Removed: Cat won a trick",
    ),
    Told(
        "colorado-nines",
        2,
        [{"action": "grids", "grids.0": "12", "grids.1": "7"}],
        "Round 1: Ben +7, Ann +12",
        "Round 1 removed",
    ),
    Told(
        "plain-score",
        2,
        [{"action": "adjust", "player": "Ann", "points": "-5", "reason": "slow play"}],
        "Ann −5 (slow play)",
        "Removed: Ann −5 (slow play)",
    ),
    Told(
        "plain-score",
        2,
        [{"action": "stop", "reason": "the last train"}],
        "The game was stopped (the last train)",
        "Removed: The game was stopped (the last train)",
    ),
    Told(
        "multiple-9-holdem",
        2,
        [{"action": "bet", "player": "Ann", "move": "raise", "to": "6"}],
        "Ann raised to 6",
        "Removed: Ann made it 6",
    ),
    Told(
        "9-of-a-kind",
        5,
        [{"action": "forfeit", "player": "Dan"}],
        "Dan made a false call and is out of the round",
        "Removed: Dan made a false call and is out of the round",
    ),
)


@pytest.mark.parametrize("told", TOLD, ids=lambda told: told.removed)
def test_what_was_done_last_is_told_in_a_sentence(client: FlaskClient, told: Told) -> None:
    """A whole deal goes by its number, a part of one by what happened."""
    host = begin(client, told.slug, ["Ann", "Ben", "Cat", "Dan", "Eve"][: told.players])
    for row, fields in enumerate(told.entries):
        host.record(fields, after=row)
    assert last_told(host) == told.recorded
    take_back(host)
    assert last_told(host) == told.removed


def test_a_line_that_is_too_long_drops_what_changed_least(client: FlaskClient) -> None:
    """Whoever lost most is named, though last."""
    host = begin(client, "plain-score", ["Ann", "Ben", "Cat", "Dan", "Eve"])
    points = {"points.0": 3, "points.1": 1, "points.2": -20, "points.3": 2, "points.4": 14}
    host.record({"action": "deal", **points}, after=0)
    assert last_told(host) == "Deal 1: Eve +14, Ann +3, Cat −20…"


def test_a_raise_is_no_bet(client: FlaskClient) -> None:
    """A move is called what it was, and in its correction, too; removed, it is only an amount."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    for row, (player, to) in enumerate([("Ann", 6), ("Ben", 200)]):
        host.record({"action": "bet", "player": player, "move": "raise", "to": to}, after=row)
        assert last_told(host) == f"{player} raised to {to}" + (", all in" if to == 200 else "")
    assert "Ben raised to 200, all in" in host.get("/entries/2").text
    take_back(host)
    assert last_told(host) == "Removed: Ben made it 200"


def test_a_showdown_is_told_of_somebody_who_took_a_place_in_the_hand(app: Flask) -> None:
    """Dan sits down for Ben before the cards are shown, and wins with them."""
    sheet = all_called(["Ann", "Ben", "Cat"])
    sheet["entries"] += [
        {"action": "replace", "player": "Ben", "by": "Dan"},
        {"action": "show", "hands": {"Ann": "8 7", "Dan": "K K", "Cat": ""}},
    ]
    host = app.extensions["referee"].book.take_in(sheet_from(sheet))
    page = app.test_client().get(f"/s/{host.token}")
    assert page.status_code == 200
    assert "<h2>Dan takes 6</h2>" in page.text
