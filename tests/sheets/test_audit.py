"""The audit of a book finds sheets whose results changed, and lost counters."""

import sqlite3
from contextlib import closing
from typing import Any

import pytest
from msgspec.structs import replace

from referee.ledger.chain import Mark
from referee.ledger.store import Draft, Ledger
from referee.rules.core.table import Line
from referee.rules.registry import GAMES
from referee.rules.text import say
from referee.sheets.audit import audit, course_faults
from referee.sheets.book import Book
from referee.sheets.files import Course, Step, sheet_from
from tests.support.books import sqlite_of
from tests.support.cases import EXAMPLES, cases_of, sheet_file
from tests.support.some_deals import played

AT = "2026-01-02T03:04:05+00:00"


def test_sound_sheets_have_no_faults(ledger: Ledger) -> None:
    """Every sheet of the examples and cases is audited: scores follow from lines, counters stay."""
    book = Book(ledger)
    cases = ((slug, case) for slug in GAMES for case in cases_of(slug, "sheet"))
    legal = [sheet_file(slug, case) for slug, case in cases if "error" not in case]
    kept = [*EXAMPLES.values(), *legal]
    for file in kept:
        book.import_sheet(sheet_from(file))
    found = audit(ledger)
    assert found.faults == ()
    assert found.sheets == len(kept) > 50
    assert found.rows == sum(len(file.get("entries", [])) for file in kept)


#: Rows written behind the book's back, and the reported faults.
ASTRAY = {
    "unknown entry": (
        Draft("play", '{"action":"sing"}', "k", "host", AT),
        "called “sing”",
    ),
    "not JSON": (Draft("play", "{", "k", "host", AT), "can’t be read"),
    "no object": (Draft("play", "[3]", "k", "host", AT), "can’t be played through"),
    "no body": (Draft("amend", "3", "k", "host", AT, 1), "can’t be read"),
    "against a rule": (
        Draft("play", '{"action":"out","player":"Dan"}', "k", "host", AT),
        "can’t be played through: entry 2: “Dan” isn’t on this sheet",
    ),
    "an empty note": (Draft("note", "{}", "k", "host", AT), "row 2 doesn’t hold"),
    "a void of nothing": (Draft("void", "{}", "k", "host", AT), "row 2 doesn’t hold"),
}


def write_raw(ledger: Ledger, sheet: int, draft: Draft) -> None:
    """Write a row past the program, straight into the database."""
    values = (sheet, draft.kind, draft.target, draft.body, draft.key, draft.role, draft.at)
    with closing(sqlite3.connect(sqlite_of(ledger).path)) as raw, raw:
        raw.execute("INSERT INTO entries VALUES (?, 2, ?, ?, ?, ?, ?, ?, '', '', '')", values)


@pytest.mark.parametrize("case", ASTRAY)
def test_a_faulty_sheet_is_named(ledger: Ledger, case: str) -> None:
    """With its fault; the others are still audited."""
    book = Book(ledger)
    draft, why = ASTRAY[case]
    for _ in range(3):
        link = book.begin("multiple-9", ["Ann", "Ben"], None, {})
        book.record(link, {"action": "out", "player": "Ann"}, Mark(0), "first")
    write_raw(ledger, 2, draft)
    found = audit(ledger)
    assert found.sheets == 3
    assert [str(fault).partition(":")[0] for fault in found.faults] == ["Sheet 2"]
    assert why in str(found.faults[0])


def pink() -> Course:
    """Two deals of Pink Nines, with counters bought in between."""
    out = {"action": "out", "player": "Ann"}
    bought = {"action": "buy", "player": "Ben", "amount": 5}
    return played("pink-nines", ["Ann", "Ben", "Cat"], out, bought, out)


def with_step(course: Course, place: int, **changes: Any) -> Course:
    """The course with another step in that place."""
    steps: list[Step] = list(course.steps)
    steps[place] = replace(steps[place], **changes)
    return replace(course, steps=tuple(steps))


def test_counters_made_or_lost_are_counted() -> None:
    """The fault names the entry that made a counter too many, and the one that lost it."""
    course = pink()
    assert list(course_faults(course)) == []
    rich = replace(course.steps[1].after, pools={"pool": course.steps[1].after.pools["pool"] + 1})
    assert list(map(str, course_faults(with_step(course, 1, after=rich)))) == [
        "entry 2 makes 1 counter out of nothing.",
        "entry 3 loses 1 counter.",
    ]


def test_scores_that_do_not_follow_from_the_lines_are_a_fault() -> None:
    """The fault names the entry."""
    course = pink()
    lines = (*course.steps[0].lines, Line("Ann", 1, say("a gift")))
    assert list(map(str, course_faults(with_step(course, 0, lines=lines)))) == [
        "entry 1 changes the scores, but not as its breakdown says."
    ]
