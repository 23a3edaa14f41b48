"""A deal that players take back, and what they said before it was over."""

import pytest
from flask.testing import FlaskClient

from tests.extras.seats.test_changing import keys, taps, undo
from tests.extras.seats.test_clash import THREE, taken
from tests.extras.seats.test_gathering import ANN_OUT, Table, out, tricks
from tests.support.phone import first_in, words

FOUR = [*THREE, "Dot"]


@pytest.fixture
def three(client: FlaskClient) -> Table:
    table = Table(client, "nine-five-two", THREE)
    taken(table, Ann=9, Ben=5, Cy=2)
    return table


def test_all_hear_who_took_it_back(three: Table) -> None:
    """Each has one clear key, and the phone that took it back has it before it."""
    page = taps(three["Ben"], "Is that wrong? Undo", "")
    assert "Change mine" in keys(page)
    for phone in (three["Ann"], three.host):
        assert "Ben took it back. It’s recorded again" in words(phone.get())
    assert '<button class="go" type="submit">Change mine' in three["Ann"].get("/seat").text
    assert "data-back" in three["Ann"].get().text
    assert "data-back" not in three.host.get().text


def test_a_figure_from_before_not_over_yet_ends_no_deal(client: FlaskClient) -> None:
    """It had waited for a network: the deal has gone on, and its player may have other cards."""
    table = Table(client, "red-nines-1881", FOUR)
    cy = {"action": "out", "player": "Cy", "red_nine": "false"}
    table["Cy"].enter(cy)
    over = first_in(table["Ann"].get("/seat").text, r'name="over" value="(\w+)"')
    table["Cy"].enter({}, do="goes-on")
    assert "It goes on after all." in table["Ann"].enter({**out(0, "7"), "over": over})
    table["Cy"].enter(cy)
    assert "Still to come: Ann, Ben, and Dot" in table["Cy"].says()


def test_whoever_takes_a_deal_back_twice_is_led_to_the_sheet(three: Table) -> None:
    """That it was once is not known to the page, which is the same for all."""
    taps(three["Ben"], "Is that wrong? Undo", "")
    taken(three, Ben=5)
    refused = three["Ben"].press(keys(three["Ben"].get().text)["Is that wrong? Undo"])
    assert refused.status_code == 409
    assert "You took it back once. Now only whoever keeps score can." in words(refused)
    assert first_in(refused.text, r'href="([^"]+)">Back to the sheet').endswith(three["Ben"].token)


def test_a_scorekeeper_who_takes_it_back_may_have_no_name(three: Table) -> None:
    undo(three.host)
    assert "Whoever keeps score took it back." in three["Ann"].says()


def test_it_can_be_taken_back_until_the_next_deals_first_entry(three: Table) -> None:
    """Longer than its message is shown; also after a note on it."""
    note = {"text": "on the last trick", "after": 1, "key": "note"}
    assert three.host.post("/notes/1", note).status_code == 303
    assert "Is that wrong? Undo" in keys(three["Cy"].get().text)
    for phone in (three.host, three.host.other("score"), three.host.other("view")):
        assert "Is that wrong? Undo" not in keys(phone.get().text)
    three["Ann"].enter(tricks(0, 9), deal=1)
    assert "Is that wrong? Undo" not in keys(three["Cy"].get().text)


def test_red_aces_said_by_mistake_are_taken_back(client: FlaskClient) -> None:
    """By whoever said so, as for a deal; and that deal may be taken back as well."""
    table = Table(client, "red-nines-1881", FOUR)
    for _ in range(2):
        table["Cy"].enter({"action": "aces", "player": "Cy"})
        assert len(table.entries) == 1
        taps(table["Cy"], "Is that wrong? Undo", "")
        assert table.entries == []
    table["Ann"].enter(ANN_OUT)
    for seat, name in enumerate(FOUR[1:], 1):
        table[name].enter(out(seat, "1"))
    taps(table["Cy"], "Is that wrong? Undo", "")
    assert table.entries == []


def test_no_bet_is_taken_back_by_a_player(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", THREE)
    table["Ann"].enter({"action": "bet", "player": "Ann", "move": "call"})
    assert "Is that wrong? Undo" not in keys(table["Ann"].get().text)


@pytest.mark.parametrize("by", ["Cy", "host"])
def test_whoever_forgot_to_say_that_they_went_out_has_a_key(client: FlaskClient, by: str) -> None:
    """All hands are in, and nobody has; a scorekeeper may tap who it was."""
    table = Table(client, "red-nines-1881", FOUR)
    for seat, name in enumerate(FOUR):
        assert "That was me" not in keys(table["Ann"].get("/seat").text)
        table[name].enter(out(seat, "1"))
    assert "Still missing: who went out. Tap who it was." in words(table.host.get())
    page = taps(table.host, "Cy", "") if by == "host" else taps(table["Cy"], "That was me")
    assert "On a red nine?" in words(page)
    called = {**ANN_OUT, "player": "Cy"}
    if by == "host":
        table.changes("Cy", called)
    else:
        table["Cy"].enter(called)
    assert [entry["player"] for entry in table.entries] == ["Cy"]
