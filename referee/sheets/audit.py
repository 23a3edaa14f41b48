"""Whether the sheets of a book still come to what they came to, and no counter is lost."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger
from referee.rules.core.entries import Buy
from referee.rules.core.lines import change_by_player
from referee.rules.core.ruling import RefereeError
from referee.rules.core.table import State
from referee.sheets.book import Book
from referee.sheets.files import Course, Scored
from referee.sheets.history import row_faults


class Proof(Struct, frozen=True):
    """What was found: a sentence for each fault, and how much was looked at."""

    faults: tuple[str, ...]
    sheets: int
    rows: int


def prove(ledger: Ledger) -> Proof:
    """Play every sheet of `ledger` through; raises `LedgerError` where it cannot be read at all."""
    book = Book(ledger)
    faults: list[str] = []
    rows = 0
    numbers = ledger.sheets()
    for number in numbers:
        rows += ledger.newest(number)
        faults.extend(f"Sheet {number}: {fault}" for fault in _sheet_faults(book, number))
    return Proof(tuple(faults), len(numbers), rows)


def _sheet_faults(book: Book, number: int) -> Iterator[str]:
    try:
        sheet = book.ruled_on(number)
        yield from (f"{fault}." for fault in row_faults(sheet.history))
    except RefereeError as error:
        where = "" if error.entry is None else f"entry {error.entry + 1}: "
        yield f"cannot be played through: {where}{error}"
    except (LedgerError, msgspec.MsgspecError, LookupError, TypeError, ValueError) as error:
        yield f"cannot be read: {error}"
    else:
        yield from course_faults(sheet.course)


def course_faults(course: Course) -> Iterator[str]:
    """Where the scores of a sheet do not follow from its lines, or counters are made or lost."""
    before = course.start
    for place, step in enumerate(course.steps, start=1):
        change = change_by_player(step.lines, before.table.players)
        moved = [now - then for now, then in zip(step.after.scores, before.scores, strict=True)]
        if moved != list(change.values()):
            yield f"entry {place} changes the scores otherwise than its breakdown says."
        if course.game.has_counters:
            yield from _counter_faults(course, place, before, step)
        before = step.after


def _counter_faults(course: Course, place: int, before: State, step: Scored) -> Iterator[str]:
    bought = step.entry.amount if isinstance(step.entry, Buy) else 0
    gained = counters_in(step.after) - counters_in(before) - bought
    if gained:
        what = f"{abs(gained)} {course.game.unit}{'' if abs(gained) == 1 else 's'}"
        yield f"entry {place} {'makes' if gained > 0 else 'loses'} {what}."


def counters_in(state: State) -> int:
    """All counters or chips there are: those of the players and those in the pools."""
    return sum(state.scores) + sum(state.pools.values())
