"""A showdown at which each phone shows its own two cards, or mucks them."""

import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.extras.seats.book import SeatBook
from referee.ledger.store import Ledger
from tests.extras.seats.test_gathering import Seat, Table
from tests.support.phone import PARTIAL, first_in, words

NAMES = ["Ann", "Ben", "Cy", "Dot"]


def bet(seat: Seat, move: str, deal: int = 0) -> str:
    return seat.enter({"action": "bet", "player": seat.player, "move": move}, deal)


def show(seat: Seat, cards: str) -> str:
    """Show these cards, or muck "-"; returns the redirect, or the faults."""
    return seat.enter({"action": "show", f"hands.{NAMES.index(seat.player)}": cards})


def lay(table: Table, cards: str) -> None:
    """Lay cards onto the board, as a scorekeeper does."""
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    form = {"action": "board", "cards": cards, "after": mark, "key": f"lays {cards}"}
    assert table.host.post("/entries", form).status_code == 303


@pytest.fixture
def table(client: FlaskClient) -> Table:
    """Four players at the showdown; Dot has folded."""
    return at_showdown(client)


def at_showdown(client: FlaskClient) -> Table:
    """A new table at its first showdown."""
    table = Table(client, "multiple-9-holdem", NAMES)
    for player, move in (("Dot", "fold"), ("Ann", "call"), ("Ben", "call"), ("Cy", "check")):
        bet(table[player], move)
    for cards in ("J 7 9", "2", "10"):
        lay(table, cards)
        for player in ("Ben", "Cy", "Ann"):
            bet(table[player], "check")
    return table


def test_it_is_recorded_when_all_have_shown_or_mucked(table: Table) -> None:
    before = len(table.entries)
    show(table["Cy"], "8 7")
    show(table["Ann"], "-")
    assert len(table.entries) == before
    show(table["Ben"], "K K")
    (entry,) = table.entries[before:]
    assert entry["hands"] == {"Cy": "8 7", "Ann": "-", "Ben": "K K"}


def test_what_is_shown_is_public_at_once(table: Table) -> None:
    """In the order of play, with its hand; on the sheet of viewers, too."""
    show(table["Cy"], "8 7")
    show(table["Ben"], "K K")
    shown = "Shown so far Ben K K seven nines Cy 8 7 six nines"
    assert shown in words(table["Ann"].get("/seat"))
    assert shown in words(table["Cy"].get("/seat"))
    for role in ("view", "play", "score"):
        assert shown in words(table.host.other(role).get("?watch=yes"))
    show(table["Ann"], "-")
    assert table.entries[-1]["action"] == "show"


def test_a_pad_is_called_showdown_until_all_have_shown(table: Table) -> None:
    for before in range(2):
        assert "Showdown</h1>" in table["Ann"].get("/seat").text, f"{before} have shown"
        show(table[("Cy", "Ben")[before]], "8 7")


def test_whoever_looks_on_hears_of_it(table: Table) -> None:
    """By the poll of their page, which has a new tag then."""
    tag = first_in(table.host.get().text, r'hx-ptag="([^"]+)"')
    show(table["Cy"], "8 7")
    polled = table.host.get("/board", **{"HX-PTag": tag})
    assert "six nines" in polled.text


def test_a_player_who_folded_is_not_waited_for(table: Table) -> None:
    assert "Muck" not in table["Dot"].says()
    assert "Dot has folded" in show(table["Dot"], "K K")
    assert "0 of 3 are in Ben to show Cy to show Ann to show" in words(table["Ann"].get())


def test_a_muck_sends_no_cards(table: Table) -> None:
    """Its form has no field for any; nor is anything sent while cards are typed."""
    page = table["Cy"].get("/seat").text
    (muck,) = [form for form in page.split("<form")[1:] if "Muck" in form]
    names = set(re.findall(r'name="([^"]+)"', muck.partition("</form>")[0]))
    assert names == {"action", "after", "key", "seat_of", "seat", "deal", "call", "hands.2"}
    assert 'name="hands.2" value="-"' in muck
    assert "/seat/preview" not in page


def test_without_script_the_cards_are_typed(table: Table) -> None:
    (form,) = [form for form in table["Cy"].get("/seat").text.split("<form")[1:] if "Show" in form]
    assert 'name="hands.2"' in form
    assert "two cards; you entered 1" in show(table["Cy"], "8")
    assert 'value="8"' in table["Cy"].post("/seat/hand", {
        "seat_of": "Cy", "deal": 0, "action": "show", "hands.2": "8",
    }).text  # fmt: skip


def test_not_all_may_muck(table: Table) -> None:
    """They are asked again, and one of them shows."""
    before = len(table.entries)
    for player in ("Ann", "Ben", "Cy"):
        show(table[player], "-")
    said = table["Ben"].says()
    assert "can’t all muck" in said
    assert "Show yours after all?" in said
    assert "Count yours again" not in said
    assert table["Ben"].get("/seat").text.count(">Muck</button>") == 1  # the other answer
    show(table["Ben"], "K K")
    assert table.entries[before:] == [
        {"action": "show", "hands": {"Ann": "-", "Cy": "-", "Ben": "K K"}}
    ]


def test_five_of_a_rank_asks_those_who_have_them(table: Table) -> None:
    show(table["Ann"], "9 9")
    show(table["Ben"], "9 9")
    assert "nines? A pack has only 4." in table["Ben"].says()
    assert "Is yours right?" in table["Ann"].says()
    show(table["Ben"], "9 K")
    assert "Yours is in Still to come: Cy." in table["Ann"].says()
    show(table["Cy"], "8 7")
    assert table.entries[-1]["action"] == "show"


def test_a_scorekeeper_shows_for_whoever_has_no_phone(table: Table) -> None:
    table["Cy"].post("/seat/leave", {"seat_of": "Cy"})
    show(table["Ann"], "-")
    show(table["Ben"], "K K")
    assert "Muck" in words(table.host.get("/seat?player=Cy"))
    table.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, "action": "show", "hands.2": "-"})
    assert table.entries[-1]["hands"]["Cy"] == "-"


def test_the_last_bet_taken_back_is_made_again(table: Table) -> None:
    """A player who has shown bets on; their shown cards are no part of it."""
    show(table["Cy"], "8 7")
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/undo", {"after": mark})
    assert "Shown so far" not in words(table.host.get())
    assert "Check" in table["Ann"].says()
    bet(table["Ann"], "check")
    assert "Cy 8 7" in words(table["Ben"].get("/seat"))
    show(table["Ann"], "-")
    show(table["Ben"], "K K")
    assert table.entries[-1]["action"] == "show"


def test_a_player_who_folds_after_betting_resumes_has_shown_nothing(table: Table) -> None:
    """Two checks are undone; the hand is then shown without the cards from before."""
    show(table["Cy"], "8 7")
    for _ in range(2):
        mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
        table.host.post("/undo", {"after": mark})
    bet(table["Cy"], "fold")
    bet(table["Ann"], "check")
    assert "0 of 2 are in" in words(table["Ben"].get())
    assert table["Cy"].get("/seat").status_code == 200
    show(table["Ann"], "-")
    show(table["Ben"], "K K")
    assert table.entries[-1] == {"action": "show", "hands": {"Ann": "-", "Ben": "K K"}}


def test_the_last_fold_ends_the_hand(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", NAMES)
    for player in ("Dot", "Ann", "Ben"):
        bet(table[player], "fold")
    assert "Hand 2" in words(table.host.get())
    assert [entry["move"] for entry in table.entries] == ["fold", "fold", "fold"]


def test_a_phone_with_two_seats_is_asked_for_the_one_to_act(client: FlaskClient) -> None:
    table = Table(client, "multiple-9-holdem", NAMES)
    table["Ben"].post("/seat/take", {"player": "Dot", "sure": "yes"})
    assert "Dot to act" in table["Ben"].says()
    assert "Fold" in table["Ben"].says()


def test_a_phone_with_two_seats_shows_for_the_one_still_in(client: FlaskClient) -> None:
    """Ann, who sat down first, has folded."""
    table = Table(client, "multiple-9-holdem", NAMES)
    table["Ann"].post("/seat/take", {"player": "Cy", "sure": "yes"})
    for player, move in (("Dot", "call"), ("Ann", "fold"), ("Ben", "call"), ("Cy", "check")):
        table["Ann" if player == "Cy" else player].enter(
            {"seat_of": player, "action": "bet", "player": player, "move": move}
        )
    for cards in ("J 7 9", "2", "10"):
        lay(table, cards)
        for player in ("Ben", "Cy", "Dot"):
            phone = table["Ann" if player == "Cy" else player]
            phone.enter({"seat_of": player, "action": "bet", "player": player, "move": "check"})
    assert "Muck" in table["Ann"].says()


def test_a_scorekeeper_acts_for_whoever_has_no_phone(client: FlaskClient) -> None:
    """From the sheet, when it is their turn; without their cards, and back to the sheet."""
    table = Table(client, "multiple-9-holdem", NAMES)
    table["Ann"].post("/seat/leave", {"seat_of": "Ann"})
    assert "Enter for" not in words(table.host.get().text.partition('id="thumb"')[0])
    bet(table["Dot"], "fold")
    page = table.host.get().text
    assert "Ann is to act Enter for Ann" in words(page)
    assert "Enter for Ann" not in words(table["Ben"].get())
    pad = table.host.get(first_in(page, r'href="/s/[\w-]+(/seat[^"]*player=Ann)"'))
    assert "Call 2" in words(pad)
    assert "Your cards" not in words(pad)
    sent = {"seat_of": "Ann", "deal": 0, "action": "bet", "player": "Ann", "move": "call"}
    led = table.host.post("/seat/hand", sent)
    assert led.headers["Location"].endswith(table.host.token)
    assert table.entries[-1]["player"] == "Ann"
    assert "Enter for" not in words(table.host.get().text.partition('id="thumb"')[0])


def test_nobody_is_asked_to_act_where_a_pad_ends_the_deal(client: FlaskClient) -> None:
    """Though the sheet knows that it is the turn of Ben, left of the dealer, who has no phone."""
    table = Table(client, "multiple-9", NAMES)
    table["Ben"].post("/seat/leave", {"seat_of": "Ben"})
    page = words(table.host.get())
    assert "Ben , to play" in page
    assert "Enter for Ben" not in page


def test_a_last_fold_that_was_taken_back_counts_no_more(client: FlaskClient) -> None:
    """It ended the hand; the player calls instead, and the others bet on."""
    table = Table(client, "multiple-9-holdem", NAMES)
    for player in ("Dot", "Ann", "Ben"):
        bet(table[player], "fold")
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/undo", {"after": mark})
    bet(table["Ben"], "call")
    bet(table["Cy"], "check")
    assert [one["move"] for one in table.entries] == ["fold", "fold", "call", "check"]


def test_a_fold_that_came_too_late_is_not_recorded_later(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scorekeeper records another move while the fold that would end the hand is on its way."""
    table = Table(client, "multiple-9-holdem", NAMES)
    bet(table["Dot"], "fold")
    bet(table["Ann"], "fold")
    note, calls = SeatBook.note, {"action": "bet", "player": "Ben", "move": "call"}

    def later(*given: Any) -> bool:
        monkeypatch.undo()
        mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
        table.host.post("/entries", calls | {"after": mark, "key": "drawer"})
        return note(*given)

    monkeypatch.setattr(SeatBook, "note", later)
    bet(table["Ben"], "fold")
    bet(table["Cy"], "check")
    lay(table, "J 7 9")
    table["Ben"].get("/seat/felt?player=Ben&deal=0")
    assert [one.get("move") for one in table.entries] == ["fold", "fold", "call", "check", None]


def test_a_pad_speaks_to_whoever_is_to_act(client: FlaskClient) -> None:
    """A scorekeeper’s names the player; whoever has folded has no use for keys for cards."""
    table = Table(client, "multiple-9-holdem", NAMES)
    assert "Your turn : 2 to call" in words(table["Dot"].get("/seat"))
    assert "Dot to act: 2 to call" in words(table.host.get("/seat?player=Dot"))
    assert "data-holds" in table["Dot"].get("/seat").text
    bet(table["Dot"], "fold")
    assert "data-holds" not in table["Dot"].get("/seat").text
    assert "data-holds" in table["Ann"].get("/seat").text


def test_a_player_may_say_that_other_cards_were_shown(table: Table) -> None:
    """The next hand's bets don't end the objection."""
    form = {"action": "show", "hands.0": "-", "hands.1": "9 8", "hands.2": "2 2"}
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/entries", {**form, "after": mark, "key": "by Ann"})
    assert table.entries[-1]["action"] == "show"
    shown = {"seat_of": "Cy", "deal": 0, "action": "show", "hands.2": "K K"}
    table["Cy"].press(table["Cy"].post("/seat/hand", shown).text)
    assert "Cy says K K" in words(table.host.get())


def test_a_muck_is_no_figure_that_somebody_says(table: Table) -> None:
    """All three muck, and stand by it: a scorekeeper decides."""
    for player in ("Ann", "Ben", "Cy"):
        show(table[player], "-")
    for player in ("Ann", "Ben", "Cy"):
        table[player].post("/seat/stands", {"seat_of": player})
    said = words(table.host.board())
    assert "Ben mucked Cy mucked Ann mucked" in said
    assert "says" not in said.partition("Ann mucked")[0]


# --- what the scorekeeper's drawer has of it


def newest(table: Table) -> str:
    """The newest row, as the forms of the drawer name it."""
    return first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')


def settles(table: Table, **hands: str) -> TestResponse:
    """Send the drawer's form with the hands of Ann, Ben and Cy, as it was before any was shown."""
    named = {f"hands.{NAMES.index(player)}": cards for player, cards in hands.items()}
    form = {"action": "show", "after": newest(table), "key": "settles", **named}
    return table.host.post("/entries", form, **PARTIAL)


def filled_in(page: str, player: str) -> str:
    return first_in(page, rf'name="hands.{NAMES.index(player)}"[^>]*? value="([^"]*)"')


def test_a_drawer_has_what_was_shown_on_phones(table: Table) -> None:
    """Cards or a muck; also the page without script, and after a key that was tapped there."""
    show(table["Ben"], "K K")
    show(table["Ann"], "-")
    for page in (table.host.get("/record", **PARTIAL).text, table.host.get("/record").text):
        assert [filled_in(page, one) for one in ("Ann", "Ben", "Cy")] == ["-", "K K", ""]
    tapped = {"action": "show", "at": "hands.2", "hands.0": "9 2", "hands.2": "8", "tap": "@:7"}
    page = table.host.post("/entries", {**tapped, "hands.1": ""}).text
    assert [filled_in(page, one) for one in ("Ann", "Ben", "Cy")] == ["9 2", "K K", "8 7"]


def test_a_drawer_has_what_was_shown_in_its_own_letters(table: Table) -> None:
    """Ben’s deck has V, D, R; the scorekeeper’s J, Q, K."""
    sent = {"action": "show", "hands.1": "R D", "hands.1:letters": "VDR"}
    table["Ben"].enter(sent)
    assert filled_in(table.host.get("/record").text, "Ben") == "K Q"
    assert "Shown so far Ben K Q" in words(table.host.get())


def test_a_result_in_place_of_hands_is_refused_for_what_it_is(table: Table) -> None:
    """Though a hand lies face up; no form offers it then."""
    show(table["Ben"], "K K")
    answer = table.host.record({"action": "hand", "won.0": "5"}, len(table.entries))
    assert answer.status_code == 422
    assert "has shown" not in words(answer)


@pytest.mark.parametrize("ben", ["-", "", "- -", "+"])
def test_a_hand_that_lies_face_up_is_not_mucked(table: Table, ben: str) -> None:
    """It was shown since the drawer was opened: that is said, and the form is kept."""
    before = table.entries
    show(table["Ben"], "K K")
    answer = settles(table, Ann="9 2", Ben=ben, Cy="-")
    assert answer.status_code == 422
    assert "Ben has shown K K, so can’t muck." in words(answer)
    assert [filled_in(answer.text, one) for one in ("Ann", "Ben", "Cy")] == ["9 2", "K K", "-"]
    assert table.entries == before
    assert settles(table, Ann="9 2", Ben="K K", Cy="-").status_code == 303
    assert table.entries[-1]["hands"] == {"Ann": "9 2", "Ben": "K K", "Cy": "-"}


def test_a_hand_shown_at_this_moment_is_not_mucked(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the drawer’s form is on its way into the book."""
    append = Ledger.append

    def later(*given: Any, **more: Any) -> Any:
        monkeypatch.undo()
        show(table["Ben"], "K K")
        return append(*given, **more)

    monkeypatch.setattr(Ledger, "append", later)
    assert "Ben has shown K K" in words(settles(table, Ann="9 2", Ben="-", Cy="-"))
    assert table.entries[-1]["action"] == "bet"


def test_what_was_shown_is_said_before_that_not_all_may_muck(table: Table) -> None:
    """They don’t: Ben’s hand is filled in."""
    show(table["Ben"], "K K")
    said = words(settles(table, Ann="-", Ben="-", Cy="-"))
    assert "Ben has shown K K" in said
    assert "can’t all muck" not in said


def test_a_muck_on_a_phone_may_be_told_otherwise(table: Table) -> None:
    """The cards were turned over on the table."""
    show(table["Ben"], "-")
    assert settles(table, Ann="-", Ben="K K", Cy="-").status_code == 303


def test_a_correction_has_what_was_recorded(table: Table) -> None:
    """Not what lies face up in the next hand."""
    assert settles(table, Ann="9 2", Ben="-", Cy="-").status_code == 303
    hand = len(table.entries)
    for player, move in (("Ann", "call"), ("Ben", "call"), ("Cy", "call"), ("Dot", "check")):
        bet(table[player], move, hand)
    for cards in ("Q 7 9", "3", "Q"):
        lay(table, cards)
        for player in ("Cy", "Dot", "Ann", "Ben"):
            bet(table[player], "check", hand)
    table["Ben"].enter({"action": "show", "hands.1": "K K"}, deal=hand)
    assert filled_in(table.host.get("/record").text, "Ben") == "K K"
    assert filled_in(table.host.get(f"/entries/{hand}").text, "Ben") == "-"
