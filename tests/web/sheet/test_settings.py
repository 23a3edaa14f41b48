"""Names, seats and house rules of a running sheet: what changes is shown, and history follows."""

from collections.abc import Mapping

import pytest
from flask.testing import FlaskClient

from tests.support.phone import Phone, begin

SETTINGS = {"was": ["Ann", "Ben", "Cat"], "name": ["Ann", "Ben", "Cat"], "dealer": "0"}


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """The host of Nine Five Two; Ann dealt and is 2 up, so is Ben after his deal."""
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    for after, tricks in enumerate([(11, 4, 1), (2, 11, 3)]):
        fields = {f"tricks.{seat}": won for seat, won in enumerate(tricks)}
        assert host.record({"action": "tricks", **fields}, after).status_code == 303
    return host


def test_a_new_name_is_carried_back(phone: Phone) -> None:
    """History follows a new name; the log keeps the old one as it was written."""
    fields = {**SETTINGS, "name": ["Anna", "Ben", "Ann"]}
    shown = phone.post("/settings", fields)
    assert "is now called" in shown.text
    assert phone.press(shown.text, sure="yes").status_code == 303
    after = phone.file()
    assert after["players"] == ["Anna", "Ben", "Ann"]
    assert after["entries"][0]["tricks"] == {"Anna": 11, "Ben": 4, "Ann": 1}
    assert after["history"][0]["entry"]["tricks"] == {"Ann": 11, "Ben": 4, "Cat": 1}
    page = phone.get("/entries/1").text
    assert 'value="11"' in page
    more = phone.record({"action": "trick", "winner": "Anna"}, 3)
    assert more.status_code == 303


def test_a_new_name_sent_again_is_given_once(phone: Phone) -> None:
    """Where the answer was lost and the form is sent again, it is one change, and told so."""
    fields = {**SETTINGS, "name": ["Anna", "Ben", "Cat"], "after": 2, "key": "anna", "sure": "1"}
    assert [phone.post("/settings", fields).status_code for _ in range(2)] == [303, 303]
    assert len(phone.file()["history"]) == 3
    refused = phone.post("/settings", {**fields, "name": ["Anja", "Ben", "Cat"], "key": "anja"})
    assert refused.status_code == 409
    assert "Nothing was changed: the sheet has moved on." in refused.text
    del fields["dealer"]
    assert phone.post("/settings", {**fields, "key": "late"}).status_code in (409, 422)


def test_other_seats_change_who_dealt(phone: Phone) -> None:
    """With other seats the targets of every deal are others: shown before, and then so."""
    moved = phone.post("/settings", {**SETTINGS, "do": "down:1"}).text
    assert moved.index('value="Cat"') < moved.index('value="Ben"')
    fields = {**SETTINGS, "was": ["Ann", "Cat", "Ben"], "name": ["Ann", "Cat", "Ben"]}
    shown = phone.post("/settings", fields)
    assert "Ben’s total" in shown.text
    assert phone.press(shown.text, sure="yes").status_code == 303
    assert phone.file()["players"] == ["Ann", "Cat", "Ben"]


def test_other_seats_alone_change_no_total(client: FlaskClient) -> None:
    """Players keep their points when they change seats."""
    host = begin(client, "multiple-9", ["Ann", "Ben"], target=9)
    host.record({"action": "out", "player": "Ann"}, 0)
    fields = {"was": ["Ben", "Ann"], "name": ["Ben", "Ann"], "dealer": "1", "target": "9"}
    shown = host.post("/settings", fields)
    assert shown.status_code == 200
    assert "’s total" not in shown.text


def test_house_rules_anew(phone: Phone) -> None:
    """A lower target can end the game, which is said before it does."""
    fields = {**SETTINGS, "target": "1"}
    refused = phone.post("/settings", fields)
    assert refused.status_code == 422
    assert "Deal 2 would then break a rule" in refused.text
    shown = phone.post("/settings", {**SETTINGS, "target": "3"})
    assert "won by" not in shown.text
    assert phone.press(shown.text, sure="yes").status_code == 303
    assert phone.file()["options"] == {"target": 3}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({**SETTINGS}, "It’s already like that."),
        ({**SETTINGS, "name": ["Ann", "Ann", "Cat"]}, "Two players are called"),
        ({**SETTINGS, "name": ["Ann", "", "Cat"]}, "1 to 24 characters"),
        ({**SETTINGS, "was": ["Ann", "Ben", "Zoe"]}, "aren’t those on the sheet"),
        ({**SETTINGS, "name": ["Ann", "Ben"]}, "aren’t those on the sheet"),
        ({**SETTINGS, "target": "many"}, "isn’t a whole number"),
        ({}, "aren’t those on the sheet"),
    ],
)
def test_settings_that_cannot_be(phone: Phone, fields: Mapping[str, object], said: str) -> None:
    """It is said why, and nothing is stored."""
    answer = phone.post("/settings", fields)
    assert answer.status_code == 422
    assert said in answer.text
    assert len(phone.file()["history"]) == 2
