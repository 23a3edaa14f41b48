"""Multiple 9, draw and discard (`docs/rules.md` §1): every turn is recorded, or only who won."""

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from referee.rules.core.entries import EntryKind, Played
from referee.rules.core.game import Game
from referee.rules.core.parts import Deals, Goal, Pad, Steps, Turns
from referee.rules.core.table import Deal, Line, Source, Table
from referee.rules.games.multiple_9.deal import (
    CARDS_EACH,
    PACK,
    Multiple9State,
    after_turn,
    begin_deal,
    first_stock,
    left_faults,
    left_lines,
    out_faults,
    turn_faults,
)
from referee.rules.games.multiple_9.discards import SLUG, discard_judge, hand_judge
from referee.rules.games.multiple_9.entries import HouseRules, Left, Out, Turn
from referee.rules.text import Text, say, say_many


def _next_dealer(state: Multiple9State) -> int:
    """The seat left of the dealer, or by house rule the winner of the last deal."""
    if state.won is not None and state.table.options.next_dealer == "winner":
        return state.won
    return state.table.left_of(state.dealer)


def _still_holding(state: Multiple9State) -> tuple[int, ...]:
    """The seats that still hold cards: not that of a winner while the others count theirs."""
    seats = range(len(state.table.players))
    return tuple(seat for seat in seats if state.finished or seat != state.won)


def _beside_total(state: Multiple9State) -> Mapping[str, Text]:
    """The size of each hand, once turns are recorded."""
    if not state.drawn:
        return {}
    return {
        player: say_many("{n} card", "{n} cards", n=held)
        for player, held in zip(state.table.players, state.held, strict=True)
    }


def _card(state: Multiple9State, steps: Steps) -> Steps:
    """The steps of the deal; once turns are recorded, whose turn it is and what to draw from."""
    if state.won is not None:
        winner = state.name(state.won)
        return (say("{player} is out: count what the others hold", player=winner),)
    if not state.drawn:
        return steps
    who = state.name(state.turn)
    if state.nothing_to_draw:
        return (say("No cards left to draw: {player} plays without drawing", player=who),)
    if state.stock == 0:
        return (say("The stock is empty: {player} shuffles the discards and draws", player=who),)
    return (
        say(
            "{player}’s turn: draw one of {stock}, then lay down what you like",
            player=who,
            stock=state.stock,
        ),
    )


class Multiple9(Game[Multiple9State, HouseRules]):
    """Draw one, lay down multiples of nine made of at most two ranks, be first to hold nothing."""

    slug = SLUG
    title = say("Multiple 9")
    summary = say("Draw, lay down multiples of nine, and be the first to run out of cards.")
    emblem = "J 7"
    sources = (
        Source(
            say("Nick Jaura, “Multiple 9,” pagat.com, invented games, 2007"),
            say(
                "Sets, groups, discards, the last play, and the stock. It leaves open how many "
                "play, who deals, who begins, and what a deal is worth."
            ),
        ),
    )
    sections = {
        "deal": say("the deal"),
        "turns": say("turns"),
        "sets": say("sets and groups"),
        "discards": say("discards"),
        "last-play": say("the last play"),
        "stock": say("the stock"),
        "score": say("the score"),
    }
    house_rules = HouseRules
    state = Multiple9State
    goal = Goal(lambda rules: rules.goal or None)
    deals = Deals(
        even=lambda rules: rules.scoring == "deals",
        packs=lambda rules, players: rules.packs,
        next_dealer=_next_dealer,
        begin=begin_deal,
        again=begin_deal,
    )
    turns = Turns(
        acts=lambda state: state.turn if state.won is None else None, in_play=_still_holding
    )
    pad = Pad(card=_card, beside_total=_beside_total)
    own_judges = (discard_judge, hand_judge)

    def own_entries(self) -> tuple[EntryKind[Multiple9State, Any], ...]:
        """A turn, a deal won, and the cards left after recorded turns."""
        return (
            EntryKind(Turn, self._play_turn, turn_faults, for_all=True),
            EntryKind(Out, self._play_out, out_faults, by_hand=True),
            EntryKind(Left, self._play_left, left_faults, by_hand=True),
        )

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to eight, or to 16 with two packs: the stock needs a card for each player."""
        return range(2, 9 if options.packs == 1 else 17)

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Five each, the rest is the stock; no card is turned up."""
        who, stock = table.players[dealer], first_stock(table)
        deals = say(
            "{dealer} deals {each} each, {stock} to the stock",
            dealer=who,
            each=CARDS_EACH,
            stock=stock,
        )
        if table.options.packs == 2:
            deals = say(
                "{dealer} deals {each} each from two packs, {stock} to the stock",
                dealer=who,
                each=CARDS_EACH,
                stock=stock,
            )
        says = [deals]
        if table.options.empty_stock == "end":
            says.append(say("Don’t shuffle the discards: the deal ends when the stock runs out"))
        begins = say(
            "{player} begins: draw one, then lay down multiples of nine",
            player=table.players[table.left_of(dealer)],
        )
        deck = PACK * table.options.packs
        return Deal(CARDS_EACH, stock, say("stock"), deck, (*says, begins))

    # --- entries

    def _play_turn(self, state: Multiple9State, entry: Turn) -> Played[Multiple9State]:
        after = after_turn(state, entry)
        seat = state.seat(entry.player)
        if after.held[seat] == 0:
            if state.table.options.scoring == "cards":
                return replace(after, won=seat), []
            return self._win(after, entry.player, {})
        nobody_wins = after.idle == len(after.held)  # nothing laid down in a whole round
        if state.table.options.empty_stock == "end":
            nobody_wins = after.stock == 0
        return self.seating.void_deal(after) if nobody_wins else (after, [])

    def _play_out(self, state: Multiple9State, entry: Out) -> Played[Multiple9State]:
        return self._win(state, entry.player, entry.left)

    def _play_left(self, state: Multiple9State, entry: Left) -> Played[Multiple9State]:
        assert state.won is not None  # else `left_faults` has refused it
        return self._win(state, state.name(state.won), entry.left)

    def _win(
        self, state: Multiple9State, winner: str, left: Mapping[str, str]
    ) -> Played[Multiple9State]:
        won = replace(state, won=state.seat(winner))
        by_cards = state.table.options.scoring == "cards"
        gained = [] if by_cards else [Line(winner, 1, say("won the deal"))]
        return self.end_deal(won, [*gained, *left_lines(winner, left, counts=by_cards)])


GAME = Multiple9()
