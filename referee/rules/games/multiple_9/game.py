"""Multiple 9, draw and discard (`rules.md` §1).

Either every turn is written down (then whose turn it is, how many cards each holds, the stock
and the number of cards of a rank are followed), or only who won each deal.
"""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS_ONLY, VALUE, reading_cards, write_cards
from referee.rules.cards.groups import count_ranks
from referee.rules.core.entries import Entry
from referee.rules.core.game import Game, first_past
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Need, Source, Table
from referee.rules.games.multiple_9.discards import (
    better_discard,
    discard_faults,
    judge_discard,
    judge_hand,
    rank_faults,
    ranks,
    spread_discard,
    spread_hand,
)
from referee.rules.games.multiple_9.entries import (
    NO_CARDS,
    DiscardQuestion,
    HandQuestion,
    HouseRules,
    Left,
    Out,
    Sheet,
    Turn,
)

CARDS_EACH = 5


class Multiple9(Game[Sheet, HouseRules]):
    """Draw one, lay down multiples of nine made of at most two ranks, be first to hold nothing."""

    slug = "multiple-9"
    title = "Multiple 9"
    summary = "Draw and discard: lay down multiples of nine, be the first to hold nothing."
    sources = (
        Source(
            "Nick Jaura, “Multiple 9”, pagat.com, invented games, 2007",
            "Sets, groups, discards, the last play and the stock. It says nothing of how "
            "many play, who deals, who begins and what a deal is worth: that is our "
            "reading.",
        ),
    )
    sections = {
        "deal": "the deal",
        "turns": "turns",
        "sets": "sets and groups",
        "discards": "discards",
        "last-play": "the last play",
        "stock": "the stock",
        "score": "the score",
    }
    house_rules = HouseRules
    entry_kinds = (Turn, Out, Left)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Discards, and the best discard of a hand."""
        return (
            Judge(
                "discard",
                "Is this discard legal?",
                DiscardQuestion,
                partial(judge_discard, self.fault),
                cards=spread_discard,
                advice=better_discard,
                section="discards",
            ),
            Judge(
                "hand",
                "What can I lay down?",
                HandQuestion,
                partial(judge_hand, self.fault),
                cards=spread_hand,
                yes_or_no=False,
                section="discards",
            ),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """A stock of at least one card a player must be left: 6n cards in all."""
        return range(2, 52 * options.packs // 6 + 1 if options.packs == 1 else 17)

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Five each, the rest is the stock; no card is turned up."""
        deck = 52 * table.options.packs
        stock = deck - CARDS_EACH * len(table.players)
        packs = "" if table.options.packs == 1 else " from two packs"
        says = (
            f"{table.players[dealer]} deals {CARDS_EACH} cards each{packs}; "
            f"the other {stock} are the stock.",
        )
        return Deal(number, CARDS_EACH, stock, "stock", deck, says)

    def first(self, table: Table) -> Sheet:
        """Nobody has won a deal yet."""
        return Sheet(table=table, deal=1, dealer=table.dealer, scores=(0,) * len(table.players))

    def begin_deal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """Five cards each, the player left of the dealer begins."""
        table = state.table
        dealt = replace(
            state,
            held=(CARDS_EACH,) * len(table.players),
            drawn=frozenset(),
            stock=self.plan(table, state.deal, state.dealer).table,
            pile=NO_CARDS,
            shuffled=NO_CARDS,
            since=0,
            turn=table.left_of(state.dealer),
            idle=0,
            won=None,
        )
        return dealt, []

    redeal = begin_deal

    def target(self, table: Table) -> int | None:
        """The agreed number of deals or points, or None for an open end."""
        return table.options.goal or None

    def result(self, state: Sheet, completed: int) -> tuple[int, ...]:
        """First to the target."""
        goal = state.table.options.goal
        return first_past(state.scores, goal) if goal else ()

    def acts(self, state: Sheet) -> int | None:
        """Whose turn it is, unless cards are being counted."""
        return state.turn if state.won is None else None

    def needs(self, state: Sheet) -> tuple[Need, ...]:
        """How many cards each holds."""
        return tuple(
            Need(player, held, "card" if held == 1 else "cards")
            for player, held in zip(state.table.players, state.held, strict=True)
        )

    def notes(self, state: Sheet) -> tuple[str, ...]:
        """Whose turn, and whether there is anything left to draw."""
        if state.won is not None:
            return (f"{state.name(state.won)} is out. Count what the others hold.",)
        who = state.name(state.turn)
        if state.nothing_to_draw:
            return (f"No card is left to draw: {who} plays without drawing.",)
        if state.stock == 0:
            return (f"The stock is used up: {who} shuffles the discards into a new one.",)
        return (f"{who} to play: draw one of {state.stock}, then lay down what you like.",)

    # --- entries

    def faults(self, state: Sheet, entry: Entry) -> list[Fault]:
        """Rule on a turn, a deal won, or a count of what is left."""
        if isinstance(entry, Turn):
            return list(self._turn_faults(state, entry))
        if isinstance(entry, Out):
            if state.won is not None:
                return [self._count_first(state)]
            needed = state.table.options.scoring == "cards"
            return list(self._left_faults(state, entry.player, entry.left, None, needed))
        assert isinstance(entry, Left)
        if state.won is None:
            message = "Nobody has gone out yet, so there is nothing to count."
            return [self.fault("nobody-out", message, "score")]
        winner = state.name(state.won)
        return list(self._left_faults(state, winner, entry.left, state.held, True))

    def play(self, state: Sheet, entry: Entry) -> tuple[Sheet, list[Line]]:
        """Play a legal turn, or score a deal."""
        if isinstance(entry, Turn):
            return self._play_turn(state, entry)
        if isinstance(entry, Out):
            return self._win(state, entry.player, entry.left)
        assert isinstance(entry, Left)
        assert state.won is not None
        return self._win(state, state.name(state.won), entry.left)

    def _turn_faults(self, state: Sheet, entry: Turn) -> Iterable[Fault]:
        with reading_cards() as reader:
            cards = reader.cards(entry.cards, RANKS_ONLY)
        if state.won is not None:
            yield self._count_first(state)
            return
        seat = state.seat(entry.player)
        may_skip_draw = state.nothing_to_draw or (
            seat not in state.drawn and len(cards) == CARDS_EACH
        )
        if not entry.drew and not may_skip_draw:
            yield self.fault(
                "must-draw",
                f"{entry.player} must draw first: only the five dealt cards, laid down whole, "
                "go out without drawing.",
                "turns",
            )
        if seat != state.turn and (entry.drew or state.nothing_to_draw):
            yield self.fault(
                "out-of-turn",
                f"It is {state.name(state.turn)}’s turn, not {entry.player}’s.",
                "turns",
            )
        draws = entry.drew and not state.nothing_to_draw
        holds = state.held[seat] + draws
        if len(cards) > holds:
            yield self.fault(
                "too-many-cards",
                f"{entry.player} holds {holds} cards{' after drawing' if draws else ''}; "
                f"{len(cards)} are laid down.",
                "turns",
            )
        options: HouseRules = state.table.options
        counts = count_ranks(ranks(cards))
        elsewhere = (state.draw() if draws else state).out_of_reach
        known = tuple(a + b for a, b in zip(elsewhere, counts, strict=True))
        yield from rank_faults(self.fault, known, options.packs)
        final = len(cards) >= holds
        yield from discard_faults(self.fault, counts, final, options.packs, options.nine_out)

    def _play_turn(self, state: Sheet, entry: Turn) -> tuple[Sheet, list[Line]]:
        with reading_cards() as reader:
            counts = count_ranks(ranks(reader.cards(entry.cards, RANKS_ONLY)))
        seat = state.seat(entry.player)
        stuck = state.nothing_to_draw
        drew = entry.drew and not stuck
        table = state.draw() if drew else state
        held = list(state.held)
        held[seat] += drew - sum(counts)
        after = replace(
            table,
            held=tuple(held),
            drawn=state.drawn | {seat},
            pile=tuple(a + b for a, b in zip(table.pile, counts, strict=True)),
            turn=state.table.left_of(seat),
            idle=state.idle + 1 if stuck and not any(counts) else 0,
        )
        if held[seat] == 0:
            if state.table.options.scoring == "cards":
                return replace(after, won=seat), []
            return self._win(after, entry.player, {})
        if after.idle == len(held):
            return self.redeal(after)  # nobody can draw or discard: the deal is drawn
        return after, []

    def _win(self, state: Sheet, winner: str, left: Mapping[str, str]) -> tuple[Sheet, list[Line]]:
        if state.table.options.scoring == "deals":
            return self.end_deal(state, [Line(winner, 1, "won the deal")])
        lines = []
        for player, text in left.items():
            with reading_cards() as reader:
                cards = reader.cards(text, RANKS_ONLY)
            points = sum(VALUE[card.rank] for card in cards)
            lines.append(Line(winner, points, f"{write_cards(cards)} left with {player}"))
        return self.end_deal(state, lines)

    def _count_first(self, state: Sheet) -> Fault:
        assert state.won is not None
        message = f"{state.name(state.won)} is out: enter what the others hold first."
        return self.fault("count-first", message, "score")

    def _left_faults(
        self,
        state: Sheet,
        winner: str,
        left: Mapping[str, str],
        sizes: tuple[int, ...] | None,
        needed: bool,
    ) -> Iterable[Fault]:
        """Faults of the cards the others hold; `sizes` by seat where turns were followed."""
        with reading_cards() as reader:
            hands = {
                player: reader.cards(text, RANKS_ONLY, f"{player}’s hand")
                for player, text in left.items()
            }
        if winner in hands:
            message = f"{winner} won the deal and holds nothing."
            yield self.fault("winner-holds", message, "score")
        for player in state.table.players:
            if player == winner or (not needed and player not in hands):
                continue
            if player not in hands:
                yield self.fault("hand-missing", f"{player}’s cards are missing.", "score")
            elif not hands[player]:
                message = f"{player} did not go out, so must hold a card."
                yield self.fault("hand-empty", message, "score")
            elif sizes is not None and len(hands[player]) != sizes[state.seat(player)]:
                message = (
                    f"{player} holds {sizes[state.seat(player)]} after the turns written down; "
                    f"{len(hands[player])} are entered."
                )
                yield self.fault("hand-size", message, "score")
        everywhere = count_ranks(ranks(card for hand in hands.values() for card in hand))
        if sizes is not None:
            everywhere = tuple(a + b for a, b in zip(everywhere, state.out_of_reach, strict=True))
        yield from rank_faults(self.fault, everywhere, state.table.options.packs)


GAME = Multiple9()
