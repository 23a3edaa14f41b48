"""Red Nines as described in 1881 (`docs/rules.md` §4): runs in suit, two pools, counters.

What is written down is who swept the red-ace pool, who went out, and what the others still held.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from referee.rules.cards.cards import card_name
from referee.rules.cards.hands import (
    CountedHand,
    ShownHands,
    hand_faults,
    hand_line,
    out_on_red_nine,
    went_out,
)
from referee.rules.cards.laying import StopsGame
from referee.rules.cards.packs import pack_faults, red_nine_faults
from referee.rules.cards.runs import SuitedRunQuestion, run_judge
from referee.rules.cards.sequence_judge import known_at_the_table, sequence_judge
from referee.rules.core.entries import Adjust, Entry, EntryKind, Played, Rule
from referee.rules.core.game import Game
from referee.rules.core.judge import Judge, Known
from referee.rules.core.parts import Counters, Deals, Elimination, Moves, Pad, Steps, shared_out
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Source, Table, scored
from referee.rules.games.red_nines_1881 import pools
from referee.rules.games.red_nines_1881.entries import (
    Aces,
    Out,
    Red1881State,
    shown_hands,
)
from referee.rules.games.red_nines_1881.house_rules import HouseRules
from referee.rules.games.red_nines_1881.pack import (
    DEALT,
    DECK,
    FIVE,
    PACK,
    RED_ACES,
    RUNS,
    SEATS,
    SEATS_FOR_FIVE,
)
from referee.rules.games.red_nines_1881.payment import payment_judge
from referee.rules.games.red_nines_1881.turns import TurnsQuestion
from referee.rules.text import Text, say, say_many


def _begin_deal(state: Red1881State) -> Played[Red1881State]:
    """The dealer puts counters into the pools."""
    moves = Moves(state.pools)
    due = pools.stakes(state.table.options, state.pools)
    if state.table.options.no_debts:
        due = pools.affordable(due, state.scores[state.dealer])
    pools.stake(moves, state.name(state.dealer), due)
    dealt = replace(
        scored(state, moves.lines),
        pools=moves.pools,
        paid=(due["red_nine"], due["red_ace"]),
        swept=None,
        short=(),
    )
    return dealt, moves.lines


def _deal_again(state: Red1881State) -> Played[Red1881State]:
    """A red-ace pool swept in the void deal goes back; stakes stay where they are."""
    if state.swept is None:
        return state, []
    moves = Moves(state.pools)
    amount = state.swept_counters
    if state.table.options.no_debts:  # some may have gone to a penalty since
        amount = min(amount, state.scores[state.swept])
    pools.put_back(moves, state.name(state.swept), amount)
    again = replace(scored(state, moves.lines), pools=moves.pools, swept=None)
    return again, moves.lines


def _take_back(state: Red1881State) -> Played[Red1881State]:
    """The dealer takes back what was paid for this deal."""
    moves = Moves(state.pools)
    pools.unstake(moves, state.name(state.dealer), state.paid)
    return replace(scored(state, moves.lines), pools=moves.pools, paid=(0, 0)), moves.lines


def _wind_up(state: Red1881State, order: Sequence[str]) -> Played[Red1881State]:
    """The pools are divided, or go to the last winner, where there is one at the table."""
    if state.table.options.leftover == "divide" or state.last_out not in order:
        return shared_out(state, order)
    moves = Moves(state.pools)
    pools.inherit(moves, state.last_out)
    return replace(scored(state, moves.lines), pools=moves.pools), moves.lines


def _beside_total(state: Red1881State) -> Mapping[str, Text]:
    """Who has played both red aces in this deal."""
    return {} if state.swept is None else {state.name(state.swept): say("red aces")}


def _card(state: Red1881State, steps: Steps) -> Steps:
    """What the dealer puts into the pools comes before the cards."""
    return (*steps[:1], *_paid(state), *steps[1:])


class RedNines1881(Game[Red1881State, HouseRules]):
    """Runs upward in suit, red nines wild; the first out is paid, and may sweep a pool."""

    slug = "red-nines-1881"
    title = say("Red Nines (1881)")
    summary = say(
        "A stops game for counters: runs in suit, two pools, double pay for a red nine last."
    )
    first_dealer = say("Or deal the cards out one by one: whoever gets the first jack deals.")
    sources = (
        Source(
            say("H. K., “Red Nines,” 1881, as quoted in Wikipedia’s article on Red Nines"),
            say(
                "The pack, the two pools, the runs, and the payments. It describes eight players; "
                "for other numbers the cards are dealt as in Pink Nines."
            ),
        ),
        Source(
            say("“Newmarket,” playingcardgames.net"),
            say("What nobody has won stays for the next deal."),
        ),
        Source(
            say("Descriptions of Michigan rummy"),
            say("What’s left at the very end is divided equally."),
        ),
    )
    unit = "counter"
    sections = {
        "deal": say("the deal"),
        "pools": say("the pools"),
        "play": say("runs and stops"),
        "red-nines": say("red nines"),
        "score": say("payments"),
        "end": say("the end"),
    }
    house_rules = HouseRules
    state = Red1881State
    deals = Deals(
        agreed=lambda rules: rules.deals,
        once=True,
        build=True,
        begin=_begin_deal,
        again=_deal_again,
    )
    counters = Counters(
        each=lambda rules: rules.counters,
        pools=pools.NAMES,
        take_back=_take_back,
        wind_up=_wind_up,
    )
    #: By house rule, whoever could not pay in full when the deal was settled.
    elimination = Elimination(lambda state, player: player in state.short)
    pad = Pad(card=_card, beside_total=_beside_total)

    def own_entries(self) -> tuple[EntryKind[Red1881State, Any], ...]:
        """A sweep of the red-ace pool, and the end of a deal."""
        return (
            EntryKind(Aces, self.play_aces, self.aces_faults),
            EntryKind(
                Out,
                self.play_out,
                self._hand_faults,
                self._pack_faults,
                self._aces_out_faults,
                by_hand=True,
            ),
        )

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """What a hand pays, and runs, one turn or several."""
        stops = StopsGame(RUNS, self.fault, SEATS, each=DEALT.__floordiv__, swept_for=RED_ACES)
        return (
            payment_judge(self.fault),
            run_judge(RUNS, self.fault, SuitedRunQuestion),
            sequence_judge(stops, TurnsQuestion),
        )

    def known_to(self, judge: str, state: Red1881State) -> Known:
        """For turns in order: who sits where."""
        return known_at_the_table(judge, state)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to ten, or to eight with five cards each; with more there would be little to play."""
        return SEATS_FOR_FIVE if options.five_each else SEATS

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Forty cards divided equally, the rest on the table for the dealer's eyes only.

        By house rule, five each.
        """
        each = FIVE if table.options.five_each else DEALT // len(table.players)
        left = DECK - each * len(table.players)
        name = table.players[dealer]
        says = [say("{dealer} deals {n} each, {left} on the table", dealer=name, n=each, left=left)]
        if number == 1:
            says.append(say("Leave out the 2s and 3s: {deck} cards", deck=DECK))
        if left:
            says.append(
                say(
                    "Only {dealer} may look at the table cards, and calls “stop” for them",
                    dealer=name,
                )
            )
        says.append(say("{player} begins", player=table.players[table.left_of(dealer)]))
        return Deal(number, each, left, say("table"), DECK, tuple(says))

    def renamed(self, state: Red1881State, was: str, becomes: str) -> Red1881State:
        """Who won the last deal."""
        return replace(state, last_out=becomes) if state.last_out == was else state

    # --- entries

    def own_rules(self) -> Mapping[type[Entry], Sequence[Rule[Red1881State, Any]]]:
        """Where nobody can owe, penalties have a limit."""
        return {Adjust: (self._held_faults,)}

    def _held_faults(self, state: Red1881State, entry: Adjust) -> Iterable[Fault]:
        """Where nobody can owe, a penalty is no more than its payer holds."""
        if not state.table.options.no_debts:
            return []
        payer = entry.player if entry.points < 0 else entry.to
        if payer is None or state.totals[payer] >= abs(entry.points):
            return []
        says = say_many(
            "{player} has {n} counter left and can’t pay {amount}.",
            "{player} has {n} counters left and can’t pay {amount}.",
            n=state.totals[payer],
            player=payer,
            amount=abs(entry.points),
        )
        return [self.fault("more-than-held", says, "score")]

    def aces_faults(self, state: Red1881State, entry: Aces) -> Iterable[Fault]:
        """The red-ace pool is swept once a deal."""
        return self._swept_faults(state)

    def _swept_faults(self, state: Red1881State) -> Iterable[Fault]:
        if state.swept is not None:
            says = say(
                "{player} has already swept the red-ace pool in this deal.",
                player=state.name(state.swept),
            )
            yield self.fault("aces-swept", says, "pools")

    def play_aces(self, state: Red1881State, entry: Aces) -> Played[Red1881State]:
        """Sweep the red-ace pool."""
        moves = Moves(state.pools)
        pools.sweep(moves, "red_ace", entry.player)
        after = replace(
            scored(state, moves.lines),
            pools=moves.pools,
            swept=state.seat(entry.player),
            swept_counters=state.pools["red_ace"],
        )
        return after, moves.lines

    def _hand_faults(self, state: Red1881State, entry: Out) -> Iterable[Fault]:
        held = {player: hand.cards for player, hand in shown_hands(entry).counted.items()}
        each = self.plan(state.table, state.deal, state.dealer).each
        return hand_faults(self.fault, state.table.players, entry, held, each)

    def _pack_faults(self, state: Red1881State, entry: Out) -> Iterable[Fault]:
        hands = shown_hands(entry)
        yield from pack_faults(PACK, self.fault, hands.all_cards)
        red_nines = sum(hand.red_nines for hand in hands.counted.values())
        yield from red_nine_faults(PACK, self.fault, red_nines, out_on_red_nine(entry))

    def _aces_out_faults(self, state: Red1881State, entry: Out) -> Iterable[Fault]:
        """Red aces that were swept, in this entry or before, are swept once and in no hand."""
        if entry.aces is not None:
            yield from self._swept_faults(state)
        swept_by = entry.aces if state.swept is None else state.name(state.swept)
        if swept_by is not None:
            hands = shown_hands(entry)
            yield from self._sweeper_faults(state, swept_by, hands)
            yield from self._ace_faults(swept_by, hands)

    def _sweeper_faults(
        self, state: Red1881State, swept_by: str, hands: ShownHands[CountedHand]
    ) -> Iterable[Fault]:
        """Whoever swept the red-ace pool has played two cards at least."""
        each = self.plan(state.table, state.deal, state.dealer).each
        held = hands.counted[swept_by].cards if swept_by in hands.counted else 0
        most = each - len(RED_ACES)
        if most < held <= each:
            says = say(
                "{player} has played both red aces, so holds {most} of the {each} cards dealt at "
                "most, not {n}.",
                player=swept_by,
                most=most,
                each=each,
                n=held,
            )
            yield self.fault("aces-held", says, "pools")

    def _ace_faults(self, swept_by: str, hands: ShownHands[CountedHand]) -> Iterable[Fault]:
        """Red aces that have been played are in no hand."""
        for player, cards in hands.cards.items():
            for card in dict.fromkeys(card for card in cards if card in RED_ACES):
                says = say(
                    "{player} can’t hold {card}: {winner} swept the red-ace pool, so both red "
                    "aces have been played.",
                    player=player,
                    card=card_name(card),
                    winner=swept_by,
                )
                yield self.fault("ace-played", says, "pools")

    def play_out(self, state: Red1881State, entry: Out) -> Played[Red1881State]:
        """Everybody pays the winner, who may sweep the red-nine pool too."""
        moves = Moves(state.pools)
        moves.lines.append(went_out(entry.player, red_nine=entry.red_nine))
        hands, short = shown_hands(entry).counted, []
        held = self._held_to_pay(state, entry)
        for player in (name for name in state.table.players if name in hands):
            line = hand_line(player, entry.player, hands[player], doubled=entry.red_nine)
            if held.get(player, math.inf) < -line.points:
                line = _in_part(line, held[player])
                short.append(player)
            moves.lines.append(line)
        if entry.aces is not None:
            pools.sweep(moves, "red_ace", entry.aces)
        if entry.red_nine:
            pools.sweep(moves, "red_nine", entry.player)
        won = replace(state, pools=moves.pools, last_out=entry.player, short=tuple(short))
        return self.end_deal(won, moves.lines)

    def _held_to_pay(self, state: Red1881State, entry: Out) -> dict[str, int]:
        """What each player can pay with, by name, where nobody can owe; else nobody's.

        A red-ace pool that is recorded late was won during the deal.
        """
        if not state.table.options.no_debts:
            return {}
        held = dict(zip(state.table.players, state.scores, strict=True))
        if entry.aces is not None:
            held[entry.aces] += state.pools["red_ace"]
        return held


def _in_part(line: Line, paid: int) -> Line:
    """The line of somebody who can pay no more than this."""
    why = say("{cards}, paid as far as possible", cards=line.reason)
    return Line(line.player, -paid, why, say("paid in part"), to=line.to)


def _paid(state: Red1881State) -> Iterable[Text]:
    nine, ace = state.paid
    if nine or ace:
        yield say(
            "{dealer} puts {nine} in the red-nine pool, {ace} in the red-ace pool",
            dealer=state.name(state.dealer),
            nine=nine,
            ace=ace,
        )


GAME = RedNines1881()
