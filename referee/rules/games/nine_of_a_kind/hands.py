"""Hands of nine: claims, collections, packets and pips (`rules.md` §3).

A collection is written as a suit letter or a rank ("S", "4"). A card is worth its pips, an ace 1:
45 in a suit, 405 in the deck.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Literal, NamedTuple

from referee.rules.cards.cards import NINE_SUITS, SUIT_NAMES, VALUE, Card, count_of

HAND = 9
SUITS = tuple(NINE_SUITS.suits)
RANKS = NINE_SUITS.ranks
#: Everything that can be collected; the earlier one is preferred where two count the same.
COLLECTIONS = (*SUITS, *RANKS)
DECK = tuple(Card(rank, suit) for suit in SUITS for rank in RANKS)
DECK_PIPS = 405
BLOCKER_PIPS = 45  # every rank once


class Tally(NamedTuple):
    """A hand counted: pips outside the collection, and the number of cards in it.

    `collecting` is None where people counted the hand themselves.
    """

    collecting: str | None
    deadwood: int
    kept: int


class Claim(NamedTuple):
    """A winning hand, and the suit or rank it is of; a Blocker is of none."""

    kind: Literal["suit", "rank", "blocker"]
    of: str | None = None


def collection_named(text: str) -> str | None:
    """The collection that `text` names ("s", "♠", "4"), or None where it names none."""
    as_suit = NINE_SUITS.card("A" + text.strip())
    if as_suit is not None:
        return as_suit.suit
    as_rank = NINE_SUITS.card(text.strip() + SUITS[0])
    return None if as_rank is None else as_rank.rank


def collection_name(collecting: str) -> str:
    """A collection in words: "Spades", "Rock", "fours"."""
    return SUIT_NAMES.get(collecting) or count_of(2, collecting).partition(" ")[2]


def pips(cards: Iterable[Card]) -> int:
    """The pips of the cards together, ace 1."""
    return sum(VALUE[card.rank] for card in cards)


def least_pips(number: int, without: Collection[Card]) -> int:
    """The fewest pips that `number` cards of the deck can have, none of them in `without`."""
    left = (card for card in DECK if card not in without)
    return sum(sorted(VALUE[card.rank] for card in left)[:number])


def outside(cards: Iterable[Card], collecting: str) -> tuple[Card, ...]:
    """The cards that are neither of the suit nor of the rank collected."""
    return tuple(card for card in cards if collecting not in card)


def tally(cards: Collection[Card], collecting: str) -> Tally:
    """The hand counted for this collection."""
    left_over = outside(cards, collecting)
    return Tally(collecting, pips(left_over), len(cards) - len(left_over))


def best_tally(cards: Collection[Card], least_kept: int = 0) -> Tally | None:
    """The hand counted for the collection with the least deadwood, then with the most cards.

    Suits come before ranks where both are equal. Only collections that hold `least_kept` cards
    or more are looked at; None where there is no such.
    """
    tallies = (tally(cards, collecting) for collecting in COLLECTIONS)
    return min(
        (found for found in tallies if found.kept >= least_kept),
        key=lambda found: (found.deadwood, -found.kept),
        default=None,
    )


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


def claim_words(claim: Claim) -> str:
    """A claim in words: "all nine of Spades", "all nine fours", "a Blocker"."""
    if claim.of is None:
        return "a Blocker"
    return f"all nine {'of ' if claim.kind == 'suit' else ''}{collection_name(claim.of)}"


def fullest(cards: Collection[Card]) -> Tally:
    """The hand counted for the collection of which it holds the most cards."""
    return max((tally(cards, collecting) for collecting in COLLECTIONS), key=lambda it: it.kept)


def why_no_claim(cards: Collection[Card]) -> str:
    """What nine different cards that prove no claim lack, as the end of a sentence."""
    most = fullest(cards)
    assert most.collecting is not None
    held = Counter(card.suit for card in cards) + Counter(card.rank for card in cards)
    twice = [collection_name(each) for each in COLLECTIONS if held[each] > 1]
    return (
        f"at best {most.kept} of nine are {collection_name(most.collecting)}, "
        f"and a Blocker has no two of {' or '.join(twice)}"
    )


def of_one_kind(cards: Collection[Card]) -> bool:
    """Whether a packet is all of one suit or all of one rank, so that it may change hands."""
    return len({card.suit for card in cards}) <= 1 or len({card.rank for card in cards}) <= 1
