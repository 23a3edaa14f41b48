"""A phone is asked for its seat at once, and goes on to the next game in it."""

import re
from unittest.mock import Mock

import pytest
from flask.testing import FlaskClient

from referee.extras.seats.book import SeatBook
from referee.ledger.errors import UnavailableError
from referee.rules.text import say
from tests.extras.seats.test_gathering import ANN_OUT, Table, out
from tests.support.phone import Phone, first_in, words

FOUR = ["Ann", "Ben", "Cy", "Dot"]
SEATS = "Which seat is yours?"


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client, "red-nines-1881", FOUR)


def stopped(table: Table) -> None:
    """Stop the game after its first deal."""
    table["Ann"].enter(ANN_OUT)
    for seat, player in enumerate(FOUR[1:], start=1):
        table[player].enter(out(seat, "1"))
    answer = table.host.record({"action": "stop"}, after=len(table.host.file()["entries"]))
    assert answer.status_code == 303, answer.text


def lands(phone: Phone, place: str = "") -> str:
    """The words of the page to which this address of the sheet leads."""
    return words(phone.client.get(f"/s/{phone.token}{place}", follow_redirects=True))


def test_a_play_link_asks_for_the_seat_at_once(table: Table) -> None:
    """The first time, and on no other link; from there a plain link leads to the sheet."""
    guest = table.host.other("play")
    page = guest.client.get(f"/s/{guest.token}", follow_redirects=True).text
    assert SEATS in page
    watches = first_in(page, r'href="([^"]+)"[^>]*>\s*Just watch')
    assert SEATS not in words(
        Phone(guest.client, guest.token).get(watches.partition(guest.token)[2])
    )
    assert guest.get().status_code == 200
    for role in ("view", "score"):
        assert table.host.other(role).get().status_code == 200


def test_a_phone_without_cookies_reaches_the_sheet(table: Table) -> None:
    """It could not be seated, but it can look."""
    play = table.host.link("play")
    phone = table.host.client.application.test_client(use_cookies=False)
    page = phone.get(f"/s/{play}", follow_redirects=True).text
    watches = first_in(page, r'href="([^"]+)"[^>]*>\s*Just watch')
    assert phone.get(watches).status_code == 200


def test_the_offline_copy_of_a_sheet_is_the_sheet(table: Table) -> None:
    """The service worker asks for it, and nobody chooses a seat on it."""
    guest = table.host.other("play")
    assert guest.get(Purpose="prefetch").status_code == 200


def test_a_seated_phone_opens_the_sheet(table: Table) -> None:
    assert table["Cy"].get().status_code == 200


def test_guests_go_on_to_the_next_game_in_their_seats(table: Table) -> None:
    """With one tap; they are told on the sheet that is over, and begin none of their own."""
    stopped(table)
    cy = table["Cy"]
    before = cy.get("/board")
    assert "The next game appears here" in words(before)
    assert "New sheet" not in words(before)
    following = table.host.again()
    after = cy.get("/board")
    assert after.headers["HX-PTag"] != before.headers["HX-PTag"]
    onward = first_in(after.text, r'href="/s/[\w-]+(/next)"[^>]*>\s*On to the next game')
    answer = cy.get(onward)
    assert answer.status_code == 303
    there = Phone(cy.client, answer.headers["Location"].rsplit("/", 1)[1])
    assert there.token == following.link("play")
    assert there.get().status_code == 200
    assert "You’re Cy on this phone" in words(there.get("/seat/me"))


def test_the_host_keeps_the_seat_in_the_next_game(client: FlaskClient) -> None:
    table = Table(client, "red-nines-1881", FOUR)
    host = table.host
    assert host.post("/seat/take", {"player": "Ann", "sure": "yes"}).status_code == 303
    stopped_by = host.record({"action": "stop"}, after=0)
    assert stopped_by.status_code == 303
    following = host.again()
    assert "You’re Ann on this phone" in words(following.get("/seat/me"))
    assert 'id="me"' in following.get().text
    assert "keeps score" in lands(following.other("play"))


def test_somebody_who_plays_no_longer_has_no_seat(table: Table) -> None:
    """Nor has a phone that handed it back."""
    stopped(table)
    table["Dot"].post("/seat/leave", {"seat_of": "Dot"})
    following = table.host.again()
    assert re.search(r"I’m Dot", lands(following.other("play")))


def test_tapping_play_again_twice_seats_each_once(table: Table) -> None:
    stopped(table)
    following = table.host.again()
    table["Cy"].get("/next")
    there = Phone(table["Cy"].client, following.link("play"))
    there.post("/seat/leave", {"seat_of": "Cy"})
    table.host.again()
    assert "You’re Cy" not in words(there.get("/seat/me"))


def test_play_again_tapped_once_more_after_an_error_seats_everybody(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The error says that something is left to do; without it the guests would be forgotten."""
    stopped(table)
    with monkeypatch.context() as away:
        away.setattr(SeatBook, "note", Mock(side_effect=UnavailableError(say("busy"))))
        again = {"seen": "0", "key": "again"}
        assert table.host.post("/again", again).status_code == 503
    following = table.host.again()
    there = Phone(table["Cy"].client, following.link("play"))
    assert "You’re Cy on this phone" in words(there.get("/seat/me"))
