"""Phones send the figures of a deal at once, and servers are killed: it is recorded exactly once.

In a nightly run 200 deals; no figure that was acknowledged is lost.
"""

import json
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPException
from pathlib import Path
from threading import Event
from time import monotonic

import pytest

from referee.ledger.store import Ledger
from referee.settings import DATABASE
from referee.sheets.audit import audit
from tests.support.campaign import SEED, usual_or_nightly
from tests.support.phone import first_in
from tests.support.proxy import Proxy
from tests.support.server import Answer, Server, ask

ON_EITHER_ENGINE = True
DEALS = usual_or_nightly(3, 200)
FIVE = ["Ann", "Ben", "Cy", "Dot", "Eve"]
PATIENCE = 300  # seconds for which a server may take to be there again, on a busy machine
BUSY = 503
LINK = r'value="https?://[^"]+/s/([\w-]+)"'


class Seated:
    """A phone with a player’s seat, on a connection that may break."""

    def __init__(self, servers: Sequence[Server | Proxy], token: str, seat: int) -> None:
        self.servers, self.token, self.seat = servers, token, seat
        self.player = FIVE[seat]
        self.cookie = f"seat={'p' * 20}{seat}"
        self.turn = seat
        assert self.post("/seat/take", {"player": self.player, "key": f"sits {seat}"}).status == 303

    def _asked(self, place: str, form: dict[str, object] | None = None) -> Answer:
        self.turn += 1
        server = self.servers[self.turn % len(self.servers)]
        headers = {"Cookie": self.cookie}
        return ask(server.address, f"/s/{self.token}{place}", form, headers)

    def post(self, place: str, form: dict[str, object]) -> Answer:
        return self._sure(lambda: self._asked(place, form))

    def get(self, place: str) -> Answer:
        return self._sure(lambda: self._asked(place))

    @staticmethod
    def _sure(asked: Callable[[], Answer]) -> Answer:
        """The answer, requested again while it gets lost or the server is too busy."""
        pause, give_up, last = Event(), monotonic() + PATIENCE, "no answer"
        while monotonic() < give_up:
            try:
                answer = asked()
            except (OSError, HTTPException) as error:
                last = repr(error)
            else:
                if answer.status != BUSY:
                    return answer
                last = answer.text
            pause.wait(0.05)
        raise AssertionError(last)

    def enters(self, deal: int, number: int, points: int, lost: bool) -> None:
        """Send a figure, again with the same key if the answer is `lost`, and see it is in."""
        form = {
            "seat_of": self.player,
            "deal": deal,
            "action": "deal",
            "key": f"{number}-{self.seat}",
        }
        form[f"points.{self.seat}"] = points
        for _ in range(1 + lost):
            answer = self.post("/seat/hand", form)
            assert answer.status == 303, answer.text

    def waits(self, deal: int) -> str:
        """What a poll of a page that waits for the deal gets."""
        return self.get(f"/seat/felt?player={self.player}&deal={deal}").text


@pytest.fixture(params=[1, 2], ids=["one worker", "two workers"])
def servers(
    request: pytest.FixtureRequest, tmp_path: Path, book_address: str
) -> Iterator[list[Server]]:
    """Servers of the same book: one, or one with two workers."""
    more = ["--database", book_address] if book_address else []
    one = Server(tmp_path, "--workers", str(request.param), "--name", "", *more)
    yield [one]
    one.stop()


def test_each_deal_is_recorded_once(
    servers: list[Server], tmp_path: Path, book_address: str
) -> None:
    """Five phones, answers that get lost, and kills after some of the figures were acknowledged."""
    chance = random.Random(SEED)
    (server,) = servers
    begun = ask(server.address, "/new/plain-score", {"name": FIVE, "dealer": "0", "target": "0"})
    assert begun.status == 303, begun.text
    token = first_in(ask(server.address, f"{begun.leads_to}/share?code=play").text, LINK)
    seats = [Seated(servers, token, seat) for seat in range(5)]
    paper, deal = list[dict[str, int]](), 0
    with ThreadPoolExecutor(5) as together:
        for number in range(DEALS):
            points = {name: chance.randint(1, 99) for name in FIVE}
            paper.append(points)
            first = chance.sample(range(5), chance.randint(0, 4)) if number % 3 == 0 else []
            for seat in first:
                seats[seat].enters(deal, number, points[FIVE[seat]], chance.random() < 0.3)
            if number % 3 == 0:
                server.kill()
                server.start()
                for seat in first:
                    assert "Yours is in" in seats[seat].waits(deal), f"lost in deal {number}"
            rest = [
                together.submit(
                    seats[seat].enters, deal, number, points[FIVE[seat]], chance.random() < 0.3
                )
                for seat in chance.sample(range(5), 5)
                if seat not in first
            ]
            if number % 3 == 1:
                Event().wait(chance.random() * 0.05)  # in the middle of it
                server.kill()
                server.start()
            for one in rest:
                one.result()
            seats[0].waits(deal)  # its server may have been killed before it recorded the deal
            assert len(recorded(server, token)) == number + 1
            deal = number + 1
    with closing(Ledger(book_address or tmp_path / DATABASE)) as ledger:
        assert audit(ledger).faults == ()
    assert recorded(server, token) == paper


def recorded(server: Server | Proxy, token: str) -> list[dict[str, int]]:
    """The points of each deal on the sheet."""
    file = json.loads(ask(server.address, f"/s/{token}/sheet.json").text)
    return [entry["points"] for entry in file["entries"]]
