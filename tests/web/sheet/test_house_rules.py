"""House rules that ask the drawer for something more: only then, and it counts."""

from urllib.parse import parse_qsl

import pytest
from flask.testing import FlaskClient

from tests.support.phone import Phone, begin

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]

#: For each game: the house rule, the field that it asks for, an entry with it, and the scores.
ASKED = {
    "pink-nines": (
        {"card_payments": "true"}, "hands.1.plain",
        "action=out&player=Ann&red_nine=true&hands.1.plain=2&hands.2=K",
        "43 30 32",  # the stakes of the second deal are paid
    ),
    "colorado-nines": (
        {"going_out": "-5"}, "out",
        "action=grids&out=Ben&grids.0=12&grids.1=20&grids.2=30", "12 15 30",
    ),
    "9-of-a-kind": (
        {"forfeited_counts": "true"}, "deadwood",
        "action=forfeit&player=Ann&deadwood=3%2B4", "0 0 0 0 0",
    ),
    "red-nines": (
        {"must_announce": "true"}, "announced",
        "action=out&player=Ann&red_nine=true&announced=false&hands.1=2&hands.2=3&hands.3=4",
        "0 2 3 4",
    ),
    "nine-five-two": (
        {"no_trumps": "true"}, "trump",
        "action=tricks&tricks.0=10&tricks.1=4&tricks.2=2&trump=N", "1 −1 0",
    ),
}  # fmt: skip
SEATS = {"9-of-a-kind": 5, "red-nines": 4}


def begun(client: FlaskClient, slug: str, options: dict[str, str]) -> Phone:
    """A sheet with these house rules."""
    return begin(client, slug, NAMES[: SEATS.get(slug, 3)], **options)


def asks_for(page: str, slug: str, field: str) -> bool:
    """Whether a page has a control for what the house rule wants to know."""
    wanted = f'name="{field}" value="N"' if slug == "nine-five-two" else f'name="{field}"'
    return wanted in page


@pytest.mark.parametrize("slug", ASKED)
def test_the_drawer_asks_for_it_only_by_the_house_rule(client: FlaskClient, slug: str) -> None:
    """Without the house rule nobody is bothered with it."""
    options, field, entry, scores = ASKED[slug]
    plain, phone = begun(client, slug, {}), begun(client, slug, options)
    assert not asks_for(plain.get("/record").text, slug, field)
    assert asks_for(phone.get("/record").text, slug, field)
    answer = phone.record(dict(parse_qsl(entry)), after=0)
    assert answer.status_code == 303, answer.text
    sheet = phone.file()
    assert sheet["entries"][0][field.partition(".")[0]] is not None
    assert asks_for(phone.get("/entries/1").text, slug, field)
    assert phone.totals() == scores.split()


def test_what_changes_no_result_is_not_asked(client: FlaskClient) -> None:
    """Four queens and three jacks can be the best hand in a file; no page offers a dead switch.

    A sheet that has agreed on it says so, and keeps it when its settings are changed.
    """
    says = "beats other hands of nine nines"
    phone = begin(client, "multiple-9-holdem", NAMES[:3])
    for page in ("/settings", "/more", "/referee/showdown", "/referee/odds"):
        assert says not in phone.get(page).text, page
    assert says not in client.get("/new/multiple-9-holdem").text
    assert "House rules" not in phone.get("/referee/showdown").text
    agreed = begin(client, "multiple-9-holdem", NAMES[:3], royal="true")
    assert says in agreed.get("/settings").text
    assert says in agreed.get("/more").text


def test_who_cannot_pay_is_seen_to_be_out(client: FlaskClient) -> None:
    """The next deal goes to the others; to buy counters, one has to join again first."""
    options = {"cannot_pay": "out", "counters": "5", "red_nine_pool": "0"}
    phone = begin(client, "red-nines-1881", NAMES[:3], **options)
    out = {"action": "out", "player": "Ann", "hands.1.plain": "6", "hands.2.plain": "1"}
    assert phone.record(out, after=0).status_code == 303
    for page in ("", "/board", "/more", "/standings.csv", "/settings", "/settle"):
        assert phone.get(page).status_code == 200, page
    assert "Cat deals 20 each" in phone.board()
    buy = {"action": "buy", "player": "Ben", "amount": "5"}
    assert phone.record(buy, after=1).status_code == 422
    back = {"action": "join", "player": "Ben", "left_of": "Ann"}
    assert phone.record(back, after=1, key="back").status_code == 303
    assert "Cat deals 13 each" in phone.board()
