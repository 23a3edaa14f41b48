"""What a play link must not be able to do, it can't, whatever its phone sends."""

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.extras.seats.test_gathering import ANN_OUT, Table, out, tricks
from tests.support.books import contents
from tests.support.every_route import FORMS, SAFE, probes, send_probes
from tests.support.phone import begin, first_in, words

FOUR = ["Ann", "Ben", "Cy", "Dot"]
#: Forms with which a seat would do what only its own hand may, for itself or for somebody else.
SAYS = (
    {"action": "out", "player": "Ben", "red_nine": "false"},
    {"action": "out", "player": " Ben ", "red_nine": "false"},
    {"action": "out", "hands.1.plain": "3"},
    {"action": "aces", "player": "Ben"},
    {"action": "aces", "player": " Ben "},
    {"action": "adjust", "player": "Cy", "points": "50", "reason": "luck"},
    {"action": "leave", "player": "Cy"},
    {"action": "leave", "player": "Ben "},
    {"action": "dealer", "player": "Cy"},
    {"action": "join", "player": "Eve", "left_of": "Cy"},
    {"action": "replace", "player": "Cy", "by": "Eve"},
    {"action": "abandon"},
    {"action": "abandon", "player": "Cy"},
    {"action": "stop", "player": "Cy", "reason": "tired"},
)


@pytest.fixture
def table(client: FlaskClient) -> Table:
    return Table(client, "red-nines-1881", FOUR)


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", FOUR[:3])


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """The app's database."""
    return tmp_path / "referee.sqlite"


def test_a_play_link_only_sits(app: Flask, table: Table, database: Path) -> None:
    """By no route does it write on the sheet, change a link, or learn of one that may do more."""
    cy, before = table["Cy"], contents(database)
    secrets = (table.host.token, table.host.link("score"))
    forms = (*FORMS, *({**form, "after": "0", "deal": "0", "seat_of": "Cy"} for form in SAYS))
    sent = (probe for probe in probes(app, cy.token, only="token") if probe.path != "/")
    for probe, answer in send_probes(cy.client, sent, forms):
        assert answer.status_code < 500, (probe, answer.status_code)
        told = f"{answer.headers}{answer.data!r}"
        assert not [secret for secret in secrets if secret in told], probe
        if probe.method not in SAFE and "/seat/" not in probe.path:
            assert answer.status_code in (400, 403, 404, 405, 422), (probe, answer.status_code)
    after = contents(database)
    changed = {name for name in after if after[name] != before[name]}
    assert changed <= {"seat_moves", "sqlite_sequence"}


@pytest.mark.parametrize("says", SAYS, ids=str)
def test_a_seat_says_only_what_its_player_may(table: Table, says: dict[str, str]) -> None:
    """Nothing of another, no adjustment, nobody’s coming or going: not even once all are in."""
    table["Cy"].enter(says)
    assert table.entries == []
    table["Ann"].enter(ANN_OUT)
    table["Ben"].enter(out(1, "2"))
    table["Dot"].enter(out(3, "1"))
    table["Cy"].enter(out(2, "1"))
    (entry,) = table.entries
    assert (entry["action"], entry["player"]) == ("out", "Ann")
    assert entry["hands"]["Ben"]["plain"] == 2


def test_a_seat_of_another_phone_takes_nothing(table: Table, database: Path) -> None:
    """Named in the form or in the address; and nothing of one’s own goes by mistake."""
    before = contents(database)["seat_moves"]
    for place in ("hand", "playing", "stands", "undo", "objects", "leave"):
        form = {"seat_of": "Ben", "deal": 0, **out(1, "3")}
        assert table["Cy"].post(f"/seat/{place}", form).status_code == 409, place
    assert table["Cy"].post("/seat/now", {}).status_code == 403
    assert table["Cy"].post("/seat/hand?seat_of=Ben", {"deal": 0}).status_code in (409, 422)
    assert contents(database)["seat_moves"] == before
    page = table["Cy"].get("/seat?player=Ben").text
    assert "hands.1" not in page
    assert "hands.2.plain" in page


def test_a_view_link_has_no_seat(app: Flask, table: Table, database: Path) -> None:
    viewer, before = table.host.other("view"), contents(database)
    viewer.client = table["Cy"].client  # even on the phone of somebody seated
    found = [one for one in probes(app, viewer.token, only="token") if "/seat" in one.path]
    assert len(found) > 50
    for probe, answer in send_probes(
        viewer.client, found, (*FORMS, {"player": "Cy", "seat_of": "Cy"})
    ):
        if probe.method in ("GET", "POST"):
            assert answer.status_code in (403, 405), (probe, answer.status_code)
    assert contents(database) == before


def test_a_renewed_play_link_ends_its_seats(table: Table) -> None:
    """The former phone has none by the new link either, nor by one that scores."""
    table["Cy"].enter(out(2, "1"))
    table.host.post("/links", {"role": "play"})
    cy = table["Cy"]
    assert cy.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **out(2, "3")}).status_code == 404
    cy.token = table.host.link("play")
    answer = cy.post("/seat/hand", {"seat_of": "Cy", "deal": 0, **out(2, "3")})
    assert answer.status_code == 409
    assert cy.post("/seat/take", {"player": "Cy"}).status_code == 303


def test_boards_show_at_once_that_a_renewed_link_ended_its_seats(
    client: FlaskClient, table: Table
) -> None:
    """Else whoever keeps score goes on waiting for phones that have been turned away."""
    table["Ann"].enter(ANN_OUT)
    assert "counting…" in table.host.get("").text
    tag = table.host.get("/board").headers["HX-PTag"]
    table.host.post("/links", {"role": "play"})
    board = table.host.get("/board", **{"HX-PTag": tag})
    assert board.status_code == 200
    assert ("counting…" in board.text, "no phone" in board.text) == (False, True)


def test_renewing_a_link_shows_nothing_of_seats_at_a_table_without_any(client: FlaskClient) -> None:
    host = begin(client, "red-nines-1881", ["Ann", "Ben", "Cy", "Dot"])
    tag = host.get("/board").headers["HX-PTag"]
    host.post("/links", {"role": "play"})
    assert host.get("/board").headers["HX-PTag"] == tag


def test_whoever_keeps_score_without_a_seat_has_everybody_enter_theirs(table: Table) -> None:
    assert table.host.post("/seat/now", {}).status_code == 303
    assert "0 of 4 are in" in words(table["Cy"].get())


def test_a_late_tap_does_not_hold_the_next_deal(three: Table) -> None:
    """*Still playing* was meant for the deal that has been recorded since."""
    for seat, player in enumerate(FOUR[:3]):
        three[player].enter(tricks(seat, (9, 5, 2)[seat]))
    three["Ben"].enter({}, do="playing")
    three["Ann"].enter(tricks(0, 9), deal=1)
    page = words(three["Cy"].get())
    assert "1 of 3 are in" in page
    assert "still playing" not in page


def test_a_phone_without_a_seat_is_told_to_take_one(three: Table) -> None:
    """Without script it is offered to take a deal back, as the page is alike for all phones."""
    for seat, (player, number) in enumerate({"Ann": 9, "Ben": 5, "Cy": 2}.items()):
        three[player].enter(tricks(seat, number))
    watcher = three.host.other("play")
    refused = watcher.press(
        first_in(watcher.get("?watch=yes").text, r"(?s)(<form[^>]*seat/undo.*?</form>)")
    )
    assert (refused.status_code, len(three.entries)) == (409, 1)
    assert "Your seat isn’t on this phone. Take it first." in words(refused)
