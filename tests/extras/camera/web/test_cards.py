"""The cards read from a photo, in the notation of their field."""

import pytest
from msgspec.structs import replace

from referee.extras.camera.cards import Mended, grid_in, in_notation, mended_in, sight
from referee.extras.camera.vision.found import Card, Guess, Reading
from referee.rules.cards import card_keys
from referee.rules.core.asking import CardKeys
from referee.web.forms.taps import Form
from tests.extras.camera.stub import laid


@pytest.mark.parametrize(
    ("pad", "read", "written"),
    [
        (card_keys.RANK_KEYS, "9H 10S K 9R *", ["9", "10", "K", "9", None]),
        (card_keys.RED_NINE_KEYS, "9H 9D 9R 9S 9 10H", ["9R", "9R", "9R", "9", "9", "10"]),
        (card_keys.SUITED_KEYS, "9H 10S K 9R *", ["9H", "10S", None, None, None]),
        (card_keys.SHORT_SUITED_KEYS, "3D 2S 4S AC", [None, None, "4S", "AC"]),
        (card_keys.GRID_KEYS, "* 9H Q", ["*", "9", "Q"]),
    ],
    ids=["ranks", "red nines", "suits", "without twos and threes", "grid"],
)
def test_a_card_is_written_with_the_keys_of_its_pad(
    pad: CardKeys, read: str, written: list[str | None]
) -> None:
    """With as much of it as the pad has keys for; a card without a key isn't in the pack."""
    assert [in_notation(card, pad) for card in read.split()] == written


def test_a_doubtful_color_offers_no_choice_where_only_ranks_count() -> None:
    """The card is still to be checked."""
    mended = sight(laid("9H?9S"), card_keys.RANK_KEYS).mended
    assert (mended.cards, mended.doubts) == (["9"], {0: ("9",)})


def test_a_card_that_the_pack_lacks_is_left_out() -> None:
    """As a sure three in a pack from four up; a doubtful one becomes its next guess."""
    seen = sight(laid("3D 3D?5D 6S"), card_keys.SHORT_SUITED_KEYS)
    assert (seen.mended.cards, seen.mended.doubts) == (["5D", "6S"], {0: ("5D",)})
    assert seen.left_out == 1
    three = Card("3D", True, (0, 0, 80, 120), (Guess("3D", 0.99), Guess("5D", 0.004)))
    assert sight(Reading(((three,),), (1000, 500)), card_keys.SHORT_SUITED_KEYS).mended.cards == []


@pytest.mark.parametrize(
    ("shows", "lying", "new", "known"),
    [
        (("K 5 2 9",), "K 5 2", ["9"], 3),  # the turn card beside the flop
        (("9", "K 5 2"), "K 5 2", ["9"], 3),
        (("K K", "K 5 2"), "K 5 2", ["K", "K"], 3),
        (("9",), "K 5 2", ["9"], 0),
        (("K",), "K 5 2", ["K"], 0),  # alone, so it is another king
        (("K 5 2",), "K 5 2", ["K", "5", "2"], 0),
        (("K 5 3 9",), "K 5 2", ["K", "5", "3", "9"], 0),  # one was misread, so none is left out
        (("K 5 2",), "", ["K", "5", "2"], 0),
    ],
)
def test_cards_entered_before_are_not_added_again(
    shows: tuple[str, ...], lying: str, new: list[str], known: int
) -> None:
    """People photograph the whole board when a card was added to it."""
    seen = sight(laid(*shows), card_keys.RANK_KEYS, lying.split())
    assert (seen.mended.cards, seen.known, seen.left_out) == (new, known, 0)


@pytest.mark.parametrize(
    ("rows", "lie_as"),
    [
        (("A 2 3", "4 5 6", "7 8 9"), "A 2 3 4 5 6 7 8 9"),
        (("A 2 3", "4 5 6", "7 - 9"), "A 2 3 4 5 6 7 . 9"),
        (("A 2 3", "- 5 6", "7 8 9"), "A 2 3 7 5 6 . 8 9"),
        (("- 2 -", "4 5 6"), "4 2 6 . 5"),
        (("9H 2S KD", "A 5"), "9 2 K A 5"),
        (("9H 2S", "A 5", "7 8"), "9 2 . A 5 . 7 8"),
        (("A 2 3 4", "5 6 7 8 9"), ""),
        (("A 2 3", "4 5 6", "7 8 9", "10"), ""),
    ],
)
def test_a_missing_card_moves_no_card_into_another_column(
    rows: tuple[str, ...], lie_as: str
) -> None:
    """Columns count; within one, the cards below move up."""
    seen = sight(laid(*rows), card_keys.GRID_KEYS)
    assert (seen.grid is not None) is bool(lie_as)
    if lie_as:
        assert " ".join(card or "." for card in seen.mended.cards) == lie_as
        assert seen.missing == 9 - len(seen.mended.boxes)


def test_rows_and_columns_of_a_grid_can_be_swapped() -> None:
    """Cards keep their doubts and outlines; missing ones leave no gap in a column."""
    seen = sight(laid("A 2 3", "- 5?6 6", "7 8 9"), card_keys.GRID_KEYS)
    assert seen.grid is not None
    assert seen.grid.in_columns(3) == seen.mended
    swapped = seen.grid.in_columns(3, swapped=True)
    assert " ".join(card or "." for card in swapped.cards) == "A 5 7 2 6 8 3 . 9"
    assert swapped.doubts == {1: ("5", "6")}
    assert swapped.boxes[1] == seen.grid.boxes[4]


def test_a_grid_travels_in_a_form() -> None:
    """As it was read; invalid values of the field are ignored."""
    grid = sight(laid("A 2 3", "- 5?6 6"), card_keys.GRID_KEYS).grid
    assert grid is not None
    found = grid_in(Form({"photo.grid": grid.written}), 3)
    assert found is not None
    assert found.in_columns(3) == grid.in_columns(3)
    for text in ("", "1 2", "0 1; 0 1 2 3 4 A", "5; 0 1 2 3 4 A", "9 9; 9 1 2 3 4 A", "9 9; 0 A",
                 "9 9; 9999999 1 2 3 4 A", "9 9; 0 1 2 3 4", "9 9; x 1 2 3 4 A"):  # fmt: skip
        assert grid_in(Form({"photo.grid": text}), 3) is None
    assert grid_in(Form({"photo.grid": grid.written}), 0) is None


def test_a_card_left_out_of_a_grid_leaves_its_place() -> None:
    """As a joker in a game without jokers."""
    seen = sight(laid("A * 3", "4 5 6", "7 8 9"), replace(card_keys.GRID_KEYS, joker=False))
    assert seen.mended.cards == ["A", "5", "3", "4", "8", "6", "7", "", "9"]
    assert (seen.left_out, seen.missing) == (1, 1)


def test_removing_a_card_moves_up_those_behind_it() -> None:
    """With their doubts and boxes; deciding a doubtful one moves nothing."""
    boxes = {at: (at, 0, 80, 120) for at in range(4)}
    doubts = {1: ("6S", "8S"), 3: ("8S",)}
    mended = Mended(["5D", "6S", "7S", "8S"], doubts, boxes, (1200, 900))
    assert mended.decided(1, "8S") == replace(
        mended, cards=["5D", "8S", "7S", "8S"], doubts={3: ("8S",)}
    )
    less = {0: boxes[0], 1: boxes[2], 2: boxes[3]}
    assert mended.decided(1, "") == Mended(["5D", "7S", "8S"], {2: ("8S",)}, less, (1200, 900))
    assert mended.decided(9, "") == mended


def test_removing_a_card_of_a_grid_moves_up_its_column() -> None:
    """Others stay; but removing one too many of ten moves up all behind it."""
    cards = ["A", "2", "3", "4", "5", "6", "7", "8", "9"]
    mended = Mended(cards, {4: ("5",), 5: ("6",)}).decided(1, "", across=3)
    assert mended.cards == ["A", "5", "3", "4", "8", "6", "7", "", "9"]
    assert mended.doubts == {1: ("5",), 5: ("6",)}
    ten = Mended(["K", *cards], {4: ("5",), 5: ("6",)})
    assert ten.decided(0, "", across=3) == Mended(cards, {3: ("5",), 4: ("6",)})


def in_form(mended: Mended, **fields: str) -> Form:
    """The form fields for these cards."""
    form = Form({"photo.cards": " ".join(mended.cards), **fields})
    form.setlist("photo.doubt", [f"{at} {' '.join(may)}" for at, may in mended.doubts.items()])
    return form


def test_corrected_cards_travel_in_a_form() -> None:
    """As text; invalid values are ignored."""
    mended = sight(laid("9H 6S?8S"), card_keys.SUITED_KEYS).mended
    drawn = "; ".join(f"{at} {' '.join(map(str, box))}" for at, box in mended.boxes.items())
    size = " ".join(map(str, mended.size))
    form = in_form(mended, **{"photo.drawing": f"{size}; {drawn}"})
    assert mended_in(form, 0) == mended
    form.setlist("photo.doubt", ["", "x 9H", "1", "12345 9H", "-1 9H"])
    assert mended_in(form, 0).doubts == {}
    form["photo.drawing"] = "1200 900; 0 1 2 3; x 1 2 3 4; 1 1 2 3 4; 7 1 2 3 4"
    assert mended_in(form, 0).boxes == {1: (1, 2, 3, 4)}
    for text in ("", "0 900; 0 1 2 3 4", "1200; 0 1 2 3 4", "a b", "-1 5", "²³ 5"):
        form["photo.drawing"] = text
        assert mended_in(form, 0).size == ()
