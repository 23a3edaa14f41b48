"""Colorado Nines (`rules.md` §8).

Everybody has nine cards in three columns of three; a column of one rank counts nothing, and the
fewest points win. The turns are not followed: a round is entered as grids, or as their points.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.rules.cards.cards import (
    JOKER,
    RANKS_AND_JOKERS,
    VALUE,
    Card,
    CardReader,
    GridText,
    count_of,
    reading_cards,
    write_cards,
)
from referee.rules.core.entries import Amount, Count, Entry, Player
from referee.rules.core.game import Game, best_scores
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.core.spread import Spread
from referee.rules.core.table import Deal, Options, Source, State, Table

COLUMNS = COLUMN_CARDS = 3
CARDS_EACH = COLUMNS * COLUMN_CARDS
MOST_PLAYERS = 8
PLAYERS_A_PACK = 3
SUITS, PACK, JOKERS_A_PACK = 4, 52, 2
JOKER_POINTS = 50
POINTS = {"J": 10, "Q": 10, "K": 0}  # 1 for the rest; an ace counts as agreed
PLACES = ("first", "second", "third")

Column = tuple[Card, ...]
Grid = tuple[Column, ...]

Ace = Annotated[
    Count,
    Meta(
        title="An ace counts",
        description="The source does not say. In the related games we know of it is 1.",
    ),
]
Jokers = Annotated[
    bool, Meta(title="With jokers", description="Two in each pack; the source leaves them to you.")
]
TwoJokers = Annotated[
    Literal["count", "wild"],
    Meta(
        title="Two jokers in a column",
        description="A joker is wild beside two cards of one rank; two jokers leave only one "
        "card. Usual is the strict reading.",
        extra={"choices": {"count": "count 50 each", "wild": "are wild, the column counts 0"}},
    ),
]


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` 0 plays on without end; `packs` left out follows the players."""

    rounds: Annotated[
        Count,
        Meta(
            title="Rounds",
            description="The source knows of nine, or of no end: 0 plays on as long as you like.",
        ),
    ] = 9
    ace: Ace = 1
    jokers: Jokers = True
    two_jokers: TwoJokers = "count"
    packs: Annotated[
        Annotated[int, Meta(ge=1, le=MOST_PLAYERS)] | None,
        Meta(
            title="Packs",
            description="The source speaks of one deck. It carries five players at most.",
            extra={"usual": "one for up to three players, two for up to six, then three"},
        ),
    ] = None

    def in_words(self, players: int) -> dict[str, str]:
        """How many rounds and packs."""
        rounds = {} if self.rounds else {"rounds": "no end"}
        return {**rounds, "packs": str(self.packs_for(players))}

    def packs_for(self, players: int) -> int:
        """How many packs are shuffled together for this many players."""
        return self.packs or -(-players // PLAYERS_A_PACK)

    def cards_in(self, packs: int) -> int:
        """How many cards these packs have, the jokers included where they are played."""
        return packs * (PACK + JOKERS_A_PACK * self.jokers)

    @property
    def most_points(self) -> int:
        """A bound no grid can pass: nine times the card that counts most."""
        return CARDS_EACH * max(JOKER_POINTS if self.jokers else 0, self.ace, *POINTS.values())


class Last(Entry, frozen=True, tag="last"):
    """`player` has nine cards face up: the others have one more turn each."""

    player: Player


class Grids(Entry, frozen=True, tag="grids"):
    """The grids at the end of a round: columns of cards, parted by `|`, or points counted."""

    grids: dict[Player, GridText | Amount]


class Sheet(State, frozen=True, kw_only=True):
    """`out`: the seat that has nine cards face up in this round, once somebody has."""

    out: int | None = None


class GridQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this grid count?"""

    columns: Annotated[GridText, Meta(title="The grid, column by column")] = ""
    ace: Ace = 1
    jokers: Jokers = True
    two_jokers: TwoJokers = "count"


def column_points(column: Sequence[Card], ace: int, two_jokers: str) -> int:
    """The points of a column, also while it is shorter than three; the order does not matter.

    Three of a rank count 0, jokers among themselves included, and so do two of a rank with a
    joker; else every card counts (`rules.md` §8, score). `two_jokers` "wild" makes two jokers
    with any third card 0 as well.
    """
    ranks = [card.rank for card in column if card.rank != JOKER]
    jokers = len(column) - len(ranks)
    if (
        len(column) == COLUMN_CARDS
        and len(set(ranks)) <= 1
        and (jokers != 2 or two_jokers == "wild")
    ):
        return 0
    values = {**POINTS, "A": ace}
    return JOKER_POINTS * jokers + sum(values.get(rank, 1) for rank in ranks)


class ColoradoNines(Game[Sheet, HouseRules]):
    """Nine cards in a square, swapped and turned up one by one; the fewest points win."""

    slug = "colorado-nines"
    title = "Colorado Nines"
    summary = "Nine cards in a square: make columns of one rank, have the fewest points."
    sources = (
        Source(
            "“Colorado Nines (A Game)”, actthegiddygoat.com, 2018",
            "The grid, the turns, the last turns and the points. It is silent on aces, on "
            "how many play and on who begins.",
        ),
        Source(
            "Descriptions of nine-card golf: Wikipedia, ourpastimes.com, phantomranch",
            "An ace is 1; one pack for two or three players, more packs for more.",
        ),
    )
    lowest_wins = True
    sections = {
        "deal": "the deal",
        "turns": "turns",
        "last-turns": "last turns",
        "score": "the score",
        "end": "the end",
    }
    deal_called = "round"
    house_rules = HouseRules
    entry_kinds = (Last, Grids)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """What a grid counts."""
        return (
            Judge(
                "grid",
                "What does this grid count?",
                GridQuestion,
                self.judge_grid,
                cards=spread_grid,
                yes_or_no=False,
                section="score",
            ),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Nine each, a card for the discard pile and at least one for the stock."""
        if options.packs is None:
            return range(2, MOST_PLAYERS + 1)
        return range(2, min(MOST_PLAYERS, (options.cards_in(options.packs) - 2) // CARDS_EACH) + 1)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Nine each, face down; one of the others begins the discard pile."""
        options: HouseRules = table.options
        players = len(table.players)
        packs = options.packs_for(players)
        deck = options.cards_in(packs)
        stock = deck - CARDS_EACH * players
        jokers = f"with {JOKERS_A_PACK * packs} jokers" if options.jokers else "without jokers"
        says = (
            f"{table.players[dealer]} deals {CARDS_EACH} cards each from {_packs(packs)} {jokers}, "
            "face down in three columns of three.",
            f"One of the other {stock} begins the discard pile. "
            "All turn up two of their cards, in different columns.",
        )
        return Deal(number, CARDS_EACH, stock, "stock", deck, says)

    def first(self, table: Table) -> Sheet:
        """Nobody has a point yet."""
        return Sheet(table=table, deal=1, dealer=table.dealer, scores=(0,) * len(table.players))

    def begin_deal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """Nobody has nine cards face up."""
        return replace(state, out=None), []

    redeal = begin_deal

    def last_deal(self, table: Table) -> int | None:
        """The agreed number of rounds, or None for an open end."""
        return table.options.rounds or None

    def result(self, state: Sheet, completed: int) -> tuple[int, ...]:
        """The fewest points after the last round; equals share the win."""
        rounds = state.table.options.rounds
        return best_scores(state.scores, lowest=True) if 0 < rounds <= completed else ()

    def notes(self, state: Sheet) -> tuple[str, ...]:
        """Who begins; then who still has a turn."""
        if state.out is None:
            return (f"{state.name(state.table.left_of(state.dealer))} begins.",)
        others = [state.name(seat) for seat in state.table.clockwise_from(state.out)[1:]]
        still = f"{others[0]} has" if len(others) == 1 else f"{_listed(others)} have"
        order = "" if len(others) == 1 else " each, in that order"
        return (
            f"{state.name(state.out)} has nine cards face up.",
            f"{still} one more turn{order}; then everything is turned up and counted.",
        )

    # --- entries

    def faults(self, state: Sheet, entry: Entry) -> list[Fault]:
        """Rule on last turns beginning, or on the grids of a round."""
        if isinstance(entry, Last):
            if state.out is None:
                return []
            message = (
                f"The last turns have begun already: {state.name(state.out)} had nine cards face "
                "up first. Enter the grids."
            )
            return [self.fault("last-turns", message, "last-turns")]
        assert isinstance(entry, Grids)
        return list(self._grids_faults(state.table, entry))

    def play(self, state: Sheet, entry: Entry) -> tuple[Sheet, list[Line]]:
        """Note that the last turns have begun, or score a round."""
        if isinstance(entry, Last):
            return replace(state, out=state.seat(entry.player)), []
        assert isinstance(entry, Grids)
        options: HouseRules = state.table.options
        grids = _read_grids(entry.grids)
        lines = []
        for player in state.table.players:
            counted = entry.grids[player]
            if isinstance(counted, int):
                lines.append(Line(player, counted, "counted at the table"))
                continue
            for column in grids[player]:
                points = column_points(column, options.ace, options.two_jokers)
                lines.append(Line(player, points, f"column {write_cards(column)}"))
        return self.end_deal(state, lines)

    def _grids_faults(self, table: Table, entry: Grids) -> Iterable[Fault]:
        options: HouseRules = table.options
        grids = _read_grids(entry.grids)
        for player in table.players:
            counted = entry.grids.get(player, "")
            if isinstance(counted, int):
                if not 0 <= counted <= options.most_points:
                    message = (
                        f"{player}’s nine cards can count 0 to {options.most_points} points, "
                        f"not {counted}."
                    )
                    yield self.fault("points-range", message, "score")
            elif not counted.strip():
                message = f"{player}’s grid is missing, as cards or as points."
                yield self.fault("grid-missing", message, "score")
            else:
                yield from self._grid_faults(grids[player], f"{player}’s", options.jokers)
        cards = Counter(card.rank for grid in grids.values() for column in grid for card in column)
        yield from self._census(cards, options, options.packs_for(len(table.players)))

    def _census(self, cards: Mapping[str, int], options: HouseRules, packs: int) -> Iterable[Fault]:
        """Ranks of which the grids together show more than the packs have."""
        have = f"{_packs(packs).capitalize()} {'has' if packs == 1 else 'have'}"
        for rank in VALUE:
            if cards.get(rank, 0) > SUITS * packs:
                message = f"{count_of(cards[rank], rank)} in all the grids? {have} {SUITS * packs}."
                yield self.fault("too-many-of-rank", message, "deal")
        most = JOKERS_A_PACK * packs
        if options.jokers and cards.get(JOKER, 0) > most:
            message = f"{count_of(cards[JOKER], JOKER)} in all the grids? {have} {most}."
            yield self.fault("too-many-jokers", message, "deal")

    def _grid_faults(self, grid: Grid, whose: str, jokers: bool) -> Iterable[Fault]:
        """What is wrong with one grid by itself; `whose` begins the sentences ("Ann's")."""
        unparted = len(grid[0]) > COLUMN_CARDS and not any(grid[1:])
        if len(grid) > COLUMNS or unparted:
            message = (
                f"{whose} grid has {COLUMNS} columns of {COLUMN_CARDS}: "
                "write | between two columns, and nowhere else."
            )
            yield self.fault("grid-columns", message, "deal")
        else:
            for place, column in zip(PLACES, grid, strict=True):
                if len(column) != COLUMN_CARDS:
                    number = len(column) or "none"
                    message = f"{whose} {place} column needs {COLUMN_CARDS} cards and has {number}."
                    yield self.fault("column-size", message, "deal")
        if not jokers and any(card.rank == JOKER for column in grid for card in column):
            message = f"{whose} grid has a joker, but here they are left out of the pack."
            yield self.fault("no-jokers", message, "deal")

    # --- rulings

    def judge_grid(self, asked: GridQuestion) -> Ruling:
        """The points of a grid, column by column, also while it is still growing."""
        with reading_cards() as reader:
            grid = _read_grid(asked.columns, reader, "the grid")
        faults = tuple(self._grid_faults(grid, "The", asked.jokers))
        points = [column_points(column, asked.ace, asked.two_jokers) for column in grid]
        counts = f"{sum(points)} point{'' if sum(points) == 1 else 's'}"
        whole = all(len(column) == COLUMN_CARDS for column in grid)
        says = (f"{counts}{'' if whole else ' so far'}." if any(grid) else "No cards.",)
        return Ruling(faults, {"points": sum(points), "columns": points}, says)


def spread_grid(asked: GridQuestion) -> tuple[Spread, ...]:
    """The columns that are begun, each with its points."""
    with reading_cards() as reader:
        grid = _read_grid(asked.columns, reader, "the grid")
    return tuple(
        Spread(
            tuple(map(str, column)),
            str(column_points(column, asked.ace, asked.two_jokers)),
            upright=True,
        )
        for column in grid
        if column
    )


def _read_grid(text: str, reader: CardReader, where: str) -> Grid:
    """The columns written in `text`; those of the three that are not begun yet are empty."""
    columns = [reader.cards(part, RANKS_AND_JOKERS, where) for part in text.split("|")]
    return tuple(columns) + ((),) * (COLUMNS - len(columns))


def _read_grids(grids: Mapping[str, str | int]) -> dict[str, Grid]:
    """The grids that were entered as cards; raises `NotationError` for all that is no card."""
    with reading_cards() as reader:
        return {
            player: _read_grid(grid, reader, f"{player}’s grid")
            for player, grid in grids.items()
            if isinstance(grid, str)
        }


def _packs(number: int) -> str:
    return "one pack" if number == 1 else f"{number} packs"


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence: "Ben", "Ben and Cat", "Ben, Cat and Dan"."""
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


GAME = ColoradoNines()
