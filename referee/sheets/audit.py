"""Whether the sheets of a book still come to what they came to, and no counter is lost."""

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from referee.ledger.store import Ledger
from referee.rules.core import terms
from referee.rules.core.entries import Buy, Join, Replace
from referee.rules.core.ruling import RefereeError
from referee.rules.core.table import State, change_by_player
from referee.rules.text import Text, say
from referee.sheets.book import Book
from referee.sheets.files import Course, Step, text_faults
from referee.sheets.history import row_faults


class Audit(Struct, frozen=True):
    """What was found: a sentence for each fault, and how much was looked at."""

    faults: tuple[Text, ...]
    sheets: int
    rows: int


def audit(ledger: Ledger) -> Audit:
    """Play every sheet of `ledger` through; raises `LedgerError` where it cannot be read at all."""
    book = Book(ledger)
    faults: list[Text] = []
    rows = 0
    numbers = ledger.sheets()
    for number in numbers:
        rows += ledger.newest(number)
        faults += [
            say("Sheet {number}: {fault}", number=str(number), fault=fault)
            for fault in _sheet_faults(book, number)
        ]
    return Audit(tuple(faults), len(numbers), rows)


def _sheet_faults(book: Book, number: int) -> Iterator[Text]:
    try:
        sheet = book.ruled_on(number)
        found = [*row_faults(sheet.history), *text_faults(sheet.game, sheet.table, sheet.history)]
        yield from (say("{fault}.", fault=fault) for fault in found)
    except RefereeError as error:
        if error.entry is None:
            yield say("can’t be played through: {why}", why=str(error))
        else:
            yield say(
                "can’t be played through: entry {n}: {why}", n=error.entry + 1, why=str(error)
            )
    except Exception as error:  # whatever a damaged row makes of the program: it is told
        yield say("can’t be read: {why}", why=str(error) or type(error).__name__)
    else:
        yield from course_faults(sheet.course)


def course_faults(course: Course) -> Iterator[Text]:
    """Where the scores of a sheet do not follow from its lines, or counters are made or lost."""
    before = course.start
    for place, step in enumerate(course.steps, start=1):
        change = change_by_player(step.lines, step.after.everybody)
        if moved_between(before, step) != change:
            yield say("entry {n} changes the scores, but not as its breakdown says.", n=place)
        if course.game.has_counters:
            yield from _counter_faults(course, place, before, step)
        before = step.after


def moved_between(before: State[Any], step: Step) -> dict[str, int]:
    """What an entry changed everybody's total by; who takes a place takes over the total."""
    had = before.totals
    if isinstance(step.entry, Replace):
        had[step.entry.by] = had.pop(step.entry.player)
    return {name: total - had.get(name, 0) for name, total in step.after.totals.items()}


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
    """All counters or chips there are: what everybody has, also who has left, and the pools."""
    return sum(state.all_scores) + sum(state.pools.values())
