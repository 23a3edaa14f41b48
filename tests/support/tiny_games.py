"""Minimal games, to test what all games share.

In Most Points the winner of a deal scores; in Little Pot all players stake a counter in each
deal, and the winner takes the pool.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec import Meta
from msgspec.structs import replace

from referee.rules.core.asking import asked, called
from referee.rules.core.entries import (
    Abandon,
    Adjust,
    Buy,
    Count,
    Entry,
    EntryKind,
    Played,
    Player,
    Positive,
    Rule,
)
from referee.rules.core.game import Game
from referee.rules.core.parts import Counters, Deals, Elimination, Moves, Pad, Steps, Turns
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import (
    Deal,
    Line,
    Need,
    Options,
    Source,
    State,
    Table,
    best_scores,
    first_past,
    scored,
)
from referee.rules.text import say, say_many

MAX_PER_DEAL = 9


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """The score and the number of deals that end the game; 0 for none."""

    target: Annotated[Count, asked(say("Play to"))] = 10
    deals: Annotated[Count, asked(say("Number of deals"))] = 0


class Hint(Entry, frozen=True, tag="hint"):
    """`player` has looked at the cards, once a deal."""

    player: Player


class Win(Entry, frozen=True, tag="win"):
    """`player` won the deal with `points`, perhaps with helpers."""

    player: Annotated[Player, called(say("who won"))]
    points: Annotated[int, Meta(ge=-99, le=99)] = 1
    helpers: list[Player] = []


class TinyState(State[HouseRules], frozen=True, kw_only=True):
    """`hints`: the seats that have looked at the cards of this deal."""

    hints: tuple[int, ...] = ()


def _deal(state: TinyState) -> Played[TinyState]:
    """Clear the hints."""
    return replace(state, hints=()), []


def _needs(state: TinyState) -> tuple[Need, ...]:
    """How often each player has looked."""
    return tuple(
        Need(name, state.hints.count(seat), say("hints"))
        for seat, name in enumerate(state.table.players)
    )


def _card(state: TinyState, steps: Steps) -> Steps:
    """Add the number of hints."""
    return (*steps, say_many("{n} hint.", "{n} hints.", n=len(state.hints)))


class MostPoints(Game[TinyState, HouseRules]):
    """A deal is won with up to nine points; the most win, or the first to the target."""

    slug = "most-points"
    title = say("Most Points")
    summary = say("Win deals.")
    sources = (Source(say("Nobody"), say("Everything.")),)
    sections = {"deal": say("the deal"), "play": say("play")}
    house_rules = HouseRules
    state = TinyState
    deals = Deals(agreed=lambda rules: rules.deals, begin=_deal, again=_deal)
    turns = Turns(acts=lambda state: state.table.left_of(state.dealer))
    pad = Pad(card=_card, needs=_needs)

    def own_entries(self) -> tuple[EntryKind[TinyState, Any], ...]:
        """Hints and wins."""
        return (
            EntryKind(Hint, self.play_hint, self.hint_faults),
            EntryKind(Win, self.play_win, self._points_faults, self._helper_faults),
        )

    def seats(self, options: HouseRules) -> range:
        """Two to four."""
        return range(2, 5)

    def option_faults(self, table: Table[HouseRules]) -> list[Fault]:
        """A fault if neither a target nor a number of deals is agreed."""
        if table.options.target or table.options.deals:
            return []
        return [shared_fault("no-end", say("Agree on a target or a number of deals."), "options")]

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Five each from twenty, the rest to the side."""
        left = 20 - 5 * len(table.players)
        says = (say("{dealer} deals.", dealer=table.players[dealer]),)
        return Deal(number, 5, left, say("side"), 20, says)

    def target(self, table: Table[HouseRules]) -> int | None:
        """The agreed score."""
        return table.options.target or None

    def result(self, state: TinyState, *, played_out: bool) -> tuple[int, ...]:
        """The first past the target, or the best after the last deal."""
        options = state.table.options
        if played_out:
            return best_scores(state.scores, lowest=self.lowest_wins(state.table))
        return first_past(state.scores, options.target) if options.target else ()

    def own_rules(self) -> Mapping[type[Entry], Sequence[Rule[TinyState, Any]]]:
        """No penalty, no void deal and no purchase once everybody has looked."""
        return dict.fromkeys((Adjust, Abandon, Buy), (self._looked_faults,))

    def _looked_faults(self, state: TinyState, entry: Adjust | Abandon | Buy) -> list[Fault]:
        if len(state.hints) < len(state.table.players):
            return []
        return [self.fault("all-looked", say("Everyone has looked."), "play")]

    def hint_faults(self, state: TinyState, entry: Hint) -> Iterator[Fault]:
        """A fault at a player's second hint in a deal."""
        if state.seat(entry.player) in state.hints:
            says = say("{player} has looked already.", player=entry.player)
            yield self.fault("hint-twice", says, "play")

    def play_hint(self, state: TinyState, entry: Hint) -> Played[TinyState]:
        """Record the hint."""
        return replace(state, hints=(*state.hints, state.seat(entry.player))), []

    def _points_faults(self, state: TinyState, entry: Win) -> Iterator[Fault]:
        if not 1 <= entry.points <= MAX_PER_DEAL:
            says = say("A deal is won with 1 to {most} points.", most=MAX_PER_DEAL)
            yield self.fault("points", says, "play")

    def _helper_faults(self, state: TinyState, entry: Win) -> Iterator[Fault]:
        if entry.player in entry.helpers:
            yield self.fault("helper", say("The winner can’t help the winner."), "play")

    def play_win(self, state: TinyState, entry: Win) -> Played[TinyState]:
        """The winner scores."""
        return self.end_deal(state, [Line(entry.player, entry.points, say("won"))])


class FewestPoints(MostPoints):
    """Most Points in which the fewest points win."""

    slug = "fewest-points"

    def lowest_wins(self, table: Table[HouseRules]) -> bool:
        """The fewest points win."""
        return True


class LastOneIn(FewestPoints):
    """Fewest Points in which a player who reaches the target is out."""

    slug = "last-one-in"
    elimination = Elimination(
        lambda state, player: state.totals[player] >= state.table.options.target
    )

    def target(self, table: Table[HouseRules]) -> None:
        """None: the target puts players out."""

    def result(self, state: TinyState, *, played_out: bool) -> tuple[int, ...]:
        """The fewest points win, once too few players are left."""
        return best_scores(state.scores, lowest=True) if played_out else ()


class Nobody(Entry, frozen=True, tag="nobody"):
    """Nobody won the deal; the pool stays."""


class Takes(Entry, frozen=True, tag="takes"):
    """`player` won the deal and takes the pool."""

    player: Player


class PotRules(Options, frozen=True, forbid_unknown_fields=True):
    """The number of deals."""

    deals: Annotated[Positive, asked(say("Number of deals"))] = 2


PotState = State[PotRules]


def _stake(state: PotState) -> Played[PotState]:
    """Everybody stakes a counter."""
    moves = Moves(state.pools)
    for player in state.table.players:
        moves.stake(player, "pot", 1, say("stake"))
    return replace(scored(state, moves.lines), pools=moves.pools), moves.lines


class LittlePot(Game[PotState, PotRules]):
    """Every player stakes a counter in each deal; what is left in the end is divided."""

    slug = "little-pot"
    title = say("Little Pot")
    summary = say("Take the pot.")
    sources = (Source(say("Nobody"), say("Everything.")),)
    unit = "counter"
    sections = {"deal": say("the deal")}
    house_rules = PotRules
    state = PotState
    deals = Deals(agreed=lambda rules: rules.deals, begin=_stake)
    counters = Counters(each=lambda rules: 10, pools={"pot": say("pot"), "side": say("side pot")})

    def own_entries(self) -> tuple[EntryKind[PotState, Any], ...]:
        """Somebody wins the deal, or nobody."""
        return (EntryKind(Takes, self.play_takes), EntryKind(Nobody, self.play_nobody))

    def seats(self, options: PotRules) -> range:
        """Exactly three."""
        return range(3, 4)

    def plan(self, table: Table[PotRules], number: int, dealer: int) -> Deal:
        """One card each, none left over."""
        return Deal(number, 1, 0, say("table"), 3)

    def play_takes(self, state: PotState, entry: Takes) -> Played[PotState]:
        """The pot goes to the winner."""
        moves = Moves(state.pools)
        moves.sweep("pot", entry.player, say("the pot"))
        return self.end_deal(replace(state, pools=moves.pools), moves.lines)

    def play_nobody(self, state: PotState, entry: Nobody) -> Played[PotState]:
        """The pot stays where it is."""
        return self.end_deal(state, [])
