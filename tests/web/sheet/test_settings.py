"""Changing a running sheet: names, seats, house rules, notes, its title, phones’ names."""

import re
from collections.abc import Mapping

import pytest
from flask.testing import FlaskClient

from referee.rules.core.ruling import MalformedEntry
from referee.sheets.files import read_sheet, sheet_from
from tests.support.phone import PARTIAL, Phone, begin, first_in, words

SETTINGS = {"was": ["Ann", "Ben", "Cat"], "name": ["Ann", "Ben", "Cat"], "dealer": "0"}


@pytest.fixture
def phone(client: FlaskClient) -> Phone:
    host = begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    for after, tricks in enumerate([(11, 4, 1), (2, 11, 3)]):
        fields = {f"tricks.{seat}": won for seat, won in enumerate(tricks)}
        assert host.record({"action": "tricks", **fields}, after).status_code == 303
    return host


def test_a_new_name_applies_to_earlier_entries(phone: Phone) -> None:
    """The history keeps the old one as it was written."""
    fields = {**SETTINGS, "name": ["Anna", "Ben", "Ann"]}
    shown = phone.post("/settings", fields)
    assert "is now called" in shown.text
    assert phone.press(shown.text, sure="yes").status_code == 303
    after = phone.file()
    assert after["players"] == ["Anna", "Ben", "Ann"]
    assert after["entries"][0]["tricks"] == {"Anna": 11, "Ben": 4, "Ann": 1}
    assert after["history"][0]["entry"]["tricks"] == {"Ann": 11, "Ben": 4, "Cat": 1}
    page = phone.get("/entries/1").text
    assert 'value="11"' in page
    more = phone.record({"action": "trick", "winner": "Anna"}, 3)
    assert more.status_code == 303


def test_a_renaming_sent_again_counts_once(phone: Phone) -> None:
    """As when the answer was lost; another change by an outdated form is refused."""
    fields = {**SETTINGS, "name": ["Anna", "Ben", "Cat"], "after": 2, "key": "anna", "sure": "1"}
    assert [phone.post("/settings", fields).status_code for _ in range(2)] == [303, 303]
    assert len(phone.file()["history"]) == 3
    refused = phone.post("/settings", {**fields, "name": ["Anja", "Ben", "Cat"], "key": "anja"})
    assert refused.status_code == 409
    assert "Not changed: something else was entered first." in refused.text
    del fields["dealer"]
    assert phone.post("/settings", {**fields, "key": "late"}).status_code in (409, 422)


def test_other_seats_change_who_dealt(phone: Phone) -> None:
    """In Nine Five Two that changes the targets, and the totals are shown before."""
    moved = phone.post("/settings", {**SETTINGS, "do": "down:1"}).text
    assert moved.index('value="Cat"') < moved.index('value="Ben"')
    fields = {**SETTINGS, "was": ["Ann", "Cat", "Ben"], "name": ["Ann", "Cat", "Ben"]}
    shown = phone.post("/settings", fields)
    assert "Ben’s total" in shown.text
    assert phone.press(shown.text, sure="yes").status_code == 303
    assert phone.file()["players"] == ["Ann", "Cat", "Ben"]


def test_other_seats_alone_change_no_total(client: FlaskClient) -> None:
    """Players keep their points when they change seats."""
    host = begin(client, "multiple-9", ["Ann", "Ben"], target=9)
    host.record({"action": "out", "player": "Ann"}, 0)
    fields = {"was": ["Ben", "Ann"], "name": ["Ben", "Ann"], "dealer": "1", "target": "9"}
    shown = host.post("/settings", fields)
    assert shown.status_code == 200
    assert "’s total" not in shown.text


def test_house_rules_can_change_unless_a_played_deal_would_break_them(phone: Phone) -> None:
    """A lower target must not have ended the game before its last deal."""
    fields = {**SETTINGS, "target": "1"}
    refused = phone.post("/settings", fields)
    assert refused.status_code == 422
    assert "Deal 2 would then break a rule" in refused.text
    shown = phone.post("/settings", {**SETTINGS, "target": "3"})
    assert "won by" not in shown.text
    assert phone.press(shown.text, sure="yes").status_code == 303
    assert phone.file()["options"] == {"target": 3}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({**SETTINGS}, "Nothing would change."),
        ({**SETTINGS, "name": ["Ann", "Ann", "Cat"]}, "Two players are called"),
        ({**SETTINGS, "name": ["Ann", "", "Cat"]}, "1 to 24 characters"),
        ({**SETTINGS, "was": ["Ann", "Ben", "Zoe"]}, "aren’t those on the sheet"),
        ({**SETTINGS, "name": ["Ann", "Ben"]}, "aren’t those on the sheet"),
        ({**SETTINGS, "target": "many"}, "isn’t a whole number"),
        ({}, "aren’t those on the sheet"),
    ],
)
def test_wrong_settings_are_refused(phone: Phone, fields: Mapping[str, object], said: str) -> None:
    """With the reason, and nothing is stored."""
    answer = phone.post("/settings", fields)
    assert answer.status_code == 422
    assert said in answer.text
    assert len(phone.file()["history"]) == 2


DEAL = {"action": "deal", "points.0": 3, "points.1": 1}


def write(host: Phone, place: str, text: str) -> int:
    """Send the form of this page; returns the status."""
    page = host.get(place).text
    fields = dict(re.findall(r'type="hidden" name="(after|key)" value="([^"]+)"', page))
    return host.post(place, fields | {"text": text}).status_code


@pytest.fixture
def yahtzee(client: FlaskClient) -> Phone:
    """A sheet of Any Other Game that has a name, and one deal."""
    host = begin(client, "plain-score", ["Ann", "Ben"], title="Yahtzee")
    assert host.record(DEAL, after=1).status_code == 303
    return host


def test_any_other_game_is_called_by_its_title(yahtzee: Phone) -> None:
    """On every page, on paper, and in the names of files."""
    view = yahtzee.link("view")
    for place in ("", "/more", "/share", "/log", "/deals/2"):
        assert "Yahtzee" in yahtzee.get(place).text, place
    assert "Yahtzee" in yahtzee.client.get(f"/s/{view}/print").text
    assert "<b>Yahtzee</b>" in yahtzee.client.get("/?all=1&q=yahtzee").text
    file = yahtzee.get("/sheet.json")
    assert "yahtzee" in file.headers["Content-Disposition"]
    assert "yahtzee" in yahtzee.get("/standings.csv").headers["Content-Disposition"]
    assert set(file.json or {}) == {
        *("referee", "game", "players", "dealer", "options", "entries", "history")
    }
    assert read_sheet(file.data).history


def test_the_title_can_be_changed_and_is_kept_for_the_next_sheet(yahtzee: Phone) -> None:
    """Or removed."""
    assert write(yahtzee, "/title", "Kniffel") == 303
    assert "Kniffel" in yahtzee.get().text
    again = yahtzee.post("/again", {"seen": "0", "key": "next"})
    assert "Kniffel" in yahtzee.client.get(again.headers["Location"]).text
    assert write(yahtzee, "/title", "") == 303
    assert "<h1>Any Other Game</h1>" in yahtzee.get().text


def test_a_note_on_a_deal(yahtzee: Phone) -> None:
    """It shows in its row, in the log and on paper; it can be changed and removed."""
    scores = yahtzee.get("/standings.csv").data
    assert "has a note" not in yahtzee.get().text
    assert "empty to delete" not in yahtzee.get("/notes/2").text, "where there is none"
    for note in ("Ann had a fever", "It was Ben"):
        assert write(yahtzee, "/notes/2", note) == 303
        view = yahtzee.link("view")
        for page in ("/deals/2", "/log"):
            assert note in yahtzee.get(page).text, page
        assert yahtzee.get().text.count(">, has a note<") == 1, "a mark in its row"
        assert "Leave it empty to delete it." in yahtzee.get("/notes/2").text
        assert note in yahtzee.client.get(f"/s/{view}/print").text
    assert "Ann had a fever" not in yahtzee.get("/log").text
    assert write(yahtzee, "/notes/2", "") == 303
    assert "It was Ben" not in yahtzee.get("/log").text
    assert yahtzee.get("/standings.csv").data == scores
    assert "Deal 1: Ann +3" in words(yahtzee.get()), "what was recorded last can still be undone"


def test_a_note_on_the_sheet_is_in_the_log(yahtzee: Phone) -> None:
    """One for the whole sheet."""
    assert write(yahtzee, "/note", "At the lake") == 303
    assert "At the lake" in yahtzee.get("/log").text


def test_impossible_notes_and_titles_are_refused(yahtzee: Phone, client: FlaskClient) -> None:
    """Too long, invisible, on a missing deal, by a viewer; a title for a game with a name."""
    assert write(yahtzee, "/note", "x" * 201) == 422
    assert write(yahtzee, "/note", "a\u202eb") == 422
    assert yahtzee.get("/notes/1").status_code == 404
    assert Phone(client, yahtzee.link("view")).get("/note").status_code == 403
    assert begin(client, "pink-nines", ["Ann", "Ben"]).get("/title").status_code == 404


OUT = {"action": "out", "player": "Ann"}


def recorded(phone: Phone, seq: int) -> str:
    """The line on the deal's page that says when and by whom it was recorded."""
    return first_in(phone.get(f"/deals/{seq}").text, r"<li>(Recorded [^<]+)</li>")


def test_entries_say_which_phone_made_them(host: Phone) -> None:
    """Each row keeps the name that the phone had then: entries, corrections and undos."""
    other = host.other("score")
    host.record(OUT, 0)
    assert " by " not in recorded(host, 1)
    named = other.post("/phone", {"phone": " Küche, Zoë’s „alte“ 📱 "})
    assert named.status_code == 303
    assert "This phone is called Küche, Zoë’s „alte“ 📱" in other.get("/more").text
    other.record(OUT, 1)
    assert recorded(host, 2).endswith(" by Küche, Zoë’s „alte“ 📱")
    other.post("/entries/1/void", {"sure": "yes", "after": 2, "key": "v", "why": "twice"})
    assert "by Küche, Zoë’s „alte“ 📱: twice" in host.get().text
    other.post("/phone", {"phone": ""})
    other.post("/undo", {"after": 3})
    history = host.file()["history"]
    assert [row.get("by") for row in history] == [None, *["Küche, Zoë’s „alte“ 📱"] * 2, None]
    assert "Name this phone" in other.get("/more").text


def test_a_conflict_names_the_other_phone(host: Phone) -> None:
    """The refused form says which phone was faster."""
    other = host.other("score")
    other.post("/phone", {"phone": "Kitchen phone"})
    other.record(OUT, 0)
    answer = host.record(OUT, 0)
    assert answer.status_code == 409
    assert "(recorded by Kitchen phone)" in answer.text


@pytest.mark.parametrize(
    ("name", "said"),
    [("x" * 25, "1 to 24 characters"), ("a\nb", "invisible"), ("a\u202eb", "invisible")],
    ids=["long", "line break", "direction"],
)
def test_an_invalid_phone_name_is_refused(host: Phone, name: str, said: str) -> None:
    """The page says what is wrong, and the phone stays without a name."""
    for headers in ({}, PARTIAL):
        answer = host.post("/phone", {"phone": name}, **headers)
        assert answer.status_code == 422
        assert said in answer.text
    assert "Name this phone" in host.get("/more").text


def test_a_forged_name_cookie_is_ignored(host: Phone) -> None:
    """An invalid name doesn't get onto the sheet that way, either."""
    host.client.set_cookie("phone", "x" * 4000)
    assert host.record(OUT, 0).status_code == 303
    assert "by" not in host.file()["history"][0]


@pytest.mark.parametrize("by", ["x" * 25, "a\nb", " ", 7, ["a"]])
def test_a_history_with_an_impossible_name_is_refused(host: Phone, by: object) -> None:
    """A file cannot bring in a name that no phone could have."""
    host.record(OUT, 0)
    file = host.file()
    file["history"][0]["by"] = by
    with pytest.raises(MalformedEntry):
        sheet_from(file)


def test_a_viewers_phone_has_no_name(host: Phone) -> None:
    """Only phones that write are asked for one."""
    viewer = host.other("view")
    assert "Name this phone" not in viewer.get("/more").text
    assert viewer.post("/phone", {"phone": "Spy"}).status_code == 403
    assert 'id="waiting"' not in viewer.get().text
