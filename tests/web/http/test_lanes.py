"""Long work takes turns, and takes nothing from short work."""

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from referee.ledger.store import Ledger
from referee.rules.core.game import Game
from referee.sheets.book import Book
from referee.sheets.work import Allowance, LongWork, WorkEnded, go_on, is_limited, spend
from referee.web.http.lanes import SHORT, THREADS, Lanes
from referee.web.http.turns import GoneError, Who

PATIENCE = 20
LONG = SHORT + 1


def link(wants: str) -> Who:
    """Somebody who asks for this, at the same address as the others."""
    return Who("192.0.2.7", wants)


async def stays() -> None:
    """A client that waits for its answer."""
    await asyncio.Event().wait()


def long_work(done: list[str], who: str) -> Callable[[], str]:
    """Work that says it takes long, and notes who had it done."""

    def work() -> str:
        spend(LONG)
        done.append(who)
        return who

    return work


def held_up(begun: Event, go: Event) -> Callable[[], str]:
    """Long work that goes on until somebody says so, or nobody wants it any more."""

    def work() -> str:
        spend(LONG)
        begun.set()
        while not go.wait(0.01):
            go_on()
        return "done"

    return work


async def until(event: Event) -> None:
    """Wait for what a thread says."""
    assert await asyncio.to_thread(event.wait, PATIENCE)


def run(test: Callable[[Lanes], Coroutine[Any, Any, None]]) -> None:
    """Run a test on a loop of its own."""
    asyncio.run(test(Lanes()))


def test_work_is_announced() -> None:
    """Up to what is allowed; beyond it nothing is done. Without an allowance anything goes."""
    spend(10**9)
    assert not is_limited()
    with Allowance(5).in_force():
        assert is_limited()
        spend(3)
        spend(2)
        with pytest.raises(LongWork):
            spend(1)
        spend(0)
    with Allowance().in_force() as allowed:
        spend(10**9)
        go_on()
        allowed.wanted = False
        with pytest.raises(WorkEnded):
            go_on()
    go_on()


def test_short_work_is_done_once() -> None:
    """What is no more than allowed begins once; what is more begins again where it may."""
    began = []

    async def test(lanes: Lanes) -> None:
        for entries in (SHORT, LONG):

            def work(entries: int = entries) -> int:
                began.append(entries)
                spend(entries)
                return entries

            assert await lanes.answer(link("x"), stays, work) == entries

    run(test)
    assert began == [SHORT, LONG, LONG]


def test_long_work_takes_no_thread_of_the_others() -> None:
    """One is under way, many wait; short work is done meanwhile, then all the rest."""

    async def test(lanes: Lanes) -> None:
        begun, go = Event(), Event()
        asked = [
            asyncio.ensure_future(lanes.answer(link(f"{number}"), stays, held_up(begun, go)))
            for number in range(3 * THREADS)
        ]
        await until(begun)
        for _ in range(3 * THREADS):
            assert await lanes.answer(link("short"), stays, lambda: "at once") == "at once"
        assert not any(one.done() for one in asked)
        go.set()
        assert await asyncio.gather(*asked) == ["done"] * len(asked)

    run(test)


def test_turns_are_taken_by_what_is_asked_for() -> None:
    """Whoever asks for the same thing five times waits five times, another only once."""
    done = list[str]()

    async def test(lanes: Lanes) -> None:
        begun, go = Event(), Event()
        first = asyncio.ensure_future(lanes.answer(link("a"), stays, held_up(begun, go)))
        await until(begun)
        waiting = []
        for who in "aaaabcb":
            waiting.append(
                asyncio.ensure_future(lanes.answer(link(who), stays, long_work(done, who)))
            )
            while lanes.waiting < len(waiting):
                await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *waiting)

    run(test)
    assert "".join(done) == "abcabaa"


def test_short_work_takes_turns_too() -> None:
    """Who asks two thousand times for one sheet waits for themselves, the next sheet does not."""
    done: list[str] = []

    async def test(lanes: Lanes) -> None:
        go = Event()

        def work(who: str) -> Callable[[], None]:
            return lambda: done.append(who) if go.wait(PATIENCE) else None

        many = [
            asyncio.ensure_future(lanes.answer(link("many"), stays, work("many")))
            for _ in range(2000)
        ]
        await asyncio.sleep(0)  # all of them have asked
        other = asyncio.ensure_future(lanes.answer(link("other"), stays, work("other")))
        await asyncio.sleep(0)
        go.set()
        await asyncio.gather(other, *many)

    run(test)
    assert len(done) == 2001
    assert done.index("other") <= 3 * THREADS


def test_nobody_is_sent_away() -> None:
    """However many wait before them: what has arrived is done."""

    async def test(lanes: Lanes) -> None:
        begun, go, done = Event(), Event(), list[str]()
        first = asyncio.ensure_future(lanes.answer(link("a"), stays, held_up(begun, go)))
        await until(begun)
        asked = [
            asyncio.ensure_future(lanes.answer(link("b"), stays, long_work(done, "b")))
            for _ in range(1000)
        ]
        while lanes.waiting < len(asked):
            await asyncio.sleep(0)
        go.set()
        await asyncio.gather(first, *asked)
        assert len(done) == 1000
        assert lanes.waiting == 0

    run(test)


@pytest.mark.parametrize("under_way", [True, False], ids=["under way", "waiting"])
def test_who_hangs_up_waits_no_more(under_way: bool) -> None:
    """The work of whoever is gone ends, or never begins."""

    async def test(lanes: Lanes) -> None:
        begun, never, hung_up = Event(), Event(), asyncio.Event()

        async def gone() -> None:
            await hung_up.wait()

        first = asyncio.ensure_future(
            lanes.answer(link("a"), gone if under_way else stays, held_up(begun, never))
        )
        await until(begun)
        if under_way:
            hung_up.set()
            with pytest.raises(GoneError):
                await first
        else:
            done = list[str]()
            second = asyncio.ensure_future(lanes.answer(link("b"), gone, long_work(done, "b")))
            while lanes.waiting == 0:
                await asyncio.sleep(0)
            hung_up.set()
            with pytest.raises(GoneError):
                await second
            never.set()
            assert await first == "done"
            assert done == []
        assert await lanes.answer(link("c"), stays, long_work([], "c")) == "c"

    run(test)


def test_what_goes_wrong_is_passed_on() -> None:
    """In either lane, and the turn with it."""

    def fails(entries: int) -> Callable[[], None]:
        def work() -> None:
            spend(entries)
            raise ZeroDivisionError

        return work

    async def test(lanes: Lanes) -> None:
        for entries in (0, LONG, LONG):
            with pytest.raises(ZeroDivisionError):
                await lanes.answer(link("x"), stays, fails(entries))

    run(test)


@pytest.fixture
def long_sheet(tmp_path: Path) -> tuple[Book, str]:
    """A book that has never opened its sheet of many entries, and that sheet's link."""
    book = Book(Ledger(tmp_path / "book.sqlite"))
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ann", {})
    for seq in range(LONG):
        abandoned = {"action": "abandon", "reason": "the lights went out"}
        book.record(link, abandoned, seq, f"key-{seq}")
    return Book(Ledger(tmp_path / "book.sqlite")), link.token


def test_to_play_a_long_sheet_is_long_work(
    long_sheet: tuple[Book, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not one entry of it is played where that is too much; it ends when nobody wants it."""
    book, token = long_sheet
    link = book.find(token)
    assert link is not None
    played, carry_out = [], Game.carry_out

    def counted(self: Any, state: Any, entry: Any) -> Any:
        played.append(entry)
        if len(played) == 9:
            allowed.wanted = False
        return carry_out(self, state, entry)

    monkeypatch.setattr(Game, "carry_out", counted)
    with Allowance(SHORT).in_force(), pytest.raises(LongWork):
        book.open(link)
    assert played == []
    with Allowance().in_force() as allowed, pytest.raises(WorkEnded):
        book.open(link)
    assert len(played) == 9
    with Allowance().in_force() as allowed:
        played.append(None)
        assert len(book.open(link).course.steps) == LONG
    with Allowance(0).in_force():
        book.open(link)
