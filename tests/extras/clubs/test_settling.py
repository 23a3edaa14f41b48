"""Payments due for a period: the rules of `docs/clubs.md` on small games."""

import pytest
from msgspec import Struct

from referee.extras.clubs.accounts import Accounts, Settling
from referee.extras.clubs.figures import ALWAYS, Period, counted, year
from referee.extras.clubs.games import PlayedGame
from referee.extras.clubs.notes import AnyNote, Brought, Merge, Paid, check_note
from referee.rules.core.ruling import MalformedEntry
from tests.extras.clubs.test_counting import STOP, club, game

FIRST, SECOND, THIRD = "2026-03-05", "2026-03-12", "2026-12-31"


def won(winner: str, day: str, *others: str) -> PlayedGame:
    """A game in which the winner gets a counter from each of the others."""
    names = [winner, *(others or [name for name in ("Ann", "Ben", "Cy") if name != winner])]
    out = {"action": "out", "player": winner}
    return game(names, out, slug="pink-nines", deals=1, at=day and f"{day}T23:59:59+00:00")


def chips(winner: str, day: str, loser: str) -> PlayedGame:
    """A game in which the winner gets five chips."""
    hand = {"action": "hand", "won": {winner: 5}, "lost": {loser: 5}}
    at = f"{day}T00:00:00+00:00"
    return game([winner, loser], hand, STOP, slug="multiple-9-holdem", at=at)


def paid(payer: str, payee: str, amount: int = 1, since: str = "", until: str = "") -> Paid:
    """A payment of counters, for one day, from one day to another, or for everything."""
    return Paid(payer, payee, amount, "counter", since, until or since)


def settled(games: list[PlayedGame], notes: list[AnyNote], period: Period) -> list[Settling]:
    """The settling of a period."""
    known = club(*games)
    figures = counted(known, notes)
    found = Accounts(figures.games, notes, figures.people).settlings_of(period)
    assert all(sum(one.nets.values()) == 0 for one in found)
    return found


DAY = Period(SECOND, SECOND)
TWO_DAYS = [won("Ann", FIRST), won("Ann", SECOND)]
A_DAY_PAID: list[AnyNote] = [paid("ben", "ann", since=SECOND), paid("cy", "ann", since=SECOND)]
ALL_PAID: list[AnyNote] = [
    paid("ben", "ann", 2, FIRST, SECOND),
    paid("cy", "ann", 2, FIRST, SECOND),
]
ELSEWHERE = ["elsewhere"]


class Case(Struct):
    games: list[PlayedGame]
    notes: list[AnyNote]
    period: Period
    owed: list[str]


CASES = {
    "everything, with nothing paid": Case(
        TWO_DAYS, [], ALWAYS, ["ben pays ann 2 counter", "cy pays ann 2 counter"],
    ),
    "a day, by the day on which the games ended": Case(
        TWO_DAYS, [], DAY, ["ben pays ann 1 counter", "cy pays ann 1 counter"],
    ),
    "a day without games": Case(TWO_DAYS, [], Period(THIRD, THIRD), []),
    "a day that is paid": Case(TWO_DAYS, A_DAY_PAID, DAY, []),
    "everything once a day is paid": Case(
        TWO_DAYS, A_DAY_PAID, ALWAYS, ["ben pays ann 1 counter", "cy pays ann 1 counter"],
    ),
    "the year once a day is paid, on its last day as well": Case(
        [won("Ann", "2025-12-31"), *TWO_DAYS, won("Cy", THIRD)], A_DAY_PAID, year(2026),
        ["ben pays ann 1 counter", "ben pays cy 1 counter"],
    ),
    "another day isn't touched by that": Case(
        TWO_DAYS, A_DAY_PAID, Period(FIRST, FIRST),
        ["ben pays ann 1 counter", "cy pays ann 1 counter"],
    ),
    "a day that was paid with others": Case(
        [*TWO_DAYS, won("Cy", THIRD)], ALL_PAID, DAY, ELSEWHERE,
    ),
    "a day that was paid with others only in part": Case(TWO_DAYS, ALL_PAID[:1], DAY, ELSEWHERE),
    "a day that was paid with others, by just as much": Case(
        [*TWO_DAYS, won("Cy", THIRD)],
        [paid("ben", "ann", 1, FIRST, SECOND), paid("cy", "ann", 1, FIRST, SECOND)],
        DAY, ELSEWHERE,
    ),
    "what is left of that": Case(TWO_DAYS, ALL_PAID[:1], ALWAYS, ["cy pays ann 2 counter"]),
    "a day after all was paid": Case(
        [*TWO_DAYS, won("Cy", THIRD)], ALL_PAID, Period(THIRD, THIRD),
        ["ann pays cy 1 counter", "ben pays cy 1 counter"],
    ),
    "days that reach into others that were paid": Case(
        [*TWO_DAYS, won("Cy", THIRD)], ALL_PAID, Period(SECOND), ELSEWHERE,
    ),
    "a payment for no days is for all": Case(
        [*TWO_DAYS, won("Cy", THIRD)], [paid("ben", "ann")], DAY, ELSEWHERE,
    ),
    "a payment from a day on": Case(
        TWO_DAYS, [Paid("ben", "ann", 1, "counter", SECOND)], year(2026), ELSEWHERE,
    ),
    "a payment up to a day, and what came after": Case(
        [*TWO_DAYS, won("Cy", THIRD)], [paid("ben", "ann", until=SECOND)], Period(THIRD),
        ["ann pays cy 1 counter", "ben pays cy 1 counter"],
    ),
    "days that even each other out": Case(
        [won("Ann", FIRST), won("Ben", SECOND), won("Cy", THIRD)], [], DAY, ELSEWHERE,
    ),
    "a day on which nobody won anything": Case(
        [won("Ann", SECOND), won("Ben", SECOND), won("Cy", SECOND), won("Ann", FIRST)], [], DAY, [],
    ),
    "too much was paid": Case(
        [won("Ann", SECOND, "Ben", "Zed"), won("Zed", FIRST)],
        [paid("Ben", "Ann", 3, SECOND)], DAY, ["ann pays ben 1 counter", "zed pays ben 1 counter"],
    ),
    "chips are settled apart": Case(
        [*TWO_DAYS, chips("Ben", SECOND, "Ann")], ALL_PAID, DAY,
        ["ann pays ben 5 chip", *ELSEWHERE],
    ),
    "by whichever name somebody was written": Case(
        [*TWO_DAYS, won("Ann", SECOND, "Benny", "Cy")],
        [Merge("Ben", ["Benny"]), paid("BENNY", "Ann", 2, SECOND)], DAY,
        ["cy pays ann 2 counter"],
    ),
    "nobody owes themselves": Case(
        [won("Ann", SECOND, "Ben", "Cy")], [paid("Ann", "Anna"), Merge("Ann", ["Anna"])], ALWAYS,
        ["ben pays ann 1 counter", "cy pays ann 1 counter"],
    ),
    "a game whose day isn't known is of no day": Case([won("Ann", "")], [], DAY, []),
    "it counts in everything, and up to any day": Case(
        [won("Ann", "")], [], Period(until=FIRST),
        ["ben pays ann 1 counter", "cy pays ann 1 counter"],
    ),
    "what was paid for games that left, by what they brought": Case(
        TWO_DAYS[:1],
        [Brought(SECOND, "counter", {"Dot": 2, "Cy": -1, "ann": -1}), paid("Cy", "Dot", 1, SECOND)],
        DAY, ["ann pays dot 1 counter"],
    ),
    "what was paid by those whose games are gone": Case(
        [], [paid("Cy", "Dot", 2)], ALWAYS, ["dot pays cy 2 counter"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", list(CASES.values()), ids=list(CASES))
def test_the_payments_due(case: Case) -> None:
    """In counters and in chips, after payments for days of the period."""
    owed = []
    for one in settled(case.games, case.notes, case.period):
        owed += [f"{to.payer} pays {to.payee} {to.amount} {one.unit}" for to in one.payments]
        owed += ELSEWHERE * one.elsewhere
        assert not (one.elsewhere and one.payments)
    assert sorted(owed) == sorted(case.owed)


def test_a_payment_is_noted_for_the_days_of_the_games() -> None:
    """So paying for everything doesn't pay for later games."""
    (one,) = settled([*TWO_DAYS, chips("Ben", THIRD, "Ann")], [], ALWAYS)[:1]
    assert one.days == Period(FIRST, SECOND)
    (one,) = settled([won("Ann", ""), *TWO_DAYS], [], ALWAYS)
    assert one.days == Period("", SECOND)


WRONG: dict[str, tuple[str, str, list[str]]] = {
    "no days": ("", "", []),
    "one day": (FIRST, FIRST, []),
    "open on either side": ("", FIRST, []),
    "a day that isn’t in the calendar": ("2026-02-30", "", ["day"]),
    "written otherwise": ("20260312", "12.3.2026", ["day", "day"]),
    "a week, which ISO has as well": ("2026-W11-4", "", ["day"]),
    "a time": ("2026-03-12T20:00", "", ["unreadable-club"]),
    "other digits": ("٢٠٢٦-٠٣-١٢", "", ["day"]),
    "backwards": (SECOND, FIRST, ["days"]),
}


@pytest.mark.parametrize(("since", "until", "codes"), list(WRONG.values()), ids=list(WRONG))
def test_invalid_days_of_a_payment_are_faults(since: str, until: str, codes: list[str]) -> None:
    """All of them at once."""
    note = Paid("Ann", "Ben", 10**15, "chip", since, until)
    if not codes:
        check_note(note)
        return
    with pytest.raises(MalformedEntry) as found:
        check_note(note)
    assert [fault.code for fault in found.value.faults] == codes


def test_all_faults_of_the_payments_are_reported() -> None:
    """What somebody won, somebody has lost."""
    check_note(Brought("", "chip", {"Ann": 2, "Ben": -2}))
    with pytest.raises(MalformedEntry) as found:
        check_note(Brought("2026-02-30", "chip", {"Ann": 2, "ann": -1}))
    assert [fault.code for fault in found.value.faults] == ["name-twice", "day", "unequal"]
