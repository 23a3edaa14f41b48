"""What was read of a photo, in the notation of the field that it goes into."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from referee.rules.cards.cards import JOKER
from referee.rules.core.asking import Pad
from referee.vision.found import Card, Reading
from referee.web.forms.decode import Form


class Seen(Struct, frozen=True):
    """A card in the photo: what the field calls it, what else it may be, and where it lies.

    `guesses` has the likeliest one or two, the best one first; `box` is left, top, width, height.
    """

    card: str
    sure: bool
    guesses: tuple[str, ...]
    box: tuple[int, int, int, int]


class Sight(Struct, frozen=True):
    """What a photo shows to a field: cards in reading order, the photo's width and height.

    `left_out` are those that are in no pack of this game; `in_grid` says whether the cards lie as
    the field wants them, three by three where it is a grid.
    """

    cards: tuple[Seen, ...]
    size: tuple[int, int]
    left_out: int
    in_grid: bool


class Doubt(Struct, frozen=True):
    """A card that wants a glance: its place among the cards, from 0, and what it may be."""

    place: int
    guesses: tuple[str, ...]


def sight(reading: Reading, pad: Pad) -> Sight:
    """A reading as a field with this pad has it."""
    found = [_seen(card, pad) for card in reading.cards]
    cards = tuple(card for card in found if card is not None)
    in_grid = not pad.column or {len(row) for row in reading.rows} == {pad.column}
    return Sight(cards, reading.size, len(found) - len(cards), in_grid)


def in_notation(card: str, pad: Pad) -> str | None:
    """A card of the camera ("9H", "9R", "7", "*") with as much of it as the pad has keys for.

    None for a card that the pad has no key for.
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


def _seen(card: Card, pad: Pad) -> Seen | None:
    guesses = [in_notation(guess.card, pad) for guess in card.guesses]
    fitting = tuple(dict.fromkeys(guess for guess in guesses if guess is not None))
    if not fitting:
        return None
    return Seen(fitting[0], card.sure and guesses[0] == fitting[0], fitting, card.box)


def doubts_about(cards: Iterable[Seen]) -> list[Doubt]:
    """Those of the cards that aren't sure."""
    return [Doubt(place, one.guesses) for place, one in enumerate(cards) if not one.sure]


def as_field(doubt: Doubt) -> str:
    """A doubt as a form keeps it: "2 9H 6H"."""
    return " ".join([str(doubt.place), *doubt.guesses])


def doubts_in(form: Form) -> list[Doubt]:
    """The doubts that a form has kept; what doesn't read like one is left out."""
    found = []
    for text in form.getlist("photo.doubt"):
        place, *guesses = text.split()[:3] or [""]
        if place.isdecimal() and len(place) <= 3 and guesses:
            found.append(Doubt(int(place), tuple(guesses)))
    return found


def without(cards: Sequence[str], place: int) -> list[str]:
    """The cards but for the one at this place."""
    return [card for at, card in enumerate(cards) if at != place]


def decided(
    cards: Sequence[str], doubts: Iterable[Doubt], place: int, card: str
) -> tuple[list[str], list[Doubt]]:
    """The cards with `card` at this place, or where that is "" without any, and what is in doubt.

    Cards behind one that is taken out move up, and so do the doubts about them.
    """
    open_ = [doubt for doubt in doubts if doubt.place != place]
    if card:
        return [card if at == place else one for at, one in enumerate(cards)], open_
    moved = [Doubt(doubt.place - (doubt.place > place), doubt.guesses) for doubt in open_]
    return without(cards, place), moved
