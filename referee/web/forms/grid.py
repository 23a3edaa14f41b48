"""A grid of cards as people read it, in rows, and as it is written and counted, in columns.

A place where no card lies is "" in the rows. As a column is written without gaps, such places are
at the foot of their columns.
"""

import re
from collections.abc import Sequence
from itertools import zip_longest

_POINTS = re.compile(r"\s*\d+(\s*\+\s*\d+)*\s*", re.ASCII)


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
