"""The order in which a person would name the cards: along a fan, or row by row."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from referee.vision.cards import SeenCard
from referee.vision.corners import Corner

Points = NDArray[np.float64]

COHERENT = 0.75
"""How much the cards must agree on what is up before the photo is turned that way."""
ROW_GAP = 1.3
"""Index heights between one row and the next, at least."""
FAN_SPREAD = 0.2
"""Radians between the outermost cards of a fan, at least."""
FAN_MISS = 0.9
"""Index heights by which cards of a fan may miss its arc, as a mean square."""


def rows(cards: Sequence[SeenCard]) -> list[list[SeenCard]]:
    """The cards in reading order, a list a row; a fan is one row."""
    if not cards:
        return []
    anchors = [_anchor(card) for card in cards]
    ups = np.array([anchor.spot.up / anchor.spot.height for anchor in anchors])
    points = np.array([anchor.spot.middle for anchor in anchors])
    height = float(np.median([anchor.spot.height for anchor in anchors]))
    along = _fan(points, ups, height)
    if along is not None:
        return [[cards[i] for i in np.argsort(along)]]
    points = _upright(points, ups)
    return [[cards[i] for i in row] for row in _by_rows(points, height)]


def _anchor(card: SeenCard) -> Corner:
    """The corner a person reads first: the one that stands upright in the photo."""
    likely = [corner for corner in card.corners if corner.index > 0.3] or list(card.corners)
    upright = [c for c in likely if c.spot.up[1] < 0.35 * c.spot.height]
    return min(upright or likely, key=lambda c: float(c.spot.middle.sum()))


def _upright(points: Points, ups: Points) -> Points:
    """The points turned so that what most cards call up is up."""
    mean = ups.mean(0)
    if np.hypot(*mean) < COHERENT or mean[1] > 0:
        return points
    mean /= np.hypot(*mean)
    turn = np.array([[-mean[1], mean[0]], [-mean[0], -mean[1]]])
    turned: Points = points @ turn.T
    return turned


def _by_rows(points: Points, height: float) -> list[list[int]]:
    """Indices of the points, top row first, each row from left to right."""
    found: list[list[int]] = []
    for i in np.argsort(points[:, 1]):
        last = found[-1] if found else []
        if last and points[i, 1] - _level(points, last, points[i, 0]) < ROW_GAP * height:
            last.append(int(i))
        else:
            found.append([int(i)])
    return [sorted(row, key=lambda i: points[i, 0]) for row in found]


def _level(points: Points, row: Sequence[int], x: float) -> float:
    """How low the row runs near x: the height of its nearest card."""
    return float(points[min(row, key=lambda i: abs(points[i, 0] - x)), 1])


def _fan(points: Points, ups: Points, height: float) -> Points | None:
    """Each card's place along the fan, or nothing where the cards lie in no fan."""
    if len(points) < 3:
        return None
    # The pivot is where the lines through the cards, along their own up, come nearest together.
    across = np.stack([-ups[:, 1], ups[:, 0]], 1)
    pivot, *_ = np.linalg.lstsq(across, (across * points).sum(1), rcond=None)
    arms = points - pivot
    reach = np.hypot(arms[:, 0], arms[:, 1])
    if (arms * ups).sum(1).min() <= 0 or reach.max() > 60 * height:
        return None
    middle = arms.mean(0)
    angles = np.arctan2(middle[0] * arms[:, 1] - middle[1] * arms[:, 0], arms @ middle)
    spread, miss = np.ptp(angles), reach - reach.mean()
    off = (across * (points - pivot)).sum(1)
    if spread < FAN_SPREAD or np.sqrt((off**2).mean()) > FAN_MISS * height:
        return None
    if np.sqrt((miss**2).mean()) > FAN_MISS * height * 1.5:
        return None
    gaps: Points = angles
    return gaps
