"""The moves of all players to act on a street, entered at once: who folds, and who raises.

Everybody else calls, or checks if there is nothing to call. A raise is the last move: after it
everybody is asked again. Nothing is entered for players who act on phones of their own.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Struct

from referee.rules.core.asking import asked
from referee.rules.core.entries import Entry, Player
from referee.rules.games.multiple_9_holdem.betting import MoveName, Spot, Turn, uncalled
from referee.rules.games.multiple_9_holdem.entries import Chips
from referee.rules.games.multiple_9_holdem.state import HoldemState
from referee.rules.text import say


class Street(Entry, frozen=True, tag="street"):
    """Who folds, and who raises to how much; `to` may name others as well.

    The player `until` whom moves are entered has yet to act; without one, all who are to act do.
    """

    folds: Annotated[list[Player], asked(say("who folds"))] = []
    raises: Annotated[Player | None, asked(say("who raises"))] = None
    to: Annotated[
        dict[Player, Chips],
        asked(say("the total on this street"), of=say("{player}’s total on this street")),
    ] = {}
    until: Annotated[Player | None, asked(say("who is next to act"))] = None


class Move(Struct, frozen=True):
    """A move on a street as it was entered, and what its player could have done."""

    player: str
    name: MoveName
    turn: Turn


class Told(Struct, frozen=True):
    """The moves entered for a street, in order, and the betting after all but a raise."""

    moves: tuple[Move, ...]
    after: Spot
    #: By seat, the chips bet before each of these moves.
    pots: Mapping[int, int]

    def who(self, *names: MoveName) -> list[str]:
        """The players whose move has one of these names."""
        return [move.player for move in self.moves if move.name in names]

    @property
    def turns(self) -> Mapping[int, Turn]:
        """What each of these players can do, by seat, after the moves entered before theirs."""
        return {move.turn.seat: move.turn for move in self.moves}

    @property
    def pot(self) -> int:
        """The chips in the middle after these moves."""
        return sum(self.after.paid)

    @property
    def uncalled(self) -> int:
        """The chips that nobody has matched, which go back to the last player left."""
        return sum(uncalled(dict(enumerate(self.after.paid))).values())


def street(state: HoldemState, told: Mapping[str, Any]) -> Told:
    """The moves that `told`, a `Street` as plain JSON types, describes."""
    spot, moves, pots = state.spot, list[Move](), dict[int, int]()
    while (turn := spot.turn) is not None:
        player = state.name(turn.seat)
        if moves and player == told.get("until"):
            break
        name: MoveName = "call" if turn.call else "check"
        if player == told.get("raises"):
            name = "raise"
        elif player in (told.get("folds") or ()):
            name = "fold"
        moves.append(Move(player, name, turn))
        pots[turn.seat] = sum(spot.paid)
        if name == "raise":
            break
        spot = spot.move(name, 0)
    return Told(tuple(moves), spot, pots)


def street_moves(state: HoldemState, told: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Entries, as plain JSON types, for the bets of a `Street`; none of them ruled on."""
    amounts: Mapping[str, Any] = told.get("to") or {}
    return [
        {"action": "bet", "player": move.player, "move": move.name}
        | ({"to": amounts[move.player]} if move.name == "raise" and move.player in amounts else {})
        for move in street(state, told).moves
    ] or [{"action": "bet", "player": state.name(0), "move": "check"}]  # refused, with the reason
