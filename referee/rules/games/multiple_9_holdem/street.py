"""A street entered at once: who folds, and who raises; everybody else calls or checks.

A raise is the last move: after it everybody is asked again. Nothing is entered for players who act
on phones of their own, nor for those to act after the first of them.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct

from referee.rules.core.asking import asked
from referee.rules.core.entries import Entry, Player
from referee.rules.games.multiple_9_holdem.betting import Betting, MoveName, Turn
from referee.rules.games.multiple_9_holdem.entries import Chips
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import say


class Street(Entry, frozen=True, tag="street"):
    """Who folds, and who raises to how much; amounts in `to` for other players are passed over.

    Moves are entered for all who are to act before the player `until`; without one, for all.
    """

    folds: Annotated[list[Player], asked(say("who folds"))] = []
    raises: Annotated[Player | None, asked(say("who raises"))] = None
    to: Annotated[
        dict[Player, Chips],
        asked(say("the total on this street"), of=say("{player}’s total on this street")),
    ] = {}
    until: Annotated[Player | None, asked(say("who is next to act"))] = None


class Move(Struct, frozen=True):
    """A move as it was entered, and what its player can do at that point."""

    player: str
    name: MoveName
    turn: Turn


class StreetMoves(Struct, frozen=True):
    """The moves entered for a street, in order, and the betting after all but a raise."""

    moves: tuple[Move, ...]
    after: Betting
    #: By seat, the chips bet before each of these moves.
    pots: Mapping[int, int]

    def who(self, *names: MoveName) -> list[str]:
        """The players whose move has one of these names."""
        return [move.player for move in self.moves if move.name in names]

    @property
    def turns(self) -> Mapping[int, Turn]:
        """What each of these players can do, by seat, after the moves before theirs."""
        return {move.turn.seat: move.turn for move in self.moves}

    @property
    def pot(self) -> int:
        """The chips in the middle after these moves."""
        return sum(self.after.paid)

    @property
    def uncalled(self) -> int:
        """The chips that nobody has matched, which go back to the last player left."""
        return sum(self.after.uncalled.values())


def moves_on_street(state: HoldemState, entered: Mapping[str, Any]) -> StreetMoves:
    """The moves that a `Street` describes, `entered` as plain JSON types."""
    betting, moves, pots = state.betting, list[Move](), dict[int, int]()
    while (turn := betting.turn) is not None:
        player = state.name(turn.seat)
        if moves and player == entered.get("until"):
            break
        name: MoveName = "call" if turn.call else "check"
        if player == entered.get("raises"):
            name = "raise"
        elif player in (entered.get("folds") or ()):
            name = "fold"
        moves.append(Move(player, name, turn))
        pots[turn.seat] = sum(betting.paid)
        if name == "raise":
            break
        betting = betting.move(name, 0)
    return StreetMoves(tuple(moves), betting, pots)


def bet_entries(state: HoldemState, entered: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The bets of a `Street` as entries, in plain JSON types, on which nobody has ruled yet.

    If nobody is to act, a check, which is then refused with the reason.
    """
    amounts: Mapping[str, Any] = entered.get("to") or {}
    return [
        {"action": "bet", "player": move.player, "move": move.name}
        | ({"to": amounts[move.player]} if move.name == "raise" and move.player in amounts else {})
        for move in moves_on_street(state, entered).moves
    ] or [{"action": "bet", "player": state.name(0), "move": "check"}]
