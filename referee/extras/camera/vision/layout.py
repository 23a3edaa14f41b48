"""How the cards of one group lie: which way is up, in what rows and columns, or along a fan.

A group is what belongs together: all cards of a photo, or those of one hand. The cards' long sides,
not the photo, show which way is up: a table is photographed from any of its sides, and a phone held
level cannot measure how it is turned.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from referee.extras.camera.vision.cards import SeenCard, offset, opposite_corners, turned_about
from referee.extras.camera.vision.corners import Corner, Vector

Points = NDArray[np.float64]

# How much the long sides must agree to show which way is up: of nine cards, two may lie across.
COHERENT = 0.5
# How much the visible corners must agree on their own way up, as in a fan, for it to be the
# group's; where both corners of each card are seen, a photo of it from the other side looks alike.
ONE_WAY = 0.5
FEWEST_ONE_WAY = 3
ROW_GAP = 1.3  # least distance between rows, in index heights
ROW_SHARE = 0.4  # the same as a share of the largest distance
SLOPES = np.linspace(-0.3, 0.3, 25)  # that a row may have
SLOPED = 4.0  # index heights by which rows at a slope of one must be closer than level ones
FAN_SPREAD = 0.2  # least angle between the outermost cards of a fan, in radians
FAN_MISS = 0.9  # largest root mean square distance of a fan's cards from its arc, in index heights


@dataclass(frozen=True)
class Layout:
    """How some cards lie, each card by its number in the group.

    rows: in reading order; a fan is one row. grid: the rows with None where a column has no card;
    None if two cards share a place, or in a fan. upright: whether the cards say which way is up.
    """

    rows: list[list[int]]
    grid: list[list[int | None]] | None
    upright: bool


def layout(cards: Sequence[SeenCard], toward: Vector | None = None) -> Layout:
    """How the cards of one group lie; their player looks `toward` the table's middle."""
    if not cards:
        return Layout([], None, True)
    up, upright = _up(cards, toward)
    anchors = [_anchor(card, up).spot for card in cards]
    height = float(np.median([anchor.height for anchor in anchors]))
    ups = np.array([anchor.up / anchor.height for anchor in anchors])
    along = _fan(np.array([anchor.middle for anchor in anchors]), ups, height)
    if along is not None:
        return Layout([[int(i) for i in np.argsort(along)]], None, True)
    turn = np.array([[-up[1], up[0]], [-up[0], -up[1]]])
    points = middles(cards) @ turn.T
    rows, columns = _lines(points, height), _lines(points[:, ::-1], height)
    rows = [sorted(row, key=lambda i: points[i, 0]) for row in rows]
    return Layout(rows, _grid(rows, columns), upright)


def _up(cards: Sequence[SeenCard], toward: Vector | None) -> tuple[Vector, bool]:
    """Which way is up for most cards, as a unit vector, and whether they agree on it.

    Of the two ways along the long sides it is the one in which most corners are upright, or else
    the one `toward` the middle of the table; where that isn't known, the one in which one reads to
    the right in the photo, or at least down.
    """
    ups = [[corner.spot.up / corner.spot.height for corner in c.likely_corners] for c in cards]
    one_way: Vector = np.mean([up for own in ups for up in own], axis=0)
    if len(cards) >= FEWEST_ONE_WAY and np.hypot(*one_way) >= ONE_WAY:
        return one_way / np.hypot(*one_way), True
    # Doubled angles are alike for opposite directions.
    doubled = [sum(complex(*up) ** 2 for up in own) for own in ups]
    axis = np.mean([one / max(abs(one), 1e-6) for one in doubled])
    if abs(axis) < COHERENT:
        return np.array([0.0, -1.0]), False
    along = np.sqrt(axis / abs(axis))
    up = np.array([along.real, along.imag])
    reads = up[0] - 2 * up[1] if toward is None else up @ toward
    return up if reads > 0 else -up, True


def _anchor(card: SeenCard, up: Vector) -> Corner:
    """The corner that a person reads first: the top left one of those that stand upright."""
    likely = card.likely_corners
    upright = [corner for corner in likely if corner.spot.up @ up > 0]
    right = np.array([-up[1], up[0]])
    return min(upright or likely, key=lambda corner: float(corner.spot.middle @ (right - up)))


def middles(cards: Sequence[SeenCard]) -> Points:
    """The middle of each card; a card that shows one corner gets it from the others' distances."""
    pairs = [opposite_corners(card) for card in cards]
    usual = [np.abs(offset(*pair)) for pair in pairs if pair]
    across, down = np.median(usual, axis=0) / 2 if usual else (0.0, 0.0)
    if any(_has_four_indices(card) for card in cards):
        across = 0.0  # it may be the corner on either side
    found = []
    for card, pair in zip(cards, pairs, strict=True):
        if pair:
            found.append((pair[0].spot.middle + pair[1].spot.middle) / 2)
        else:
            spot = card.likely_corners[0].spot
            found.append(spot.middle + spot.right * across - spot.up * down)
    return np.array(found)


def _has_four_indices(card: SeenCard) -> bool:
    first, *others = card.likely_corners
    return any(turned_about(first, other) > 0.8 for other in others)


def _lines(points: Points, height: float) -> list[list[int]]:
    """The points in rows, the top one first, split at large gaps.

    Rows may slope; the slope chosen leaves the points closest together.
    """
    if len(points) == 1:
        return [[0]]
    lowered = points[:, 1] - SLOPES[:, None] * points[:, 0]
    gaps = np.diff(np.sort(lowered), axis=1)
    least = np.maximum(ROW_GAP * height, ROW_SHARE * gaps.max(1, keepdims=True))
    spread = np.minimum(gaps, least).sum(1) + least[:, 0] * (gaps >= least).sum(1)
    best = int((spread + SLOPED * height * np.abs(SLOPES)).argmin())
    order = np.argsort(lowered[best])
    starts = np.flatnonzero(gaps[best] >= least[best]) + 1
    return [[int(i) for i in line] for line in np.split(order, starts)]


def _grid(rows: list[list[int]], columns: list[list[int]]) -> list[list[int | None]] | None:
    """The rows with None where a column has no card, or None if two cards share a place."""
    grid: list[list[int | None]] = []
    for row in rows:
        shared = [[i for i in column if i in row] for column in columns]
        if any(len(cards) > 1 for cards in shared):
            return None
        grid.append([cards[0] if cards else None for cards in shared])
    return grid


def _fan(points: Points, ups: Points, height: float) -> Points | None:
    """Each card's angle along the fan, or None if the cards do not form one."""
    if len(points) < 3:
        return None
    # The pivot is the point nearest to the lines through the cards along their up vectors.
    across = np.stack([-ups[:, 1], ups[:, 0]], 1)
    pivot, *_ = np.linalg.lstsq(across, (across * points).sum(1), rcond=None)
    arms = points - pivot
    reach = np.hypot(arms[:, 0], arms[:, 1])
    if (arms * ups).sum(1).min() <= 0 or reach.max() > 60 * height:
        return None
    middle = arms.mean(0)
    angles: Points = np.arctan2(middle[0] * arms[:, 1] - middle[1] * arms[:, 0], arms @ middle)
    off, miss = (across * arms).sum(1), reach - reach.mean()
    if np.ptp(angles) < FAN_SPREAD or np.sqrt((off**2).mean()) > FAN_MISS * height:
        return None
    if np.sqrt((miss**2).mean()) > FAN_MISS * height * 1.5:
        return None
    return angles
