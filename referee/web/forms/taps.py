"""A form, and what a tap on one of its keys makes of it; cards in rows and in columns.

People read a grid of cards in rows; it is written, and counted, in columns. A place where no card
lies is "" in the rows; as a column is written without gaps, such places are at its foot.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from werkzeug.datastructures import MultiDict

TAKE_BACK = "back"
TAKEN_OUT = "out."  # takes back the card at the place that follows, from 0
STANDS_FOR = "="
MUCKED = "-"
REST_MUCK = "rest"  # the key that says so of all whose cards are not there
PHOTO = "photo"  # the key that asks for a photo of the cards
READ_CARDS = "read"  # puts the cards that were read from one into the field
CARDS_READ = "photo.cards"  # where they stand until then
AS_ITSELF = "=9"  # the red nine that was written last is a nine
SHARED_KEYS = "@"  # stands for the field in the place that is open

_POINTS = re.compile(r"\s*\d+(\s*\+\s*\d+)*\s*", re.ASCII)

Form = MultiDict[str, str]


def tapped(form: Form) -> Form | None:
    """The form after a tap on a card pad that came as a button, or None where there was none.

    The button is `tap=field:card`; on a pad that several fields share, the field is the place
    that is open, `at`, or where it has several fields in one row, the first of them with room, as
    `field:places` says. Where a suit is chosen first, `field:suit` holds it; where cards lie in
    columns of three, `field:columns` says so; `=` says that the next card is what the last one
    stands for. Where the rest muck, so do all fields of the kind that are blank. Cards that were
    read from a photo replace what the field held. An empty tap is Enter, which sends a form by
    surprise: nothing has changed.
    """
    tap = form.get("tap")
    if tap is None:
        return None
    after = MultiDict(form)  # with the tap: its pad is shown unfolded
    if not tap:
        return after
    pad, _, card = tap.partition(":")
    field = _in_the_row(after, card) if pad == SHARED_KEYS else pad
    if card == READ_CARDS:
        after[field] = after.get(CARDS_READ, "")
        return after
    kind, dot, _ = field.rpartition(".")
    if card == REST_MUCK and dot:
        for one in [one for one in after if one.startswith(kind + dot)]:
            after[one] = after[one].strip() or MUCKED
        return after
    column = max(row_number(after.get(f"{field}:columns", "")), 0)
    cards = in_rows(after.get(field, ""), column)
    named = card + ("" if card.endswith("R") else after.get(f"{pad}:suit", ""))
    if card == TAKE_BACK:
        cards = cards[:-1]
    elif card.startswith(TAKEN_OUT):
        cards = without(cards, row_number(card.removeprefix(TAKEN_OUT)), column)
    elif card == AS_ITSELF:
        if cards and cards[-1].startswith("9"):
            red_nine = cards[-1].partition(STANDS_FOR)[0]
            cards[-1] = f"{red_nine}{STANDS_FOR}9{red_nine[1:].strip('R')}"
    elif card == STANDS_FOR:
        cards[-1:] = [f"{last}{STANDS_FOR}" for last in cards[-1:]]
    elif card and cards and cards[-1].endswith(STANDS_FOR):
        cards[-1] += named
    elif card:
        cards = one_more(cards, named)
    after[field] = in_columns(cards, column)
    return after


def _in_the_row(form: Form, card: str) -> str:
    """The field of the open place into which a card is tapped, or from which one is taken back."""
    fields = form.get("at", "").split() or [""]
    if card == TAKE_BACK:
        return next((one for one in reversed(fields) if form.get(one, "").strip()), fields[0])
    for field in fields[:-1]:
        if len(form.get(field, "").split()) < row_number(form.get(f"{field}:places", "")):
            return field
    return fields[-1]


def wants_photo(form: Form) -> str:
    """The field for whose cards a photo is to be taken, after a tap on that key; else ""."""
    pad, _, key = form.get("tap", "").partition(":")
    if key != PHOTO:
        return ""
    return _in_the_row(form, key) if pad == SHARED_KEYS else pad


def row_moved(sent: Form, fields: Sequence[str]) -> Form:
    """The form after its button `do=up:2` or `do=down:2`, which moves a row of these `fields`.

    The mark of the dealer moves along.
    """
    what, _, which = sent["do"].partition(":")
    row = row_number(which)
    other = row + {"up": -1, "down": 1}.get(what, 0)
    after = Form(sent)
    after.pop("do")
    if min(row, other) >= 0 and max(row, other) < min(len(after.getlist(one)) for one in fields):
        for field in fields:
            values = after.getlist(field)
            values[row], values[other] = values[other], values[row]
            after.setlist(field, values)
        moves = {str(row): str(other), str(other): str(row)}
        after["dealer"] = moves.get(after.get("dealer", ""), after.get("dealer", ""))
    return after


def row_number(text: str) -> int:
    """The number of a row of names, -1 where the text is none."""
    return int(text) if text.isdecimal() and len(text) <= 3 else -1


def as_laid(text: str, across: int) -> list[str]:
    """The cards in `text` as they lie on the table, see `in_rows`.

    In a grid a number alone, or a sum, is the points counted there: no card lies.
    """
    return [] if across and _POINTS.fullmatch(text) else in_rows(text, across)


def in_rows(text: str, across: int) -> list[str]:
    """The cards in `text` row by row, each row `across` places wide, without empty ones at the end.

    Columns are parted by bars. More cards than a column holds, without any bar, are rows already;
    so are all cards where `across` is 0, which is no grid.
    """
    columns = [part.split() for part in text.split("|")]
    if not across or (len(columns) == 1 and len(columns[0]) > across):
        return [card for column in columns for card in column]
    columns += [[] for _ in range(across - len(columns))]
    cards = [card for row in zip_longest(*columns, fillvalue="") for card in row]
    while cards and not cards[-1]:
        cards.pop()
    return cards


def in_columns(cards: Sequence[str], across: int) -> str:
    """Cards that lie in rows of `across`, written as columns parted by bars; 0 is no grid.

    A first card has its bar too: alone, a 3 would be three points.
    """
    if not across:
        return " ".join(cards)
    columns = [" ".join(filter(None, cards[place::across])) for place in range(across)]
    while columns and not columns[-1]:
        columns.pop()
    text = " | ".join(columns)
    return f"{text} |" if len(columns) == 1 else text


def one_more(cards: Sequence[str], card: str) -> list[str]:
    """The cards with `card` in the first place where none lies."""
    if "" not in cards:
        return [*cards, card]
    place = list(cards).index("")
    return [*cards[:place], card, *cards[place + 1 :]]


def without(cards: Sequence[str], place: int, across: int) -> list[str]:
    """The cards but for the one at this place, from 0.

    In a grid those below it in its column move up. Where more cards lie there than a grid has
    places, or in no grid, all that follow move up.
    """
    if not across or len(cards) > across**2:
        return [card for at, card in enumerate(cards) if at != place]
    left = list(cards)
    for below in range(place, len(left), across):
        left[below] = left[below + across] if below + across < len(left) else ""
    while left and not left[-1]:
        left.pop()
    return left
