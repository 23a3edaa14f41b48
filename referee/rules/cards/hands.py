"""Hands shown after somebody has gone out, and what they pay (`docs/rules.md` §4, settlement).

A game that uses these faults must have the sections "deal", "red-nines" and "score".
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Generic, Protocol, TypeVar

from msgspec import Meta, Struct

from referee.rules.cards.cards import Card, Notation, is_red_nine, reading_cards
from referee.rules.cards.packs import pack_faults, red_nine_faults
from referee.rules.cards.runs import StopsGame
from referee.rules.core.asking import RED_NINES, RedNines, asked
from referee.rules.core.entries import Count, Entry, Player, if_read
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line, note
from referee.rules.text import NOTHING, Listed, Sum, Text, listed, say, say_many


class InNumbers(Protocol):
    """A hand as numbers."""

    @property
    def cards(self) -> int:
        """How many cards it has, at least."""

    @property
    def red_nines(self) -> int:
        """How many of its cards are red nines."""


C = TypeVar("C", bound=InNumbers)


class ShownHands(Struct, Generic[C], frozen=True):
    """Hands by player, as `entered`; `cards` has those written as cards, `counted` has all."""

    entered: Mapping[str, object]
    cards: Mapping[str, tuple[Card, ...]]
    counted: Mapping[str, C]

    def held_by(self, players: Iterable[str]) -> Iterator[str]:
        """Those of the `players` whose hand was shown and has a card; the winner's has none."""
        return (one for one in players if one in self.counted and self.counted[one].cards)


def read_hands(
    hands: Mapping[str, str | C], notation: Notation, count: Callable[[tuple[Card, ...]], C]
) -> ShownHands[C]:
    """The hands in an entry, texts counted with `count`; raises `NotationError` with all faults."""
    cards = typed_hands(hands, notation)
    counted = {
        player: count(cards[player]) if isinstance(hand, str) else hand
        for player, hand in hands.items()
    }
    return ShownHands(hands, cards, counted)


def typed_hands(hands: Mapping[str, object], notation: Notation) -> dict[str, tuple[Card, ...]]:
    """The hands written as cards, by player; raises one `NotationError` for all of them."""
    with reading_cards() as reader:
        return {
            player: reader.cards(hand, notation, say("{player}’s hand", player=player))
            for player, hand in hands.items()
            if isinstance(hand, str)
        }


class WentOut(Entry, frozen=True):
    """`player` went out, perhaps on a red nine; the `hands` of a game say what the others hold."""

    player: Annotated[Player, asked(say("who went out"))]
    red_nine: Annotated[bool, asked(say("whether it was on a red nine"))] = False


def shown_faults(
    game: StopsGame, players: Sequence[str], entry: WentOut, shown: ShownHands[C]
) -> Iterator[Fault]:
    """Faults in the hands `shown`: too few or too many cards, or more of a kind than the pack has.

    If the winner could not be read, missing and empty hands are no faults.
    """
    fault, pack, most = game.fault, game.pack_for(len(players)), game.each(len(players))
    winner = if_read(lambda: entry.player)
    if winner and winner in shown.held_by(players):
        says = say("{player} went out, so can’t hold any cards.", player=winner)
        yield fault("winner-holds", says, "score")
    for player in players:
        if player == winner:
            continue
        if player not in shown.counted:
            if winner and player not in shown.entered:
                says = say("{player}’s cards are missing.", player=player)
                yield fault("hand-missing", says, "score").lacking("hand")
            continue
        held = len(shown.cards.get(player, ())) or shown.counted[player].cards
        if held == 0 and winner:
            says = say("{player} didn’t go out, so must hold at least one card.", player=player)
            yield fault("hand-empty", says, "score")
        elif held > most:
            says = say_many(
                "{player} was dealt {n} card, but holds {held} here.",
                "{player} was dealt {n} cards, but holds {held} here.",
                n=most,
                player=player,
                held=held,
            )
            yield fault("too-many-cards", says, "score")
    yield from pack_faults(pack, fault, [card for hand in shown.cards.values() for card in hand])
    red_nines = sum(hand.red_nines for hand in shown.counted.values())
    out_on_one = if_read(lambda: entry.player if entry.red_nine else None)
    yield from red_nine_faults(pack, fault, red_nines, out_on_one)


class CountedHand(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers of cards: `plain` ones, and red nines."""

    plain: Annotated[
        Count,
        asked(
            say("cards left, without red nines"), of=say("{player}’s cards left, without red nines")
        ),
    ]
    red_nines: Annotated[
        Count,
        asked(say("red nines"), of=say("{player}’s red nines")),
        Meta(extra={RED_NINES: RedNines("plain", points=0)}),
    ]

    @property
    def cards(self) -> int:
        """How many cards the hand has."""
        return self.plain + self.red_nines


def in_numbers(cards: Collection[Card]) -> CountedHand:
    """The hand of these cards as numbers."""
    red = sum(map(is_red_nine, cards))
    return CountedHand(len(cards) - red, red)


RED_NINE = 2  # counters that a red nine left in a hand pays, where another card pays one


def payment(hand: CountedHand, *, doubled: bool) -> Sum:
    """What a hand pays: 1 a card, 2 a red nine, twice that if `doubled` (`docs/rules.md` §4)."""
    return Sum(tuple(filter(None, (hand.plain, RED_NINE * hand.red_nines))), 2 if doubled else 1)


def hand_line(payer: str, payee: str, hand: CountedHand, *, doubled: bool) -> Line:
    """The line in which `payer` pays `payee`: "3 cards", "3 cards × 2", "(2 + 2) × 2"."""
    due, held, short = payment(hand, doubled=doubled), in_words(hand), NOTHING
    worked: Text | Sum = due
    if not hand.red_nines and doubled:
        cards = say_many("{n} card", "{n} cards", n=hand.plain)
        worked = say("{cards} × {times}", cards=cards, times=due.times)
    elif not hand.red_nines:
        short = say_many("card", "cards", n=hand.plain)
    reason = say("{cards}, doubled", cards=held) if doubled else say("{cards}", cards=held)
    word = say("×{n}", n=due.times) if doubled else NOTHING
    return Line(payer, -due.total, reason, short, worked, payee, word=word)


CAUGHT = {"red-nine": say("caught with a red nine")}


def caught(shown: ShownHands[C]) -> Iterator[tuple[str, str]]:
    """The player and the feat for each red nine that was left in a hand."""
    for player, hand in shown.counted.items():
        yield from ((player, "red-nine"),) * hand.red_nines


def went_out(player: str, *, red_nine: bool) -> Line:
    """The note on the pad for the player who went out."""
    return note(player, say("out on a red nine") if red_nine else say("out"), say("out"))


def in_words(hand: CountedHand) -> Listed:
    """A hand in words: "2 cards and a red nine"."""
    parts = []
    if hand.plain:
        parts.append(say_many("{n} card", "{n} cards", n=hand.plain))
    if hand.red_nines:
        parts.append(say_many("a red nine", "{n} red nines", n=hand.red_nines))
    return listed(parts)
