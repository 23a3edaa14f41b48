"""Appended rows stay, in one order, even with concurrent writers."""

from contextlib import closing

import pytest

from referee.ledger.chain import Mark, mark_of
from referee.ledger.errors import LedgerError, MovedOnError
from referee.ledger.store import Draft, Ledger, NewSheet
from tests.support.at_once import WRITERS, at_once
from tests.support.books import AT, play

ON_EITHER_ENGINE = True


@pytest.fixture
def sheet(ledger: Ledger) -> int:
    """A sheet with two plays, `a` and `b`."""
    return ledger.create_all([NewSheet("{}", [("host", "h")], AT, [play("a"), play("b")])])[0]


def test_rows_come_back_as_they_were_written(ledger: Ledger, sheet: int) -> None:
    """Rows are read oldest first, numbered from 1, with everything that was written."""
    body = '{"reason":"Käse ♠ \\u0000"}'
    assert ledger.append(sheet, Mark(2), [play("c", kind="void", target=1, body=body)]).seq == 3
    assert [(row.seq, row.key) for row in ledger.rows(sheet)] == [(1, "a"), (2, "b"), (3, "c")]
    last = ledger.rows(sheet)[-1]
    assert (last.kind, last.target, last.body, last.at) == ("void", 1, body, AT)
    assert ledger.newest(sheet) == 3


@pytest.mark.parametrize(
    ("after", "drafts"),
    [
        *((Mark(after), [play("c"), play("d")]) for after in (-1, 0, 1, 3, 10**9)),
        (Mark(2, "0" * 12), [play("c")]),
        (Mark(2), [play("b", body='{"other":1}')]),
        (Mark(2), [play("b", kind="void", target=1)]),
        (Mark(2), [play("b", kind="note"), play("c")]),
    ],
)
def test_a_writer_who_saw_another_newest_row_stores_nothing(
    ledger: Ledger, sheet: int, after: Mark, drafts: list[Draft]
) -> None:
    """By number or hash; nor does one whose key already has other content."""
    with pytest.raises(MovedOnError) as moved:
        ledger.append(sheet, after, drafts)
    assert moved.value.seq == 2
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b"]
    newest = ledger.rows(sheet)[-1]
    assert ledger.append(sheet, mark_of(2, newest.hash), [play("c")]).seq == 3


def test_a_row_sent_again_gets_the_number_it_has(ledger: Ledger, sheet: int) -> None:
    """Whatever row its sender has seen; of several rows all are stored or none."""
    assert [ledger.append(sheet, Mark(after), [play("a")]).seq for after in (0, 2, 7)] == [1, 1, 1]
    with pytest.raises(LedgerError):
        ledger.append(sheet, Mark(2), [play("c"), play("d"), play("c")])
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b"]


def test_several_rows_sent_again_are_known_only_if_all_are_the_same(
    ledger: Ledger, sheet: int
) -> None:
    """The number is that of the last, whether they are new or known."""
    both = [play("c"), play("d")]
    assert [ledger.append(sheet, Mark(2), both).seq for _ in range(2)] == [4, 4]
    for others in ([play("c"), play("d", body="[]")], [*both, play("e")]):
        with pytest.raises(MovedOnError):
            ledger.append(sheet, Mark(2), others)
    assert ledger.newest(sheet) == 4


def test_sheets_do_not_mix(ledger: Ledger, sheet: int) -> None:
    """Each counts its rows from 1, and a key belongs to one sheet."""
    other = ledger.create_all([NewSheet("{}", [("host", "other")], AT)])[0]
    assert ledger.newest(other) == 0
    assert ledger.append(other, Mark(0), [play("b")]).seq == 1
    assert ledger.newest(sheet) == 2
    assert ledger.sheets() == [sheet, other]
    with pytest.raises(LedgerError):
        ledger.append(99, Mark(0), [play("a")])
    assert (ledger.rows(99), ledger.head(99)) == ([], None)


def test_eight_writers_lose_nothing(ledger: Ledger, sheet: int) -> None:
    """Eight writers who retry after a conflict lose no row, and each row number is used once."""
    each = 6

    def write(writer: int) -> list[int]:
        places, seen = [], 0
        for number in range(each):
            while True:
                try:
                    seen = ledger.append(sheet, Mark(seen), [play(f"{writer}-{number}")]).seq
                    break
                except MovedOnError as moved:
                    seen = moved.seq
            places.append(seen)
        ledger.close()
        return places

    told = at_once(write)
    rows = ledger.rows(sheet)
    assert [row.seq for row in rows] == list(range(1, 2 + WRITERS * each + 1))
    where = {row.key: row.seq for row in rows}
    assert told == [[where[f"{w}-{n}"] for n in range(each)] for w in range(WRITERS)]
    assert all(places == sorted(places) for places in told)


@pytest.mark.parametrize("same", [True, False])
def test_eight_at_once_with_one_key_are_one_row(ledger: Ledger, sheet: int, same: bool) -> None:
    """Eight equal forms get the same answer; of eight different ones only one is stored."""

    def write(writer: int) -> int | None:
        with closing(ledger):
            try:
                return ledger.append(
                    sheet, Mark(2), [play("c", body=str(0 if same else writer))]
                ).seq
            except MovedOnError:
                return None

    answers = at_once(write)
    assert [row.key for row in ledger.rows(sheet)] == ["a", "b", "c"]
    assert answers.count(3) == (WRITERS if same else 1)
    assert ledger.rows(sheet)[-1].body == str(answers.index(3))
