"""The score sheet of Colorado Nines (`docs/rules.md` §8).

Everybody has nine cards in three columns of three; a column of one rank counts nothing, and the
fewest points win. The turns are not followed: a round is recorded as grids, or as their points.
"""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from referee.rules.cards.card_keys import GridText
from referee.rules.core.asking import called
from referee.rules.core.entries import Amount, Entry, EntryKind, Played, Player
from referee.rules.core.game import Game
from referee.rules.core.judge import Judge
from referee.rules.core.parts import Deals, Pad, Steps
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Source, State, Table, change_by_player
from referee.rules.games.colorado_nines.going_out import going_out_lines, going_out_says
from referee.rules.games.colorado_nines.grid_judge import GRID_JUDGE
from referee.rules.games.colorado_nines.grids import (
    census_faults,
    grid_faults,
    grid_lines,
    read_grids,
)
from referee.rules.games.colorado_nines.house_rules import HouseRules
from referee.rules.games.colorado_nines.possible import possible_points
from referee.rules.games.colorado_nines.terms import (
    CARDS_EACH,
    JOKERS_A_PACK,
    MAX_PLAYERS,
    SLUG,
)
from referee.rules.games.colorado_nines.turn_judges import TURN_JUDGES
from referee.rules.text import Text, say, say_many


class Last(Entry, frozen=True, tag="last"):
    """`player` has nine cards face up: the others have one more turn each."""

    player: Annotated[Player, called(say("who has nine cards face up"))]


class Grids(Entry, frozen=True, tag="grids"):
    """The grids at the end of a round: columns of cards, parted by `|`, or points counted.

    `out`: who went out first, where house rules need to know and no `last` has said so.
    """

    grids: Annotated[
        dict[Player, GridText | Amount],
        called(
            say("the grids"),
            lambda player: say("{player}’s grid", player=player),
            wanted=say("cards in three columns, such as J J J | 5 5 7 | A K Q, or their points"),
        ),
    ]
    out: Annotated[Player | None, called(say("who went out first"))] = None


class ColoradoState(State[HouseRules], frozen=True, kw_only=True):
    """`out`: the seat that has nine cards face up in this round, once somebody has."""

    out: int | None = None


def _begin_deal(state: ColoradoState) -> Played[ColoradoState]:
    """Nobody has nine cards face up."""
    return replace(state, out=None), []


def _beside_total(state: ColoradoState) -> Mapping[str, Text]:
    """Who has nine cards face up."""
    return {} if state.out is None else {state.name(state.out): say("nine up")}


def _card(state: ColoradoState, steps: Steps) -> Steps:
    """Once somebody has nine cards face up: who still has a turn."""
    if state.out is None:
        return steps
    others = [state.name(seat) for seat in state.table.clockwise_from(state.out)[1:]]
    return (
        say("{player} has nine cards face up", player=state.name(state.out)),
        *(say("{player} has one more turn", player=player) for player in others),
        say("Turn everything up and count"),
    )


class ColoradoNines(Game[ColoradoState, HouseRules]):
    """Nine cards in a square, swapped and turned up one by one; the fewest points win."""

    slug = SLUG
    title = say("Colorado Nines")
    summary = say("Nine cards in a square: line up columns of one rank and keep your points low.")
    sources = (
        Source(
            say("“Colorado Nines (A Game),” actthegiddygoat.com, 2018"),
            say(
                "The grid, the turns, the last turns, and the points. It doesn’t say what an ace "
                "counts, how many can play, or who begins."
            ),
        ),
        Source(
            say("Descriptions of nine-card golf: Wikipedia, ourpastimes.com, phantomranch"),
            say("An ace is 1; one pack for two or three players, more packs for more."),
        ),
    )
    sections = {
        "deal": say("the deal"),
        "turns": say("turns"),
        "last-turns": say("last turns"),
        "score": say("the score"),
        "end": say("the end"),
    }
    deal_called = "round"
    house_rules = HouseRules
    state = ColoradoState
    deals = Deals(agreed=lambda rules: rules.rounds, begin=_begin_deal, again=_begin_deal)
    pad = Pad(card=_card, beside_total=_beside_total)

    def lowest_wins(self, table: Table[HouseRules]) -> bool:
        """The fewest points win."""
        return True

    def own_entries(self) -> tuple[EntryKind[ColoradoState, Any], ...]:
        """Last turns begin; a round is over."""
        return (
            EntryKind(Last, self.play_last, self.last_faults),
            EntryKind(Grids, self.play_grids, self._every_grid_faults, self._out_faults),
        )

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """What a grid counts, the two cards turned up at first, and turns."""
        return (GRID_JUDGE, *TURN_JUDGES)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Nine each, a card for the discard pile and at least one for the stock."""
        if options.packs is None:
            return range(2, MAX_PLAYERS + 1)
        return range(2, min(MAX_PLAYERS, (options.cards_in(options.packs) - 2) // CARDS_EACH) + 1)

    def packs(self, options: HouseRules, players: int) -> int:
        """As many as the house rules say, or what so many players need."""
        return options.packs_for(players)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Nine each, face down; one of the others begins the discard pile."""
        players = len(table.players)
        packs = table.options.packs_for(players)
        deck = table.options.cards_in(packs)
        stock = deck - CARDS_EACH * players
        says = (
            say(
                "{dealer} deals {each} each, face down",
                dealer=table.players[dealer],
                each=CARDS_EACH,
            ),
            _packs(packs, jokers=table.options.jokers),
            say("Turn up one of the other {stock} for the discard pile", stock=stock),
            say("Everyone lays theirs out three by three and turns two up in different columns"),
            say("{player} begins", player=table.players[table.left_of(dealer)]),
        )
        return Deal(
            number, CARDS_EACH, stock, say("stock"), deck, (*says, *going_out_says(table.options))
        )

    # --- entries

    def last_faults(self, state: ColoradoState, entry: Last) -> Iterator[Fault]:
        """Last turns begin once a round."""
        if state.out is not None:
            says = say(
                "Last turns have already begun: {player} had nine cards face up first. Enter the "
                "grids.",
                player=state.name(state.out),
            )
            yield self.fault("last-turns", says, "last-turns")

    def play_last(self, state: ColoradoState, entry: Last) -> Played[ColoradoState]:
        """Note who has nine cards face up."""
        return replace(state, out=state.seat(entry.player)), []

    def _every_grid_faults(self, state: ColoradoState, entry: Grids) -> Iterator[Fault]:
        """Everybody's grid or points, and no more cards in all of them than the packs have."""
        options = state.table.options
        grids = read_grids(entry.grids)
        packs = options.packs_for(len(state.table.players))
        possible = possible_points(options, packs)
        for player in state.table.players:
            counted = entry.grids.get(player)
            if isinstance(counted, int):
                yield from self._points_faults(player, counted, possible)
            elif player not in entry.grids or (counted is not None and not counted.strip()):
                says = say(
                    "{player}’s grid is missing. Enter the cards or the points.", player=player
                )
                yield self.fault("grid-missing", says, "score").lacking("more")
            elif counted is not None:
                yield from grid_faults(grids[player], jokers=options.jokers, player=player)
        yield from census_faults(grids.values(), options, packs)

    def _out_faults(self, state: ColoradoState, entry: Grids) -> Iterator[Fault]:
        """Who went out first, where points go by it, is one and the same player."""
        told = None if state.out is None else state.name(state.out)
        if entry.out is not None and told not in (None, entry.out):
            says = say(
                "{told} had nine cards face up first, not {player}.", told=told, player=entry.out
            )
            yield self.fault("out-first", says, "last-turns")
        elif state.table.options.going_out and entry.out is None and told is None:
            says = say("Say who went out first.")
            yield self.fault("out-missing", says, "last-turns").lacking("more")

    def _points_faults(self, player: str, points: int, possible: Sequence[int]) -> Iterator[Fault]:
        """Points that no nine cards of these packs make; `possible` are in order."""
        most = possible[-1]
        if not 0 <= points <= most:
            says = say(
                "{player}’s nine cards can count 0 to {most} points, not {points}.",
                player=player,
                most=most,
                points=points,
            )
            yield self.fault("points-range", says, "score")
        elif points not in possible:
            above = bisect(possible, points)
            says = say(
                "{player}’s nine cards can’t count {points} points here; the nearest they can is "
                "{below} or {above}.",
                player=player,
                points=points,
                below=possible[above - 1],
                above=possible[above],
            )
            yield self.fault("points-impossible", says, "score")

    def play_grids(self, state: ColoradoState, entry: Grids) -> Played[ColoradoState]:
        """Score a round: a line for each grid, or for points that were counted."""
        options = state.table.options
        grids = read_grids(entry.grids)
        lines = list[Line]()
        for player in state.table.players:
            counted = entry.grids[player]
            if isinstance(counted, int):
                lines.append(Line(player, counted, say("counted at the table")))
            else:
                lines.extend(grid_lines(options, player, grids[player]))
        out = _out_first(state, entry)
        if out is not None:
            lines.extend(
                going_out_lines(options, out, change_by_player(lines, state.table.players))
            )
        return self.end_deal(state, lines)


def _out_first(state: ColoradoState, entry: Grids) -> str | None:
    """Who went out first, where the last turns or the grids say so."""
    return entry.out if state.out is None else state.name(state.out)


def _packs(packs: int, *, jokers: bool) -> Text:
    if jokers:
        return say_many(
            "Use one pack with {jokers} jokers",
            "Use {n} packs with {jokers} jokers",
            n=packs,
            jokers=JOKERS_A_PACK * packs,
        )
    return say_many("Use one pack without jokers", "Use {n} packs without jokers", n=packs)


GAME = ColoradoNines()
