"""Read the cards in a photo, in score sheet notation and in the order a person would name them."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from referee.vision.cards import SeenCard, offset, put_together, turned_about
from referee.vision.corners import (
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
from referee.vision.found import Card, Guess, Reading
from referee.vision.photo import open_photo

Points = NDArray[np.float64]

SURE_CARD = 0.95
SURE_INDEX = 0.9
# The same two for a card read from one corner only.
SURE_ALONE = 0.97
SURE_INDEX_ALONE = 0.95
CERTAIN_SUIT = 0.8
COHERENT = 0.75  # how much the cards must agree on which way is up before the photo is turned
ROW_GAP = 1.3  # least distance between rows, in index heights
FAN_SPREAD = 0.2  # least angle between the outermost cards of a fan, in radians
FAN_MISS = 0.9  # largest root mean square distance of a fan's cards from its arc, in index heights

NUMBERS = ("2", "3", "4", "5", "6", "7", "8", "9", "10")
# Share of the way between opposite indices that is examined, around the card's middle.
INNER_WIDE, INNER_HIGH = 0.55, 0.7
# Rows and columns of a patch that show the index but nothing beyond the card's edge.
INDEX = np.s_[9:-9, 12:-12]
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
    if packs < 1:
        raise ValueError("There is at least one pack.")
    pixels, share = open_photo(photo)
    seen = Photo(pixels)
    # Several threads gain little on matrices this small. While the pages compete for the
    # processor, they wait for one another and take several times as long as one thread.
    with threadpool_limits(1, "blas"):
        cards = _doubted(seen, put_together(read_corners(seen, find(seen)), packs))
    rows = tuple(tuple(_card(card, suits, share) for card in row) for row in _in_order(cards))
    high, wide = pixels.shape[:2]
    return Reading(rows, (round(wide * share), round(high * share)))


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
    """The cards, with number cards that show a picture, not pips, marked as doubtful.

    A Spanish jack has an S in its corner, which looks like a 5, and a German jack a B, like an 8.
    One that was doubtful already, because others in the photo have foreign letters, is dropped.
    """
    kept = []
    for card in cards:
        if card.rank not in NUMBERS or not _shows_picture(photo, card):
            kept.append(card)
        elif not card.doubtful:
            kept.append(replace(card, doubtful=True))
    return kept


def _shows_picture(photo: Photo, card: SeenCard) -> bool:
    """Whether a card read at two opposite corners has many colors besides its paper and ink."""
    pair = _opposite_corners(card)
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


def _opposite_corners(card: SeenCard) -> tuple[Corner, Corner] | None:
    """Two indices at opposite corners of the card, the upper left one first, or None."""
    for one, other in permutations((c for c in card.corners if c.index > 0.5), 2):
        across, down = offset(one, other)
        if turned_about(one, other) < -0.8 and across > 0.15 * down > 0:
            return one, other
    return None


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


# --- their order: along a fan, or row by row


def _in_order(cards: Sequence[SeenCard]) -> list[list[SeenCard]]:
    """The cards in reading order, one list per row; a fan is one row."""
    if not cards:
        return []
    anchors = [_anchor(card).spot for card in cards]
    ups = np.array([anchor.up / anchor.height for anchor in anchors])
    points = np.array([anchor.middle for anchor in anchors])
    height = float(np.median([anchor.height for anchor in anchors]))
    along = _fan(points, ups, height)
    rows = _rows(_upright(points, ups), height) if along is None else [np.argsort(along)]
    return [[cards[i] for i in row] for row in rows]


def _anchor(card: SeenCard) -> Corner:
    """The corner a person reads first: the top left one of those upright in the photo."""
    likely = card.likely_corners
    upright = [c for c in likely if c.spot.up[1] < 0.35 * c.spot.height]
    return min(upright or likely, key=lambda c: float(c.spot.middle.sum()))


def _upright(points: Points, ups: Points) -> Points:
    """The points rotated so that the mean up vector points up; as they are if it is unclear."""
    mean = ups.mean(0)
    if np.hypot(*mean) < COHERENT or mean[1] > 0:
        return points
    mean /= np.hypot(*mean)
    turn = np.array([[-mean[1], mean[0]], [-mean[0], -mean[1]]])
    turned: Points = points @ turn.T
    return turned


def _rows(points: Points, height: float) -> list[list[int]]:
    """Indices of the points, top row first, each row from left to right."""
    found: list[list[int]] = []
    for i in np.argsort(points[:, 1]):
        x, y = points[i]
        last = found[-1] if found else []
        # Compare with the nearest card of the previous row, as rows may slope.
        if (
            last
            and y - points[min(last, key=lambda j: abs(points[j, 0] - x)), 1] < ROW_GAP * height
        ):
            last.append(int(i))
        else:
            found.append([int(i)])
    return [sorted(row, key=lambda i: points[i, 0]) for row in found]


def _fan(points: Points, ups: Points, height: float) -> Points | None:
    """Each card's angle along the fan, or None if the cards do not form one."""
    if len(points) < 3:
        return None
    # The pivot is the point nearest to the lines through the cards along their up vectors.
    across = np.stack([-ups[:, 1], ups[:, 0]], 1)
    pivot, *_ = np.linalg.lstsq(across, (across * points).sum(1), rcond=None)
    arms = points - pivot
    reach = np.hypot(arms[:, 0], arms[:, 1])
    if (arms * ups).sum(1).min() <= 0 or reach.max() > 60 * height:
        return None
    middle = arms.mean(0)
    angles: Points = np.arctan2(middle[0] * arms[:, 1] - middle[1] * arms[:, 0], arms @ middle)
    off, miss = (across * arms).sum(1), reach - reach.mean()
    if np.ptp(angles) < FAN_SPREAD or np.sqrt((off**2).mean()) > FAN_MISS * height:
        return None
    if np.sqrt((miss**2).mean()) > FAN_MISS * height * 1.5:
        return None
    return angles
