"""Load on a server: `wrk`, and phones that poll every two seconds."""

import asyncio
import re
import shutil
import statistics
import subprocess
import time
from collections.abc import Sequence

from msgspec import Struct

WRK = shutil.which("wrk")
CONNECTIONS = 16
EVERY = 2  # seconds between the polls of a phone


def requests_a_second(
    address: str, seconds: int, headers: Sequence[str] = (), connections: int = CONNECTIONS
) -> float:
    """The answers per second that `wrk` gets from `address`; an error fails."""
    assert WRK is not None
    command = [WRK, "-t1", f"-c{connections}", f"-d{seconds}s"]
    command += [part for header in headers for part in ("-H", header)]
    text = subprocess.run([*command, address], capture_output=True, text=True, check=True).stdout
    assert "Non-2xx" not in text, text
    assert "Socket errors" not in text, text
    return float(re.findall(r"Requests/sec:\s+([\d.]+)", text)[0])


class Polls(Struct):
    """Many phones’ polls: the seconds that each took, and how many phones gave up on an error.

    `first` has the seconds of each phone’s first poll, sent while all of them connect; `seconds`
    has those of all others.
    """

    seconds: list[float]
    first: list[float]
    refused: int = 0


def within(seconds: Sequence[float], share: float) -> float:
    """The seconds within which this `share` of the answers arrived."""
    return statistics.quantiles(seconds, n=1000)[int(share * 1000) - 1]


class Phones:
    """Phones that poll for a newer board, each at its own moment."""

    def __init__(self, port: int, links: Sequence[tuple[str, str]]) -> None:
        """A phone for each of `links` (token, tag of the board it holds)."""
        self._port = port
        self._links = links
        self.polls = Polls([], [])

    async def poll(self, seconds: float) -> Polls:
        """Let all of them poll for this many seconds."""
        end = time.perf_counter() + EVERY + seconds
        step = EVERY / len(self._links)
        phones = (
            self._phone(number * step, end, token, tag)
            for number, (token, tag) in enumerate(self._links)
        )
        await asyncio.gather(*phones)
        return self.polls

    async def _phone(self, wait: float, end: float, token: str, tag: str) -> None:
        await asyncio.sleep(wait)
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        except OSError:
            self.polls.refused += 1
            return
        due = time.perf_counter()
        seconds = self.polls.first
        try:
            while due < end:
                asked = time.perf_counter()
                tag = await self._ask(reader, writer, token, tag)
                seconds.append(time.perf_counter() - asked)
                seconds = self.polls.seconds
                due += EVERY
                await asyncio.sleep(due - time.perf_counter())
        except (OSError, asyncio.IncompleteReadError, AssertionError):
            self.polls.refused += 1
        finally:
            writer.close()

    async def _ask(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, token: str, tag: str
    ) -> str:
        """Ask for the board once; returns its tag."""
        writer.write(
            f"GET /s/{token}/board HTTP/1.1\r\nHost: x\r\nHX-Request: true\r\n"
            f"HX-Request-Type: partial\r\nHX-PTag: {tag}\r\nCookie: at-home=1\r\n\r\n".encode()
        )
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        status = head.split(" ", 2)[1]
        assert status in ("200", "304"), head
        if status == "200":
            fields = dict(re.findall(r"(?im)^([\w-]+): (.*)\r$", head.lower()))
            await reader.readexactly(int(fields["content-length"]))
            tag = fields["hx-ptag"]
        return tag
