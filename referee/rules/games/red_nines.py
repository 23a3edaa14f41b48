"""Red Nines of the 20th century (`docs/rules.md` §5): runs whatever the suit, penalty points."""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any

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
from referee.rules.cards.hands import (
    CAUGHT,
    ShownHands,
    WentOut,
    caught,
    read_hands,
    shown_faults,
    went_out,
)
from referee.rules.cards.packs import Pack, pack_faults, red_nine_faults
from referee.rules.cards.runs import RunOrder, StopsGame, ascending, run_judge, too_many_cards
from referee.rules.cards.sequence_judge import sequence_judge
from referee.rules.core.asking import RED_NINES, RedNines, asked
from referee.rules.core.entries import Count, EntryKind, Played, Player, Positive
from referee.rules.core.game import Game
from referee.rules.core.judge import judge
from referee.rules.core.parts import Deals, Feats, Goal
from referee.rules.core.ruling import Fault, Ruling, faults_of, spread, with_cards
from referee.rules.core.table import Deal, Line, Options, Source, State, Table
from referee.rules.text import NOTHING, Printed, Sum, Text, say, say_many, typed

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
    """A hand as numbers: its `points` before doubling, 9 for each of its `red_nines`."""

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
            "{player}: {points} can’t include {n} red nine, which counts {nine} before doubling.",
            "{player}: {points} can’t include {n} red nines, which count {nine} each before "
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
        "{player}: {points} with {n} red nine would leave 1 point, but the lowest card is a 2.",
        "{player}: {points} with {n} red nines would leave 1 point, but the lowest card is a 2.",
        n=hand.red_nines,
        player=player,
        points=hand.points,
    )


def _too_many_points(player: str, hand: Counted, most: int) -> Text:
    if not hand.red_nines:
        return say(
            "{player}: {cards} cards can’t make {points} before doubling; the most is {most}.",
            player=player,
            cards=CARDS_EACH,
            points=hand.points,
            most=most,
        )
    return say_many(
        "{player}: {cards} cards, {n} red nine among them, can’t make {points} before doubling; "
        "the most is {most}.",
        "{player}: {cards} cards, {n} red nines among them, can’t make {points} before doubling; "
        "the most is {most}.",
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
            "All hands together make {total} before doubling. With {cards} cards played, at most "
            "{most} can be left.",
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
    worked = penalty(hand, doubled=doubled)
    written = Printed(write_cards(cards), red_nines=True)
    if written.cards and worked.is_worked:
        reason = say("{sum} for {cards}", sum=worked, cards=written)
    else:
        reason = say("{cards} in hand", cards=written if written.cards else worked)
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
        says = too_many_cards(len(held), CARDS_EACH)
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


# --- the game


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` left out: as many as there are players."""

    red_nine_out_doubles: Doubles = True
    must_announce: Annotated[
        bool,
        asked(
            say("A red nine last doubles only if it’s announced"),
            say(
                "The printed rules ask you to announce it, but don’t say what happens if you "
                "forget."
            ),
        ),
    ] = False
    rounds: Annotated[
        Positive | None,
        asked(
            say("Number of rounds"),
            say("The printed rules have as many rounds as players, so that everyone begins one."),
            usual=say("everybody deals once"),
        ),
    ] = None

    def doubles(self, *, red_nine: bool, announced: bool) -> bool:
        """Whether going out in this way doubles the others' points."""
        return red_nine and self.red_nine_out_doubles and (announced or not self.must_announce)


class Out(WentOut, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held.

    `announced`: whether the red nine was announced, which matters only by a house rule.
    """

    announced: Annotated[bool, asked(say("whether that was announced"))] = True
    hands: Annotated[
        dict[Player, RedNineText | Counted],
        asked(
            say("the hands"),
            of=say("{player}’s hand"),
            wanted=say("cards, or points and how many red nines"),
        ),
    ] = {}


RedState = State[HouseRules]


def _shown_hands(entry: Out) -> ShownHands[Counted]:
    return read_hands(entry.hands, RANKS_AND_RED_NINES, count)


STOPS = StopsGame(RUNS, fault, SEATS, each=lambda _: CARDS_EACH, pack_of=pack_for)


class TwentiethCentury(Game[RedState, HouseRules]):
    """Runs upward whatever the suit, red nines wild; cards left in a hand are penalty points."""

    slug = SLUG
    title = say("Red Nines (20th century)")
    summary = say(
        "A stops game: thirteen cards each, and a red nine left in your hand doubles the points."
    )
    emblem = "9D 9H"
    sources = (
        Source(
            say("“Red Nines (20th century),” in Wikipedia’s article on Red Nines"),
            say(
                "Everything, except for two readings of its table and its example: at most eight "
                "can play, and each extra red nine doubles again."
            ),
        ),
    )
    sections = {
        "deal": say("suits and deal"),
        "play": say("runs and stops"),
        "red-nines": say("red nines"),
        "score": say("the score"),
        "end": say("the end"),
    }
    deal_called = "round"
    house_rules = HouseRules
    state = RedState
    goal = Goal(lowest_wins=lambda rules: True)  # points are penalties
    deals = Deals(agreed=lambda rules: rules.rounds, once=True)
    feats = Feats(
        CAUGHT,
        lambda state, entry, lines: caught(_shown_hands(entry)) if isinstance(entry, Out) else (),
    )
    own_judges = (penalty_judge, run_judge(STOPS), sequence_judge(STOPS))

    def own_entries(self) -> tuple[EntryKind[RedState, Any], ...]:
        """The end of a round."""
        return (EntryKind(Out, self._play_out, self._hand_faults, by_hand=True),)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Four to eight; eight use all of two packs."""
        return SEATS

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """A suit for each player, thirteen cards each, none left."""
        players = len(table.players)
        deck = CARDS_EACH * players
        says = [
            say_many(
                "{dealer} deals {each} each, all {n} card",
                "{dealer} deals {each} each, all {n} cards",
                n=deck,
                dealer=table.players[dealer],
                each=CARDS_EACH,
            ),
            TAKE[players],
            say(
                "{player} begins, and may lay several cards of the first rank",
                player=table.players[table.left_of(dealer)],
            ),
        ]
        if table.options.red_nine_out_doubles and table.options.must_announce:
            says.append(say("Announce it if you go out on a red nine, or it won’t double"))
        return Deal(CARDS_EACH, 0, say("table"), deck, tuple(says), TAKE[players])

    # --- entries

    def _hand_faults(self, state: RedState, entry: Out) -> Iterable[Fault]:
        players = state.table.players
        hands = _shown_hands(entry)
        pack = pack_for(len(players))
        yield from shown_faults(STOPS, players, entry, hands)
        for player, hand in hands.counted.items():
            if player not in hands.cards:
                yield from points_faults(player, hand, pack)
        yield from total_faults(sum(hand.points for hand in hands.counted.values()), pack)

    def _play_out(self, state: RedState, entry: Out) -> Played[RedState]:
        hands, rules = _shown_hands(entry), state.table.options
        doubled = rules.doubles(red_nine=entry.red_nine, announced=entry.announced)
        lines = [went_out(entry.player, red_nine=entry.red_nine)]
        for player in hands.held_by(state.table.players):
            cards = hands.cards.get(player, ())
            lines.append(penalty_line(player, hands.counted[player], cards, doubled=doubled))
        return self.end_deal(state, lines)


GAME = TwentiethCentury()
