"""Sheets in evenings: the next one, joining and parting, by many at once."""

from contextlib import closing

import pytest

from referee.ledger.errors import MovedOnError
from referee.ledger.evenings import Evenings
from referee.ledger.links import renew_link
from referee.ledger.store import Ledger, NewSheet
from tests.support.at_once import at_once
from tests.support.books import AT

ON_EITHER_ENGINE = True


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger of four sheets, in no evening."""
    for number in range(1, 5):
        ledger.create_all([NewSheet("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT)])
    return ledger


@pytest.fixture
def evenings(ledger: Ledger) -> Evenings:
    """Its evenings."""
    return Evenings(ledger)


def following(key: str) -> tuple[NewSheet, str]:
    """A new sheet whose host link is named after the form's key."""
    return NewSheet("{}", [("host", f"host-{key}"), ("view", f"view-{key}")], AT), key


def together(evenings: Evenings) -> list[list[int]]:
    """The sheets of each evening."""
    notes = evenings.notes(range(1, 50))
    found = {note.evening for note in notes.values() if note.evening is not None}
    assert evenings.sizes(found) == {one: len(evenings.sheets(one)) for one in found}
    return sorted(evenings.sheets(one) for one in found)


# --- the next sheet


def test_only_one_of_many_begins_the_next_sheet(ledger: Ledger, evenings: Evenings) -> None:
    """Of eight phones at the same moment; each retry gets the same answer."""

    def begin(writer: int) -> int | None:
        with closing(ledger):
            try:
                return evenings.begin_next(1, 0, *following(f"key-{writer}"))[0]
            except MovedOnError:
                return None

    begun = at_once(begin)
    assert at_once(begin) == begun
    assert [sheet for sheet in begun if sheet is not None] == [5]
    assert together(evenings) == [[1, 5]]


def test_a_replaced_host_link_is_not_returned(ledger: Ledger, evenings: Evenings) -> None:
    """Nor its replacement: `begin_next` returns only the first host link."""
    assert evenings.begin_next(1, 0, *following("a")) == (5, "host-a")
    renew_link(ledger, 5, ("host", "handed-on"), AT)  # in the second in which the sheet was begun
    assert evenings.begin_next(1, 0, *following("a")) == (5, None)


def test_a_form_sent_again_after_joining_finds_its_sheet(evenings: Evenings) -> None:
    """Unless that was taken out of the evening since: then it begins another."""
    evenings.begin_next(3, 0, *following("c"))
    evenings.begin_next(1, 0, *following("a"))
    into = evenings.join([1, 2, 3, 5, 6], AT)
    assert evenings.begin_next(1, 0, *following("a"))[0] == 6
    with pytest.raises(MovedOnError):
        evenings.begin_next(1, 4, *following("b"))
    assert evenings.begin_next(1, 5, *following("b"))[0] == 7
    evenings.part(into, [7], AT)
    assert evenings.begin_next(1, 5, following("c2")[0], "b")[0] == 8
    assert together(evenings) == [[1, 2, 3, 5, 6, 8]]


def tags(ledger: Ledger) -> dict[int, str]:
    """The tag of the board of each sheet that is there from the beginning."""
    return {one: seen.tag for one in range(1, 5) if (seen := ledger.glance(f"v{one}"))}


def test_boards_change_with_their_evening(ledger: Ledger, evenings: Evenings) -> None:
    """When the next sheet begins, from whichever it was begun; and with joining and parting."""

    def told() -> list[int]:
        before.append(tags(ledger))
        return [sheet for sheet, tag in before[-1].items() if tag != before[-2][sheet]]

    before = [tags(ledger)]
    evenings.begin_next(1, 0, *following("a"))
    assert told() == [1]
    into = evenings.join([1, 5, 2], AT)
    assert told() == [1, 2]
    evenings.begin_next(1, 3, *following("b"))
    assert told() == [1, 2]
    evenings.begin_next(1, 3, *following("b"))
    evenings.leave_apart([3, 4], AT)
    assert not set(told()) & {1, 2}
    evenings.part(into, [6], AT)
    assert told() == [1, 2]
    evenings.part(into, [1, 2], AT)
    assert told() == [1, 2]
    assert together(evenings) == []


# --- joining and parting


def test_parting_undoes_joining(evenings: Evenings) -> None:
    """Sheets join the first evening that any is in, and return to where each was before."""
    evenings.begin_next(2, 0, *following("b"))
    evenings.begin_next(1, 0, *following("a"))
    before = together(evenings)
    assert before == [[1, 6], [2, 5]]
    for _ in range(2):
        into = evenings.join([6, 5, 4, 3, 2, 1], AT)
        assert together(evenings) == [[1, 2, 3, 4, 5, 6]]
        assert evenings.evening_of(2) == into
    joined = [sheet for sheet, note in evenings.notes(range(9)).items() if note.how == "joined"]
    assert sorted(joined) == [1, 3, 4, 6]
    for _ in range(2):
        evenings.part(into, joined, AT)
        assert together(evenings) == before


def test_a_sheet_left_alone_is_in_no_evening(evenings: Evenings) -> None:
    """Neither is the other of two; it can be followed by a next one as any sheet."""
    evenings.begin_next(1, 0, *following("a"))
    evenings.part(evenings.evening_of(1) or 0, [5], AT)
    assert together(evenings) == []
    assert evenings.begin_next(1, 0, *following("b"))[0] == 6
    assert together(evenings) == [[1, 6]]


def test_an_evening_joins_another_only_with_all_its_sheets(evenings: Evenings) -> None:
    """The writer has to name each of them."""
    evenings.begin_next(1, 0, *following("a"))
    evenings.begin_next(2, 0, *following("b"))
    with pytest.raises(MovedOnError):
        evenings.join([1, 2], AT)
    assert together(evenings) == [[1, 5], [2, 6]]
    evenings.join([1, 2, 6], AT)
    assert together(evenings) == [[1, 2, 5, 6]]


def test_leaving_sheets_apart_moves_none(evenings: Evenings) -> None:
    """Nothing is noted of sheets that another phone has joined meanwhile."""
    evenings.begin_next(1, 0, *following("a"))
    evenings.leave_apart([1, 2, 5], AT)
    assert {sheet: note.how for sheet, note in evenings.notes([1, 2, 3, 5]).items()} == {
        1: "apart", 2: "apart", 5: "apart",
    }  # fmt: skip
    assert together(evenings) == [[1, 5]]
    evenings.join([2, 3], AT)
    evenings.leave_apart([2, 3], AT)
    assert [note.how for note in evenings.notes([2, 3]).values()] == ["joined", "joined"]


def test_concurrent_changes_keep_a_sheet_in_one_place(ledger: Ledger, evenings: Evenings) -> None:
    """Phones join, part and begin next sheets at the same moment."""

    def act(writer: int) -> None:
        with closing(ledger):
            for turn in range(3):
                into = evenings.join([1, 2, 3, 4], AT)
                if writer % 4 == 0:
                    evenings.part(into, [3], AT)
                elif writer % 4 == 1:
                    try:
                        evenings.begin_next(1, 4, *following(f"{writer}-{turn}"))
                    except MovedOnError:
                        continue

    at_once(act)
    evenings.join([1, 2, 3, 4], AT)
    begun = range(5, 1 + max(ledger.sheets()))
    assert together(evenings) == [[1, 2, 3, 4, *begun]]


# --- links


def test_the_link_of_an_evening_that_joined_another(ledger: Ledger, evenings: Evenings) -> None:
    """It leads to that, and back once taken out; withdrawing a sheet's link withdraws both."""
    evenings.begin_next(1, 0, *following("a"))
    evenings.begin_next(2, 0, *following("b"))
    first, second = evenings.evening_of(1) or 0, evenings.evening_of(2) or 0
    evenings.token(second, "second", AT)
    assert evenings.gone_to(second) == second
    evenings.join([1, 2, 5, 6], AT)
    assert evenings.with_token("second") == second
    assert evenings.gone_to(second) == first
    evenings.part(first, [2, 6], AT)
    assert evenings.gone_to(second) == second
    evenings.part(second, [2], AT)
    assert evenings.gone_to(second) is None
    evenings.join([1, 2, 5, 6], AT)
    renew_link(ledger, 2, ("view", "new"), AT)
    assert evenings.with_token("second") is None
