"""Buttons of a pad that record something with one tap: they are not the first thing to hand."""

import re

import pytest
from flask.testing import FlaskClient

from referee.extras.seats.book import SeatBook
from tests.extras.seats.test_changing import keys, taps
from tests.extras.seats.test_clash import THREE
from tests.extras.seats.test_gathering import Table
from tests.support.phone import first_in, words


@pytest.mark.parametrize("slug", ["pink-nines", "multiple-9"])
def test_whoever_did_not_go_out_has_a_key_that_records_nothing(
    client: FlaskClient, slug: str
) -> None:
    """Whoever keeps score has asked everybody: all phones have opened this page."""
    table = Table(client, slug, THREE)
    table.host.post("/seat/now", {"deal": 0})
    (leads_to,) = re.findall(
        r'<a class="go quiet" href="([^"]+)">Someone else</a>', table["Cy"].get("/seat").text
    )
    assert leads_to == f"/s/{table['Cy'].token}"
    assert "Someone else" not in words(table.host.get("/seat?player=Cy&change=yes"))


@pytest.mark.parametrize(
    ("slug", "question"), [("pink-nines", "Who went out first?"), ("multiple-9", "Who won?")]
)
def test_where_one_tap_ends_the_deal_nobody_counts(
    client: FlaskClient, slug: str, question: str
) -> None:
    """All phones have asked who it was, and everybody has tapped *Someone else*."""
    table = Table(client, slug, THREE)
    assert f"Referee {question} More" in words(table["Cy"].get())
    assert "Enter your own cards" not in words(table["Cy"].get("/seat?pick=yes"))
    table.host.post("/seat/now", {"deal": 0})
    for phone in (table.host, table["Cy"]):
        assert f"{question} Ann Ben Cy" in words(phone.get())


@pytest.mark.parametrize("slug", ["pink-nines", "multiple-9"])
def test_pads_without_anything_to_fill_in_lead_to_the_deal(client: FlaskClient, slug: str) -> None:
    """All are open once a scorekeeper has asked everybody; one tap ends the deal."""
    table = Table(client, slug, THREE)
    table.host.post("/seat/now", {"deal": 0})
    looks = first_in(table["Cy"].get("/seat").text, r'hx-get="/s/[\w-]+(/seat/open[^"]+)"')
    looks = looks.replace("&amp;", "&")
    assert "HX-Redirect" not in table["Cy"].get(looks).headers
    table["Ann"].enter({"action": "out", "player": "Ann"})
    assert len(table.entries) == 1
    assert table["Cy"].get(looks).headers["HX-Redirect"] == f"/s/{table['Cy'].token}"


@pytest.mark.parametrize("slug", ["pink-nines", "multiple-9"])
def test_a_pad_that_opens_by_itself_too_late_is_none_of_the_next_deal(
    client: FlaskClient, slug: str
) -> None:
    """A tap on it would end that deal, and the last one would not be seen."""
    table = Table(client, slug, THREE)
    table.host.post("/seat/now", {"deal": 0})
    enter = first_in(table["Cy"].get().text, r'data-enter="/s/[\w-]+([^"]+)"')
    assert "own-pad" in table["Cy"].get(enter).text
    table["Ann"].enter({"action": "out", "player": "Ann"})
    assert table["Cy"].get(enter).headers["Location"] == f"/s/{table['Cy'].token}"


def test_turn_by_turn_no_phone_says_who_won(client: FlaskClient) -> None:
    """The sheet knows how many cards each player holds."""
    table = Table(client, "multiple-9", THREE)
    assert "I won" in table["Cy"].says()
    turn = {"action": "turn", "player": "Ben", "drew": "true"}
    assert table.host.record(turn, after=0).status_code == 303
    assert "I won" not in table["Cy"].says()
    assert "Nothing to enter for you: whoever keeps score does that." in table["Cy"].says()


def test_red_aces_come_after_going_out(client: FlaskClient) -> None:
    """Their key is one of the form for the hand, and sends another."""
    table = Table(client, "red-nines-1881", THREE)
    page = table["Cy"].get("/seat").text
    assert words(page).index("I went out") < words(page).index("I played both red aces")
    assert words(page).index("I played both red aces") < words(page).index("How many cards")
    (form,) = [one for one in keys(page).values() if 'id="own-aces"' in one]
    sure = first_in(page, r'(?s)<details class="sure"><summary[^>]*>(.*?)</details>')
    assert 'form="own-aces"' in sure
    assert words(sure) == "I played both red aces Record the red aces"  # the first tap does nothing
    assert table["Cy"].press(form, player="Cy").status_code == 303
    assert table.entries == [{"action": "aces", "player": "Cy"}]
    assert "red aces" not in words(table["Ben"].get("/seat"))


@pytest.mark.parametrize(
    ("slug", "action", "key"),
    [
        ("red-nines-1881", "aces", "I played both red aces"),
        ("colorado-nines", "last", "Nine cards face up"),
        ("pink-nines", "out", "I went out first"),
        ("multiple-9", "out", "I won"),
    ],
)
def test_a_tap_that_came_too_late_is_told_why_above_its_key(
    client: FlaskClient, slug: str, action: str, key: str
) -> None:
    table = Table(client, slug, THREE)
    page = table["Cy"].get("/seat").text
    (form,) = [one for one in keys(page).values() if f'value="{action}"' in one]
    mark = first_in(page, r'name="after" value="([^"]+)"')
    fine = {"action": "adjust", "player": "Ben", "points": "-1", "reason": "late"}
    fine |= {"to": "Ann"} if slug in ("red-nines-1881", "pink-nines") else {}
    assert table.host.post("/entries", fine | {"after": mark, "key": "fine"}).status_code == 303
    late = table["Cy"].press(form, player="Cy")
    assert late.status_code == 422
    said = words(late)
    assert said.index("Something was recorded since you opened this page.") < said.index(key)


def test_a_note_on_the_sheet_outdates_no_key(client: FlaskClient) -> None:
    """Nor does it close the pad."""
    table = Table(client, "pink-nines", THREE)
    page = table["Cy"].get("/seat").text
    (form,) = [one for one in keys(page).values() if 'value="out"' in one]
    looks = first_in(page, r'hx-get="/s/[\w-]+(/seat/open[^"]+)"').replace("&amp;", "&")
    mark = first_in(page, r'name="after" value="([^"]+)"')
    note = {"about": "sheet", "text": "At Eve’s", "after": mark, "key": "note"}
    assert table.host.post("/note", note).status_code == 303
    assert "HX-Redirect" not in table["Cy"].get(looks).headers
    assert table["Cy"].press(form, player="Cy").status_code == 303
    assert [entry["player"] for entry in table.entries] == ["Cy"]


@pytest.mark.parametrize("slug", ["pink-nines", "multiple-9"])
@pytest.mark.parametrize("by", ["Ben", "host"])
def test_of_two_who_won_at_the_same_moment_one_takes_it_back(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, slug: str, by: str
) -> None:
    """Neither has a hand to enter instead; then the other has won."""
    table = Table(client, slug, THREE)
    with monkeypatch.context() as patched:
        patched.setattr(SeatBook, "settle", lambda *_: False)
        for player in ("Ann", "Ben"):
            table[player].enter({"action": "out", "player": player})
    table["Ann"].get("/seat")  # its next look rules on both
    assert "Only one of Ann and Ben can have ended it" in table["Ann"].says()
    if by == "host":
        for player in ("Ann", "Ben"):
            table[player].post("/seat/stands", {"seat_of": player})
        pad = taps(table.host, "Ben", "")
        assert "No, that wasn’t Ben" not in words(pad)
        assert table.host.press(keys(pad)["Someone else"]).status_code == 303
    else:
        assert "Deal 2" in words(taps(table["Ben"], "No, that wasn’t me"))
    assert [entry["player"] for entry in table.entries] == ["Ann"]


def test_whoever_did_not_go_out_after_all_enters_a_hand(client: FlaskClient) -> None:
    """Where cards score, the other’s call counts at once, and the pad asks for the cards."""
    table = Table(client, "multiple-9", THREE, scoring="cards")
    for player in ("Ann", "Ben"):
        table[player].enter({"action": "out", "player": player})
    pad = taps(table["Ben"], "No, that wasn’t me")
    assert "Ann won the deal" in words(pad)
    assert "You still hold" in words(pad)
    assert "Yours is in" in table["Ann"].says()
    for seat, player in ((1, "Ben"), (2, "Cy")):
        table[player].enter({"action": "out", f"left.{seat}": "7"})
    assert [entry["player"] for entry in table.entries] == ["Ann"]


def test_whoever_takes_a_deal_without_hands_back_is_named(client: FlaskClient) -> None:
    """On all phones, until something else is recorded."""
    table = Table(client, "pink-nines", THREE)
    table["Ann"].enter({"action": "out", "player": "Ann"})
    taps(table["Cy"], "Deal 1: is that wrong? Undo", "")
    for phone in (table.host, table["Ann"]):
        assert "Deal 1 taken back by Cy" in words(phone.get())
    table["Ben"].enter({"action": "out", "player": "Ben"})
    assert "taken back" not in words(table.host.get())
