"""Turns among senders share threads fairly."""

import asyncio
import threading
from functools import partial

import pytest

from referee.web.serving.gateway import Crew, GoneError


async def stays() -> None:
    """A client that waits for its answer."""
    await asyncio.Event().wait()


def test_turns_are_taken_by_sender() -> None:
    """Senders take turns: four tasks of one do not delay another's single task; tasks may fail."""
    had, all_wait = list[str](), threading.Event()

    def work(named: str) -> None:
        all_wait.wait(30)
        had.append(named)
        if named == "a2":
            raise ZeroDivisionError

    async def test() -> None:
        crew, asked = Crew(1), []
        for named in ("a1", "a2", "a3", "b1", "a4", "c1"):
            asked.append(asyncio.ensure_future(crew.do(named[0], stays, partial(work, named))))
            await asyncio.sleep(0)
        all_wait.set()
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert [isinstance(one, ZeroDivisionError) for one in told].count(True) == 1
        assert await crew.do("d", stays, lambda: "at once") == "at once"

    asyncio.run(test())
    assert had == ["a1", "a2", "b1", "c1", "a3", "a4"]


def test_who_hangs_up_gives_up_the_turn() -> None:
    """A task whose sender hung up is skipped."""
    hung_up, busy = asyncio.Event(), threading.Event()

    async def gone() -> None:
        await hung_up.wait()

    async def test() -> None:
        crew = Crew(1)
        first = asyncio.ensure_future(crew.do("a", stays, lambda: busy.wait(30)))
        leaver = asyncio.ensure_future(crew.do("b", gone, lambda: 1 / 0))
        last = asyncio.ensure_future(crew.do("c", stays, lambda: "done"))
        await asyncio.sleep(0)
        hung_up.set()
        await asyncio.sleep(0.01)
        busy.set()
        with pytest.raises(GoneError):
            await leaver
        assert (await first, await last) == (True, "done")

    asyncio.run(test())
