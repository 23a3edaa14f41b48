"""Rows, columns and fans are recognized from whichever side a photo is taken."""

from collections.abc import Sequence
from itertools import product
from random import Random

import pytest
from PIL import Image

from referee.extras.camera.vision.found import Reading
from referee.extras.camera.vision.reading import read
from tests.extras.camera import drawn
from tests.support.campaign import usual_or_nightly

NINE = ["9H", "4C", "KD", "10S", "AH", "7C", "2D", "8S", "5H"]
HAND = ["3D", "4S", "8H", "9C", "10S", "QD", "KH"]
SIDES, TILTS = (0, 90, 180, 270), (-15, 0, 15)
GONE = ([4], [0, 5], [1, 4, 7], [8, 7, 6])
RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]


def reading(photo: Image.Image, turn: float = 0) -> Reading:
    """The reading of the photo turned clockwise by degrees."""
    turned = photo.rotate(-turn, Image.Resampling.BICUBIC, expand=True, fillcolor=drawn.CLOTH)
    return read(drawn.saved(turned), suits=True)


def texts(reading: Reading) -> list[list[str]]:
    return [[card.text for card in row] for row in reading.rows]


def threes(cards: Sequence[str]) -> list[list[str]]:
    return [list(cards[at : at + 3]) for at in range(0, len(cards), 3)]


def lain(
    cards: Sequence[str], slop: float = 0, missing: Sequence[int] = (), across: Sequence[int] = ()
) -> Image.Image:
    """A grid laid by hand: cards up to `slop` pixels off (4 a mm), some missing or across."""
    chance, photo = Random(9), drawn.table(1200, 1500)
    for at, text in enumerate(cards):
        if at not in missing:
            x, y = (chance.uniform(-slop, slop) for _ in "xy")
            turn = 90 if at in across else chance.uniform(-4, 4)
            drawn.lay(photo, text, 270 + 330 * (at % 3) + x, 320 + 430 * (at // 3) + y, turn)
    return photo


@pytest.mark.parametrize(
    ("side", "tilt"),
    usual_or_nightly([*zip(SIDES, (-15, 0, 15, 0), strict=True)], [*product(SIDES, TILTS)]),
)
def test_a_grid_has_its_columns_from_every_side(side: int, tilt: int) -> None:
    """From across the table rows are reversed, but columns stay columns.

    A nightly run tilts it in each way from each side.
    """
    read_as = texts(reading(lain(NINE, slop=48), side + tilt))
    other_end = [row[::-1] for row in threes(NINE)[::-1]]
    assert read_as in (threes(NINE), other_end)
    assert read_as == (threes(NINE) if side in (0, 90) else other_end)


@pytest.mark.parametrize("side", SIDES[:: usual_or_nightly(2, 1)])
def test_a_fan_is_read_as_its_owner_holds_it(side: int) -> None:
    """The one visible corner of each card says which way is up; a nightly run tries all."""
    assert texts(reading(drawn.fan(HAND), side)) == [HAND]


@pytest.mark.parametrize("side", SIDES[usual_or_nightly(1, 0) :: usual_or_nightly(2, 1)])
def test_a_hand_spread_on_the_table_is_read_as_its_owner_sees_it(side: int) -> None:
    """The cards overlap; only the last shows both corners. A nightly run turns it to every side."""
    photo = drawn.table(1000, 700)
    for at, text in enumerate(HAND):
        drawn.lay(photo, text, 220 + 80 * at, 350)
    assert texts(reading(photo, side)) == [HAND]


@pytest.mark.parametrize(("side", "order"), [(0, 1), (90, 1), (180, -1), (270, -1)])
def test_cards_that_lie_open_are_read_as_the_photo_shows_them(side: int, order: int) -> None:
    """With both corners visible either end may be up, so they are read to the right, or down."""
    cards = ["9H", "4C", "10D", "AS"]
    assert texts(reading(drawn.row(cards), side)) == [cards[::order]]


@pytest.mark.parametrize("slope", [-9, 0, 9])
def test_a_sloping_row_of_thirteen_is_one_row(slope: int) -> None:
    """With cards a little higher and lower, too."""
    photo, chance = drawn.table(2500, 900), Random(slope)
    cards = [rank + "HCDS"[at % 4] for at, rank in enumerate(RANKS)]
    for at, text in enumerate(cards):
        y = 450 + (at - 6) * 180 * slope / 57.3 + chance.uniform(-48, 48)
        drawn.lay(photo, text, 160 + 180 * at, y, chance.uniform(-5, 5))
    assert texts(reading(photo)) == [cards]


@pytest.mark.parametrize("side", SIDES[:: usual_or_nightly(2, 1)])
def test_rows_may_differ_in_length(side: int) -> None:
    """Five above, three below; in a nightly run from every side."""
    photo, rows = drawn.table(1700, 1100), [["9H", "4C", "10D", "AS", "6H"], ["2C", "KD", "7S"]]
    for down, row in enumerate(rows):
        for at, text in enumerate(row):
            drawn.lay(photo, text, 210 + 300 * at, 290 + 430 * down)
    read_as = texts(reading(photo, side))
    assert read_as in (rows, [row[::-1] for row in rows[::-1]])


@pytest.mark.parametrize(
    ("side", "missing"),
    usual_or_nightly([*zip((0, 90) * 2, GONE, strict=True)], [*product((0, 90), GONE)]),
)
def test_a_grid_keeps_the_places_of_cards_that_are_gone(side: int, missing: list[int]) -> None:
    """One or two cards, a column, or a row; a nightly run turns each to both sides."""
    grid = reading(lain(NINE, slop=30, missing=missing), side).grid
    assert grid is not None
    left = [[text for at, text in enumerate(NINE) if at % 3 == column and at not in missing]
            for column in range(3)]  # fmt: skip
    columns = [[card.text for card in column if card] for column in zip(*grid, strict=True)]
    assert columns == [column for column in left if column]


@pytest.mark.parametrize("side", SIDES[usual_or_nightly(1, 0) :: usual_or_nightly(2, 1)])
def test_a_card_lying_across_does_not_turn_its_grid(side: int) -> None:
    """Nor do two; in a nightly run from every side."""
    seen = reading(lain(NINE, across=[1, 8]), side)
    assert seen.upright
    assert texts(seen) in (threes(NINE), [row[::-1] for row in threes(NINE)[::-1]])


@pytest.mark.parametrize("across", [[0, 2, 4, 6], [0, 1, 2, 3, 4]])
def test_a_grid_with_cards_along_and_across_is_ambiguous(across: list[int]) -> None:
    """If about as many lie each way, rows may be columns."""
    assert not reading(lain(NINE, across=across)).upright


def test_cards_in_no_columns_make_no_grid() -> None:
    """A fan, and a heap in which two cards share a place."""
    assert reading(drawn.fan(HAND)).grid is None
    photo = drawn.table(1000, 700)
    for text, x, y in (("9H", 200, 250), ("4C", 700, 250), ("10D", 300, 290), ("AS", 640, 420)):
        drawn.lay(photo, text, x, y)
    assert reading(photo).grid is None
