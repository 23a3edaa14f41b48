"""Check that every sheet of a book plays through by the rules, and that no counter is lost."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from referee.ledger.store import Ledger
from referee.progress import steps
from referee.rules.core import terms
from referee.rules.core.entries import Buy, Join, Replace
from referee.rules.core.ruling import RefereeError
from referee.rules.core.table import State, change_by_player
from referee.rules.text import Text, say
from referee.sheets.book import Book
from referee.sheets.files import Course, Step, text_faults
from referee.sheets.history import row_faults


class Audit(Struct, frozen=True):
    """The faults found, a sentence each, and the number of sheets and rows checked."""

    faults: tuple[Text, ...]
    sheets: int
    rows: int


def audit(ledger: Ledger) -> Audit:
    """Play every sheet of `ledger` through; raises `LedgerError` if it cannot be read at all."""
    book = Book(ledger)
    faults: list[Text] = []
    rows = 0
    numbers = ledger.sheets()
    for number in steps(numbers):
        rows += ledger.newest(number)
        faults += [
            say("Sheet {number}: {fault}", number=str(number), fault=fault)
            for fault in _sheet_faults(book, number)
        ]
    return Audit(tuple(faults), len(numbers), rows)


def _sheet_faults(book: Book, number: int) -> Iterator[Text]:
    try:
        sheet = book.replay(number)
        found = [*row_faults(sheet.history), *text_faults(sheet.game, sheet.table, sheet.history)]
        yield from (say("{fault}.", fault=fault) for fault in found)
    except RefereeError as error:
        if error.entry is None:
            yield say("can’t be played through: {why}", why=str(error))
        else:
            yield say(
                "can’t be played through: entry {n}: {why}", n=error.entry + 1, why=str(error)
            )
    except Exception as error:  # whatever a damaged row causes is reported
        yield say("can’t be read: {why}", why=str(error) or type(error).__name__)
    else:
        yield from course_faults(sheet.course)


def course_faults(course: Course) -> Iterator[Text]:
    """Faults for entries with lines that don't add up, or that make or lose counters."""
    before = course.start
    for place, step in enumerate(course.steps, start=1):
        change = change_by_player(step.lines, step.after.everybody)
        had = before.totals
        if isinstance(step.entry, Replace):  # a player who takes a place takes over its total
            had[step.entry.by] = had.pop(step.entry.player)
        totals = step.after.totals.items()
        if {name: total - had.get(name, 0) for name, total in totals} != change:
            yield say("entry {n} changes the scores, but not as its breakdown says.", n=place)
        if course.game.has_counters:
            yield from _counter_faults(course, place, before, step)
        before = step.after


def _counter_faults(course: Course, place: int, before: State[Any], step: Step) -> Iterator[Text]:
    bought = step.entry.amount if isinstance(step.entry, Buy) else 0
    if isinstance(step.entry, Join) and not before.has_left(step.entry.player):
        bought = course.game.seating.begins_with(before, step.entry.points)
    gained = counters_in(step.after) - counters_in(before) - bought
    if gained > 0:
        amount = terms.amount(course.game.unit, gained)
        yield say("entry {entry} makes {amount} out of nothing.", entry=place, amount=amount)
    elif gained < 0:
        amount = terms.amount(course.game.unit, -gained)
        yield say("entry {entry} loses {amount}.", entry=place, amount=amount)


def counters_in(state: State[Any]) -> int:
    """The sum of all counters or chips: everybody's, even of those who left, and the pools."""
    return sum(state.all_scores) + sum(state.pools.values())
