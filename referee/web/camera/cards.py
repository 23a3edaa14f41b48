"""The cards read from a photo, in the notation of the field that they go into."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from referee.rules.cards.cards import JOKER
from referee.rules.core.asking import CardKeys
from referee.vision.found import Card, Reading
from referee.web.forms.taps import CARDS_READ, Form, in_rows, without


class Mended(Struct, frozen=True):
    """The cards of a photo as far as they have been corrected, by their place in the field.

    `cards` has "" for an empty place. `doubts` is what an uncertain card may be, `boxes` where a
    card lies in the photo, and `size` the photo's width and height, empty if it is not known.
    """

    cards: Sequence[str]
    doubts: Mapping[int, tuple[str, ...]] = {}
    boxes: Mapping[int, tuple[int, ...]] = {}
    size: tuple[int, ...] = ()

    def decided(self, place: int, card: str, across: int = 0) -> "Mended":
        """With `card` at `place`, no longer in doubt; or if `card` is "", with none there.

        After a removal the cards behind it move up; in a grid `across` wide, those below it.
        """
        left = [str(at) if one else "" for at, one in enumerate(self.cards)]
        if not card:
            left = without(left, place, across)
        moved = {int(at): now for now, at in enumerate(left) if at}
        cards = {**dict(enumerate(self.cards)), place: card}
        return Mended(
            [cards[int(at)] if at else "" for at in left],
            {moved[at]: may for at, may in self.doubts.items() if at in moved and at != place},
            {moved[at]: box for at, box in self.boxes.items() if at in moved},
            self.size,
        )


class Sight(Struct, frozen=True):
    """A photo's cards for a field, to be corrected, and what there is to say of them.

    `left_out` is the number of cards that this game's pack does not have, `known` the number of
    those on the table that were entered before. `in_grid` says whether the cards lie as the field
    needs them (three by three for a grid), and `missing` how many places of the grid are empty.
    """

    mended: Mended
    left_out: int
    known: int
    in_grid: bool
    missing: int


def sight(reading: Reading, pad: CardKeys, lying: Sequence[str] = ()) -> Sight:
    """A reading for a field with this pad; the cards `lying` on the table were entered before."""
    columns = columns_of(reading.rows, pad.column) if pad.column else None
    seen = _in_pack(reading.cards, pad)
    placed = dict(enumerate(_new(seen, lying)))
    if columns is not None:
        placed = {
            row * pad.column + across: one
            for across, column in enumerate(columns)
            for row, one in enumerate(_in_pack(column, pad))
        }
    mended = Mended(
        [placed[at].card if at in placed else "" for at in range(max(placed, default=-1) + 1)],
        {at: one.guesses for at, one in sorted(placed.items()) if not one.sure},
        {at: one.box for at, one in sorted(placed.items())},
        reading.size,
    )
    return Sight(
        mended,
        left_out=len(reading.cards) - len(seen),
        known=len(seen) - len(placed),
        in_grid=not pad.column or columns is not None,
        missing=pad.column**2 - len(placed) if columns else 0,
    )


class _Seen(Struct, frozen=True):
    """A card in the pad's notation: the likeliest, and the one or two that it may be."""

    card: str
    sure: bool
    guesses: tuple[str, ...]
    box: tuple[int, int, int, int]


def _in_pack(cards: Iterable[Card], pad: CardKeys) -> list[_Seen]:
    found = []
    for card in cards:
        guesses = [in_notation(guess.card, pad) for guess in card.guesses]
        fitting = tuple(dict.fromkeys(guess for guess in guesses if guess is not None))
        if fitting and not (card.sure and guesses[0] is None):
            sure = card.sure and guesses[0] == fitting[0]
            found.append(_Seen(fitting[0], sure, fitting, card.box))
    return found


def _new(seen: Sequence[_Seen], lying: Sequence[str]) -> Sequence[_Seen]:
    """The cards without those `lying`, if the photo shows all of these and others too.

    Otherwise it shows only new cards, some of which may have the same ranks as those lying there.
    """
    known = Counter(lying)
    if not known < Counter(one.card for one in seen):
        return seen
    new = []
    for one in seen:
        if known[one.card]:
            known[one.card] -= 1
        else:
            new.append(one)
    return new


def columns_of(rows: Sequence[Sequence[Card]], across: int) -> list[list[Card]] | None:
    """The columns of a square of `across` rows, in which some cards may be missing.

    Complete rows show where the columns are. None if no row is complete, or if there are more
    cards or rows than the square has.
    """
    whole = [row for row in rows if len(row) == across]
    if len(rows) > across or not whole or any(len(row) > across for row in rows):
        return None
    heads = [_middle(column) for column in zip(*whole, strict=True)]
    along = heads[-1][0] - heads[0][0], heads[-1][1] - heads[0][1]

    def far(card: Card, head: tuple[float, float]) -> float:
        x, y = _middle([card])
        return abs((x - head[0]) * along[0] + (y - head[1]) * along[1])

    columns: list[list[Card]] = [[] for _ in range(across)]
    for row in rows:
        places = min(
            combinations(range(across), len(row)),
            key=lambda some: sum(far(card, heads[at]) for card, at in zip(row, some, strict=True)),
        )
        for card, at in zip(row, places, strict=True):
            columns[at].append(card)
    return columns


def _middle(cards: Sequence[Card]) -> tuple[float, float]:
    boxes = [card.box for card in cards]
    return (
        sum(left + wide / 2 for left, _, wide, _ in boxes) / len(boxes),
        sum(top + high / 2 for _, top, _, high in boxes) / len(boxes),
    )


def in_notation(card: str, pad: CardKeys) -> str | None:
    """A card as the camera has it ("9H", "9R", "7", "*") in a pad's notation; None without key."""
    if card == JOKER:
        return JOKER if pad.joker else None
    rank = card.rstrip("SHDCR")
    suit = card[len(rank) :]
    if rank not in pad.ranks:
        return None
    if pad.suits:
        return card if suit and suit in pad.suits else None
    if pad.red_nine and rank == "9":
        return "9R" if suit in ("H", "D", "R") else "9"
    return rank


def mended_in(form: Form, across: int) -> Mended:
    """The cards in the fields of a form, in a grid `across` wide; invalid fields are ignored."""
    cards = in_rows(form.get(CARDS_READ, ""), across)
    held = {str(place) for place, card in enumerate(cards) if card}
    told = (text.split()[:3] for text in form.getlist("photo.doubt"))
    doubts = {int(place): (*may,) for place, *may in filter(None, told) if place in held and may}
    size, *boxes = (_numbers(text) for text in form.get("photo.drawing", "").split(";"))
    if len(size) != 2 or not all(size):
        return Mended(cards, doubts)
    lie = {box[0]: box[1:] for box in boxes if len(box) == 5 and str(box[0]) in held}
    return Mended(cards, doubts, lie, size)


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers in this text; empty if it contains anything else."""
    parts = text.split()
    good = all(part.isdecimal() and len(part) <= 7 for part in parts)
    return tuple(map(int, parts)) if good else ()
