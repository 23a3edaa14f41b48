"""The house rules of Colorado Nines, and how grids are scored and checked (`docs/rules.md` §8)."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations_with_replacement
from operator import le
from typing import Annotated, Literal

from msgspec import Meta

from referee.rules.cards.card_keys import GridText
from referee.rules.cards.cards import (
    JOKER,
    RANKS_AND_JOKERS,
    VALUE,
    Card,
    CardReader,
    count_of,
    reading_cards,
    write_cards,
)
from referee.rules.core.asking import asked
from referee.rules.core.entries import Amount, Count
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Fault, Ruling, Spread, faults_of
from referee.rules.core.table import Line, Options, note
from referee.rules.text import Printed, Sum, Text, listed, say, say_many, say_number

SLUG = "colorado-nines"
fault = faults_of(SLUG)

COLUMNS = COLUMN_CARDS = 3
CARDS_EACH = COLUMNS * COLUMN_CARDS
MAX_PLAYERS = 8
MAX_PACKS = 8
PLAYERS_A_PACK = 3
SUITS, PACK, JOKERS_A_PACK = 4, 52, 2
JOKER_POINTS = 50
POINTS = {"J": 10, "Q": 10, "K": 0}  # others 1; an ace by house rule

# --- house rules

# The judge of grids asks for these, too.
Ace = Annotated[
    Count,
    asked(
        say("An ace counts"),
        say("The published rules leave it out; in other nine-card golf it’s 1."),
    ),
]
Jokers = Annotated[
    bool,
    asked(
        say("With jokers"), say("The published rules leave it to you: two in each pack, or none.")
    ),
]
TwoJokers = Annotated[
    Literal["count", "wild"],
    asked(
        say("Two jokers in a column"),
        say("A joker completes a pair, but two jokers leave no pair to complete."),
        choices={
            "count": say("count 50 each"),
            "wild": say("are wild: the column counts 0"),
        },
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` 0 is no limit; without `packs` the number of players decides."""

    rounds: Annotated[
        Count,
        asked(
            say("Rounds"),
            say("The published rules set no number; versions of nine rounds are common."),
            hint=say("0 = no limit"),
        ),
    ] = 9
    ace: Ace = 1
    jokers: Jokers = True
    two_jokers: TwoJokers = "count"
    packs: Annotated[
        Annotated[int, Meta(ge=1, le=MAX_PACKS)] | None,
        asked(
            say("Packs"),
            say("More cards make columns easier; one pack is enough for up to five players."),
            usual=say("one for up to three players, two for up to six, then three"),
        ),
    ] = None
    going_out: Annotated[
        Amount,
        asked(
            say("Points for going out first"),
            say("Golf players often reward it, or punish it when somebody has fewer points."),
            hint=say("−5 takes five points off, 5 adds five."),
        ),
    ] = 0
    going_out_if: Annotated[
        Literal["always", "fewest", "not-fewest"],
        asked(
            say("Whoever goes out first gets those points"),
            say("A bonus usually needs the fewest points; a penalty is for not having them."),
            choices={
                "always": say("always"),
                "fewest": say("only with the fewest points of the round"),
                "not-fewest": say("only if somebody has fewer"),
            },
        ),
    ] = "always"

    def in_words(self, players: int) -> Mapping[str, int | Text]:
        """The number of packs, and that 0 rounds are no limit."""
        packs = {"packs": self.packs_for(players)}
        return packs if self.rounds else {"rounds": say("no limit"), **packs}

    def packs_for(self, players: int) -> int:
        """The number of packs shuffled together for this many players."""
        return self.packs or -(-players // PLAYERS_A_PACK)

    def cards_in(self, packs: int) -> int:
        """The number of cards in these packs, with their jokers if played."""
        return packs * (PACK + JOKERS_A_PACK * self.jokers)


# --- grids

Column = tuple[Card, ...]
Grid = tuple[Column, ...]


def column_points(column: Sequence[Card], ace: int, two_jokers: TwoJokers) -> int:
    """The points of a column of up to three cards; the order does not matter.

    Three of a rank or three jokers count 0, and so do two of a rank with a joker; otherwise every
    card counts (`docs/rules.md` §8, score). With `two_jokers` "wild", two jokers and any third card
    count 0 as well.
    """
    ranks = [card.rank for card in column if card.rank != JOKER]
    jokers = len(column) - len(ranks)
    alike = len(column) == COLUMN_CARDS and len(set(ranks)) <= 1
    if alike and (jokers != 2 or two_jokers == "wild"):
        return 0
    values = {**POINTS, "A": ace}
    return JOKER_POINTS * jokers + sum(values.get(rank, 1) for rank in ranks)


def read_grid(text: str, reader: CardReader, where: Text) -> Grid:
    """The columns written in `text`, padded to three with empty ones; faults go to `reader`."""
    columns = [reader.cards(part, RANKS_AND_JOKERS, where) for part in text.split("|")]
    return tuple(columns) + ((),) * (COLUMNS - len(columns))


def read_grids(grids: Mapping[str, str | int]) -> dict[str, Grid]:
    """The grids entered as cards, by player; raises `NotationError` with every bad card."""
    with reading_cards() as reader:
        return {
            player: read_grid(grid, reader, say("{player}’s grid", player=player))
            for player, grid in grids.items()
            if isinstance(grid, str)
        }


def grid_lines(rules: HouseRules, player: str, grid: Grid) -> Iterator[Line]:
    """The line that scores a player's grid, after a note of any columns that count 0."""
    points = [column_points(column, rules.ace, rules.two_jokers) for column in grid]
    cleared = points.count(0)
    if cleared:
        words = say_many("{n} column cleared", "{n} columns cleared", n=cleared)
        yield note(player, words, say("{n} cleared", n=cleared))
    columns = listed(
        say("{cards} = {points}", cards=Printed(write_cards(column)), points=counts)
        for column, counts in zip(grid, points, strict=True)
    )
    worked = Sum(tuple(counts for counts in points if counts))
    yield Line(player, worked.total, say("{columns}", columns=columns), worked=worked)


# --- what can be wrong


def grid_faults(grid: Grid, *, jokers: bool, player: str = "") -> Iterator[Fault]:
    """Faults in one grid by itself, of `player` if given; `jokers`: whether the packs have any."""
    whose = say("{player}’s grid", player=player) if player else say("The grid")
    unparted = len(grid[0]) > COLUMN_CARDS and not any(grid[1:])
    if len(grid) > COLUMNS or unparted:
        says = say("{grid} needs three columns of three cards, with | between columns.", grid=whose)
        yield fault("grid-columns", says, "deal")
    else:
        for place, column in enumerate(grid, start=1):
            if len(column) != COLUMN_CARDS:
                which = say("Column {place}", place=place)
                if player:
                    which = say("Column {place} of {player}’s grid", place=place, player=player)
                says = say_many(
                    "{column} has {n} card; it needs three.",
                    "{column} has {n} cards; it needs three.",
                    n=len(column),
                    column=which,
                )
                yield fault("column-size", says, "deal").lacking("more")
    if not jokers and any(card.rank == JOKER for card in chain(*grid)):
        says = say("{grid} has a joker, but you’re playing without jokers.", grid=whose)
        yield fault("no-jokers", says, "deal")


def census_faults(grids: Mapping[str, Grid], options: HouseRules, packs: int) -> Iterator[Fault]:
    """Faults for ranks, and jokers, of which the players’ `grids` have more than the packs."""
    held = {
        player: Counter(card.rank for column in grid for card in column)
        for player, grid in grids.items()
    }
    cards = sum(held.values(), Counter[str]())
    there = dict.fromkeys(VALUE, SUITS * packs)
    if options.jokers:
        there[JOKER] = JOKERS_A_PACK * packs
    for rank, most in there.items():
        if cards[rank] > most:
            says = say_many(
                "{cards} in the grids, but one pack has {most}. Check {players}.",
                "{cards} in the grids, but {n} packs have {most}. Check {players}.",
                n=packs,
                players=listed(player for player in held if held[player][rank]),
                cards=count_of(cards[rank], rank),
                most=most,
            )
            code = "too-many-jokers" if rank == JOKER else "too-many-of-rank"
            yield fault(code, says, "deal")


# --- the possible points of a grid, to check points counted at the table

#: Ranks that may run out within one grid. Cards from 2 to 10 all count 1 and never run out, so
#: three ranks stand for all of them.
_SCARCE = ("A", "J", "Q", "K", JOKER)
_PLENTY = ("2", "3", "4")

_Used = tuple[int, ...]


@lru_cache(maxsize=64)
def possible_points(options: HouseRules, packs: int) -> tuple[int, ...]:
    """All the points that a grid from this many packs can count, in ascending order."""
    there = (*(SUITS * packs,) * 4, JOKERS_A_PACK * packs * options.jokers)

    def enough(used: _Used) -> bool:
        return all(number <= most for number, most in zip(used, there, strict=True))

    columns: dict[int, list[_Used]] = {}  # by points: the scarce cards in such a column
    for ranks in combinations_with_replacement((*_SCARCE, *_PLENTY), COLUMN_CARDS):
        takes = tuple(map(ranks.count, _SCARCE))
        if enough(takes):
            points = column_points([Card(rank) for rank in ranks], options.ace, options.two_jokers)
            columns.setdefault(points, []).append(takes)
    # Columns that take more of the scarce cards for the same points allow no further grids.
    thrifty = {
        (points, takes)
        for points, found in columns.items()
        for takes in found
        if not any(other != takes and all(map(le, other, takes)) for other in found)
    }
    grids: set[tuple[int, _Used]] = {(0, (0,) * len(_SCARCE))}
    for _ in range(COLUMNS):
        grids = {
            (points + more, together)
            for points, used in grids
            for more, takes in thrifty
            if enough(together := tuple(map(sum, zip(used, takes, strict=True))))
        }
    return tuple(sorted({points for points, _ in grids}))


# --- the judge of grids, complete or not


@judge("grid", say("What does this grid count?"), section="score", yes_or_no=False)
def grid_judge(
    columns: Annotated[GridText, asked(say("The grid, column by column"))] = "",
    ace: Ace = 1,
    jokers: Jokers = True,
    two_jokers: TwoJokers = "count",
) -> Ruling:
    """The points of a grid, in all and by column; legal once the grid is complete."""
    with reading_cards() as reader:
        grid = read_grid(columns, reader, say("the grid"))
    points = [column_points(column, ace, two_jokers) for column in grid]
    total = sum(points)
    if not any(grid):
        says = say("No cards yet.")
    elif all(len(column) == COLUMN_CARDS for column in grid):
        says = say_many("{n} point.", "{n} points.", n=total)
    else:
        says = say_many("{n} point so far.", "{n} points so far.", n=total)
    faults = tuple(grid_faults(grid, jokers=jokers))
    spreads = tuple(
        Spread(tuple(map(str, column)), say_number(counts), upright=True)
        for column, counts in zip(grid, points, strict=True)
        if column
    )
    return Ruling(faults, {"points": total, "columns": points}, (says,), spreads=spreads)
