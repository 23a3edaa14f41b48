"""Corrections on the page: what they change is shown first, and nothing is erased."""

import re

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.support.phone import Phone, begin, words

ON_EITHER_ENGINE = True

PLAYERS = ["Ann", "Ben", "Cat"]


def tricks(*numbers: int) -> dict[str, object]:
    """The fields of a deal of Nine Five Two, in seating order."""
    return {"action": "tricks", **{f"tricks.{seat}": won for seat, won in enumerate(numbers)}}


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    """The host of Nine Five Two with two deals on the sheet."""
    host = begin(client, "nine-five-two", PLAYERS)
    host.record(tricks(11, 4, 1), after=0)
    host.record(tricks(4, 7, 5), after=1)
    return host


def confirm(phone: Phone, shown: TestResponse) -> TestResponse:
    """Press the button below the changes that are shown."""
    assert shown.status_code == 200, shown.text
    return phone.press(shown.text, sure="yes")


def test_an_amendment_is_shown_before_it_is_saved(phone: Phone) -> None:
    """The form comes filled in; the deal's page then has both contents."""
    filled = phone.get("/entries/1").text
    assert 'name="tricks.0" class="number"' in filled
    assert 'value="11"' in filled
    shown = phone.post("/entries/1", {**tricks(10, 5, 1), "after": 2, "why": "miscounted"})
    assert re.search(r"Deal 1, Ann</th><td>2</td><td><b>1</b>", shown.text)
    assert re.search(r"Ann’s total</th><td>4</td><td><b>3</b>", shown.text)
    assert phone.totals() == ["4", "−3", "−1"]
    assert confirm(phone, shown).status_code == 303
    assert phone.totals() == ["3", "−2", "−1"]
    page = phone.get("/deals/1").text
    assert "miscounted" in page
    assert re.search(r'class="struck">\s*Tricks: Ann 11, Ben 4, Cat 1', page)
    assert "Tricks: Ann 10, Ben 5, Cat 1" in page


def test_the_changes_shown_are_those_of_rows(client: FlaskClient) -> None:
    """A deal's points are those of its row; a penalty has a row of its own."""
    host = begin(client, "pink-nines", PLAYERS)
    host.record({"action": "out", "player": "Ben"}, after=0)
    late = {"action": "adjust", "player": "Ann", "to": "Cat", "points": -5, "reason": "late"}
    host.record(late, after=1)
    host.record({"action": "out", "player": "Cat"}, after=2)
    shown = host.post("/entries/1", {"action": "out", "player": "Ann", "after": 3}).text
    assert re.search(r"Deal 1, Ann</th><td>−1</td><td><b>2</b>", shown)
    assert re.search(r"Deal 1, Ben</th><td>2</td><td><b>−1</b>", shown)
    assert "Deal 2" not in shown
    shown = host.post("/entries/2", {**late, "points": -3, "after": 3}).text
    assert re.search(r"Penalty, Ann</th><td>−5</td><td><b>−3</b>", shown)
    assert "Deal 2" not in shown


def test_an_entry_is_removed_and_brought_back(phone: Phone) -> None:
    """It is struck through meanwhile; each time the changes are shown first."""
    asked = phone.post("/entries/1/void", {"why": "dealt again"})
    assert "Now Deal 3 Deal 2" in words(asked)
    assert "Remove it" in words(asked)
    assert confirm(phone, asked).status_code == 303
    assert phone.totals() == ["−5", "2", "3"]
    page = phone.get().text
    assert 'class="struck"' in page
    assert "dealt again" in page
    assert "Bring it back" in phone.get("/entries/1").text
    back = phone.post("/entries/3/void", {})
    assert "Bring it back</button>" in back.text
    assert confirm(phone, back).status_code == 303
    assert phone.totals() == ["4", "−3", "−1"]


def test_a_refused_amendment_stays_in_the_form(phone: Phone) -> None:
    """With its faults, and the reason that was typed."""
    answer = phone.post("/entries/1", {**tricks(11, 5, 1), "after": 2, "why": "hm"})
    assert answer.status_code == 422
    assert "17 tricks? A deal has 16." in answer.text
    assert 'value="hm"' in answer.text
    assert phone.post("/entries/1", {"action": "dance", "after": 2}).status_code == 422
    assert phone.post("/entries/1/void", {"why": "x" * 201}).status_code == 422


def test_all_faults_of_an_amendment_are_shown_at_once(phone: Phone) -> None:
    """A word instead of a number, too many tricks, an unknown suit: also in the preview."""
    sent = {**tricks(11, 4, 1), "tricks.0": "ten", "tricks.1": "17", "trump": "Q", "after": 2}
    for place, status in (("/entries/1", 422), ("/entries/1/preview", 200)):
        answer = phone.post(place, sent)
        assert answer.status_code == status
        assert "Ann’s tricks: “ten” isn’t a whole number." in answer.text
        assert "Ben can win 0 to 16 tricks, not 17." in answer.text
        assert "“Q” can’t be trumps." in answer.text


def test_a_correction_is_refused_if_the_sheet_has_grown_since(phone: Phone) -> None:
    """Its effect may be another now, so it is shown again."""
    shown = phone.post("/entries/1", {**tricks(10, 5, 1), "after": 2})
    phone.record(tricks(9, 5, 2), after=2)
    assert confirm(phone, shown).status_code == 409
    assert len(phone.file()["history"]) == 3


@pytest.mark.parametrize("place", ["/entries/9", "/entries/0", "/entries/x"])
def test_a_missing_entry_is_a_404(phone: Phone, place: str) -> None:
    """Beyond the last row, before the first, and no number."""
    assert phone.get(place).status_code == 404


def test_the_reason_why_an_entry_cannot_be_removed_is_beside_that_button(
    client: FlaskClient,
) -> None:
    """Not in the form for amending it, in which nothing is wrong."""
    host = begin(client, "multiple-9", PLAYERS)
    for after, player in enumerate(["Ben", "Cat"]):
        host.record({"action": "turn", "player": player, "cards": ""}, after=after)
    refused = host.post("/entries/1/void", {})
    assert refused.status_code == 422
    correction, _, removal = refused.text.partition("Show what this changes")
    assert "would then break a rule" not in correction
    assert "This can’t be removed" in removal
    assert "It’s Ben’s turn, not Cat’s." in removal
    assert "Remove this…" in removal


@pytest.mark.parametrize(
    ("ann", "cat", "chosen"),
    [
        ({"plain": "2"}, {"plain": "2+1", "red_nines": ""}, "count"),
        ({"": "KS QH"}, {"": "8C"}, "cards"),
        ({"": "KS QH"}, {"plain": "2+1"}, ""),
    ],
)
def test_a_correction_opens_the_input_mode_that_was_used(
    client: FlaskClient, ann: dict[str, str], cat: dict[str, str], chosen: str
) -> None:
    """Cards or numbers; both if both were used. Names and switches are filled in."""
    host = begin(client, "red-nines-1881", PLAYERS)
    fields: dict[str, object] = {"action": "out", "player": "Ben", "red_nine": "true"}
    for seat, hand in ((0, ann), (2, cat)):
        fields |= {f"hands.{seat}.{part}".rstrip("."): held for part, held in hand.items()}
    assert host.record(fields, after=0).status_code == 303
    page = host.get("/entries/1").text
    assert re.findall(r'name="how" value="(\w+)" checked', page) == ([chosen] if chosen else [])
    assert re.search(r'value="Ben" data-seat="1"[^>]* checked', page)
    assert 'name="red_nine" value="true" checked' in page
    assert "plain" in ann or re.search(r'name="hands.0"[^>]* value="KS QH"', page)
    assert "plain" not in cat or re.search(r'name="hands.2.plain"[^>]*value="3"', page)


def test_a_correction_that_later_entries_rest_on_cannot_be_undone(client: FlaskClient) -> None:
    """Without it they would break a rule; the page says which."""
    host = begin(client, "nine-five-two", PLAYERS, target="2")
    host.record(tricks(11, 4, 1), after=0)
    assert (
        confirm(host, host.post("/entries/1", {**tricks(10, 5, 1), "after": 1})).status_code == 303
    )
    host.record(tricks(2, 9, 5), after=2)
    refused = host.post("/entries/2/void", {})
    assert refused.status_code == 422
    assert "The game is over." in refused.text
    assert "Tricks: Ann 10, Ben 5, Cat 1" in refused.text
