"""Random moves at random seats: a deal is recorded once, with what each player sent last.

Answers get lost, forms come twice, and servers are killed between a figure and the deal.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.extras.seats.book import SeatBook
from referee.settings import Settings
from referee.web.app import create_app
from tests.extras.seats.test_gathering import Table, tricks
from tests.support.campaign import usual_or_nightly
from tests.support.phone import begin

THREE = ["Ann", "Ben", "Cy"]
TRUE = dict(zip(THREE, (9, 5, 2), strict=True))
WHAT = ("enter", "enter", "enter", "enter, killed", "again", "playing", "stands", "changes",
        "looked", "look", "felt")  # fmt: skip
Move = tuple[str, str, int]
MOVES = st.lists(
    st.tuples(st.sampled_from(WHAT), st.sampled_from(THREE), st.sampled_from((2, 5, 9, 16))),
    max_size=14,
)


class Played:
    """A table whose phones send their figures, and what was acknowledged to each of them."""

    def __init__(self, folder: Path) -> None:
        self.client = create_app(Settings(instance=folder)).test_client()
        self.table = Table(self.client, "nine-five-two", THREE)
        self.recorded = list[dict[str, int]]()
        self.sent = dict[str, dict[str, object]]()
        self.figures, self.playing, self.changing = dict[str, int](), set[str](), set[str]()
        self.number = 0

    def make(self, what: str, player: str, number: int) -> None:
        seat, deal = self.table[player], len(self.recorded)
        if what.startswith("enter") or what in ("playing", "stands", "looked"):
            self.changing.discard(player)
        if what.startswith("enter"):
            self.number += 1
            own = tricks(THREE.index(player), number)
            form = {"seat_of": player, "deal": deal, "key": f"key {self.number}", **own}
            self.sent[player] = form
            self.figures[player] = number
            self.playing.discard(player)
            with pytest.MonkeyPatch.context() as killed:
                if what == "enter, killed":
                    killed.setattr(SeatBook, "settle", lambda *_: False)
                answer = seat.post("/seat/hand", form)
            assert answer.status_code == 303, answer.text
        elif what == "again" and player in self.sent:
            assert seat.post("/seat/hand", self.sent[player]).status_code == 303
        elif what == "playing":
            assert seat.post("/seat/playing", {"seat_of": player, "deal": deal}).status_code == 303
            self.figures.pop(player, None)
            self.playing.add(player)
        elif what in ("stands", "changes", "looked"):
            if what == "changes" and player in self.figures:
                self.changing.add(player)
            form = {"seat_of": player, "deal": deal}
            assert seat.post(f"/seat/{what}", form).status_code == 303
        else:
            place = f"/seat/felt?player={player}&deal={deal}" if what == "felt" else "/seat"
            assert seat.get(place).status_code in (200, 303)
        self.look()

    def look(self) -> None:
        """See that nothing is recorded but the figures that were sent last, once."""
        entries = [entry["tricks"] for entry in self.table.entries]
        if entries != self.recorded:
            assert not self.playing | self.changing
            assert entries == [*self.recorded, self.figures]
            self.recorded, self.figures = entries, {}


@settings(max_examples=usual_or_nightly(15, 400))
@given(MOVES)
def test_a_deal_is_what_each_player_sent_last(moves: list[Move]) -> None:
    with TemporaryDirectory() as folder:
        played = Played(Path(folder))
        for move in moves:
            played.make(*move)
        number = len(played.recorded)
        for player in THREE:
            played.make("enter", player, TRUE[player])
        assert number + 1 <= len(played.recorded) <= number + 2
        alone = begin(played.client, "nine-five-two", THREE)
        for after, deal in enumerate(played.recorded):
            fields = {f"tricks.{THREE.index(one)}": number for one, number in deal.items()}
            assert alone.record({"action": "tricks", **fields}, after).status_code == 303
        assert alone.file()["entries"] == played.table.host.file()["entries"]
        assert alone.totals() == played.table.host.totals()
