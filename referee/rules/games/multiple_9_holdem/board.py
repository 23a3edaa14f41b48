"""The cards on the board: what comes next, and whether it may come now."""

from collections.abc import Iterable

from referee.rules.cards.cards import RANKS_ONLY, Card, read_cards
from referee.rules.core.ruling import Fault
from referee.rules.games.multiple_9_holdem.entries import BoardCards
from referee.rules.games.multiple_9_holdem.sections import fault, number_or_none, rank_faults
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import Text, say

_NEXT = {
    "flop": say("Now the flop: three cards"),
    "turn": say("Now the turn: one card"),
    "river": say("Now the river: one card"),
}
_ENTER_FIRST = {
    "flop": say("The flop comes first: enter its three cards."),
    "turn": say("The turn comes first: enter its card."),
    "river": say("The river comes first: enter its card."),
}


def next_board(state: HoldemState) -> Text:
    """The cards that come next: "Now the flop: three cards"."""
    return _NEXT[state.next_street]


def board_cards(entry: BoardCards) -> tuple[Card, ...]:
    """The cards entered; raises `NotationError` naming everything that is no card."""
    return read_cards(entry.cards, RANKS_ONLY)


def board_faults(state: HoldemState, entry: BoardCards) -> Iterable[Fault]:
    """Why these cards cannot come onto the board now; raises `NotationError`."""
    if state.due != "board":
        yield not_yet(state)
    cards = board_cards(entry)
    if state.due == "board":
        yield from _number_faults(state, len(cards))
    yield from rank_faults([*(Card(rank) for rank in state.board), *cards])


def not_yet(state: HoldemState) -> Fault:
    """Why an entry must wait: for a bet, the board or the showdown."""
    turn = state.spot.turn
    if turn is not None:
        says = say("{player} must act first.", player=state.name(turn.seat))
        return fault("betting-open", says, "betting")
    if state.due == "board":
        return fault("board-due", _ENTER_FIRST[state.next_street], "board")
    says = say("The board is complete and the betting is over: enter the hands shown.")
    return fault("show-due", says, "showdown")


def _number_faults(state: HoldemState, number: int) -> Iterable[Fault]:
    if number == state.cards_due:
        return
    entered = number_or_none(number)
    match state.next_street:
        case "flop":
            says = say("The flop is three cards; you entered {n}.", n=entered)
        case "turn":
            says = say("The turn is one card; you entered {n}.", n=entered)
        case _:
            says = say("The river is one card; you entered {n}.", n=entered)
    yield fault("board-cards", says, "board").lacking("more")
