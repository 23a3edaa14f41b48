"""Read the cards in a photo, in score sheet notation and in the order a person would name them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from referee.extras.camera.vision.cards import SeenCard, offset, opposite_corners, put_together
from referee.extras.camera.vision.corners import (
    PATCH_HIGH,
    PATCH_REACH,
    PATCH_WIDE,
    RANKS,
    SUITS,
    Corner,
    Floats,
    Photo,
    Spot,
    find,
    read_corners,
)
from referee.extras.camera.vision.found import Card, Guess, Reading
from referee.extras.camera.vision.hands import hands
from referee.extras.camera.vision.layout import Layout, layout, middles
from referee.extras.camera.vision.photo import open_photo

SURE_CARD = 0.95
SURE_INDEX = 0.9
# The same two for a card read from one corner only.
SURE_ALONE = 0.97
SURE_INDEX_ALONE = 0.95
CERTAIN_SUIT = 0.8

# Slope of an index's edges where they are least steep, as a share of its contrast per pixel of its
# patch, below which a card is not sure: a hand that moved smears a spade into a club.
LEAST_SLOPE = 0.27
STEEP = 0.97  # share of an index that is less steep than its edges
LEAST_CONTRAST = 40.0  # gray levels; below, the slopes are those of noise
DIRECTIONS = np.arange(8) * np.pi / 8

NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10")
# Share of the way between opposite indices that is examined, around the card's middle.
INNER_WIDE, INNER_HIGH = 0.55, 0.7
# Rows and columns of a patch that show the index but nothing beyond the card's edge.
INDEX = np.s_[9:-9, 12:-12]
EDGES = np.s_[8:-8, 8:-8]  # the same for its edges, with a rim of paper
# How far a color lies from every mixture of paper and ink, where paper is 1 in each channel.
OTHER_COLOR = 0.16
PICTURE = 0.12  # share of such colors above which it is a picture


def read(photo: bytes, *, packs: int = 1, suits: bool = False) -> Reading:
    """The cards in a photo; a photo without cards gives an empty reading.

    `photo` is a JPEG, PNG, WebP or BMP file. `packs` is how often the same card may appear.
    With `suits`, each card has its likeliest suit and is sure only if the suit is. Without, an
    uncertain suit is left out; a nine of which only the color is certain is `9R` or `9`.

    Raises `UnreadablePhoto` for a file that is no photo, too large, animated or broken, and
    `ValueError` for fewer than one pack.
    """
    cards, size, share = _cards_in(photo, packs)
    return _reading(cards, layout(cards), suits, size, share)


def read_hands(
    photo: bytes, count: int, *, packs: int = 1, suits: bool = False
) -> tuple[Reading, ...]:
    """The cards of `count` hands around a table, each as its owner sees it; otherwise as `read`.

    There are more groups where others lie on the table, and fewer where not all hands were seen.
    """
    cards, size, share = _cards_in(photo, packs)
    groups = [[cards[i] for i in group] for group in hands(cards, count)]
    lie_at = [middles(group).mean(0) for group in groups]
    middle = (np.min(lie_at, axis=0) + np.max(lie_at, axis=0)) / 2 if groups else None
    return tuple(
        _reading(group, layout(group, middle - at), suits, size, share)
        for group, at in zip(groups, lie_at, strict=True)
    )


def _cards_in(photo: bytes, packs: int) -> tuple[list[SeenCard], tuple[int, int], float]:
    """The cards in a photo, its width and height, and the factor by which it was shrunk."""
    if packs < 1:
        raise ValueError("There is at least one pack.")
    pixels, share = open_photo(photo)
    seen = Photo(pixels)
    cards = _doubted(seen, put_together(read_corners(seen, find(seen)), packs))
    high, wide = pixels.shape[:2]
    return cards, (round(wide * share), round(high * share)), share


def _reading(
    cards: Sequence[SeenCard], lie: Layout, suits: bool, size: tuple[int, int], share: float
) -> Reading:
    found = [_card(card, suits, share) for card in cards]
    rows = tuple(tuple(found[i] for i in row) for row in lie.rows)
    grid = None
    if lie.grid is not None:
        grid = tuple(tuple(None if i is None else found[i] for i in row) for row in lie.grid)
    return Reading(rows, size, grid, lie.upright)


# --- a card


def _card(card: SeenCard, suits: bool, share: float) -> Card:
    found = [Guess("*", card.chance("*")), *(_guesses(card) if suits else _guesses_by_rank(card))]
    guesses = tuple(sorted(found, key=lambda guess: -guess.chance)[:2])
    alone = sum(corner.index > 0.5 for corner in card.corners) < 2
    sure = (
        guesses[0].chance >= (SURE_ALONE if alone else SURE_CARD)
        and card.index >= (SURE_INDEX_ALONE if alone else SURE_INDEX)
        and not card.doubtful
        # A joker's corner has no suit to confirm it, and many other things look like one.
        and not (alone and card.rank == "*")
    )
    return Card(guesses[0].card, sure, _box(card, share), guesses)


def _guesses(card: SeenCard) -> list[Guess]:
    return [
        Guess(rank + suit, card.chance(rank, suit)) for rank, suit in product(RANKS[:13], SUITS[:4])
    ]


def _guesses_by_rank(card: SeenCard) -> list[Guess]:
    """What its rank may be, with the suit or the color of a nine where that is certain."""
    certain = card.suit != "?" and np.exp(card.suits.max()) >= CERTAIN_SUIT
    suit, red = card.suit if certain else "", card.chance_red()
    return [
        *(Guess(rank + suit, card.chance(rank)) for rank in RANKS[:13] if rank != "9"),
        Guess(f"9{suit}" if suit in ("H", "D") else "9R", card.chance("9") * red),
        Guess(f"9{suit}" if suit in ("S", "C") else "9", card.chance("9") * (1 - red)),
    ]


def _box(card: SeenCard, share: float) -> tuple[int, int, int, int]:
    """The box around the corners that the card was read from: left, top, width, height."""
    outlines = []
    for spot in (corner.spot for corner in card.likely_corners):
        across, down = spot.right * 0.45, spot.up * 0.6
        outlines += [spot.middle + a * across + b * down for a in (-1, 1) for b in (-1, 1)]
    points = np.array(outlines) * share
    left, top = np.floor(points.min(0)).clip(0)
    right, bottom = np.ceil(points.max(0))
    return int(left), int(top), int(right - left), int(bottom - top)


# --- pictures on numbers: there should be none


def _doubted(photo: Photo, cards: Iterable[SeenCard]) -> list[SeenCard]:
    """The cards, with smeared ones, and numbers that show a picture, not pips, marked as doubtful.

    A Spanish jack has an S in its corner, which looks like a 5, and a German jack a B, like an 8.
    One that was doubtful already, because others in the photo have foreign letters, is dropped.
    """
    kept = []
    for card in cards:
        picture = card.rank in NUMBERS and _shows_picture(photo, card)
        if not (picture and card.doubtful):
            doubtful = card.doubtful or picture or _is_smeared(photo, card)
            kept.append(replace(card, doubtful=doubtful))
    return kept


def _is_smeared(photo: Photo, card: SeenCard) -> bool:
    """Whether in each of the card's corners the edges in some direction are far from sharp."""
    return all(_slope(photo.patch(one.spot)) < LEAST_SLOPE for one in card.likely_corners)


def _slope(patch: NDArray[np.uint8]) -> float:
    """How steep the edges in a patch are in the direction in which they are least so.

    Where the camera moved, edges across its way are smeared, and only those along it stay sharp.
    The contrast is the index's own: beyond the card's edge it may be dark.
    """
    contrast = np.subtract(*np.quantile(patch[INDEX].mean(2), (0.98, 0.02)))
    gray = patch[EDGES].mean(2)
    gray = gray[1:] + gray[:-1]
    gray = (gray[:, 1:] + gray[:, :-1]) / 4  # without the noise of single pixels
    across, down = np.diff(gray, axis=1)[:-1], np.diff(gray, axis=0)[:, :-1]
    slopes = [np.abs(across * np.cos(way) + down * np.sin(way)) for way in DIRECTIONS]
    least = min(float(np.quantile(slope, STEEP)) for slope in slopes)
    return least / max(float(contrast), LEAST_CONTRAST)


def _shows_picture(photo: Photo, card: SeenCard) -> bool:
    """Whether a card read at two opposite corners has many colors besides its paper and ink."""
    pair = opposite_corners(card)
    if pair is None:
        return False
    paper, ink = _paper_and_ink(photo, pair[0])
    colors = _tints(photo.patch(_inside(*pair)).reshape(-1, 3) / paper)
    tint = _tints(ink / paper)
    strength = float(np.linalg.norm(tint))
    if strength > OTHER_COLOR:
        toward = tint / strength
        colors = colors - (colors @ toward).clip(0)[:, None] * toward
    return bool((np.linalg.norm(colors, axis=1) > OTHER_COLOR).mean() > PICTURE)


def _inside(one: Corner, other: Corner) -> Spot:
    """A spot whose patch shows the card between two opposite indices."""
    across, down = offset(one, other)
    wide = INNER_WIDE / (2 * PATCH_REACH * PATCH_WIDE / PATCH_HIGH)
    high = INNER_HIGH / (2 * PATCH_REACH)
    middle = (one.spot.middle + other.spot.middle) / 2
    return Spot(middle, one.spot.up * down * high, one.spot.right * across * wide, one.spot.heat)


def _paper_and_ink(photo: Photo, corner: Corner) -> tuple[Floats, Floats]:
    """The colors of an index's paper (its lightest) and ink (those farthest from the paper)."""
    patch = photo.patch(corner.spot)[INDEX].reshape(-1, 3).astype(np.float64)
    light = patch.sum(1)
    paper: Floats = np.median(patch[light >= np.quantile(light, 0.8)], axis=0).clip(8)
    far = np.abs(patch / paper - 1).max(1)
    ink: Floats = np.median(patch[far >= np.quantile(far, 0.93)], axis=0)
    return paper, ink


def _tints(colors: Floats) -> Floats:
    """The colors without their brightness: each minus the mean of its channels."""
    gray: Floats = colors - colors.mean(-1, keepdims=True)
    return gray
