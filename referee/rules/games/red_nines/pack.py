"""The cards of Red Nines (20th century) (`docs/rules.md` §5, deck): a suit for each player."""

from collections.abc import Mapping

from referee.rules.cards.cards import RANKS, RANKS_AND_RED_NINES, VALUE
from referee.rules.cards.packs import Pack
from referee.rules.cards.runs import RunOrder, ascending
from referee.rules.text import Text, say

CARDS_EACH = 13
SEATS = range(4, 9)
POINTS = {**VALUE, "A": 20}


def pack_for(players: int) -> Pack:
    """The suits for so many players; where they are odd in number, one more is red."""
    return Pack(red_suits=(players + 1) // 2, black_suits=players // 2)


LARGEST_PACK = pack_for(SEATS[-1])
RUNS = RunOrder(
    after=ascending(RANKS),
    notation=RANKS_AND_RED_NINES,
    pack=LARGEST_PACK,
    most=CARDS_EACH,
    several=True,
)

#: Which cards to take, by the number of players.
TAKE: Mapping[int, Text] = {
    4: say("Use one whole pack"),
    5: say("Use one pack and a red suit from another: 3 red suits, 2 black"),
    6: say("Use one pack and a red and a black suit from another: 3 red suits, 3 black"),
    7: say("Use one pack and two red suits and a black one from another: 4 red suits, 3 black"),
    8: say("Use two whole packs"),
}


def most_points(cards: int, pack: Pack) -> int:
    """The most points that many cards can make without a red nine."""
    points = [POINTS[rank] for rank in RANKS for _ in range(pack.copies) if rank != "9"]
    return sum(sorted(points, reverse=True)[:cards])


def most_left(pack: Pack) -> int:
    """The most points left in all hands: whoever went out has laid thirteen cards at least."""
    lowest = sorted(list(POINTS.values()) * pack.copies)[:CARDS_EACH]
    return pack.copies * sum(POINTS.values()) - sum(lowest)
