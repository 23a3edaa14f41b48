"""Red Nines as described in 1881 (`docs/rules.md` §4): runs in suit, two pools, counters."""

from collections.abc import Iterable, Mapping
from typing import Annotated, Any

from msgspec.structs import replace

from referee.rules.cards.card_keys import ShortSuitedText
from referee.rules.cards.cards import SUITED_RED_NINES, card_name
from referee.rules.cards.hands import (
    CAUGHT,
    CountedHand,
    ShownHands,
    WentOut,
    caught,
    hand_line,
    in_numbers,
    read_hands,
    shown_faults,
    went_out,
)
from referee.rules.cards.runs import run_judge
from referee.rules.cards.sequence_judge import sequence_judge
from referee.rules.core.asking import asked
from referee.rules.core.entries import Adjust, Entry, EntryKind, Played, Player
from referee.rules.core.game import Game
from referee.rules.core.parts import Counters, Deals, Elimination, Feats, Moves, Pad, Steps
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Source, Table
from referee.rules.games.red_nines_1881 import pools
from referee.rules.games.red_nines_1881.house_rules import (
    DECK,
    FIVE_EACH,
    RED_ACES,
    SLUG,
    STOPS,
    FiveEach,
    HouseRules,
    fault,
    payment_judge,
)
from referee.rules.games.red_nines_1881.pools import Red1881State
from referee.rules.text import Text, say, say_many


class Aces(Entry, frozen=True, tag="aces"):
    """`player` has played both red aces and sweeps the red-ace pool."""

    player: Annotated[Player, asked(say("who played both red aces"))]


class Out(WentOut, frozen=True, tag="out"):
    """`player` went out, perhaps on a red nine; `hands`: what everybody else still held.

    `aces`: who swept the red-ace pool in this deal, if that was not entered before.
    """

    aces: Annotated[Player | None, asked(say("who played both red aces"))] = None
    hands: Annotated[
        dict[Player, ShortSuitedText | CountedHand],
        asked(
            say("the hands"),
            of=say("{player}’s hand"),
            wanted=say("cards, or how many red nines and how many others"),
        ),
    ] = {}


def _shown_hands(entry: Out) -> ShownHands[CountedHand]:
    return read_hands(entry.hands, SUITED_RED_NINES, in_numbers)


def _beside_total(state: Red1881State) -> Mapping[str, Text]:
    return {} if state.swept is None else {state.name(state.swept): say("red aces")}


def _card(state: Red1881State, steps: Steps) -> Steps:
    """The deal card, with the dealer's stakes before the cards."""
    nine, ace = state.paid
    if not nine and not ace:
        return steps
    paid = say(
        "{dealer} puts {nine} in the red-nine pool, {ace} in the red-ace pool",
        dealer=state.name(state.dealer),
        nine=nine,
        ace=ace,
    )
    return (*steps[:1], paid, *steps[1:])


def _held_faults(state: Red1881State, entry: Adjust) -> Iterable[Fault]:
    """A fault if debts are not allowed and a penalty is more than its payer holds."""
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
    return [fault("more-than-held", says, "score")]


class RedNines1881(Game[Red1881State, HouseRules]):
    """Runs upward in suit, red nines wild; the first out is paid, and may sweep a pool."""

    slug = SLUG
    title = say("Red Nines (1881)")
    summary = say(
        "A stops game for counters: runs in suit, two pools, double pay for a red nine last."
    )
    emblem = "AH 9H 9D AD"
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
        builds=True,
        begin=pools.begin_deal,
        again=pools.deal_again,
    )
    counters = Counters(
        each=lambda rules: rules.counters,
        pools=pools.POOLS,
        take_back=pools.take_back,
        wind_up=pools.wind_up,
    )
    #: By house rule, players are out who could not pay in full when the deal was settled.
    elimination = Elimination(lambda state, player: player in state.paid_in_part)
    pad = Pad(card=_card, beside_total=_beside_total)
    feats = Feats(
        CAUGHT,
        lambda state, entry, lines: caught(_shown_hands(entry)) if isinstance(entry, Out) else (),
    )
    own_judges = (
        payment_judge,
        run_judge(STOPS),
        sequence_judge(STOPS, five_each=(FiveEach, FIVE_EACH)),
    )
    shared_rules = {Adjust: (_held_faults,)}

    def own_entries(self) -> tuple[EntryKind[Red1881State, Any], ...]:
        """A sweep of the red-ace pool, and the end of a deal."""
        rules = self._hand_faults, self._aces_out_faults
        return (
            EntryKind(Aces, self._play_aces, self._swept_faults),
            EntryKind(Out, self._play_out, *rules, by_hand=True),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to ten, or to eight with five cards each; with more there would be little to play."""
        return options.stops_game.seats

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Cards divided equally or five each; the rest on the table for the dealer's eyes only."""
        each = table.options.stops_game.each(len(table.players))
        left = DECK - each * len(table.players)
        name = table.players[dealer]
        says = [say("{dealer} deals {n} each, {left} on the table", dealer=name, n=each, left=left)]
        if number == 1:
            says.append(say("Leave out the 2s and 3s: {deck} cards", deck=DECK))
        says += [
            say(
                "Only {dealer} may look at the table cards, and calls “stop” for them", dealer=name
            ),
            say("{player} begins", player=table.players[table.left_of(dealer)]),
        ]
        return Deal(each, left, say("table"), DECK, tuple(says))

    # --- entries

    def _swept_faults(self, state: Red1881State, entry: Aces | Out) -> Iterable[Fault]:
        if state.swept is not None:
            says = say(
                "{player} has already swept the red-ace pool in this deal.",
                player=state.name(state.swept),
            )
            yield fault("aces-swept", says, "pools")

    def _play_aces(self, state: Red1881State, entry: Aces) -> Played[Red1881State]:
        moves = Moves(state.pools)
        pools.sweep_aces(moves, entry.player)
        won, seat = state.pools["red_ace"], state.seat(entry.player)
        return moves.made(replace(state, swept=seat, swept_counters=won))

    def _hand_faults(self, state: Red1881State, entry: Out) -> Iterable[Fault]:
        game, hands = state.table.options.stops_game, _shown_hands(entry)
        yield from shown_faults(game, state.table.players, entry, hands)

    def _aces_out_faults(self, state: Red1881State, entry: Out) -> Iterable[Fault]:
        """The faults of a second sweep, and of red aces in a hand after a sweep."""
        if entry.aces is not None:
            yield from self._swept_faults(state, entry)
        swept_by = entry.aces if state.swept is None else state.name(state.swept)
        if swept_by is None:
            return
        hands = _shown_hands(entry)
        each = state.table.options.stops_game.each(len(state.table.players))
        held = hands.counted[swept_by].cards if swept_by in hands.counted else 0
        most = each - len(RED_ACES)
        if most < held <= each:
            says = say(
                "{player} has played both red aces, so holds at most {most} of the {each} dealt, "
                "not {n}.",
                player=swept_by,
                most=most,
                each=each,
                n=held,
            )
            yield fault("aces-held", says, "pools")
        for player, cards in hands.cards.items():
            for card in dict.fromkeys(card for card in cards if card in RED_ACES):
                says = say(
                    "{player} can’t hold {card}: {winner} swept the red-ace pool, so both red "
                    "aces have been played.",
                    player=player,
                    card=card_name(card),
                    winner=swept_by,
                )
                yield fault("ace-played", says, "pools")

    def _play_out(self, state: Red1881State, entry: Out) -> Played[Red1881State]:
        """Everybody pays the winner, who also sweeps the red-nine pool after a last red nine.

        If debts are not allowed they pay what they have, including a red-ace pool that they won but
        that was not recorded until now.
        """
        moves = Moves(state.pools)
        moves.lines.append(went_out(entry.player, red_nine=entry.red_nine))
        hands, paid_in_part = _shown_hands(entry), []
        held = dict(zip(state.table.players, state.scores, strict=True))
        if entry.aces is not None:
            held[entry.aces] += state.pools["red_ace"]
        for player in hands.held_by(state.table.players):
            line = hand_line(player, entry.player, hands.counted[player], doubled=entry.red_nine)
            if state.table.options.no_debts and held[player] < -line.points:
                why = say("{cards}, paid as far as possible", cards=line.reason)
                part = say("paid in part")
                line = Line(player, -held[player], why, part, to=entry.player, word=say("in part"))
                paid_in_part.append(player)
            moves.lines.append(line)
        if entry.aces is not None:
            pools.sweep_aces(moves, entry.aces)
        if entry.red_nine:
            why = say("went out on a red nine and swept the red-nine pool")
            moves.sweep("red_nine", entry.player, why)
        won = replace(
            state,
            pools=moves.pools,
            swept=None,
            last_winner=entry.player,
            paid_in_part=tuple(paid_in_part),
        )
        return self.end_deal(won, moves.lines)


GAME = RedNines1881()
