"""Multiple 9, draw and discard (`docs/rules.md` §1).

Either every turn is written down (then whose turn it is, how many cards each holds, the stock
and the number of cards of a rank are followed), or only who won each deal.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from referee.rules.core.entries import EntryKind, Played, if_read
from referee.rules.core.game import Game
from referee.rules.core.judge import Judge
from referee.rules.core.parts import Deals, Pad, Steps, Turns
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Line, Need, Source, Table
from referee.rules.games.multiple_9.counting import left_faults, left_lines
from referee.rules.games.multiple_9.entries import Left, Out, Turn
from referee.rules.games.multiple_9.house_rules import HouseRules
from referee.rules.games.multiple_9.judges import judges
from referee.rules.games.multiple_9.state import NO_CARDS, Multiple9State
from referee.rules.games.multiple_9.turns import CARDS_EACH, PACK, after_turn, turn_faults
from referee.rules.text import Text, say, say_many


def _next_dealer(state: Multiple9State) -> int:
    """The player on the left, or by house rule the winner of the deal that is over."""
    if state.won is not None and state.table.options.next_dealer == "winner":
        return state.won
    return state.table.left_of(state.dealer)


def _acts(state: Multiple9State) -> int | None:
    """Whose turn it is, unless cards are being counted."""
    return state.turn if state.won is None else None


def _beside_total(state: Multiple9State) -> Mapping[str, Text]:
    """The cards each holds, once turns are written down."""
    if not state.drawn:
        return {}
    return {
        player: say_many("{n} card", "{n} cards", n=held)
        for player, held in zip(state.table.players, state.held, strict=True)
    }


def _needs(state: Multiple9State) -> tuple[Need, ...]:
    """How many cards each holds."""
    return tuple(
        Need(player, held, say_many("card", "cards", n=held))
        for player, held in zip(state.table.players, state.held, strict=True)
    )


def _card(state: Multiple9State, steps: Steps) -> Steps:
    """Once turns are written down: whose turn, and whether there is anything left to draw."""
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


def _begin_deal(state: Multiple9State) -> Played[Multiple9State]:
    """Five cards each, the player left of the dealer begins."""
    table = state.table
    dealt = replace(
        state,
        held=(CARDS_EACH,) * len(table.players),
        drawn=frozenset(),
        stock=_stock(table),
        discards=NO_CARDS,
        shuffled=NO_CARDS,
        since=0,
        turn=table.left_of(state.dealer),
        idle=0,
        won=None,
    )
    return dealt, []


class Multiple9(Game[Multiple9State, HouseRules]):
    """Draw one, lay down multiples of nine made of at most two ranks, be first to hold nothing."""

    slug = "multiple-9"
    title = say("Multiple 9")
    summary = say("Draw, lay down multiples of nine, and be the first to run out of cards.")
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
    deals = Deals(next_dealer=_next_dealer, begin=_begin_deal, again=_begin_deal)
    turns = Turns(acts=_acts)
    pad = Pad(card=_card, needs=_needs, beside_total=_beside_total)

    def own_entries(self) -> tuple[EntryKind[Multiple9State, Any], ...]:
        """A turn, a deal won, and the cards left after turns that were followed."""
        return (
            EntryKind(Turn, self.play_turn, self.turn_faults),
            EntryKind(Out, self.play_out, self.out_faults, by_hand=True),
            EntryKind(Left, self.play_left, self.left_faults, by_hand=True),
        )

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Discards, and the best discard of a hand."""
        return judges(self.fault)

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """With one pack a stock of at least one card a player must be left: 6n cards in all."""
        return range(2, 9 if options.packs == 1 else 17)

    def packs(self, options: HouseRules, players: int) -> int:
        """One, or two where more than eight play."""
        return options.packs

    def plan(self, table: Table[HouseRules], number: int, dealer: int) -> Deal:
        """Five each, the rest is the stock; no card is turned up."""
        deck = PACK * table.options.packs
        stock = _stock(table)
        who = table.players[dealer]
        if table.options.packs == 1:
            deals = say(
                "{dealer} deals {each} each, {stock} to the stock",
                dealer=who,
                each=CARDS_EACH,
                stock=stock,
            )
        else:
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
        return Deal(number, CARDS_EACH, stock, say("stock"), deck, (*says, begins))

    def target(self, table: Table[HouseRules]) -> int | None:
        """The agreed number of deals or points, or None where there is no limit."""
        return table.options.goal or None

    # --- entries

    def turn_faults(self, state: Multiple9State, entry: Turn) -> Iterable[Fault]:
        """Whose turn, how many cards, and whether they may be laid down."""
        if state.won is not None:
            return self._count_first(state.name(state.won))
        return turn_faults(self.fault, state, entry)

    def play_turn(self, state: Multiple9State, entry: Turn) -> Played[Multiple9State]:
        """Draw and lay down; who holds nothing has won the deal."""
        after = after_turn(state, entry)
        seat = state.seat(entry.player)
        if after.held[seat] == 0:
            if state.table.options.scoring == "cards":
                return replace(after, won=seat), []
            return self._win(after, entry.player, {})
        if _nobody_wins(after):
            return self.seating.void_deal(after)
        return after, []

    def out_faults(self, state: Multiple9State, entry: Out) -> Iterable[Fault]:
        """What the others hold, where it is needed or given."""
        if state.won is not None:
            return self._count_first(state.name(state.won))
        winner = if_read(lambda: entry.player)
        return left_faults(self.fault, state, winner, entry.left, followed=False)

    def play_out(self, state: Multiple9State, entry: Out) -> Played[Multiple9State]:
        """Score a deal whose turns were not followed to the end."""
        return self._win(state, entry.player, entry.left)

    def left_faults(self, state: Multiple9State, entry: Left) -> Iterable[Fault]:
        """What the others hold after the turns that were followed."""
        if state.won is None:
            says = say("Nobody has gone out yet, so there’s nothing to count.")
            return [self.fault("nobody-out", says, "score")]
        winner = state.name(state.won)
        return left_faults(self.fault, state, winner, entry.left, followed=True)

    def play_left(self, state: Multiple9State, entry: Left) -> Played[Multiple9State]:
        """Score the deal that a turn has ended."""
        assert state.won is not None  # else there would be nothing to count
        return self._win(state, state.name(state.won), entry.left)

    def _win(
        self, state: Multiple9State, winner: str, left: Mapping[str, str]
    ) -> Played[Multiple9State]:
        won = replace(state, won=state.seat(winner))
        by_cards = state.table.options.scoring == "cards"
        gained = [] if by_cards else [Line(winner, 1, say("won the deal"))]
        return self.end_deal(won, [*gained, *left_lines(winner, left, counts=by_cards)])

    def _count_first(self, winner: str) -> list[Fault]:
        says = say("{player} is out: enter what the others hold first.", player=winner)
        return [self.fault("count-first", says, "score")]


def _stock(table: Table[HouseRules]) -> int:
    """The cards that are left when everybody has five."""
    return PACK * table.options.packs - CARDS_EACH * len(table.players)


def _nobody_wins(state: Multiple9State) -> bool:
    """Whether a deal in which nobody has gone out is over all the same."""
    if state.table.options.empty_stock == "end":
        return state.stock == 0
    return state.idle == len(state.held)  # nobody could draw, and nobody has laid anything down


GAME = Multiple9()
