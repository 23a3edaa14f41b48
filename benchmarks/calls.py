"""How many of our own functions an entry and a page call: counted, so the same anywhere.

Pink Nines with four players, by the test client, once all caches are warm. A generator counts
every time it is resumed.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import referee
from benchmarks.rows import Aim, Row
from referee.settings import Settings
from referee.web.app import create_app

PLAYERS = ["Ann", "Ben", "Cy", "Dot"]
OUR_FILES = str(Path(referee.__file__).parent)
EARLY, LATE = 3, 12  # deals; by then all is warm


class Calls(NamedTuple):
    """The calls of our functions in one request, and the modules they are in."""

    number: int
    modules: int


def rows(short: bool) -> Iterator[Row]:
    """An entry, the page after it, and what each further deal adds to that."""
    with tempfile.TemporaryDirectory() as folder:
        entries, pages = zip(*_deals(Path(folder)), strict=True)
    entry, page = entries[EARLY - 1], pages[EARLY - 1]
    more = (pages[LATE - 1].number - page.number) / (LATE - EARLY)
    yield _row("An entry: calls between our own functions", entry.number, 150)
    yield _row("An entry: modules it goes through", entry.modules, 20)
    yield _row(f"The page after deal {EARLY}: calls", page.number, 900)
    yield _row("The page: calls added by each further deal", more, 60)


def _row(what: str, counted: float, at_most: int) -> Row:
    return Row(what, f"{counted:g}", aim=Aim(at_most, exact=True), value=counted)


def _deals(instance: Path) -> Iterator[tuple[Calls, Calls]]:
    """For each deal, what recording it takes, and then the page."""
    phone = create_app(Settings(instance=instance)).test_client()
    begun = {"name": PLAYERS, "dealer": "0", "counters": "500", "deals": "90"}
    sheet = phone.post("/new/pink-nines", data=begun).headers["Location"]
    for deal in range(1, LATE + 1):
        seen = re.search(r'name="after" value="([^"]+)"', phone.get(sheet + "/record").text)
        assert seen is not None
        winner = PLAYERS[deal % len(PLAYERS)]
        form = {"action": "out", "player": winner, "after": seen[1], "key": f"deal-{deal}-of-many"}

        def record(form: dict[str, str] = form) -> Any:
            return phone.post(sheet + "/entries", data=form)

        answers = _counted(record), _counted(lambda: phone.get(sheet))
        assert [answer.status_code for answer, _ in answers] == [303, 200]
        yield answers[0][1], answers[1][1]


def _counted(request: Callable[[], Any]) -> tuple[Any, Calls]:
    called: list[str] = []

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(OUR_FILES):
            called.append(frame.f_code.co_filename)

    sys.setprofile(note)
    try:
        answer = request()
    finally:
        sys.setprofile(None)
    return answer, Calls(len(called), len(set(called)))
