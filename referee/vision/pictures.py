"""A second check of number cards: whether the card shows a picture instead of pips.

A Spanish jack has an S in its corner, which looks like a 5, and a German jack a B, like an 8; but
these cards show people in many colors.
"""

from collections.abc import Iterable
from dataclasses import replace
from itertools import permutations

import numpy as np

from referee.vision.cards import SeenCard, offset, turned_about
from referee.vision.corners import PATCH_HIGH, PATCH_REACH, PATCH_WIDE, Corner, Photo, Spot
from referee.vision.network import Floats

NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10")
# Share of the way between opposite indices that is examined, around the card's middle.
INNER_WIDE, INNER_HIGH = 0.55, 0.7
# Rows and columns of a patch that show the index but nothing beyond the card's edge.
INDEX = np.s_[9:-9, 12:-12]
# How far a color lies from every mixture of paper and ink, where paper is 1 in each channel.
OTHER_COLOR = 0.16
PICTURE = 0.12  # share of such colors above which it is a picture


def doubted(photo: Photo, cards: Iterable[SeenCard]) -> list[SeenCard]:
    """The cards, with number cards that show a picture marked as doubtful.

    One that was doubtful already, because others in the photo have foreign letters, is dropped.
    """
    kept = []
    for card in cards:
        if card.rank not in NUMBERS or not shows_picture(photo, card):
            kept.append(card)
        elif not card.doubtful:
            kept.append(replace(card, doubtful=True))
    return kept


def shows_picture(photo: Photo, card: SeenCard) -> bool:
    """Whether a card has many colors other than its paper and the ink of its indices.

    False if it was not read at two opposite corners, since other cards may lie on it.
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
    """Two indices at opposite corners of the card, the upper left one first, or None."""
    for one, other in permutations((c for c in card.corners if c.index > 0.5), 2):
        across, down = offset(one, other)
        if turned_about(one, other) < -0.8 and across > 0.15 * down > 0:
            return one, other
    return None


def _inside(one: Corner, other: Corner) -> Spot:
    """A spot whose patch shows the card between two opposite indices."""
    across, down = offset(one, other)
    wide = INNER_WIDE / (2 * PATCH_REACH * PATCH_WIDE / PATCH_HIGH)
    high = INNER_HIGH / (2 * PATCH_REACH)
    middle = (one.spot.middle + other.spot.middle) / 2
    return Spot(middle, one.spot.up * down * high, one.spot.right * across * wide, one.spot.heat)


def _paper_and_ink(photo: Photo, corner: Corner) -> tuple[Floats, Floats]:
    """The colors of an index's paper (its lightest) and ink (those farthest from the paper)."""
    patch = photo.patch(corner.spot)[INDEX].reshape(-1, 3).astype(np.float64)
    light = patch.sum(1)
    paper: Floats = np.median(patch[light >= np.quantile(light, 0.8)], axis=0).clip(8)
    far = np.abs(patch / paper - 1).max(1)
    ink: Floats = np.median(patch[far >= np.quantile(far, 0.93)], axis=0)
    return paper, ink


def _tints(colors: Floats) -> Floats:
    """The colors without their brightness: each minus the mean of its channels."""
    gray: Floats = colors - colors.mean(-1, keepdims=True)
    return gray
