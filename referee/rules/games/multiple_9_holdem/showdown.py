"""The showdown: whose hand is best, and which chips go to whom (`docs/rules.md` §2)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations_with_replacement

from msgspec import Struct

from referee.rules.cards.cards import RANKS, RANKS_ONLY, VALUE
from referee.rules.cards.hands import typed_hands
from referee.rules.core.entries import Entry
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line, P, change_by_player, equal_shares, note
from referee.rules.games.multiple_9_holdem.betting import Pot, pot_names
from referee.rules.games.multiple_9_holdem.entries import (
    HOLE_CARDS,
    Bet,
    PlayedHand,
    Show,
    fault,
    hole_faults,
    number_or_none,
    rank_faults,
)
from referee.rules.games.multiple_9_holdem.hands import Arrangement, Leftover, Packed, arrange
from referee.rules.games.multiple_9_holdem.moves import not_yet
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
CACHED_BOARDS = 32  # boards for which `possible_hands` are kept
ROYAL = (("Q", "Q", "Q", "Q", "J", "J", "J"),)


# --- whose hand is best


def ranking(hands: Mapping[P, Arrangement], royal: bool) -> list[list[P]]:
    """The players of `hands`, best first; those who tie share a list.

    With `royal` four queens and three jacks beat all others.
    """
    orders = {
        player: (hand.order, royal and hand.groups == ROYAL) for player, hand in hands.items()
    }
    return [
        [player for player, order in orders.items() if order == level]
        for level in sorted(set(orders.values()), reverse=True)
    ]


def what_decided(
    arranged: Mapping[str, Arrangement], order: Sequence[Sequence[str]], royal: bool
) -> Text:
    """What decided between the best hands in `order` and the next, in words; empty if all tie."""
    if len(order) < 2:
        return NOTHING
    first, second = arranged[order[0][0]], arranged[order[1][0]]
    winner, loser = listed(order[0]), listed(order[1])
    if first.nines != second.nines:
        return say(
            "Nines decide: {winner} {more}, {loser} {fewer}.",
            winner=winner,
            more=first.nines,
            loser=loser,
            fewer=number_or_none(second.nines),
        )
    level = first.nines_in_words
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


# --- the showdown on a screen


class LaidCard(Struct, frozen=True):
    """A card as it is laid out: its rank, its value in a group, and whether the player held it."""

    rank: str
    worth: int
    own: bool


class ShownHand(Struct, frozen=True):
    """A hand at a showdown: the two cards of `player`, and the best arrangement of all seven."""

    player: str
    cards: tuple[str, ...]
    best: Arrangement

    @property
    def nines(self) -> Text:
        """How many nines it makes, in words: "seven nines"."""
        return NINES[self.best.nines]

    def laid(self) -> tuple[tuple[tuple[LaidCard, ...], ...], tuple[LaidCard, ...]]:
        """The groups and the unused cards, with the player's own two marked."""
        held = list(self.cards)

        def lay(rank: str) -> LaidCard:
            own = rank in held
            if own:
                held.remove(rank)
            return LaidCard(rank, VALUE[rank], own)

        groups = tuple(tuple(map(lay, group)) for group in self.best.groups)
        return groups, tuple(lay(rank) for group in self.best.unused for rank in group)


class Showdown(Struct, frozen=True):
    """A showdown so far: the `levels` of hands, best first, and the players still `to_come`.

    `why` says what decided between the best hands and the next.
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
        """What the best hand won with, and what the next had: "with two nines; Cy had one nine"."""
        best = self.levels[0][0]
        if len(self.levels) == 1:
            return say("with {nines}", nines=best.nines)
        second = self.levels[1]
        if best.best.nines == second[0].best.nines:
            return say("with {nines}. {why}", nines=best.nines, why=self.why)
        return say(
            "with {nines}; {players} had {fewer}",
            nines=best.nines,
            players=listed(hand.player for hand in second),
            fewer=second[0].nines,
        )


def showdown(state: HoldemState, shown: Mapping[str, str]) -> Showdown:
    """The showdown of the hands `shown` by player, empty if mucked; raises `NotationError`."""
    hands = _ranks(shown)
    best = {
        player: arrange((*state.board, *ranks))
        for player, ranks in hands.items()
        if len(ranks) == HOLE_CARDS and not rank_faults((*state.board, *ranks))
    }
    mucked = tuple(player for player, ranks in hands.items() if not ranks)
    royal = state.table.options.royal
    order = ranking(best, royal)
    return Showdown(
        tuple(tuple(ShownHand(name, hands[name], best[name]) for name in level) for level in order),
        mucked,
        tuple(name for name in map(state.name, state.betting.live) if name not in {*best, *mucked}),
        what_decided(best, order, royal),
    )


@lru_cache(CACHED_BOARDS)
def possible_hands(board: tuple[str, ...]) -> tuple[ShownHand, ...]:
    """The hands that any two cards of one pack make with this board, without a player."""
    known: dict[Packed, Leftover] = {}
    return tuple(
        ShownHand("", pair, arrange((*board, *pair), known))
        for pair in combinations_with_replacement(RANKS, HOLE_CARDS)
        if not rank_faults((*board, *pair))
    )


class PotWon(Struct, frozen=True):
    """A pot at the end of a hand: `why` it is no larger, who took it, and with which hands."""

    name: Text
    amount: int
    why: Text
    winners: tuple[str, ...]
    hands: tuple[ShownHand, ...]


class HandWon(Struct, frozen=True):
    """How a hand ended: what was shown, the chips each took, and the pots, main pot first.

    If everyone else folded, nothing was shown, and the pots are not listed separately.
    """

    showdown: Showdown
    takes: Mapping[str, int]
    pots: tuple[PotWon, ...]

    @property
    def winners(self) -> tuple[ShownHand, ...]:
        """The best hands that took chips; empty if none did."""
        return next(
            (level for level in self.showdown.levels if any(h.player in self.takes for h in level)),
            (),
        )


def hand_won(before: HoldemState, entry: Entry, lines: Sequence[Line]) -> HandWon | None:
    """How a hand ended; None if only its result was entered."""
    if isinstance(entry, Bet):
        return HandWon(Showdown((), (), (), NOTHING), _uncontested(_bet_on(before, entry)), ())
    if not isinstance(entry, Show):
        return None
    taken = change_by_player((one for one in lines if not one.opens), before.everybody)
    takes = {player: chips for player, chips in taken.items() if chips}
    shown = _shown_by_all(before, entry)
    return HandWon(shown, takes, tuple(_each_pot(before, shown)))


def _shown_by_all(before: HoldemState, entry: Show) -> Showdown:
    """The showdown that an entry records; whoever is left out has mucked."""
    mucked = dict.fromkeys(map(before.name, before.betting.live), "")
    return showdown(before, mucked | entry.hands)


def _bet_on(before: HoldemState, entry: Bet) -> HoldemState:
    return before.with_betting(before.betting.move(entry.move, entry.to or 0))


def _uncontested(after: HoldemState) -> dict[str, int]:
    """The pot that the last player left takes, without chips that go back; none while more are."""
    betting = after.betting
    if len(betting.live) > 1:
        return {}
    return {after.name(betting.live[0]): sum(betting.paid) - sum(betting.uncalled.values())}


def _each_pot(state: HoldemState, shown: Showdown) -> Iterator[PotWon]:
    """The pots of a hand, each with the best of the hands that could win it."""
    pots, paid, below = state.betting.pots, state.betting.paid, 0
    for pot, name, larger in zip(pots, pot_names(len(pots)), [*pots[1:], None], strict=True):
        why = NOTHING
        if below:
            more = sum(chips > below for chips in paid)
            why = say("from the {n} who put in more", n=more)
        if larger:  # players who are not in the next pot are all in
            all_in = [seat for seat in pot.players if seat not in larger.players]
            below = max(paid[seat] for seat in all_in)
            players = listed(map(state.name, all_in))
            limit = say("{players} all in with {chips}", players=players, chips=below)
            why = say("{why}; {limit}", why=why, limit=limit) if why else limit
        able = set(map(state.name, pot.players))
        best = next(
            (
                [one for one in level if one.player in able]
                for level in shown.levels
                if any(one.player in able for one in level)
            ),
            [],
        )
        winners = tuple(one.player for one in best) or tuple(able)
        if len(able) == 1:
            why = say("nobody else could win it")
        yield PotWon(name, pot.amount, why, winners, tuple(best))


def pot_feats(
    before: HoldemState, entry: Entry, lines: Sequence[Line]
) -> Iterator[tuple[str, str]]:
    """The feat of everybody who took a pot or a share of one, once a hand.

    If the betting was not followed, these are all who won chips.
    """
    took: Iterable[str] = ()
    match entry:
        case PlayedHand():
            took = [player for player, chips in entry.won.items() if chips]
        case Show():
            pots = _each_pot(before, _shown_by_all(before, entry))
            took = [player for pot in pots for player in pot.winners]
        case Bet():
            took = _uncontested(_bet_on(before, entry))
    for player in dict.fromkeys(took):
        yield player, "pot"


def _ranks(hands: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """The ranks in each hand; raises `NotationError`."""
    cards = typed_hands(hands, RANKS_ONLY).items()
    return {player: tuple(card.rank for card in hand) for player, hand in cards}


# --- an entry


def show_faults(state: HoldemState, entry: Show) -> Iterable[Fault]:
    """The faults of a showdown; a hand left out or empty is mucked. Raises `NotationError`."""
    if state.due != "show":
        yield not_yet(state)
        return
    hands = _ranks(entry.hands)
    for player, ranks in hands.items():
        seat = state.seat(player)
        if seat in state.betting.folded:
            says = say("{player} has folded, so has no hand to show.", player=player)
            yield fault("not-in-hand", says, "showdown")
        elif not state.stakes.held[seat]:
            says = say("{player} had no chips and wasn’t in this hand.", player=player)
            yield fault("not-in-hand", says, "showdown")
        elif ranks:
            yield from hole_faults(len(ranks), player)
    yield from rank_faults([*state.board, *(rank for ranks in hands.values() for rank in ranks)])
    pots = state.betting.pots
    for pot, name in zip(pots, pot_names(len(pots)), strict=True):
        players = [state.name(seat) for seat in sorted(pot.players)]
        # A hand that could not be read was shown: it is in the entry, though not in `hands`.
        unseen = all(not hands.get(player, player in entry.hands) for player in players)
        if len(players) > 1 and unseen:
            says = say(
                "{players} can’t all muck: one of them must show a hand to win {pot}.",
                players=listed(players),
                pot=name,
            )
            left_out = any(player not in entry.hands for player in players)
            yield fault("all-muck", says, "showdown").lacking("hand" if left_out else "")


def showdown_lines(state: HoldemState, entry: Show) -> list[Line]:
    """The lines of a showdown: what each player gets, and for which hand."""
    shown = {
        state.seat(player): arrange((*state.board, *ranks))
        for player, ranks in _ranks(entry.hands).items()
        if ranks
    }
    pots = state.betting.pots
    lines = [
        line
        for pot, called in zip(pots, pot_names(len(pots)), strict=True)
        for line in _pot_lines(state, pot, called, shown)
    ]
    paid = {line.player for line in lines}
    for seat in state.betting.live:
        player, reason, short = state.name(seat), say("mucked"), say("mucked")
        if seat in shown:
            reason = shown[seat].in_words()
            short = shown[seat].nines_in_words
        lines.append(note(player, short) if player in paid else Line(player, 0, reason, short))
    return lines


def _pot_lines(
    state: HoldemState, pot: Pot[int], name: Text, shown: Mapping[int, Arrangement]
) -> Iterable[Line]:
    if len(pot.players) == 1:
        reason = say("{pot}: nobody else could win it", pot=name)
        yield Line(state.name(pot.players[0]), pot.amount, reason, POT)
        return
    # The seats of a pot are in order from the left of the button: the order of odd chips.
    hands = {seat: shown[seat] for seat in pot.players if seat in shown}
    winners = ranking(hands, state.table.options.royal)[0]
    for seat, chips in equal_shares(pot.amount, winners).items():
        hand = shown[seat].in_words()
        reason = say("{pot} with {hand}", pot=name, hand=hand)
        if len(winners) > 1:
            reason = say(
                "a share of {pot} ({amount}) with {hand}", pot=name, amount=pot.amount, hand=hand
            )
        yield Line(state.name(seat), chips, reason, POT)


def uncontested_lines(state: HoldemState) -> list[Line]:
    """The lines of the last player left, after all others have folded."""
    ((name, pot),) = _uncontested(state).items()
    back = sum(state.betting.uncalled.values())
    lines = [Line(name, back, UNCALLED)] if back else []
    return [*lines, Line(name, pot, say("the pot: everyone else folded"), POT)]
