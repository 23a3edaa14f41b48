"""Applies one key press to a form without script; cards in rows and in columns.

People read a grid of cards in rows, but it is written and scored in columns. An empty place is ""
in the rows; a column is written without gaps, so its empty places are at the bottom. With script
`static/js/forms/grid.js` does the same: `tests/web/forms/keys.toml` has the cases for both.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

from werkzeug.datastructures import MultiDict

TAKE_BACK = "back"
TAKEN_OUT = "out."  # removes the card at the place that follows, from 0
STANDS_FOR = "="
MUCKED = "-"
REST_MUCK = "rest"  # the key that marks all blank hands as mucked
TAKEN_FROM = "from."  # replaces the cards by those of the field that follows
AS_ITSELF = "=9"  # the last red nine stands for itself
SHARED_KEYS = "@"  # stands for the field of the open place
EVERY = "*"  # in `hands.*`: the fields of several seats

_PARTING = re.compile(r"[\s,+]+")
_POINTS = re.compile(r"\s*\d+(\s*\+\s*\d+)*\s*", re.ASCII)

Form = MultiDict[str, str]


def tapped(form: Form) -> Form | None:
    """The form after a tap on a card pad, or None if it was not sent by one.

    The button is `tap=field:card`. On a pad shared by several fields, the field is the open place
    `at`, or if that has several fields in one row, the first with room by `field:places`. A suit
    chosen beforehand is in `field:suit`; `field:columns` is the number of columns of a grid; after
    `=` the next card is what the last one stands for. `rest` mucks all blank fields of the same
    kind. An empty tap was the Enter key, and changes nothing.
    """
    tap = form.get("tap")
    if tap is None:
        return None
    after = MultiDict(form)  # keeps the tap, so that its pad is shown unfolded
    if not tap:
        return after
    pad = tap.partition(":")[0]
    field, card = field_and_key(after)
    if card.startswith(TAKEN_FROM):
        source = card.removeprefix(TAKEN_FROM)
        if field.endswith(f".{EVERY}"):
            _hand_out(after, field.removesuffix(EVERY), source)
        else:
            after[field] = after.get(source, "")
        return after
    kind, dot, _ = field.rpartition(".")
    if card == REST_MUCK and dot:
        for one in [one for one in after if one.startswith(kind + dot)]:
            after[one] = after[one].strip() or MUCKED
        return after
    column = max(row_number(after.get(f"{field}:columns", "")), 0)
    cards = in_rows(after.get(field, ""), column)
    if card.startswith(TAKEN_OUT):
        cards = without(cards, row_number(card.removeprefix(TAKEN_OUT)), column)
    elif card:
        plain = card in (TAKE_BACK, STANDS_FOR, AS_ITSELF, MUCKED) or card.endswith("R")
        suit = "" if plain else after.get(f"{pad}:suit", "")
        cards = after_key(cards, card + suit, column)
    after[field] = in_columns(cards, column)
    return after


def is_mucked(hand: str) -> bool:
    """Whether a hand is left out of a form, or marked as put down unseen."""
    return not hand.strip("-+, ")


def _hand_out(form: Form, fields: str, source: str) -> None:
    """Write each hand in `source` into the field of its seat, replacing its content.

    The seats are in `source:seat`, in the same order; cards without a seat are dropped. Two parts
    of a hand are one, but a grid has its own.
    """
    seats, hands = form.getlist(f"{source}:seat"), form.getlist(source)
    dealt = [(seat, cards) for seat, cards in zip(seats, hands, strict=False) if seat.isdecimal()]
    for seat in dict(dealt):
        for name in [one for one in form if one.startswith(f"{fields}{seat}.")]:
            form.pop(name)
        own = [cards for whose, cards in dealt if whose == seat]
        form[f"{fields}{seat}"] = own[-1] if "|" in own[-1] else " ".join(own)
    if dealt and "how" in form:
        form["how"] = "cards"


def field_and_key(form: Form) -> tuple[str, str]:
    """The field whose key was tapped, and the key; both "" if none was."""
    pad, _, key = form.get("tap", "").partition(":")
    return _in_the_row(form, key) if pad == SHARED_KEYS else pad, key


def _in_the_row(form: Form, card: str) -> str:
    """The field of the open place to add this card to, or to take the last card back from."""
    fields = form.get("at", "").split() or [""]
    if card == TAKE_BACK:
        return next((one for one in reversed(fields) if form.get(one, "").strip()), fields[0])
    for field in fields[:-1]:
        if len(form.get(field, "").split()) < row_number(form.get(f"{field}:places", "")):
            return field
    return fields[-1]


def row_moved(sent: Form, fields: Sequence[str]) -> Form:
    """The form after its button `do=up:2` or `do=down:2`, which moves a row of these `fields`.

    The dealer's mark moves with its row.
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
    """The row number in `text`, -1 if it is not one."""
    return int(text) if text.isdecimal() and len(text) <= 3 else -1


def in_rows(text: str, across: int) -> list[str]:
    """The cards in `text` row by row, each `across` places wide, without empty places at the end.

    Columns are separated by bars. More cards than fit in a column, without a bar, are in rows
    already; so are all cards if `across` is 0 (no grid). A single number or a sum is the points of
    a grid: no card.
    """
    if across and _POINTS.fullmatch(text):
        return []
    columns = [list(filter(None, _PARTING.split(part))) for part in text.split("|")]
    if not across or (len(columns) == 1 and len(columns[0]) > across):
        return [card for column in columns for card in column]
    columns += [[] for _ in range(across - len(columns))]
    cards = [card for row in zip_longest(*columns, fillvalue="") for card in row]
    while cards and not cards[-1]:
        cards.pop()
    return cards


def in_columns(cards: Sequence[str], across: int) -> str:
    """Cards given in rows of `across`, written as columns separated by bars; 0 is no grid.

    A single column ends with a bar too: a 3 alone would mean three points.
    """
    if not across:
        return " ".join(cards)
    columns = [" ".join(filter(None, cards[place::across])) for place in range(across)]
    while columns and not columns[-1]:
        columns.pop()
    text = " | ".join(columns)
    return f"{text} |" if len(columns) == 1 else text


def after_key(cards: Sequence[str], key: str, across: int) -> list[str]:
    """The cards after a key; one more is put in the first empty place."""
    held = [card for card in cards if card != MUCKED]
    if key == MUCKED:
        return [MUCKED]
    if key == TAKE_BACK:
        return without(held, len(held) - 1, across)
    last = held[-1] if held else ""
    if key == AS_ITSELF and last.startswith("9"):
        red_nine = last.partition(STANDS_FOR)[0]
        last = f"{red_nine}{STANDS_FOR}9{red_nine[1:].strip('R')}"
    elif last and (key == STANDS_FOR or last.endswith(STANDS_FOR)):
        last += key
    elif key not in (STANDS_FOR, AS_ITSELF):
        place = held.index("") if "" in held else len(held)
        return [*held[:place], key, *held[place + 1 :]]
    return [*held[:-1], last] if held else []


def without(cards: Sequence[str], place: int, across: int) -> list[str]:
    """The cards without the one at `place`, from 0, if there is one.

    In a grid those below it in its column move up. Without a grid, or if there are more cards than
    it has places, all that follow move up.
    """
    if not 0 <= place < len(cards):
        return list(cards)
    if not across or len(cards) > across**2:
        return [card for at, card in enumerate(cards) if at != place]
    left = list(cards)
    for below in range(place, len(left), across):
        left[below] = left[below + across] if below + across < len(left) else ""
    while left and not left[-1]:
        left.pop()
    return left
