"""Hands of nine cards: claims, collections and points (`docs/rules.md` §3).

A collection is written as a suit letter or a rank ("S", "4"). A card is worth its pips, an ace 1.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from referee.rules.cards.cards import NINE_SUITS, SUIT_NAMES, VALUE, Card
from referee.rules.cards.packs import twice_faults
from referee.rules.core.ruling import Fault, faults_of
from referee.rules.text import Text, listed, say, say_many

SLUG = "9-of-a-kind"
fault = faults_of(SLUG)
HAND = 9
SUITS = tuple(NINE_SUITS.suits)
RANKS = NINE_SUITS.ranks
#: Everything that can be collected; of two that count the same, the earlier is preferred.
COLLECTIONS = (*SUITS, *RANKS)
DECK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
MOST_PIPS = 9  # of a card; the fewest are 1
DECK_PIPS = 405
BLOCKER_PIPS = 45  # every rank once
#: The most points a hand can have left: at least one of its cards is in the collection.
MOST_LEFT = MOST_PIPS * (HAND - 1)

_ALL_OF_A_RANK = {
    "A": say("aces"),
    "2": say("twos"),
    "3": say("threes"),
    "4": say("fours"),
    "5": say("fives"),
    "6": say("sixes"),
    "7": say("sevens"),
    "8": say("eights"),
    "9": say("nines"),
}


class Tally(NamedTuple):
    """A hand counted for a collection: the pips outside it, and the number of cards in it.

    `collecting` is empty if its holder counted it without saying for what.
    """

    collecting: str
    deadwood: int
    kept: int


class Claim(NamedTuple):
    """A winning hand; `of` is its suit or rank, None for a Blocker."""

    kind: Literal["suit", "rank", "blocker"]
    of: str | None = None


def collection_named(text: str) -> str | None:
    """The collection that `text` names ("s", "♠", "4"), or None."""
    as_suit = NINE_SUITS.card("A" + text.strip())
    if as_suit is not None:
        return as_suit.suit
    as_rank = NINE_SUITS.card(text.strip() + SUITS[0])
    return None if as_rank is None else as_rank.rank


def collection_name(collecting: str) -> Text:
    """A collection in words: "spades", "rock", "fours"."""
    return SUIT_NAMES.get(collecting) or _ALL_OF_A_RANK[collecting]


def complete(collecting: str) -> Text:
    """All nine cards of a collection in words: "the whole suit of spades", "all nine fours"."""
    name = collection_name(collecting)
    if collecting in SUITS:
        return say("the whole suit of {suit}", suit=name)
    return say("all nine {rank}", rank=name)


def pips(cards: Iterable[Card]) -> int:
    """The pips of the cards together, ace 1."""
    return sum(VALUE[card.rank] for card in cards)


def least_pips(number: int, without: Collection[Card]) -> int:
    """The fewest pips that `number` cards of the deck can have, none of them in `without`."""
    left = (card for card in DECK if card not in without)
    return sum(sorted(VALUE[card.rank] for card in left)[:number])


def outside(cards: Iterable[Card], collecting: str) -> tuple[Card, ...]:
    """The cards that are not of the suit or rank collected."""
    return tuple(card for card in cards if collecting not in card)


def tally(cards: Collection[Card], collecting: str) -> Tally:
    """The hand counted for this collection."""
    left_over = outside(cards, collecting)
    return Tally(collecting, pips(left_over), len(cards) - len(left_over))


def best_tally(cards: Collection[Card], *, keeping: int = 0) -> Tally:
    """The hand counted for the collection with the least deadwood, then with the most cards.

    Of two still equal a suit comes before a rank. Collections of fewer than `keeping` cards are
    passed over, unless there are no others.
    """
    tallies = [tally(cards, collecting) for collecting in COLLECTIONS]
    enough = [found for found in tallies if found.kept >= keeping] or tallies
    return min(enough, key=lambda found: (found.deadwood, -found.kept))


def fullest(cards: Collection[Card]) -> Tally:
    """The hand counted for the collection with most of its cards."""
    return max((tally(cards, each) for each in COLLECTIONS), key=lambda found: found.kept)


def claim_of(cards: Collection[Card]) -> Claim | None:
    """The claim that a hand proves, or None: nine of a suit, nine of a rank, or a Blocker."""
    if len(cards) != HAND or len(set(cards)) != HAND:
        return None
    ranks, suits = {card.rank for card in cards}, {card.suit for card in cards}
    if len(ranks) == len(suits) == HAND:
        return Claim("blocker")
    if len(suits) == 1:
        return Claim("suit", suits.pop())
    if len(ranks) == 1:
        return Claim("rank", ranks.pop())
    return None


def claim_name(claim: Claim) -> Text:
    """A claim in words: "the whole suit of spades", "all nine fours", "a Blocker"."""
    return say("a Blocker") if claim.of is None else complete(claim.of)


def why_no_claim(cards: Collection[Card]) -> Text:
    """A sentence on why these nine different cards are not a winning hand."""
    most = fullest(cards)
    held = Counter(card.suit for card in cards) + Counter(card.rank for card in cards)
    pairs = [
        say("two {collection}", collection=collection_name(each))
        for each in COLLECTIONS
        if held[each] > 1
    ]
    return say_many(
        "At best {n} of the nine is {collection}, and a Blocker can’t have {pairs}.",
        "At best {n} of the nine are {collection}, and a Blocker can’t have {pairs}.",
        n=most.kept,
        collection=collection_name(most.collecting),
        pairs=listed(pairs, "or"),
    )


def hand_faults(cards: Collection[Card], player: str | None = None) -> Iterator[Fault]:
    """Faults if these are not nine different cards; they name the `player`, if given."""
    if len(cards) != HAND:
        if player is None:
            says = say_many(
                "That’s {n} card; a hand has {hand}.",
                "That’s {n} cards; a hand has {hand}.",
                n=len(cards),
                hand=HAND,
            )
        else:
            says = say_many(
                "{player} has {n} card; a hand has {hand}.",
                "{player} has {n} cards; a hand has {hand}.",
                n=len(cards),
                player=player,
                hand=HAND,
            )
        yield fault("hand-size", says, "deal").lacking("more")
    yield from twice_faults(fault, cards, "deck")


# --- claims that are possible with the cards nobody has shown


def whole_in(free: Iterable[Card], collections: Collection[str]) -> int:
    """How many of these suits or ranks have all nine cards among the `free` ones."""
    cards = [part for card in free for part in card]
    return sum(cards.count(collection) == len(RANKS) for collection in collections)


def blockers_in(free: Iterable[Card]) -> int:
    """How many Blockers can be made of these cards at once.

    Together, n Blockers have n cards of each rank and n of each suit; and any such cards can be
    divided into n Blockers (a regular bipartite graph has a perfect matching). So it is enough to
    look for such cards.
    """
    suits_of: dict[str, list[str]] = {rank: [] for rank in RANKS}
    for card in free:
        suits_of[card.rank].append(card.suit)
    number = 0
    while _can_choose(suits_of, number + 1):
        number += 1
    return number


def _can_choose(suits_of: Mapping[str, Collection[str]], each: int) -> bool:
    """Whether cards can be chosen that are `each` of every rank and `each` of every suit."""
    ranks_in: dict[str, set[str]] = {suit: set() for suit in SUITS}

    def choose(rank: str, tried: set[str]) -> bool:
        """Choose one more card of `rank`, moving another rank's card if its suit is full."""
        for suit in suits_of[rank]:
            chosen = ranks_in[suit]
            if suit in tried or rank in chosen:
                continue
            tried.add(suit)
            if len(chosen) < each:
                chosen.add(rank)
                return True
            for rival in tuple(chosen):
                if choose(rival, tried):
                    chosen.remove(rival)
                    chosen.add(rank)
                    return True
        return False

    return all(choose(rank, set()) for rank in RANKS for _ in range(each))
