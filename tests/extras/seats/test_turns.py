"""Hold'em where some act on their own phones: what a scorekeeper is asked, and what phones say."""

import re

from flask.testing import FlaskClient

from tests.extras.seats.test_gathering import Table
from tests.extras.seats.test_showdown import NAMES, at_showdown, bet, lay
from tests.support.phone import PARTIAL, first_in, words


def without_phones(client: FlaskClient, *players: str) -> Table:
    """A new table at which these players have handed their seats back; Dot is the first to act."""
    table = Table(client, "multiple-9-holdem", NAMES)
    for player in players:
        table[player].post("/seat/leave", {"seat_of": player})
    return table


def drawer(table: Table) -> str:
    return table.host.get("/record", **PARTIAL).text


def test_a_drawer_asks_for_nobody_beyond_the_next_phone(client: FlaskClient) -> None:
    """Dot and Ann have none; Ben has one and may raise."""
    table = without_phones(client, "Dot", "Ann")
    page = drawer(table)
    assert re.findall(r'name="folds" value="(\w+)"', page) == ["Dot", "Ann"]
    assert "Dot and Ann call 2 then it’s Ben’s turn" in words(page)
    assert "flop" not in words(page)
    until = first_in(page, r'name="until" value="(\w+)"')
    street = {
        "action": "street",
        "until": until,
        "after": first_in(page, r'"after" value="([^"]+)'),
    }
    told = words(table.host.post("/preview", {**street, "folds": "Ann"}, **PARTIAL))
    assert told == "Dot calls 2 then it’s Ben’s turn"
    assert table.host.post("/entries", {**street, "key": "drawer"}).status_code == 303
    assert [(one["player"], one["move"]) for one in table.entries] == [
        ("Dot", "call"),
        ("Ann", "call"),
    ]


def test_a_drawer_leaves_a_turn_to_the_phone(client: FlaskClient) -> None:
    """It leads to that player’s pad, as the phone may be dead."""
    table = without_phones(client, "Ann")
    said = words(drawer(table))
    assert "Dot acts on their own phone Enter for Dot" in said
    assert "Who folds?" not in said
    assert "Just the result" in said
    at = first_in(drawer(table), r'href="/s/[\w-]+(/seat[^"]*player=Dot)"')
    assert "Call 2" in words(table.host.get(at))


def test_all_are_asked_where_nobody_has_a_phone(client: FlaskClient) -> None:
    table = without_phones(client, *NAMES)
    assert "The other" not in words(drawer(table))
    assert "8 in the pot, then the flop" in words(drawer(table))


def test_the_key_under_the_thumb_knows_whose_turn_it_is(client: FlaskClient) -> None:
    """The page is alike for all phones: a script finds out whether the turn is this one’s."""
    table = without_phones(client, "Ann")
    for phone in (table.host, table["Ben"]):
        dock = phone.get("?watch=yes").text.partition('id="dock"')[2]
        assert "Your cards Dot is to act" in words(dock)
        assert first_in(dock, r'data-turn-of="(\w+)"\s+data-your-turn="Your turn"') == "Dot"
    bet(table["Dot"], "fold")
    table.host.post("/seat/hand", {
        "seat_of": "Ann", "deal": 0, "action": "bet", "player": "Ann", "move": "fold",
    })  # fmt: skip
    told = first_in(table["Ben"].get("?watch=yes").text, r"<template data-turn>(.+?)</template>")
    assert words(told) == "Your turn : 1 to call, 3 in the pot"


def test_a_pad_shows_how_everybody_stands(client: FlaskClient) -> None:
    """Stacks, bets on this street, and who has folded."""
    table = without_phones(client, "Ann")
    bet(table["Dot"], "fold")
    assert "Ann D 200 Ben 199 1 in front Cy 198 2 in front Dot 200 folded" in table["Ben"].says()


def test_a_hand_is_not_folded_by_a_tap_beside_a_free_check(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", NAMES)
    for player, move in (("Dot", "fold"), ("Ann", "call"), ("Ben", "call")):
        assert "Fold Call" in table[player].says()
        bet(table[player], move)
    assert "Fold Fold anyway Check" in table["Cy"].says()
    page = table["Cy"].get("/seat").text
    assert 'value="fold"' not in re.sub(r"(?s)<details.*?</details>", "", page)
    bet(table["Cy"], "fold")
    assert len(table.entries) == 4


def test_a_scorekeeper_lays_the_board_from_the_own_pad(client: FlaskClient) -> None:
    """In the drawer of the sheet; without script on its page."""
    table = Table(client, "multiple-9-holdem", NAMES)
    for player, move in (("Dot", "fold"), ("Ann", "call"), ("Ben", "call"), ("Cy", "check")):
        bet(table[player], move)
    table.host.post("/seat/take", {"player": "Ann", "sure": "yes"})
    page = table.host.get("/seat").text
    assert f'href="/s/{table.host.token}#record">Record the flop' in page
    assert f'href="/s/{table.host.token}/record">Record the flop' in page
    lay(table, "J 7 9")
    assert "Record the flop" not in table.host.get("/seat").text


def test_a_showdown_is_shown_on_the_phones(client: FlaskClient) -> None:
    """The scorekeeper’s own cards are one tap away then, too."""
    table = at_showdown(client)
    assert "Your cards" in words(table.host.get("?watch=yes").text.partition('id="dock"')[2])


def test_a_scorekeeper_enters_for_others_from_the_own_pad(client: FlaskClient) -> None:
    """For Dot, who has no phone; and returns to it. Nobody else is asked to."""
    table = without_phones(client, "Dot", "Ann")
    table.host.post("/seat/take", {"player": "Ann"})
    page = table.host.get("/seat").text
    at = first_in(page, r'<a class="go" href="/s/[\w-]+(/seat[^"]*player=Dot)">Enter')
    assert "Enter for" not in table["Ben"].says()
    assert "Enter for" not in words(table.host.get(at))
    sent = {"seat_of": "Dot", "deal": 0, "action": "bet", "player": "Dot", "move": "call"}
    led = table.host.post("/seat/hand", sent)
    assert led.headers["Location"].endswith("/seat")
    assert "Your turn" in words(table.host.get("/seat"))


def test_cards_stay_with_a_player_whose_name_is_corrected(client: FlaskClient) -> None:
    """The phone keeps them by the number of the seat."""
    table = without_phones(client)
    kept = r'data-hole="[^"]+"\s+data-of="[^"]+"'
    before = re.findall(kept, table["Cy"].get("/seat").text)
    names = {"was": NAMES, "name": ["Ann", "Ben", "Cyril", "Dot"]}
    sent = {**names, "dealer": "0", "after": 0, "sure": "yes", "key": "name"}
    assert table.host.post("/settings", sent).status_code == 303
    assert re.findall(kept, table["Cy"].get("/seat").text) == before != []


def test_a_turn_that_is_over_leaves_the_phone(client: FlaskClient) -> None:
    """The scorekeeper has entered for Dot, or taken back what she would answer."""
    table = without_phones(client)
    looks = first_in(table["Dot"].get("/seat").text, r'hx-get="/s/[\w-]+(/seat/open[^"]+)"')
    looks = looks.replace("&amp;", "&")
    assert "HX-Redirect" not in table["Dot"].get(looks).headers
    bet = {"action": "bet", "player": "Dot", "move": "fold", "after": 0, "key": "drawer"}
    assert table.host.post("/entries", bet).status_code == 303
    assert table["Dot"].get(looks).headers["HX-Redirect"] == f"/s/{table['Dot'].token}"


def test_nobody_bets_for_a_phone_that_has_come_since(client: FlaskClient) -> None:
    """Ben sits down while a drawer says that Dot, Ann and Ben call: its form comes back for two."""
    table = without_phones(client, "Dot", "Ann", "Ben", "Cy")
    page = drawer(table)
    assert "until" not in page
    mark = first_in(page, r'"after" value="([^"]+)')
    table["Ben"].post("/seat/take", {"player": "Ben"})
    sent = {"action": "street", "folds": "Dot", "after": mark, "key": "drawer"}
    answer = table.host.post("/entries", sent, **PARTIAL)
    assert (answer.status_code, table.entries) == (422, [])
    assert "Ben acts on their own phone now: check it again." in words(answer)
    form = answer.text.partition('class="entry street"')[2]
    assert re.findall(r'name="folds" value="(\w+)"', form) == ["Dot", "Ann"]
    assert 'value="Dot" aria-label="Dot folds" checked' in " ".join(form.split())
    assert "Ann calls 2 then it’s Ben’s turn" in words(form)
    until = first_in(form, r'name="until" value="(\w+)"')
    again = {**sent, "until": until, "key": "again"}
    assert table.host.post("/entries", again).status_code == 303
    assert [(one["player"], one["move"]) for one in table.entries] == [
        ("Dot", "fold"),
        ("Ann", "call"),
    ]


def test_a_phone_that_has_come_since_takes_its_own_turn(client: FlaskClient) -> None:
    """It is the first to act: the drawer leads there."""
    table = without_phones(client, "Dot", "Ann", "Ben", "Cy")
    mark = first_in(drawer(table), r'"after" value="([^"]+)')
    table["Dot"].post("/seat/take", {"player": "Dot"})
    sent = {"action": "street", "after": mark, "key": "drawer"}
    said = words(table.host.post("/entries", sent, **PARTIAL))
    assert "Dot acts on their own phone Enter for Dot" in said
    assert "Dot acts on their own phone now: check it again." in said
    assert table.entries == []


def test_a_board_says_whose_phones_have_come(client: FlaskClient) -> None:
    """An open drawer that asks for their moves is fetched again: see drawer.js."""
    table = without_phones(client, "Ben")
    apart = 'data-apart="Ann Cy Dot"'
    assert all(apart in page for page in (table.host.board(), drawer(table)))
    table["Ben"].post("/seat/take", {"player": "Ben"})
    assert apart not in table.host.board()
    assert "data-apart" not in table["Ann"].get("?watch=yes").text
