"""Everybody has a turn; and what holds room while it is on its way gives way."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from referee.web.http.turns import CrowdedError, GoneError, Room, Turns, Who

HERE, THERE = "192.0.2.7", "192.0.2.8"


async def stays() -> None:
    """A client that waits for its answer."""
    await asyncio.Event().wait()


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a test on a loop of its own."""
    asyncio.run(test())


async def settle() -> None:
    """Let all go on that can."""
    for _ in range(20):
        await asyncio.sleep(0)


class Table:
    """Those who ask for a turn, and in which order they had it."""

    def __init__(self, together: int) -> None:
        self.turns = Turns(together)
        self.had: list[str] = []
        self.go = asyncio.Event()

    async def ask(self, who: Who, gone: Callable[[], Any] = stays) -> None:
        """Have a turn, as long as it takes."""
        async with self.turns.turn(who, gone):
            self.had.append(who.wants)
            await self.go.wait()


def test_turns_are_taken_by_address_and_by_what_is_asked_for() -> None:
    """Whoever asks for the same thing five times waits five times, another only once."""

    async def test() -> None:
        table = Table(1)
        asks = [*(Who(HERE, wants) for wants in "aaaabcb"), Who(THERE, "x"), Who(THERE, "x")]
        asked = []
        for who in asks:
            asked.append(asyncio.ensure_future(table.ask(who)))
            await asyncio.sleep(0)
        table.go.set()
        await asyncio.gather(*asked)
        assert "".join(table.had) == "aaxbxcaba"
        assert table.turns.free == 1

    run(test)


def test_so_many_at_a_time() -> None:
    """The others wait until one of these is done."""

    async def test() -> None:
        table = Table(2)
        asked = [asyncio.ensure_future(table.ask(Who(HERE, wants))) for wants in "abcd"]
        await settle()
        assert table.had == ["a", "b"]
        table.go.set()
        await asyncio.gather(*asked)
        assert (table.had, table.turns.free) == (["a", "b", "c", "d"], 2)

    run(test)


def test_who_hangs_up_waits_no_more() -> None:
    """The turn goes to the next; also where it came at that very moment."""

    async def test() -> None:
        table, hung_up = Table(1), asyncio.Event()

        async def gone() -> None:
            await hung_up.wait()

        first = asyncio.ensure_future(table.ask(Who(HERE, "a")))
        leaver = asyncio.ensure_future(table.ask(Who(HERE, "b"), gone))
        late = asyncio.ensure_future(table.ask(Who(HERE, "c")))
        last = asyncio.ensure_future(table.ask(Who(HERE, "d")))
        await settle()
        hung_up.set()
        with pytest.raises(GoneError):
            await leaver
        first.cancel()
        await asyncio.sleep(0)
        late.cancel()
        table.go.set()
        await last
        assert table.had[0] == "a"
        assert table.had[-1] == "d"
        assert table.turns.free == 1

    run(test)


class Guests:
    """Those who come into a room, and what became of them."""

    def __init__(self) -> None:
        self.room = Room(100)
        self.told: list[str] = []

    async def come(self, who: Who, size: int, seconds: float = 60) -> None:
        """Stay for a while."""
        try:
            async with self.room.stay(who, size, seconds):
                self.told.append(f"{who.wants} in")
                await asyncio.sleep(0.2)
        except CrowdedError:
            self.told.append(f"{who.wants} sent away")
        except TimeoutError:
            self.told.append(f"{who.wants} late")


def test_who_holds_most_gives_way() -> None:
    """The largest of the address that holds most, the oldest of these; never who comes last."""

    async def test() -> None:
        guests = Guests()
        await asyncio.gather(
            guests.come(Who(THERE, "other"), 45),
            guests.come(Who(HERE, "small"), 5),
            guests.come(Who(HERE, "old"), 22),
            guests.come(Who(HERE, "new"), 22),
            guests.come(Who(THERE, "next"), 10),
        )
        assert [one for one in guests.told if not one.endswith(" in")] == ["old sent away"]
        assert "next in" in guests.told
        assert guests.room.held == 0

    run(test)


def test_what_is_larger_than_the_room_comes_in_alone() -> None:
    """All others give way, and the next sends it away."""

    async def test() -> None:
        guests = Guests()
        sizes = {"a": 60, "b": 40, "large": 120, "c": 1}
        await asyncio.gather(*(guests.come(Who(HERE, one), sizes[one]) for one in sizes))
        away = [one for one in guests.told if not one.endswith(" in")]
        assert away == ["a sent away", "b sent away", "large sent away"]
        assert guests.room.held == 0

    run(test)


def test_what_is_not_through_in_time() -> None:
    """It is late."""

    async def test() -> None:
        guests = Guests()
        await asyncio.gather(
            guests.come(Who(HERE, "a"), 60, seconds=0.01), guests.come(Who(HERE, "b"), 30)
        )
        assert guests.told == ["a in", "b in", "a late"]

    run(test)
