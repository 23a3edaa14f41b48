"""How far each seat is, as all may see it, and who asks for one: away, not over yet, new."""

import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.extras.seats.book import SeatBook
from tests.extras.seats.test_gathering import ANN_OUT, Table, out, tricks
from tests.support.phone import Phone, begin, first_in, words

FOUR = ["Ann", "Ben", "Cy", "Dot"]


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client, "red-nines-1881", FOUR)


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", FOUR[:3])


def chips(phone: Phone) -> dict[str, str]:
    """The board's text about each player's figure."""
    page = re.sub(r"</?(a|b|form|input|button)\b[^>]*>", "", phone.get().text)
    found = re.findall(r'<li data-player="(\w+)"[^>]*>\s*\w+\s*<small>([^<]*)', page)
    return {player: state.strip().replace("\xad", "") for player, state in found}


# --- away


def test_a_phone_that_has_not_opened_its_pad_is_away(table: Table) -> None:
    """Once somebody who is in has waited for it; all see it, and a scorekeeper enters for it."""
    table["Dot"].post("/seat/leave", {"seat_of": "Dot"})
    table["Ann"].enter(ANN_OUT)
    table["Ben"].get("/seat")
    assert chips(table["Ben"])["Cy"] == "counting…"
    page = table["Ann"].get("/seat").text
    assert "load delay:20s" in page
    place = first_in(page, r'hx-post="/s/[^/]+(/[^"]+)" hx-trigger="load delay')
    table["Ann"].post(place, {})
    for phone in (table["Ann"], table["Ben"], table["Cy"], table.host):
        told = {"Ann": "went out", "Ben": "counting…", "Cy": "away", "Dot": "no phone"}
        assert chips(phone) == told
    assert "away" in table["Ann"].says()
    table.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **out(2, "1")})
    assert chips(table["Ann"])["Cy"] == "by the scorer"


def test_whoever_is_back_counts(table: Table) -> None:
    table["Ann"].enter(ANN_OUT)
    table["Ann"].post("/seat/away", {})
    assert chips(table["Ann"])["Cy"] == "away"
    assert "How many cards do you still hold?" in table["Cy"].says()
    assert chips(table["Ann"])["Cy"] == "counting…"
    table["Ann"].post("/seat/away", {})
    assert chips(table["Ann"])["Cy"] == "counting…"
    table["Cy"].enter(out(2, "1"))
    assert chips(table["Ann"])["Cy"] == "in"


def test_a_phone_is_away_again_once_the_deal_has_gone_on(table: Table) -> None:
    """It opened its pad before that, and is back in a pocket when the deal is over."""
    table["Ann"].enter(ANN_OUT)
    table["Ann"].post("/seat/away", {})
    table["Cy"].get("/seat")
    table["Ann"].post("/seat/goes-on", {"seat_of": "Ann"})
    table["Ben"].enter(out(1, "3"))
    assert chips(table["Ann"])["Cy"] == "counting…"
    table["Ben"].post("/seat/away", {})
    assert chips(table["Ann"])["Cy"] == "away"


def test_only_a_player_who_is_in_reports_others_away(table: Table) -> None:
    """A pad that has been opened for the second player of a phone is opened for both."""
    table["Ann"].enter(ANN_OUT)
    table["Ben"].post("/seat/take", {"player": "Cy", "sure": "yes"})
    table["Ben"].get("/seat?player=Ben")
    table["Dot"].post("/seat/away", {})
    assert "away" not in chips(table["Ann"]).values()
    table["Ann"].post("/seat/away", {})
    assert [player for player, is_ in chips(table["Ann"]).items() if is_ == "away"] == ["Dot"]


def test_a_pad_opened_on_another_phone_is_open(table: Table) -> None:
    """Cy's seat has moved there since the pad was opened on the first one."""
    table["Ann"].enter(ANN_OUT)
    table["Cy"].get("/seat")
    other = table.host.other("play")
    other.post("/seat/take", {"player": "Cy", "sure": "yes"})
    other.get("/seat")
    table["Ann"].post("/seat/away", {})
    assert chips(table["Ann"])["Cy"] == "counting…"


def test_a_pad_that_is_opened_is_noted_once(table: Table) -> None:
    """It is news to all phones once; asking again costs nothing."""
    before = table.host.get("/board").headers["HX-PTag"]
    table["Cy"].get("/seat")
    opened = table.host.get("/board").headers["HX-PTag"]
    table["Cy"].get("/seat?change=yes")
    assert before != opened == table.host.get("/board").headers["HX-PTag"]
    assert "are in" not in words(table.host.get())


def test_whoever_entered_for_one_player_is_led_to_the_next(table: Table) -> None:
    """A scorekeeper with a seat, whose own figure is in; if theirs is due, to the sheet."""
    table.host.post("/seat/take", {"player": "Ben", "sure": "yes"})
    table["Ann"].enter(ANN_OUT)
    for place, number in (("", "1"), (r"/seat\?player=Ben.*", "2")):
        answer = table.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **out(2, number)})
        assert re.fullmatch(r"/s/[\w-]+" + place, answer.headers["Location"])
        table.host.post("/seat/hand", {"seat_of": "Ben", "deal": 0, **out(1, "1")})


# --- not over yet


def test_not_over_yet_closes_the_pads_and_keeps_what_was_entered(table: Table) -> None:
    """Each phone's own figure is in its pad again when the deal is over; nobody is in."""
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "3"))
    tag = table["Cy"].get("/board").headers["HX-PTag"]
    assert "Not over yet" in table["Ann"].says()
    assert "Not over yet" not in table["Ben"].says()
    table["Ann"].post("/seat/goes-on", {"seat_of": "Ann", "deal": 0})
    for path in ("/seat/open?deal=0&begun=yes", "/seat/felt?player=Ben&deal=0"):
        led = table["Ben"].get(path, **{"HX-PTag": tag}).headers["HX-Redirect"]
        led = table["Ben"].client.get(led).headers.get("Location", led)
        assert led == f"/s/{table['Ben'].token}"
    assert table["Ben"].get("/seat?player=Ben&deal=0").status_code == 303  # without script
    assert "are in" not in words(table.host.get())
    assert 'name="hands.1.plain" value="3" checked' in table["Ben"].get("/seat").text
    assert not re.search(r'name="hands.2.plain"[^>]*checked', table["Cy"].get("/seat").text)
    table["Cy"].enter({"action": "out", "player": "Cy", "red_nine": "true"})
    assert chips(table["Dot"])["Ben"] == "counting…"
    for seat, player in ((0, "Ann"), (1, "Ben"), (3, "Dot")):
        assert table.entries == []
        table[player].enter(out(seat, "2"))
    (entry,) = table.entries
    assert (entry["player"], entry["hands"]["Ben"]["plain"]) == ("Cy", 2)


def test_a_draft_shows_on_the_phone_that_sent_it_alone(app: Flask, table: Table) -> None:
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "3"))
    table.host.post("/seat/goes-on", {"deal": 0})
    other = Phone(app.test_client(), table["Ben"].token)
    other.post("/seat/take", {"player": "Ben", "sure": "yes"})
    assert 'value="3" checked' not in other.get("/seat").text
    assert 'value="3" checked' not in table.host.get("/seat?player=Ben").text


def test_a_phone_that_hands_its_seat_back_takes_its_figure_along(table: Table) -> None:
    """Dot took Cy's seat by mistake: his pad opens for him, and shows nothing of hers."""
    phone = table["Cy"]
    table["Ann"].enter(ANN_OUT)
    phone.enter(out(2, "2"))
    phone.post("/seat/leave", {"seat_of": "Cy"})
    assert chips(table["Ann"])["Cy"] == "no phone"
    phone.post("/seat/take", {"player": "Cy"})
    assert chips(table["Ann"])["Cy"] == "counting…"
    pad = phone.get("/seat").text
    assert 'name="hands.2.plain"' in pad
    assert not re.search(r'name="hands.2.plain" value="2"[^>]* checked', pad)
    phone.enter(out(2, "1"))
    assert "Only this phone shows" in phone.says()


def test_a_figure_stays_whose_seat_another_phone_frees(table: Table) -> None:
    """The phone that sent it is dead; or its player was entered for, and goes home."""
    table["Cy"].enter(out(2, "2"))
    table.host.post("/seat/leave", {"seat_of": "Cy"})
    assert chips(table["Ann"])["Cy"] == "in"
    table.host.post("/seat/hand", {"seat_of": "Dot", "deal": 0, **out(3, "1")})
    table["Dot"].post("/seat/leave", {"seat_of": "Dot"})
    assert chips(table["Ann"])["Dot"] == "by the scorer"


def test_who_may_continue_the_deal(three: Table) -> None:
    """If nobody goes out, the first player who was in; and a scorekeeper; for that deal only."""
    three["Ben"].enter(tricks(1, 5))
    three["Ann"].enter(tricks(0, 9))
    assert three["Ann"].post("/seat/goes-on", {"seat_of": "Ann"}).status_code == 403
    assert "Not over yet" in words(three.host.get())
    three.host.post("/seat/goes-on", {"deal": 7})
    assert chips(three["Cy"])["Ben"] == "in"
    three["Ben"].post("/seat/goes-on", {"seat_of": "Ben", "deal": 0})
    assert chips(three["Cy"]) == {}
    for seat, player in enumerate(FOUR[:3]):
        three[player].enter(tricks(seat, (9, 5, 2)[seat]))
    assert len(three.entries) == 1


def test_still_playing_delays_the_recording_and_is_shown(three: Table) -> None:
    """What was in is a draft; a scorekeeper may overrule it."""
    three["Ann"].enter(tricks(0, 9))
    three["Ben"].enter(tricks(1, 5))
    three["Cy"].enter({}, do="playing")
    assert chips(three["Ann"])["Cy"] == "still playing"
    assert "still playing" in three["Ann"].says()
    three["Ben"].enter({}, do="playing")
    assert re.search(r'name="tricks.1" value="5"\s+checked', three["Ben"].get("/seat").text)
    three.host.post("/seat/now", {"deal": 0})
    assert chips(three["Ann"])["Cy"] == "counting…"
    three["Ben"].enter(tricks(1, 5))
    three["Cy"].enter(tricks(2, 2))
    assert len(three.entries) == 1


def test_whoever_entered_a_figure_is_named_no_longer_once_it_is_withdrawn(three: Table) -> None:
    three.host.post("/phone", {"phone": "Ben"})
    three.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **tricks(2, 2)})
    assert chips(three["Ann"])["Cy"] == "by Ben"
    three["Cy"].enter({}, do="playing")
    three["Ann"].enter(tricks(0, 9))
    assert chips(three["Ann"])["Cy"] == "still playing"


# --- somebody new


def test_somebody_new_asks_to_join(app: Flask, table: Table) -> None:
    """The scorekeeper sees it, one tap from the form with the name in it; then the seat is free."""
    fay = Phone(app.test_client(), table["Ann"].token)
    page = fay.get("/seat").text
    assert "I’m new here" in words(page)
    fay.post("/seat/ask", {"player": " Fay "})
    assert "You’ve asked to join as Fay" in words(fay.get("/seat/me"))
    assert "Fay would like to join" not in words(table["Ben"].get())
    board = table.host.get()
    assert "Fay would like to join" in words(board)
    form = table.host.client.get(
        first_in(board.text, r'href="([^"]+action=join[^"]+)"').replace("&amp;", "&")
    )
    assert re.search(r"<details[^>]* open>\s*<summary>.*?Someone joins", form.text, re.DOTALL)
    assert re.search(r'id="new-player" name="player"[^>]* value="Fay"', form.text)
    table.host.post("/entries", {"action": "join", "player": "Fay", "left_of": "Dot", "after": 0})
    assert "Fay would like to join" not in words(table.host.get())
    assert "I’m Fay" in words(fay.get("/seat/me"))
    fay.post("/seat/take", {"player": "Fay"})
    table.host.post("/entries", {"action": "leave", "player": "Fay", "after": 1})
    assert "Fay would like to join" not in words(table.host.get())


def test_a_wish_is_fulfilled_in_another_spelling(app: Flask, table: Table) -> None:
    """As the scorekeeper writes the name."""
    fay = Phone(app.test_client(), table["Ann"].token)
    fay.post("/seat/ask", {"player": "fay"})
    assert "fay would like to join" in words(table.host.get())
    table.host.post("/entries", {"action": "join", "player": "Fay", "left_of": "Dot", "after": 0})
    assert "would like to join" not in words(table.host.get())


def test_points_that_wait_are_shown_to_their_player(client: FlaskClient) -> None:
    table = Table(client, "red-nines", FOUR)
    table["Ben"].enter({"action": "out", "hands.1.points": "27", "hands.1.points:red_nines": "0"})
    assert "27 Only this phone shows yours." in table["Ben"].says()


def test_an_answer_may_be_written_like_a_players_name(client: FlaskClient) -> None:
    table = Table(client, "red-nines-1881", ["Ann", "true", "Cy", "Dot"])
    table["Ann"].enter(ANN_OUT | {"red_nine": "true"})
    for seat, player in ((1, "true"), (2, "Cy"), (3, "Dot")):
        table[player].enter(out(seat, "1"))
    assert table.entries[0]["red_nine"] is True


def test_whoever_finds_their_name_after_all_has_no_wish(app: Flask, table: Table) -> None:
    dot = Phone(app.test_client(), table["Ann"].token)
    dot.post("/seat/ask", {"player": "Dorothy"})
    table["Dot"].post("/seat/leave", {"seat_of": "Dot"})
    dot.post("/seat/take", {"player": "Dot"})
    assert "would like to join" not in words(table.host.get())


def test_nobody_can_be_let_into_a_game_that_is_over(app: Flask, table: Table) -> None:
    Phone(app.test_client(), table["Ann"].token).post("/seat/ask", {"player": "Fay"})
    table.host.record({"action": "stop"}, after=0)
    assert "would like to join" not in words(table.host.get())


def test_a_scorekeeper_may_decline(app: Flask, table: Table) -> None:
    fay = Phone(app.test_client(), table["Ann"].token)
    fay.post("/seat/ask", {"player": "Fay"})
    fay.post("/seat/ask", {"player": "Faye"})  # of one phone the last
    assert "Fay would" not in words(table.host.get())
    assert table["Ben"].post("/seat/decline", {"player": "Faye"}).status_code == 403
    table.host.post("/seat/decline", {"player": "Ann"})  # a seat, and no wish
    assert "You’re Ann" in words(table["Ann"].get("/seat/me"))
    table.host.post("/seat/decline", {"player": "Faye"})
    assert "would like to join" not in words(table.host.get())
    assert "No seat here yet" in words(fay.get("/seat/me"))


def test_no_wish_where_the_rules_let_nobody_join(app: Flask, three: Table, table: Table) -> None:
    """Nine Five Two is for three; and a name that nobody can have is refused at once."""
    page = Phone(app.test_client(), three["Ann"].token).get("/seat").text
    assert "I’m new here" not in words(page)
    assert "three" in words(page).partition("Just watch")[2]
    fay = Phone(app.test_client(), table["Ann"].token)
    asked = fay.post("/seat/ask", {"player": "Ann"})
    assert asked.status_code == 422
    assert "Two players are called “Ann”" in words(asked)
    assert 'value="Ann"' in asked.text.partition("I’m new here")[2]


def test_during_a_deal_somebody_new_waits_for_its_end(client: FlaskClient) -> None:
    """The rules allow nobody in before: the scorekeeper sees it."""
    host = begin(client, "multiple-9-holdem", FOUR)
    host.record({"action": "bet", "player": "Dot", "move": "fold"}, after=0)
    fay = Phone(client.application.test_client(), host.link("play"))
    assert fay.post("/seat/ask", {"player": "Fay"}).status_code == 303
    told = words(host.get()).partition("Fay would like to join")[2]
    assert told.strip().startswith("They can join once this is over.")


def test_somebody_new_waits_until_the_figures_are_recorded(app: Flask, table: Table) -> None:
    """Let in before that, they would owe a hand in a deal in which they held none."""
    for name in ("Fay", "Gus"):
        Phone(app.test_client(), table["Ann"].token).post("/seat/ask", {"player": name})
    assert "Let Fay in" in words(table.host.get())
    assert "Gus would like" not in words(table.host.get())  # one at a time
    table["Ann"].enter(ANN_OUT)
    told = words(table.host.get())
    assert "Fay would like to join They can join once this is over." in told
    assert "Let Fay in" not in told


# --- a seat that two phones claim


def test_a_seat_claimed_back_and_forth_is_freed_by_a_scorekeeper(app: Flask, table: Table) -> None:
    other = Phone(app.test_client(), table["Cy"].token)
    for phone in (other, table["Cy"]):
        assert "Two phones" not in words(table.host.get())
        phone.post("/seat/take", {"player": "Cy", "sure": "yes"})
    why = "Two phones want Cy’s seat. Whoever keeps score decides."
    for place in ("/seat/me", "/seat?pick=yes"):  # neither offers what would be refused
        assert why in words(other.get(place))
        assert not re.search(r'<button[^>]*value="Cy"(?![^>]*disabled)', other.get(place).text)
    assert "That’s me" in words(table.host.get("/seat?pick=yes"))
    again = other.post("/seat/take", {"player": "Cy", "sure": "yes"})
    assert again.status_code == 409
    assert "Cy’s seat has gone back and forth" in words(again)
    assert "Two phones want Cy’s seat" in words(table.host.get())
    assert "Two phones" not in words(table["Ann"].get())
    assert table["Ann"].post("/seat/leave", {"seat_of": "Cy"}).status_code == 409
    table.host.post("/seat/leave", {"seat_of": "Cy"})
    assert "I’m Cy" in words(table["Cy"].get("/seat/me"))
    assert other.post("/seat/take", {"player": "Cy"}).status_code == 303
    assert "You’re Cy" in words(other.get("/seat/me"))
    assert "Two phones" not in words(table.host.get())


def test_seats_that_went_back_and_forth_are_forgotten_with_the_deal(
    app: Flask, three: Table
) -> None:
    """A phone is lent, and given back later."""
    other = Phone(app.test_client(), three["Cy"].token)
    for phone in (other, three["Cy"]):
        phone.post("/seat/take", {"player": "Cy", "sure": "yes"})
    assert "Two phones want Cy’s seat" in words(three.host.get())
    by_the_drawer(three, 3)
    assert "Two phones" not in words(three.host.get())
    assert other.post("/seat/take", {"player": "Cy", "sure": "yes"}).status_code == 303


# --- a figure that comes late


def by_the_drawer(table: Table, cy: int) -> None:
    """Ben’s phone records a deal of Nine Five Two: Ann took nine tricks."""
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    deal = {"action": "tricks", "tricks.0": 9, "tricks.1": 7 - cy, "tricks.2": cy}
    sent = table.host.post("/entries", {**deal, "after": mark, "key": f"key {mark}"})
    assert sent.status_code == 303


def test_a_late_figure_that_was_recorded_asks_nothing(three: Table) -> None:
    """Only a player whose figure differs is asked."""
    by_the_drawer(three, cy=3)
    assert three["Cy"].enter(tricks(2, 3)) == f"/s/{three['Cy'].token}"
    assert "You’d entered 4" in three["Cy"].enter(tricks(2, 4))


def test_a_late_figure_is_compared_with_its_own_deal(three: Table) -> None:
    """However many have been recorded since; and by whom."""
    three.host.post("/phone", {"phone": "Ben"})
    by_the_drawer(three, cy=3)
    by_the_drawer(three, cy=2)
    said = three["Cy"].enter(tricks(2, 2))
    was = "Tricks: Ann 9, Ben 4, Cy 3. It says +1 for Cy."
    assert f"You’d entered 2. Ben recorded it before yours came in. {was}" in said
    assert three["Cy"].enter(tricks(2, 3)) == f"/s/{three['Cy'].token}"


def test_a_late_caller_learns_that_somebody_else_called(table: Table) -> None:
    fields = {"action": "out", "player": "Ben", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.0.plain": 1, "hands.2.plain": 1, "hands.3.plain": 1}
    assert table.host.post("/entries", {**fields, **hands}).status_code == 303
    assert "Already recorded" in table["Ann"].enter(ANN_OUT)
    assert table["Ben"].enter(ANN_OUT | {"player": "Ben"}) == f"/s/{table['Ben'].token}"


@pytest.mark.parametrize("late", ["true", "false"])
def test_whoever_went_out_otherwise_than_was_recorded_is_asked(table: Table, late: str) -> None:
    """On a red nine the others pay more: the same name isn’t the same call."""
    fields = {"action": "out", "player": "Ann", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.1.plain": 1, "hands.2.plain": 1, "hands.3.plain": 1}
    assert table.host.post("/entries", {**fields, **hands}).status_code == 303
    said = table["Ann"].enter(ANN_OUT | {"red_nine": late})
    assert ("Already recorded" in said) == (late == "true")


def test_whoever_called_something_else_than_was_recorded_is_asked(client: FlaskClient) -> None:
    table = Table(client, "9-of-a-kind", [*FOUR, "Eve"])
    called = {"action": "end", "callers": "Ann"}
    hands = {f"hands.{seat}.deadwood": 9 for seat in (1, 2, 3, 4)}
    sent = table.host.post("/entries", {**called, "by": "nine", **hands, "key": "k", "after": 0})
    assert sent.status_code == 303
    assert table["Ann"].enter(called | {"by": "nine"}) == f"/s/{table['Ann'].token}"
    assert "Already recorded" in table["Ann"].enter(called | {"by": "chicken"})


def test_an_objection_without_a_figure_is_shown(table: Table) -> None:
    fields = {"action": "out", "player": "Ben", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.0.plain": 1, "hands.2.plain": 1, "hands.3.plain": 1}
    table.host.post("/entries", {**fields, **hands})
    table["Ann"].post("/seat/objects", {"seat_of": "Ann", "deal": 0, **ANN_OUT})
    said = "Ann says that isn’t right Ann went out. Deal 1 was recorded differently."
    assert said in words(table.host.get())


def test_an_objection_about_a_red_nine_says_so(table: Table) -> None:
    """The player's own is mentioned as well if there is none."""
    fields = {"action": "out", "player": "Ann", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.1.plain": "2 + 9♦", "hands.2.plain": 1, "hands.3.plain": 1}
    table.host.post("/entries", {**fields, **hands})
    three = {"action": "out", "hands.1.plain": "3", "hands.1.plain:red_nines": "0"}
    assert "You’d entered 3 (no red nine)." in table["Ben"].enter(three)
    table["Ben"].post("/seat/objects", {"seat_of": "Ben", "deal": 0, **three})
    called = {"seat_of": "Ann", "deal": 0, **ANN_OUT, "red_nine": "true"}
    table["Ann"].post("/seat/objects", called)
    said = words(table.host.get())
    assert "Ben says 3 (no red nine) Deal 1 was recorded differently." in said
    assert "Ann says that isn’t right Ann went out on a red nine. Deal 1 was" in said


def test_an_objection_can_be_accepted_with_one_tap(table: Table) -> None:
    """It leads to what that would change; once it is corrected nothing is asked for anymore."""
    fields = {"action": "out", "player": "Ann", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.1.plain": 2, "hands.2.plain": 1, "hands.3.plain": 1}
    table.host.post("/entries", {**fields, **hands})
    table["Cy"].post("/seat/objects", {"seat_of": "Cy", "deal": 0, **out(2, "3")})
    asked = table.host.get().text
    assert "Cy is right Let it stand" in words(table.host.get())
    changes = table.host.press(asked[asked.index("Cy says 3") :])
    assert "Deal 1, Cy −1 −3" in words(changes)
    table.host.press(changes.text, sure="yes")
    assert table.host.file()["entries"][0]["hands"]["Cy"]["plain"] == 3
    assert "Cy says 3" not in words(table.host.get())


def test_an_objection_stays_after_a_change_of_name(three: Table) -> None:
    """The newest row is about no deal then."""
    by_the_drawer(three, cy=3)
    three["Cy"].post("/seat/objects", {"seat_of": "Cy", "deal": 0, **tricks(2, 4)})
    settings = {"was": FOUR[:3], "name": ["Ann", "Ben", "Cyd"], "dealer": "0"}
    three.host.post("/settings", {**settings, "after": 1, "sure": "yes", "key": "k"})
    assert "Cyd says 4 Deal 1 was recorded differently." in words(three.host.get())


def test_an_objection_of_somebody_renamed_can_be_let_stand(three: Table) -> None:
    by_the_drawer(three, cy=3)
    three["Cy"].post("/seat/objects", {"seat_of": "Cy", "deal": 0, **tricks(2, 4)})
    settings = {"was": FOUR[:3], "name": ["Ann", "Ben", "Cyd"], "dealer": "0"}
    three.host.post("/settings", {**settings, "after": 1, "sure": "yes", "key": "k"})
    asked = three.host.get().text.partition("Cyd says 4")[2]
    three.host.press(asked.partition("</form>")[2])
    assert "Cyd says" not in words(three.host.get())


def test_an_objection_is_not_about_the_deal_that_took_the_place_of_its_own(three: Table) -> None:
    """Whoever keeps score took the one back that was wrong."""
    by_the_drawer(three, cy=3)
    three["Cy"].post("/seat/objects", {"seat_of": "Cy", "deal": 0, **tricks(2, 4)})
    three.host.press(first_in(three.host.get().text, r'(?s)(<form[^>]*/undo".*?</form>)'))
    assert three.entries == []
    for player, number in (("Ann", 8), ("Ben", 6), ("Cy", 2)):
        three[player].enter(tricks(FOUR.index(player), number))
    assert len(three.entries) == 1
    assert "Cy says" not in words(three.host.get())


def test_a_late_objection_is_about_the_deal_it_names(three: Table) -> None:
    """The next one is being gathered, or recorded already: one tap still corrects that deal."""
    by_the_drawer(three, cy=3)
    three["Ann"].enter(tricks(0, 9), deal=1)
    page = three["Cy"].post("/seat/hand", {"seat_of": "Cy", "deal": 0, **tricks(2, 4)}).text
    three["Cy"].press(page)
    assert "Cy says 4 Deal 1 was recorded differently." in words(three.host.get())
    for seat, player in ((1, "Ben"), (2, "Cy")):
        three[player].enter(tricks(seat, (9, 5, 2)[seat]), deal=1)
    asked = three.host.get().text
    assert "Cy says 4 Deal 1 was recorded differently." in words(asked)
    changes = three.host.press(asked[asked.index("Cy says 4") :])
    assert "17 tricks? A deal has 16." in words(changes)
    assert "/entries/1" in changes.text


def test_a_scorekeeper_may_let_a_deal_stand(three: Table) -> None:
    """Then nothing is said of the objection anymore; the player may object once more."""
    by_the_drawer(three, cy=3)
    objects = {"seat_of": "Cy", "deal": 0, **tricks(2, 4)}
    three["Cy"].post("/seat/objects", objects)
    asked = three.host.get().text.partition("Cy says 4")[2]
    three.host.press(asked.partition("</form>")[2])
    assert "Cy says 4" not in words(three.host.get())
    three["Cy"].post("/seat/objects", objects)
    assert "Cy says 4" in words(three.host.get())


def test_an_impossible_objection_is_explained_in_the_correction(three: Table) -> None:
    by_the_drawer(three, cy=3)
    three["Ben"].post("/seat/objects", {"seat_of": "Ben", "deal": 0, **tricks(1, 5)})
    asked = three.host.get().text
    answer = three.host.press(asked[asked.index("Ben says 5") :])
    assert answer.status_code == 422
    assert "17 tricks? A deal has 16." in words(answer)
    assert 'name="tricks.1" class="number"' in answer.text


def test_an_objection_with_a_question_left_open_is_asked_where_it_would_be_corrected(
    table: Table,
) -> None:
    """Nobody has said how many of the cards are red nines."""
    fields = {"action": "out", "player": "Ann", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.1.plain": "2 + 9♦", "hands.2.plain": 1, "hands.3.plain": 1}
    table.host.post("/entries", {**fields, **hands})
    open_yet = {"action": "out", "hands.1.plain": "3", "hands.1.plain:red_nines": ""}
    table["Ben"].post("/seat/objects", {"seat_of": "Ben", "deal": 0, **open_yet})
    asked = table.host.get()
    assert asked.status_code == 200
    answer = table.host.press(asked.text[asked.text.index("Ben says 3") :])
    assert answer.status_code == 422
    assert "Is a red nine among Ben’s cards?" in words(answer)


def test_an_objection_that_cannot_be_read_is_corrected_as_it_was_written(three: Table) -> None:
    by_the_drawer(three, cy=3)
    three["Ben"].post("/seat/objects", {"seat_of": "Ben", "deal": 0, **tricks(1, 5)})
    written = {"action": "tricks", "tricks.1": "abc"}
    three["Ben"].post("/seat/objects", {"seat_of": "Ben", "deal": 0, **written})
    asked = three.host.get().text
    answer = three.host.press(asked[asked.index("Ben says abc") :])
    assert answer.status_code == 422
    assert "“abc” isn’t a whole number" in words(answer)


def test_an_objection_is_no_letter_to_whoever_keeps_score(three: Table) -> None:
    """However long the text that was sent as a figure."""
    by_the_drawer(three, cy=3)
    form = {"seat_of": "Cy", "deal": 0, "action": "tricks", "tricks.2": "I took four! " * 50}
    three["Cy"].post("/seat/objects", form)
    said = words(three.host.get()).partition("Cy says ")[2].partition(" Deal 1 was")[0]
    assert said.startswith("I took four!")
    assert len(said) < 100


def test_an_objection_about_the_caller_changes_no_other_call(client: FlaskClient) -> None:
    """It leads to the deal as it was recorded."""
    table = Table(client, "9-of-a-kind", [*FOUR, "Eve"])
    called = {"action": "end", "callers": "Ann", "by": "blocker", "key": "k", "after": 0}
    hands = {f"hands.{seat}.deadwood": 9 for seat in (1, 2, 3, 4)}
    sent = table.host.post("/entries", {**called, **hands})
    assert sent.status_code == 303, words(sent)
    nine = {"action": "end", "callers": "Cy", "by": "nine"}
    table["Cy"].post("/seat/objects", {"seat_of": "Cy", "deal": 0, **nine})
    asked = table.host.get().text
    notice = asked[asked.index("Cy says that") :].partition("</section>")[0]
    assert 'href="/s/' + table.host.token + '/entries/1"' in notice
    assert "/amend" not in notice


@pytest.mark.parametrize("stands", [False, True])
def test_an_objection_of_somebody_who_left_is_a_tap_away(table: Table, stands: bool) -> None:
    fields = {"action": "out", "player": "Ann", "red_nine": "false", "key": "by Ben", "after": 0}
    hands = {"hands.1.plain": 2, "hands.2.plain": 1, "hands.3.plain": 1}
    table.host.post("/entries", {**fields, **hands})
    table["Cy"].post("/seat/objects", {"seat_of": "Cy", "deal": 0, **out(2, "3")})
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    leaves = {"action": "leave", "player": "Cy", "after": mark, "key": "leaves"}
    assert table.host.post("/entries", leaves).status_code == 303
    asked = table.host.get().text
    asked = asked[asked.index("Cy says 3") :]
    if stands:
        table.host.press(asked[asked.index('<button class="go" type="submit">') :])
    else:
        changes = table.host.press(asked)
        assert "Deal 1, Cy −1 −3" in words(changes)
        table.host.press(changes.text, sure="yes")
    assert "Cy says 3" not in words(table.host.get())


def test_a_figure_finds_its_seat_though_somebody_has_joined_since(client: FlaskClient) -> None:
    """Cy has another number by then than his pads and the page of his late figure say."""
    table = Table(client, "plain-score", FOUR[:3])
    cy, of_pad = table["Cy"], r'name="seat" value="(\d)"'
    mine = {"seat": first_in(cy.get("/seat?change=yes").text, of_pad), "action": "deal"}
    points = {"action": "deal", "points.0": 1, "points.1": 2, "points.2": 9}
    assert table.host.record(points, after=0).status_code == 303
    late = cy.post("/seat/hand", {**mine, "deal": 0, "points.2": 5})
    deal = cy.deal()
    join = {"action": "join", "player": "Zed", "left_of": "Ann", "points": 0}
    assert table.host.record(join, after=1).status_code == 303
    assert first_in(cy.get("/seat?change=yes").text, of_pad) == "3"
    assert "You’d entered 5" in words(cy.post("/seat/hand", {**mine, "deal": 0, "points.2": 5}))
    cy.press(late.text)
    assert "Cy says 5 Deal 1 was recorded differently." in words(table.host.get())
    assert cy.post("/seat/hand", {**mine, "deal": deal, "points.2": 7}).status_code == 303
    assert "7 Only this phone shows yours." in cy.says()


def test_an_objection_is_weighed_only_where_it_is_shown(
    three: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A deal is played once more for it: all other phones go without."""
    by_the_drawer(three, cy=3)
    three["Ben"].post("/seat/objects", {"seat_of": "Ben", "deal": 0, **tricks(1, 5)})
    weighed = list[str]()
    monkeypatch.setattr(SeatBook, "recorded_otherwise", lambda *_: weighed.append("again"))
    for place in ("", "/board", "/seat?change=yes"):
        assert three["Ann"].get(place).status_code == 200
    assert weighed == []


def test_an_objection_is_noted_though_its_figure_was(three: Table) -> None:
    """It came in at the moment at which the deal was recorded: its key has been used."""
    by_the_drawer(three, cy=3)
    page = three["Cy"].post("/seat/hand", {"seat_of": "Cy", "deal": 0, **tricks(2, 4), "key": "k"})
    asks = page.text.partition("/seat/objects")[2]
    assert 'name="key" value=""' in asks
    assert 'value="k"' not in asks


def test_whoever_is_in_is_asked_about_a_deal_recorded_otherwise(three: Table) -> None:
    """By the drawer, while the figures waited; nobody else is, nor twice."""
    for seat, player in enumerate(FOUR[:2]):
        three[player].enter(tricks(seat, (9, 5)[seat]))
    by_the_drawer(three, cy=3)
    led = {
        player: three[player].get(f"/seat/felt?player={player}&deal=0").headers["HX-Redirect"]
        for player in FOUR[:2]
    }
    assert led["Ann"] == f"/s/{three['Ann'].token}"
    asked = three["Ben"].client.get(led["Ben"])
    assert "You’d entered 5. It was recorded differently." in words(asked)
    three["Ben"].press(asked.text)
    assert "Ben says 5 Deal 1 was recorded differently." in words(three.host.get())


def test_a_figure_for_a_deal_that_was_never_recorded_is_entered_again(three: Table) -> None:
    """The deal before it was taken back while its pad was open."""
    by_the_drawer(three, cy=3)
    mark = first_in(three.host.get().text, r'name="after" value="([^"]+)"')
    three.host.post("/undo", {"after": mark})
    late = three["Cy"].post("/seat/hand", {"seat_of": "Cy", "deal": 1, **tricks(2, 4), "key": "k"})
    assert late.status_code == 422
    assert "Something was undone" in words(late)
    assert "Already recorded" not in words(late)
    assert re.search(r'name="tricks.2" value="4"\s+checked', late.text)
    assert 'name="deal" value="0"' in late.text


def test_a_figure_for_the_next_deal_is_kept_if_this_one_is_recorded_again(three: Table) -> None:
    """Its pad was open while the deal before it was taken back: nothing of its own is recorded."""
    by_the_drawer(three, cy=3)
    mark = first_in(three.host.get().text, r'name="after" value="([^"]+)"')
    three.host.post("/undo", {"after": mark})
    by_the_drawer(three, cy=2)
    late = three["Cy"].post("/seat/hand", {"seat_of": "Cy", "deal": 1, **tricks(2, 4), "key": "k"})
    assert late.status_code == 422
    assert "Something was undone" in words(late)
    assert re.search(r'name="tricks.2" value="4"\s+checked', late.text)
    assert 'name="deal" value="3"' in late.text


@pytest.mark.parametrize("cards", ["9D 4C KS", "9♦ 4♣ K♠", "KS 9d 5c", "2 + 9R", "4C KS"])
def test_cards_may_be_written_in_several_ways(table: Table, cards: str) -> None:
    """The same cards are the same figure."""
    field = "hands.1.plain" if "+" in cards else "hands.1"
    table["Ben"].enter({"action": "out", field: cards})
    fields = {"action": "out", "player": "Ann", "red_nine": "false", "key": "by Cy", "after": 0}
    hands = {"hands.1": "9♦ 4♣ K♠", "hands.2.plain": 1, "hands.3.plain": 1}
    assert table.host.post("/entries", {**fields, **hands}).status_code == 303
    led = table["Ben"].get("/seat/felt?player=Ben&deal=0").headers["HX-Redirect"]
    assert ("/seat" in led) == (cards == "4C KS")


# --- a scorekeeper enters, or several do


def test_of_two_scorekeepers_the_later_figure_counts(client: FlaskClient, table: Table) -> None:
    """All see who entered it last; the player’s own figure replaces it."""
    for name in ("Ben", "Dot"):
        keeps = table.host.other("score")
        keeps.post("/phone", {"phone": name})
        keeps.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **out(2, str(len(name)))})
    assert chips(table["Ann"])["Cy"] == "changed by Dot"
    assert "Entered for you by Dot" in table["Cy"].says()
    table["Cy"].enter(out(2, "1"))
    assert "Yours is in" in table["Cy"].says()
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "2"))
    table["Dot"].enter(out(3, "2"))
    assert table.entries[0]["hands"]["Cy"]["plain"] == 1


def test_someone_new_takes_over_without_the_phone(table: Table) -> None:
    """The former holder's seat ends, with their entries."""
    table["Cy"].enter(out(2, "1"))
    table.host.post("/entries", {"action": "replace", "player": "Cy", "by": "Gus", "after": 0})
    assert "No seat here yet" in words(table["Cy"].get("/seat/me"))
    assert chips(table["Ann"]) == {}
    table["Ann"].enter(ANN_OUT)
    assert chips(table["Ann"])["Gus"] == "no phone"


def test_whoever_has_left_is_told_so(client: FlaskClient) -> None:
    """Nothing is asked of that phone anymore."""
    table = Table(client, "pink-nines", FOUR)
    table.host.post("/entries", {"action": "leave", "player": "Ben", "after": 0, "key": "k"})
    assert words(table["Ben"].get("/seat/me")) == "Ben has left Which seat is yours?"
    assert "sits-out" in table["Ben"].get("/seat/me").text


def test_whoever_takes_a_deal_back_is_named(three: Table) -> None:
    """In the log; they don’t keep score by that."""
    for seat, player in enumerate(FOUR[:3]):
        three[player].enter(tricks(seat, (9, 5, 2)[seat]))
    page = three["Cy"].get().text
    mark = first_in(page, r'name="after" value="([^"]+)"')
    three["Cy"].post("/seat/undo", {"after": mark})
    assert three.host.file()["history"][-1]["by"] == "Cy"
    assert "Cy keeps score" not in words(three.host.other("view").get())


# --- without script, and what is in no address


def test_without_script_the_sheet_leads_to_the_seat_of_this_phone(table: Table) -> None:
    page = table["Cy"].get().text
    told = page.partition("<noscript>")[2].partition("</noscript>")[0]
    place = first_in(told, r'href="/s/[^/]+([^"]+)"')
    assert "Cy on this phone" in words(table["Cy"].get(place))


@pytest.mark.parametrize("slug", ["colorado-nines", "9-of-a-kind", "red-nines"])
def test_a_players_cards_are_in_no_address(client: FlaskClient, slug: str) -> None:
    """A proxy logs them: a pad sends what it holds in a body, even while it is filled in."""
    table = Table(client, slug, [*FOUR, "Eve"])
    page = table["Ann"].get("/seat").text
    assert not [form for form in re.findall(r"<form.*?</form>", page, re.S) if "hx-get" in form]
    assert 'class="counted"' in table.host.get("/record").text


def test_whoever_enters_for_another_is_asked_what_the_other_would_be(table: Table) -> None:
    """All cards, a red nine among them: not the cards without red nines."""
    table["Ann"].enter(ANN_OUT)
    page = words(table.host.get("/seat?player=Dot&change=yes"))
    assert "How many cards does Dot still hold?" in page
    assert "without red nines" not in page


# --- what is not said


def test_no_red_nine_alone_is_no_hand(table: Table) -> None:
    """The question was answered, but the number was forgotten."""
    table["Ann"].enter(ANN_OUT)
    asked = {"action": "out", "hands.2.plain": "", "hands.2.plain:red_nines": "0"}
    assert "Nothing is entered yet" in table["Cy"].enter(asked)
    assert chips(table.host)["Cy"] == "counting…"


def test_a_look_at_ones_own_figure_changes_nothing(three: Table) -> None:
    """The arrow of a pad that was opened with *Change mine* leads back to where that was tapped."""
    three["Ann"].enter(tricks(0, 9))
    assert 'aria-label="Still playing"' in three["Ben"].get("/seat").text
    three["Ben"].enter(tricks(1, 5))
    page = three["Ben"].get("/seat?change=yes").text
    assert "Still playing" not in page
    back = first_in(page, r'class="back" href="([^"]+)"')
    assert "Change mine" in words(three["Ben"].client.get(back.replace("&amp;", "&")))


def test_a_penalty_taken_back_says_nothing_of_the_deal(table: Table) -> None:
    """All hands are in, and it is still to be said who went out."""
    for seat, player in enumerate(FOUR[1:], 1):
        table[player].enter(out(seat, "3"))
    table["Ann"].enter(out(0, "3"))
    fined = {"action": "adjust", "player": "Ben", "points": "-1", "to": "Ann", "reason": "late"}
    table.host.post("/entries", {**fined, "after": 0, "key": "fined"})
    table.host.post("/undo", {"after": 1})
    said = words(table.host.get())
    assert "who went out" in said
    assert "Taken back" not in said


def test_the_game_ends_while_figures_wait(client: FlaskClient) -> None:
    """By a lower target: nothing can be sent anymore, and the sheet says who has won."""
    table = Table(client, "plain-score", FOUR[:3], target="100")
    for seat, player in enumerate(FOUR[:3]):
        table[player].enter({"action": "deal", f"points.{seat}": 20 + seat})
    table["Ann"].enter({"action": "deal", "points.0": 5}, 1)
    names = {"was": FOUR[:3], "name": FOUR[:3], "dealer": "0", "target": "20"}
    rules = {**names, "after": 1, "sure": "yes", "key": "k"}
    assert table.host.post("/settings", rules).status_code == 303
    sent = table["Cy"].post(
        "/seat/hand", {"seat_of": "Cy", "deal": 1, "action": "deal", "points.2": 5}
    )
    assert sent.status_code == 303
    assert "Cy wins" in words(table["Cy"].get())


# --- put out of the game


@pytest.fixture
def without_cy(client: FlaskClient) -> Table:
    """A deal has just taken Cy's last counters: he is out."""
    rules = {"cannot_pay": "out", "counters": "10"}
    table = Table(client, "red-nines-1881", FOUR, **rules)
    table["Ann"].enter(ANN_OUT | {"red_nine": "true"})
    for seat, cards in ((1, "1"), (2, "9"), (3, "1")):
        table[FOUR[seat]].enter(out(seat, cards))
    assert len(table.entries) == 1
    assert "I’m Cy" not in words(Phone(client, table["Ann"].token).get("/seat"))
    return table


def test_whoever_a_deal_puts_out_may_take_it_back(without_cy: Table) -> None:
    cy = without_cy["Cy"]
    assert "You’re Cy" in words(cy.get("/seat/me"))
    undone = cy.press(first_in(cy.get().text, r"(?s)(<form[^>]*seat/undo.*?</form>)"))
    assert undone.status_code == 303
    assert without_cy.entries == []


def test_whoever_a_deal_puts_out_may_say_that_it_is_wrong(without_cy: Table) -> None:
    """A figure that the phone sent late is one that whoever keeps score can take over."""
    form = {"seat_of": "Cy", "seat": "2", "deal": 0, **out(2, "3")}
    late = without_cy["Cy"].post("/seat/hand", form)
    assert "You’d entered 3" in words(late)
    without_cy["Cy"].press(late.text)
    assert "Cy says 3 Deal 1 was recorded differently." in words(without_cy.host.get())


def test_whoever_is_out_though_they_had_entered_less_is_asked(client: FlaskClient) -> None:
    """Whoever keeps score recorded the deal with another figure than theirs."""
    table = Table(client, "red-nines-1881", FOUR, cannot_pay="out", counters="10")
    cy = table["Cy"]
    cy.enter(out(2, "3"))
    hands = {"hands.1.plain": 1, "hands.2.plain": 9, "hands.3.plain": 1}
    assert table.host.record({**ANN_OUT, "red_nine": "true", **hands}, after=0).status_code == 303
    late = cy.client.get(cy.get("/seat/felt?player=Cy&deal=0").headers["HX-Redirect"])
    assert "You’d entered 3. It was recorded differently." in words(late)
    cy.press(late.text)
    assert "Cy says 3 Deal 1 was recorded differently." in words(table.host.get())


def test_the_pad_of_whoever_is_out_now_stays_open(client: FlaskClient) -> None:
    """What they have filled in is a reason to object."""
    table = Table(client, "red-nines-1881", FOUR, cannot_pay="out", counters="10")
    table["Ann"].get("/seat")
    table["Cy"].get("/seat")
    hands = {"hands.1.plain": 1, "hands.2.plain": 9, "hands.3.plain": 1}
    assert table.host.record({**ANN_OUT, "red_nine": "true", **hands}, after=0).status_code == 303
    meanwhile = table["Cy"].get("/seat/open?player=Cy&deal=0")
    assert "HX-Redirect" not in meanwhile.headers
    assert "Already recorded" in words(meanwhile)


def test_who_stays_in_keeps_their_pad_on_the_phone_of_who_is_out(client: FlaskClient) -> None:
    table = Table(client, "red-nines-1881", FOUR, cannot_pay="out", counters="10")
    phone = table["Cy"]
    phone.post("/seat/take", {"player": "Dot", "sure": "yes"})
    hands = {"hands.1.plain": 1, "hands.2.plain": 9, "hands.3.plain": 1}
    assert table.host.record({**ANN_OUT, "red_nine": "true", **hands}, after=0).status_code == 303
    assert 'data-own-is="Dot"' in phone.get("/seat/me").text
    assert "own-pad" in phone.get("/seat").text


def test_whoever_the_last_deal_of_a_game_puts_out_may_say_that_it_is_wrong(
    client: FlaskClient,
) -> None:
    table = Table(client, "red-nines-1881", FOUR[:2], cannot_pay="out", counters="10")
    table["Ann"].enter(ANN_OUT | {"red_nine": "true"})
    table["Ben"].enter(out(1, "9"))
    assert "Play again" in words(table.host.get())
    ben = table["Ben"]
    ben.press(
        ben.post("/seat/hand", {"seat_of": "Ben", "seat": "1", "deal": 0, **out(1, "3")}).text
    )
    assert "Ben says 3 Deal 1 was recorded differently." in words(table.host.get())
    ben.press(first_in(ben.get().text, r"(?s)(<form[^>]*seat/undo.*?</form>)"))
    assert table.entries == []


def test_whoever_was_put_out_plays_the_next_game_from_the_same_phone(without_cy: Table) -> None:
    """The game had gone on without them."""
    deal = int(without_cy["Ann"].deal())
    without_cy["Ann"].enter(ANN_OUT, deal=deal)
    for seat, player in ((1, "Ben"), (2, "Dot")):
        without_cy[player].enter(out(seat, "1"), deal=deal)
    assert "You’re Cy on this phone" in words(without_cy["Cy"].get("/seat/me"))
    without_cy.host.record({"action": "stop"}, after=2)
    without_cy.host.again()
    following = without_cy["Cy"].get("/next").headers["Location"].rpartition("/")[2]
    assert "You’re Cy" in words(Phone(without_cy["Cy"].client, following).get("/seat/me"))


@pytest.mark.parametrize("place", ["?change=yes", "/felt?player=Cy", "/open?player=Cy"])
def test_whoever_is_out_has_no_pad_in_the_next_deal(without_cy: Table, place: str) -> None:
    cy = without_cy["Cy"]
    answer = cy.get(f"/seat{place}&deal={without_cy['Ann'].deal()}")
    leads_to = answer.headers.get("HX-Redirect") or answer.headers["Location"]
    assert leads_to == f"/s/{cy.token}"


def test_whoever_is_out_is_not_asked_which_seat_is_theirs(without_cy: Table) -> None:
    """Unless they want to hand it back."""
    cy, ann = without_cy["Cy"], without_cy["Ann"]
    assert cy.get("/seat").headers["Location"] == f"/s/{cy.token}"
    assert "Hand Cy’s seat back" in words(cy.get("/seat?pick=yes"))
    assert "sits-out" in cy.get("/seat/me").text
    assert "sits-out" not in ann.get("/seat/me").text


def test_whoever_is_out_of_a_round_is_not_asked_for_a_hand(client: FlaskClient) -> None:
    """Cy made a false call; the others play on."""
    table = Table(client, "9-of-a-kind", [*FOUR, "Eve"])
    assert table.host.record({"action": "forfeit", "player": "Cy"}, after=0).status_code == 303
    assert "sits-out" in table["Cy"].get("/seat/me").text
    assert "sits-out" not in table["Dot"].get("/seat/me").text


def test_whoever_has_folded_still_sees_the_table(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", FOUR)
    fold = {"action": "bet", "player": "Dot", "move": "fold"}
    assert table.host.record(fold, after=0).status_code == 303
    assert "sits-out" not in table["Dot"].get("/seat/me").text


@pytest.mark.parametrize("tap", [{}, {"tap": "hands.2:3"}])
def test_whoever_is_out_has_no_figure_in_the_next_deal(
    without_cy: Table, tap: dict[str, str]
) -> None:
    form = {"seat_of": "Cy", "deal": without_cy["Ann"].deal(), **out(2, "3"), **tap}
    assert without_cy["Cy"].post("/seat/hand", form).status_code == 409
    assert without_cy["Cy"].post("/seat/preview", form).status_code == 409


def test_a_call_taken_back_stays_so_if_the_hand_is_refused(table: Table) -> None:
    """The red nine was forgotten: the same pad comes back, with what was filled in.

    Its form is kept on the phone by its address, as any figure that is to be forgotten.
    """
    table["Ann"].enter(ANN_OUT)
    pad = table["Ann"].get("/seat?change=yes&call=no").text
    assert f'data-form="/s/{table["Ann"].token}/seat/hand Ann"' in pad
    form = first_in(pad, r'(?s)(<form[^>]*action="[^"]*/seat/hand".*?</form>)')
    hand = {"action": "out", "hands.0.plain": "4", "hands.0.plain:red_nines": ""}
    hand["call"] = first_in(form, 'name="call" value="(.*?)"')
    answer = table["Ann"].post("/seat/hand", {"seat_of": "Ann", "deal": 0, **hand})
    assert answer.status_code == 422
    assert "On a red nine?" not in words(answer)
    assert re.search('name="hands.0.plain" value="4" checked', answer.text)
