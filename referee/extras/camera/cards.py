"""The cards read from a photo, in the notation of the field that they go into."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from referee.extras.camera.vision.found import Card, Reading
from referee.rules.cards.cards import JOKER
from referee.rules.core.asking import CardKeys
from referee.web.forms.taps import Form, in_rows, without

CARDS_READ = "photo.cards"  # the field with the cards until they are used


class Mended(Struct, frozen=True):
    """The cards of a photo as far as they have been corrected, by their place in the field.

    `cards` has "" for an empty place. `doubts` is what an uncertain card may be, `boxes` where a
    card lies in the photo, and `size` the photo's width and height, empty if it is not known.
    """

    cards: Sequence[str]
    doubts: Mapping[int, tuple[str, ...]] = {}
    boxes: Mapping[int, tuple[int, ...]] = {}
    size: tuple[int, ...] = ()

    @property
    def written(self) -> str:
        """The cards that lie in the photo, as text for `grid_in`."""
        cards = [
            (at, *box, self.cards[at], *self.doubts.get(at, ())) for at, box in self.boxes.items()
        ]
        return "; ".join(" ".join(map(str, one)) for one in (self.size, *cards))

    def decided(self, place: int, card: str, across: int = 0) -> "Mended":
        """With `card` at `place`, no longer in doubt; or if `card` is "", with none there.

        After a removal the cards behind it move up; in a grid `across` wide, those below it.
        """
        left = [str(at) if one else "" for at, one in enumerate(self.cards)]
        if not card:
            left = without(left, place, across)
        cards = [card if at == place else old for at, old in enumerate(self.cards)]
        doubts = {at: may for at, may in self.doubts.items() if at != place}
        moved = {int(at): now for now, at in enumerate(left) if at}
        return replace(self, cards=cards, doubts=doubts).moved(moved)

    def moved(self, places: Mapping[int, int]) -> "Mended":
        """With each card at the place that `places` has for its own, without those it lacks."""
        cards = {places[at]: card for at, card in enumerate(self.cards) if at in places}
        return Mended(
            [cards.get(at, "") for at in range(max(cards, default=-1) + 1)],
            {places[at]: may for at, may in self.doubts.items() if at in places},
            {places[at]: box for at, box in self.boxes.items() if at in places},
            self.size,
        )

    def in_columns(self, across: int, swapped: bool = False) -> "Mended":
        """A grid `across` wide with the cards of each column moved up; `swapped`, of each row."""
        filled = Counter[int]()
        places = {}
        for at, card in enumerate(self.cards):
            if card:
                column = at // across if swapped else at % across
                places[at] = filled[column] * across + column
                filled[column] += 1
        return self.moved(places)


class Sight(Struct, frozen=True):
    """A photo's cards for a field, to be corrected, and remarks about them.

    `left_out` is the number of cards that this game's pack does not have, `known` the number of
    those on the table that were entered before. For a field that takes a grid, `grid` has the cards
    row by row as in the photo, None if they form no grid, `missing` is how many of its places are
    empty, and `upright` whether the cards tell its rows from its columns.
    """

    mended: Mended
    left_out: int
    known: int
    grid: Mended | None
    missing: int
    upright: bool


def sight(reading: Reading, pad: CardKeys, lying: Sequence[str] = ()) -> Sight:
    """A reading for a field with this pad; the cards `lying` on the table were entered before."""
    seen = _in_pack(reading.cards, pad)
    across, rows = pad.column, reading.grid
    grid = None
    if across and rows and len(rows) <= across and len(rows[0]) <= across:
        placed = {
            row * across + column: one
            for row, cards in enumerate(rows)
            for column, card in enumerate(cards)
            if card
            for one in _in_pack([card], pad)
        }
        grid = _mended(placed, reading.size)
        mended = grid.in_columns(across)
    else:
        mended = _mended(dict(enumerate(_new(seen, lying))), reading.size)
    return Sight(
        mended,
        left_out=len(reading.cards) - len(seen),
        known=len(seen) - len(mended.boxes),
        grid=grid,
        missing=across**2 - len(mended.boxes) if grid else 0,
        upright=reading.upright,
    )


def _mended(placed: Mapping[int, "_Seen"], size: tuple[int, int]) -> Mended:
    return Mended(
        [placed[at].card if at in placed else "" for at in range(max(placed, default=-1) + 1)],
        {at: one.guesses for at, one in sorted(placed.items()) if not one.sure},
        {at: one.box for at, one in sorted(placed.items())},
        size,
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


def in_notation(card: str, pad: CardKeys) -> str | None:
    """A card as read ("9H", "9R", "7", "*") in a pad's notation; None if it has no such key."""
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
    words = (text.split()[:3] for text in form.getlist("photo.doubt"))
    doubts = {int(place): (*may,) for place, *may in filter(None, words) if place in held and may}
    size, *boxes = (_numbers(text) for text in form.get("photo.drawing", "").split(";"))
    if len(size) != 2 or not all(size):
        return Mended(cards, doubts)
    lie = {box[0]: box[1:] for box in boxes if len(box) == 5 and str(box[0]) in held}
    return Mended(cards, doubts, lie, size)


def grid_in(form: Form, across: int) -> Mended | None:
    """The grid in the fields of a form, `across` wide; None without a valid one."""
    size, *others = form.get("photo.grid", "").split(";")
    cards, doubts, boxes = {}, {}, {}
    for words in map(str.split, others):
        at, *box = _numbers(" ".join(words[:5])) or (across**2,)
        if at < across**2 and len(box) == 4 and len(words) > 5:
            boxes[at], cards[at], doubts[at] = (*box,), words[5], (*words[6:],)
    if not cards or len(_numbers(size)) != 2 or not all(_numbers(size)):
        return None
    placed = [cards.get(at, "") for at in range(across**2)]
    return Mended(placed, {at: may for at, may in doubts.items() if may}, boxes, _numbers(size))


def _numbers(text: str) -> tuple[int, ...]:
    """The numbers in this text; empty if it contains anything else."""
    parts = text.split()
    good = all(part.isdecimal() and len(part) <= 7 for part in parts)
    return tuple(map(int, parts)) if good else ()
