"""Red Nines of the 20th century (`docs/rules.md` §5): runs whatever the suit, penalty points.

What is written down is who went out, and what the others still held; the lowest score wins.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from referee.rules.cards.hands import hand_faults, out_on_red_nine, went_out
from referee.rules.cards.laying import StopsGame
from referee.rules.cards.packs import Pack, pack_faults, red_nine_faults
from referee.rules.cards.runs import OpeningRunQuestion, run_judge
from referee.rules.cards.sequence_judge import known_at_the_table, sequence_judge
from referee.rules.core.entries import EntryKind, Played
from referee.rules.core.game import Game
from referee.rules.core.judge import Judge, Known
from referee.rules.core.parts import Deals
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Source, State, Table
from referee.rules.games.red_nines.entries import Counted, Out, shown_hands
from referee.rules.games.red_nines.house_rules import HouseRules
from referee.rules.games.red_nines.pack import (
    CARDS_EACH,
    POINTS,
    RUNS,
    SEATS,
    TAKE,
    most_left,
    most_points,
    pack_for,
)
from referee.rules.games.red_nines.penalty import penalty_judge, penalty_line
from referee.rules.text import Text, say, say_many

RedState = State[HouseRules]


class RedNines(Game[RedState, HouseRules]):
    """Runs upward whatever the suit, red nines wild; what is left in a hand counts against it."""

    slug = "red-nines"
    title = say("Red Nines (20th century)")
    summary = say(
        "A stops game: thirteen cards each, and a red nine left in your hand doubles the points."
    )
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
    deals = Deals(agreed=lambda rules: rules.rounds, once=True)

    def own_entries(self) -> tuple[EntryKind[RedState, Any], ...]:
        """The end of a round."""
        return (EntryKind(Out, self.play_out, self._hand_faults, self._pack_faults, by_hand=True),)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """What a hand counts, and runs, one turn or several."""
        stops = StopsGame(RUNS, self.fault, SEATS, each=lambda _: CARDS_EACH, pack_of=pack_for)
        return (
            penalty_judge(self.fault),
            run_judge(RUNS, self.fault, OpeningRunQuestion),
            sequence_judge(stops),
        )

    def known_to(self, judge: str, state: RedState) -> Known:
        """For turns in order: who sits where."""
        return known_at_the_table(judge, state)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Four to eight; eight use two packs up."""
        return SEATS

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """A suit for each player, thirteen cards each, none left."""
        players = len(table.players)
        deck = CARDS_EACH * players
        says = [
            say(
                "{dealer} deals {each} each, all {deck} cards",
                dealer=table.players[dealer],
                each=CARDS_EACH,
                deck=deck,
            ),
            TAKE[players],
            say(
                "{player} begins, and may lay several cards of the first rank",
                player=table.players[table.left_of(dealer)],
            ),
        ]
        if table.options.doubles(red_nine=True, announced=True) and table.options.must_announce:
            says.append(say("Announce it if you go out on a red nine, or it won’t double"))
        return Deal(number, CARDS_EACH, 0, say("table"), deck, tuple(says))

    def lowest_wins(self, table: Table[HouseRules]) -> bool:
        """Always: points count against whoever holds them."""
        return True

    # --- entries

    def _hand_faults(self, state: RedState, entry: Out) -> Iterable[Fault]:
        hands = shown_hands(entry)
        held = {
            player: len(hands.cards[player]) if player in hands.cards else hand.cards_at_least
            for player, hand in hands.counted.items()
        }
        return hand_faults(self.fault, state.table.players, entry, held, CARDS_EACH)

    def _pack_faults(self, state: RedState, entry: Out) -> Iterable[Fault]:
        hands = shown_hands(entry)
        pack = pack_for(len(state.table.players))
        yield from pack_faults(pack, self.fault, hands.all_cards)
        red_nines = sum(hand.red_nines for hand in hands.counted.values())
        yield from red_nine_faults(pack, self.fault, red_nines, out_on_red_nine(entry))
        as_points = {name: hand for name, hand in hands.counted.items() if name not in hands.cards}
        yield from self._points_faults(as_points, pack)
        total = sum(hand.points for hand in hands.counted.values())
        if total > most_left(pack):
            yield self.fault("points-total", _too_many_in_all(total, most_left(pack)), "score")

    def _points_faults(self, as_points: Mapping[str, Counted], pack: Pack) -> Iterable[Fault]:
        """Points that no hand can come to; the smallest card is a two."""
        for player, hand in as_points.items():
            most = most_points(max(0, CARDS_EACH - hand.red_nines), pack)
            if hand.rest < 0:
                says = _too_few_points(player, hand)
                yield self.fault("points-red-nines", says, "score")
            elif hand.rest == 1:
                yield self.fault("points-impossible", _one_point_over(player, hand), "score")
            elif hand.rest > most:
                says = _too_many_points(player, hand, hand.points - hand.rest + most)
                yield self.fault("points-impossible", says, "score")

    def play_out(self, state: RedState, entry: Out) -> Played[RedState]:
        """Score the round: everybody but the player who went out."""
        hands = shown_hands(entry)
        doubled = _doubled(state, entry)
        lines = [went_out(entry.player, red_nine=entry.red_nine)]
        for player in (name for name in state.table.players if name in hands.counted):
            cards = hands.cards.get(player, ())
            lines.append(penalty_line(player, hands.counted[player], cards, doubled=doubled))
        return self.end_deal(state, lines)


def _doubled(state: RedState, entry: Out) -> bool:
    """Whether the points of the others double by the way in which somebody went out."""
    return state.table.options.doubles(red_nine=entry.red_nine, announced=entry.announced)


def _too_few_points(player: str, hand: Counted) -> Text:
    return say_many(
        "{player}: {points} points can’t include {n} red nine, which counts {nine} before "
        "doubling.",
        "{player}: {points} points can’t include {n} red nines, which count {nine} each before "
        "doubling.",
        n=hand.red_nines,
        player=player,
        points=hand.points,
        nine=POINTS["9"],
    )


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


def _too_many_in_all(total: int, most: int) -> Text:
    return say(
        "All hands together make {total} points before doubling. With {cards} cards played, at "
        "most {most} can be left.",
        total=total,
        cards=CARDS_EACH,
        most=most,
    )


GAME = RedNines()
