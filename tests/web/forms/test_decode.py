"""Decoding forms: grids typed in rows, aces typed as 1, red nines in numbers, shared pads."""

import pytest
from werkzeug.datastructures import MultiDict

from referee.rules.games.colorado_nines.game import Grids
from referee.rules.games.multiple_9.entries import Turn
from referee.rules.games.red_nines import Out
from referee.web.forms.decode import as_form, entry_from, reseated
from referee.web.forms.taps import Form, in_columns, in_rows, tapped

PLAYERS = ("Ann", "Ben")


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("J 5 A J 5 K * 7 2", "J J * | 5 5 7 | A K 2"),
        ("J,5,A, J,5,K, *,7,2", "J J * | 5 5 7 | A K 2"),
        ("J J * | 5 5 7 | A K 2", "J J * | 5 5 7 | A K 2"),
        ("J 5 A J", "J 5 A J"),  # not a whole grid, so its fault quotes it as typed
        ("3+4", 7),
    ],
)
def test_nine_cards_typed_in_rows_are_stored_in_columns(typed: str, read: str | int) -> None:
    """With bars they are columns already; a number is the points of the grid."""
    sent = MultiDict({"grids.0": typed, "grids.1": "12"})
    assert entry_from(sent, Grids, PLAYERS)["grids"] == {"Ann": read, "Ben": 12}


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("8 1 10", "8 A 10"),
        ("1S 10D 1♥", "AS 10D A♥"),
        ("9R=1", "9R=A"),
        ("1,1,11", "A,A,11"),  # there is no 11, so its fault quotes it as typed
    ],
)
def test_a_one_among_cards_is_an_ace(typed: str, read: str) -> None:
    """Some packs print a 1; entries store A."""
    sent = MultiDict({"player": "Ann", "cards": typed})
    assert entry_from(sent, Turn, PLAYERS)["cards"] == read


def test_a_one_alone_is_a_point_in_a_field_for_points_or_cards() -> None:
    """It is an ace only among other cards."""
    sent = MultiDict({"grids.0": "1", "grids.1": "1 2 3 4 5 6 7 8 9"})
    assert entry_from(sent, Grids, PLAYERS)["grids"] == {"Ann": 1, "Ben": "A 4 7 | 2 5 8 | 3 6 9"}
    tapped_once = in_columns(["3"], 3)
    sent = MultiDict({"grids.0": tapped_once, "grids.1": "3"})
    assert entry_from(sent, Grids, PLAYERS)["grids"] == {"Ann": tapped_once, "Ben": 3}


def after(**sent: str) -> Form:
    """The form after applying its tap; `_` stands for a dot in names."""
    form = tapped(MultiDict({name.replace("_", "."): value for name, value in sent.items()}))
    assert form is not None
    return form


def test_a_shared_pad_writes_into_the_open_field() -> None:
    """Without script a key sends the whole form, which names the open field."""
    suit = {"@:suit": "H"}
    assert after(at="hands.1", hands_1="K", tap="@:9", **suit)["hands.1"] == "K 9H"
    columns = {"grids.0:columns": "3"}
    grid = after(at="grids.0", grids_0="J | 5 | A", tap="@:J", **columns)
    assert grid["grids.0"] == "J J | 5 | A"


def test_one_key_mucks_all_blank_hands() -> None:
    """Players with cards in the form have shown, and keep them."""
    form = after(hands_0="", hands_1="K 5", hands_4=" ", at="hands.0", key="", tap="@:rest")
    hands = {name: cards for name, cards in form.items() if name.startswith("hands")}
    assert hands == {"hands.0": "-", "hands.1": "K 5", "hands.4": "-"}
    assert form["key"] == ""


def test_enter_taps_no_key() -> None:
    """It presses the first button of the form, whose tap is empty."""
    assert after(points_0="7", tap="")["points.0"] == "7"


def test_an_entry_comes_back_into_its_form() -> None:
    """For a correction, each value is in the field of its player's seat."""
    entry = {"action": "grids", "grids": {"Ben": 12, "Ann": "J J J | 2 2 2 | 3 3 3"}}
    assert as_form(entry, Grids, PLAYERS)["grids.0"] == "J J J | 2 2 2 | 3 3 3"


@pytest.mark.parametrize(
    ("typed", "points", "red_nines", "comes_back"),
    [
        ("25 + 9♦", 34, 1, "25 + 9♦"),
        ("25+9R", 34, 1, "25 + 9♦"),
        ("9♦ + 25 + 9h", 43, 2, "25 + 9♦ + 9♦"),
        ("9♥\ufe0e", 9, 1, "9♦"),
        ("25 + 9", 34, 0, "34"),  # nine points of other cards
        ("13+5+9♦", 27, 1, "18 + 9♦"),
    ],
)
def test_a_red_nine_is_written_in_the_number_it_adds_to(
    typed: str, points: int, red_nines: int, comes_back: str
) -> None:
    """It counts nine points and a red nine; a correction shows the sum again."""
    sent = MultiDict({"player": "Ben", "hands.0.points": typed})
    entry = entry_from(sent, Out, PLAYERS)
    assert entry["hands"]["Ann"] == {"points": points, "red_nines": red_nines}
    assert as_form(entry, Out, PLAYERS)["hands.0.points"] == comes_back


def test_points_and_red_nines_may_be_in_fields_of_their_own() -> None:
    """The points then include those of the red nine."""
    sent = MultiDict({"player": "Ben", "hands.0.points": "34", "hands.0.red_nines": "1"})
    assert entry_from(sent, Out, PLAYERS)["hands"]["Ann"] == {"points": 34, "red_nines": 1}


def test_what_was_filled_in_moves_with_its_player() -> None:
    """Dan sat down and Cat left; Ann and Ben keep what was typed for them."""
    form = Form({"action": "end", "hands.0.cards": "K", "hands.2.cards": "9", "hands.7.cards": "4"})
    form.setlist("hands.1.cards", ["A", "2"])
    moved = reseated(form, ["Ann", "Ben", "Cat"], ["Ben", "Dan", "Ann"])
    assert dict(moved.lists()) == {
        "action": ["end"],
        "hands.2.cards": ["K"],
        "hands.0.cards": ["A", "2"],
        "hands.7.cards": ["4"],
    }


def test_rows_and_columns_are_inverses() -> None:
    """For any number of cards tapped so far."""
    cards = ["J", "5", "A", "J", "5", "K", "*", "7", "2"]
    for tapped_so_far in range(len(cards) + 1):
        some = cards[:tapped_so_far]
        assert in_rows(in_columns(some, 3), 3) == some


@pytest.mark.parametrize("counted", ["22", "7", "3 + 10+2"])
def test_a_number_in_a_grid_is_points_and_no_card(counted: str) -> None:
    """Outside a grid it is a card, and so is the first card tapped into one."""
    assert in_rows(counted, 3) == []
    assert in_rows("7", 0) == ["7"]
    assert in_rows("7 |", 3) == ["7"]
    assert in_rows("2 2 2", 3) == in_rows("2 2 2", 3)
