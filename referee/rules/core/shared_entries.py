"""Entries of every game, besides those of seating: penalties, purchases, void deals."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from referee.rules.core.definition import GameDefinition
from referee.rules.core.entries import Abandon, Adjust, Buy, EntryKind, Played
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.seating import Seating
from referee.rules.core.table import Line, O, S, State
from referee.rules.letters import unseen
from referee.rules.text import Text, quoted, say, typed

_PAID_BY_ANOTHER = {
    "counter": say("Say which other player pays these counters or gets them."),
    "chip": say("Say which other player pays these chips or gets them."),
}


def shared_entries(
    game: GameDefinition[S, O], seating: Seating[S, O]
) -> tuple[EntryKind[S, Any], ...]:
    """The kinds of entries for penalties and bonuses, void deals, and purchases."""
    change, payer = partial(_change, game, seating), partial(_payer, game)
    return (
        EntryKind(Adjust, change, _reason, _points, payer, _two_players, begins=False),
        EntryKind(Abandon, partial(_abandon, seating), begins=False),
        EntryKind(Buy, change, partial(_purchase, game), begins=False),
    )


def _reason(state: State[Any], entry: Adjust) -> Iterator[Fault]:
    if not entry.reason.strip():
        yield _fault("reason", say("Say what the penalty or bonus is for."))


def _points(state: State[Any], entry: Adjust) -> Iterator[Fault]:
    if entry.points == 0:
        yield _fault("no-points", say("A penalty or bonus of 0 changes nothing."))


def _payer(game: GameDefinition[S, O], state: S, entry: Adjust) -> Iterator[Fault]:
    """Counters and chips must be paid by or to another player: none are made or lost."""
    paid_by_another = _PAID_BY_ANOTHER.get(game.unit)
    if paid_by_another and entry.to is None:
        yield _fault("to", paid_by_another)
    if not paid_by_another and entry.to is not None:
        yield _fault("to", say("Points aren’t paid from one player to another here."))


def _two_players(state: State[Any], entry: Adjust) -> Iterator[Fault]:
    if entry.to == entry.player:
        says = say("{player} can’t pay {player}: name two players.", player=entry.player)
        yield _fault("to", says)


def _purchase(game: GameDefinition[S, O], state: S, entry: Buy) -> Iterator[Fault]:
    if not game.has_counters:
        says = say("{game} is played for points, so there’s nothing to buy.", game=game.title)
        yield _fault("no-counters", says)


def reason_faults(reason: str) -> Iterator[Fault]:
    """Faults in the reason for an entry or a correction."""
    if unseen(reason):
        says = say(
            "The reason “{reason}” has an invisible character in it. Type it again.",
            reason=quoted(reason),
        )
        yield shared_fault("reason-characters", says, "filling-in")


def reason_rule(state: State[Any], entry: Any) -> Iterator[Fault]:
    """The rule for every entry that may have a reason."""
    return reason_faults(entry.reason)


def _change(
    game: GameDefinition[S, O], seating: Seating[S, O], state: S, entry: Adjust | Buy
) -> Played[S]:
    """Count a penalty, a bonus or a purchase, which may end the game or put somebody out."""
    if isinstance(entry, Buy):
        lines = [Line(entry.player, entry.amount, say("bought from the bank"), say("bought"))]
    else:
        reason = typed(entry.reason)
        lines = [Line(entry.player, entry.points, reason, reason)]
        if entry.to is not None:
            lines.append(Line(entry.to, -entry.points, reason, reason))
    after, lines = game.counters.change(state, lines)
    winners = game.goal.winners(after, played_out=False)
    if winners:
        return replace(after, finished=True, winners=winners), lines
    return seating.put_out(after, lines)


def _abandon(seating: Seating[S, O], state: S, entry: Abandon) -> Played[S]:
    return seating.put_out(*seating.void_deal(state))


def _fault(code: str, says: Text) -> Fault:
    return shared_fault(code, says, "adjusting")
