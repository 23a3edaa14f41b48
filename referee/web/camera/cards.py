"""The cards read from a photo, in the notation of the field that they go into."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.cards.cards import JOKER
from referee.rules.core.asking import CardKeys
from referee.vision.found import Card, Reading
from referee.web.forms.taps import Form, without


class Seen(Struct, frozen=True):
    """A card in the photo: its notation, what else it may be, and where it lies.

    `guesses` has the likeliest one or two, best first; `box` is left, top, width, height; `place`
    is its index in the field, from 0, row by row in a grid.
    """

    card: str
    sure: bool
    guesses: tuple[str, ...]
    box: tuple[int, int, int, int]
    place: int = 0


class Doubt(Struct, frozen=True):
    """An uncertain card: its place among the cards, from 0, and what it may be."""

    place: int
    guesses: tuple[str, ...]

    @property
    def as_field(self) -> str:
        """The doubt as a form field: "2 9H 6H"."""
        return " ".join([str(self.place), *self.guesses])


class Drawing(Struct, frozen=True):
    """The photo's width and height, and the cards' boxes by place."""

    size: tuple[int, ...]
    boxes: Mapping[int, tuple[int, ...]]

    @property
    def as_field(self) -> str:
        """The drawing as a form field: "1200 900; 0 510 80 120 190; 1 700 80 120 190"."""
        boxes = ((place, *box) for place, box in self.boxes.items())
        return "; ".join(" ".join(map(str, numbers)) for numbers in (self.size, *boxes))

    def of(self, cards: Sequence[str]) -> "Drawing":
        """The drawing with only the boxes of places that hold one of these cards."""
        boxes = self.boxes.items()
        return replace(self, boxes={at: box for at, box in boxes if any(cards[at : at + 1])})

    def without(self, cards: Sequence[str], place: int, across: int = 0) -> "Drawing":
        """The drawing after the card at `place` is removed, as by `decided`."""
        moves = _moves(cards, place, across)
        boxes = self.boxes.items()
        return replace(self, boxes={moves[at]: box for at, box in boxes if at in moves})


class Sight(Struct, frozen=True):
    """A photo's cards for a field, in reading order, with the photo's width and height.

    `left_out` is the number of cards that this game's pack does not have, `known` the number of
    those on the table that were entered before. `in_grid` says whether the cards lie as the field
    needs them (three by three for a grid), and `missing` how many places of the grid are empty.
    """

    cards: tuple[Seen, ...]
    size: tuple[int, int]
    left_out: int
    in_grid: bool
    missing: int
    known: int = 0

    @property
    def places(self) -> list[str]:
        """The cards by place, "" for an empty one."""
        texts = {card.place: card.card for card in self.cards}
        return [texts.get(place, "") for place in range(max(texts, default=-1) + 1)]

    @property
    def doubts(self) -> list[Doubt]:
        """The cards that aren't sure."""
        return [Doubt(one.place, one.guesses) for one in self.cards if not one.sure]

    @property
    def drawing(self) -> Drawing:
        """The boxes of all cards."""
        return Drawing(self.size, {one.place: one.box for one in self.cards})


def sight(reading: Reading, pad: CardKeys, lying: Sequence[str] = ()) -> Sight:
    """A reading for a field with this pad; the cards `lying` on the table were entered before."""
    columns = columns_of(reading.rows, pad.column) if pad.column else None
    known = 0
    if columns is None:
        seen = list(filter(None, (_seen(card, pad) for card in reading.cards)))
        new = _new(seen, lying)
        known = len(seen) - len(new)
        placed = [replace(one, place=place) for place, one in enumerate(new)]
    else:
        placed = [
            replace(one, place=row * pad.column + across)
            for across, column in enumerate(columns)
            for row, one in enumerate(filter(None, (_seen(card, pad) for card in column)))
        ]
    return Sight(
        tuple(sorted(placed, key=lambda one: one.place)),
        reading.size,
        left_out=len(reading.cards) - len(placed) - known,
        in_grid=not pad.column or columns is not None,
        missing=pad.column**2 - len(placed) if columns else 0,
        known=known,
    )


def _new(seen: Sequence[Seen], lying: Sequence[str]) -> Sequence[Seen]:
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
    """The mean of the centers of the cards' boxes."""
    boxes = [card.box for card in cards]
    return (
        sum(left + wide / 2 for left, _, wide, _ in boxes) / len(boxes),
        sum(top + high / 2 for _, top, _, high in boxes) / len(boxes),
    )


def in_notation(card: str, pad: CardKeys) -> str | None:
    """A card read by the camera ("9H", "9R", "7", "*") in the notation of a pad.

    None if the pad has no key for it.
    """
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


def _seen(card: Card, pad: CardKeys) -> Seen | None:
    guesses = [in_notation(guess.card, pad) for guess in card.guesses]
    fitting = tuple(dict.fromkeys(guess for guess in guesses if guess is not None))
    if not fitting or (card.sure and guesses[0] is None):  # a card that this pack does not have
        return None
    return Seen(fitting[0], card.sure and guesses[0] == fitting[0], fitting, card.box)


def doubts_in(form: Form) -> list[Doubt]:
    """The doubts in the fields of a form; invalid ones are ignored."""
    found = []
    for text in form.getlist("photo.doubt"):
        place, *guesses = text.split()[:3] or [""]
        if place.isdecimal() and len(place) <= 3 and guesses:
            found.append(Doubt(int(place), tuple(guesses)))
    return found


def drawing_in(form: Form) -> Drawing | None:
    """The drawing in a form's field, None if there is none with a valid size.

    Invalid boxes are ignored.
    """
    size, *boxes = (_numbers(text) for text in form.get("photo.drawing", "").split(";"))
    if len(size) != 2 or not all(size):
        return None
    return Drawing(size, {box[0]: box[1:] for box in boxes if len(box) == 5})


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers in this text; empty if it contains anything else."""
    parts = text.split()
    good = all(part.isdecimal() and len(part) <= 7 for part in parts)
    return tuple(map(int, parts)) if good else ()


def _moves(cards: Sequence[str], place: int, across: int) -> dict[int, int]:
    """The new place of every other card, by its old one, when the card at `place` is removed."""
    left = without([str(at) if one else "" for at, one in enumerate(cards)], place, across)
    return {int(at): now for now, at in enumerate(left) if at}


def decided(
    cards: Sequence[str], doubts: Iterable[Doubt], place: int, card: str, across: int = 0
) -> tuple[list[str], list[Doubt]]:
    """The cards with `card` at `place`, or with none there if it is "", and the remaining doubts.

    After a removal the cards behind it move up, along with their doubts; in a grid `across` wide,
    those below it.
    """
    still = [doubt for doubt in doubts if doubt.place != place and doubt.place < len(cards)]
    if card:
        return [card if at == place else one for at, one in enumerate(cards)], still
    moves = _moves(cards, place, across)
    left = [""] * (max(moves.values(), default=-1) + 1)
    for at, now in moves.items():
        left[now] = cards[at]
    return left, [Doubt(moves[doubt.place], doubt.guesses) for doubt in still]
