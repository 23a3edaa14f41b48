"""Grids of Colorado Nines: how they are read, what they count, and what can be wrong with them."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

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
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line, note
from referee.rules.games.colorado_nines.house_rules import HouseRules, TwoJokers
from referee.rules.games.colorado_nines.terms import (
    COLUMN_CARDS,
    COLUMNS,
    JOKER_POINTS,
    JOKERS_A_PACK,
    POINTS,
    SUITS,
    fault,
)
from referee.rules.text import Sum, Text, listed, say, say_many

Column = tuple[Card, ...]
Grid = tuple[Column, ...]


def column_points(column: Sequence[Card], ace: int, two_jokers: TwoJokers) -> int:
    """The points of a column, also while it is shorter than three; the order does not matter.

    Three of a rank count 0, jokers among themselves included, and so do two of a rank with a
    joker; otherwise every card counts (`docs/rules.md` §8, score). An ace counts `ace`;
    `two_jokers` "wild" makes two jokers with any third card 0 as well.
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


def read_grid(text: str, reader: CardReader, where: Text) -> Grid:
    """The columns written in `text`; those of the three that are not begun yet are empty.

    What is no card is added to the faults of `reader`, which say `where` it stands.
    """
    columns = [reader.cards(part, RANKS_AND_JOKERS, where) for part in text.split("|")]
    return tuple(columns) + ((),) * (COLUMNS - len(columns))


def read_grids(grids: Mapping[str, str | int]) -> dict[str, Grid]:
    """The grids, by player, that are written as cards; raises `NotationError` for all at once."""
    with reading_cards() as reader:
        return {
            player: read_grid(grid, reader, say("{player}’s grid", player=player))
            for player, grid in grids.items()
            if isinstance(grid, str)
        }


def grid_lines(rules: HouseRules, player: str, grid: Grid) -> Iterator[Line]:
    """What the columns of a grid count for `player`; those that count nothing are told beside."""
    points = [column_points(column, rules.ace, rules.two_jokers) for column in grid]
    cleared = points.count(0)
    if cleared:
        words = say_many("{n} column cleared", "{n} columns cleared", n=cleared)
        yield note(player, words)
    columns = listed(
        say("{cards} = {points}", cards=write_cards(column), points=counts)
        for column, counts in zip(grid, points, strict=True)
    )
    worked = Sum(tuple(counts for counts in points if counts))
    yield Line(player, worked.total, say("{columns}", columns=columns), worked=worked)


def grid_faults(grid: Grid, *, jokers: bool, player: str = "") -> Iterator[Fault]:
    """What is wrong with one grid by itself, the `player`’s, if it is anybody’s.

    `jokers`: whether they are played.
    """
    unparted = len(grid[0]) > COLUMN_CARDS and not any(grid[1:])
    if len(grid) > COLUMNS or unparted:
        yield fault("grid-columns", _needs_columns(player), "deal")
    else:
        for place, column in enumerate(grid, start=1):
            if len(column) != COLUMN_CARDS:
                says = _needs_cards(place, len(column), player)
                yield fault("column-size", says, "deal").lacking("more")
    if not jokers and any(card.rank == JOKER for card in chain(*grid)):
        yield fault("no-jokers", _has_joker(player), "deal")


def _needs_columns(player: str) -> Text:
    if player:
        return say(
            "{player}’s grid needs three columns of three cards, with | between columns.",
            player=player,
        )
    return say("The grid needs three columns of three cards, with | between columns.")


def _needs_cards(place: int, number: int, player: str) -> Text:
    if player:
        return say_many(
            "Column {place} of {player}’s grid has {n} card; it needs three.",
            "Column {place} of {player}’s grid has {n} cards; it needs three.",
            n=number,
            place=place,
            player=player,
        )
    return say_many(
        "Column {place} has {n} card; it needs three.",
        "Column {place} has {n} cards; it needs three.",
        n=number,
        place=place,
    )


def _has_joker(player: str) -> Text:
    if player:
        return say("{player}’s grid has a joker, but you’re playing without jokers.", player=player)
    return say("The grid has a joker, but you’re playing without jokers.")


def census_faults(grids: Iterable[Grid], options: HouseRules, packs: int) -> Iterator[Fault]:
    """Ranks, and jokers, of which all the `grids` together show more than the packs have."""
    cards = Counter(card.rank for grid in grids for column in grid for card in column)
    for rank in VALUE:
        if cards[rank] > SUITS * packs:
            says = _more_than(count_of(cards[rank], rank), packs, SUITS * packs)
            yield fault("too-many-of-rank", says, "deal")
    most = JOKERS_A_PACK * packs
    if options.jokers and cards[JOKER] > most:
        says = _more_than(count_of(cards[JOKER], JOKER), packs, most)
        yield fault("too-many-jokers", says, "deal")


def _more_than(cards: Text, packs: int, most: int) -> Text:
    return say_many(
        "{cards} in all the grids? One pack has only {most}.",
        "{cards} in all the grids? {n} packs have only {most}.",
        n=packs,
        cards=cards,
        most=most,
    )
