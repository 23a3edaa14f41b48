"""A deal that players take back, and what they said before it was over."""

import pytest
from flask.testing import FlaskClient

from tests.extras.seats.test_changing import keys, remove, taps, undo
from tests.extras.seats.test_clash import THREE, taken
from tests.extras.seats.test_gathering import ANN_OUT, Seat, Table, out, tricks
from tests.extras.seats.test_states import chips
from tests.support.phone import Phone, first_in, words

FOUR = [*THREE, "Dot"]
UNDO = "Deal 1: is that wrong? Undo"


@pytest.fixture
def three(client: FlaskClient) -> Table:
    table = Table(client, "nine-five-two", THREE)
    taken(table, Ann=9, Ben=5, Cy=2)
    return table


def test_all_hear_who_took_it_back(three: Table) -> None:
    """Each has one clear key, and the phone that took it back has it before it."""
    page = taps(three["Ben"], UNDO, "")
    assert "Change mine" in keys(page)
    for phone in (three["Ann"], three.host):
        assert "Ben took it back. It’s recorded again" in words(phone.get())
    assert "Not over yet" not in words(three.host.get())
    assert '<button class="go" type="submit">Change mine' in three["Ann"].get("/seat").text
    assert "data-back" in three["Ann"].get().text
    assert "data-back" not in three.host.get().text


def test_a_figure_from_before_not_over_yet_ends_no_deal(client: FlaskClient) -> None:
    """It had waited for a network: the deal has gone on, and its player may have other cards.

    So it may once the deal is over at last.
    """
    table = Table(client, "red-nines-1881", FOUR)
    cy = {"action": "out", "player": "Cy", "red_nine": "false"}
    table["Cy"].enter(cy)
    older = out(0, "7") | {"over": begun(table["Ann"])}
    table["Cy"].enter({}, do="goes-on")
    assert "Something was undone" in table["Ann"].enter(older)
    table["Cy"].enter(cy)
    assert "Something was undone" in table["Ann"].enter(older)
    assert "Still to come: Ann, Ben, and Dot" in table["Cy"].says()
    table["Ann"].enter(out(0, "7") | {"over": begun(table["Ann"])})
    assert "Still to come: Ben and Dot" in table["Cy"].says()


@pytest.mark.parametrize("what", ["leave", "playing"])
def test_a_figure_counts_though_the_first_was_withdrawn(three: Table, what: str) -> None:
    """The deal is over all the same: nobody has said that it isn’t."""
    three["Ann"].enter(tricks(0, 9), deal=1)
    over = begun(three["Ben"])
    three["Ann"].post(f"/seat/{what}", {"seat_of": "Ann", "deal": 1})
    assert three["Ben"].enter(tricks(1, 5) | {"over": over}, deal=1).startswith("/s/")


def begun(phone: Phone) -> str:
    """What a pad notes of the end of the deal for which it was opened."""
    return first_in(phone.get("/seat").text, r'name="over" value="(\w+)"')


def test_a_deal_that_became_impossible_is_not_recorded_again_by_itself(
    client: FlaskClient,
) -> None:
    """It was taken back, and then the one before corrected: Dot, who lost in both, was put out."""
    table = Table(client, "red-nines-1881", FOUR, cannot_pay="out", counters="9", red_nine_pool="0")
    for deal in (0, 1):
        table["Ann"].enter(ANN_OUT, deal=deal)
        for seat, name in enumerate(FOUR[1:], 1):
            table[name].enter(out(seat, "1"), deal=deal)
    undo(table.host)
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    right = {"hands.1.plain": "1", "hands.2.plain": "1", "hands.3.plain": "10"}
    form = {**ANN_OUT, **right, "after": mark, "key": "right", "sure": "yes"}
    assert table.host.post("/entries/1", form).status_code == 303
    assert "took it back" in words(table.host.get())
    table["Ben"].get("/seat")
    assert len(table.entries) == 1


def test_a_deal_removed_in_the_log_does_not_come_back(client: FlaskClient) -> None:
    """Though whoever had joined before it is removed as well: its figures are drafts."""
    table = Table(client, "plain-score", THREE)
    taken_points(table, 0, Ann=1, Ben=2, Cy=3)
    join = {"action": "join", "player": "Dot", "left_of": "Cy", "after": "1", "key": "joins"}
    assert table.host.post("/entries", join).status_code == 303
    table.seats["Dot"] = Seat(table.host.client.application, table.host.link("play"), "Dot")
    taken_points(table, 1, Ann=4, Ben=5, Cy=6, Dot=7)
    for row in (3, 2):
        remove(table.host, row)
    table["Ben"].get("/seat")
    assert [entry["points"]["Ann"] for entry in table.entries] == [1]
    assert chips(table.host) == {}


def taken_points(table: Table, deal: int, **points: int) -> None:
    """Each enters their points of a deal."""
    for seat, (name, number) in enumerate(points.items()):
        table[name].enter({"action": "deal", f"points.{seat}": number}, deal=deal)


def test_drafts_stay_drafts_when_somebody_leaves(client: FlaskClient) -> None:
    """Dot had begun the next deal when the first was taken back: nobody knows which is played."""
    table = Table(client, "plain-score", FOUR)
    taken_points(table, 0, Ann=1, Ben=2, Cy=3, Dot=4)
    table["Dot"].enter({"action": "deal", "points.3": 9}, deal=1)
    undo(table.host)
    assert chips(table.host) == {}
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    leaves = {"action": "leave", "player": "Dot", "after": mark, "key": "leaves"}
    assert table.host.post("/entries", leaves).status_code == 303
    taken_points(table, 0, Ann=7)
    assert chips(table.host) == {"Ann": "in", "Ben": "counting…", "Cy": "counting…"}


def test_an_earlier_deal_can_be_read_after_a_later_one_was_taken_back(three: Table) -> None:
    """What was gathered of it has nothing to do with rows that came afterwards."""
    taken_again = {"Ann": 8, "Ben": 6, "Cy": 2}
    for seat, (name, number) in enumerate(taken_again.items()):
        three[name].enter(tricks(seat, number), deal=1)
    undo(three.host)
    assert three.host.get("/deals/1").status_code == 200
    assert "9 for 9" in words(three["Ben"].get("/deals/1"))


def test_figures_are_drafts_once_the_void_deal_before_theirs_is_taken_back(three: Table) -> None:
    """The deal that was void is played on: nobody knows whether theirs are about that one."""
    void = {"action": "abandon", "reason": "a card too many", "after": "1", "key": "void"}
    assert three.host.post("/entries", void).status_code == 303
    for seat, (name, number) in enumerate({"Ann": 8, "Ben": 6, "Cy": 2}.items()):
        three[name].enter(tricks(seat, number), deal=2)
    for _ in range(2):
        mark = first_in(three.host.get("/record").text, r'name="after" value="([^"]+)"')
        three.host.post("/undo", {"after": mark})
    assert chips(three.host) == {}
    three["Ann"].enter(tricks(0, 9), deal=1)
    assert chips(three.host) == {"Ann": "in", "Ben": "counting…", "Cy": "counting…"}


def test_a_call_that_was_taken_back_does_not_return_with_others_hands(client: FlaskClient) -> None:
    """The drawer had recorded it when only Ann had called: it goes on, and Dot ends it."""
    table = Table(client, "red-nines-1881", FOUR)
    table["Ann"].enter(ANN_OUT)
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    hands = {f"hands.{seat}.plain": "1" for seat in (1, 2, 3)}
    form = {**ANN_OUT, **hands, "after": mark, "key": "drawer"}
    assert table.host.post("/entries", form).status_code == 303
    undo(table.host)
    assert chips(table.host) == {}
    table["Ben"].enter(out(1, "2"))
    assert chips(table.host)["Ann"] == "counting…"


def test_figures_of_two_deals_are_not_mixed(three: Table) -> None:
    """Ann’s new one was for the first, which was brought back, and then removed for good."""
    three["Ben"].enter(tricks(1, 7), deal=1)
    undo(three.host)
    three["Ann"].enter(tricks(0, 9))
    found = keys(three.host.get().text)
    three.host.press(next(form for key, form in found.items() if key.endswith("Bring it back")))
    three["Cy"].enter(tricks(2, 0), deal=1)
    remove(three.host, 1)
    assert chips(three.host) == {"Ann": "counting…", "Ben": "in", "Cy": "in"}


def test_an_undo_that_was_a_mistake_leaves_the_next_deals_figures_in(three: Table) -> None:
    """Ann has hers in of the second deal when the first is taken back, and brought back."""
    three["Ann"].enter(tricks(0, 7), deal=1)
    before = chips(three.host)
    undo(three.host)
    found = keys(three.host.get().text)
    three.host.press(next(form for key, form in found.items() if key.endswith("Bring it back")))
    assert len(three.entries) == 1
    assert chips(three.host) == before


def test_claims_stay_in_the_log_of_a_deal_that_is_brought_back(client: FlaskClient) -> None:
    """It was undone by mistake, after a figure of the next deal had come in."""
    table = Table(client, "nine-five-two", THREE)
    taken(table, Ann=12, Cy=5, Ben=1)
    taken(table, Cy=3)
    table["Ann"].enter(tricks(0, 9), deal=1)
    undo(table.host)
    found = keys(table.host.get().text)
    table.host.press(next(form for key, form in found.items() if key.endswith("Bring it back")))
    assert len(table.entries) == 1
    log = words(table["Ben"].get("/deals/1"))
    assert "Their figures didn’t add up at first: Ann 12, Cy 5" in log


def test_a_figure_sent_since_is_asked_about_once_the_deal_is_brought_back(three: Table) -> None:
    """It isn’t in the deal: whoever sent it can say that this is wrong."""
    taps(three["Ben"], UNDO, "")
    three["Ben"].post("/seat/changes", {"seat_of": "Ben", "deal": 0})
    three["Cy"].enter(tricks(2, 3))
    found = keys(three.host.get().text)
    three.host.press(next(form for key, form in found.items() if key.endswith("Bring it back")))
    for player in ("Ann", "Cy"):
        phone = three[player]
        led = phone.get(f"/seat/felt?player={player}&deal=0").headers["HX-Redirect"]
        asked = words(phone.client.get(led))
        assert ("You’d entered 3. It was recorded differently." in asked) == (player == "Cy")


def test_a_deal_that_was_brought_back_and_undone_is_not_recorded_by_itself(three: Table) -> None:
    """Cy’s figure had come in between, as the deal was to be counted again."""
    remove(three.host, 1)
    three["Cy"].enter(tricks(2, 2))
    found = keys(three.host.get().text)
    three.host.press(next(form for key, form in found.items() if key.endswith("Bring it back")))
    undo(three.host)
    assert "took it back" in three["Cy"].says()
    assert three.entries == []


def test_whoever_takes_a_deal_back_twice_is_led_to_the_sheet(three: Table) -> None:
    """That it was once is not known to the page, which is the same for all."""
    taps(three["Ben"], UNDO, "")
    taken(three, Ben=5)
    refused = three["Ben"].press(keys(three["Ben"].get().text)[UNDO])
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
    assert UNDO in keys(three["Cy"].get().text)
    for phone in (three.host, three.host.other("score"), three.host.other("view")):
        assert UNDO not in keys(phone.get().text)
    three["Ann"].enter(tricks(0, 9), deal=1)
    assert UNDO not in keys(three["Cy"].get().text)


def test_red_aces_said_by_mistake_are_taken_back(client: FlaskClient) -> None:
    """By whoever said so, as for a deal; and that deal may be taken back as well."""
    table = Table(client, "red-nines-1881", FOUR)
    for _ in range(2):
        table["Cy"].enter({"action": "aces", "player": "Cy"})
        assert len(table.entries) == 1
        taps(table["Cy"], "Cy played both red aces: is that wrong? Undo", "")
        assert table.entries == []
    table["Ann"].enter(ANN_OUT)
    for seat, name in enumerate(FOUR[1:], 1):
        table[name].enter(out(seat, "1"))
    taps(table["Cy"], UNDO, "")
    assert table.entries == []


def test_red_aces_are_taken_back_while_figures_come_in(client: FlaskClient) -> None:
    """All figures stay, and the deal is recorded without the aces."""
    table = Table(client, "red-nines-1881", FOUR)
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "1"))
    table["Cy"].enter({"action": "aces", "player": "Cy"})
    taps(table["Ben"], "Cy played both red aces: is that wrong? Undo", "")
    assert "2 of 4 are in" in words(table.host.get())
    for seat, name in enumerate(FOUR[2:], 2):
        table[name].enter(out(seat, "1"))
    assert [entry["action"] for entry in table.entries] == ["out"]


def test_no_bet_is_taken_back_by_a_player(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", THREE)
    table["Ann"].enter({"action": "bet", "player": "Ann", "move": "call"})
    assert "is that wrong" not in words(table["Ann"].get())


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
