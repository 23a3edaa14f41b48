"""Group the cards on a table into the hands of several players, wherever these sit."""

from collections.abc import Sequence

import numpy as np

from referee.extras.camera.vision.cards import SeenCard, offset, opposite_corners
from referee.extras.camera.vision.layout import Points, middles

# Distances between the middles of cards; 1 is that between opposite indices of a card (77 mm).
# Cards of a grid lie up to 1.7 apart; two hands with a hand's width between them, 1.9.
SURELY_APART = 1.85
LEAST_APART = 1.5  # nearer cards belong together, even if that leaves too few hands
USUAL_REACH = 5.0  # that distance in index heights, if no card shows two opposite indices


def hands(cards: Sequence[SeenCard], count: int) -> list[list[int]]:
    """The indices of the cards, grouped into `count` hands.

    There are more groups if more are surely apart, such as cards in the middle of the table, and
    fewer if another cut would go through a hand.
    """
    if not cards:
        return []
    return apart(middles(cards), _card_sizes(cards), count)


def apart(points: Points, sizes: Points, count: int) -> list[list[int]]:
    """The indices of the points, in groups separated by the largest gaps between neighbors.

    `sizes` are the sizes of the cards at the points: those farther from the camera are smaller.
    """
    far = np.hypot(*np.moveaxis(points[:, None] - points, 2, 0))
    far /= (sizes[:, None] + sizes) / 2
    # The minimum spanning tree (Prim); cutting its longest edges leaves the groups.
    joined, nearest = [0], far[0].copy()
    edges: list[tuple[float, int, int]] = []
    source = np.zeros(len(points), int)
    while len(joined) < len(points):
        nearest[joined] = np.inf
        new = int(nearest.argmin())
        edges.append((float(nearest[new]), int(source[new]), new))
        closer = far[new] < nearest
        source[closer] = new
        nearest = np.minimum(nearest, far[new])
        joined.append(new)
    longest = sorted((length for length, *_ in edges), reverse=True)
    cuts = [length for at, length in enumerate(longest)
            if length > SURELY_APART or (length > LEAST_APART and at < count - 1)]  # fmt: skip
    group = {0: 0}
    for length, one, new in edges:
        group[new] = group[one] if length < min(cuts, default=np.inf) else new
    return [[at for at in sorted(group) if group[at] == own] for own in sorted(set(group.values()))]


def _card_sizes(cards: Sequence[SeenCard]) -> Points:
    """The distance between opposite indices at each card, in pixels."""
    pairs = filter(None, map(opposite_corners, cards))
    reach = [float(np.hypot(*offset(*pair))) for pair in pairs]
    heights = [np.median([corner.spot.height for corner in card.likely_corners]) for card in cards]
    return np.array(heights) * (np.median(reach) if reach else USUAL_REACH)
