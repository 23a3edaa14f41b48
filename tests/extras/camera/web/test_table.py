"""Whose hand is whose, by its position: the photographer sits at the lower edge."""

import pytest

from referee.extras.camera.cards import Sight, sight
from referee.extras.camera.table import ASIDE, hands_seen, seated
from referee.extras.camera.vision.found import Card, Guess, Reading
from referee.rules.cards.card_keys import GRID_KEYS, RANK_KEYS

SOUTH, WEST, NORTH, EAST, MIDDLE = (500, 900), (100, 500), (500, 100), (900, 500), (500, 500)


def lying(cards: str, at: tuple[int, int]) -> Sight:
    """A hand of these cards, with its middle at a place of the photo."""
    texts = cards.split()
    x, y = at[0] - 10 * len(texts), at[1] - 30
    row = tuple(
        Card(text, True, (x + 20 * i, y, 20, 60), (Guess(text, 0.99),))
        for i, text in enumerate(texts)
    )
    return sight(Reading((row,), (1000, 1000)), RANK_KEYS)


def seats(
    hands: dict[str, tuple[int, int]], players: int, asked: str, holder: int = 0, board: str = ""
) -> dict[str, int]:
    """The seat of each hand, by its cards; `asked` are the seats whose hands are asked for."""
    seen = [lying(cards, at) for cards, at in hands.items()]
    wanted = [int(seat) for seat in asked.split()]
    found = seated(hands_seen(seen), players, wanted, holder, board.split())
    return {" ".join(hand.mended.cards): hand.seat for hand in found}


ROUND = {"2": SOUTH, "3": WEST, "4": NORTH, "5": EAST}


@pytest.mark.parametrize("holder", range(4))
def test_the_others_follow_clockwise(holder: int) -> None:
    """To the left of the photographer, as play goes, then across, then to the right."""
    found = seats(ROUND, 4, "0 1 2 3", holder)
    assert [(seat - holder) % 4 for seat in found.values()] == [0, 1, 2, 3]


@pytest.mark.parametrize(("out", "gone"), [(0, "2"), (1, "3"), (2, "4"), (3, "5")])
def test_whoever_went_out_has_no_hand(out: int, gone: str) -> None:
    """Also the one at the lower edge: the others keep their places."""
    rest = {cards: at for cards, at in ROUND.items() if cards != gone}
    asked = " ".join(str(seat) for seat in range(4) if seat != out)
    assert seats(rest, 4, asked) == {cards: int(cards) - 2 for cards in rest}


def test_a_hand_that_was_not_seen_leaves_its_seat_empty() -> None:
    """Nobody else gets another's place for it."""
    assert seats({"2": SOUTH, "5": EAST}, 4, "0 1 2 3") == {"2": 0, "5": 3}
    assert seats({"3": WEST, "4": NORTH, "5": EAST}, 5, "0 1 2 3 4") == {"3": 1, "4": 2, "5": 4}


def test_people_do_not_sit_as_a_compass_does() -> None:
    """Two on the bench along one side, and a phone held a little askew."""
    bench = {"2": (560, 900), "3": (80, 300), "4": (350, 80), "5": (700, 90), "6": (930, 600)}
    assert seats(bench, 5, "0 1 2 3 4") == {"2": 0, "3": 1, "4": 2, "5": 3, "6": 4}


def test_two_hands_or_a_single_one() -> None:
    """Across from each other; a single one wherever it is."""
    assert seats({"2": SOUTH, "4": NORTH}, 2, "0 1") == {"2": 0, "4": 1}
    assert seats({"2": SOUTH, "4": NORTH}, 2, "0 1", holder=1) == {"2": 1, "4": 0}
    assert seats({"4": NORTH}, 2, "1") == {"4": 1}
    assert seats({"4": WEST}, 3, "1") == {"4": 1}


def test_a_card_in_the_middle_is_nobodys() -> None:
    """The top of the stock or the discards; so for two, where it may look like a hand."""
    assert seats({**ROUND, "K": MIDDLE}, 4, "0 1 2 3")["K"] == ASIDE
    assert seats({"2 7": SOUTH, "K": MIDDLE, "4": NORTH}, 2, "0 1")["K"] == ASIDE
    assert seats({"2 7 8": SOUTH, "K": MIDDLE}, 2, "0")["K"] == ASIDE


def test_the_board_is_nobodys_wherever_it_lies() -> None:
    """It was entered card by card; two cards of its ranks can be somebody's own."""
    board = {"9 K 5 2 9": (500, 450), "2 9": SOUTH, "4 4": NORTH}
    found = seats(board, 2, "0 1", board="9 K 5 2 9")
    assert found == {"9 K 5 2 9": ASIDE, "2 9": 0, "4 4": 1}
    mucked = seats({"9 K 5 2 9": (500, 450), "4 4": NORTH}, 3, "0 1 2", board="9 K 5 2 9")
    assert mucked["9 K 5 2 9"] == ASIDE


def test_a_photo_without_cards_of_the_game_has_no_hands() -> None:
    """Nothing was found, or nothing of this game's pack."""
    assert seated([], 4, [0, 1], 0, ()) == []
    assert seats({"*": MIDDLE, "2": SOUTH}, 2, "0 1") == {"2": 0}


def test_a_grid_whose_cards_do_not_tell_its_columns_is_asked_about() -> None:
    """All others are as in the photo."""
    rows = tuple(
        tuple(Card("5", True, (20 * x, 60 * y, 20, 60), (Guess("5", 0.9),)) for x in range(3))
        for y in range(3)
    )
    grid = sight(Reading(rows, (1000, 1000), rows, upright=False), GRID_KEYS)
    assert [hand.swapped for hand in hands_seen([grid, lying("5 5", EAST)])] == [None, False]
