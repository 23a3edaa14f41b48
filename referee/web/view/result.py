"""What is said of a game that is over: by how much it was won, its facts, when it was played."""

from collections.abc import Collection, Iterator
from datetime import datetime

from msgspec import Struct

from referee.rules.core import terms
from referee.rules.core.table import Standing
from referee.rules.text import NOTHING, Text, listed, say, say_many, signed
from referee.sheets.result import Outcome, outcome_of
from referee.sheets.sheet import OpenSheet

HOUR = 60  # minutes
LONGEST = 12 * HOUR  # of whatever took longer, somebody was not playing most of the time


class Fact(Struct, frozen=True):
    """A line of the facts: what it is about, and what there is to say."""

    about: Text
    says: Text


class Ending(Struct, frozen=True):
    """A game that is over, in words; `rivals` are the two whose games are counted, if any are."""

    winners: tuple[str, ...]
    margin: Text
    places: tuple[Standing, ...]
    facts: tuple[Fact, ...]
    deals: Text
    lasted: Text
    rivals: tuple[str, ...]


def ending_of(sheet: OpenSheet) -> Ending | None:
    """The ending of a sheet; None while its game goes on."""
    if not sheet.course.state.finished:
        return None
    outcome = outcome_of(sheet.course, sheet.pad)
    return Ending(
        winners=outcome.winners,
        margin=_margin(sheet, outcome),
        places=outcome.places,
        facts=tuple(_facts(sheet, outcome)),
        deals=terms.deals_played(sheet.game.deal_called, outcome.deals),
        lasted=lasted(sheet.begun, sheet.rows[-1].at if sheet.rows else sheet.begun),
        rivals=_rivals(outcome, sheet.course.state.table.players),
    )


def _margin(sheet: OpenSheet, outcome: Outcome) -> Text:
    if not outcome.winners:
        return NOTHING if outcome.deals else say("Play stopped before anything was scored.")
    score = terms.amount(sheet.game.unit, outcome.score)
    if len(outcome.winners) > 1:
        return say("{amount} each", amount=score)
    if not outcome.ahead:
        return score
    return say(
        "{amount}, {n} ahead of {players}",
        amount=score,
        n=outcome.ahead,
        players=listed(outcome.behind),
    )


def _facts(sheet: OpenSheet, outcome: Outcome) -> Iterator[Fact]:
    called = sheet.game.deal_called
    if outcome.best:
        deals: dict[str, list[int]] = {}
        for one in outcome.best:
            deals.setdefault(one.player, []).append(one.deal)
        whose = listed(terms.in_deals(called, name, which) for name, which in deals.items())
        points = signed(outcome.best[0].points)
        if sheet.game.lowest_wins(sheet.course.state.table):
            points = points.removeprefix("+")  # as they stand on the pad
        yield Fact(terms.BEST_DEAL[called], say("{whose}: {points}", whose=whose, points=points))
    if outcome.led_throughout:
        says = say("{player} led all the way", player=outcome.winners[0])
        yield Fact(say("Turning point"), says)
    elif outcome.lead_since is not None:
        says = terms.takes_the_lead(called, outcome.winners[0], outcome.lead_since)
        yield Fact(say("Turning point"), says)


def _rivals(outcome: Outcome, seated: Collection[str]) -> tuple[str, ...]:
    """The two at a table of two, the winner first; else the winner and the next one."""
    if not outcome.winners:
        return ()
    others = outcome.winners[1:] or outcome.behind
    return (outcome.winners[0], others[0]) if others and len(seated) > 1 else ()


def lasted(begun: str, ended: str) -> Text:
    """How long a game took; nothing for one of less than a minute, or that lay about for hours."""
    try:
        minutes = int((_at(ended) - _at(begun)).total_seconds() // 60)
    except (ValueError, TypeError):  # a sheet that was taken in brings its own times
        return NOTHING
    if not 0 < minutes <= LONGEST:
        return NOTHING
    if minutes < HOUR:
        return say_many("{n} minute", "{n} minutes", n=minutes)
    return say("{hours} h {minutes} min", hours=minutes // HOUR, minutes=minutes % HOUR)


def _at(time: str) -> datetime:
    return datetime.fromisoformat(time)


def head_to_head(names: tuple[str, ...], won: tuple[int, int]) -> Fact:
    """How many games two players have won against each other, the first named first."""
    about = say("{player} against {other}", player=names[0], other=names[1])
    return Fact(
        about, say_many("{n} game to {other}", "{n} games to {other}", n=won[0], other=won[1])
    )
