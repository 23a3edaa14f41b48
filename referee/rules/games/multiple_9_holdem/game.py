"""Multiple 9, the gambling version: hold'em betting, and seven cards ranked by their nines.

The chips lie on the table; the sheet says who acts, what a call costs, how high a raise must be,
what lies in which pot and who gets what (`rules.md` §2).
"""

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from referee.rules.cards.cards import RANKS_ONLY, Card, reading_cards
from referee.rules.core.entries import Abandon, Adjust, Buy, Entry
from referee.rules.core.game import Game
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line, change_by_player
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Deal, Need, Source, Table
from referee.rules.games.multiple_9_holdem import judges, sections
from referee.rules.games.multiple_9_holdem.betting import (
    BOARD_SIZES,
    STREETS,
    Dealt,
    Move,
    Spot,
    Stakes,
    replay,
)
from referee.rules.games.multiple_9_holdem.moves import (
    cost,
    in_words,
    move_faults,
    next_board,
    not_yet,
)
from referee.rules.games.multiple_9_holdem.pots import Pot
from referee.rules.games.multiple_9_holdem.sections import fault, rank_faults
from referee.rules.games.multiple_9_holdem.sheet import (
    Bet,
    BettingOptions,
    BoardCards,
    Felt,
    HouseRules,
    Place,
    PlayedHand,
    Sheet,
    Show,
)
from referee.rules.games.multiple_9_holdem.showdown import (
    read_hands,
    show_faults,
    showdown_lines,
    uncontested_lines,
)

DECK = 52


class Multiple9Holdem(Game[Sheet, HouseRules]):
    """Two cards each, five on the board, four rounds of betting; most nines take the pot."""

    slug = "multiple-9-holdem"
    title = sections.TITLE
    summary = "The gambling version: hold’em betting, and the most nines in seven cards win."
    sources = (
        Source(
            "Nick Jaura, “Multiple 9”, gambling version, pagat.com, invented games, 2007",
            "Cards, board and what hands are worth, with the ten hands above. It numbers "
            "them by strength, which is not the order in which its ten players sit.",
        ),
        Source(
            "Robert’s Rules of Poker, no limit",
            "Blinds, bets, raises, and all-in for less; the first source leaves them to hold’em.",
        ),
        Source(
            "The BARGE rulebook",
            "Odd chips go to the left of the button.",
        ),
    )
    unit = "chip"
    sections = sections.SECTIONS
    pool_names = {"pot": "in the middle"}
    deal_called = "hand"
    if_stopped_says = "The hand in progress does not count: its bets and blinds go back here."
    house_rules = HouseRules
    entry_kinds = (Bet, BoardCards, Show, PlayedHand)

    def own_judges(self) -> tuple[Judge[Any], ...]:
        """Hands, showdowns, odds and pots."""
        return judges.judges()

    # --- the table

    def seats(self, options: HouseRules) -> range:
        """Two to ten."""
        return range(2, 11)

    def option_faults(self, table: Table) -> list[Fault]:
        """The big blind is the bigger one."""
        options: HouseRules = table.options
        if options.small_blind <= options.big:
            return []
        message = f"The big blind of {options.big} is below the small blind, {options.small_blind}."
        return [fault("blinds", message, "blinds")]

    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """Two cards each; the board comes from the rest."""
        rest = DECK - sections.HOLE_CARDS * len(table.players)
        says = (
            f"{table.players[dealer]} has the button: two cards each, face down. "
            "The board will be three cards, then one, then one.",
        )
        return Deal(number, sections.HOLE_CARDS, rest, "stock", DECK, says)

    def first(self, table: Table) -> Sheet:
        """Everybody has bought in."""
        stacks = (table.options.stack,) * len(table.players)
        return Sheet(table=table, deal=1, dealer=table.dealer, scores=stacks, pools={"pot": 0})

    def next_dealer(self, state: Sheet) -> int:
        """The button moves to the next player who has chips."""
        around = state.table.clockwise_from(state.table.left_of(state.dealer))
        return next(seat for seat in around if state.scores[seat])

    def begin_deal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """The blinds are posted, by whoever has chips."""
        begun = _set_out(state, state.scores)
        small, big = begun.stakes.blind_seats
        lines = [
            Line(state.name(seat), -min(blind, state.scores[seat]), words)
            for seat, blind, words in (
                (small, begun.stakes.small, "small blind"),
                (big, begun.stakes.big, "big blind"),
            )
        ]
        return begun, _balanced(state, lines, begun, "not called")

    def redeal(self, state: Sheet) -> tuple[Sheet, list[Line]]:
        """The bets go back; the blinds stay where they are."""
        anew = _set_out(state, state.stakes.held)
        return anew, _balanced(state, [], anew, "back: the hand is void")

    def adjust(self, state: Sheet, lines: list[Line]) -> tuple[Sheet, list[Line]]:
        """Chips change hands before the first bet: the hand is set out anew with them."""
        change = change_by_player(lines, state.table.players).values()
        held = tuple(a + b for a, b in zip(state.stakes.held, change, strict=True))
        after = _set_out(state, held)
        assert _chips(after) == _chips(state) + sum(change)
        return after, _balanced(state, lines, after, "the blinds posted anew")

    def result(self, state: Sheet, completed: int) -> tuple[int, ...]:
        """Whoever has all the chips has won."""
        holders = tuple(seat for seat, chips in enumerate(state.scores) if chips)
        return holders if len(holders) == 1 and not state.pot else ()

    def if_stopped(self, state: Sheet) -> tuple[int, ...]:
        """The hand in progress does not count: its bets and blinds go back."""
        return self.pictured(state)

    # --- what a screen shows

    def pictured(self, state: Sheet) -> tuple[int, ...]:
        """The stacks between two hands: what is bet in this one still counts as its owner's."""
        return state.scores if state.finished else state.stakes.held

    def acts(self, state: Sheet) -> int | None:
        """Whose turn it is to bet."""
        return state.spot.turn.seat if state.spot.turn else None

    def betting(self, state: Sheet) -> BettingOptions | None:
        """What the player who acts can do; None while nobody is to bet."""
        turn = state.spot.turn
        if turn is None or state.finished:
            return None
        return BettingOptions(
            player=state.name(turn.seat),
            stack=turn.stack,
            bet=state.spot.bets[turn.seat],
            call=turn.call,
            least=turn.least,
            most=turn.most,
            no_raise=turn.no_raise,
            pot=state.pot,
        )

    def felt(self, state: Sheet) -> Felt:
        """The board, the pots and the bets of the hand in progress."""
        small, big = state.stakes.blind_seats
        return Felt(
            street=STREETS[state.street],
            board=state.board,
            due=state.due,
            places=tuple(_place(state, seat) for seat in range(len(state.scores))),
            pots=tuple(
                Pot(pot.amount, tuple(state.name(seat) for seat in pot.players))
                for pot in state.spot.pots
            ),
            small_blind=state.name(small),
            big_blind=state.name(big),
        )

    def needs(self, state: Sheet) -> tuple[Need, ...]:
        """The chips before each player who is still in."""
        return tuple(
            Need(state.name(seat), chips, "chip in front" if chips == 1 else "chips in front")
            for seat, chips in enumerate(state.spot.bets)
            if seat in state.spot.live
        )

    def notes(self, state: Sheet) -> tuple[str, ...]:
        """The blinds, who sits out, and what comes next."""
        says = []
        if not state.actions:
            small, big = state.stakes.blind_seats
            says.append(
                f"{state.name(small)} posts {state.spot.paid[small]}, "
                f"{state.name(big)} {state.spot.paid[big]}."
            )
        out = [state.name(seat) for seat, held in enumerate(state.stakes.held) if not held]
        says += [f"{name} has no chips and sits out." for name in out]
        return (*says, self._next_step(state))

    def _next_step(self, state: Sheet) -> str:
        options = self.betting(state)
        if options is not None:
            price = f"{options.call} to call" if options.call else "nothing to call"
            raising = ""
            if options.least is not None:
                raising = f", raise to {options.least}"
                raising += "" if options.most == options.least else f" up to {options.most}"
            return f"{options.player} to act: {price}{raising}."
        if state.due == "board":
            return f"{next_board(state)}."
        return "The betting is over: everybody still in shows or mucks."

    # --- entries

    def faults(self, state: Sheet, entry: Entry) -> list[Fault]:
        """Rule on a bet, the board, a showdown, or a hand that was not followed."""
        if isinstance(entry, Bet):
            return move_faults(state, entry)
        if isinstance(entry, BoardCards):
            return list(self._board_faults(state, entry))
        if isinstance(entry, Show):
            hands = read_hands(entry.hands)
            if state.due != "show":
                return [not_yet(state)]
            live = [state.name(seat) for seat in state.spot.live]
            return list(show_faults(live, state.board, hands))
        assert isinstance(entry, PlayedHand)
        return list(self._played_faults(state, entry))

    def play(self, state: Sheet, entry: Entry) -> tuple[Sheet, list[Line]]:
        """Do it. Chips are counted: none may be made or lost."""
        if isinstance(entry, Bet):
            after, lines = self._bet(state, entry)
        elif isinstance(entry, BoardCards):
            cards = tuple(card.rank for card in _board_cards(entry))
            after, lines = _acted(state, Dealt()), []
            after = replace(after, board=state.board + cards)
        elif isinstance(entry, Show):
            after, lines = self._end_hand(state, showdown_lines(state, read_hands(entry.hands)))
        else:
            assert isinstance(entry, PlayedHand)
            lines = [
                Line(state.name(seat), paid, "blind taken back")
                for seat, paid in enumerate(state.spot.paid)
                if paid
            ]
            lines += [Line(player, chips, "won") for player, chips in entry.won.items()]
            lines += [Line(player, -chips, "lost") for player, chips in entry.lost.items()]
            after, lines = self._end_hand(state, lines)
        assert _chips(after) == _chips(state)
        return after, lines

    def shared_entry_faults(self, state: Sheet, entry: Adjust | Abandon | Buy) -> list[Fault]:
        """Chips change hands only before the first bet, and nobody can pay what he has not."""
        if isinstance(entry, Abandon):
            return []
        if state.actions:
            message = "This hand has begun: chips are bought and paid before the first bet."
            return [fault("hand-begun", message, "chips")]
        if isinstance(entry, Buy):
            return []
        payer = entry.player if entry.points < 0 else entry.to
        if payer is None or state.scores[state.seat(payer)] >= abs(entry.points):
            return []
        left = state.scores[state.seat(payer)]
        message = f"{payer} has {left} chips left and cannot pay {abs(entry.points)}."
        return [fault("more-than-stack", message, "chips")]

    def _bet(self, state: Sheet, entry: Bet) -> tuple[Sheet, list[Line]]:
        after = _acted(state, Move(entry.move, entry.to or 0))
        lines = [Line(entry.player, -cost(state, entry), in_words(state, entry))]
        lines = _balanced(state, lines, after, "not called")
        if len(after.spot.live) > 1:
            return after, lines
        return self._end_hand(state, [*lines, *uncontested_lines(after)])

    def _end_hand(self, state: Sheet, lines: list[Line]) -> tuple[Sheet, list[Line]]:
        return self.end_deal(replace(state, pools={"pot": 0}), lines)

    def _board_faults(self, state: Sheet, entry: BoardCards) -> Iterable[Fault]:
        cards = _board_cards(entry)
        if state.due != "board":
            yield not_yet(state)
            return
        number = BOARD_SIZES[state.street + 1] - len(state.board)
        if len(cards) != number:
            message = (
                f"The {STREETS[state.street + 1]} is {number} card{'s' * (number > 1)}; "
                f"{len(cards) or 'none'} entered."
            )
            yield fault("board-cards", message, "board")
        yield from rank_faults([*(Card(rank) for rank in state.board), *cards])

    def _played_faults(self, state: Sheet, entry: PlayedHand) -> Iterable[Fault]:
        if state.actions:
            message = "The betting of this hand is being followed: go on with it, or abandon it."
            yield fault("hand-begun", message, "chips")
        for player in entry.won:
            if player in entry.lost:
                message = f"{player} has either won or lost chips, not both."
                yield fault("won-and-lost", message, "chips")
        for player in dict.fromkeys((*entry.won, *entry.lost)):
            held = state.stakes.held[state.seat(player)]
            if not held:
                message = f"{player} had no chips and was not in this hand."
                yield fault("not-in-hand", message, "chips")
            elif entry.lost.get(player, 0) > held:
                message = f"{player} had {held} chips and cannot lose {entry.lost[player]}."
                yield fault("more-than-stack", message, "chips")
        won, lost = sum(entry.won.values()), sum(entry.lost.values())
        if won != lost:
            message = f"{won} won, but {lost} lost: what some win, others lose."
            yield fault("unequal", message, "chips")
        if not entry.won and not entry.lost:
            message = "Say who won and who lost; 0 where the pot was shared evenly."
            yield fault("nobody-won", message, "chips")


def _set_out(state: Sheet, held: tuple[int, ...]) -> Sheet:
    """The hand of `state` at its beginning, everybody having `held` before the blinds."""
    options: HouseRules = state.table.options
    stakes = Stakes(held, state.dealer, options.small_blind, options.big, options.structure)
    fresh = replace(state, stakes=stakes, actions=(), board=())
    return _standing(fresh, replay(stakes, ()))


def _acted(state: Sheet, action: Move | Dealt) -> Sheet:
    actions = (*state.actions, action)
    return _standing(replace(state, actions=actions), replay(state.stakes, actions))


def _standing(state: Sheet, spot: Spot) -> Sheet:
    return replace(state, spot=spot, scores=spot.stacks, pools={"pot": sum(spot.paid)})


def _balanced(before: Sheet, lines: list[Line], after: Sheet, reason: str) -> list[Line]:
    """`lines`, and for what else the stacks have changed by, lines with this `reason`."""
    told = change_by_player(lines, before.table.players)
    rest = [
        Line(player, now - then - told[player], reason)
        for player, then, now in zip(before.table.players, before.scores, after.scores, strict=True)
        if now - then != told[player]
    ]
    return [*lines, *rest]


def _chips(state: Sheet) -> int:
    return sum(state.scores) + state.pot


def _board_cards(entry: BoardCards) -> tuple[Card, ...]:
    with reading_cards() as reader:
        return reader.cards(entry.cards, RANKS_ONLY, "the board")


def _place(state: Sheet, seat: int) -> Place:
    held, spot = state.stakes.held[seat], state.spot
    return Place(
        player=state.name(seat),
        stack=spot.stacks[seat],
        bet=spot.bets[seat],
        paid=spot.paid[seat],
        status=(
            "out"
            if not held
            else "folded"
            if seat not in spot.live
            else "in"
            if spot.stacks[seat]
            else "all-in"
        ),
    )


GAME = Multiple9Holdem()
