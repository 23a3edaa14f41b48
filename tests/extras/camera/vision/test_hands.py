"""Which cards belong together, and how each hand is read, wherever its owner sits."""

from collections.abc import Sequence

import numpy as np
import pytest
from PIL import Image

from referee.extras.camera.vision.hands import apart
from referee.extras.camera.vision.process import ReadingProcess
from referee.extras.camera.vision.reading import read_hands
from tests.extras.camera import drawn

#: Middles of cards in centimeters, of which a card is 7.7 from index to opposite index.
ANN = [(-3.0, 0.0), (0.0, 0.0), (3.0, 0.0)]
GRID = [(7.0 * (at % 3), 10.5 * (at // 3)) for at in range(9)]


def moved(cards: Sequence[tuple[float, float]], x: float, y: float) -> list[tuple[float, float]]:
    return [(a + x, b + y) for a, b in cards]


def groups(*hands: Sequence[tuple[float, float]], count: int, size: float = 7.7) -> list[int]:
    """How many cards are in each group, which are the hands unless the test fails."""
    points = [card for hand in hands for card in hand]
    found = apart(np.array(points), np.full(len(points), size), count)
    begins = np.cumsum([0, *map(len, hands)])
    for group in found:
        owners = {int(np.searchsorted(begins, at, "right")) for at in group}
        assert len(owners) == 1 or len(found) < len(hands), found
    return sorted(map(len, found))


def test_a_hands_width_keeps_two_hands_apart() -> None:
    """Cards side by side, 9 cm from edge to edge: the middles are 15 apart."""
    row = [(6.6 * at, 0.0) for at in range(5)]
    assert groups(row, moved(row, 4 * 6.6 + 15, 0), count=2) == [5, 5]
    assert groups(row, moved(row, 4 * 6.6 + 15, 0), count=1) == [5, 5]  # more than expected


def test_closer_hands_are_separated_only_up_to_their_number() -> None:
    """By the largest gap, if there must be another hand."""
    assert groups(ANN, moved(ANN, 18, 0), count=2) == [3, 3]
    assert groups(ANN, moved(ANN, 18, 0), count=1) == [6]


@pytest.mark.parametrize("sizes", [(1, 9), (2, 13), (9, 9)])
def test_hands_may_be_of_any_size(sizes: tuple[int, int]) -> None:
    """One card against a row of thirteen."""
    one, other = ([(6.6 * at, 0.0) for at in range(size)] for size in sizes)
    assert groups(one, moved(other, 0, 20), count=2) == sorted(sizes)


def test_no_hand_is_split_to_reach_their_number() -> None:
    """Somebody holds none, or it was not seen: a grid and a row stay whole."""
    assert groups(GRID, moved(ANN, 40, 0), count=3) == [3, 9]
    assert groups([(6.6 * at, 0.0) for at in range(13)], count=2) == [13]


def test_a_stock_in_the_middle_is_a_group_of_its_own() -> None:
    """More groups than hands; the caller decides which is no hand."""
    around = [moved(ANN, 0, 30), moved(ANN, -30, 0), moved(ANN, 0, -30), [(0.0, 0.0)]]
    assert groups(*around, count=3) == [1, 3, 3, 3]


def test_far_hands_look_smaller_and_lie_closer() -> None:
    """A table seen aslant: what is a hand's width there is less in the photo."""
    near, far = moved(ANN, 0, 30), [(x / 2, y / 2) for x, y in [*ANN, *moved(ANN, 22, 0)]]
    points = np.array([*near, *far])
    sizes = np.array([7.7] * 3 + [3.85] * 6)
    assert sorted(map(len, apart(points, sizes, 3))) == [3, 3, 3]


def test_one_card_and_none() -> None:
    """What an empty table has, too."""
    assert apart(np.array([(0.0, 0.0)]), np.array([7.7]), 4) == [[0]]
    assert read_hands(drawn.saved(drawn.table()), 4) == ()


def a_table(
    south: Image.Image, west: Image.Image, north: Image.Image, east: Image.Image
) -> Image.Image:
    """Four hands as their owners see them, around a table."""
    photo = drawn.table(3200, 3200)
    for hand, turn, (x, y) in (
        (south, 0, (1600, 2700)), (west, -90, (500, 1600)), (north, 180, (1600, 500)),
        (east, 90, (2700, 1600)),
    ):  # fmt: skip
        turned = hand.rotate(turn, expand=True)
        photo.paste(turned, (x - turned.width // 2, y - turned.height // 2))
    return photo


def spread(cards: str, pitch: int = 90) -> Image.Image:
    texts = cards.split()
    photo = drawn.table(300 + pitch * len(texts), 400)
    for at, text in enumerate(texts):
        drawn.lay(photo, text, 150 + pitch * at, 200)
    return photo


def test_each_hand_is_read_as_its_owner_sees_it() -> None:
    """Cards that cover one another and cards side by side, on all four sides of the table."""
    hands = ["7H 2C KD 4S", "9S JD 3H", "AD 8C 10H QS 5D", "6S 6D"]
    south, west, north, east = hands
    photo = a_table(spread(south), spread(west, 270), spread(north), spread(east, 270))
    seen = ReadingProcess(seconds=300).read_hands(drawn.saved(photo), 4, suits=True)
    read_as = [" ".join(card.text for card in reading.cards) for reading in seen]
    assert sorted(read_as) == sorted(hands)
    assert {reading.size for reading in seen} == {(3200, 3200)}


def test_grids_have_their_columns_and_their_top_as_their_player_sees_them() -> None:
    """Both ends of a card look alike: the top of a grid is what is nearest the table's middle."""
    south = ["9H", "4C", "KD", "10S", "AH", "7C", "2D", "8S", "5H"]
    east = ["3S", "JC", "QD", "2C", "9D", "KS", "8H", "AC", "6D"]
    small = [drawn.grid(cards).resize((800, 1040)) for cards in (south, east)]
    nothing = drawn.table(10, 10)
    seen = read_hands(drawn.saved(a_table(small[0], nothing, nothing, small[1])), 2, suits=True)
    grids = [[card.text for row in one.grid or () for card in row if card] for one in seen]
    assert sorted(grids) == sorted([south, east])
    assert all(one.upright for one in seen)
