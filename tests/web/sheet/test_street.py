"""A betting round recorded by one form: who folds, who raises; all others call."""

import json
import re

import pytest
from flask.testing import FlaskClient

from tests.support.phone import PARTIAL, Phone, begin, words

FIVE = ["Ann", "Ben", "Cat", "Dan", "Eve"]  # Ann has the button, Ben and Cat post the blinds


def moves(host: Phone) -> list[str]:
    """The moves on the sheet, in order: "Dan folds", "Eve raises to 6"."""
    found = json.loads(host.get("/sheet.json").text)["entries"]
    return [
        f"{one['player']} {one['move']}s" + (f" to {one['to']}" if "to" in one else "")
        for one in found
        if one["action"] == "bet"
    ]


def says(host: Phone, **told: object) -> str:
    """The button's words for these fields, or what is wrong with them."""
    return words(host.post("/preview", {"action": "street", **told}, **PARTIAL).text)


def test_everybody_who_is_not_named_calls(client: FlaskClient) -> None:
    """Each move becomes an entry of its own, in order of turns.

    Ben's blind is half of the call: what it costs isn't the same for all.
    """
    host = begin(client, "multiple-9-holdem", FIVE)
    assert says(host, folds=["Dan"]) == "The other 3 call Cat checks. 8 in the pot, then the flop"
    assert "Eve and Ann call 2 Cat" in says(host, folds=["Dan", "Ben"])
    assert host.record({"action": "street", "folds": ["Dan"]}, 0).status_code == 303
    assert moves(host) == ["Dan folds", "Eve calls", "Ann calls", "Ben calls", "Cat checks"]
    assert host.record({"action": "board", "cards": "J 7 9"}, 5).status_code == 303
    assert says(host) == "All 4 check 8 in the pot, then the turn"


def test_a_round_that_another_phone_has_recorded_is_refused(
    client: FlaskClient,
) -> None:
    """The board is due by then, and a tap in a drawer still open is answered."""
    host = begin(client, "multiple-9-holdem", FIVE)
    assert host.record({"action": "street", "folds": ["Dan"]}, 0).status_code == 303
    answer = host.post("/preview", {"action": "street", "after": 0, "folds": ["Eve"]}, **PARTIAL)
    assert answer.status_code == 200


def test_a_raise_comes_behind_the_calls_before_it(client: FlaskClient) -> None:
    """Then everybody is asked again, also those who were tapped to fold behind it."""
    host = begin(client, "multiple-9-holdem", FIVE)
    told = {"action": "street", "folds": ["Dan", "Cat"], "raises": "Ann", "to.0": "6", "to.4": "4"}
    assert says(host, **told) == (
        "Ann raises to 6 Eve calls 2, Dan folds before that pot 9 all in 200"
    )
    assert host.record(told, 0).status_code == 303
    assert moves(host) == ["Dan folds", "Eve calls", "Ann raises to 6"]
    assert "Ann raised to 6. Who folds?" in words(host.get("/record").text)
    assert host.record({"action": "street"}, 3).status_code == 303
    assert moves(host)[3:] == ["Ben calls", "Cat calls", "Eve calls"]


def test_whoever_has_called_the_blind_has_not_bet(client: FlaskClient) -> None:
    """The blinds need less than the others, so the question doesn't say what a call costs."""
    host = begin(client, "multiple-9-holdem", FIVE)
    assert host.record({"action": "bet", "player": "Dan", "move": "call"}, 0).status_code == 303
    assert "The bet is 2. Who folds?" in words(host.get("/record").text)
    for player in ("Eve", "Ann"):
        bet = {"action": "bet", "player": player, "move": "fold"}
        assert host.record(bet, len(moves(host))).status_code == 303
    assert host.record({"action": "bet", "player": "Ben", "move": "raise", "to": "6"}, 3).location
    assert "Ben raised to 6. Who folds?" in words(host.get("/record").text)


def test_a_round_with_a_fault_records_nothing(client: FlaskClient) -> None:
    """With too small a raise, say; the form stays as it was."""
    host = begin(client, "multiple-9-holdem", FIVE)
    told = {"action": "street", "folds": ["Dan"], "raises": "Eve", "to.4": "3"}
    assert "3? The smallest raise here is to 4." in says(host, **told)
    answer = host.record(told, 0)
    assert answer.status_code == 422
    assert "The smallest raise here is to 4." in answer.text
    assert re.search(r'name="folds" value="Dan"[^>]* checked', answer.text)
    assert re.search(r'name="raises" value="Eve"[^>]* checked', answer.text)
    assert re.search(r'name="to\.4"[^>]*\s+value="3"', answer.text)
    assert moves(host) == []
    unread = host.record({**told, "to.4": "a lot"}, 0)
    assert unread.status_code == 422
    assert "Eve’s total on this street" in unread.text
    assert moves(host) == []


def test_the_same_form_twice_is_one_street(client: FlaskClient) -> None:
    """A changed form with the same key is refused."""
    host = begin(client, "multiple-9-holdem", FIVE)
    for _ in range(2):
        assert host.record({"action": "street", "folds": ["Eve"]}, 0, "k").status_code == 303
    assert moves(host) == ["Dan calls", "Eve folds", "Ann calls", "Ben calls", "Cat checks"]
    assert host.record({"action": "street", "folds": ["Ann"]}, 0, "k").status_code == 409
    assert host.record({"action": "street", "folds": ["Ann"]}, 0, "j").status_code == 409
    assert len(moves(host)) == 5


def test_one_undo_takes_back_the_street(client: FlaskClient) -> None:
    """All its moves, and none recorded before."""
    host = begin(client, "multiple-9-holdem", FIVE)
    host.record({"action": "street", "raises": "Eve", "to.4": "6"}, 0)
    host.record({"action": "street", "folds": ["Ann", "Ben"]}, 2)
    assert len(moves(host)) == 6
    for _ in range(2):
        undone = host.post("/undo", {"after": 6})
        assert undone.status_code == 303
        assert moves(host) == ["Dan calls", "Eve raises to 6"]
    assert host.post("/undo", {"after": 10}).status_code == 303
    assert moves(host) == []


def test_entries_told_one_by_one_are_undone_one_by_one(client: FlaskClient) -> None:
    """Also if a program numbers their keys as a round's are."""
    host = begin(client, "multiple-9-holdem", FIVE)
    for after, player in enumerate(["Dan", "Eve"]):
        told = {"action": "bet", "player": player, "move": "fold"}
        assert host.record(told, after, f"k+{after}").status_code == 303
    assert host.post("/undo", {"after": 2}).status_code == 303
    assert moves(host) == ["Dan folds"]


def test_everybody_else_folds(client: FlaskClient) -> None:
    """Then the last one has won; not everybody can fold."""
    host = begin(client, "multiple-9-holdem", FIVE)
    assert says(host, folds=FIVE) == "Cat takes 2 everyone else folds"
    host.record({"action": "street", "folds": FIVE}, 0)
    assert moves(host) == ["Dan folds", "Eve folds", "Ann folds", "Ben folds"]
    assert "Hand 2" in words(host.get("/record").text)


@pytest.mark.parametrize("structure", ["no-limit", "pot-limit", "fixed-limit"])
def test_two_players_to_the_end(client: FlaskClient, structure: str) -> None:
    """Heads-up, raise by raise to the limit; then the board, without bets."""
    host = begin(client, "multiple-9-holdem", FIVE[:2], structure=structure, stack=20)
    form = host.get("/record").text
    while raises := re.findall(r'name="raises" value="(\w+)"', form):
        seat = FIVE.index(raises[0])
        stepped = re.search(
            rf'data-most="(\d+)"(?:(?!data-most).)*name="to\.{seat}"', form, re.DOTALL
        )
        fixed = re.search(rf'name="to\.{seat}" value="(\d+)"', form)
        highest = (stepped or fixed)[1]  # type: ignore[index]
        told = {"action": "street", "raises": raises[0], f"to.{seat}": highest}
        assert host.record(told, len(moves(host))).status_code == 303
        form = host.get("/record").text
    assert host.record({"action": "street"}, len(moves(host))).status_code == 303
    if structure == "fixed-limit":  # four bets before the flop do not take all
        assert moves(host)[-1].endswith("calls")
    else:
        assert "Nobody can bet anymore: 5 cards to come" in words(host.get().text)
        assert "Record the board" in host.get("/record").text


def test_a_short_stack_calls_with_what_it_has(client: FlaskClient) -> None:
    """An all-in for less is a call; players without chips aren't asked."""
    host = begin(client, "multiple-9-holdem", FIVE[:4], stack=10)
    host.record({"action": "hand", "won.0": "16", "lost.1": "10", "lost.2": "6"}, 0)
    host.record({"action": "street", "raises": "Ann", "to.0": "26"}, 1)
    form = host.get("/record").text
    assert "out of chips" in form
    assert "calls, all in" in form
    assert not re.search(r'name="folds" value="Ben"', form)


def test_a_round_that_is_over_is_refused(client: FlaskClient) -> None:
    """Before the next one comes the flop."""
    host = begin(client, "multiple-9-holdem", FIVE)
    host.record({"action": "street"}, 0)
    answer = host.record({"action": "street"}, 5)
    assert answer.status_code == 422
    assert "The flop comes first" in answer.text
