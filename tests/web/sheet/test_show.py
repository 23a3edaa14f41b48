"""What can be done on a sheet, and what cannot."""

import json
from collections.abc import Callable

import pytest
from flask.testing import FlaskClient

from referee.sheets.files import play_through, read_sheet, result
from tests.support.phone import PARTIAL, Phone, begin

TURN = {"action": "turn", "player": "Ben", "cards": "8 4 4 A A"}


def test_record_undo_and_export(host: Phone) -> None:
    """An entry counts until it is undone, and the file tells both."""
    assert host.record(TURN, after=0).status_code == 303
    file = json.loads(host.get("/sheet.json").data)
    assert file["entries"] == [TURN]
    assert host.post("/undo", {"after": 1, "key": "undo"}).status_code == 303
    file = json.loads(host.get("/sheet.json").data)
    assert file["entries"] == []
    assert [(past["kind"], past.get("target")) for past in file["history"]] == [
        ("play", None),
        ("void", 1),
    ]


def test_page_shows_what_the_file_scores(host: Phone) -> None:
    """The scores on the page are those of the exported sheet."""
    for after, winner in enumerate(["Ben", "Cat", "Ben"]):
        host.record({"action": "out", "player": winner}, after=after)
    sheet = read_sheet(host.get("/sheet.json").data)
    scores = result(play_through(sheet.game, sheet.table, sheet.entries))["scores"]
    assert scores == {"Ann": 0, "Ben": 2, "Cat": 1}
    standings = host.board().partition("Standings")[2]
    assert standings.index("Ben") < standings.index("Cat") < standings.index("Ann")


def test_refused_entry_is_kept_in_the_form(host: Phone) -> None:
    """Every fault is named with its rule, nothing is stored, and the form is as it was."""
    answer = host.record({"action": "turn", "player": "Ann", "cards": "6 3"}, after=0)
    assert answer.status_code == 422
    assert "It’s Ben’s turn, not Ann’s." in answer.text
    assert "is only allowed as your last play" in answer.text
    assert f"/rules/multiple-9?sheet={host.token}#discards" in answer.text
    assert 'value="6 3"' in answer.text
    assert "Nothing yet" in host.get().text


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"action": "whist"}, "doesn’t belong to this game"),
        ({"action": "turn"}, "Still missing: player"),
        ({"action": "turn", "player": "Zoe"}, "“Zoe” isn’t on this sheet"),
        ({"action": "turn", "player": "Ben", "cards": "11"}, "“11” isn’t a card in this game"),
        (
            {"action": "adjust", "player": "Ben", "points": "x", "reason": "y"},
            "isn’t a whole number",
        ),
        (
            {"action": "adjust", "player": "Ben", "points": "2", "reason": " "},
            "Still missing: reason",
        ),
        ({**TURN, "after": "soon"}, "which deals it has seen"),
        ({**TURN, "key": "k" * 99}, "key has 1 to 64"),
    ],
)
def test_unreadable_entries(host: Phone, fields: dict[str, str], said: str) -> None:
    """What cannot be read is said in words, on the page."""
    answer = host.record(fields, after=0)
    assert answer.status_code == 422
    assert said in answer.text.replace("&#39;", "'")
    assert "Nothing yet" in host.get().text


def test_numbers_may_be_sums(host: Phone) -> None:
    """A penalty may be typed as a sum, with any kind of minus sign."""
    for after, typed in enumerate(["1+1+2", "−3", "- 1"]):
        fields = {"action": "adjust", "player": "Ben", "points": typed, "reason": "agreed"}
        assert host.record(fields, after=after).status_code == 303
    points = [entry["points"] for entry in json.loads(host.get("/sheet.json").data)["entries"]]
    assert points == [4, -3, -1]


def test_same_key_is_one_entry(host: Phone) -> None:
    """A form that is sent twice counts once, and is answered the same."""
    first = host.record(TURN, after=0, key="once")
    second = host.record(TURN, after=0, key="once")
    assert (first.status_code, second.status_code) == (303, 303)
    assert len(json.loads(host.get("/sheet.json").data)["history"]) == 1


def test_two_phones_record_at_once(host: Phone, phone_with: Callable[[str], Phone]) -> None:
    """The second is shown what the first recorded, and keeps its own entry in the form."""
    other = phone_with("score")
    assert host.record({"action": "out", "player": "Cat"}, after=0).status_code == 303
    answer = other.record({"action": "turn", "player": "Ben", "cards": "9 9"}, after=0)
    assert answer.status_code == 409
    assert "Cat won the deal" in answer.text
    assert 'value="9 9"' in answer.text
    assert len(json.loads(host.get("/sheet.json").data)["history"]) == 1


def test_preview_says_what_would_happen(host: Phone) -> None:
    """Before it is saved, an entry says what it will do, and stores nothing."""
    answer = host.post("/preview", {"action": "out", "player": "Cat"})
    assert "Cat <b>+1</b>" in answer.text
    assert "won the deal" in answer.text
    assert "Nothing yet" in host.get().text
    refused = host.post("/preview", {"action": "turn", "player": "Ann"})
    assert "It’s Ben’s turn" in refused.text


def test_preview_announces_the_end(client: FlaskClient) -> None:
    """An entry that ends the game says so before it is saved."""
    host = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
    assert "Ann wins." in host.post("/preview", {"action": "out", "player": "Ann"}).text
    host.record({"action": "out", "player": "Ann"}, after=0)
    page = host.get().text
    assert "Ann wins" in page
    assert "Play again" in page
    assert "data-entry" not in page


def test_a_tap_without_script(host: Phone) -> None:
    """A key of the card pad works as a plain button: the form comes back with the card in it."""
    fields = {"action": "turn", "player": "Ben", "cards": "8 4", "tap": "cards:A"}
    answer = host.record(fields, after=0)
    assert answer.status_code == 200
    assert 'value="8 4 A"' in answer.text
    again = host.record({**fields, "cards": "8 4 A", "tap": "cards:back"}, after=0)
    assert 'value="8 4"' in again.text


def test_names_and_reasons_are_text(client: FlaskClient) -> None:
    """Whatever people call themselves, it is never markup."""
    wicked = "<script>alert(1)</script>"[:24]
    host = begin(client, "multiple-9", [wicked, "O'Neil & Söhne"])
    host.record(
        {"action": "adjust", "player": wicked, "points": 1, "reason": "<img src=x onerror=y>"},
        after=0,
    )
    for place in ("", "/board", "/more", "/share"):
        page = host.get(place).text
        assert "<script>alert" not in page
        assert "<img src=x" not in page
    assert "<script>alert" not in client.get("/").text


def test_home_remembers_sheets(host: Phone) -> None:
    """The sheets a phone has opened wait on its first page; names are offered again."""
    home = host.client.get("/").text
    assert f"/s/{host.token}" in home
    assert "Ann, Ben, and Cat" in home
    assert 'value="add:Ann"' in host.client.get("/new/multiple-9").text


def test_new_sheet_names_every_fault(client: FlaskClient) -> None:
    """A sheet that cannot begin says why, all of it, and keeps what was typed."""
    answer = client.post(
        "/new/multiple-9", data={"name": ["Ann", "ann ", "x" * 30], "target": "soon"}
    )
    assert answer.status_code == 422
    assert "Two players are called" in answer.text
    assert "A name has 1 to 24 characters" in answer.text
    assert "isn’t a whole number" in answer.text
    assert 'value="soon"' in answer.text


def test_new_sheet_buttons(client: FlaskClient) -> None:
    """Names are added, moved and given the deal by plain buttons; the dealer moves along."""
    sent = {"name": ["Ann", "Ben"], "dealer": "0"}
    moved = client.post("/new/multiple-9", data={**sent, "do": "down:0"}, headers=PARTIAL).text
    assert moved.index('value="Ben"') < moved.index('value="Ann"')
    added = client.post("/new/multiple-9", data={**sent, "do": "add:Cat"}).text
    assert 'value="Cat"' in added
    for wild in ("up:0", "down:9", "up:x", "row", "add:", "", "jump:1"):
        assert client.post("/new/multiple-9", data={**sent, "do": wild}).status_code == 200


def test_house_rules_reach_the_sheet(client: FlaskClient) -> None:
    """What is agreed when a sheet begins is what it plays by."""
    host = begin(client, "multiple-9", ["Ann", "Ben"], target="2", nine_out="cards")
    file = json.loads(host.get("/sheet.json").data)
    assert file["options"] == {"target": 2, "nine_out": "cards"}
    assert "a 9 or two cards only" in host.get("/more").text


def test_a_long_sheet(client: FlaskClient) -> None:
    """Its page has the latest sixty entries, and leads to all of them."""
    long = begin(client, "multiple-9", ["Ann", "Ben"], target="0")
    for seq in range(62):
        long.record({"action": "out", "player": "Ben"}, after=seq)
    page, whole = long.get().text, long.get("/log").text
    assert page.count('id="entry-') == 60
    assert 'id="entry-62"' in page
    assert "52 earlier" in page
    assert "Show all 62" in page
    assert whole.count('id="entry-') == 62
    assert "Everything so far" in whole
    assert f"/s/{long.token}/log" not in whole
    for seq in range(62, 123):
        assert long.post("/undo", {"after": seq, "key": f"undo-{seq}"}).status_code == 303
    page = long.get().text
    assert "61 removed" in page
    assert "Show all 61 removed" in page
    assert page.count("Bring it back") == 60
    assert long.get("/log").text.count("Bring it back") == 61
