"""A club with more games than are counted at once: its pages and sheets until all are."""

import re
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.extras.clubs import counts
from referee.extras.clubs.counts import Counts, Progress
from referee.extras.clubs.games import PlayedGame
from referee.extras.clubs.pages.context import club_state
from referee.settings import Settings
from referee.web.app import create_app
from referee.web.context import state
from tests.extras.clubs.web.conftest import PAGES, ClubPhone, at, colors, put, without_keys
from tests.support.phone import Phone, begin, words
from tests.support.until import until

ON_EITHER_ENGINE = True

BY_SEAT = {"Ben": "1", "Ann": "2"}
BY_CLUB = {"Ben": "2", "Ann": "1"}


@pytest.fixture
def start_again(
    client: FlaskClient, tmp_path: Path, book_address: str, monkeypatch: pytest.MonkeyPatch
) -> Callable[[], None]:
    """A function that starts the program again: it has counted nothing, and five games are many."""

    def start() -> None:
        monkeypatch.setattr(counts, "AT_ONCE", 5)
        monkeypatch.setattr(counts, "STEP", 5)
        client.application = create_app(Settings(instance=tmp_path, database=book_address))

    return start


@pytest.fixture
def six(app: Flask, club: ClubPhone) -> ClubPhone:
    """A club with six games, all won by Ann."""
    put(app, club, [at(2026, "Ann", "Ben")] * 6)
    return club


def played_in(club: ClubPhone) -> Phone:
    """A sheet of the club on which Ben has the first seat."""
    host = begin(club.client, "pink-nines", ["Ben", "Ann"], club=club.token)
    host.record({"action": "out", "player": "Ann"}, 0)
    return host


def counted(club: ClubPhone) -> int:
    """How many games the club's page says are counted."""
    found = re.search(r"Counting the games: (\d+) of 12\.", words(club.get()))
    assert found
    return int(found[1])


def test_a_large_club_is_counted_while_others_play(
    app: Flask, club: ClubPhone, start_again: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pages show the progress and load automatically; nobody waits; all is counted once."""
    games = [at(2026, "Ann", "Ben"), at(2026, "Ben", "Ann", "Cat"), at(2025, "Cat", "Ann")]
    put(app, club, games * 4)
    merge = {"name": "Cat", "other": "Kate", "key": "m"}
    assert club.post("/merge", **merge).status_code == 303
    right = [without_keys(club.get(place).text) for place in PAGES]
    game, go_on, asked = Counts.game, Event(), list[int]()

    def slowly(self: Counts, sheet: int, mark: str) -> PlayedGame | None:
        asked.append(sheet)
        assert len(asked) < 6 or go_on.wait(30)
        return game(self, sheet, mark)

    monkeypatch.setattr(Counts, "game", slowly)
    start_again()
    until(lambda: counted(club) == 5)
    assert club.get().headers["Refresh"] == "2"
    for place in (*PAGES, "/settle", "/room", "/player?who=ann"):
        assert "Counting the games: 5 of 12." in words(club.get(place)), place
    assert club.client.get(f"/new/multiple-9?club={club.token}").status_code == 200
    assert club.client.get("/clubs").status_code == 200
    go_on.set()
    until(lambda: "Refresh" not in club.get().headers)
    assert [without_keys(club.get(place).text) for place in PAGES] == right
    assert len(asked) == 12, "once each"


def test_a_club_that_cannot_be_counted_says_so(
    six: ClubPhone, start_again: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instead of loading for ever; its sheets go on, and whoever comes next has it tried again."""
    host = begin(six.client, "pink-nines", ["Ben", "Ann"], club=six.token)
    tries = list[int]()

    def fails(_: Counts, sheet: int, __: str) -> PlayedGame | None:
        tries.append(sheet)
        raise ZeroDivisionError

    def other_page() -> TestResponse | None:
        page = six.get()
        return page if page.status_code != 200 else None

    with monkeypatch.context() as broken:
        broken.setattr(Counts, "game", fails)
        start_again()
        page = until(other_page)
        assert (page.status_code, "Refresh" in page.headers) == (500, False)
        assert len(tries) == 1
        six.get()
        until(lambda: len(tries) == 2)
        assert host.get().status_code == 200
        assert len(tries) == 2, "not again and again for its sheets"
    until(lambda: (page := six.get()).status_code == 200 and "Refresh" not in page.headers)
    assert "Ann" in words(six.get())


def test_a_sheet_of_a_large_club_has_its_colors_once_that_is_counted(
    six: ClubPhone, start_again: Callable[[], None]
) -> None:
    """After a start, though nothing is written and nobody opens the club."""
    host = played_in(six)
    start_again()
    assert colors(host) == BY_SEAT
    until(lambda: colors(host) == BY_CLUB)


def test_the_sheets_of_a_large_club_have_it_counted_again_if_that_failed(
    six: ClubPhone,
    start_again: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Once, as when the disk was busy; nobody has to open the club."""
    first, second = played_in(six), played_in(six)
    monkeypatch.setattr(counts, "TRIED_AGAIN", 0)
    game, tries = Counts.game, list[int]()

    def fails_once(self: Counts, sheet: int, mark: str) -> PlayedGame | None:
        tries.append(sheet)
        if len(tries) == 1:
            raise ZeroDivisionError
        return game(self, sheet, mark)

    monkeypatch.setattr(Counts, "game", fails_once)
    start_again()
    assert colors(first) == BY_SEAT
    until(lambda: "can't be counted" in caplog.text)
    until(lambda: colors(second) == BY_CLUB)
    assert colors(first) == BY_CLUB


def test_two_who_see_a_failed_count_begin_one_new_count(
    six: ClubPhone, start_again: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second, who looked at the same moment, doesn't forget the count that the first began."""
    begun, go_on = list[int](), Event()

    def fails(_: Counts, sheet: int, __: str) -> PlayedGame | None:
        begun.append(sheet)
        assert len(begun) == 1 or go_on.wait(30)
        raise ZeroDivisionError

    def failure() -> Progress | None:
        found = clubs.counts._in_background(opened)
        return found if found and found.failed else None

    monkeypatch.setattr(Counts, "game", fails)
    start_again()
    app = six.client.application
    link, clubs = state(app).ledger.link(six.token), club_state(app).clubs
    assert link
    opened = clubs.open(link)
    failed = until(failure)
    with pytest.raises(ZeroDivisionError):
        clubs.counts.progress(opened)
    second = clubs.counts.progress(opened)
    with monkeypatch.context() as before:
        before.setattr(clubs.counts, "_in_background", lambda _: failed)
        with pytest.raises(ZeroDivisionError):
            clubs.counts.progress(opened)
    assert second
    assert clubs.counts.progress(opened) is second
    go_on.set()
