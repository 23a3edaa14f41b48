"""Games move from one club to another: what that changes, what was paid, and the way back."""

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.file import read_club
from referee.extras.clubs.members import Clubs
from referee.extras.clubs.moving import Moving
from referee.extras.clubs.pages.context import club_state
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Ledger, Link, new_token
from referee.rules.text import say
from referee.sheets.hosting import Trash
from referee.web.context import state
from tests.extras.clubs.web.conftest import ClubPhone, begin_club, move, send
from tests.extras.clubs.web.test_settling import owed, tap
from tests.support.phone import Phone, begin, first_in, words

ON_EITHER_ENGINE = True
PAGES = ("", "/chart", "/games", "/head-to-head", "/records", "/people", "/settle")


@pytest.fixture
def kitchen(client: FlaskClient) -> ClubPhone:
    """Another club of the same phone."""
    return begin_club(client, "Kitchen club")


def pink(client: FlaskClient, club: str, *players: str, day: str = "") -> Phone:
    """A game that brings the first of these people a counter of each of the others."""
    if day:
        state(client.application).book.now = lambda: f"{day}T20:00:00+00:00"
    host = begin(client, "pink-nines", list(players), club=club, deals="1")
    assert host.record({"action": "out", "player": players[0]}, 0).status_code == 303
    return host


def then(sheet: Phone, winner: str, key: str = "next") -> Phone:
    """The next game of the evening, won by this player."""
    place = re.search(r'name="seen" value="(\d+)"', sheet.get().text)
    following = sheet.again(int(place[1]) if place else 0, key)
    assert following.record({"action": "out", "player": winner}, 0).status_code == 303
    return following


def shown(*clubs: ClubPhone) -> list[str]:
    """All that the pages of these clubs say."""
    return [words(club.get(place)) for club in clubs for place in PAGES]


def undo(sheet: Phone) -> None:
    """Tap Undo on the page of a sheet’s club."""
    assert send(sheet.client, sheet.get("/club"), "Undo").status_code == 303


def test_one_game_can_move_without_its_evening(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Both choices are offered, with the number of games."""
    first = pink(club.client, club.token, "Ann", "Ben")
    second = then(first, "Ann")
    page = words(second.get(f"/club?club={kitchen.token}"))
    assert "This game only Pink Nines · Ann wins" in page
    assert "All 2 of this evening" in page
    assert "1 game comes into Kitchen club It will have 1 finished game. Ann leads." in page
    assert "1 game leaves Thursday table Ann will have 1 win there instead of 2." in page
    assert "Ben still owes Ann 1 counter will be settled in Kitchen club" in page
    assert "Nothing has moved yet." in page
    before = shown(club, kitchen)
    assert move(second, kitchen.token).status_code == 303
    assert owed(club.get()) == owed(kitchen.get()) == ["Ben pays Ann 1 counter"]
    assert "counts in Kitchen club" in words(second.get("/club"))
    assert "counts in Thursday table" in words(first.get("/club"))
    undo(second)
    assert shown(club, kitchen) == before


def test_a_whole_evening_can_move_and_be_moved_back(club: ClubPhone, kitchen: ClubPhone) -> None:
    """By one Undo, on the page of any of its sheets."""
    first = pink(club.client, club.token, "Ann", "Ben")
    last = then(then(first, "Ben"), "Ann", "third")
    before = shown(club, kitchen)
    page = words(last.get(f"/club?club={kitchen.token}&all=yes"))
    assert "3 games come into Kitchen club It will have 3 finished games. Ann leads." in page
    assert "3 games leave Thursday table Ann will have 0 wins there instead of 2." in page
    assert "Count all 3 in Kitchen club" in page
    assert move(last, kitchen.token, evening=True).status_code == 303
    assert "There are none." in words(club.get("/games"))
    assert "3 games" in words(kitchen.get("/games"))
    undo(first)
    assert shown(club, kitchen) == before


def test_a_game_stays_settled_where_it_was_paid_for(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Before and after, nobody owes anything in either club."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    assert tap(club, "", "Paid").status_code == 303
    before = shown(club, kitchen)
    page = words(sheet.get(f"/club?club={kitchen.token}"))
    assert "1 game was paid for in Thursday table It stays paid, wherever it counts." in page
    assert "still owes" not in page
    assert move(sheet, kitchen.token).status_code == 303
    assert owed(club.get()) == owed(kitchen.get()) == []
    assert "✓ Ann paid Ben 1 counter" in words(club.get())
    assert "paid" not in words(kitchen.get())
    settling = club.get("/settle")
    assert "Ben +1 Ann −1" in words(settling)
    assert not re.findall(r'href="([^"]+)"[^>]*><b>', settling.text), "no games are left to show"
    undo(sheet)
    assert shown(club, kitchen) == before


def test_a_payment_for_several_games_covers_each(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Whichever of them moves, nobody owes anything; an unpaid debt moves with its game."""
    first = pink(club.client, club.token, "Ann", "Ben", "Cat")
    second = then(first, "Ben")
    then(second, "Cat", "third")
    assert owed(club.get()) == []
    assert move(second, kitchen.token).status_code == 303
    assert sorted(owed(kitchen.get())) == ["Ann pays Ben 1 counter", "Cat pays Ben 1 counter"]
    undo(second)
    assert owed(club.get()) == []
    fourth = then(second, "Cat", "fourth")
    for _ in range(2):
        tap(club, "", "Paid")
    assert owed(club.get()) == []
    before = shown(club, kitchen)
    for sheet in (first, second, fourth):
        assert move(sheet, kitchen.token).status_code == 303
        assert owed(club.get()) == owed(kitchen.get()) == [], sheet
        undo(sheet)
        assert shown(club, kitchen) == before


def test_an_unpaid_debt_is_due_in_one_club_only(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Of two days one was paid; the other's game is due where it counts."""
    first = pink(club.client, club.token, "Ann", "Ben", day="2026-03-05")
    second = pink(club.client, club.token, "Ann", "Ben", day="2026-03-06")
    tap(club, "/settle?from=2026-03-05&to=2026-03-05", "Paid")
    before = shown(club, kitchen)
    assert owed(club.get()) == ["Ben pays Ann 1 counter"]
    assert move(first, kitchen.token).status_code == 303
    assert owed(kitchen.get()) == []
    assert owed(club.get()) == ["Ben pays Ann 1 counter"]
    assert move(second, kitchen.token).status_code == 303
    assert owed(kitchen.get()) == ["Ben pays Ann 1 counter"]
    assert owed(club.get()) == []
    undo(second)
    undo(first)
    assert shown(club, kitchen) == before


def test_a_payment_before_a_game_came_is_not_for_it(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Nor what was paid after it left: a debt goes with its game, in and out, and back."""
    pink(club.client, club.token, "Ben", "Ann")
    tap(club, "", "Paid")
    sheet = pink(kitchen.client, kitchen.token, "Cat", "Dan")
    before = shown(club, kitchen)
    assert move(sheet, club.token).status_code == 303
    assert owed(club.get()) == ["Dan pays Cat 1 counter"]
    assert owed(kitchen.get()) == []
    undo(sheet)
    assert shown(club, kitchen) == before
    assert owed(kitchen.get()) == ["Dan pays Cat 1 counter"]
    assert move(sheet, club.token).status_code == 303
    assert move(sheet, kitchen.token).status_code == 303
    pink(club.client, club.token, "Ann", "Ben")
    tap(club, "", "Paid")
    assert owed(club.get()) == []
    assert owed(kitchen.get()) == ["Dan pays Cat 1 counter"]


def test_a_game_that_is_taken_out_stays_settled(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Wherever it counts later, nobody is asked to pay for it."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    tap(club, "", "Paid")
    before = shown(club, kitchen)
    assert "no club asks for it" not in words(sheet.get("/club?club=out"))
    assert move(sheet, "out").status_code == 303
    assert owed(club.get()) == []
    assert move(sheet, kitchen.token).status_code == 303
    assert owed(club.get()) == owed(kitchen.get()) == []
    undo(sheet)
    undo(sheet)
    assert shown(club, kitchen) == before
    assert move(sheet, "out").status_code == 303
    assert move(sheet, club.token).status_code == 303
    assert shown(club, kitchen) == before


def test_a_game_in_the_trash_stays_settled(club: ClubPhone) -> None:
    """Nobody is asked to pay meanwhile; restored, all is as before."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    tap(club, "", "Paid")
    before = shown(club)
    sheet.post("/trash", {})
    assert owed(club.get()) == []
    sheet.post("/trash/out", {})
    assert shown(club) == before
    move(sheet, "out")
    sheet.post("/trash", {})
    sheet.post("/trash/out", {})
    assert "counts in no club" in words(sheet.get("/club"))


def test_a_game_that_can_not_be_trashed_stays_in_its_club(
    app: Flask, club: ClubPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sent once more it goes there, and nothing that fails then brings it back to the club."""
    sheet = pink(club.client, club.token, "Ann", "Ben")
    tap(club, "", "Paid")

    def full(*_: object) -> None:
        raise UnavailableError(say("The disk is full."))

    kept = Clubs(state(app).ledger)
    (number,) = kept.sheets(1)
    for is_there in (True, False):
        with monkeypatch.context() as during:
            during.setattr(Trash, "put", full)
            assert sheet.post("/trash", {}).status_code == 503
        assert (number in kept.of([number])) == is_there
        assert sheet.post("/trash", {}).status_code == 303


@pytest.mark.parametrize("where", ["another club", "no club", "the trash"])
def test_a_clubs_file_has_what_settles_it_without_the_games_that_left(
    club: ClubPhone, kitchen: ClubPhone, where: str
) -> None:
    """Imported again, nobody owes what they have paid, and remaining debts are due once."""
    sheet = pink(club.client, club.token, "Ben", "Ann", "Cat")
    tap(club, "", "Paid")
    left = owed(club.get("/settle"))
    assert len(left) == 1
    if where == "the trash":
        assert sheet.post("/trash", {}).status_code == 303
    else:
        assert move(sheet, kitchen.token if where == "another club" else "out").status_code == 303
    assert owed(club.get("/settle")) == left
    assert owed(kitchen.get("/settle")) == []
    clubs, ledger = club_state(club.client.application).clubs, state(club.client.application).ledger
    for one in (club, kitchen):
        host = ledger.link(one.token)
        assert host
        lines = list(clubs.in_lines(host.document))
        again = ClubPhone(club.client, clubs.import_club(read_club(b"\n".join(lines))).token)
        assert owed(again.get("/settle")) == owed(one.get("/settle"))
        assert [words(again.get(place)) for place in ("/head-to-head", "/records")] == [
            words(one.get(place)) for place in ("/head-to-head", "/records")
        ]
    assert not list(clubs.faults())


def test_a_payment_between_a_move_and_its_undo_counts(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Nobody is asked again; the remaining debt stays where it was."""
    first = pink(club.client, club.token, "Ben", "Ann", "Cat")
    assert move(first, kitchen.token).status_code == 303
    assert tap(kitchen, "", "Paid").status_code == 303
    left = owed(kitchen.get())
    assert len(left) == 1
    undo(first)
    assert owed(club.get()) == []
    assert owed(kitchen.get()) == left
    assert tap(kitchen, "", "Paid").status_code == 303
    assert owed(club.get()) == owed(kitchen.get()) == []


def test_a_payment_voided_before_an_undo_stays_voided(club: ClubPhone, kitchen: ClubPhone) -> None:
    """The debt is due where the game is, and nowhere else."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    tap(club, "", "Paid")
    move(sheet, kitchen.token)
    assert tap(club, "", "Undo").status_code == 303
    assert owed(club.get()) == []
    assert owed(kitchen.get()) == ["Ann pays Ben 1 counter"]
    undo(sheet)
    assert owed(club.get()) == ["Ann pays Ben 1 counter"]
    assert owed(kitchen.get()) == []
    assert "✓" not in words(club.get())


def test_undo_leaves_games_that_were_moved_again(
    club: ClubPhone, kitchen: ClubPhone, client: FlaskClient
) -> None:
    """All others return; undoing twice is the same as once."""
    attic = begin_club(client, "Attic club")
    first = pink(client, club.token, "Ann", "Ben")
    second = then(first, "Ann")
    for _ in range(2):
        tap(club, "", "Paid") if owed(club.get()) else None
    move(first, kitchen.token, evening=True)
    page = first.get("/club")
    move(second, attic.token)
    for _ in range(2):
        assert send(client, page, "Undo").status_code == 303
        assert [words(one.get("/games"))[:7] for one in (club, kitchen, attic)]
        counts = [
            len(re.findall("Ann won", words(one.get("/games")))) for one in (club, kitchen, attic)
        ]
        assert counts == [1, 0, 1]
        assert owed(club.get()) == owed(kitchen.get()) == owed(attic.get()) == []


def test_a_move_whose_effect_changed_is_shown_again(club: ClubPhone, kitchen: ClubPhone) -> None:
    """As when another phone was faster, or if it was not shown before."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    page = sheet.get(f"/club?club={kitchen.token}")
    tap(club, "", "Paid")
    late = send(sheet.client, page, "Count")
    assert late.status_code == 409
    assert "1 game was paid for in Thursday table" in words(late)
    assert sheet.post("/club", {"club": kitchen.token}).status_code == 409
    assert owed(club.get()) == []
    assert send(sheet.client, late, "Count").status_code == 303
    assert send(sheet.client, late, "Count").status_code == 303, "the answer was lost"
    assert owed(kitchen.get()) == []


def test_two_hosts_move_one_evening_at_once(
    app: Flask, club: ClubPhone, kitchen: ClubPhone, client: FlaskClient
) -> None:
    """To two clubs: one wins, the other host learns of it; no game is in two, and no debt."""
    attic = begin_club(client, "Attic club")
    first = pink(client, club.token, "Ben", "Ann", "Cat")
    last = then(first, "Cat")
    tap(club, "", "Paid")
    left = owed(club.get())
    pages = [last.get(f"/club?club={one.token}&all=yes") for one in (kitchen, attic)]
    gate = Barrier(2, timeout=30)

    def sent(which: int) -> int:
        phone = app.test_client()
        for cookie in ("sheets", "list"):
            if known := client.get_cookie(cookie):
                phone.set_cookie(cookie, known.value)
        gate.wait()
        return send(phone, pages[which], "Count").status_code

    with ThreadPoolExecutor(2) as pool:
        assert sorted(pool.map(sent, range(2))) == [303, 409]
    counts = [len(re.findall("won", words(one.get("/games")))) for one in (club, kitchen, attic)]
    assert sorted(counts) == [0, 0, 2]
    assert owed(club.get()) == left
    assert owed(kitchen.get()) == owed(attic.get()) == []


def test_the_host_of_a_club_can_take_out_any_game(app: Flask, club: ClubPhone) -> None:
    """Also another host's, or one whose links were renewed; with Undo."""
    first = begin(club.client, "plain-score", ["Ann", "Ben"], club=club.token, deals="1")
    first.record({"action": "deal", "points.0": 5, "points.1": 1}, 0)
    other = first.other("score").again()
    other.record({"action": "deal", "points.0": 999_999, "points.1": 1}, 0)
    assert "999,999" in words(club.get("/records"))
    number = state(app).ledger.link(other.token).document  # type: ignore[union-attr]
    seen = Phone(club.client, club.get(f"/sheets/{number}").headers["Location"].rsplit("/", 1)[1])
    assert f"/c/{club.token}/sheets/{number}/out" in seen.get("/club").text
    for role in ("view", "score"):
        other.post("/links", {"role": role})
    away = club.get(f"/sheets/{number}")
    assert away.headers["Location"] == f"/c/{club.token}/sheets/{number}/out"
    page = club.client.get(away.headers["Location"])
    assert "Highest deal" in words(page)
    assert "Ann’s 999,999 moves with the game, and the record is Ann’s then, with 5." in words(page)
    for phone in (club.other("view"), club.other("score")):
        assert phone.get(f"/sheets/{number}/out").status_code == 403
        assert phone.post(f"/sheets/{number}/out").status_code == 403
    assert send(club.client, page, "Take it out").status_code == 303
    assert "999,999" not in words(club.get("/records"))
    again = other.again(2, "another")
    assert (
        again.record({"action": "deal", "points.0": 999_998, "points.1": 1}, 0).status_code == 303
    )
    assert "999,99" not in words(club.get("/records"))
    out = club.get(f"/sheets/{number}/out")
    assert "no longer counts in Thursday table" in words(out)
    assert send(club.client, out, "Undo").status_code == 303
    assert "999,999" in words(club.get("/records"))
    assert club.get("/sheets/999/out").status_code == 404


def test_only_hosts_of_a_sheet_can_move_it(app: Flask, club: ClubPhone, kitchen: ClubPhone) -> None:
    """By a valid link, to a club where they keep score."""
    first = pink(club.client, club.token, "Ann", "Ben")
    stranger = app.test_client()
    theirs = begin_club(stranger, "Theirs")
    for token, into, status in (
        (first.link("view"), theirs.token, 403),
        (first.link("score"), theirs.token, 403),
        (first.token, kitchen.other("view").token, 404),
        (first.token, "nothing", 404),
    ):
        assert stranger.post(f"/s/{token}/club", data={"club": into}).status_code == status
    old = kitchen.other("score").token
    page = first.get(f"/club?club={kitchen.token}")
    kitchen.post("/links", role="score")
    assert first.post("/club", {"club": old}).status_code == 404
    assert send(club.client, page, "Count").status_code == 303
    move_of = re.search(r'name="move" value="([^"]+)"', first.get("/club").text)
    assert move_of is not None
    scorer = first.other("score")
    assert scorer.post("/club/undo", {"move": move_of[1]}).status_code == 403
    assert first.post("/club/undo", {"move": "nothing"}).status_code == 303
    assert owed(kitchen.get()) == ["Ben pays Ann 1 counter"]
    club.post("/trash")
    undo(first)
    club.post("/trash/out")
    assert owed(club.get()) == ["Ben pays Ann 1 counter"]


def test_only_ones_own_games_of_an_evening_move(
    app: Flask, club: ClubPhone, kitchen: ClubPhone
) -> None:
    """The page says which: not other hosts’ games or those in the trash."""
    first = pink(club.client, club.token, "Ann", "Ben")
    second = then(first, "Ben")
    other = Phone(app.test_client(), second.link("score")).again(2, "other")
    other.record({"action": "out", "player": "Ann"}, 0)
    page = words(first.get(f"/club?club={kitchen.token}&all=yes"))
    assert "The 2 of this evening that you host" in page
    second.post("/trash", {})
    assert "of this evening" not in words(first.get(f"/club?club={kitchen.token}"))
    second.post("/trash/out", {})
    assert move(first, kitchen.token, evening=True).status_code == 303
    assert "1 game" in words(club.get("/games"))


def test_a_viewer_of_a_club_cannot_reach_a_game_that_left_it(
    app: Flask, club: ClubPhone, kitchen: ClubPhone
) -> None:
    """Not through the evening, with or without cookies; players of that game can."""
    first = pink(club.client, club.token, "Ann", "Ben")
    second = then(first, "Ben")
    third = then(second, "Ben", "third")
    at_table = second.other("view")
    at_table.get()
    viewer, scorer = club.other("view"), club.other("score")
    tokens = {one: [one.get(f"/sheets/{place}") for place in (3,)] for one in (viewer, scorer)}
    for one, (answer,) in tokens.items():
        one.client.get(answer.headers["Location"])
    assert move(second, "out").status_code == 303
    assert move(third, kitchen.token).status_code == 303
    looks = app.test_client()
    for phone in (viewer.client, scorer.client, looks):
        page = phone.get(first.evening())
        assert "2 sheets aren’t shown or counted here." in words(page)
        for sheet in (second, third):
            for role in ("view", "score"):
                assert sheet.link(role) not in page.text
    for phone in (at_table.client, club.client):
        assert "shown or counted here" not in words(phone.get(first.evening()))
    undo(second)
    undo(third)
    assert "shown or counted here" not in words(viewer.client.get(first.evening()))


def test_an_evening_that_moved_as_a_whole_can_still_be_opened(
    app: Flask, club: ClubPhone, kitchen: ClubPhone
) -> None:
    """By anybody with its link."""
    first = pink(club.client, club.token, "Ann", "Ben")
    then(first, "Ben")
    move(first, kitchen.token, evening=True)
    page = app.test_client().get(first.evening())
    assert "shown or counted here" not in words(page)


def test_an_evening_that_was_taken_out_stays_settled(club: ClubPhone, kitchen: ClubPhone) -> None:
    """Once, whether its games return to a club together or one by one."""
    first = pink(club.client, club.token, "Ben", "Ann")
    second = then(first, "Ben")
    tap(club, "", "Paid")
    before = shown(club, kitchen)
    assert move(second, "out", evening=True).status_code == 303
    assert move(second, kitchen.token, evening=True).status_code == 303
    assert owed(kitchen.get()) == owed(club.get()) == []
    undo(second)
    assert move(second, kitchen.token).status_code == 303
    assert move(first, kitchen.token).status_code == 303
    assert owed(kitchen.get()) == owed(club.get()) == []
    undo(first)
    undo(second)
    undo(second)
    assert shown(club, kitchen) == before
    assert move(second, "out", evening=True).status_code == 303
    assert move(first, kitchen.token).status_code == 303
    undo(second)
    assert owed(kitchen.get()) == owed(club.get()) == []


def test_undo_trashes_a_club_that_was_begun_for_the_games(club: ClubPhone) -> None:
    """Unless it has others by now."""
    first = pink(club.client, club.token, "Ann", "Ben")
    last = then(first, "Ben")
    for other in (False, True):
        answer = move(last, "new", evening=True, name="Kitchen club")
        page = club.client.get(answer.headers["Location"])
        assert "These 2 games count in Kitchen club" in words(page)
        assert "Open Kitchen club" in words(page.text.partition('class="dock"')[2])
        if other:
            kitchen = first_in(last.get("/club").text, r'/c/([\w-]+)">Open it')
            more = pink(club.client, kitchen, "Ann", "Ben")
            assert more.post("/trash", {}).status_code == 303  # restored, it counts there again
        undo(last)
        assert words(club.client.get("/clubs")).count("Kitchen club in the trash") == 1


@pytest.mark.parametrize("with_a_game", [True, False])
def test_two_taps_at_once_begin_one_club(
    app: Flask, client: FlaskClient, monkeypatch: pytest.MonkeyPatch, *, with_a_game: bool
) -> None:
    """Without script a second tap sends the form again; both lead to the club, with its link."""
    sheet = begin(client, "plain-score", ["Ann", "Ben"])
    place = f"/s/{sheet.token}/club?club=new" if with_a_game else "/clubs"
    page, button = client.get(place), "Begin the club" if with_a_game else "Begin a club"
    both, begins = Barrier(2, timeout=20), ClubBook.begin

    def at_once(self: ClubBook, *what: str) -> Link:
        both.wait()
        return begins(self, *what)

    def tapped(_: int) -> TestResponse:
        phone = app.test_client()
        phone.set_cookie("sheets", sheet.token)
        return send(phone, page, button, name="Kitchen club")

    monkeypatch.setattr(ClubBook, "begin", at_once)
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(tapped, range(2)))
    assert [one.status_code for one in answers] == [303, 303]
    assert len({one.headers["Location"] for one in answers}) == 1
    assert len({one.headers["Set-Cookie"].partition(";")[0] for one in answers}) == 1
    (number,) = state(app).ledger.sheets("club")
    assert state(app).ledger.trashed(number) is None


def test_a_clubs_host_link_cannot_be_guessed(app: Flask) -> None:
    """Key and name of the form determine it, and a weak key gives none."""
    long, begun = new_token(), list[str]()
    for key, name in [
        ("1", "Ours"),
        ("1", "Ours"),
        (long, "Ours"),
        (long, "Theirs"),
        (long, "Ours"),
    ]:
        begun.append(begin_club(app.test_client(), name, key=key).token)
    assert begun[2] == begun[4]
    assert len(set(begun)) == 4


def test_a_club_begun_for_a_refused_move_is_trashed(
    club: ClubPhone, kitchen: ClubPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another phone moves the game meanwhile; the next tap begins the only new club."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    page, moves = sheet.get("/club?club=new"), Moving.move

    def late(self: Moving, *what: Any) -> str:
        monkeypatch.setattr(Moving, "move", moves)
        assert move(sheet, kitchen.token).status_code == 303
        return moves(self, *what)

    monkeypatch.setattr(Moving, "move", late)
    refused = send(sheet.client, page, "Begin the club", name="Attic club")
    assert refused.status_code == 409
    said = words(club.client.get("/clubs"))
    assert said.count("Attic club") == said.count("Attic club in the trash") == 1
    assert send(sheet.client, refused, "Begin the club", name="Attic club").status_code == 303
    said = words(club.client.get("/clubs"))
    assert said.count("Attic club") - said.count("Attic club in the trash") == 1


def test_a_club_begun_twice_by_one_form_is_one_and_stays_on_the_phone(client: FlaskClient) -> None:
    """Without script a second tap drops the first response, with its cookies."""
    host = begin(client, "pink-nines", ["Ann", "Ben"], deals="1")
    form = host.get("/club?club=new")
    before = dict(client._cookies or {})
    for _ in range(2):
        client._cookies = dict(before)  # as of a browser that has left before the answer
        assert send(client, form, "Begin the club", name="Kitchen club").status_code == 303
    assert words(client.get("/clubs")).count("Kitchen club") == 1
    assert "This game counts in Kitchen club . Open it" in words(host.get("/club"))


def test_nothing_is_noted_as_paid_for_a_game_that_has_just_left(
    club: ClubPhone, kitchen: ClubPhone
) -> None:
    """Another phone moves it while “Paid” is on the screen: the debt isn’t turned round."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    page = club.get()
    assert move(sheet, kitchen.token).status_code == 303
    late = send(club.client, page, "Paid")
    assert late.status_code == 409
    assert "See what’s still to pay, and tap again." in words(late)
    assert owed(club.get()) == []
    assert owed(kitchen.get()) == ["Ann pays Ben 1 counter"]
    undo(sheet)
    pink(club.client, club.token, "Cat", "Dan")
    for _ in range(2):
        assert send(club.client, page, "Paid").status_code == 303, "a game more is no matter"
    assert owed(club.get()) == ["Dan pays Cat 1 counter"]


def test_nothing_is_noted_as_paid_for_a_game_that_left_as_another_ended(
    club: ClubPhone, kitchen: ClubPhone
) -> None:
    """The club has as many games as were on the page, and another sum is due."""
    sheet = pink(club.client, club.token, "Ben", "Ann")
    page = club.get()
    assert move(sheet, kitchen.token).status_code == 303
    pink(club.client, club.token, "Cat", "Dan")
    assert send(club.client, page, "Paid").status_code == 409
    assert owed(club.get()) == ["Dan pays Cat 1 counter"]
    assert owed(kitchen.get()) == ["Ann pays Ben 1 counter"]


def test_nothing_is_noted_as_paid_for_a_game_that_leaves_at_this_moment(
    club: ClubPhone, kitchen: ClubPhone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nor for a day of the game: it moves after the club was read, before the note is written."""
    sheet = pink(club.client, club.token, "Ben", "Ann", day="2026-03-05")
    for place in ("", "/settle?from=2026-03-05"):
        page = club.get(place)
        append = Ledger.append

        def moved_first(*asked: Any, append: Any = append) -> Any:
            monkeypatch.setattr(Ledger, "append", append)
            assert move(sheet, kitchen.token).status_code == 303
            return append(*asked)

        monkeypatch.setattr(Ledger, "append", moved_first)
        assert send(club.client, page, "Paid").status_code == 409
        assert owed(club.get()) == []
        assert owed(kitchen.get()) == ["Ann pays Ben 1 counter"]
        undo(sheet)
        assert owed(club.get()) == ["Ann pays Ben 1 counter"]
