"""A question asked from a sheet: what the sheet knows is filled in."""

from flask.testing import FlaskClient

from tests.support.phone import begin


def test_the_exchange_is_answered_before_it_is_asked(client: FlaskClient) -> None:
    """The last deal's scores and the coming dealer are on the sheet."""
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    deal = {"action": "tricks", "tricks.0": 11, "tricks.1": 4, "tricks.2": 1}
    assert host.record(deal, 0).status_code == 303
    page = host.get("/referee/exchange").text
    assert "Ann (2 up) may give Ben 1 card and Cat 1 card" in page


def test_before_the_first_deal_there_is_no_exchange_to_know_of(client: FlaskClient) -> None:
    """Nothing is ruled on, and nothing is filled in."""
    page = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"]).get("/referee/exchange").text
    assert 'class="finding"' not in page
    assert 'class="verdict no"' not in page


def test_the_pots_know_who_paid_and_who_folded(client: FlaskClient) -> None:
    """In the middle of a hand, from the betting that was recorded."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben", "Cat"])
    moves = ("Ann", "raise", "6"), ("Ben", "fold", ""), ("Cat", "call", "")
    for after, (player, move, to) in enumerate(moves):
        bet = {"action": "bet", "player": player, "move": move, "to": to}
        assert host.record(bet, after).status_code == 303
    page = host.get("/referee/pots").text
    assert "13 chips in 1 pot." in page
    assert "for Ann and Cat" in page
    assert page.count("checked") == 1


def test_the_board_is_there_already(client: FlaskClient) -> None:
    """Only the hands are left to be tapped."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben"])
    for after, player in enumerate(["Ann", "Ben"]):
        move = "call" if player == "Ann" else "check"
        host.record({"action": "bet", "player": player, "move": move}, after)
    assert host.record({"action": "board", "cards": "J 7 9"}, 2).status_code == 303
    for judge in ("hand", "showdown", "odds"):
        assert 'value="J 7 9"' in host.get(f"/referee/{judge}").text


def test_what_is_asked_counts_for_more_than_what_is_known(client: FlaskClient) -> None:
    """Somebody who changes what was filled in is answered about what they said."""
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    deal = {"action": "tricks", "tricks.0": 11, "tricks.1": 4, "tricks.2": 1}
    host.record(deal, 0)
    page = host.get("/referee/exchange?scores=Ann:0;Ben:1;Cat:-1&dealer=Cat").text
    assert "Ann (2 up)" not in page
    assert "Ben (1 up) may give Cat 1 card" in page
