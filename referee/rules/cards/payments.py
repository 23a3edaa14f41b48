"""What the cards left in a hand pay the player who went out, in counters (`docs/rules.md` §4).

One counter a card, two a red nine, and all of it doubled where the winner went out on a red nine.
"""

from collections.abc import Collection
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.cards import Card, is_red_nine
from referee.rules.core.asking import called, red_nines_in
from referee.rules.core.entries import Count
from referee.rules.core.lines import Line, note
from referee.rules.text import NOTHING, Listed, Sum, Text, listed, say, say_many


class CountedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers of cards: `plain` ones, and red nines."""

    plain: Annotated[
        Count,
        called(
            say("cards left, without red nines"),
            lambda player: say("{player}’s cards left, without red nines", player=player),
        ),
    ]
    red_nines: Annotated[
        Count,
        called(say("red nines"), lambda player: say("{player}’s red nines", player=player)),
        red_nines_in("plain", points=0),
    ]

    @property
    def cards(self) -> int:
        """How many cards the hand has."""
        return self.plain + self.red_nines


def count(cards: Collection[Card]) -> CountedHand:
    """A hand of these cards as numbers."""
    red = sum(map(is_red_nine, cards))
    return CountedHand(len(cards) - red, red)


def payment(hand: CountedHand, *, doubled: bool) -> int:
    """What a hand pays the winner, in counters: one a card, two a red nine."""
    return (hand.plain + 2 * hand.red_nines) * (2 if doubled else 1)


def reason(hand: CountedHand, *, doubled: bool) -> Text:
    """What is paid for, in words: "2 cards and a red nine, doubled"."""
    held = in_words(hand)
    return say("{cards}, doubled", cards=held) if doubled else say("{cards}", cards=held)


def hand_line(payer: str, payee: str, hand: CountedHand, *, doubled: bool) -> Line:
    """`payer` pays `payee` for a hand; on the pad "3 cards", "3 cards × 2", or "(2 + 2) × 2"."""
    times, short = 2 if doubled else 1, NOTHING
    worked: Text | Sum = Sum(tuple(filter(None, (hand.plain, 2 * hand.red_nines))), times)
    if not hand.red_nines and doubled:
        cards = say_many("{n} card", "{n} cards", n=hand.plain)
        worked = say("{cards} × {times}", cards=cards, times=times)
    elif not hand.red_nines:
        short = say_many("card", "cards", n=hand.plain)
    due, why = payment(hand, doubled=doubled), reason(hand, doubled=doubled)
    return Line(payer, -due, why, short, worked, payee)


def went_out(player: str, *, red_nine: bool) -> Line:
    """What the pad says of the player who went out."""
    return note(player, say("out on a red nine") if red_nine else say("out"))


def in_words(hand: CountedHand) -> Listed:
    """A hand in words: "2 cards and a red nine"."""
    parts = []
    if hand.plain:
        parts.append(say_many("{n} card", "{n} cards", n=hand.plain))
    if hand.red_nines:
        parts.append(say_many("a red nine", "{n} red nines", n=hand.red_nines))
    return listed(parts)
