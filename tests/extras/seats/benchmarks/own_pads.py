"""A deal of each game by five phones: taps, seconds, and bytes of a first visit by a code."""

import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.house import played_sheet, referee, serving
from benchmarks.load import within
from benchmarks.rows import Aim, Row
from referee.ledger.store import Ledger, Link
from referee.settings import DATABASE
from referee.sheets.book import Book
from tests.extras.seats.evening import DEALS, TOUCH, Evening, Guest
from tests.support.browser_fixtures import phones_of
from tests.support.chromium import CHROMIUM, QUIET
from tests.support.wire import wire_to

SLOWED = 4  # times, the processor of the phone that is timed
FIRST_VISIT = 64_000  # bytes downloaded, as for a scorekeeper's sheet
TOLD = 2  # seconds from the last tap until every phone shows the deal
OWN_TIME = 6  # seconds of anybody’s, for 20th-century Red Nines

# Card, Moran and Newell’s times of a person, in seconds: reading, pointing and pressing, and a
# further digit.
READS, TAPS_ONE, TYPES_ONE = 1.35, 1.1 + 0.1, 0.28


def rows(short: bool) -> Iterator[Row]:
    """Taps by game, seconds until the result shows, and the weight of a first visit."""
    with (
        tempfile.TemporaryDirectory() as folder,
        sync_playwright() as playwright,
        closing(Ledger(Path(folder) / DATABASE)) as ledger,
        serving(*referee(Path(folder))) as server,
    ):
        book = Book(ledger)
        play = book.hosting.renew(played_sheet(book), "play")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        with phones_of(browser, service_workers="block") as new_phone:
            evening = Evening(server.address, new_phone)
            yield from _deals(evening, 1 if short else 3)
            yield _own_time(evening)
        yield from _first_visit(browser, server.address, play)
        browser.close()


def _deals(evening: Evening, rounds: int) -> Iterator[Row]:
    """Play each game; the phones learn its end only by polling."""
    told = list[float]()
    for game, deal in DEALS.items():
        for _ in range(rounds):
            evening.plays(game)
            told += _until_told([guest.page for guest in evening.guests.values()])
        for who, most, guests in (
            ("whoever ended it", deal.taps[0], ["Ann"]),
            ("anybody else", deal.taps[1], evening.guests.keys() - {"Ann"}),
        ):
            taps = max(evening[name].taps for name in guests)
            aim = Aim(most, exact=True)
            yield Row(f"{game}: taps of {who}, the pad being open", f"{taps}", aim=aim, value=taps)
    slow = within(told, 0.99)
    yield Row(
        "From the last tap until a phone shows the deal, 99 % within",
        f"{slow:.2f} s",
        aim=Aim(TOLD, "s", timed=True),
        value=slow,
        note=f"median {statistics.median(told):.2f} s, of {len(told)}",
    )


def _until_told(pages: Sequence[Page]) -> Iterator[float]:
    """The seconds until each page shows the only deal of its sheet, from now on."""
    begun, waiting = time.perf_counter(), [*pages]
    while waiting:
        for page in [*waiting]:
            if page.locator(".score-pad .opens").count():
                yield time.perf_counter() - begun
                waiting.remove(page)


def _own_time(evening: Evening) -> Row:
    """What a deal takes of anybody’s time: a person’s seconds by taps, and those of the program."""
    game = "Red Nines (20th century)"
    evening.plays(game)
    evening.told(1)
    ann = evening["Ann"]
    ann.opens_pad()
    ann.calls()
    ann.answers(DEALS[game].call or ())
    times = {}
    for name in ("Ben", "Cy", "Dot"):
        evening[name].looks()
        times[name] = _seconds(evening[name], DEALS[game].hands[name])
    slow = max(times, key=lambda name: times[name][0])
    return Row(
        f"{game}: anybody’s own time",
        f"{times[slow][0]:.1f} s",
        aim=Aim(OWN_TIME, "s", timed=True),
        value=times[slow][0],
        note=f"reading {READS} s, a tap {TAPS_ONE:.1f} s, a further digit {TYPES_ONE} s, as Card, "
        f"Moran and Newell have them, and {times[slow][1]:.2f} s until the phone, slowed {SLOWED} "
        "times, says “Yours is in”",
    )


def _seconds(guest: Guest, steps: Sequence[str]) -> tuple[float, float]:
    """The seconds of a person and of the program, together, and of the program alone."""
    session = guest.page.context.new_cdp_session(guest.page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    guest.fills_in(steps)
    begun = time.perf_counter()
    guest.sends()
    guest.waits()
    took = time.perf_counter() - begun
    typed = sum(one.isdigit() and other.isdigit() for one, other in pairwise(steps))
    person = READS + (len(steps) + 1 - typed) * TAPS_ONE + typed * TYPES_ONE
    return person + took, took


def _first_visit(browser: Browser, address: str, play: Link) -> Iterator[Row]:
    """Scan the code of a sheet of five players and twenty deals on a new phone, and take a seat."""
    with wire_to(address) as wire:
        page = browser.new_page(**TOUCH)
        page.goto(f"{wire.address}/s/{play.token}?watch=yes", wait_until="networkidle")
        page.get_by_role("link", name="Which seat is yours?").wait_for()
        first, _ = wire.weigh()
        page.goto(f"{wire.address}/s/{play.token}/seat", wait_until="networkidle")
        page.get_by_role("button", name="I’m").first.wait_for()
        more, _ = wire.weigh()
    aim = Aim(FIRST_VISIT, "bytes", exact=True)
    yield Row("A first visit by a link to play", f"{first:,} bytes", aim=aim, value=first)
    yield Row("The page on which a seat is taken, after that", f"{more:,} bytes")
