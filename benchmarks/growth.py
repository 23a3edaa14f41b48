"""The cost of growing books, sheets and evenings, and of a start."""

import statistics
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from benchmarks.clock import cpu_milliseconds, seconds
from benchmarks.house import (
    Server,
    a_deal,
    book_in,
    fill,
    no_waiting,
    played_sheet,
    referee,
    serving,
)
from benchmarks.rows import Aim, Row
from referee.ledger.chain import Mark
from referee.ledger.store import Link
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook


def rows(short: bool) -> Iterator[Row]:
    """A large book, a long sheet, a long evening, the start."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _a_large_book(Path(folder), short)
        yield from _a_long_sheet(Path(folder), short)
        yield _a_long_evening(Path(folder), short)
        yield from _the_start(Path(folder), short)


def _row(what: str, ours: float, yardstick: float, at_most: float) -> Row:
    ratio = ours / yardstick
    figures = f"{ours * 1000:.2f} ms", f"{yardstick * 1000:.2f} ms"
    return Row(what, *figures, f"{ratio:.2f} ×", Aim(at_most, "×"), ratio)


# --- a large book


def _a_large_book(folder: Path, short: bool) -> Iterator[Row]:
    sheets = 2_000 if short else 100_000
    small, large = book_in(folder / "small"), book_in(folder / "large")
    for book, others in ((small, 10), (large, sheets)):
        fill(book, others)
    named = f"among {sheets:,} sheets with {sheets * 20:,} entries; beside 10 sheets"
    for what, work in (("Opening a sheet", opening), ("Appending to one", appending)):
        yield _row(f"{what} {named}", *medians((large, small), work, short), 1.2)


def medians(
    books: tuple[Book, Book], work: Callable[[Book, int], float], short: bool
) -> tuple[float, float]:
    """The median seconds of `opening` or `appending` in each of two books, measured in turn."""
    times = [
        (work(books[0], number), work(books[1], number)) for number in range(100 if short else 600)
    ]
    ours, yardstick = (statistics.median(side) for side in zip(*times, strict=True))
    return ours, yardstick


def _somewhere(book: Book, number: int) -> Link:
    """A sheet that has not been opened for a while, or any of them if there are only ten."""
    sheets = book.ledger.engine.read("SELECT max(id) FROM sheets")[0][0]
    return Link("", number * 7919 % sheets + 1, "host")


def opening(book: Book, number: int) -> float:
    """The seconds for opening a sheet."""
    link = _somewhere(book, number)
    fresh = Book(book.ledger)  # with an empty cache
    return seconds(lambda: fresh.open(link))


def appending(book: Book, number: int) -> float:
    """The seconds for an entry on a sheet."""
    link = _somewhere(book, number)
    sheet = book.open(link)
    deal = a_deal(sheet.seq)
    return seconds(lambda: book.record(link, deal, Mark(sheet.seq), f"more-{number}"))


# --- a long sheet


def _a_long_sheet(folder: Path, short: bool) -> Iterator[Row]:
    runs = 3 if short else 9
    book = book_in(folder / "long")
    links = {deals: played_sheet(book, deals) for deals in (20, 250, 1000)}
    times: dict[tuple[str, int], list[float]] = {}
    for _ in range(runs):
        with serving(*referee(folder / "long")) as server:
            _page(server, played_sheet(book, 5))  # the first page of all costs more
            server.wait_until_idle()
            for deals in (20, 1000):
                for when in ("for the first time", "after one more entry"):
                    if "entry" in when:
                        seq = book.open(links[deals]).seq
                        book.record(links[deals], a_deal(seq), Mark(seq), f"one-more-{seq}")
                    times.setdefault((when, deals), []).append(_page(server, links[deals]))
    for when, deals in times:
        if deals == 1000:
            long, usual = (statistics.median(times[when, number]) for number in (1000, 20))
            what = f"A sheet of 1,000 entries opened {when}; beside one of 20"
            yield _row(what, long, usual, 8)
    yield _replay(book, links, runs)


def _page(server: Server, link: Link) -> float:
    """Open the sheet; returns the CPU seconds, which other programs do not affect."""
    before = server.cpu_seconds()
    urllib.request.urlopen(f"{server.address}/s/{link.token}").read()
    return server.cpu_seconds() - before


def _opened_anew(book: Book, link: Link) -> None:
    Book(book.ledger).open(link)


def _replay(book: Book, links: dict[int, Link], runs: int) -> Row:
    """An entry of a long sheet takes no longer to play through than one of a shorter sheet."""
    each = {
        deals: cpu_milliseconds(partial(_opened_anew, book, link), runs) / deals * 1000
        for deals, link in links.items()
    }
    ratio = each[1000] / each[250]
    return Row(
        "Playing through, per entry: 1,000 entries; beside 250",
        f"{each[1000]:.0f} µs",
        f"{each[250]:.0f} µs",
        f"{ratio:.2f} ×",
        Aim(1.25, "×"),
        ratio,
    )


# --- a long evening


def _a_long_evening(folder: Path, short: bool) -> Row:
    """Twelve long sheets are shown together as fast as twelve short ones."""
    long, runs = (200, 5) if short else (1000, 15)
    book = book_in(folder / "evening")
    tokens = {deals: _evening(book, deals) for deals in (10, long)}
    times: dict[int, list[float]] = {deals: [] for deals in tokens}
    with serving(*referee(folder / "evening")) as server:
        server.wait_until_idle()
        for run in range(runs + 1):
            for deals, token in tokens.items():
                before = server.cpu_seconds()
                urllib.request.urlopen(f"{server.address}/e/{token}").read()
                if run:  # the first page of all costs more
                    times[deals].append(server.cpu_seconds() - before)
    what = f"An evening of 12 sheets of {long:,} entries; beside 12 of 10"
    return _row(what, statistics.median(times[long]), statistics.median(times[10]), 1.5)


def _evening(book: Book, deals: int) -> str:
    """Twelve sheets of this many deals each in one evening; returns the evening's link."""
    evenings = EveningBook(book)
    link: Link | None = played_sheet(book, deals)
    assert link is not None
    for seen in range(1, 12):
        link = evenings.play_again(link, seen if seen > 1 else 0, f"next-{seen}")
        assert link is not None
        with no_waiting(book):
            for number in range(deals):
                book.record(link, a_deal(number), Mark(number), f"deal-{number}")
    token = evenings.token_of(link.document)
    assert token is not None
    return token


# --- the start


def _the_start(folder: Path, short: bool) -> Iterator[Row]:
    times, memory, busy = list[float](), list[float](), list[float]()
    for number in range(2 if short else 6):
        began = time.perf_counter()
        with serving(*referee(folder / f"start-{number}")) as server:
            urllib.request.urlopen(server.address).read()
            times.append(time.perf_counter() - began)
            memory.append(server.megabytes())
            server.wait_until_idle()
            busy.append(server.total_cpu_seconds())
    # All but the first start, which compiles what an installed program has compiled.
    took, held, worked = (statistics.median(each[1:]) for each in (times, memory, busy))
    yield Row(
        "From the command to the first page, on a new book",
        f"{took:.2f} s",
        aim=Aim(1.5, "s", timed=True),
        value=took,
    )
    yield Row(
        "Work of a core for a start, until nothing is left to do",
        f"{worked:.2f} s",
        aim=Aim(1, "s", timed=True),
        value=worked,
    )
    yield Row("Memory of the server after that", f"{held:.0f} MB", aim=Aim(120, "MB"), value=held)
