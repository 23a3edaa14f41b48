"""The showdown: whose hand is best, and which chips go to whom (`docs/rules.md` §2)."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from msgspec import Struct

from referee.rules.cards.cards import RANKS_ONLY, VALUE, Card
from referee.rules.cards.hands import typed_hands
from referee.rules.core.lines import Line, equal_shares, note
from referee.rules.core.ruling import Fault
from referee.rules.games.multiple_9_holdem.arrangement import Arrangement, arrange
from referee.rules.games.multiple_9_holdem.board import not_yet
from referee.rules.games.multiple_9_holdem.entries import Show
from referee.rules.games.multiple_9_holdem.pots import Pot, pot_names, uncalled
from referee.rules.games.multiple_9_holdem.sections import (
    HOLE_CARDS,
    fault,
    hole_faults,
    number_or_none,
    rank_faults,
)
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import NOTHING, Text, listed, say, say_many

UNCALLED = say("uncalled, so returned")
POT = say("pot")  # on the score pad, beside what was won
#: How many nines a hand makes, in words.
NINES = (
    say("no nines"),
    say("one nine"),
    say("two nines"),
    say("three nines"),
    say("four nines"),
    say("five nines"),
    say("six nines"),
    say("seven nines"),
    say("eight nines"),
    say("nine nines"),
)
ROYAL = (("Q", "Q", "Q", "Q", "J", "J", "J"),)

Order = tuple[tuple[int, int, tuple[int, ...]], bool]


def order(hand: Arrangement, royal: bool) -> Order:
    """Compares hands, the higher wins; `royal`: four queens and three jacks beat all others."""
    return hand.order, royal and hand.groups == ROYAL


def ranking(hands: Mapping[str, Arrangement], royal: bool) -> list[list[str]]:
    """The players of `hands`, best first, those who tie together."""
    orders = {player: order(hand, royal) for player, hand in hands.items()}
    return [
        [player for player, other in orders.items() if other == level]
        for level in sorted(set(orders.values()), reverse=True)
    ]


def what_decided(
    arranged: Mapping[str, Arrangement], best: list[str], next_: list[str], royal: bool
) -> Text:
    """What decided between the best hands and those that come next, in the order it is looked at.

    One hand of each is enough: those that share a place are alike in all that is compared.
    """
    first, second = arranged[best[0]], arranged[next_[0]]
    winner, loser = listed(best), listed(next_)
    if first.nines != second.nines:
        return say(
            "Nines decide: {winner} {more}, {loser} {fewer}.",
            winner=winner,
            more=first.nines,
            loser=loser,
            fewer=number_or_none(second.nines),
        )
    level = say_many("{n} nine", "{n} nines", n=first.nines) if first.nines else say("no nines")
    if len(first.unused) != len(second.unused):
        return say(
            "Level at {level}. Ranks left over: {winner} {fewer}, {loser} {more}.",
            level=level,
            winner=winner,
            fewer=number_or_none(len(first.unused)),
            loser=loser,
            more=len(second.unused),
        )
    if royal and first.values == second.values:
        return say("Four queens and three jacks beat any other {level}.", level=level)
    high, low = next(
        pair for pair in zip(first.values, second.values, strict=True) if pair[0] != pair[1]
    )
    return say(
        "Level at {level} with {unused}. What’s left over decides: {winner}’s {high} beats "
        "{loser}’s {low}.",
        level=level,
        unused=say_many("{n} rank left over", "{n} ranks left over", n=len(first.unused)),
        winner=winner,
        loser=loser,
        high=high,
        low=low,
    )


class LaidCard(Struct, frozen=True):
    """A card of a group as it is laid out: its rank, what it counts, whether the player held it."""

    rank: str
    worth: int
    own: bool


class ShownHand(Struct, frozen=True):
    """A hand at a showdown: the two cards that `player` holds, and the best made of all seven."""

    player: str
    cards: tuple[str, ...]
    best: Arrangement

    @property
    def nines(self) -> Text:
        """How many nines it makes, in words: "seven nines"."""
        return NINES[self.best.nines]

    def laid(self) -> tuple[tuple[tuple[LaidCard, ...], ...], tuple[LaidCard, ...]]:
        """The groups and what is left over, laid out; the player’s own two cards are marked."""
        held = list(self.cards)

        def lay(rank: str) -> LaidCard:
            own = rank in held
            if own:
                held.remove(rank)
            return LaidCard(rank, VALUE[rank], own)

        groups = tuple(tuple(map(lay, group)) for group in self.best.groups)
        return groups, tuple(lay(rank) for group in self.best.unused for rank in group)


class Showdown(Struct, frozen=True):
    """A showdown as far as it has gone.

    `levels` are the hands shown, the best first, those that tie together; `to_come` are the players
    whose hands are not known yet; `why` says what decided between the two best levels.
    """

    levels: tuple[tuple[ShownHand, ...], ...]
    mucked: tuple[str, ...]
    to_come: tuple[str, ...]
    why: Text

    @property
    def hands(self) -> tuple[ShownHand, ...]:
        """All hands that were shown, the best first."""
        return tuple(hand for level in self.levels for hand in level)

    @property
    def won_with(self) -> Text:
        """What the best hand is, beside the next: "with seven nines; Cy had six nines"."""
        best = self.levels[0][0]
        if len(self.levels) == 1:
            return say("with {nines}", nines=best.nines)
        second = self.levels[1]
        if best.best.nines == second[0].best.nines:
            return say("with {nines}. {why}", nines=best.nines, why=self.why)
        players = listed(hand.player for hand in second)
        return say(
            "with {nines}; {players} had {fewer}",
            nines=best.nines,
            players=players,
            fewer=second[0].nines,
        )


def showdown(state: HoldemState, shown: Mapping[str, str]) -> Showdown:
    """The showdown of the hands in `shown`, by player as typed; a hand without cards is mucked.

    A hand that is not whole yet is still to come. Raises `NotationError`.
    """
    hands = {
        player: tuple(card.rank for card in cards)
        for player, cards in typed_hands(shown, RANKS_ONLY).items()
    }
    board = [Card(rank) for rank in state.board]
    best = {
        player: arrange((*state.board, *cards))
        for player, cards in hands.items()
        if len(cards) == HOLE_CARDS and not rank_faults([*board, *map(Card, cards)])
    }
    mucked = tuple(player for player, cards in hands.items() if not cards)
    royal = state.table.options.royal
    order = ranking(best, royal)
    return Showdown(
        tuple(tuple(ShownHand(name, hands[name], best[name]) for name in level) for level in order),
        mucked,
        tuple(name for name in map(state.name, state.spot.live) if name not in {*best, *mucked}),
        what_decided(best, order[0], order[1], royal) if len(order) > 1 else NOTHING,
    )


class HandWon(Struct, frozen=True):
    """How a hand ended: what was shown, on which board, and the chips each player took."""

    showdown: Showdown
    board: tuple[str, ...]
    takes: Mapping[str, int]

    @property
    def winners(self) -> tuple[ShownHand, ...]:
        """The best hands that took chips."""
        return next(
            (level for level in self.showdown.levels if any(h.player in self.takes for h in level)),
            (),
        )


def show_faults(state: HoldemState, entry: Show) -> Iterable[Fault]:
    """Why there can be no showdown like this; no cards: mucked. Raises `NotationError`."""
    if state.due != "show":
        yield not_yet(state)
        return
    hands = typed_hands(entry.hands, RANKS_ONLY)
    live = [state.name(seat) for seat in state.spot.live]
    missing = [name for name in live if name not in entry.hands]
    yield from _hand_faults(state, live, missing, hands)
    yield from _all_muck_faults(state, hands)


def showdown_lines(state: HoldemState, entry: Show) -> list[Line]:
    """What everybody gets when these hands are shown; each line tells the hand it is for."""
    shown = {
        state.seat(player): arrange(_ranks(state, cards))
        for player, cards in typed_hands(entry.hands, RANKS_ONLY).items()
        if cards
    }
    lines: list[Line] = []
    for pot, called in zip(state.spot.pots, pot_names(len(state.spot.pots)), strict=True):
        lines += _pot_lines(state, pot, called, shown)
    paid = {line.player for line in lines}
    for seat in state.spot.live:
        player, reason, short = state.name(seat), say("mucked"), say("mucked")
        if seat in shown:
            reason = shown[seat].in_words()
            short = say_many("{n} nine", "{n} nines", n=shown[seat].nines)
        lines.append(note(player, short) if player in paid else Line(player, 0, reason, short))
    return lines


def _ranks(state: HoldemState, cards: Sequence[Card]) -> list[str]:
    return [*state.board, *(card.rank for card in cards)]


def uncontested_lines(state: HoldemState) -> list[Line]:
    """What the last player left gets after all others have folded."""
    (winner,) = state.spot.live
    name = state.name(winner)
    back = uncalled(dict(enumerate(state.spot.paid))).get(winner, 0)
    lines = [Line(name, back, UNCALLED)] if back else []
    pot = sum(state.spot.paid) - back
    return [*lines, Line(name, pot, say("the pot: everyone else folded"), POT)]


def _hand_faults(
    state: HoldemState,
    live: Collection[str],
    missing: Iterable[str],
    hands: Mapping[str, Sequence[Card]],
) -> Iterable[Fault]:
    """Why these hands cannot be those of the players still in."""
    for player in missing:
        says = say("{player}’s hand is missing. Leave it empty if {player} mucks.", player=player)
        yield fault("hand-missing", says, "showdown").lacking("hand")
    for player, cards in hands.items():
        if player not in live:
            yield fault("not-in-hand", _not_in_hand(state, player), "showdown")
        elif cards:
            yield from hole_faults(len(cards), player)
    shown = [card for cards in hands.values() for card in cards]
    yield from rank_faults([*(Card(rank) for rank in state.board), *shown])


def _not_in_hand(state: HoldemState, player: str) -> Text:
    if state.seat(player) in state.stakes.seats:
        return say("{player} has folded, so has no hand to show.", player=player)
    return say("{player} had no chips and wasn’t in this hand.", player=player)


def _all_muck_faults(state: HoldemState, hands: Mapping[str, Sequence[Card]]) -> Iterable[Fault]:
    """Pots that several could win, and all of them muck."""
    pots = state.spot.pots
    for pot, name in zip(pots, pot_names(len(pots)), strict=True):
        players = [state.name(seat) for seat in sorted(pot.players)]
        if len(players) > 1 and all(player in hands and not hands[player] for player in players):
            says = say(
                "{players} can’t all muck: one of them must show a hand to win {pot}.",
                players=listed(players),
                pot=name,
            )
            yield fault("all-muck", says, "showdown")


def _pot_lines(
    state: HoldemState, pot: Pot[int], name: Text, shown: Mapping[int, Arrangement]
) -> Iterable[Line]:
    if len(pot.players) == 1:
        (owner,) = pot.players
        reason = say("{pot}: nobody else could win it", pot=name)
        yield Line(state.name(owner), pot.amount, reason, POT)
        return
    eligible = [seat for seat in pot.players if seat in shown]
    royal = state.table.options.royal
    best = max(order(shown[seat], royal) for seat in eligible)
    # The seats of a pot are in order from the left of the button, as odd chips are given out.
    winners = [seat for seat in eligible if order(shown[seat], royal) == best]
    for seat, chips in equal_shares(pot.amount, winners).items():
        hand = shown[seat].in_words()
        if len(winners) == 1:
            reason = say("{pot} with {hand}", pot=name, hand=hand)
        else:
            reason = say(
                "a share of {pot} ({amount}) with {hand}", pot=name, amount=pot.amount, hand=hand
            )
        yield Line(state.name(seat), chips, reason, POT)
