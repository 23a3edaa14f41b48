"""What nine cards can count at all (`docs/rules.md` §8, score): for points counted at the table."""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

from referee.rules.cards.cards import JOKER, Card
from referee.rules.games.colorado_nines.grids import column_points
from referee.rules.games.colorado_nines.house_rules import HouseRules, TwoJokers
from referee.rules.games.colorado_nines.terms import (
    COLUMN_CARDS,
    COLUMNS,
    JOKERS_A_PACK,
    SUITS,
)

#: Ranks that may run out in one grid, since not every card is worth what these are. Of the cards
#: from 2 to 10, all worth 1, there are always enough for a grid: three of them stand for all.
_SCARCE = ("A", "J", "Q", "K", JOKER)
_PLENTY = ("2", "3", "4")

_Used = tuple[int, ...]


def possible_points(options: HouseRules, packs: int) -> tuple[int, ...]:
    """All the points that a grid can count with so many packs under these house rules, in order."""
    return _possible(options.ace, options.two_jokers, packs, options.jokers)


@lru_cache(maxsize=64)
def _possible(ace: int, two_jokers: TwoJokers, packs: int, jokers: bool) -> tuple[int, ...]:
    there = (*(SUITS * packs,) * 4, JOKERS_A_PACK * packs * jokers)
    columns = set(_columns(ace, two_jokers, there))
    grids: set[tuple[int, _Used]] = {(0, (0,) * len(_SCARCE))}
    for _ in range(COLUMNS):
        grids = {
            (points + more, together)
            for points, used in grids
            for more, takes in columns
            if _enough(together := tuple(map(sum, zip(used, takes, strict=True))), there)
        }
    return tuple(sorted({points for points, _ in grids}))


def _columns(ace: int, two_jokers: TwoJokers, there: _Used) -> Iterator[tuple[int, _Used]]:
    """Every column by its points and the scarce cards it takes."""
    for ranks in combinations_with_replacement((*_SCARCE, *_PLENTY), COLUMN_CARDS):
        number = Counter(ranks)
        takes = tuple(number[rank] for rank in _SCARCE)
        if _enough(takes, there):
            cards = [Card(rank) for rank in ranks]
            yield column_points(cards, ace, two_jokers), takes


def _enough(used: _Used, there: _Used) -> bool:
    return all(number <= most for number, most in zip(used, there, strict=True))
