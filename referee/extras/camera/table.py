"""The hands in a photo of a whole table: whose each is, by where it lies, until they are used."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import atan2, pi, tau

from msgspec import Struct

from referee.extras.camera.cards import Mended, Sight

ASIDE = -1  # whose the stock is, the board, or whatever else lies on the table
FEWEST_LYING = 3  # cards that were entered before, and are seen together: a board, no hand


class Hand(Struct, frozen=True):
    """Cards that lie together: those of the player in `seat`, as corrected so far.

    Of a grid, `lies` has its cards as they lie in the photo, the columns rows if `swapped`, which
    is None until somebody has said so.
    """

    seat: int
    mended: Mended
    lies: Mended | None = None
    swapped: bool | None = False


def hands_seen(
    seen: Sequence[Sight], players: int, asked: Sequence[int], holder: int, lying: Sequence[str]
) -> list[Hand]:
    """The hands, each with the seat it probably belongs to.

    `asked` are the seats, of so many `players`, whose hands are asked for. Whoever is in the seat
    `holder` took the photo, and sits at its lower edge; the others follow clockwise.
    """
    board, known = set[int](), Counter(lying)
    for at, one in enumerate(seen):
        cards = Counter(filter(None, one.mended.cards))
        if cards.total() >= FEWEST_LYING and cards <= known:
            board.add(at)
    hands = [at for at, one in enumerate(seen) if at not in board and one.mended.boxes]
    lie_at = {at: _middle(seen[at].mended) for at in hands}
    size = seen[0].mended.size if seen else ()
    while len(hands) > len(asked):
        middle = _table_middle(list(lie_at.values()), size)
        inner = min(hands, key=lambda at: (_far(lie_at[at], middle), len(seen[at].mended.boxes)))
        hands.remove(inner)
        lie_at.pop(inner)
    turns = {seat: tau * ((seat - holder) % players) / players for seat in asked}
    seats = dict(zip(hands, seats_of([lie_at[at] for at in hands], size, turns), strict=True))
    return [
        Hand(
            seats.get(at, ASIDE),
            one.mended,
            one.grid,
            False if one.upright or not one.grid or at not in seats else None,
        )
        for at, one in enumerate(seen)
        if one.mended.boxes
    ]


Spot = tuple[float, float]


def seats_of(lie_at: Sequence[Spot], size: Sequence[int], turns: Mapping[int, float]) -> list[int]:
    """The seat of each hand, by where it lies and how far around the table each seat is.

    They stay in order clockwise; of all that do, those are taken that have to move least.
    """
    if not lie_at:
        return []
    x, y = _table_middle(lie_at, size)
    around = [atan2(x - left, top - y) % tau for left, top in lie_at]  # from the lower edge on
    clockwise = sorted(range(len(around)), key=around.__getitem__)
    seats = sorted(turns, key=turns.__getitem__)
    ways = [
        dict(zip(clockwise[first:] + clockwise[:first], some, strict=True))
        for some in combinations(seats, len(lie_at))
        for first in range(len(lie_at))
    ]

    def moves(way: Mapping[int, int]) -> float:
        off = (abs(around[at] - turns[seat]) for at, seat in way.items())
        return sum((pi - abs(pi - one)) ** 2 for one in off)

    best = min(ways, key=moves)
    return [best[at] for at in range(len(lie_at))]


def _middle(mended: Mended) -> Spot:
    lefts, tops, widths, heights = zip(*mended.boxes.values(), strict=True)
    count = 2 * len(lefts)
    return (2 * sum(lefts) + sum(widths)) / count, (2 * sum(tops) + sum(heights)) / count


def _table_middle(spots: Sequence[Spot], size: Sequence[int]) -> Spot:
    """Between the middle of the hands, some of which may be missing, and that of the photo."""
    (x, y), (wide, high) = zip(*spots, strict=True), size
    return (min(x) + max(x) + wide) / 4, (min(y) + max(y) + high) / 4


def _far(one: Spot, other: Spot) -> int:
    """How far they are apart, coarsely: two that lie about as far are alike."""
    return round(abs(complex(*one) - complex(*other)) / 50)
