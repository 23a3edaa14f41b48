"""2,000 phones with seats, five of which enter each deal; compared with 2,000 viewers."""

import asyncio
import gzip
import statistics
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from urllib.parse import urlencode

from msgspec import Struct, field

from benchmarks.house import PLAYERS, Server, book_in, fill, referee, serving
from benchmarks.load import WRK, requests_a_second, within
from benchmarks.phones import MOST, WITHIN, poll_and_record
from benchmarks.rows import Aim, Row
from referee.ledger.store import Link
from tests.support.phone import first_in

DEALS = 20  # before the one that is played here
EVERY = 2  # seconds between the polls of a phone
A_DEAL_EVERY = 60  # seconds at each table, so that none plays two
COUNTS = 3  # seconds from an open pad to “That’s mine”
PATIENCE = 20  # seconds that a phone waits for a deal after the others have stopped playing
MEMORY = 160  # megabytes, as for viewers


def rows(short: bool) -> Iterator[Row]:
    """Polls, pads and pages, each beside the same without a seat."""
    phones, duration = (200, 6) if short else (MOST, 30)
    with tempfile.TemporaryDirectory() as folder:
        book = book_in(Path(folder))
        hosts = fill(book, phones // len(PLAYERS), DEALS)
        links = [book.hosting.renew(link, "play") for link in hosts]
        with serving(*referee(Path(folder))) as server:
            server.wait_until_idle()
            before = server.cpu_seconds()
            looking, _ = poll_and_record(server, hosts, duration)
            mid = server.cpu_seconds()
            told = asyncio.run(Hall(server.port, links).play(duration))
            work = mid - before, server.cpu_seconds() - mid
            held = server.megabytes()
            yield from _polls(phones, told, looking.seconds)
            yield Row(
                f"{phones:,}: work of a core in {duration} s; beside as many that look on",
                f"{work[1]:.1f} s",
                f"{work[0]:.1f} s",
                f"{work[1] / work[0]:.2f} ×",
                note=f"{told.deals} deals were entered from five phones each, and as many by one",
            )
            memory = Aim(MEMORY, "MB")
            yield Row(f"{phones:,}: memory", f"{held:.0f} MB", aim=memory, value=held)
            yield Row(f"{phones:,}: refused", str(told.refused), aim=Aim(0), value=told.refused)
            if WRK is not None:
                yield from _pages(server, hosts[0], links[0], short)


def _polls(phones: int, told: "Told", looking: Sequence[float]) -> Iterator[Row]:
    slow, beside = (within(one, 0.99) * 1000 for one in (told.polls, looking))
    limit = WITHIN[phones]
    yield Row(
        f"{phones:,} phones with a seat: 99 % of the polls within; beside as many that look on",
        f"{slow:.0f} ms",
        f"{beside:.0f} ms",
        f"{slow / beside:.1f} ×",
        Aim(limit, "ms", timed=True),
        slow,
        f"{len(told.polls)} polls, median {statistics.median(told.polls) * 1000:.1f} ms",
    )
    for what, taken in (("a pad opened", told.pads), ("“That’s mine” answered", told.sent)):
        slow = within(taken, 0.99) * 1000
        yield Row(
            f"{phones:,}: {what}, 99 % within",
            f"{slow:.0f} ms",
            aim=Aim(limit, "ms", timed=True),
            value=slow,
            note=f"{len(taken)} of them, median {statistics.median(taken) * 1000:.1f} ms",
        )
    late = within(told.told, 0.99)
    yield Row(
        f"{phones:,}: from the last “That’s mine” until a phone shows the deal, 99 % within",
        f"{late:.2f} s",
        aim=Aim(EVERY + limit / 1000, "s", timed=True),
        value=late,
        note=f"median {statistics.median(told.told):.2f} s; a phone asks every {EVERY} s",
    )


def _pages(server: Server, host: Link, play: Link, short: bool) -> Iterator[Row]:
    """The work for a page, a poll and a pad of a table with five seats."""
    runs, each = (3, 1) if short else (7, 2)
    for what, place in (("The page of a sheet", ""), ("The poll of a board", "/board")):
        costs = [
            [_microseconds(server, f"/s/{link.token}", place, each) for link in (play, host)]
            for _ in range(runs)
        ]
        ratio = statistics.median(mine / yours for mine, yours in costs)
        mine, yours = (statistics.median(side) for side in zip(*costs, strict=True))
        yield Row(
            f"{what} with seats, by a link to play; by one that keeps score",
            f"{mine:.0f} µs",
            f"{yours:.0f} µs",
            f"{ratio:.2f} ×",
            Aim(1.1, "×"),
            ratio,
        )
    pad = _microseconds(server, f"/s/{play.token}", "/seat", each) / 1000
    yield Row("A pad, which no two phones share", f"{pad:.1f} ms", aim=Aim(10, "ms"), value=pad)


def _microseconds(server: Server, sheet: str, place: str, seconds: int) -> float:
    """The work of a core for an answer, which other programs on the machine change little."""
    address = server.address + sheet + place
    opened = f"sheets={sheet.rpartition('/')[2]}"
    headers = [f"Cookie: at-home=1; {opened}; {_cookie(0, 1)}", "Accept-Encoding: gzip"]
    if place == "/board":
        tag = urllib.request.urlopen(address).headers["HX-PTag"]
        headers += [f"HX-PTag: {tag}", "HX-Request-Type: partial"]
    before = server.cpu_seconds()
    answers = requests_a_second(address, seconds, headers) * seconds
    return (server.cpu_seconds() - before) / answers * 1e6


def _cookie(table: int, seat: int) -> str:
    """By which a phone’s seat is known."""
    return f"seat={'p' * 16}-{table}-{seat}"


class Told(Struct):
    """The seconds for polls, opening a pad, sending a figure, and until all saw the result."""

    polls: list[float] = field(default_factory=list)
    pads: list[float] = field(default_factory=list)
    sent: list[float] = field(default_factory=list)
    told: list[float] = field(default_factory=list)
    deals: int = 0
    refused: int = 0


class Hall:
    """Tables of five phones that have seats; now and then a table plays a deal."""

    def __init__(self, port: int, links: Sequence[Link]) -> None:
        """A table for each of `links`, which allow playing along."""
        self._port = port
        self._links = links
        self.told = Told()

    async def play(self, seconds: float) -> Told:
        """Have all sit down, then let them play for this many seconds."""
        tables = [
            _Table(self._port, link, number, self.told) for number, link in enumerate(self._links)
        ]
        for table in tables:
            await table.sit()
        begun = time.perf_counter() + EVERY
        step = A_DEAL_EVERY / len(tables)
        await asyncio.gather(
            *(table.play(begun, seconds, number * step) for number, table in enumerate(tables))
        )
        return self.told


class _Table:
    """Five phones at one sheet of 20th-century Red Nines."""

    def __init__(self, port: int, link: Link, number: int, told: Told) -> None:
        self.port, self.told = port, told
        self.at = f"/s/{link.token}"
        self.counts = False  # a deal has been called over
        self.deal = ""  # as its pads number it
        self.last_sent = 0.0
        self.phones = [_Phone(self, seat, _cookie(number, seat)) for seat in range(len(PLAYERS))]

    async def sit(self) -> None:
        for phone in self.phones:
            await phone.sit()

    async def play(self, begun: float, seconds: float, first: float) -> None:
        """Each phone polls at its own moment; a deal is over `first` seconds after `begun`."""
        step = EVERY / len(self.phones)
        await asyncio.gather(
            *(
                phone.play(begun + seat * step + first % step, begun + seconds, begun + first)
                for seat, phone in enumerate(self.phones)
            )
        )


class _Phone:
    """A phone with a seat: it polls, and enters its own at the end of a deal."""

    def __init__(self, table: _Table, seat: int, cookie: str) -> None:
        self._table, self._seat, self._cookie = table, seat, cookie
        self._told = table.told
        self._player = PLAYERS[seat]
        self._tag = ""
        self._came = False
        self._entered = False  # the figure of this deal
        self._knows = False  # how the deal ended

    async def sit(self) -> None:
        await self._connect()
        taken = await self._ask("/seat/take", {"player": self._player, "key": f"s-{self._seat}"})
        assert taken[0] == "303", taken
        self._writer.close()

    async def _connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._table.port)

    async def play(self, due: float, end: float, over: float) -> None:
        """Poll from `due` to `end` and until the deal shows; the first phone ends it at `over`."""
        await asyncio.sleep(due - time.perf_counter())
        await self._connect()
        try:
            while due < end + (PATIENCE if self._table.counts and not self._knows else 0):
                if not self._seat and over <= due < end and not self._entered:
                    self._table.counts = True
                    await self._enter()
                elif await self._polled():
                    await self._enter()
                due = max(due + EVERY, time.perf_counter())
                await asyncio.sleep(due - time.perf_counter())
        except (OSError, asyncio.IncompleteReadError, AssertionError):
            self._told.refused += 1
        else:
            self._told.refused += self._table.counts and not self._knows
        finally:
            self._writer.close()

    async def _polled(self) -> bool:
        """Ask for news; returns whether the deal is over, and this player’s is due."""
        place = f"/seat/felt?player={self._player}&deal={self._table.deal}"
        begun = time.perf_counter()
        waits = self._entered and not self._knows
        _, heads, page = await self._ask(place if waits else "/board", partial=True)
        if self._came:  # its first board may have to be made, as that of many who come together
            self._told.polls.append(time.perf_counter() - begun)
        self._came = True
        self._tag = heads.get("hx-ptag", self._tag)
        if "hx-redirect" in heads:
            await self._told_now()
        return b"data-gathers" in page and not self._entered

    async def _told_now(self) -> None:
        """Open the sheet, which has the deal."""
        self._knows, self._tag = True, ""
        self._told.told.append(time.perf_counter() - self._table.last_sent)
        await self._ask("")

    async def _enter(self) -> None:
        """Open the pad, count, and send what was counted."""
        begun = time.perf_counter()
        *_, pad = await self._ask(f"/seat{'' if self._seat else '?call=yes'}")
        self._table.deal = deal = first_in(pad.decode(), r'name="deal" value="(\d+)"')
        self._told.pads.append(time.perf_counter() - begun)
        await asyncio.sleep(COUNTS)
        form: dict[str, object] = {"action": "out", "seat_of": self._player, "deal": deal}
        if self._seat:
            form |= {f"hands.{self._seat}.points": 7 + self._seat}
        else:
            form |= {"player": self._player, "red_nine": "false"}
        form["key"] = f"deal-{deal}-{self._seat}"
        await self._ask("/seat/preview", form)
        begun = time.perf_counter()
        status, heads, page = await self._ask("/seat/hand", form)
        self._table.last_sent = time.perf_counter()
        self._told.sent.append(self._table.last_sent - begun)
        assert status == "303", page
        self._entered, self._tag = True, ""
        if "/seat" in heads["location"]:
            await self._ask(f"/seat?player={self._player}&deal={deal}")
        else:
            self._told.deals += 1
            await self._told_now()

    async def _ask(
        self, place: str, form: Mapping[str, object] | None = None, partial: bool = False
    ) -> tuple[str, dict[str, str], bytes]:
        """The status, headers and body of the answer to a request, all on one connection."""
        body = urlencode(form or {})
        held = f"HX-Request: true\r\nHX-Request-Type: partial\r\nHX-PTag: {self._tag}\r\n"
        sent = f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n"
        self._writer.write(
            f"{'GET' if form is None else 'POST'} {self._table.at}{place} HTTP/1.1\r\nHost: x\r\n"
            f"Cookie: at-home=1; {self._cookie}\r\nAccept-Encoding: gzip\r\n"
            f"{held if partial else ''}{'' if form is None else sent}\r\n{body}".encode()
        )
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        lines = head.split("\r\n")
        heads = dict(line.lower().split(": ", 1) for line in lines[1:] if line)
        status = lines[0].split(" ", 2)[1]
        assert status in ("200", "303", "304"), head
        page = await self._reader.readexactly(int(heads.get("content-length", 0)))
        return status, heads, gzip.decompress(page) if "content-encoding" in heads else page
