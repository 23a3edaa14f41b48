"""Counting the cards that the others hold when somebody is out (`docs/rules.md` §1)."""

from collections.abc import Iterable, Iterator, Mapping

from referee.rules.cards.cards import RANKS_ONLY, VALUE, Card, read_cards, write_cards
from referee.rules.cards.hands import typed_hands
from referee.rules.core.ruling import Fault, MakeFault
from referee.rules.core.table import Line, note
from referee.rules.games.multiple_9.discards import counted, rank_faults
from referee.rules.games.multiple_9.state import Multiple9State
from referee.rules.games.multiple_9.turns import CARDS_EACH, PACK
from referee.rules.text import say, say_many


def left_faults(
    fault: MakeFault,
    state: Multiple9State,
    winner: str | None,
    left: Mapping[str, str],
    *,
    followed: bool,
) -> Iterable[Fault]:
    """All that is wrong with what the others are said to hold after `winner` has gone out.

    Where the turns were `followed`, the hands must fit them. Nobody's hand is missing or empty
    while it is not known who the winner is.
    """
    hands = typed_hands(left, RANKS_ONLY)
    if winner in hands:
        says = say("{player} is out and holds no cards.", player=winner)
        yield fault("winner-holds", says, "score")
    needed = state.table.options.scoring == "cards"
    for seat, player in enumerate(state.table.players):
        if player == winner:
            continue
        if player in hands:
            holds = state.held[seat] if followed else None
            if hands[player] or winner:
                yield from _hand_faults(fault, player, hands[player], holds)
        elif needed and winner and player not in left:
            says = say("{player}’s cards are missing.", player=player)
            yield fault("hand-missing", says, "score").lacking("hand")
    if not followed:
        yield from _number_faults(fault, state, sum(map(len, hands.values())))
    there = counted(card for hand in hands.values() for card in hand)
    if followed:
        there = tuple(a + b for a, b in zip(there, state.out_of_reach, strict=True))
    yield from rank_faults(fault, there, state.table.options.packs)


def _number_faults(fault: MakeFault, state: Multiple9State, held: int) -> Iterable[Fault]:
    """The others cannot hold all the cards but a few: the winner was dealt five and laid them."""
    deck = PACK * state.table.options.packs
    if held > deck - CARDS_EACH:
        says = say(
            "The others hold {n} of {deck} cards here, but the winner has laid down {each} at "
            "least.",
            n=held,
            deck=deck,
            each=CARDS_EACH,
        )
        yield fault("too-many-cards", says, "score")


def _hand_faults(
    fault: MakeFault, player: str, hand: tuple[Card, ...], holds: int | None
) -> Iterable[Fault]:
    """What is wrong with one hand; `holds` is its size by the turns, where they were followed."""
    if not hand:
        says = say("{player} isn’t out, so must hold a card.", player=player)
        yield fault("hand-empty", says, "score")
    elif holds is not None and len(hand) != holds:
        says = say_many(
            "Going by the turns on the sheet, {player} holds {n} card, not {entered}.",
            "Going by the turns on the sheet, {player} holds {n} cards, not {entered}.",
            n=holds,
            player=player,
            entered=len(hand),
        )
        yield fault("hand-size", says, "score").lacking("more")


def left_lines(winner: str, left: Mapping[str, str], *, counts: bool) -> Iterator[Line]:
    """What the others held, and where it `counts`, what `winner` gains: the values, ace 1."""
    for player, text in left.items():
        cards = read_cards(text, RANKS_ONLY)
        held = say_many("{n} card", "{n} cards", n=len(cards))
        if counts:
            points = sum(VALUE[card.rank] for card in cards)
            reason = say("{player} held {cards}", player=player, cards=write_cards(cards))
            yield Line(winner, points, reason)
            held = say("{cards}: {points}", cards=held, points=points)
        yield note(player, held)
