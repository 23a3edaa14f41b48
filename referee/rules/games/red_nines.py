"""Red Nines of the 20th century (`rules.md` §5): runs whatever the suit, penalty points.

What is written down is who went out, and what the others still held; the lowest score wins.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct

from referee.rules.cards.cards import (
    RANKS,
    RANKS_AND_RED_NINES,
    VALUE,
    Card,
    RedNineRunText,
    RedNineText,
    is_red_nine,
    reading_cards,
    write_cards,
)
from referee.rules.cards.runs import (
    Pack,
    RunOrder,
    ascending,
    hand_faults,
    pack_faults,
    red_nine_faults,
    rule_on_run,
    spread_run,
    typed_hands,
)
from referee.rules.core.entries import Count, Entry, Player, Positive
from referee.rules.core.game import Game, best_scores
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.core.spread import Spread, spread
from referee.rules.core.table import Deal, Options, Source, State, Table

CARDS_EACH = 13
SEATS = range(4, 9)
POINTS = {**VALUE, "A": 20}


def pack_for(players: int) -> Pack:
    """A suit a player; of an odd number of suits one more is red (`rules.md` §5, deck)."""
    return Pack(red_suits=(players + 1) // 2, black_suits=players // 2)


LARGEST_PACK = pack_for(SEATS[-1])
RUNS = RunOrder(
    after=ascending(RANKS),
    notation=RANKS_AND_RED_NINES,
    pack=LARGEST_PACK,
    most=CARDS_EACH,
    several=True,
)


class HouseRules(Options, frozen=True, forbid_unknown_fields=True):
    """House rules. `rounds` left out: as many as there are players."""

    red_nine_out_doubles: Annotated[
        bool,
        Meta(
            title="Going out on a red nine doubles the other scores",
            description="The source says at first that there is no bonus for it, later that it "
            "doubles. Usual is what it spells out.",
        ),
    ] = True
    rounds: Annotated[
        Positive | None,
        Meta(
            title="Number of rounds",
            description="As many as players, says the source, so that everybody begins one.",
            extra={"usual": "everybody deals once"},
        ),
    ] = None

    def in_words(self, players: int) -> dict[str, str]:
        """How many rounds."""
        return {"rounds": str(self.rounds or players)}


class Counted(Struct, frozen=True, forbid_unknown_fields=True):
    """A hand as numbers: its `points` before doubling, each of its `red_nines` counted 9."""

    points: Count
    red_nines: Count

    @property
    def rest(self) -> int:
        """The points that are not in red nines."""
        return self.points - POINTS["9"] * self.red_nines

    @property
    def cards_at_least(self) -> int:
        """The fewest cards this hand can have."""
        return self.red_nines + (self.rest > 0)


class Out(Entry, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held."""

    player: Player
    red_nine: bool = False
    hands: dict[Player, RedNineText | Counted] = {}


class PenaltyQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """What does this hand count?"""

    cards: Annotated[RedNineText, Meta(title="Cards left in the hand")] = ""
    out_on_red_nine: Annotated[bool, Meta(title="The winner went out on a red nine")] = False


class RunQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these cards be laid after that one?"""

    cards: Annotated[RedNineRunText, Meta(title="Cards laid, in order")] = ""
    last: Annotated[RedNineRunText, Meta(title="The last card before; empty: free to begin")] = ""
    opening: Annotated[bool, Meta(title="It is the opening turn of the round")] = False


class RedNines(Game[State, HouseRules]):
    """Runs upward whatever the suit, red nines wild; what is left in a hand counts against it."""

    slug = "red-nines"
    title = "Red Nines (20th century)"
    summary = "Stops, for penalty points: thirteen cards each, a red nine in hand doubles."
    sources = (
        Source(
            "“Red Nines (20th century)”, Wikipedia’s article on Red Nines",
            "All of it; that eight is the most, and that each further red nine doubles once "
            "more, is our reading of its table and its example.",
        ),
    )
    lowest_wins = True
    sections = {
        "deal": "suits and deal",
        "play": "runs and stops",
        "red-nines": "red nines",
        "score": "the score",
        "end": "the end",
    }
    deal_called = "round"
    house_rules = HouseRules
    entry_kinds = (Out,)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """What a hand counts, and runs."""
        return (
            Judge(
                "penalty",
                "What does this hand count?",
                PenaltyQuestion,
                self.judge_penalty,
                cards=spread_penalty,
                yes_or_no=False,
                section="score",
            ),
            Judge(
                "run",
                "May I lay these cards?",
                RunQuestion,
                self.judge_run,
                cards=self.spread_run,
                section="play",
            ),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Four at least; eight use two packs up."""
        return SEATS

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """A suit a player, thirteen cards each, none left."""
        players = len(table.players)
        deck = CARDS_EACH * players
        says = (
            f"{table.players[dealer]} deals {CARDS_EACH} cards each, all {deck}.",
            _suits_in_words(pack_for(players)),
            f"{table.players[table.left_of(dealer)]} begins and may lay several cards of the "
            "first rank.",
        )
        return Deal(number, CARDS_EACH, 0, "table", deck, says)

    def first(self, table: Table) -> State:
        """Nobody has a point."""
        return State(table=table, deal=1, dealer=table.dealer, scores=(0,) * len(table.players))

    def last_deal(self, table: Table) -> int | None:
        """Everybody begins once, unless another number of rounds was agreed."""
        return table.options.rounds or len(table.players)

    def result(self, state: State, completed: int) -> tuple[int, ...]:
        """After the last round, the fewest points."""
        if completed != self.last_deal(state.table):
            return ()
        return best_scores(state.scores, lowest=True)

    # --- entries

    def faults(self, state: State, entry: Entry) -> list[Fault]:
        """Rule on the end of a round."""
        assert isinstance(entry, Out)
        typed = typed_hands(entry.hands, RANKS_AND_RED_NINES)
        hands = _counted(typed, entry)
        players = state.table.players
        pack = pack_for(len(players))
        held = {
            player: len(typed[player]) if player in typed else hand.cards_at_least
            for player, hand in hands.items()
        }
        cards = [card for hand in typed.values() for card in hand]
        counted = {player: hand for player, hand in hands.items() if player not in typed}
        faults = [
            *hand_faults(self.fault, players, entry.player, held, CARDS_EACH),
            *pack_faults(pack, self.fault, cards),
        ]
        # Typed and counted hands are each looked at together, but not added up: the example of
        # the sheet format has more red nines in both than the pack has.
        out_on_one = entry.player if entry.red_nine else None
        counted_nines = sum(hand.red_nines for hand in counted.values())
        typed_nines = sum(hands[player].red_nines for player in typed)
        for number in (typed_nines, counted_nines):
            faults.extend(red_nine_faults(pack, self.fault, number, out_on_one))
        faults.extend(self._points_faults(counted, pack))
        faults.extend(self._total_faults(hands, pack))
        return faults

    def play(self, state: State, entry: Entry) -> tuple[State, list[Line]]:
        """Score the round: everybody but the player who went out."""
        assert isinstance(entry, Out)
        options: HouseRules = state.table.options
        typed = typed_hands(entry.hands, RANKS_AND_RED_NINES)
        hands = _counted(typed, entry)
        doubled = entry.red_nine and options.red_nine_out_doubles
        lines = []
        for player in (name for name in state.table.players if name in hands):
            cards = write_cards(typed[player]) if player in typed else ""
            reason = _in_words(hands[player], doubled, cards)
            lines.append(Line(player, _penalty(hands[player], doubled), reason))
        return self.end_deal(state, lines)

    def _points_faults(self, counted: Mapping[str, Counted], pack: Pack) -> Iterable[Fault]:
        """Points that no hand can come to; the smallest card is a two."""
        for player, hand in counted.items():
            most = _most_points(max(0, CARDS_EACH - hand.red_nines), pack)
            if hand.rest < 0:
                message = (
                    f"{player}: {hand.points} points cannot hold {hand.red_nines} red nines, "
                    f"which count {POINTS['9']} each before doubling."
                )
                yield self.fault("points-red-nines", message, "score")
            elif hand.rest == 1:
                message = f"{player}: no cards make {hand.points} points; the lowest is a 2."
                yield self.fault("points-impossible", message, "score")
            elif hand.rest > most:
                message = (
                    f"{player}: {hand.points} points are more than {CARDS_EACH} cards can make; "
                    f"the most is {hand.points - hand.rest + most}."
                )
                yield self.fault("points-impossible", message, "score")

    def _total_faults(self, hands: Mapping[str, Counted], pack: Pack) -> Iterable[Fault]:
        """Whoever is out has laid thirteen cards, which are in no hand."""
        total = sum(hand.points for hand in hands.values())
        lowest = sorted(list(POINTS.values()) * pack.copies)[:CARDS_EACH]
        most = pack.copies * sum(POINTS.values()) - sum(lowest)
        if total > most:
            message = (
                f"All hands together make {total} points before doubling; with {CARDS_EACH} "
                f"cards laid, {most} at most can be left."
            )
            yield self.fault("points-total", message, "score")

    # --- rulings

    def judge_penalty(self, asked: PenaltyQuestion) -> Ruling:
        """What a hand counts when another player goes out, in penalty points."""
        with reading_cards() as reader:
            cards = reader.cards(asked.cards, RANKS_AND_RED_NINES, "the hand")
        hand = _count(cards)
        if len(cards) > CARDS_EACH:
            message = f"{len(cards)} cards? Everybody is dealt {CARDS_EACH}."
            return Ruling((self.fault("too-many-cards", message, "deal"),))
        faults = list(pack_faults(LARGEST_PACK, self.fault, cards))
        out_on_one = "the winner" if asked.out_on_red_nine else None
        faults.extend(red_nine_faults(LARGEST_PACK, self.fault, hand.red_nines, out_on_one))
        points = _penalty(hand, asked.out_on_red_nine)
        says = "Nothing held, no penalty."
        if cards:
            says = f"{points} points: {_in_words(hand, asked.out_on_red_nine, '')}."
        return Ruling(tuple(faults), {"points": points}, () if faults else (says,))

    def judge_run(self, asked: RunQuestion) -> Ruling:
        """Whether the cards follow one another, and what comes next."""
        return rule_on_run(RUNS, self.fault, asked.cards, asked.last, opening=asked.opening)

    def spread_run(self, asked: RunQuestion) -> tuple[Spread, ...]:
        """The run, what breaks it marked, and the card that must follow."""
        return spread_run(RUNS, self.fault, asked.cards, asked.last, opening=asked.opening)


def spread_penalty(asked: PenaltyQuestion) -> tuple[Spread, ...]:
    """The hand, with what its cards make before doubling."""
    with reading_cards() as reader:
        cards = reader.cards(asked.cards, RANKS_AND_RED_NINES)
    sums = " + ".join(str(POINTS[card.rank]) for card in cards)
    says = f"{sums} = {_count(cards).points}" if len(cards) > 1 else ""
    return (spread(cards, says),) if cards else ()


def _counted(typed: Mapping[str, tuple[Card, ...]], entry: Out) -> dict[str, Counted]:
    """All hands of an entry as numbers."""
    return {
        player: _count(typed[player]) if isinstance(hand, str) else hand
        for player, hand in entry.hands.items()
    }


def _count(cards: Collection[Card]) -> Counted:
    points = sum(POINTS[card.rank] for card in cards)
    return Counted(points, sum(is_red_nine(card) for card in cards))


def _penalty(hand: Counted, doubled: bool) -> int:
    """What a hand counts: doubled for each red nine in it, and once more if `doubled`."""
    return hand.points << (hand.red_nines + doubled)


def _most_points(cards: int, pack: Pack) -> int:
    """The most points that many cards can make without a red nine."""
    values = [POINTS[rank] for rank in RANKS for _ in range(pack.copies) if rank != "9"]
    return sum(sorted(values, reverse=True)[:cards])


def _in_words(hand: Counted, doubled: bool, cards: str) -> str:
    """How a score comes about: "9R 2 = 11, doubled for a red nine"."""
    parts = [f"{cards} = {hand.points}" if cards else f"{hand.points} in hand"]
    if hand.red_nines == 1:
        parts.append("doubled for a red nine")
    elif hand.red_nines > 1:
        parts.append(f"×{2**hand.red_nines} for {hand.red_nines} red nines")
    if doubled:
        parts.append("doubled for going out on a red nine")
    return ", ".join(parts)


def _suits_in_words(pack: Pack) -> str:
    """Which suits to use: "Use 5 suits: 3 red, 2 black"."""
    suits = f"Use {pack.copies} suits: {pack.red_suits} red, {pack.black_suits} black"
    more_red, more_black = pack.red_suits - 2, pack.black_suits - 2
    if not more_red:
        return f"{suits}; one whole pack."
    if more_red == more_black == 2:
        return f"{suits}; two whole packs."
    more = f"{more_red} red and {more_black} black" if more_black else f"{more_red} red"
    return f"{suits}; {more} of a second pack."


GAME = RedNines()
