"""What is wrong with the entries of every game, and what they score: penalties and purchases."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from referee.rules.core.entries import Adjust, Buy, Rule
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import Line, State
from referee.rules.core.terms import Unit
from referee.rules.letters import unseen
from referee.rules.text import Text, say, typed

_PAID_BY_ANOTHER = {
    "counter": say("Say which other player pays these counters or gets them."),
    "chip": say("Say which other player pays these chips or gets them."),
}


def adjustment_rules(unit: Unit) -> tuple[Rule[Any, Adjust], ...]:
    """What can be wrong with a penalty or bonus in a game that is played for `unit`s.

    Counters and chips come from another player or go to one, so that none are made or lost.
    """
    return (_reason, _points, partial(_payer, unit), _two_players)


def _reason(state: State[Any], entry: Adjust) -> Iterator[Fault]:
    if not entry.reason.strip():
        yield _fault("reason", say("Say what the penalty or bonus is for."))


def _points(state: State[Any], entry: Adjust) -> Iterator[Fault]:
    if entry.points == 0:
        yield _fault("no-points", say("A penalty or bonus of 0 changes nothing."))


def _payer(unit: Unit, state: State[Any], entry: Adjust) -> Iterator[Fault]:
    paid_by_another = _PAID_BY_ANOTHER.get(unit)
    if paid_by_another and entry.to is None:
        yield _fault("to", paid_by_another)
    if not paid_by_another and entry.to is not None:
        yield _fault("to", say("Points aren’t paid from one player to another here."))


def _two_players(state: State[Any], entry: Adjust) -> Iterator[Fault]:
    if entry.to == entry.player:
        says = say("{player} can’t pay {player}: name two players.", player=entry.player)
        yield _fault("to", says)


def reason_faults(reason: str) -> Iterator[Fault]:
    """What is wrong with the reason for an entry or a correction, whatever it is."""
    if unseen(reason):
        says = say(
            "The reason “{reason}” has an invisible character in it. Type it again.",
            reason=reason[:40],
        )
        yield shared_fault("reason-characters", says, "filling-in")


def purchase_faults(game: Text) -> list[Fault]:
    """What speaks against buying counters in a `game` that is played for points."""
    says = say("{game} is played for points, so there’s nothing to buy.", game=game)
    return [_fault("no-counters", says)]


def adjusted(entry: Adjust | Buy) -> list[Line]:
    """What a penalty, a bonus or a purchase does to the score."""
    if isinstance(entry, Buy):
        return [Line(entry.player, entry.amount, say("bought from the bank"), say("bought"))]
    reason = typed(entry.reason)
    lines = [Line(entry.player, entry.points, reason, reason)]
    if entry.to is not None:
        lines.append(Line(entry.to, -entry.points, reason, reason))
    return lines


def _fault(code: str, says: Text) -> Fault:
    return shared_fault(code, says, "adjusting")
