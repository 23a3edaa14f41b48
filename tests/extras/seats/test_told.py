"""How a deal that was gathered from the seats is shown, on each phone that plays along."""

import re

from flask.testing import FlaskClient

from tests.extras.seats.test_clash import THREE, taken
from tests.extras.seats.test_gathering import ANN_OUT, Table, out
from tests.support.phone import first_in, words


def told(page: str) -> str:
    """The section that shows the deal, "" if there is none."""
    found = re.search(r'<section class="told\b.*?</section>', page, re.DOTALL)
    return found[0] if found else ""


def test_each_hand_is_shown_as_it_was_entered(client: FlaskClient) -> None:
    """With who entered it for whom, what it brought, and the counters after it."""
    table = Table(client, "red-nines-1881", [*THREE, "Dot"])
    table.host.post("/seat/take", {"player": "Ben", "sure": "yes"})
    table["Ann"].enter(ANN_OUT)
    table["Cy"].enter(out(2, "3"))
    table["Dot"].enter({"action": "out", "hands.3": "9D KS"})
    assert told(table["Cy"].board()) == ""
    table.host.post("/seat/hand", {"seat_of": "Ben", "deal": 0, **out(1, "2 + 9♦")})
    for phone in (table["Cy"], table.host, table.host.other("score")):
        said = words(told(phone.board())).replace("\ufe0e", "")
        assert said == (
            "Ann takes 1 Ann went out. Everyone’s hand Deal 1 Counters stake paid "
            "Ann went out +1 10 − 9 staked 37 Ben 9 −4 2 + 2 23 Cy −3 33 Dot 9 ♦ K ♠ −3 1 + 2 33"
        )
    assert told(table["Cy"].board()).count("k back") == 5
    assert told(table.host.other("view").board()) == ""


def test_all_who_have_won_are_named_above_it(client: FlaskClient) -> None:
    """Two have called nine of a kind."""
    names = [*THREE, "Dot", "Eve"]
    table = Table(client, "9-of-a-kind", names)
    for seat, name in enumerate(names):
        called = {"action": "end", "by": "nine", "callers": name}
        hand = {"action": "end", f"hands.{seat}.deadwood": 9}
        table[name].enter(called if name in ("Ann", "Ben") else hand)
    assert words(told(table["Cy"].board())).startswith("Ann and Ben +27 Ann and Ben called")


def test_all_who_have_taken_as_many_counters_are_named_above_it(client: FlaskClient) -> None:
    """Ben went out; Cy has the pool of the red aces, less the card that was left."""
    table = Table(client, "red-nines-1881", THREE)
    table["Cy"].enter({"action": "aces", "player": "Cy"})
    deal = {"action": "out", "player": "Ben", "red_nine": "false"}
    for player, hand in (("Ben", deal), ("Ann", out(0, "1")), ("Cy", out(2, "1"))):
        table[player].enter(hand)
    assert words(told(table["Cy"].board())).startswith("Ben and Cy +2 Ben went out.")


def test_hands_that_came_in_after_red_aces_are_shown_as_well(client: FlaskClient) -> None:
    table = Table(client, "red-nines-1881", [*THREE, "Dot"])
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "2"))
    table["Cy"].enter({"action": "aces", "player": "Cy"})
    table["Cy"].enter(out(2, "3"))
    table["Dot"].enter(out(3, "1"))
    assert told(table["Cy"].board()).count("k back") == 6


def test_it_is_shown_until_the_next_deal_begins(client: FlaskClient) -> None:
    table = Table(client, "nine-five-two", THREE)
    taken(table, Ann=9, Ben=5, Cy=2)
    page = table["Ann"].get().text
    assert told(page)
    assert "data-next-deal" in page
    deal = first_in(table["Ann"].get("/seat?change=yes").text, r'name="deal" value="(\d+)"')
    table["Ann"].enter({"action": "tricks", "tricks.0": 9}, deal=int(deal))
    assert told(table["Cy"].board()) == ""


def test_a_note_on_the_deal_does_not_hide_it(client: FlaskClient) -> None:
    """A page that was open before it still takes the deal back."""
    table = Table(client, "nine-five-two", THREE)
    taken(table, Ann=9, Ben=5, Cy=2)
    undo = first_in(table["Ann"].get().text, r"(?s)(<form[^>]*seat/undo.*?</form>)")
    note = {"text": "on the last trick", "after": 1, "key": "note"}
    assert table.host.post("/notes/1", note).status_code == 303
    assert told(table["Ann"].get().text)
    table["Ann"].press(undo)
    assert table.entries == []


def test_a_deal_from_the_drawer_is_not_shown(client: FlaskClient) -> None:
    """The row on the pad says it, as without seats."""
    table = Table(client, "nine-five-two", THREE)
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    deal = {"action": "tricks", "tricks.0": 9, "tricks.1": 5, "tricks.2": 2}
    answer = table.host.post("/entries", {**deal, "after": mark, "key": "drawer"})
    assert answer.status_code == 303
    assert told(table.host.board()) == ""
