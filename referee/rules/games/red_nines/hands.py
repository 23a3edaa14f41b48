"""Hands in Red Nines (20th century): their faults and penalties (`docs/rules.md` §5)."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated

from msgspec import Meta, Struct

from referee.rules.cards.card_keys import RedNineText
from referee.rules.cards.cards import (
    RANKS,
    RANKS_AND_RED_NINES,
    VALUE,
    Card,
    is_red_nine,
    read_cards,
    write_cards,
)
from referee.rules.cards.packs import Pack, pack_faults, red_nine_faults
from referee.rules.cards.runs import RunOrder, ascending
from referee.rules.core.asking import RED_NINES, RedNines, asked
from referee.rules.core.entries import Count
from referee.rules.core.judge import judge
from referee.rules.core.ruling import Fault, Ruling, faults_of, spread, with_cards
from referee.rules.core.table import Line
from referee.rules.text import NOTHING, Sum, Text, say, say_many, typed

SLUG = "red-nines"
fault = faults_of(SLUG)
CARDS_EACH = 13
SEATS = range(4, 9)
POINTS = {**VALUE, "A": 20}


# --- the cards: a suit for each player


def pack_for(players: int) -> Pack:
    """The pack for a number of players: a suit each; with an odd number, one more is red."""
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


# --- hands as numbers


class Counted(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers: its `points` before doubling, each of its `red_nines` counted 9."""

    points: Annotated[Count, asked(say("points"), of=say("{player}’s points"))]
    red_nines: Annotated[
        Count,
        asked(say("red nines"), of=say("{player}’s red nines")),
        Meta(extra={RED_NINES: RedNines("points", points=POINTS["9"])}),
    ]

    @property
    def rest(self) -> int:
        """The points that are not in red nines."""
        return self.points - POINTS["9"] * self.red_nines

    @property
    def cards(self) -> int:
        """How many cards the hand has, at least."""
        return self.red_nines + (self.rest > 0)


def count(cards: Collection[Card]) -> Counted:
    """Count the points and red nines of a hand."""
    points = sum(POINTS[card.rank] for card in cards)
    return Counted(points, sum(map(is_red_nine, cards)))


def points_faults(player: str, hand: Counted, pack: Pack) -> Iterable[Fault]:
    """A fault if no hand can have these points; the lowest card is a two."""
    others = [POINTS[rank] for rank in RANKS for _ in range(pack.copies) if rank != "9"]
    most = sum(sorted(others, reverse=True)[: max(0, CARDS_EACH - hand.red_nines)])
    if hand.rest < 0:
        says = say_many(
            "{player}: {points} points can’t include {n} red nine, which counts {nine} before "
            "doubling.",
            "{player}: {points} points can’t include {n} red nines, which count {nine} each before "
            "doubling.",
            n=hand.red_nines,
            player=player,
            points=hand.points,
            nine=POINTS["9"],
        )
        yield fault("points-red-nines", says, "score")
    elif hand.rest == 1:
        yield fault("points-impossible", _one_point_over(player, hand), "score")
    elif hand.rest > most:
        says = _too_many_points(player, hand, hand.points - hand.rest + most)
        yield fault("points-impossible", says, "score")


def _one_point_over(player: str, hand: Counted) -> Text:
    if not hand.red_nines:
        return say("{player}: a hand can’t count 1 point; the lowest card is a 2.", player=player)
    return say_many(
        "{player}: {points} points with {n} red nine would leave 1 point, but the lowest card is "
        "a 2.",
        "{player}: {points} points with {n} red nines would leave 1 point, but the lowest card is "
        "a 2.",
        n=hand.red_nines,
        player=player,
        points=hand.points,
    )


def _too_many_points(player: str, hand: Counted, most: int) -> Text:
    if not hand.red_nines:
        return say(
            "{player}: {cards} cards can’t make {points} points before doubling; the most is "
            "{most}.",
            player=player,
            cards=CARDS_EACH,
            points=hand.points,
            most=most,
        )
    return say_many(
        "{player}: {cards} cards, {n} red nine among them, can’t make {points} points before "
        "doubling; the most is {most}.",
        "{player}: {cards} cards, {n} red nines among them, can’t make {points} points before "
        "doubling; the most is {most}.",
        n=hand.red_nines,
        player=player,
        cards=CARDS_EACH,
        points=hand.points,
        most=most,
    )


def total_faults(total: int, pack: Pack) -> Iterable[Fault]:
    """A fault if `total` is more than is left once a player has laid thirteen cards."""
    points = sorted(list(POINTS.values()) * pack.copies)
    most = sum(points[CARDS_EACH:])
    if total > most:
        says = say(
            "All hands together make {total} points before doubling. With {cards} cards played, at "
            "most {most} can be left.",
            total=total,
            cards=CARDS_EACH,
            most=most,
        )
        yield fault("points-total", says, "score")


# --- penalties


def penalty(hand: Counted, *, doubled: bool) -> Sum:
    """The points of a hand, doubled for each red nine in it, and once more if `doubled`."""
    nines = (POINTS["9"],) * hand.red_nines
    terms = (hand.rest, *nines) if hand.rest else nines
    return Sum(terms, 1 << (hand.red_nines + doubled))


def penalty_line(player: str, hand: Counted, cards: Iterable[Card], *, doubled: bool) -> Line:
    """The penalty of `player` for a hand; `cards` if they are known: "(2 + 9) × 2 for 9R 2"."""
    worked, written = penalty(hand, doubled=doubled), write_cards(cards)
    if written and worked.is_worked:
        reason = say("{sum} for {cards}", sum=worked, cards=written)
    else:
        reason = say("{cards} in hand", cards=written or str(worked))
    return Line(player, worked.total, reason, worked=worked)


# Asked by the house rules, too.
Doubles = Annotated[
    bool,
    asked(
        say("Going out on a red nine doubles the others’ points"),
        say("The printed rules say that it earns nothing, but then spell out the doubling."),
    ),
]


@judge("penalty", say("What does this hand count?"), section="score", yes_or_no=False)
def penalty_judge(
    cards: Annotated[RedNineText, asked(say("Cards left in the hand"))] = "",
    out_on_red_nine: Annotated[
        bool,
        asked(
            say("The winner went out on a red nine"),
            say("And announced it, if you agreed that it doubles only then."),
        ),
    ] = False,
    red_nine_out_doubles: Doubles = True,
) -> Ruling:
    """Rule on a hand; the detail is its `points`, or nothing if it has too many cards."""
    held = read_cards(cards, RANKS_AND_RED_NINES, say("the hand"))
    hand = count(held)
    sums = " + ".join(str(POINTS[card.rank]) for card in held)
    before_doubling = typed(f"{sums} = {hand.points}") if len(held) > 1 else NOTHING
    spreads = with_cards(spread(held, before_doubling))
    if len(held) > CARDS_EACH:
        says = say("{n} cards? Everyone is dealt {each}.", n=len(held), each=CARDS_EACH)
        return Ruling((fault("too-many-cards", says, "deal"),), spreads=spreads)
    out_on_one = say("the winner") if out_on_red_nine else None
    faults = (
        *pack_faults(LARGEST_PACK, fault, held),
        *red_nine_faults(LARGEST_PACK, fault, hand.red_nines, out_on_one),
    )
    worked = penalty(hand, doubled=out_on_red_nine and red_nine_out_doubles)
    points = worked.total
    if points == 0:
        says = say("Nothing held, no penalty.")
    elif not worked.is_worked:
        says = say_many("{n} point.", "{n} points.", n=points)
    else:
        says = say_many("{n} point: {sum}.", "{n} points: {sum}.", n=points, sum=worked)
    return Ruling(faults, {"points": points}, () if faults else (says,), spreads=spreads)
