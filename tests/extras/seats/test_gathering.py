"""A deal is gathered from the phones of those at the table, and recorded once all are in."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.support.phone import Phone, begin, first_in, words


class Seat(Phone):
    """A phone with a seat of its own, by the link that says Play."""

    def __init__(self, app: Flask, token: str, player: str) -> None:
        super().__init__(app.test_client(), token)
        self.player = player
        assert self.post("/seat/take", {"player": player}).status_code == 303

    def goes_to(self, app: Flask) -> None:
        """From now on ask this app, with the cookies that the phone has."""
        cookies = self.client._cookies
        self.client = app.test_client()
        self.client._cookies = cookies

    def deal(self) -> str:
        """The deal that its pad is for."""
        return first_in(self.get("/seat?change=yes").text, r'name="deal" value="(-?\d+)"')

    def enter(self, fields: Mapping[str, object], deal: int = 0, do: str = "hand") -> str:
        """Send a figure; returns the redirect, or the faults."""
        answer = self.post(f"/seat/{do}", {"seat_of": self.player, "deal": deal, **fields})
        return answer.headers.get("Location", words(answer))

    def says(self) -> str:
        return words(self.client.get(f"/s/{self.token}/seat", follow_redirects=True))


class Table:
    """A host’s phone, and a phone with a seat for each player."""

    def __init__(
        self, client: FlaskClient, slug: str, players: Sequence[str], **rules: str
    ) -> None:
        self.host = begin(client, slug, list(players), **rules)
        token = self.host.link("play")
        self.seats = {name: Seat(client.application, token, name) for name in players}

    def __getitem__(self, player: str) -> Seat:
        return self.seats[player]

    def changes(self, player: str, form: Mapping[str, object], deal: int = 0) -> None:
        """A scorekeeper changes the figure of a player that is in."""
        for do, fields in (("changes", {}), ("hand", form)):
            sent = self.host.post(f"/seat/{do}", {"seat_of": player, "deal": deal, **fields})
            assert sent.status_code == 303, words(sent)

    @property
    def entries(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.host.file()["entries"]
        return found


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client, "red-nines-1881", ["Ann", "Ben", "Cy", "Dot"])


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", ["Ann", "Ben", "Cy"])


def tricks(seat: int, number: int) -> dict[str, object]:
    return {"action": "tricks", f"tricks.{seat}": number}


def out(seat: int, cards: str) -> dict[str, object]:
    return {"action": "out", f"hands.{seat}.plain": cards}


ANN_OUT = {"action": "out", "player": "Ann", "red_nine": "false"}


def test_the_last_figure_records_the_deal(table: Table) -> None:
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "3"))
    table["Cy"].enter(out(2, "1"))
    assert table.entries == []
    assert table["Dot"].enter(out(3, "2 + 9♦")).endswith(table["Dot"].token)
    (entry,) = table.entries
    assert entry["player"] == "Ann"
    assert entry["hands"]["Dot"] == {"plain": 2, "red_nines": 1}


def test_a_figure_that_cannot_be_is_refused_at_once(table: Table) -> None:
    assert "30" in table["Ben"].enter(out(1, "30"))
    assert "Nothing is entered yet" in table["Ben"].enter({"action": "out"})


def test_a_hand_that_is_only_begun_is_not_taken(client: FlaskClient) -> None:
    """It would never be recorded, and nobody would know why."""
    table = Table(client, "colorado-nines", ["Ann", "Ben"])
    begun = {"action": "grids", "grids.0": "5 5 7 | A 9 9 | 2 3"}
    assert "Column 3 of Ann’s grid has 2 cards" in table["Ann"].enter(begun)
    so_far = table["Ann"].post("/seat/preview", {"seat_of": "Ann", **begun})
    assert (so_far.status_code, "Column 3" in so_far.text) == (200, False)
    table["Ann"].enter(begun | {"grids.0": "5 5 7 | A 9 9 | 2 3 4"})
    table["Ben"].enter({"action": "grids", "grids.1": "5"})
    assert len(table.entries) == 1


def test_fields_about_another_seat_are_dropped(table: Table) -> None:
    """A phone says only what its own player holds, and that it is they who went out."""
    table["Ben"].enter(out(1, "3") | out(2, "7") | {"player": "Cy"})
    assert "2 of 4" not in table["Ben"].says()
    assert "Ben" in table["Ben"].says()
    table["Ann"].enter(ANN_OUT)
    table["Dot"].enter(out(3, "1"))
    assert table.entries == []
    table["Cy"].enter(out(2, "2"))
    assert table.entries[0]["hands"] == {"Ben": {"plain": 3, "red_nines": 0}} | {
        "Cy": {"plain": 2, "red_nines": 0},
        "Dot": {"plain": 1, "red_nines": 0},
    }


def test_a_figure_can_be_changed_until_the_deal_is_recorded(three: Table) -> None:
    three["Ann"].enter(tricks(0, 9))
    three["Ann"].enter(tricks(0, 10))
    three["Ben"].enter(tricks(1, 4))
    three["Cy"].enter(tricks(2, 2))
    assert three.entries[0]["tricks"] == {"Ann": 10, "Ben": 4, "Cy": 2}


def test_players_whose_figures_conflict_count_again(three: Table) -> None:
    for seat, (player, number) in enumerate({"Ann": 10, "Ben": 5, "Cy": 2}.items()):
        three[player].enter(tricks(seat, number))
    assert three.entries == []
    assert "Count yours again" in three["Ann"].says()
    three["Ann"].post("/seat/stands", {"seat_of": "Ann"})
    assert "Count yours again" not in three["Ann"].says()
    assert three.entries == []
    three["Cy"].enter(tricks(2, 1))
    assert three.entries[0]["tricks"] == {"Ann": 10, "Ben": 5, "Cy": 1}


def test_a_scorekeeper_decides_if_all_stand_by_their_figures(three: Table) -> None:
    for seat, (player, number) in enumerate({"Ann": 10, "Ben": 5, "Cy": 2}.items()):
        three[player].enter(tricks(seat, number))
    for player in ("Ann", "Ben", "Cy"):
        three[player].post("/seat/stands", {"seat_of": player})
    assert three.entries == []
    assert "They stand by it" in words(three.host.get())
    three.changes("Ben", tricks(1, 4))
    assert three.entries[0]["tricks"] == {"Ann": 10, "Ben": 4, "Cy": 2}


def test_a_player_still_playing_delays_the_recording(three: Table) -> None:
    three["Ann"].enter(tricks(0, 9))
    three["Ben"].enter(tricks(1, 5))
    three["Ben"].enter({}, do="playing")
    three["Cy"].enter(tricks(2, 2))
    assert three.entries == []
    three["Ben"].enter(tricks(1, 5))
    assert len(three.entries) == 1


def test_a_player_who_owes_no_figure_delays_nothing(client: FlaskClient) -> None:
    """The arrow back on an empty pad says that they are still playing."""
    table = Table(client, "pink-nines", ["Ann", "Ben", "Cy"])
    table["Ann"].enter({"action": "out", "player": "Ann"})
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/undo", {"after": mark})
    table["Ben"].enter({}, do="playing")
    table["Ann"].enter({"action": "out", "player": "Ann"})
    assert [entry["player"] for entry in table.entries] == ["Ann"]


def test_a_figure_from_the_players_phone_beats_a_late_scorekeeper(three: Table) -> None:
    """The scorekeeper opened a place for somebody else before that player's own figure was in."""
    three["Ann"].enter(tricks(0, 9))
    three["Cy"].enter(tricks(2, 3))
    late = three.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **tricks(2, 2)})
    assert late.status_code == 422
    assert "Cy has entered theirs." in words(late)
    three["Ben"].enter(tricks(1, 4))
    assert three.entries[0]["tricks"] == {"Ann": 9, "Ben": 4, "Cy": 3}


def test_a_scorekeeper_enters_for_a_player_without_a_phone(client: FlaskClient) -> None:
    table = Table(client, "plain-score", ["Ann", "Ben"])
    table["Ann"].enter({"action": "deal", "points.0": "5"})
    page = table.host.get("/seat?player=Ben")
    assert "points.1" in page.text
    assert "points.0" not in page.text
    table.host.post("/seat/hand", {"seat_of": "Ben", "deal": 0, "action": "deal", "points.1": "7"})
    assert table.entries[0]["points"] == {"Ann": 5, "Ben": 7}


def test_whoever_calls_and_owes_a_hand_sends_both(client: FlaskClient) -> None:
    """With the call alone they would count as in, and the deal would never be recorded."""
    table = Table(client, "9-of-a-kind", ["Ann", "Ben", "Cy", "Dot", "Eve"], chicken="true")
    call = {"action": "end", "callers": "Ann", "by": "chicken"}
    assert "Ann’s hand is missing." in table["Ann"].enter(call)
    assert "are in" not in words(table.host.get())
    table = Table(client, "colorado-nines", ["Ann", "Ben"], going_out="5")
    call = {"action": "grids", "out": "Ann"}
    assert "Ann’s grid is missing." in table["Ann"].enter(call | {"grids.0": ""})
    table["Ann"].enter(call | {"grids.0": "5"})
    table["Ben"].enter({"action": "grids", "grids.1": "5"})
    assert table.entries[0]["out"] == "Ann"


def test_no_key_of_a_form_is_taken_for_one_of_our_own(three: Table) -> None:
    """Else a phone could prevent somebody from being asked."""
    three["Ann"].enter(tricks(0, 12))
    three["Ben"].post("/seat/playing", {"seat_of": "Ben", "key": "asked 6 Ann"})
    three["Cy"].enter(tricks(2, 5))
    assert "Count yours again" in three["Ann"].says()


def test_a_false_call_counts_as_no_call(client: FlaskClient) -> None:
    """The round goes on without them, and their phone shows the sheet."""
    table = Table(client, "9-of-a-kind", ["Ann", "Ben", "Cy", "Dot", "Eve"])
    table["Ann"].enter({"action": "end", "callers": "Ann", "by": "nine"})
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    false = {"action": "forfeit", "player": "Ann", "after": mark, "key": "false"}
    assert table.host.post("/entries", false).status_code == 303
    assert "are in" not in words(table.host.get())
    assert table["Ann"].get("/seat").status_code == 200


def test_undone_by_a_seat_all_figures_are_in_again(three: Table) -> None:
    """And nothing is recorded before one of them is changed or sent again."""
    for seat, (player, number) in enumerate({"Ann": 9, "Ben": 5, "Cy": 2}.items()):
        three[player].enter(tricks(seat, number))
    page = three["Ben"].get().text
    assert "/seat/undo" in page
    mark = first_in(page, r'name="after" value="([^"]+)"')
    three["Ben"].post("/seat/undo", {"after": mark})
    assert three.entries == []
    three["Cy"].get("/seat/felt?player=Cy&deal=0")
    assert three.entries == []
    assert "Yours is in" in three["Cy"].says()
    why = "Ben took it back. It’s recorded again once one of you sends theirs again."
    assert why in three["Cy"].says()
    assert why in words(three.host.get())
    three["Ben"].enter(tricks(1, 4))
    assert "Count yours again" in three["Ann"].says()
    three["Ann"].enter(tricks(0, 10))
    assert three.entries[0]["tricks"] == {"Ann": 10, "Ben": 4, "Cy": 2}


def test_a_seat_undoes_a_deal_once(three: Table) -> None:
    for _ in range(2):
        for seat, (player, number) in enumerate({"Ann": 9, "Ben": 5, "Cy": 2}.items()):
            three[player].enter(tricks(seat, number))
        answer = three["Ben"].post("/seat/undo", {})
    assert len(three.entries) == 1
    assert "Now only whoever keeps score can" in words(answer)
    assert "Go back, change it" not in words(answer)


def test_a_late_figure_gets_the_recorded_deal(three: Table) -> None:
    three["Ann"].enter(tricks(0, 9))
    mark = first_in(three.host.get("/record").text, r'name="after" value="([^"]+)"')
    drawer = {"action": "tricks", "tricks.0": 9, "tricks.1": 4, "tricks.2": 3}
    assert three.host.post("/entries", {**drawer, "after": mark, "key": "k"}).status_code == 303
    assert "recorded before yours came in" in three["Ben"].enter(tricks(1, 5))


def test_the_same_form_again_is_nothing_new(three: Table) -> None:
    """The answer to the figure that completed the deal was lost: it leads to the sheet."""
    three["Ann"].enter(tricks(0, 9))
    three["Ben"].enter(tricks(1, 5))
    for _ in range(2):
        assert three["Cy"].enter({**tricks(2, 2), "key": "cys"}).endswith(three["Cy"].token)
    assert len(three.entries) == 1


def test_a_seat_moves_to_another_phone_when_asked_twice(app: Flask, three: Table) -> None:
    token = three["Ann"].token
    other = Phone(app.test_client(), token)
    asked = other.post("/seat/take", {"player": "Ann"})
    assert asked.status_code == 409
    assert "on another phone" in words(asked)
    assert other.post("/seat/take", {"player": "Ann", "sure": "yes"}).status_code == 303
    assert "Your seat moved to another phone" in words(three["Ann"].get("/seat/me"))
    lost = three["Ann"].post("/seat/hand", {"seat_of": "Ann", "deal": 0})
    assert lost.status_code == 409
    assert "Your seat isn’t on this phone" in words(lost)
    assert "Ask whoever shared it" not in words(lost)
    other.post("/seat/leave", {"seat_of": "Ann"})
    assert "Your seat is free" in words(three["Ann"].get("/seat/me"))


def test_no_seat_is_offered_back_that_is_gone(app: Flask, client: FlaskClient) -> None:
    """Cy has left the table since the seat moved to another phone."""
    table = Table(client, "plain-score", ["Ann", "Ben", "Cy"])
    other = Phone(app.test_client(), table["Cy"].token)
    other.post("/seat/take", {"player": "Cy", "sure": "yes"})
    assert table.host.record({"action": "leave", "player": "Cy"}, after=0).status_code == 303
    assert "moved to another phone" not in words(table["Cy"].get("/seat/me"))


def test_a_new_play_link_frees_all_seats(three: Table) -> None:
    three.host.post("/links", {"role": "play"})
    assert three["Ann"].get("/seat").status_code == 404
    page = three.host.get("/seat?pick=yes").text
    assert page.count("I’m ") == 3


def test_a_seat_keeps_its_player_through_a_change_of_name(three: Table) -> None:
    three["Ann"].enter(tricks(0, 9))
    settings = {"was": ["Ann", "Ben", "Cy"], "name": ["Anna", "Ben", "Cy"], "dealer": "0"}
    changed = three.host.post("/settings", {**settings, "after": 0, "sure": "yes", "key": "k"})
    assert changed.status_code == 303, words(changed)
    assert "You’re Anna" in words(three["Ann"].get("/seat/me"))
    three["Ben"].enter(tricks(1, 5))
    three["Cy"].enter(tricks(2, 2))
    assert three.entries[0]["tricks"] == {"Anna": 9, "Ben": 5, "Cy": 2}


def test_a_deal_with_nothing_missing_is_recorded_at_once(table: Table) -> None:
    table["Cy"].enter({"action": "aces", "player": "Cy"})
    (entry,) = table.entries
    assert entry == {"action": "aces", "player": "Cy"}
    assert "Already recorded" not in table["Cy"].says()


def test_bets_are_made_by_ones_own_phone(client: FlaskClient) -> None:
    """Each at their own turn."""
    table = Table(client, "multiple-9-holdem", ["Ann", "Ben", "Cy"])
    assert "Fold" not in table["Ben"].says()
    for player, move in (("Ann", "call"), ("Ben", "call"), ("Cy", "check")):
        assert "Fold" in table[player].says()
        sent = table[player].enter({"action": "bet", "player": player, "move": move})
        assert sent.endswith(f"{table[player].token}/seat"), sent
    assert [entry["move"] for entry in table.entries] == ["call", "call", "check"]
    table["Ben"].enter({"action": "bet", "player": "Ben", "move": "check"})
    assert len(table.entries) == 3


def test_the_seat_of_the_last_game_is_offered_at_the_next(
    client: FlaskClient, three: Table
) -> None:
    three["Ben"].post("/seat/leave", {"seat_of": "Ben"})
    other = begin(client, "plain-score", ["Ben", "Eve"])
    phone = Phone(three["Ben"].client, other.link("play"))
    assert "I’m Ben" in words(phone.get("/seat/me"))


def test_all_hear_that_a_deal_waits_for_somebody_to_say_who_went_out(table: Table) -> None:
    """On the sheet and at each seat, once all hands are in."""
    missing = "Still missing: who went out."
    for seat, player in enumerate(("Ann", "Ben", "Cy", "Dot")):
        assert missing not in words(table.host.get()) + table["Ann"].says()
        table[player].enter(out(seat, "1"))
    for phone in (table.host, table["Ben"], table.host.other("play")):
        assert missing in words(phone.get("?watch=yes"))
    assert missing in table["Ben"].says()
    table["Cy"].enter(ANN_OUT | {"player": "Cy"})
    assert table.entries[0]["player"] == "Cy"


def test_colorado_asks_who_went_out_only_where_that_scores(client: FlaskClient) -> None:
    table = Table(client, "colorado-nines", ["Ann", "Ben"], going_out="5")
    for seat, player in enumerate(("Ann", "Ben")):
        table[player].enter({"action": "grids", f"grids.{seat}": "5"})
    assert "Say who went out first." in words(table["Ann"].get())
    table["Ann"].enter({"action": "grids", "grids.0": "5", "out": "Ann"})
    assert table.entries[0]["out"] == "Ann"


def test_a_scorekeeper_hears_of_an_objection(three: Table) -> None:
    """However far the next deal is; nobody else does, and the correction is theirs."""
    mark = first_in(three.host.get("/record").text, r'name="after" value="([^"]+)"')
    drawer = {"action": "tricks", "tricks.0": 9, "tricks.1": 4, "tricks.2": 3}
    three.host.post("/entries", {**drawer, "after": mark, "key": "k"})
    page = three["Ben"].post("/seat/hand", {"seat_of": "Ben", "deal": 0, **tricks(1, 5)}).text
    three["Ben"].press(page)
    told = words(three.host.get())
    assert "Ben says 5" in told
    assert "Ben says 5" not in words(three["Ann"].get())
    three["Ann"].enter(tricks(0, 9), deal=1)
    assert "Ben says 5" in words(three.host.get())


def test_a_card_key_without_script_shows_the_pad_again(table: Table) -> None:
    form = {"action": "out", "seat_of": "Ben", "deal": 0, "how": "cards", "at": "hands.1"}
    page = table["Ben"].post("/seat/hand", {**form, "hands.1": "7S", "@:suit": "H", "tap": "@:8"})
    assert page.status_code == 200
    assert 'value="7S 8H"' in page.text
    assert "That’s mine" in page.text


def test_a_phone_cannot_change_what_another_has_called(table: Table) -> None:
    """Whatever fields it makes up: only the player who ended the deal says how it ended."""
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "3"))
    table["Dot"].enter(out(3, "1"))
    table["Cy"].enter(out(2, "1") | {"x": "Cy", "red_nine": "true", "aces": "Cy"})
    (entry,) = table.entries
    assert not entry.get("red_nine")
    assert not entry.get("aces")


def test_nobody_says_of_another_that_they_had_the_red_aces(table: Table) -> None:
    """Whoever ended the deal says so of themselves, or a scorekeeper does."""
    table["Ann"].enter(ANN_OUT | {"aces": "Cy"})
    for seat, name in enumerate(["Ben", "Cy", "Dot"], 1):
        table[name].enter(out(seat, "1"))
    assert not table.entries[0].get("aces")


@pytest.mark.parametrize(
    ("slug", "form"),
    [
        ("multiple-9-holdem", {"action": "blinds", "small": 5, "big": 10, "x": "Ann"}),
        ("multiple-9-holdem", {"action": "hand", "winners": "Ann", "won.0": 3, "lost.1": 3}),
        ("nine-five-two", {"action": "trick", "winner": "Ann"}),
        ("9-of-a-kind", {"action": "forfeit", "player": "Ann"}),
    ],
)
def test_only_scorekeepers_record_for_the_table(
    client: FlaskClient, slug: str, form: dict[str, object]
) -> None:
    names = ["Ann", "Ben", "Cy", "Dot", "Eve"]
    table = Table(client, slug, names[:3] if slug == "nine-five-two" else names)
    assert "Ask whoever keeps score" in table["Ann"].enter(form)
    assert table.entries == []


def test_two_who_say_that_they_went_out_are_both_asked(table: Table) -> None:
    """Ben’s pad was opened before Ann’s call; it may be hers that is wrong."""
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter({"action": "out", "player": "Ben", "red_nine": "false"})
    for player in ("Ann", "Ben"):
        said = table[player].says()
        assert "Only one of Ann and Ben can have ended it" in said
        assert "Is yours right?" in said
    table["Ann"].enter(out(0, "3"))
    table["Cy"].enter(out(2, "2"))
    table["Dot"].enter(out(3, "1"))
    assert [entry["player"] for entry in table.entries] == ["Ben"]


def test_a_player_can_take_back_going_out(table: Table) -> None:
    """Their own hand replaces their call."""
    table["Ann"].enter(ANN_OUT)
    assert "No, that wasn’t me" in words(table["Ann"].get("/seat?change=yes"))
    table["Ann"].enter(out(0, "3"))
    table["Ben"].enter({"action": "out", "player": "Ben", "red_nine": "false"})
    table["Cy"].enter(out(2, "2"))
    table["Dot"].enter(out(3, "1"))
    (entry,) = table.entries
    assert entry["player"] == "Ben"
    assert entry["hands"]["Ann"]["plain"] == 3


def test_an_undo_takes_back_what_its_page_showed(three: Table) -> None:
    for seat, (player, number) in enumerate({"Ann": 9, "Ben": 5, "Cy": 2}.items()):
        three[player].enter(tricks(seat, number))
    mark = first_in(three["Ben"].get().text, r'name="after" value="([^"]+)"')
    for seat, (player, number) in enumerate({"Ann": 8, "Ben": 5, "Cy": 3}.items()):
        three[player].enter(tricks(seat, number), deal=1)
    answer = three["Ben"].post("/seat/undo", {"after": mark})
    assert answer.status_code == 409
    assert len(three.entries) == 2


@pytest.mark.parametrize("number", ["9" * 5000, "0" * 20 + "9" * 20, "-1", "²", ""])
def test_no_number_of_a_deal_breaks_a_page(three: Table, number: str) -> None:
    three["Ann"].enter(tricks(0, 9))
    for place in ("/seat", "/seat/felt"):
        assert three["Ann"].get(f"{place}?player=Ann&deal={number}").status_code < 400
    sent = {"seat_of": "Ann", "deal": number, "action": "tricks", "tricks.0": 9}
    for place in ("hand", "objects", "playing", "now"):
        assert three["Ann"].post(f"/seat/{place}", sent).status_code < 500
    assert three["Ann"].get("/seat").status_code == 200


def test_a_bet_from_a_page_that_is_out_of_date_does_not_count(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", ["Ann", "Ben", "Cy"])
    mark = first_in(table["Ann"].get("/seat").text, r'name="after" value="([^"]+)"')
    call = {"action": "bet", "player": "Ann", "move": "call", "after": mark}
    table["Ann"].enter(call)
    assert "Check it again" in table["Ben"].enter(call | {"player": "Ben"})


def test_an_objection_to_the_last_deal_of_a_game_is_heard(client: FlaskClient) -> None:
    table = Table(client, "plain-score", ["Ann", "Ben"], target="10")
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/entries", {"action": "deal", "points.0": 12, "points.1": 3, "after": mark})
    form = {"seat_of": "Ben", "deal": 0, "action": "deal", "points.1": "5"}
    table["Ben"].press(table["Ben"].post("/seat/hand", form).text)
    assert "Ben says 5" in words(table.host.get())


def test_two_seats_on_one_phone_have_a_pad_each(three: Table) -> None:
    three["Ann"].post("/seat/take", {"player": "Ben", "sure": "yes"})
    three["Ann"].enter(tricks(0, 9))
    page = three["Ann"].get("/seat").text
    assert "Enter for Ben" in words(page)
    assert "tricks.1" in three["Ann"].get("/seat?player=Ben").text


def test_whoever_waits_for_a_turn_is_led_to_it(client: FlaskClient) -> None:
    """Their page polls; once the board has changed, it is redrawn."""
    table = Table(client, "multiple-9-holdem", ["Ann", "Ben", "Cy"])
    page = table["Ben"].get("/seat").text
    asks = first_in(page, r'hx-get="/s/[^/]+(/seat/felt[^"]+)"').replace("&amp;", "&")
    assert "every 2s" in page
    table["Ann"].enter({"action": "bet", "player": "Ann", "move": "call"})
    its_turn = table["Ben"].get(asks)
    assert "Fold" in its_turn.text
    assert "/seat/felt" not in its_turn.text
    assert its_turn.headers["HX-PTag"]


def points(table: Table, deal: int, **numbers: int) -> None:
    """Have these players enter their points of a deal, in this order."""
    seats = list(table.seats)
    for player, number in numbers.items():
        form = {"action": "deal", f"points.{seats.index(player)}": number}
        table[player].enter(form, deal=deal)


def test_no_seat_takes_a_deal_back_once_the_next_is_gathered(client: FlaskClient) -> None:
    """The figures of the two deals would be mixed."""
    table = Table(client, "plain-score", ["Ann", "Ben", "Cy"])
    points(table, 0, Ann=10, Ben=20, Cy=30)
    before = table["Cy"].get().text
    points(table, 1, Ann=1, Ben=2)
    assert "/seat/undo" in before
    assert "/seat/undo" not in table["Cy"].get().text
    mark = first_in(before.partition("/seat/undo")[2], r'name="after" value="([^"]+)"')
    table["Cy"].post("/seat/undo", {"seat_of": "Cy", "after": mark})
    points(table, 1, Cy=3)
    assert [one["points"]["Ann"] for one in table.entries] == [10, 1]


def undoes(table: Table) -> None:
    """A scorekeeper undoes the newest deal that counts."""
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    answer = table.host.post("/undo", {"after": mark})
    assert answer.status_code == 303, words(answer)


def taps_undo(table: Table) -> None:
    """A scorekeeper taps *Undo*, or *Bring it back*, beside what was done last."""
    form = first_in(table.host.get().text, r'<form class="undo"([^$]*?)</form>')
    address = first_in(form, r'action="/s/[^/]+(/[^"]+)"')
    answer = table.host.post(address, dict(re.findall(r'name="(.+?)" value="(.+?)"', form)))
    assert answer.status_code == 303, words(answer)


def removes(table: Table, row: int) -> None:
    """A scorekeeper removes an entry, found in the log."""
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    form = {"after": mark, "sure": "yes", "key": f"undo {mark}"}  # the words of a key mean nothing
    answer = table.host.post(f"/entries/{row}/void", form)
    assert answer.status_code == 303, words(answer)


def in_pads(table: Table) -> dict[str, str]:
    """The points that each pad offers."""
    pads = {player: seat.get("/seat?change=yes").text for player, seat in table.seats.items()}
    return {one: "".join(re.findall(r'name="points[^>]*value="(.*?)"', pads[one])) for one in pads}


@pytest.fixture
def points_alone(client: FlaskClient) -> Table:
    return Table(client, "plain-score", ["Ann", "Ben", "Cy"])


def test_figures_of_a_deal_taken_back_later_have_to_be_sent_again(points_alone: Table) -> None:
    """A scorekeeper undoes it while the next one is gathered: each pad has what was sent last."""
    table = points_alone
    points(table, 0, Ann=10, Ben=20, Cy=30)
    points(table, 1, Ann=1)
    undoes(table)
    assert in_pads(table) == {"Ann": "1", "Ben": "20", "Cy": "30"}
    points(table, 0, Ann=1)
    assert table.entries == []
    points(table, 0, Ben=2, Cy=3)
    assert table.entries[0]["points"] == {"Ann": 1, "Ben": 2, "Cy": 3}


def test_a_scorekeepers_undo_is_like_one_from_a_seat(points_alone: Table) -> None:
    """One figure was wrong: all others need not be sent again."""
    points(points_alone, 0, Ann=10, Ben=20, Cy=30)
    taps_undo(points_alone)
    assert "3 of 3 are in" in words(points_alone.host.get())
    points(points_alone, 0, Ben=21)
    assert points_alone.entries[0]["points"] == {"Ann": 10, "Ben": 21, "Cy": 30}


def test_figures_of_a_deal_that_was_removed_count_for_no_other(points_alone: Table) -> None:
    """It was a trial, say, and play goes on: everybody's own is asked for again."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    removes(points_alone, 1)
    assert "are in" not in words(points_alone.host.get())
    points(points_alone, 0, Ben=80)
    assert points_alone.entries == []
    assert in_pads(points_alone) == {"Ann": "9", "Ben": "80", "Cy": "2"}
    points(points_alone, 0, Ann=90, Cy=20)
    assert points_alone.entries[0]["points"] == {"Ann": 90, "Ben": 80, "Cy": 20}


def corrects(table: Table, *points: int) -> None:
    """A scorekeeper corrects the first deal."""
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    form: dict[str, object] = {f"points.{seat}": one for seat, one in enumerate(points)}
    form |= {"action": "deal", "after": mark, "sure": "yes", "key": f"corrects {mark}"}
    answer = table.host.post("/entries/1", form)
    assert answer.status_code == 303, words(answer)


def test_an_earlier_deal_is_removed_while_figures_wait(points_alone: Table) -> None:
    """They are not about that one: it is recorded once the last one comes in."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    points(points_alone, 1, Ann=70, Ben=80)
    removes(points_alone, 1)
    assert "2 of 3 are in" in words(points_alone.host.get())
    assert in_pads(points_alone) == {"Ann": "70", "Ben": "80", "Cy": "2"}
    points(points_alone, 0, Cy=10)
    assert points_alone.entries[0]["points"] == {"Ann": 70, "Ben": 80, "Cy": 10}


def test_an_earlier_deal_is_brought_back_while_figures_wait(points_alone: Table) -> None:
    """They are about the deal after it still."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    points(points_alone, 1, Ann=70, Ben=80)
    removes(points_alone, 1)
    taps_undo(points_alone)
    assert "2 of 3 are in" in words(points_alone.host.get())
    points(points_alone, 1, Cy=10)
    assert [entry["points"]["Cy"] for entry in points_alone.entries] == [2, 10]


def test_a_correction_is_undone_while_figures_wait(points_alone: Table) -> None:
    """What was corrected is an earlier deal."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    points(points_alone, 1, Ann=70, Ben=80)
    corrects(points_alone, 9, 6, 2)
    taps_undo(points_alone)
    assert "2 of 3 are in" in words(points_alone.host.get())
    points(points_alone, 1, Cy=10)
    assert [entry["points"]["Ben"] for entry in points_alone.entries] == [5, 80]


def test_a_deal_is_undone_after_an_earlier_one_was_removed(points_alone: Table) -> None:
    """Its own figures are in again, and not those of the other."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    points(points_alone, 1, Ann=70, Ben=80, Cy=10)
    removes(points_alone, 1)
    undoes(points_alone)
    assert "3 of 3 are in" in words(points_alone.host.get())
    points(points_alone, 0, Ben=81)
    assert points_alone.entries[0]["points"] == {"Ann": 70, "Ben": 81, "Cy": 10}


@pytest.mark.parametrize("slug", ["pink-nines", "multiple-9"])
def test_a_call_made_by_mistake_is_taken_back(client: FlaskClient, slug: str) -> None:
    """It had ended the deal at once: now the deal goes on, and somebody else ends it."""
    table = Table(client, slug, ["Ann", "Ben", "Cy"])
    table["Ann"].enter({"action": "out", "player": "Ann"})
    assert len(table.entries) == 1
    taps_undo(table)
    for phone in (table.host, *table.seats.values()):
        assert "are in" not in words(phone.get())
    table["Ben"].enter({"action": "out", "player": "Ben"})
    assert [entry["player"] for entry in table.entries] == ["Ben"]


def test_a_corrected_deal_is_undone(points_alone: Table) -> None:
    """Its figures were wrong: all send theirs again, and find what they sent in their pads."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    corrects(points_alone, 9, 5, 3)
    undoes(points_alone)
    assert "are in" not in words(points_alone.host.get())
    assert in_pads(points_alone) == {"Ann": "9", "Ben": "5", "Cy": "2"}
    points(points_alone, 0, Cy=2)
    assert points_alone.entries == []


def test_two_deals_are_undone(points_alone: Table) -> None:
    """Which of the two will be played again nobody knows: all send theirs again."""
    points(points_alone, 0, Ann=9, Ben=5, Cy=2)
    points(points_alone, 1, Ann=70, Ben=80, Cy=10)
    undoes(points_alone)
    undoes(points_alone)
    assert "are in" not in words(points_alone.host.get())
    assert in_pads(points_alone) == {"Ann": "70", "Ben": "80", "Cy": "10"}
    points(points_alone, 0, Ann=9, Ben=5, Cy=3)
    assert points_alone.entries[0]["points"] == {"Ann": 9, "Ben": 5, "Cy": 3}


def test_a_scorekeeper_enters_anew_what_nobody_else_will(table: Table) -> None:
    """All are in but nobody went out; or the phone that sent a figure has handed its seat back."""
    for seat, player in enumerate(table.seats):
        table[player].enter(out(seat, "3"))
    assert table.entries == []
    table.changes("Ann", ANN_OUT)
    assert len(table.entries) == 1

    deal = table["Ben"].deal()
    table["Ben"].enter(out(1, "3"), deal=int(deal))
    table["Ben"].post("/seat/leave", {"player": "Ben"})
    form = {**out(1, "4"), "seat_of": "Ben", "deal": deal}
    assert table.host.post("/seat/hand", form).status_code == 303


def test_two_who_call_have_to_agree_on_what(client: FlaskClient) -> None:
    """Else the last one's word would count for both."""
    table = Table(client, "9-of-a-kind", ["Ann", "Ben", "Cy", "Dot", "Eve"])
    table["Ann"].enter({"action": "end", "callers": "Ann", "by": "blocker", "call": "yes"})
    form = {"action": "end", "callers": "Ben", "call": "yes"}
    table["Ben"].enter({**form, "by": "nine"})
    for player in ("Ann", "Ben"):
        assert "Ann and Ben disagree about how it ended" in table[player].says()
    table["Ben"].enter({**form, "by": "blocker"})
    for seat, player in enumerate(["Cy", "Dot", "Eve"], start=2):
        table[player].enter({"action": "end", "by": "nine", f"hands.{seat}.deadwood": 20})
    assert table.entries[0]["by"] == "blocker"
