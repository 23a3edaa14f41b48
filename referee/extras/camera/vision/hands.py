"""Which cards of a table lie together: the hands of several players, wherever these sit."""

from collections.abc import Sequence

import numpy as np

from referee.extras.camera.vision.cards import SeenCard, offset, opposite_corners
from referee.extras.camera.vision.layout import Points, middles

# Distances between the middles of cards, as shares of that from index to opposite index on a card
# (77 mm). Cards of a grid lie up to 1.7 apart, and a hand's width between two hands makes 1.9.
SURELY_APART = 1.85
LEAST_APART = 1.5  # below, two cards belong together, even if there are fewer hands then
USUAL_REACH = 5.0  # that distance in index heights, where no card shows two opposite corners


def hands(cards: Sequence[SeenCard], count: int) -> list[list[int]]:
    """The cards by their numbers, apart as `count` hands lie.

    There are more groups where more are surely apart, as with cards in the middle of the table, and
    fewer where no other cut would leave a hand whole.
    """
    if not cards:
        return []
    return apart(middles(cards), _card_sizes(cards), count)


def apart(points: Points, sizes: Points, count: int) -> list[list[int]]:
    """The points by their numbers in groups, by the largest gaps between neighbors.

    `sizes` is how large a card is at each of them: those farther from the camera are smaller.
    """
    far = np.hypot(*np.moveaxis(points[:, None] - points, 2, 0))
    far /= (sizes[:, None] + sizes) / 2
    # The shortest ways that join all points (Prim): those that are cut leave the groups.
    joined, nearest = [0], far[0].copy()
    ways: list[tuple[float, int, int]] = []
    source = np.zeros(len(points), int)
    while len(joined) < len(points):
        nearest[joined] = np.inf
        new = int(nearest.argmin())
        ways.append((float(nearest[new]), int(source[new]), new))
        closer = far[new] < nearest
        source[closer] = new
        nearest = np.minimum(nearest, far[new])
        joined.append(new)
    longest = sorted((way for way, *_ in ways), reverse=True)
    cuts = [way for at, way in enumerate(longest)
            if way > SURELY_APART or (way > LEAST_APART and at < count - 1)]  # fmt: skip
    group = {0: 0}
    for way, one, new in ways:
        group[new] = group[one] if way < min(cuts, default=np.inf) else new
    return [[at for at in sorted(group) if group[at] == own] for own in sorted(set(group.values()))]


def _card_sizes(cards: Sequence[SeenCard]) -> Points:
    """How far it is from index to opposite index at each card, in pixels."""
    pairs = filter(None, map(opposite_corners, cards))
    reach = [float(np.hypot(*offset(*pair))) for pair in pairs]
    heights = [np.median([corner.spot.height for corner in card.likely_corners]) for card in cards]
    return np.array(heights) * (np.median(reach) if reach else USUAL_REACH)
