"""What a photo shows, in the notation of the score sheets."""

from itertools import product

import numpy as np
from threadpoolctl import threadpool_limits

from referee.vision import order
from referee.vision.cards import SeenCard, put_together
from referee.vision.corners import RANKS, SUITS, Corner, Photo, find, read_corners
from referee.vision.found import Card, Guess, Reading
from referee.vision.photo import open_photo
from referee.vision.pictures import doubted

SURE_CARD = 0.95
SURE_INDEX = 0.9
SURE_ALONE = 0.97
SURE_INDEX_ALONE = 0.95
"""The same two of a card read from one corner only, which nothing confirms."""
CERTAIN_SUIT = 0.8


def read(photo: bytes, *, packs: int = 1, suits: bool = False) -> Reading:
    """The cards a photo shows.

    `photo` is a JPEG, PNG, WebP or BMP file. `packs` says how often the same card may lie there.
    With `suits`, suits matter: each card is given with its likeliest one and is sure only where
    that is. Without, a suit that is not certain is left out, but for a nine: where only its color
    is certain, it is `9R` or `9`.

    Raises `UnreadablePhoto` for what is no photo, is too large, moves or is broken, and
    `ValueError` for fewer packs than one. A photo without cards gives a reading without any.
    """
    if packs < 1:
        raise ValueError("There is at least one pack.")
    pixels, share = open_photo(photo)
    seen = Photo(pixels)
    # Several threads gain little on matrices this small. Where somebody else wants the processor
    # too, as the pages do, they wait for one another and take several times as long as one.
    with threadpool_limits(1, "blas"):
        cards = doubted(seen, put_together(read_corners(seen, find(seen)), packs))
    rows = tuple(tuple(_card(card, suits, share) for card in row) for row in order.rows(cards))
    high, wide = pixels.shape[:2]
    return Reading(rows, (round(wide * share), round(high * share)))


def _card(card: SeenCard, suits: bool, share: float) -> Card:
    guesses = _guesses(card) if suits else _guesses_by_rank(card)
    alone = sum(corner.index > 0.5 for corner in card.corners) < 2
    sure = (
        guesses[0].chance >= (SURE_ALONE if alone else SURE_CARD)
        and card.index >= (SURE_INDEX_ALONE if alone else SURE_INDEX)
        and not card.doubtful
        # One corner of a joker has no suit to go by, and many a thing looks like one.
        and not (alone and card.rank == "*")
    )
    return Card(guesses[0].card, sure, _box(card, share), guesses)


def _guesses(card: SeenCard) -> tuple[Guess, ...]:
    """The two likeliest cards with their suits."""
    found = [Guess("*", card.chance("*"))]
    found += [
        Guess(rank + suit, card.chance(rank, suit)) for rank, suit in product(RANKS[:13], SUITS[:4])
    ]
    return tuple(sorted(found, key=lambda guess: -guess.chance)[:2])


def _guesses_by_rank(card: SeenCard) -> tuple[Guess, ...]:
    """The two likeliest ranks, the best one with its suit where that is certain."""
    found = [Guess("*", card.chance("*"))]
    red = card.chance_red()
    for rank in RANKS[:13]:
        if rank == "9":
            found += [
                Guess(_nine(card, True), card.chance(rank) * red),
                Guess(_nine(card, False), card.chance(rank) * (1 - red)),
            ]
        else:
            found.append(Guess(rank + _certain_suit(card), card.chance(rank)))
    return tuple(sorted(found, key=lambda guess: -guess.chance)[:2])


def _certain_suit(card: SeenCard) -> str:
    certain = card.suit != "?" and np.exp(card.suits.max()) >= CERTAIN_SUIT
    return card.suit if certain else ""


def _nine(card: SeenCard, red: bool) -> str:
    suit = _certain_suit(card)
    if red:
        return "9" + (suit if suit in ("H", "D") else "R")
    return "9" + (suit if suit in ("S", "C") else "")


def _box(card: SeenCard, share: float) -> tuple[int, int, int, int]:
    """Around all the corners the card was read from."""
    corners = [corner for corner in card.corners if corner.index > 0.3] or list(card.corners)
    points = np.concatenate([_outline(corner) for corner in corners]) * share
    left, top = np.floor(points.min(0)).clip(0)
    right, bottom = np.ceil(points.max(0))
    return int(left), int(top), int(right - left), int(bottom - top)


def _outline(corner: Corner) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    spot = corner.spot
    across, down = spot.right * 0.45, spot.up * 0.6
    return np.array([spot.middle + a * across + b * down for a in (-1, 1) for b in (-1, 1)])
