"""The score sheet of Colorado Nines (`docs/rules.md` §8): a round is grids of cards, or points."""

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from msgspec.structs import replace

from referee.rules.cards.card_keys import GridText
from referee.rules.core.asking import asked
from referee.rules.core.entries import Amount, Entry, EntryKind, Played, Player
from referee.rules.core.game import Game
from referee.rules.core.parts import Deals, Goal, Pad, Steps
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Source, State, Table, change_by_player, note
from referee.rules.games.colorado_nines.grids import (
    CARDS_EACH,
    JOKERS_A_PACK,
    MAX_PLAYERS,
    SLUG,
    HouseRules,
    census_faults,
    fault,
    grid_faults,
    grid_judge,
    grid_lines,
    possible_points,
    read_grids,
)
from referee.rules.games.colorado_nines.turns import opening_judge, turn_judge
from referee.rules.text import Printed, Text, say, say_many


class Last(Entry, frozen=True, tag="last"):
    """`player` has nine cards face up: the others have one more turn each."""

    player: Annotated[Player, asked(say("who has nine cards face up"))]


class Grids(Entry, frozen=True, tag="grids"):
    """Each player's grid at the end of a round: three columns of cards between `|`, or its points.

    `out` is who went out first: needed if a house rule scores that and no `last` entry says it.
    """

    grids: Annotated[
        dict[Player, GridText | Amount],
        asked(
            say("the grids"),
            of=say("{player}’s grid"),
            wanted=say(
                "cards in three columns, such as {cards}, or their points",
                cards=Printed("J J J | 5 5 7 | A K Q"),
            ),
        ),
    ]
    out: Annotated[Player | None, asked(say("who went out first"))] = None


class ColoradoState(State[HouseRules], frozen=True, kw_only=True):
    """A sheet; `out` is the first seat with nine cards face up in this round, or None."""

    out: int | None = None

    @property
    def first_out(self) -> str | None:
        """The player in seat `out`, or None."""
        return None if self.out is None else self.name(self.out)


def _begin_deal(state: ColoradoState) -> Played[ColoradoState]:
    return replace(state, out=None), []


def _beside_total(state: ColoradoState) -> Mapping[str, Text]:
    return {} if state.first_out is None else {state.first_out: say("nine up")}


def _card(state: ColoradoState, steps: Steps) -> Steps:
    """The `steps` or, once a player has nine cards face up, the last turns."""
    if state.out is None:
        return steps
    out, *others = map(state.name, state.table.clockwise_from(state.out))
    return (
        say("{player} has nine cards face up", player=out),
        *(say("{player} has one more turn", player=player) for player in others),
        say("Turn everything up and count"),
    )


class ColoradoNines(Game[ColoradoState, HouseRules]):
    """Nine cards in a square, swapped and turned up one by one; the fewest points win."""

    slug = SLUG
    title = say("Colorado Nines")
    summary = say("Nine cards in a square: line up columns of one rank and keep your points low.")
    emblem = "5 5 5"
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
    goal = Goal(lowest_wins=lambda rules: True)
    deals = Deals(
        agreed=lambda rules: rules.rounds,
        packs=lambda rules, players: rules.packs_for(players),
        begin=_begin_deal,
        again=_begin_deal,
    )
    pad = Pad(card=_card, beside_total=_beside_total)
    own_judges = (grid_judge, opening_judge, turn_judge)

    def own_entries(self) -> tuple[EntryKind[ColoradoState, Any], ...]:
        """The start of the last turns, and the end of a round."""
        return (
            EntryKind(Last, self._play_last, self._last_faults),
            EntryKind(
                Grids, self._play_grids, self._every_grid_faults, self._out_faults, by_hand=True
            ),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """2 to 8; fixed packs must leave a card for the discard pile and one for the stock."""
        if options.packs is None:
            return range(2, MAX_PLAYERS + 1)
        return range(2, min(MAX_PLAYERS, (options.cards_in(options.packs) - 2) // CARDS_EACH) + 1)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Nine cards each, face down, and one turned up for the discard pile."""
        rules, players = table.options, len(table.players)
        packs = rules.packs_for(players)
        deck = rules.cards_in(packs)
        stock = deck - CARDS_EACH * players
        if rules.jokers:
            pack = say_many(
                "Use one pack with {jokers} jokers",
                "Use {n} packs with {jokers} jokers",
                n=packs,
                jokers=JOKERS_A_PACK * packs,
            )
        else:
            pack = say_many("Use one pack without jokers", "Use {n} packs without jokers", n=packs)
        says = (
            say(
                "{dealer} deals {each} each, face down",
                dealer=table.players[dealer],
                each=CARDS_EACH,
            ),
            pack,
            say("Turn up one of the other {stock} for the discard pile", stock=stock),
            say("Everyone lays theirs out three by three and turns two up in different columns"),
            say("{player} begins", player=table.players[table.left_of(dealer)]),
            *_going_out_says(rules),
        )
        return Deal(CARDS_EACH, stock, say("stock"), deck, says)

    # --- entries

    def _last_faults(self, state: ColoradoState, entry: Last) -> Iterator[Fault]:
        if state.first_out is not None:
            says = say(
                "Last turns have already begun: {player} had nine cards face up first. Enter the "
                "grids.",
                player=state.first_out,
            )
            yield fault("last-turns", says, "last-turns")

    def _play_last(self, state: ColoradoState, entry: Last) -> Played[ColoradoState]:
        return replace(state, out=state.seat(entry.player)), []

    def _every_grid_faults(self, state: ColoradoState, entry: Grids) -> Iterator[Fault]:
        """Faults in each player's grid or points, and cards that the packs don't have."""
        options = state.table.options
        grids = read_grids(entry.grids)
        packs = options.packs_for(len(state.table.players))
        for player in state.table.players:
            counted = entry.grids.get(player)
            if isinstance(counted, int):
                yield from _points_faults(player, counted, possible_points(options, packs))
            elif player not in entry.grids or (counted is not None and not counted.strip()):
                says = say(
                    "{player}’s grid is missing. Enter the cards or the points.", player=player
                )
                missing = fault("grid-missing", says, "score")
                yield missing.lacking("hand" if entry.grids else "more")
            elif counted is not None:
                yield from grid_faults(grids[player], jokers=options.jokers, player=player)
        yield from census_faults(grids, options, packs)

    def _out_faults(self, state: ColoradoState, entry: Grids) -> Iterator[Fault]:
        """Faults if `out` is missing but scores, or contradicts the `last` entry."""
        first = state.first_out
        if first is not None and entry.out not in (None, first):
            says = say(
                "{told} had nine cards face up first, not {player}.", told=first, player=entry.out
            )
            yield fault("out-first", says, "last-turns")
        elif state.table.options.going_out and entry.out is None and first is None:
            says = say("Say who went out first.")
            yield fault("out-missing", says, "last-turns").lacking("more")

    def _play_grids(self, state: ColoradoState, entry: Grids) -> Played[ColoradoState]:
        """Score a round: lines for each grid, or for points counted at the table.

        While the entry is being filled in, only the grids so far count, and not going out.
        """
        options = state.table.options
        players = [player for player in state.table.players if entry.grids.get(player, "") != ""]
        grids = read_grids(entry.grids)
        lines = list[Line]()
        for player in players:
            counted = entry.grids[player]
            if isinstance(counted, int):
                lines.append(Line(player, counted, say("counted at the table")))
            else:
                lines.extend(grid_lines(options, player, grids[player]))
        out = state.first_out or entry.out
        if out is not None and options.going_out and len(players) == len(state.table.players):
            lines.append(_going_out_line(options, out, change_by_player(lines, players)))
        return self.end_deal(state, lines)


def _points_faults(player: str, points: int, possible: Sequence[int]) -> Iterator[Fault]:
    """A fault unless `points` are among the `possible` ones, which are ascending."""
    most = possible[-1]
    if not 0 <= points <= most:
        says = say(
            "{player}’s nine cards can count 0 to {most} points, not {points}.",
            player=player,
            most=most,
            points=points,
        )
        yield fault("points-range", says, "score")
    elif points not in possible:
        above = bisect(possible, points)
        says = say(
            "{player}’s nine cards can’t count {points} here; the nearest they can is {below} "
            "or {above}.",
            player=player,
            points=points,
            below=possible[above - 1],
            above=possible[above],
        )
        yield fault("points-impossible", says, "score")


# --- a bonus or a penalty for going out first

#: When it counts, by house rule: on the deal card, and where it is scored.
_GOING_OUT = {
    "always": (say("Going out first"), say("went out first")),
    "fewest": (
        say("Going out first with the fewest points"),
        say("went out first, with the fewest points"),
    ),
    "not-fewest": (
        say("Going out first without the fewest points"),
        say("went out first, but somebody had fewer points"),
    ),
}


def _going_out_line(rules: HouseRules, out: str, points: Mapping[str, int]) -> Line:
    """The penalty or bonus (negative) of `out`, who went out first; a note if there is none."""
    short = say("out first")
    fewest = points[out] == min(points.values())
    if rules.going_out_if == ("not-fewest" if fewest else "fewest"):
        return note(out, short)
    _, why = _GOING_OUT[rules.going_out_if]
    return Line(out, rules.going_out, why, short)


def _going_out_says(rules: HouseRules) -> Iterator[Text]:
    """The penalty or bonus as a step of the deal card, if there is one."""
    when, _ = _GOING_OUT[rules.going_out_if]
    points = abs(rules.going_out)
    if rules.going_out > 0:
        yield say_many("{when} adds {n} point", "{when} adds {n} points", n=points, when=when)
    elif points:
        yield say_many(
            "{when} takes off {n} point", "{when} takes off {n} points", n=points, when=when
        )


GAME = ColoradoNines()
