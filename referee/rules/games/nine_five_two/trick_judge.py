"""Who wins a trick of Nine Five Two (`docs/rules.md` §7, tricks)."""

from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import SuitedText
from referee.rules.cards.cards import SUIT_NAMES, SUITED, Card, card_name, reading_cards
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Spread
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.games.nine_five_two.terms import (
    HEIGHT,
    PLAYERS,
    Trump,
    fault,
    read_trump,
    twice_faults,
)
from referee.rules.text import Text, say


class TrickQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """Who wins this trick?"""

    cards: Annotated[SuitedText, asked(say("The three cards, in the order played"))] = ""
    trump: Trump = ""


def trick_winner(cards: Sequence[Card], trump: str) -> int:
    """The place (from 0) of the card that wins: the highest of the suit `trump`, if one was played.

    Otherwise, and where `trump` is empty, the highest of the suit led. There is at least one card.
    """
    suit = trump if any(card.suit == trump for card in cards) else cards[0].suit
    follows = [place for place, card in enumerate(cards) if card.suit == suit]
    return max(follows, key=lambda place: HEIGHT[cards[place].rank])


def rule_on_trick(asked: TrickQuestion) -> Ruling:
    """Which card of a trick wins, 1 to 3; of an unfinished trick, which is winning."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, SUITED, say("the trick"))
        trump = read_trump(asked.trump, reader)
    faults = (*_size_faults(cards), *twice_faults(cards))
    if not cards or len(cards) > PLAYERS:
        return Ruling(faults)
    winner = trick_winner(cards, trump)
    return Ruling(faults, {"winner": winner + 1}, (_wins(cards, winner, trump),))


def _size_faults(cards: Sequence[Card]) -> Iterator[Fault]:
    if not cards:
        yield fault("trick-size", say("No cards have been played yet."), "tricks")
    elif len(cards) != PLAYERS:
        says = say("A trick has {most} cards, not {n}.", most=PLAYERS, n=len(cards))
        yield fault("trick-size", says, "tricks")


def _wins(cards: Sequence[Card], winner: int, trump: str) -> Text:
    """Which card wins and why, or which is winning while the trick is not whole."""
    card, place = card_name(cards[winner]), winner + 1
    by_trump = cards[winner].suit == trump
    if len(cards) < PLAYERS:
        if by_trump:
            return say(
                "{card:C}, card {place}, is winning so far: the highest trump.",
                card=card,
                place=place,
            )
        return say(
            "{card:C}, card {place}, is winning so far: the highest of the suit led.",
            card=card,
            place=place,
        )
    if by_trump:
        return say("{card:C}, card {place}, wins: the highest trump.", card=card, place=place)
    return say("{card:C}, card {place}, wins: the highest of the suit led.", card=card, place=place)


def spread_trick(asked: TrickQuestion) -> tuple[Spread, ...]:
    """The trick in the order played, the card that wins marked."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, SUITED)
        trump = read_trump(asked.trump, reader)
    if not cards:
        return ()
    right = (trick_winner(cards, trump),) if len(cards) <= PLAYERS else ()
    named = say("{suit} are trumps", suit=SUIT_NAMES[trump]) if trump else say("no trumps named")
    return (Spread(tuple(map(str, cards)), named, right=right),)


TRICK_JUDGE: Judge[TrickQuestion] = Judge(
    "trick",
    say("Who wins this trick?"),
    TrickQuestion,
    rule_on_trick,
    cards=spread_trick,
    yes_or_no=False,
    section="tricks",
)
