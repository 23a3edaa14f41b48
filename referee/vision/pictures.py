"""A second opinion on a number: whether its card bears a picture where a number has its pips.

A Spanish jack has an S in its corner, which looks much like a 5, and a German one a B, like an 8;
but the cards that these stand on show people in many colors.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

import numpy as np

from referee.vision.cards import SeenCard, offset, turned_about
from referee.vision.corners import PATCH_HIGH, PATCH_REACH, PATCH_WIDE, Corner, Photo, Spot
from referee.vision.network import Floats

NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10")
# How much of the way from one index to the opposite one is looked at, around its middle.
INNER_WIDE, INNER_HIGH = 0.55, 0.7
# Rows and columns of a patch that show the index and nothing beyond the card's edge.
INDEX = np.s_[9:-9, 12:-12]
# How far a color lies from every mixture of paper and ink, where paper is 1 in each channel.
OTHER_COLOR = 0.16
PICTURE = 0.12  # share of such colors from which it is a picture


def doubted(photo: Photo, cards: Iterable[SeenCard]) -> list[SeenCard]:
    """The cards, with a doubt on each number that bears a picture.

    One that was in doubt before, since others in the photo bear foreign letters, is left out.
    """
    kept = []
    for card in cards:
        if card.rank not in NUMBERS or not shows_picture(photo, card):
            kept.append(card)
        elif not card.doubtful:
            kept.append(replace(card, doubtful=True))
    return kept


def shows_picture(photo: Photo, card: SeenCard) -> bool:
    """Whether there is more on a card than its paper and the ink of its indices.

    A card that was read at no two opposite corners may lie under others: nothing is said of it.
    """
    pair = _opposite_corners(card)
    if pair is None:
        return False
    paper, ink = _paper_and_ink(photo, pair[0])
    colors = _tints(photo.patch(_inside(*pair)).reshape(-1, 3) / paper)
    tint = _tints(ink / paper)
    strength = float(np.linalg.norm(tint))
    if strength > OTHER_COLOR:
        toward = tint / strength
        colors = colors - (colors @ toward).clip(0)[:, None] * toward
    return bool((np.linalg.norm(colors, axis=1) > OTHER_COLOR).mean() > PICTURE)


def _opposite_corners(card: SeenCard) -> tuple[Corner, Corner] | None:
    """Two indices with the card between them, the upper left one first."""
    for one, other in permutations((c for c in card.corners if c.index > 0.5), 2):
        across, down = offset(one, other)
        if turned_about(one, other) < -0.8 and across > 0.15 * down > 0:
            return one, other
    return None


def _inside(one: Corner, other: Corner) -> Spot:
    """What lies between two opposite indices, as a spot whose patch shows it."""
    across, down = offset(one, other)
    wide = INNER_WIDE / (2 * PATCH_REACH * PATCH_WIDE / PATCH_HIGH)
    high = INNER_HIGH / (2 * PATCH_REACH)
    middle = (one.spot.middle + other.spot.middle) / 2
    return Spot(middle, one.spot.up * down * high, one.spot.right * across * wide, one.spot.heat)


def _paper_and_ink(photo: Photo, corner: Corner) -> tuple[Floats, Floats]:
    """The colors an index is printed on and in: its lightest, and those farthest from these."""
    patch = photo.patch(corner.spot)[INDEX].reshape(-1, 3).astype(np.float64)
    light = patch.sum(1)
    paper: Floats = np.median(patch[light >= np.quantile(light, 0.8)], axis=0).clip(8)
    far = np.abs(patch / paper - 1).max(1)
    ink: Floats = np.median(patch[far >= np.quantile(far, 0.93)], axis=0)
    return paper, ink


def _tints(colors: Floats) -> Floats:
    """What colors are beside their brightness."""
    gray: Floats = colors - colors.mean(-1, keepdims=True)
    return gray
