"""What happens on the sheet while figures wait: each stays with its own player, or goes."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from referee.extras.seats.pages.context import seat_book
from tests.extras.seats.test_gathering import Table, removes, tricks
from tests.extras.seats.test_states import chips
from tests.support.phone import first_in, words

AFTER = r'name="after" value="([^"]+)"'
FIVE = ["Ann", "Ben", "Cy", "Dot", "Eve"]


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client, "plain-score", FIVE)


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", FIVE[:3])


def scored(seat: int, points: int) -> dict[str, object]:
    return {"action": "deal", f"points.{seat}": points}


def writes(table: Table, **fields: object) -> None:
    """A scorekeeper records something by the drawer."""
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    answer = table.host.post("/entries", {**fields, "after": mark, "key": f"drawer {mark}"})
    assert answer.status_code == 303, words(answer)


def test_nobody_joins_or_leaves_while_figures_come_in(table: Table) -> None:
    """Whoever leaves would take a figure along, and a newcomer would owe one."""
    assert "Someone leaves" in words(table.host.get("/more"))
    table["Ann"].enter(scored(0, 10))
    more = words(table.host.get("/more"))
    assert "Players can join or leave once they’re recorded" in more
    assert "Someone leaves" not in more
    assert "Someone joins" not in more
    assert "Someone new takes over" in more
    table.host.post("/seat/goes-on", {"deal": 0})
    assert "Someone leaves" in words(table.host.get("/more"))


def test_a_player_who_leaves_takes_the_figure_along(table: Table) -> None:
    """Those after them move up by a seat, and nobody’s figure lands at another’s."""
    for seat, player in enumerate(("Ann", "Ben", "Cy")):
        table[player].enter(scored(seat, 10 + seat))
    writes(table, action="leave", player="Ben")
    table["Dot"].enter(scored(2, 13))
    table["Eve"].enter(scored(3, 14))
    assert table.entries[-1]["points"] == {"Ann": 10, "Cy": 12, "Dot": 13, "Eve": 14}


def test_a_deal_that_a_leave_completes_waits_for_no_phone(table: Table) -> None:
    """Of those who are in none may look again: whoever keeps score records it with a tap."""
    for seat, player in enumerate(FIVE[:4]):
        assert "Record it as soon as" not in words(table.host.get())
        table[player].enter(scored(seat, 10 + seat))
    writes(table, action="leave", player="Eve")
    assert "Record it as soon as" not in words(table["Ann"].get())
    asks = table.host.get().text
    table.host.press(asks[asks.index('class="record deal-over"') :])
    assert table.entries[-1]["points"] == {"Ann": 10, "Ben": 11, "Cy": 12, "Dot": 13}


def test_a_form_from_before_somebody_left_says_nothing_of_others(table: Table) -> None:
    """Dot’s seat had another number when her pad was opened: she is asked again."""
    writes(table, action="leave", player="Ben")
    assert "Nothing is entered yet" in table["Dot"].enter(scored(3, 13))
    for seat, player in enumerate(("Ann", "Cy", "Dot", "Eve")):
        table[player].enter(scored(seat, 10 + seat))
    assert table.entries[-1]["points"] == {"Ann": 10, "Cy": 11, "Dot": 12, "Eve": 13}


def test_a_form_that_is_refused_keeps_what_was_typed(table: Table) -> None:
    """Flo joined while Eve filled it in, so Eve’s seat has another number."""
    seat = first_in(table["Eve"].get("/seat").text, r'name="seat" value="(\d)"')
    writes(table, action="join", player="Flo", left_of="Ann", points="0")
    form = {"seat_of": "Eve", "seat": seat, "deal": 0, **scored(4, 7)}
    answer = table["Eve"].post("/seat/hand", form | {f"points.{seat}": "7 1"})
    assert answer.status_code == 422
    assert first_in(answer.text, r'name="points.5"[^>]*\bvalue="([^"]*)"') == "7 1"


def test_a_player_who_joins_is_waited_for(table: Table) -> None:
    for seat, player in enumerate(FIVE):
        if player != "Eve":
            table[player].enter(scored(seat, 10 + seat))
    writes(table, action="join", player="Flo", left_of="Ann", points="0")
    table["Eve"].enter(scored(5, 15))
    assert [entry["action"] for entry in table.entries] == ["join"]
    table.host.post("/seat/hand", {"seat_of": "Flo", "deal": 0, **scored(1, 1)})
    points = {"Ann": 10, "Flo": 1, "Ben": 11, "Cy": 12, "Dot": 13, "Eve": 15}
    assert table.entries[-1]["points"] == points


def test_whoever_is_out_of_cards_owes_no_hand(client: FlaskClient) -> None:
    """Turns were recorded: Ben laid down all five at once, and only the others count."""
    table = Table(client, "multiple-9", FIVE[:3], scoring="cards")
    writes(table, action="turn", player="Ben", cards="9 8 4 A 5", drew="false")
    table["Ann"].enter({"action": "left", "left.0": "K K Q Q J"})
    assert "1 of 2 are in" in words(table.host.get())
    assert "Still to come: Cy." in table["Ann"].says()
    table["Cy"].enter({"action": "left", "left.2": "2 3 4 5 6"})
    assert table.entries[-1]["left"] == {"Ann": "K K Q Q J", "Cy": "2 3 4 5 6"}


def test_two_who_swap_names_keep_their_figures(three: Table) -> None:
    three["Ann"].enter(tricks(0, 9))
    three["Ben"].enter(tricks(1, 5))
    settings = {"was": FIVE[:3], "name": ["Ben", "Ann", "Cy"], "dealer": "0"}
    changed = three.host.post("/settings", {**settings, "after": 0, "sure": "yes", "key": "k"})
    assert changed.status_code == 303, words(changed)
    three["Cy"].enter(tricks(2, 2))
    assert three.entries[0]["tricks"] == {"Ben": 9, "Ann": 5, "Cy": 2}


def test_figures_of_a_void_deal_go_with_it(three: Table) -> None:
    three["Ann"].enter(tricks(0, 9))
    three["Ben"].enter(tricks(1, 5))
    writes(three, action="abandon", reason="a card too many")
    assert three["Cy"].enter(tricks(2, 2)).endswith(three["Cy"].token)
    three["Cy"].enter(tricks(2, 2), deal=1)
    assert [entry["action"] for entry in three.entries] == ["abandon"]
    assert "1 of 3 are in" in words(three["Ben"].get())


@pytest.mark.parametrize("ends", ["abandon", "stop"])
def test_nobody_is_asked_about_a_deal_that_was_not_recorded(three: Table, ends: str) -> None:
    """There is nothing from which their figure could differ."""
    three["Ann"].enter(tricks(0, 9))
    writes(three, action=ends)
    led = three["Ann"].get("/seat/felt?player=Ann&deal=0").headers["HX-Redirect"]
    assert led.endswith(three["Ann"].token)
    assert three["Ann"].get("/seat?player=Ann&deal=0").status_code == 303
    three["Ann"].post("/seat/objects", {"seat_of": "Ann", "deal": 0, **tricks(0, 9)})
    assert "Ann says" not in words(three.host.get())


def test_a_deal_by_the_drawer_counts_and_undone_is_not_recorded_by_a_poll(three: Table) -> None:
    """The figures that had come in are there again, and wait for somebody’s word."""
    three["Ann"].enter(tricks(0, 9))
    three["Ben"].enter(tricks(1, 5))
    writes(three, action="tricks", **{"tricks.0": 8, "tricks.1": 6, "tricks.2": 2})
    assert three["Ben"].get("/seat/felt?player=Ben&deal=0").headers["HX-Redirect"]
    assert len(three.entries) == 1
    mark = first_in(three.host.get("").text, r'name="after" value="([^"]+)"')
    three.host.post("/undo", {"after": mark})
    assert three.entries == []
    three["Ann"].get("/seat/felt?player=Ann&deal=0")
    assert three.entries == []
    three["Cy"].enter(tricks(2, 2))
    assert three.entries[0]["tricks"] == {"Ann": 9, "Ben": 5, "Cy": 2}


def test_a_deal_recorded_immediately_is_not_reported_twice(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server is killed after it was recorded, before it is noted; the phone sends it again."""
    table = Table(client, "multiple-9-holdem", FIVE[:3])
    with client.application.app_context():
        book = seat_book()
    turn = {"action": "bet", "player": "Ann", "move": "fold", "key": "folds"}
    with monkeypatch.context() as killed:
        killed.setattr(book, "note", lambda *_: 1 / 0)
        table["Ann"].enter(turn)
    assert table["Ann"].enter(turn).endswith(table["Ann"].token)
    (entry,) = table.entries
    assert (entry["action"], entry["player"]) == ("bet", "Ann")
    assert "are in" not in words(table["Ann"].get())


def test_a_pad_opened_before_a_change_of_name_is_still_theirs(three: Table) -> None:
    settings = {"was": FIVE[:3], "name": ["Anna", "Ben", "Cy"], "dealer": "0"}
    three.host.post("/settings", {**settings, "after": 0, "sure": "yes", "key": "k"})
    three["Ann"].enter(tricks(0, 9))
    assert "1 of 3 are in" in words(three["Ben"].get())


@pytest.mark.parametrize("by", ["host", "Ann"])
def test_a_pad_opened_before_two_swap_names_says_whose_it_is_now(three: Table, by: str) -> None:
    """Its figure stays in it, and is stored for neither of them before somebody has looked."""
    phone = three.host if by == "host" else three["Ann"]
    form = {"seat_of": "Ann", "seat": 0, "deal": 0, "after": "0", **tricks(0, 9)}
    settings = {"was": FIVE[:3], "name": ["Ben", "Ann", "Cy"], "dealer": "0"}
    three.host.post("/settings", {**settings, "after": 0, "sure": "yes", "key": "k"})
    refused = phone.post("/seat/hand", form)
    assert refused.status_code == 422
    assert "Something was recorded since you opened this page" in words(refused)
    assert "are in" not in words(three.host.get())
    assert re.search(r'name="tricks.0" value="9"\s+checked', refused.text)
    assert first_in(refused.text, r'name="seat_of" value="(\w+)"') == "Ben"
    form |= {"seat_of": "Ben", "after": first_in(refused.text, AFTER)}
    assert phone.post("/seat/hand", form).status_code == 303
    assert chips(three["Cy"])["Ben"] == ("in" if by == "Ann" else "by the scorer")


def test_a_pad_says_that_its_deal_was_recorded_meanwhile(three: Table) -> None:
    """What has been filled in stays; nothing is said before."""
    page = unescape(three["Cy"].get("/seat").text)
    place = first_in(page, r'hx-get="/s/[\w-]+(/seat/open[^"]+)"')
    assert "recorded" not in three["Cy"].get(place).text
    writes(three, **(tricks(0, 9) | tricks(1, 5) | tricks(2, 2)))
    assert "Already recorded" in three["Cy"].get(place).text


POLLS = r'hx-get="/s/[\w-]+(/seat/open[^"]+)"'


def test_a_pad_is_told_that_the_deal_before_was_removed(three: Table) -> None:
    """Its own is played on, though it has another number: the figure counts."""
    nine = {"tricks.0": 9, "tricks.1": 5, "tricks.2": 2}
    writes(three, action="tricks", **nine)
    page = unescape(three["Cy"].get("/seat").text)
    cy = three["Cy"].enter(tricks(2, 20) | {"after": first_in(page, AFTER)}, deal=1)
    assert "20" in cy
    removes(three, 1)
    told = words(three["Cy"].get(first_in(page, POLLS)))
    assert "Deal 1 was removed." in told
    assert "recorded" not in told
    three["Cy"].enter(tricks(2, 4) | {"after": first_in(page, AFTER)}, deal=1)
    assert chips(three["Ann"])["Cy"] == "in"


def test_a_pad_is_told_that_its_deal_is_void(three: Table) -> None:
    page = unescape(three["Cy"].get("/seat").text)
    writes(three, action="abandon")
    told = words(three["Cy"].get(first_in(page, POLLS)))
    assert "Deal 1 is void." in told
    assert "recorded" not in told


def test_a_pad_is_told_that_somebody_entered_for_its_player(three: Table) -> None:
    """What has been filled in stays, and replaces that once it is sent."""
    page = unescape(three["Cy"].get("/seat").text)
    three.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **tricks(2, 4)})
    told = words(three["Cy"].get(first_in(page, POLLS)))
    assert "Entered for you by the scorer" in told
    three["Cy"].enter(tricks(2, 2))
    assert chips(three["Ann"])["Cy"] == "in"


def test_no_scorekeeper_replaces_a_figure_unawares(three: Table) -> None:
    """The pads of both are open: the second is told before, the first after it is replaced."""
    first, second = three.host, three.host.other("score")
    pads = [unescape(phone.get("/seat?player=Cy").text) for phone in (first, second)]
    form = dict(re.findall(r'name="(deal|seat|seat_of|arrived)" value="(\w*)"', pads[0]))
    assert first.post("/seat/hand", form | tricks(2, 4)).status_code == 303
    assert "Entered for Cy by the scorer" in words(second.get(first_in(pads[1], POLLS)))
    refused = second.post("/seat/hand", form | tricks(2, 3))
    assert refused.status_code == 422
    assert "Entered meanwhile by the scorer" in words(refused)
    assert chips(first)["Cy"] == "by the scorer"
    form["arrived"] = first_in(refused.text, r'name="arrived" value="(\d+)"')
    assert second.post("/seat/hand", form | tricks(2, 3)).status_code == 303
    assert chips(first)["Cy"] == "changed by the scorer"
    assert first.post("/seat/goes-on", {"deal": 0}).status_code == 303
    three["Ann"].enter(tricks(0, 5))
    assert "Cy" in words(first.board())
    assert "by the scorer" not in words(first.board())


def test_a_figure_can_be_changed_whose_seat_is_free_since(three: Table) -> None:
    """A scorekeeper freed it: the figure stays, and nobody’s phone may show it."""
    three["Cy"].enter(tricks(2, 2))
    three.host.post("/seat/leave", {"seat_of": "Cy"})
    three.host.post("/seat/changes", {"seat_of": "Cy", "deal": 0})
    form = {"seat_of": "Cy", "deal": 0, "arrived": 0, **tricks(2, 3)}
    assert three.host.post("/seat/hand", form).status_code == 303
    assert chips(three.host)["Cy"] == "by the scorer"


def test_a_scorekeepers_pad_is_told_that_its_player_has_entered_theirs(three: Table) -> None:
    page = unescape(three.host.get("/seat?player=Cy").text)
    three["Cy"].enter(tricks(2, 2))
    assert "Cy has entered theirs." in words(three.host.get(first_in(page, POLLS)))


def test_whoever_objects_is_told_that_it_has_arrived(three: Table) -> None:
    """Until the deal is corrected."""
    writes(three, **(tricks(0, 9) | tricks(1, 5) | tricks(2, 2)))
    cy = three["Cy"]
    assert "isn’t right" not in words(cy.get("/seat/me"))
    cy.post("/seat/objects", {"seat_of": "Cy", "deal": 0, **tricks(2, 4)})
    assert "Deal 1 isn’t right: whoever keeps score has been told" in words(cy.get("/seat/me"))
    assert "isn’t right" not in words(three["Ann"].get("/seat/me"))


def test_somebody_joins_by_mistake_while_figures_wait(table: Table) -> None:
    """Removing them again, in whatever way, changes no figure."""
    table["Ann"].enter(scored(0, 10))
    table["Ben"].enter(scored(1, 11))
    writes(table, action="join", player="Flo", left_of="Ann", points="0")
    removes(table, 1)
    assert "2 of 5 are in" in words(table.host.get())


def test_red_aces_are_noted_by_mistake_while_figures_wait(client: FlaskClient) -> None:
    """Removing them in the log changes no figure: the deal is over all the same."""
    table = Table(client, "red-nines-1881", FIVE[:3])
    table["Ann"].enter({"action": "out", "player": "Ann"})
    table["Ben"].enter({"action": "out", "hands.1.plain": 3})
    writes(table, action="aces", player="Cy")
    removes(table, 1)
    assert "2 of 3 are in" in words(table.host.get())


def test_a_figure_goes_to_nobody_who_once_had_that_name(client: FlaskClient) -> None:
    """Zoe was Ann before somebody else of that name came; both were on one phone for a while."""
    table = Table(client, "plain-score", FIVE[:2])
    settings = {"was": FIVE[:2], "name": ["Zoe", "Ben"], "dealer": "0", "after": 0, "sure": "yes"}
    assert table.host.post("/settings", {**settings, "key": "k"}).status_code == 303
    writes(table, action="join", player="Ann", left_of="Ben", points="0")
    for phone, sure in (("Ann", ""), ("Ben", "yes")):
        table[phone].post("/seat/take", {"player": "Ann", "sure": sure})
    assert "isn’t on this phone" in table["Ann"].enter({"action": "deal", "points.2": 7})
    assert "are in" not in words(table.host.get())


def test_whoever_was_renamed_since_has_called_all_the_same(client: FlaskClient) -> None:
    """Their pad was opened before, and still has the former name."""
    table = Table(client, "red-nines-1881", FIVE[:3])
    settings = {"was": FIVE[:3], "name": ["Anna", "Ben", "Cy"], "dealer": "0", "after": 0}
    changed = table.host.post("/settings", {**settings, "sure": "yes", "key": "k"})
    assert changed.status_code == 303, words(changed)
    table["Ann"].enter({"action": "out", "player": "Ann", "red_nine": "false"})
    assert "Anna went out" in words(table.host.get())
