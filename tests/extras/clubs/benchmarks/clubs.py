"""The pages of a club with many games, and an entry on a sheet of it.

CPU time of the process that serves, so that other programs count for little.
"""

import random
import statistics
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from flask.testing import FlaskClient

from benchmarks.clock import cpu_milliseconds
from benchmarks.rows import Aim, Row
from referee.extras.clubs.pages.context import club_state
from referee.ledger.store import Link
from referee.settings import Settings
from referee.sheets.files import sheet_from
from referee.web.app import create_app
from referee.web.context import state

PEOPLE = [f"Player {number}" for number in range(200)]
PAGES = {
    "the table": "",
    "the table of a year": "?year=2024",
    "head to head": "/head-to-head",
    "two people": "/head-to-head?who=player+1&other=player+2",
    "records": "/records",
    "the chart": "/chart?by=rating",
    "a player": "/player?who=player+1",
    "people": "/people",
    "games": "/games",
}


def rows(short: bool) -> Iterator[Row]:
    """Each page among many games of 200 people, beside a hundred of 20; and an entry.

    A hundred games of 200 people would have next to nothing on the page of any of them.
    """
    with tempfile.TemporaryDirectory() as folder:
        runs = 5 if short else 15
        many = 1_000 if short else 10_000
        small = _Club(Path(folder) / "small", 100, PEOPLE[:20])
        large = _Club(Path(folder) / "large", many, PEOPLE)
        times = {
            what: (large.page(place, runs), small.page(place, runs))
            for what, place in PAGES.items()
        }
        grows = max(times, key=lambda what: times[what][0] / times[what][1])
        what = f"A club of {many:,} games: the page that grows most, {grows}; one of 100"
        yield _row(what, *times[grows], 3)
        slow, slowest = max((ours, what) for what, (ours, _) in times.items())
        what = f"A club of {many:,} games: the slowest page, {slowest}"
        aim = Aim(50, "ms", timed=True)
        yield Row(what, f"{slow:.1f} ms", aim=aim, value=slow)
        inside, outside = large.entries(runs)
        yield _row("An entry in that club; beside one in none", inside, outside, 1.2)


def _row(what: str, ours: float, yardstick: float, at_most: float) -> Row:
    ratio = ours / yardstick
    figures = f"{ours:.1f} ms", f"{yardstick:.1f} ms"
    return Row(what, *figures, f"{ratio:.2f} ×", Aim(at_most, "×"), ratio)


class _Club:
    """An app with a club of this many games, all of Any Other Game, over six years."""

    def __init__(self, folder: Path, games: int, people: list[str]) -> None:
        app = create_app(Settings(folder))
        self._state, self._client = state(app), app.test_client()
        self._clubs = club_state(app).clubs
        links = self._state.book.import_sheets(
            sheet_from(_game(n, games, people)) for n in range(games)
        )
        self._club = self._clubs.begin("Thursday table")
        self._clubs.put(self._club, links)
        self._clubs.counts.of(self._clubs.open(self._club))  # no page waits, and no thread goes on

    def page(self, place: str, runs: int) -> float:
        """The milliseconds for a page that was opened before."""
        work = partial(_get, self._client, f"/c/{self._club.token}{place}")
        work()
        return statistics.median(cpu_milliseconds(work) for _ in range(runs))

    def entries(self, runs: int) -> tuple[float, float]:
        """The milliseconds for an entry on a sheet of the club, and on one outside it, by turns."""
        book = self._state.book
        inside, outside = (book.begin("plain-score", PEOPLE[:5], None, {}) for _ in range(2))
        self._clubs.put(self._club, [inside])
        times = [
            [cpu_milliseconds(self._entry(link, number)) for link in (inside, outside)]
            for number in range(runs * 4)
        ]
        ours, yardstick = (statistics.median(side) for side in zip(*times, strict=True))
        return ours, yardstick

    def _entry(self, link: Link, number: int) -> Callable[[], None]:
        points = {f"points.{seat}": number + seat for seat in range(5)}
        form = {"action": "deal", "after": number, "key": f"deal-{number}", **points}

        def post() -> None:
            answer = self._client.post(f"/s/{link.token}/entries", data=form)
            assert answer.status_code == 303

        return post


def _get(client: FlaskClient, address: str) -> None:
    answer = client.get(address)
    assert answer.status_code == 200, address
    assert "Refresh" not in answer.headers, "only how far it is counted"


def _game(number: int, games: int, people: list[str]) -> dict[str, Any]:
    """The file of game `number`: three to six of the people, three to eight deals."""
    chance = random.Random(number)
    players, deals = chance.sample(people, chance.randint(3, 6)), chance.randint(3, 8)
    players = players if number else people[1:5]
    at = f"{2020 + number * 6 // games}-{1 + number % 12:02}-{1 + number % 28:02}T20:00:00+00:00"
    entries = [
        {"action": "deal", "points": {name: chance.randint(-20, 60) for name in players}}
        for _ in range(deals)
    ]
    return {
        "referee": 1,
        "game": "plain-score",
        "players": players,
        "options": {"deals": deals},
        "entries": entries,
        "history": [
            {"seq": seq, "kind": "play", "at": at, "entry": entry}
            for seq, entry in enumerate(entries, start=1)
        ],
    }
