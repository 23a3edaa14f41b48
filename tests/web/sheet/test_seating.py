"""Players who join, leave, hand over or change names: previewed, recorded, corrected, undone."""

import json
import re
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.rules.registry import GAMES
from referee.sheets.files import read_sheet
from referee.sheets.sheet import as_file
from referee.web.context import state
from tests.support.phone import Phone, begin, words

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]
PAGES = ("", "/board", "/more", "/print", "/sheet.json", "/standings.csv", "/settings", "/share")

JOIN = {"action": "join", "player": "Zoe", "left_of": "Ann"}
LEAVE = {"action": "leave", "player": "Ben"}
REPLACE = {"action": "replace", "player": "Cat", "by": "Max"}
DEALER = {"action": "dealer", "player": "Ann"}
STOP = {"action": "stop", "reason": "the last train"}


def table(client: FlaskClient, slug: str) -> Phone:
    """A sheet of this game with one player more than it needs, if it seats more."""
    seats = GAMES[slug].seats(GAMES[slug].house_rules())
    return begin(client, slug, NAMES[: max(3, min(seats[0] + 1, seats[-1]))])


def look_everywhere(phone: Phone) -> None:
    """Check that every page of the sheet can be opened."""
    for page in PAGES:
        answer = phone.client.get(f"/s/{phone.token}{page}", follow_redirects=True)
        assert answer.status_code == 200, page


@pytest.mark.parametrize("slug", GAMES)
def test_pages_work_after_players_join_leave_and_hand_over(client: FlaskClient, slug: str) -> None:
    """Each such entry is previewed, recorded and undone."""
    phone = table(client, slug)
    may_grow = len(GAMES[slug].seats(GAMES[slug].house_rules())) > 1
    entries = [*([JOIN, LEAVE] if may_grow else []), REPLACE, DEALER, STOP]
    for seq, entry in enumerate(entries):
        assert 'class="faults"' not in phone.post("/preview", {"after": seq, **entry}).text
        answer = phone.record(entry, after=seq)
        assert answer.status_code == 303, answer.text
        look_everywhere(phone)
        assert phone.get(f"/entries/{seq + 1}").status_code == 200
        if GAMES[slug].has_counters:
            assert phone.get("/settle").status_code == 200
    assert "The game was stopped (the last train)" in phone.get("/log").text
    for seq in range(len(entries), 0, -1):
        undone = phone.post("/undo", {"after": 2 * len(entries) - seq})
        assert undone.status_code == 303, undone.text
        look_everywhere(phone)
    sheet = phone.file()
    assert sheet["entries"] == []
    assert len(sheet["history"]) == 2 * len(entries)


def test_a_refused_newcomer_stays_in_the_form(client: FlaskClient) -> None:
    """With the fault beside it."""
    phone = begin(client, "plain-score", NAMES[:3])
    answer = phone.record({**JOIN, "player": "ann"}, after=0)
    assert answer.status_code == 422
    assert "Two players are called “ann”." in answer.text
    assert re.search(r'id="new-player"[^>]* value="ann"', answer.text)


def test_a_correction_of_who_joined_is_shown_first(client: FlaskClient) -> None:
    """The form comes filled in; a name that later entries use can't be changed by it."""
    phone = begin(client, "plain-score", NAMES[:3])
    phone.record(JOIN, after=0)
    assert 'value="Zoe"' in phone.get("/entries/1").text
    shown = phone.post("/entries/1", {**JOIN, "points": "7", "after": 1, "why": "agreed"})
    assert re.search(r"Zoe’s total</th><td>0</td><td><b>7</b>", shown.text)
    deal = {"action": "deal", "points.0": 1, "points.1": 2, "points.2": 3, "points.3": 4}
    assert phone.record(deal, after=1).status_code == 303
    assert phone.file()["entries"][1]["points"] == {
        "Ann": 1, "Zoe": 2, "Ben": 3, "Cat": 4,
    }  # fmt: skip
    refused = phone.post("/entries/1", {**JOIN, "player": "Zoé", "after": 2, "why": ""})
    assert refused.status_code == 422
    assert "isn’t on this sheet" in refused.text


def renamed(phone: Phone, was: str, becomes: str) -> TestResponse:
    """Rename a player, past or present, in the form of the settings, and confirm it."""
    page = phone.get("/settings").text
    fields: dict[str, Any] = {"dealer": "0", "key": "once", "sure": "yes"}
    for old, new in (("was", "name"), ("came-as", "came")):
        fields[old] = re.findall(rf'name="{old}" value="(\w+)"', page)
        fields[new] = [becomes if name == was else name for name in fields[old]]
    return phone.post("/settings", {**fields, "after": len(phone.file()["history"])})


@pytest.mark.parametrize("slug", ["pink-nines", "plain-score", "multiple-9-holdem"])
@pytest.mark.parametrize("was", ["Zoe", "Ben", "Cat", "Max"])
def test_anybody_ever_seated_can_be_renamed(client: FlaskClient, slug: str, was: str) -> None:
    """A newcomer, one who left, one replaced, and the replacement: in all entries and pages."""
    phone = begin(client, slug, NAMES[:4])
    deals: dict[str, dict[str, Any]] = {
        "pink-nines": {"action": "out", "player": "Zoe"},
        "plain-score": {"action": "deal", **{f"points.{seat}": seat for seat in range(5)}},
        "multiple-9-holdem": {"action": "hand", "won.1": "4", "lost.2": "4"},
    }
    for row, entry in enumerate([JOIN, deals[slug], LEAVE, REPLACE, {**JOIN, "player": "Ida"}]):
        assert phone.record(entry, row).status_code == 303
    before = phone.file()
    assert renamed(phone, was, "Quin").status_code == 303
    after = phone.file()
    assert json.dumps(after["entries"]) == json.dumps(before["entries"]).replace(was, "Quin")
    assert after["players"] == ["Quin" if name == was else name for name in before["players"]]
    look_everywhere(phone)
    called = [*{"Ann", "Zoe", "Ben", "Dan", "Max", "Ida"} - {was}, *({"Quin"} - {"Cat"})]
    for page in ("", "/board", "/standings.csv", "/print?look=1"):
        shown = phone.client.get(f"/s/{phone.token}{page}", follow_redirects=True).text
        shown = re.sub(r"<option.*?</option>", "", shown)
        assert not re.search(rf"\b{was}\b", shown), page
        assert all(name in shown for name in called if was != "Cat" or name != "Quin"), page
    book = state(client.application).book
    link = book.import_sheet(read_sheet(phone.get("/sheet.json").data))
    assert as_file(book.open(link)) == after


def test_a_newcomers_new_name_is_checked(client: FlaskClient) -> None:
    """It can't be another player's; the same form sent twice is one change."""
    phone = begin(client, "plain-score", NAMES[:3])
    phone.record(JOIN, after=0)
    for wrong, said in (
        ("Ann", "Two players are called “Ann”."),
        ("bEN", "Two players are called “bEN”."),
        ("", "A name has 1 to 24 characters; “” has 0."),
    ):
        answer = renamed(phone, "Zoe", wrong)
        assert answer.status_code == 422
        assert said in answer.text
    assert renamed(phone, "Zoe", "Zoë").status_code == 303
    names: dict[str, Any] = {"was": NAMES[:3], "name": NAMES[:3]}
    again = {**names, "came-as": ["Zoe"], "came": ["Zoë"], "dealer": "0"}
    again |= {"after": 1, "key": "once", "sure": "yes"}
    assert phone.post("/settings", again).status_code == 303
    assert phone.post("/settings", {**again, "came": ["Zora"]}).status_code == 409
    stranger = {**again, "came-as": ["Yan"], "after": 2, "key": "k"}
    assert phone.post("/settings", stranger).status_code == 422
    assert len(phone.file()["history"]) == 2


DEAL = {"action": "deal", "points.0": 11, "points.1": 22, "points.2": 33}


@pytest.mark.parametrize(
    ("place", "sent"),
    [("/entries", DEAL), ("/entries/1", {**DEAL, "points.0": 44, "why": "misread", "sure": "1"})],
    ids=["an entry", "a correction"],
)
@pytest.mark.parametrize(
    "between",
    [
        {"name": ["Quin", "Ben", "Cat"], "was": NAMES[:3]},
        {"name": ["Cat", "Ann", "Ben"], "was": ["Cat", "Ann", "Ben"]},
        {"name": ["Ben", "Ann", "Cat"], "was": NAMES[:3]},
        JOIN,
        LEAVE,
        REPLACE,
    ],
    ids=["another name", "other seats", "names exchanged", "a newcomer", "one left", "a stand-in"],
)
def test_a_form_sent_again_counts_once_though_people_moved(
    client: FlaskClient, place: str, sent: dict[str, Any], between: dict[str, Any]
) -> None:
    """Its answer was lost; it is read with the names and seats of when it was first sent."""
    phone = begin(client, "plain-score", NAMES[:3])
    phone.record(DEAL, after=0)
    form = {"after": 1, "key": "lost", **sent}
    assert phone.post(place, form).status_code == 303
    rows = len(phone.file()["history"])
    seats = {"dealer": "0", "key": "seats", "sure": "yes"} if "name" in between else {}
    where = "/settings" if seats else "/entries"
    moved = phone.post(where, {"after": rows, "key": "moved", **between, **seats})
    assert moved.status_code == 303
    written = phone.file()
    assert phone.post(place, form).status_code == 303
    assert phone.file() == written
    other = phone.post(place, {**form, "points.2": 34})
    assert other.status_code == 409, "the same key, and another content"


def test_a_form_from_before_somebody_sat_down(client: FlaskClient) -> None:
    """It is refused, and comes back with each player's points in their new seat."""
    phone = begin(client, "plain-score", NAMES[:3])
    phone.record(JOIN, after=0)
    answer = phone.record(DEAL, after=0, key="late")
    assert answer.status_code == 409
    for seat, points in ((0, 11), (2, 22), (3, 33)):
        assert re.search(rf'name="points.{seat}"[^>]*value="{points}"', answer.text)
    assert not re.search(r'name="points.1"[^>]*value="[0-9]', answer.text)


def test_stopping_says_what_becomes_of_the_stakes(client: FlaskClient) -> None:
    """They stay in the pools, which are shared out; in other games there are none."""
    says = "shared out as at the end, stakes for this deal included"
    for slug, has_pools in (("red-nines-1881", True), ("red-nines", False)):
        phone = begin(client, slug, ["Ann", "Ben", "Cat", "Dan"])
        assert (says in words(phone.get("/more"))) == has_pools
