"""Group corner indices into cards, and weigh the doubtful ones."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations

import numpy as np

from referee.extras.camera.vision.corners import RANKS, SUITS, Corner, Floats, Vector, logarithms

LEAST_CORNER = 0.5  # least chance of being an index for a corner to be considered
LEAST_ALONE = 0.95  # the same for a corner that no other confirms
# The same where its rank is read with at least `WELL_READ`: the card is then shown in amber.
LEAST_ALONE_READ = 0.8
WELL_READ = 0.7
AGREES = -0.7  # least log-probability of a card in a corner that confirms it
# Ratio to the usual height of indices in this photo from which a corner's size is suspect.
ODD_SIZE = 1.6
LEAST_ODD = 0.99  # least chance of being an index for a corner of suspect size
LEAST_ALIKE = 0.2  # least chance of the same reading for two well-placed corners to be one card
LEAST_ALIKE_BESIDE = 0.3  # the same along one edge, where another card may lie in just that place
LEAST_TOGETHER = 0.9  # least chance that at least one corner of a confirmed card is an index
SURELY_INDEX = 0.95
LEAST_READ = 0.35  # chance of the best rank below which a card is dropped
TOO_STRANGE = 0.5  # chance of a foreign letter or sign above which a card is dropped
TOO_STRANGE_AMONG = 0.02  # the same where other cards in the photo have foreign letters
# Number of indices with a foreign letter over one of our suits that make it a foreign deck.
FOREIGN_LETTERS = 2
# Range of vertical to horizontal distance between the indices at opposite corners of a card.
OPPOSITE_RATIOS = (0.75, 2.6)
OPPOSITE_REACH = (1.6, 9.0)  # range of their distance, in index heights
# How much the offset of a pair may differ from the photo's usual offset, as a share of it.
TOLERANCE = 0.28
# The same where the other corner could belong to the same card of another pack beside it.
NEIGHBOR_TOLERANCE = 0.12


@dataclass(frozen=True, eq=False)
class SeenCard:
    """A card in a photo: its corners, and what these together say (as in `Corner`)."""

    corners: tuple[Corner, ...]
    index: float
    ranks: Floats
    suits: Floats
    # Something else in the photo contradicts it, so it is never reported as sure.
    doubtful: bool = False

    @property
    def rank(self) -> str:
        """The likeliest rank."""
        return RANKS[int(self.ranks.argmax())]

    @property
    def suit(self) -> str:
        """The likeliest suit."""
        return SUITS[int(self.suits.argmax())]

    @property
    def likely_corners(self) -> list[Corner]:
        """The corners that are probably indices, or all corners if none is."""
        return [corner for corner in self.corners if corner.index > 0.3] or list(self.corners)

    @property
    def confirmed(self) -> bool:
        """Whether at least two corners independently read as this card."""
        rank, suit = self.ranks.argmax(), self.suits.argmax()
        agreeing = [c for c in self.corners if c.ranks[rank] + c.suits[suit] > AGREES]
        return len(agreeing) > 1

    def chance(self, rank: str, suit: str | None = None) -> float:
        """The probability of `rank`, or of `rank` and `suit` together."""
        log = self.ranks[RANKS.index(rank)]
        if suit is not None:
            log = log + self.suits[SUITS.index(suit)]
        return float(np.exp(log))

    def chance_red(self) -> float:
        """The probability that the suit is hearts or diamonds."""
        return float(np.exp(self.suits[1]) + np.exp(self.suits[2]))


def put_together(corners: Sequence[Corner], packs: int) -> list[SeenCard]:
    """Group corners into cards; no card appears more often than there are packs."""
    corners = [corner for corner in corners if corner.index > LEAST_CORNER]
    if _of_other_signs(corners):
        return []
    foreign = _has_foreign_letters(corners)
    strange = TOO_STRANGE_AMONG if foreign else TOO_STRANGE
    pairs = _opposite(corners)
    apart = _usual_offset(pairs)
    groups = _grouped(corners, pairs, apart, packs)
    cards = [card for card in map(_card, groups) if _is_ours(card, strange)]
    certain = [card.corners[0].spot.height for card in cards if card.index > LEAST_ODD]
    usual = float(np.median(certain)) if certain else None
    cards = [card for card in cards if card.index >= _chance_needed(card, usual)]
    kept = _no_more_than(packs, cards, apart)
    return [replace(card, doubtful=foreign or card.doubtful) for card in kept]


def _has_foreign_letters(corners: Sequence[Corner]) -> bool:
    """Whether some certain indices have a foreign letter over one of our suits.

    On such a deck a B misread as an 8 looks as good as a real 8.
    """
    strange = [
        corner
        for corner in corners
        if corner.index > SURELY_INDEX
        and np.exp(corner.ranks[RANKS.index("?")]) > TOO_STRANGE
        and np.exp(corner.suits[SUITS.index("?")]) < TOO_STRANGE
    ]
    return len(strange) >= FOREIGN_LETTERS


def _of_other_signs(corners: Sequence[Corner]) -> bool:
    """Whether most certain indices have a sign that is none of the four suits.

    It is then another kind of deck, and no suit read from the others can be trusted.
    """
    certain = [c for c in corners if c.index > SURELY_INDEX and RANKS[int(c.ranks.argmax())] != "*"]
    strange = [c for c in certain if SUITS[int(c.suits.argmax())] == "?"]
    return len(strange) > len(certain) / 2


def _is_ours(card: SeenCard, strange: float) -> bool:
    """Whether the card's rank is readable, and its rank and suit are ours."""
    if card.rank == "?" or card.chance("?") > strange:
        return False
    if card.rank != "*" and np.exp(card.suits[SUITS.index("?")]) > strange:
        return False
    return card.chance(card.rank) >= LEAST_READ


def _chance_needed(card: SeenCard, usual: float | None) -> float:
    """The chance of being an index that this card needs; `usual` is the usual index height."""
    if card.confirmed:
        return LEAST_TOGETHER
    height = card.corners[0].spot.height
    if usual is not None and not usual / ODD_SIZE < height < usual * ODD_SIZE:
        return LEAST_ODD
    well_read = card.rank != "*" and card.chance(card.rank) >= WELL_READ
    return LEAST_ALONE_READ if well_read else LEAST_ALONE


# --- the corners of one card


def offset(one: Corner, other: Corner) -> Vector:
    """The offset from one index to the other: across and down, in heights of the first."""
    frame = np.stack([one.spot.right, -one.spot.up], 1)
    if abs(np.linalg.det(frame)) < 1e-6:
        return np.array([np.inf, np.inf])
    return np.linalg.solve(frame, other.spot.middle - one.spot.middle).astype(float)


def turned_about(one: Corner, other: Corner) -> float:
    """The cosine between the two up vectors: 1 if both are the same way up, -1 if opposite."""
    up, down = one.spot.up, other.spot.up
    return float(up @ down / (one.spot.height * other.spot.height))


def opposite_corners(card: SeenCard) -> tuple[Corner, Corner] | None:
    """Two indices at opposite corners of the card, the upper left one first, or None."""
    for one, other in permutations((c for c in card.corners if c.index > 0.5), 2):
        across, down = offset(one, other)
        if turned_about(one, other) < -0.8 and across > 0.15 * down > 0:
            return one, other
    return None


def _alike(one: Corner, other: Corner) -> float:
    """The chance that two readings are of the same rank and suit."""
    rank = np.exp(one.ranks + other.ranks).sum()
    suit = np.exp(one.suits + other.suits).sum()
    return float(rank * suit)


@dataclass(frozen=True, eq=False)
class _Pair:
    first: int
    second: int
    offset: Vector
    alike: float


def _opposite(corners: Sequence[Corner]) -> list[_Pair]:
    """Pairs of indices placed like the opposite corners of one card."""
    pairs = []
    for (i, one), (j, other) in combinations(enumerate(corners), 2):
        if turned_about(one, other) > -0.8 or not 0.6 < one.spot.height / other.spot.height < 1.65:
            continue
        there, back = offset(one, other), offset(other, one)
        mean = (there + back) / 2
        far = float(np.hypot(*mean))
        if not OPPOSITE_REACH[0] < far < OPPOSITE_REACH[1] or np.hypot(*(there - back)) > far * 0.6:
            continue
        if mean[1] <= 0 or abs(mean[0]) < 0.15 * mean[1]:
            continue
        if OPPOSITE_RATIOS[0] < mean[1] / abs(mean[0]) < OPPOSITE_RATIOS[1]:
            pairs.append(_Pair(i, j, mean, _alike(one, other)))
    return pairs


def _usual_offset(pairs: Iterable[_Pair]) -> Vector | None:
    """The offset that most pairs with the same reading share; both parts are positive."""
    alike = [np.abs(pair.offset) for pair in pairs if pair.alike > 0.6 and pair.offset[0] > 0]
    if not alike:
        return None
    support = [sum(_close(a, b) for b in alike) for a in alike]
    best = alike[int(np.argmax(support))]
    usual: Vector = np.mean([a for a in alike if _close(a, best)], axis=0)
    return usual


def _close(offset: Vector, usual: Vector, near: float = TOLERANCE) -> bool:
    return bool(np.hypot(*(np.abs(offset) - usual)) < near * np.hypot(*usual))


def _grouped(
    corners: Sequence[Corner], pairs: Sequence[_Pair], usual: Vector | None, packs: int
) -> list[list[Corner]]:
    """Group corners by card, most similar pairs first; each corner is in one card only."""
    owner = list(range(len(corners)))

    def root(i: int) -> int:
        while owner[i] != i:
            i = owner[i]
        return i

    taken: set[tuple[int, str]] = set()
    for pair in sorted(pairs, key=lambda pair: -pair.alike):
        i, j, where = pair.first, pair.second, pair.offset
        kind = "right" if where[0] > 0 else "left"
        if (i, kind) in taken or (j, kind) in taken:
            continue
        near = TOLERANCE if kind == "right" or packs == 1 else NEIGHBOR_TOLERANCE
        fits = usual is not None and _close(where, usual, near)
        if fits and pair.alike > LEAST_ALIKE:
            owner[root(j)] = root(i)
            taken |= {(i, kind), (j, kind)}
    if usual is not None:
        for (i, one), (j, other) in combinations(enumerate(corners), 2):
            if (
                root(i) != root(j)
                and _alike(one, other) > LEAST_ALIKE_BESIDE
                and _beside(one, other, usual, 0.25 if packs == 1 else NEIGHBOR_TOLERANCE)
            ):
                owner[root(j)] = root(i)
    groups: dict[int, list[Corner]] = {}
    for i, corner in enumerate(corners):
        groups.setdefault(root(i), []).append(corner)
    return list(groups.values())


def _beside(one: Corner, other: Corner, usual: Vector, near: float) -> bool:
    """Whether these lie like two indices along one edge of a card with four indices."""
    there, back = np.abs(offset(one, other)), np.abs(offset(other, one))
    mean = (there + back) / 2
    facing = turned_about(one, other)
    if facing > 0.8:
        return bool(np.hypot(mean[0] - usual[0], mean[1]) < near * usual[0])
    if facing < -0.8:
        return bool(np.hypot(mean[0], mean[1] - usual[1]) < near * usual[1])
    return False


def _card(corners: Sequence[Corner]) -> SeenCard:
    """The card that these corners make, each weighted by its chance of being an index."""
    ranks = sum(corner.index * corner.ranks for corner in corners)
    suits = sum(corner.index * corner.suits for corner in corners)
    none = float(np.prod([1 - corner.index for corner in corners]))
    ordered = tuple(sorted(corners, key=lambda corner: -corner.index))
    return SeenCard(ordered, 1 - none, logarithms(np.asarray(ranks)), logarithms(np.asarray(suits)))


# --- one of each


def _no_more_than(packs: int, cards: Sequence[SeenCard], usual: Vector | None) -> list[SeenCard]:
    """The cards, each at most once per pack: repeats are merged if near, else doubtful."""
    reach = OPPOSITE_REACH[1] if usual is None else float(np.hypot(*usual)) * (1 + TOLERANCE)
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda card: -card.chance(card.rank, card.suit) * card.index):
        same = [k for k in kept if (k.rank, k.suit) == (card.rank, card.suit)]
        if card.rank == "*" or len(same) < packs:
            kept.append(card)
            continue
        twin = next((k for k in same if _apart(k, card) < reach), None)
        if twin is not None:
            kept[kept.index(twin)] = _card([*twin.corners, *card.corners])
        elif card.index >= LEAST_ODD:
            kept.append(replace(card, doubtful=True))
    return kept


def _apart(one: SeenCard, other: SeenCard) -> float:
    """The distance between the cards' nearest corners, in index heights."""
    return min(
        float(np.hypot(*(a.spot.middle - b.spot.middle))) / max(a.spot.height, b.spot.height)
        for a in one.corners
        for b in other.corners
    )
