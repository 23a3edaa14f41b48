"""Which sheets are offered as one evening, and which are not."""

from datetime import datetime

import pytest
from msgspec.structs import replace

from referee.ledger.evenings import Note
from referee.rules.settling import Balance
from referee.sheets.evening import (
    MAX_SHEETS,
    all_balances,
    card_day,
    offers,
    wins,
    won_against,
)
from referee.sheets.summaries import Summary

BEGUN, APART = Note(1, "begun"), Note(None, "apart")


def at(time: str) -> str:
    """A time in this machine’s zone, as the ledger writes it."""
    return datetime.fromisoformat(time).astimezone().isoformat(timespec="seconds")


def sheet(number: int, time: str, people: str) -> Summary:
    """A sheet begun and played at that time by these people."""
    begun = at(f"2026-03-{time}")
    return Summary(number, "multiple-9", tuple(people.split()), begun, begun, rows=1, entries=1)


#: The sheets, each begun at a time of March by some people; and the numbers of those offered.
CASES: dict[str, tuple[list[tuple[str, str]], list[list[int]]]] = {
    "one": ([("12 20:00", "Ann Ben Cy")], []),
    "the same people": ([("12 20:00", "Ann Ben Cy"), ("12 21:00", "Ben Cy Ann")], [[1, 2]]),
    "a guest": ([("12 20:00", "Ann Ben Cy"), ("12 21:00", "Ann Ben Cy Gus")], [[1, 2]]),
    "one in common": ([("12 20:00", "Ann Ben"), ("12 21:00", "Ann Cy")], []),
    "by way of a third": (
        [("12 20:00", "Ann Ben"), ("12 21:00", "Ann Cy"), ("12 22:00", "Ann Ben Cy")],
        [[1, 2, 3]],
    ),
    "the sixth": (
        [("12 20:00", "A B C D E"), ("12 21:00", "A B C D E F"), ("12 22:00", "F B")],
        [[1, 2, 3]],
    ),
    "past midnight": ([("12 23:00", "Ann Ben"), ("13 04:59", "Ann Ben")], [[1, 2]]),
    "the next morning": ([("12 23:00", "Ann Ben"), ("13 05:00", "Ann Ben")], []),
    "a whole day": ([("12 09:00", "Ann Ben"), ("12 21:00", "Ann Ben")], [[1, 2]]),
    "a week later": ([("12 20:00", "Ann Ben"), ("19 20:00", "Ann Ben")], []),
    "in other letters": ([("12 20:00", "ANN ben"), ("12 21:00", "ann Ben")], [[1, 2]]),
    "two families": (
        [("12 20:00", "Ann Ben"), ("12 20:05", "Cy Dot"), ("12 21:00", "Ann Ben"),
         ("12 21:05", "Cy Dot")],
        [[2, 4], [1, 3]],
    ),
    "two days": (
        [("12 20:00", "Ann Ben"), ("12 21:00", "Ann Ben"), ("13 20:00", "Ann Ben"),
         ("13 21:00", "Ann Ben")],
        [[3, 4], [1, 2]],
    ),
}  # fmt: skip


def offered(
    sheets: list[Summary], notes: dict[int, Note], *, again: bool = False
) -> list[list[int]]:
    """The numbers of the sheets in each offer."""
    return [[one.sheet for one in offer.sheets] for offer in offers(sheets, notes, again=again)]


@pytest.mark.parametrize("case", CASES)
def test_who_played_and_when(case: str) -> None:
    """Sheets begun on the same day that share two names, in any order."""
    told, expected = CASES[case]
    sheets = [sheet(number, *one) for number, one in enumerate(told, start=1)]
    assert offered(sheets, {}) == offered(sheets[::-1], {}) == expected


@pytest.mark.parametrize(
    ("notes", "expected", "again"),
    [
        ({}, [[1, 2, 3]], [[1, 2, 3]]),
        ({1: BEGUN, 2: BEGUN}, [[1, 2, 3]], [[1, 2, 3]]),
        ({1: BEGUN, 2: BEGUN, 3: Note(1, "joined")}, [], []),
        ({1: BEGUN, 2: BEGUN, 3: Note(2, "begun")}, [[1, 2, 3]], [[1, 2, 3]]),
        ({2: APART}, [[1, 3]], [[1, 2, 3]]),
        ({1: APART, 2: APART, 3: APART}, [], [[1, 2, 3]]),
        ({1: Note(1, "apart"), 2: Note(1, "apart"), 3: APART}, [], [[1, 2, 3]]),
    ],
)
def test_sheets_already_joined_or_left_apart(
    notes: dict[int, Note], expected: list[list[int]], again: list[list[int]]
) -> None:
    """An evening is not offered again; sheets left apart only to those who look for them."""
    sheets = [sheet(number, f"12 2{number}:00", "Ann Ben") for number in (1, 2, 3)]
    assert offered(sheets, notes) == expected
    assert offered(sheets, notes, again=True) == again


def test_sheets_that_are_left_out() -> None:
    """Empty or sick ones, those with an older history or no time, and too many at once."""
    first, second = sheet(1, "12 20:00", "Ann Ben"), sheet(2, "12 21:00", "Ann Ben")
    for wrong in (
        replace(second, rows=0),
        replace(second, condition="sick"),
        replace(second, changed=at("2026-02-01 20:00")),
        replace(second, begun="some evening"),
        replace(second, changed=""),
    ):
        assert offered([first, wrong], {}) == []
    assert offered([first, replace(second, changed=at("2026-03-20 12:00"))], {}) == [[1, 2]]
    assert card_day("0001-01-01T00:00:00+00:00") is None
    many = [sheet(number, "12 20:00", "Ann Ben") for number in range(1, MAX_SHEETS + 2)]
    assert offered(many, {}) == []
    assert len(offered(many[1:], {})[0]) == MAX_SHEETS


def test_people_and_guests() -> None:
    """A guest is on one sheet only; a name is spelled as it first was, in any case one person."""
    sheets = [sheet(1, "12 20:00", "Ann Ben Cy"), sheet(2, "12 21:00", "gus ANN Cy")]
    (offer,) = offers(sheets, {})
    assert offer.people == ["Ann", "Cy"]
    assert offer.guests == {1: ["Ben"], 2: ["gus"]}
    over = [
        replace(one, finished=True, winners=(name,))
        for one, name in zip(sheets, ("Ann", "ANN"), strict=True)
    ]
    assert wins(over)[0] == ("ANN", 2)
    both = replace(over[0], players=("Ann", "ANN"))
    assert dict(wins([both, over[1]])) == {"Ann": 1, "ANN": 1, "gus": 0, "Cy": 0}


def test_a_person_is_counted_once_however_they_are_written() -> None:
    """With an accent in one letter or two, and with other blanks."""
    names = ("José", "Ann Lee"), ("Jose\u0301", "Ann  Lee")
    first, second = (
        replace(
            sheet(number, f"12 2{number}:00", ""),
            players=people,
            finished=True,
            winners=people[:1],
            balances=(Balance(people[0], 0, 5), Balance(people[1], 5, 0)),
        )
        for number, people in enumerate(names)
    )
    (offer,) = offers([first, second], {})
    assert (offer.people, offer.guests) == (["José", "Ann Lee"], {0: [], 1: []})
    assert wins([first, second]) == [(names[1][0], 2), (names[1][1], 0)]
    assert won_against([first, second], *names[0]) == (2, 0, 2)
    assert all_balances([first, second]) == (
        Balance(names[1][0], 0, 10),
        Balance(names[1][1], 10, 0),
    )
