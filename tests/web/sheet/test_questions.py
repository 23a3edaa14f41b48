"""A question asked from a sheet: what the sheet knows is filled in."""

import html
import re

from flask.testing import FlaskClient

from tests.support.phone import begin


def test_the_exchange_is_filled_in_from_the_last_deal(client: FlaskClient) -> None:
    """Its scores are for that deal's seats; scores in the address take precedence."""
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    assert "The ruling appears here." in host.get("/referee/exchange").text
    host.record({"action": "tricks", "tricks.0": 3, "tricks.1": 13, "tricks.2": 0}, 0)
    assert "Ben (8 up) may give" in host.get("/referee/exchange").text
    assert host.record({"action": "dealer", "player": "Cat"}, 1).status_code == 303
    page = host.get("/referee/exchange").text
    assert "Ben (8 up) may give Ann up to 6 cards and Cat up to 2 cards" in page
    asked = "scores.0=0&scores.1=1&scores.2=-1&dealer.row=2"  # overrides the sheet's
    page = host.get(f"/referee/exchange?{asked}").text
    assert "Ben (8 up)" not in page
    assert "Ben (1 up) may give Cat 1 card" in page


def test_the_pots_are_filled_in_from_the_betting(client: FlaskClient) -> None:
    """In the middle of a hand: who paid what, and who folded."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    moves = ("Ann", "raise", "6"), ("Ben", "fold", ""), ("Cat", "call", "")
    for after, (player, move, to) in enumerate(moves):
        bet = {"action": "bet", "player": player, "move": move, "to": to}
        assert host.record(bet, after).status_code == 303
    page = host.get("/referee/pots").text
    assert "One pot of 13." in page
    assert "for Ann and Cat" in page
    assert len(re.findall(r'name="folded[^>]* checked', page)) == 1


def test_the_board_is_filled_in(client: FlaskClient) -> None:
    """For every question about hands."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben"])
    for after, player in enumerate(["Ann", "Ben"]):
        move = "call" if player == "Ann" else "check"
        host.record({"action": "bet", "player": player, "move": move}, after)
    assert host.record({"action": "board", "cards": "J 7 9"}, 2).status_code == 303
    for judge in ("hand", "showdown", "odds"):
        assert 'value="J 7 9"' in host.get(f"/referee/{judge}").text


def test_a_hand_counts_double_when_the_winner_went_out_on_a_red_nine(client: FlaskClient) -> None:
    """The line below a hand says so while the entry is filled in, as it will score."""
    asked = "/referee/penalty?about=hands.0&about=red_nine&hands.0=A+K+9R&red_nine=false"
    host = begin(client, "red-nines", ["Ann", "Ben", "Cat", "Dan"])
    page = host.get("/record").text
    assert "referee/penalty?about=hands.0&amp;about=red_nine" in page
    assert page.count('hx-include="closest form"') == 4, "the red nine is asked in another place"
    assert 'data-red-nines="2"' in page, "two red nines in one pack"
    assert "84 points" in host.get(asked).text
    assert "168 points" in host.get(f"{asked}&red_nine=true").text
    announced = asked.replace("about=red_nine", "about=red_nine+announced")
    assert "168 points" in host.get(f"{announced}&red_nine=true&announced=true").text
    assert "84 points" in host.get(f"{announced}&red_nine=true&announced=false").text


def test_a_turn_says_what_its_cards_make(client: FlaskClient) -> None:
    """Recording a turn of Multiple 9, the ruling appears while its cards are tapped."""
    host = begin(client, "multiple-9", ["Ann", "Ben"])
    assert "referee/discard?about=cards" in host.get("/record").text
    said = host.get("/referee/discard?about=cards&cards=8+4+4+A+A").text
    assert "Two nines, 8+A and 4+4+A: 18." in html.unescape(said)
