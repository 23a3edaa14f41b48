"""Two phones at the same moment: what one sends is neither lost nor recorded twice.

Another thread, with a connection of its own, does all of its work in the middle of a request.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient

from referee.extras.seats.book import SeatBook
from referee.settings import Settings
from referee.sheets.book import Book
from referee.web.app import create_app
from tests.extras.seats.test_gathering import ANN_OUT, Seat, Table, out, tricks, undoes
from tests.support.phone import words

ON_EITHER_ENGINE = True
FIVE = ["Ann", "Ben", "Cy", "Dot", "Eve"]
RECORDED = [{"Ann": 9, "Ben": 5, "Cy": 2}]


@pytest.fixture
def three(client: FlaskClient) -> Table:
    """Ann and Ben are in; Cy’s 2 would complete the deal."""
    table = Table(client, "nine-five-two", ["Ann", "Ben", "Cy"])
    table["Ann"].enter(tricks(0, 9))
    table["Ben"].enter(tricks(1, 5))
    return table


#: Does some work in another thread, once, as soon as a method of a class is called.
Meanwhile = Callable[[type, str, Callable[[], object]], None]


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    def at(owner: type, method: str, work: Callable[[], object]) -> None:
        own = getattr(owner, method)

        def after_the_other(*given: Any) -> Any:
            monkeypatch.setattr(owner, method, own)
            with ThreadPoolExecutor(1) as other:
                other.submit(work).result()
            return own(*given)

        monkeypatch.setattr(owner, method, after_the_other)

    return at


def recorded(table: Table) -> list[dict[str, int]]:
    return [entry["tricks"] for entry in table.entries]


def change(seat: Seat, number: int) -> Any:
    return seat.post("/seat/hand", {"seat_of": seat.player, "deal": 0, **tricks(0, number)})


def test_a_figure_changed_while_the_deal_is_recorded_is_late(
    three: Table, meanwhile: Meanwhile
) -> None:
    """Cy’s figure comes in, and records the deal, just before Ann’s change is noted."""
    meanwhile(SeatBook, "note", lambda: three["Cy"].enter(tricks(2, 2)))
    late = change(three["Ann"], 10)
    assert late.status_code == 409
    assert "It was recorded before yours came in." in words(late)
    assert recorded(three) == RECORDED
    told = three["Ben"].get("").text.partition("Everyone’s hand")[2]
    assert 'class="huge">9<' in told
    assert 'class="huge">10<' not in told


def test_the_figure_that_was_recorded_at_this_moment_is_not_late(
    three: Table, meanwhile: Meanwhile
) -> None:
    meanwhile(SeatBook, "note", lambda: three["Cy"].enter(tricks(2, 2)))
    assert change(three["Ann"], 9).status_code == 303
    assert recorded(three) == RECORDED


def test_a_figure_for_the_next_deal_while_the_last_is_taken_back(
    three: Table, meanwhile: Meanwhile
) -> None:
    """It was for a deal that there isn’t anymore: Ann looks again. All others stay in."""
    three["Cy"].enter(tricks(2, 2))
    meanwhile(SeatBook, "note", lambda: undoes(three))
    said = three["Ann"].enter(tricks(0, 10), deal=1)
    assert "Something was undone since you opened this page." in said
    assert "Already recorded" not in said
    assert "3 of 3 are in" in words(three.host.get())


def test_no_figure_is_recorded_that_was_just_changed(three: Table, meanwhile: Meanwhile) -> None:
    """Ann’s change, which contradicts the others, comes in just before Cy’s phone records them."""
    meanwhile(Book, "record_all", lambda: change(three["Ann"], 10))
    three["Cy"].enter(tricks(2, 2))
    assert recorded(three) == []
    assert "Count yours again" in three["Ann"].says()
    three["Ann"].enter(tricks(0, 9))
    assert recorded(three) == RECORDED


def test_a_player_still_playing_at_this_moment_is_waited_for(
    three: Table, meanwhile: Meanwhile
) -> None:
    still_playing = {"seat_of": "Ben", "deal": 0}
    meanwhile(Book, "record_all", lambda: three["Ben"].post("/seat/playing", still_playing))
    three["Cy"].enter(tricks(2, 2))
    assert recorded(three) == []
    three["Ben"].enter(tricks(1, 5))
    assert recorded(three) == RECORDED


def test_a_players_own_figure_counts_against_a_scorekeepers_of_this_moment(
    client: FlaskClient, meanwhile: Meanwhile
) -> None:
    table = Table(client, "nine-five-two", ["Ann", "Ben", "Cy"])
    table["Ann"].enter(tricks(0, 9))
    meanwhile(SeatBook, "note", lambda: table["Cy"].enter(tricks(2, 3)))
    table.host.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **tricks(2, 2)})
    table["Ben"].enter(tricks(1, 4))
    assert recorded(table) == [{"Ann": 9, "Ben": 4, "Cy": 3}]


def test_two_who_complete_it_at_once_record_it_once(three: Table, meanwhile: Meanwhile) -> None:
    """Each phone has the deal together when the other one records it."""
    meanwhile(Book, "record_all", lambda: three["Ben"].get("/seat/felt?player=Ben&deal=0"))
    answer = three["Cy"].enter(tricks(2, 2))
    assert answer.startswith("/s/"), answer
    assert recorded(three) == RECORDED


def test_two_who_go_out_at_once_are_both_asked(client: FlaskClient, meanwhile: Meanwhile) -> None:
    """Neither phone had heard of the other; the hand of whoever takes it back is due."""
    table = Table(client, "red-nines-1881", FIVE[:4])
    ben_too = {**ANN_OUT, "player": "Ben"}
    meanwhile(SeatBook, "note", lambda: table["Ben"].enter(ben_too))
    table["Ann"].enter(ANN_OUT)
    for player in ("Ann", "Ben"):
        said = table[player].says()
        assert "Only one of Ben and Ann can have ended it." in said
        assert "Is yours right?" in said
    pad = table["Cy"].says()
    assert "went out" not in pad.replace("I went out", "")
    table["Cy"].enter(out(2, "2"))
    table["Dot"].enter(out(3, "1"))
    assert "Yours is in" in table["Cy"].says()
    assert table.entries == []
    table["Ben"].enter(out(1, "3"))
    assert table.entries[0]["player"] == "Ann"


def test_two_who_end_it_in_different_ways_at_once_both_stand_by_it(
    client: FlaskClient, meanwhile: Meanwhile
) -> None:
    """A scorekeeper decides; no board says that either was right before."""
    table = Table(client, "9-of-a-kind", FIVE, chicken="true")
    call = {"action": "end", "call": "yes"}
    chicken = {"callers": "Ben", "by": "chicken", "hands.1.deadwood": "3", "hands.1.kept": "7"}
    meanwhile(SeatBook, "note", lambda: table["Ben"].enter({**call, **chicken}))
    table["Ann"].enter({**call, "callers": "Ann", "by": "nine"})
    for seat in (2, 3, 4):
        table[FIVE[seat]].enter({"action": "end", f"hands.{seat}.deadwood": "9"})
    for player in ("Ann", "Ben"):
        said = table[player].says()
        assert "Ben and Ann disagree about how it ended." in said
        table[player].post("/seat/stands", {"seat_of": player})
    board = words(table.host.board())
    assert "5 of 5 are in" in board
    assert "Ben and Ann disagree about how it ended." in board
    assert "“9 of a kind!”" not in board
    table.changes("Ben", {"action": "end", "hands.1.deadwood": "3"})
    assert table.entries[0]["callers"] == ["Ann"]


def test_phones_on_two_workers_are_at_one_table(
    three: Table, tmp_path: Path, book_address: str
) -> None:
    """Each process of the server has its own copy of the sheet in memory."""
    worker = create_app(Settings(instance=tmp_path, database=book_address))
    cy = three["Cy"]
    cy.goes_to(worker)
    assert "2 of 3 are in" in words(cy.get())
    cy.enter(tricks(2, 2))
    assert three["Ann"].get("/seat/felt?player=Ann&deal=0").headers["HX-Redirect"]
    assert recorded(three) == RECORDED
    three["Ann"].enter(tricks(0, 4), deal=1)
    cy.enter(tricks(2, 4), deal=1)
    three["Ben"].enter(tricks(1, 8), deal=1)
    assert recorded(three) == [*RECORDED, {"Ann": 4, "Ben": 8, "Cy": 4}]
    assert cy.get("").text.count("data-row") == three["Ben"].get("").text.count("data-row")
