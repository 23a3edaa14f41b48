"""The hands in a photo of a whole table, and whose each probably is, by where it lies."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from math import atan2, pi, tau

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.extras.camera.cards import Mended, Sight
from referee.web.forms.taps import Form, in_columns, row_number

HANDS_READ = "photo.hand"  # the fields that hold a hand each, as JSON, until the hands are used
HANDS_LAID = "photo.laid"  # the cards of each as text; in `:seat`, the seat chosen for it
MOST_HANDS = 40
ASIDE = -1  # the seat of the stock, the board, and whatever else is nobody's hand
FEWEST_LYING = 3  # as many cards that were entered before, lying together, are the board

Point = tuple[float, float]
Pixel = tuple[int, int]


class Hand(Struct, frozen=True):
    """Cards that lie together, as corrected so far: the hand of the player in `seat`.

    For a grid, `lies` has the cards as they lie in the photo; if `swapped`, its columns are rows
    there. `swapped` is None until somebody has said which.
    """

    mended: Mended
    lies: Mended | None = None
    swapped: bool | None = False
    seat: int = ASIDE

    @property
    def written(self) -> str:
        """The hand as text for `hands_in`."""
        return msgspec.json.encode(self).decode()

    def outline(self, around: int) -> list[Pixel]:
        """The corners, in order, of the convex hull of its cards with a margin `around` each."""
        corners = {
            (left + along * (wide + around) - (1 - along) * around,
             top + down * (high + around) - (1 - down) * around)
            for left, top, wide, high in self.mended.boxes.values()
            for along in (0, 1)
            for down in (0, 1)
        }  # fmt: skip
        return _half(sorted(corners)) + _half(sorted(corners, reverse=True))

    def laid(self, across: int) -> str:
        """Its cards as their field has them: column by column in a grid `across` wide."""
        return in_columns(self.mended.cards, across)

    def swapped_to(self, swapped: bool, across: int) -> "Hand":
        """The grid as it was read, taking rows of the photo for columns if `swapped`."""
        if self.lies is None or not across:
            return self
        return replace(self, mended=self.lies.in_columns(across, swapped), swapped=swapped)


def part_of_photo(hands: Sequence[Hand]) -> tuple[int, int, int, int]:
    """The part of the photo where the hands lie, with a margin: left, top, width, height."""
    boxes = [box for hand in hands for box in hand.mended.boxes.values()]
    size = hands[0].mended.size
    if not boxes:
        return 0, 0, size[0], size[1]
    begins = [min(box[way] for box in boxes) for way in (0, 1)]
    ends = [max(box[way] + box[way + 2] for box in boxes) for way in (0, 1)]
    room = max(end - begin for begin, end in zip(begins, ends, strict=True)) // 9
    left, top = (max(begin - room, 0) for begin in begins)
    right, bottom = (min(end + room, most) for end, most in zip(ends, size, strict=True))
    return left, top, right - left, bottom - top


def hands_seen(seen: Sequence[Sight]) -> list[Hand]:
    """The hands that were read, not assigned to anybody yet."""
    return [
        Hand(one.mended, one.grid, None if one.grid and not one.upright else False)
        for one in seen
        if one.mended.boxes
    ]


def hands_in(form: Form) -> list[Hand]:
    """The hands in the fields of a form, each in the seat that was chosen for it there.

    If that seat has a hand already, the two trade seats; but cards that were nobody's, and aren't a
    grid, are added to that hand. Empty if a field is invalid.
    """
    try:
        hands = [_decoded(text) for text in form.getlist(HANDS_READ)[:MOST_HANDS]]
    except msgspec.MsgspecError:
        return []
    were = [hand.seat for hand in hands]
    chosen = map(row_number, form.getlist(f"{HANDS_LAID}:seat"))
    for at, (was, seat) in enumerate(zip(were, chosen, strict=False)):
        if seat == was:
            continue
        if seat != ASIDE and (was != ASIDE or hands[at].lies):
            hands = [replace(one, seat=was) if one.seat == seat else one for one in hands]
        hands[at] = replace(hands[at], seat=seat)
    return hands


def _decoded(text: str) -> Hand:
    """The hand in this text; raises `msgspec.MsgspecError` if it is invalid."""
    hand = msgspec.json.decode(text, type=Hand)
    for mended in filter(None, (hand.mended, hand.lies)):
        lie = {at for at, card in enumerate(mended.cards) if card}
        if (
            len(mended.size) != 2
            or not all(mended.size)
            or set(map(len, mended.boxes.values())) - {4}
            or {*mended.boxes, *mended.doubts} - lie
        ):
            raise msgspec.ValidationError
    return hand


def seated(
    hands: Sequence[Hand], players: int, asked: Sequence[int], holder: int, lying: Sequence[str]
) -> list[Hand]:
    """The hands, each with the seat it probably belongs to.

    `asked` are the seats, out of `players`, whose hands are asked for. The player in seat `holder`
    took the photo and sits at its lower edge; the others follow clockwise. `lying` are the cards
    on the table that were entered before.
    """
    known = Counter(lying)
    lie_at = {}
    for at, hand in enumerate(hands):
        cards = Counter(filter(None, hand.mended.cards))
        if hand.mended.boxes and not (cards.total() >= FEWEST_LYING and cards <= known):
            lie_at[at] = _middle(hand.mended)
    size = hands[0].mended.size if hands else ()
    while len(lie_at) > len(asked):
        middle = complex(*_table_middle(list(lie_at.values()), size))
        # The nearest to the middle is nobody's; of about the same distance, the smallest.
        far = {
            at: round(20 * abs(complex(*spot) - middle) / max(size)) for at, spot in lie_at.items()
        }
        lie_at.pop(min(far, key=lambda at: (far[at], len(hands[at].mended.boxes))))
    turns = {seat: tau * ((seat - holder) % players) / players for seat in asked}
    seats = dict(zip(lie_at, _seats_of(list(lie_at.values()), size, turns), strict=True))
    return [replace(hand, seat=seats.get(at, ASIDE)) for at, hand in enumerate(hands)]


def _seats_of(
    lie_at: Sequence[Point], size: Sequence[int], turns: Mapping[int, float]
) -> list[int]:
    """The seat of each hand, by where it lies; `turns` has the angle of each seat at the table.

    The hands keep their clockwise order; of all such ways, the one with the smallest squared angles
    between hands and seats is taken.
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

    def misfit(way: Mapping[int, int]) -> float:
        off = (abs(around[at] - turns[seat]) for at, seat in way.items())
        return sum((pi - abs(pi - one)) ** 2 for one in off)

    best = min(ways, key=misfit)
    return [best[at] for at in range(len(lie_at))]


def _middle(mended: Mended) -> Point:
    lefts, tops, widths, heights = zip(*mended.boxes.values(), strict=True)
    count = 2 * len(lefts)
    return (2 * sum(lefts) + sum(widths)) / count, (2 * sum(tops) + sum(heights)) / count


def _table_middle(lie_at: Sequence[Point], size: Sequence[int]) -> Point:
    """The point halfway between the middles of the photo and of the hands: some may be missing."""
    (x, y), (wide, high) = zip(*lie_at, strict=True), size
    return (min(x) + max(x) + wide) / 4, (min(y) + max(y) + high) / 4


def _half(corners: Sequence[Pixel]) -> list[Pixel]:
    """One side of the convex hull of these sorted corners, without the last of them."""
    side: list[Pixel] = []
    for x, y in corners:
        while len(side) > 1:
            (a, b), (c, d) = side[-2:]
            if (c - a) * (y - b) > (d - b) * (x - a):
                break
            side.pop()
        side.append((x, y))
    return side[:-1]
