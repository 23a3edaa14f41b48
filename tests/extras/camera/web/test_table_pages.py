"""All hands of a deal in one photo: from the form, past the hands, and back to the form."""

import html
import io
import re
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.extras.camera.vision.found import Reading
from referee.extras.camera.vision.process import NoReadingError
from referee.rules.registry import GAMES
from tests.extras.camera.stub import EAST, MIDDLE, NORTH, SOUTH, laid, with_camera
from tests.support.phone import Phone, begin

FOUR = ["Ann", "Ben", "Cy", "Dot"]
#: Ben went out; Ann's photo has her own hand at its lower edge.
TYPED = {"action": "out", "player": "Ben", "how": "count", "after": "0", "hands.0": "",
         "hands.0.points": "7", "hands.1": "", "hands.2": "", "hands.3": ""}  # fmt: skip


def three_hands() -> tuple[Reading, ...]:
    """Ann at the lower edge, Cy across from her, Dot to her right; a king in the middle."""
    return (
        laid("8S 7D 4C", at=SOUTH),
        laid("KC", at=MIDDLE),
        laid("AC JH 3S?8S", at=NORTH),
        laid("KD QS 9D", at=EAST),
    )


@pytest.fixture
def table(client: FlaskClient) -> Phone:
    return begin(client, "red-nines", FOUR)


def photo(**fields: Any) -> dict[str, Any]:
    """A form with a photo for all hands."""
    sent = {**TYPED, "photo.for": "hands.*", **fields}
    return {**sent, "photo": (io.BytesIO(b"a photo"), "table.jpg")}


def fields(page: str) -> dict[str, list[str]]:
    """The fields of the first form of a page as a browser would send them, without its buttons."""
    form = page[page.index("<form", page.index("<main")) :].partition("</form>")[0]
    found: dict[str, list[str]] = {}
    pattern = (
        r'<input[^>]*? name="([^"]*)"[^>]*? value="([^"]*)"|<select name="([^"]*)"(.*?)</select>'
    )
    for name, typed, select, options in re.findall(pattern, form, re.DOTALL):
        value = typed
        if select:
            chosen = re.search(r"<option(?: value=\"([^\"]*)\")?\s+selected>([^<]*)", options)
            assert chosen is not None
            value = chosen[1] or chosen[2]
        if not name.endswith(":suit"):
            found.setdefault(name or select, []).append(html.unescape(value))
    return found


def whose(page: str) -> dict[str, str]:
    """The cards of each hand by the name of whose it is, those left aside by a dash."""
    sent = fields(page)
    names = [FOUR[int(seat)] if seat != "-1" else "-" for seat in sent["photo.laid:seat"]]
    return dict(zip(names, sent["photo.laid"], strict=True))


def test_without_script_from_the_form_and_back(app: Flask, table: Phone) -> None:
    """The button, the photo, a card decided: then every hand is in its field, and none recorded."""
    camera = with_camera(app, three_hands())
    form = table.get("/record")
    assert 'value="hands.*:photo"' in form.text
    chosen = table.post("/entries", {**TYPED, "tap": "hands.*:photo"})
    assert chosen.status_code == 200
    assert "a hand’s width from any other" in chosen.text
    read = table.post("/entries/photo", photo())
    assert read.status_code == 200
    assert camera.hands == [3]  # Ben has none
    assert camera.asked == [(b"a photo", 1, False)]
    assert whose(read.text) == {"Ann": "8 7 4", "Cy": "A J 3", "Dot": "K Q 9R", "-": "K"}
    assert read.text.count("<polygon") == 4
    assert "Cy’s card 3: which is it?" in read.text
    assert "1 card in doubt" in read.text

    is_eight = table.post("/entries/photo", {**fields(read.text), "photo.is": "1.2:8"})
    assert whose(is_eight.text)["Cy"] == "A J 8"
    assert "which is it?" not in is_eight.text
    used = {**fields(is_eight.text), "tap": "hands.*:from.photo.laid"}
    back = table.post("/entries", used)
    assert back.status_code == 200
    for name, cards in {"hands.0": "8 7 4", "hands.2": "A J 8", "hands.3": "K Q 9R"}.items():
        assert re.search(rf'name="{re.escape(name)}"[^>]* value="{cards}"', back.text)
    assert re.search(r'name="how" value="cards" checked', back.text)
    assert 'value="7"' not in back.text.partition("hands.0.points")[2][:200]  # not said twice
    assert 'data-seq="0-' in table.get().text  # nothing was recorded
    hands = {f"hands.{seat}": cards for seat, cards in ((0, "8 7 4"), (2, "A J 8"), (3, "K Q 9R"))}
    assert table.record({"action": "out", "player": "Ben", **hands}, 0).status_code == 303


def test_a_hand_is_given_to_somebody_else(app: Flask, table: Phone) -> None:
    """Whose it was gets the other's; what lies aside joins a hand, and a hand can be left aside."""
    with_camera(app, three_hands())
    read = table.post("/entries/photo", photo())
    sent = fields(read.text)
    assert sent["photo.laid:seat"] == ["0", "2", "3", "-1"]
    given = table.post("/entries/photo", {**sent, "photo.laid:seat": ["3", "2", "3", "-1"]})
    assert whose(given.text) == {"Ann": "K Q 9R", "Cy": "A J 3", "Dot": "8 7 4", "-": "K"}
    joined = {**sent, "photo.laid:seat": ["0", "2", "3", "0"]}
    both = table.post("/entries", {**joined, "tap": "hands.*:from.photo.laid"})
    assert 'value="8 7 4 K"' in both.text
    aside = {**sent, "photo.laid:seat": ["-1", "2", "3", "-1"]}
    assert "No hand was seen for Ann." in table.post("/entries/photo", aside).text
    left = table.post("/entries", {**aside, "tap": "hands.*:from.photo.laid"})
    assert 'value="8 7 4"' not in left.text
    assert 'value="K Q 9R"' in left.text


def test_whoever_holds_the_phone_turns_the_table(app: Flask, table: Phone) -> None:
    """One choice moves all of them to other seats, clockwise from the lower edge."""
    with_camera(app, three_hands())
    sent = fields(table.post("/entries/photo", photo()).text)
    turned = table.post("/entries/photo", {**sent, "photo.holder": "Dot"})
    assert whose(turned.text) == {"Dot": "8 7 4", "Ann": "A J 3", "Cy": "K Q 9R", "-": "K"}
    from_here = table.post("/entries/photo", photo(**{"photo.holder": "Dot"}))
    assert whose(from_here.text) == whose(turned.text)
    stranger = table.post("/entries/photo", photo(**{"photo.holder": "<b>"}))
    assert stranger.status_code == 200


def test_one_hand_is_corrected_like_a_photo_of_its_own(app: Flask, table: Phone) -> None:
    """Its cards with the pad, then back to the others, which are unchanged."""
    with_camera(app, three_hands())
    sent = fields(table.post("/entries/photo", photo()).text)
    mend = table.post("/entries/photo", {**sent, "photo.edit": "1"})
    assert fields(mend.text)["photo.cards"] == ["A J 3"]
    assert "Card 3: which is it?" in mend.text
    tapped = table.post("/entries/photo", {**fields(mend.text), "tap": "photo.cards:Q"})
    assert fields(tapped.text)["photo.cards"] == ["A J 3 Q"]
    gone = table.post("/entries/photo", {**fields(tapped.text), "photo.is": "2:"})
    assert fields(gone.text)["photo.cards"] == ["A J Q"]
    back = table.post("/entries/photo", {**fields(gone.text), "photo.done": "yes"})
    assert whose(back.text) == {"Ann": "8 7 4", "Cy": "A J Q", "Dot": "K Q 9R", "-": "K"}
    assert "in doubt" not in back.text


def test_grids_have_their_columns_or_are_asked_about(app: Flask, client: FlaskClient) -> None:
    """Each grid as its player sees it; a grid with unclear columns is asked about first."""
    host = begin(client, "colorado-nines", ["Ann", "Ben", "Cy"])
    south = laid("J 5 A", "J 5 K", "* 7 Q", at=(400, 700))
    west = laid("4 2 8", "4 K 6", "4 3 K", at=(50, 100), upright=False)
    with_camera(app, (south, west))
    grids = {"action": "grids", "after": "0", "grids.0": "", "grids.1": "", "grids.2": ""}
    sent = {**grids, "photo.for": "grids.*", "photo": (io.BytesIO(b"a photo"), "a.jpg")}
    asked = host.post("/entries/photo", sent)
    assert "Which way do the columns run?" in asked.text
    assert asked.text.count("<polyline") == 6
    for way, cards in (("no", "4 4 4 | 2 K 3 | 8 6 K"), ("yes", "4 2 8 | 4 K 6 | 4 3 K")):
        told = host.post("/entries/photo", {**fields(asked.text), "photo.swap": way})
        assert fields(told.text)["photo.laid"] == ["J J * | 5 5 7 | A K Q", cards]
    assert "No hand was seen for Cy." in told.text
    mend = host.post("/entries/photo", {**fields(told.text), "photo.edit": "1"})
    swapped = host.post("/entries/photo", {**fields(mend.text), "photo.swap": "no"})
    done = host.post("/entries/photo", {**fields(swapped.text), "photo.done": "yes"})
    assert fields(done.text)["photo.laid"][1] == "4 4 4 | 2 K 3 | 8 6 K"
    traded = {**fields(done.text), "photo.laid:seat": ["1", "1"]}
    back = host.post("/entries", {**traded, "tap": "grids.*:from.photo.laid"})
    assert 'value="4 4 4 | 2 K 3 | 8 6 K"' in back.text  # a grid is never two people's at once


def test_the_board_of_a_showdown_is_nobodys(app: Flask, client: FlaskClient) -> None:
    """It was entered street by street; the hands beside it are each player's two cards."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben"])
    checks = [{"action": "bet", "player": player, "move": "check"} for player in ("Ben", "Ann")]
    streets = [{"action": "board", "cards": cards} for cards in ("J 7 9", "2", "9")]
    entries = [{"action": "bet", "player": "Ann", "move": "call"}, checks[0], streets[0], *checks,
               streets[1], *checks, streets[2], *checks]  # fmt: skip
    for after, entry in enumerate(entries):
        assert host.record(entry, after).status_code == 303
    assert 'value="hands.*:photo"' in host.get("/record").text
    camera = with_camera(
        app,
        (
            laid("JS 7D 9H 2C 9S", at=(400, 420)),
            laid("9D 4S", at=SOUTH),
            laid("KD KS", at=NORTH),
        ),
    )
    show = {"action": "show", "player": "", "how": ""}
    read = host.post("/entries/photo", photo(**show))
    sent = fields(read.text)
    assert camera.hands == [3]
    cards = dict(zip(sent["photo.laid:seat"], sent["photo.laid"], strict=True))
    assert cards == {"0": "9 4", "1": "K K", "-1": "J 7 9 2 9"}
    used = {**sent, "after": str(len(entries)), "tap": "hands.*:from.photo.laid"}
    assert 'value="9 4"' in host.post("/entries", used).text


def test_a_correction_has_the_seats_of_its_deal(app: Flask, table: Phone) -> None:
    """And goes back to the form that corrects."""
    hands = {f"hands.{seat}": "4" for seat in (0, 2, 3)}
    assert table.record({"action": "out", "player": "Ben", **hands}, 0).status_code == 303
    with_camera(app, three_hands())
    read = table.post("/entries/1/photo", photo())
    assert whose(read.text)["Cy"] == "A J 3"
    back = table.post("/entries/1", {**fields(read.text), "tap": "hands.*:from.photo.laid"})
    assert 'value="A J 3"' in back.text
    assert "correction" in back.text


@pytest.mark.parametrize(
    ("shows", "status", "says"),
    [
        ((), 200, "No cards found."),
        ((laid("*", at=SOUTH),), 200, "The cards in this photo aren’t in this game’s pack."),
        ("heic", 415, "This is a HEIC photo"),
        (NoReadingError(), 422, "This photo couldn’t be read."),
    ],
    ids=["empty table", "another pack", "HEIC", "ended the process"],
)
def test_a_photo_without_hands_keeps_the_form(
    app: Flask, table: Phone, shows: Any, status: int, says: str
) -> None:
    """It says why, and takes another one."""
    with_camera(app, shows)
    answer = table.post("/entries/photo", photo())
    assert (answer.status_code, says in html.unescape(answer.text)) == (status, True)
    assert fields(answer.text)["hands.0.points"] == ["7"]
    assert fields(answer.text)["photo.for"] == ["hands.*"]


@pytest.mark.parametrize(
    "hand",
    ["", "x", "[]", '{"mended":{"cards":["A"],"size":[0,5]}}', '{"mended":{"cards":["A"]}}',
     '{"mended":{"cards":["A"],"boxes":{"0":[1]},"size":[5,5]}}',
     '{"mended":{"cards":["A"],"boxes":{"7":[1,1,1,1]},"size":[5,5]}}',
     '{"mended":{"cards":["A",""],"doubts":{"1":["9"]},"size":[5,5]}}'],
)  # fmt: skip
def test_made_up_hands_are_refused(app: Flask, table: Phone, hand: str) -> None:
    """Whatever is sent in their place, another photo can be taken."""
    with_camera(app, three_hands())
    sent = {**TYPED, "photo.for": "hands.*", "photo.hand": hand, "photo.laid:seat": "0"}
    answer = table.post("/entries/photo", sent)
    assert answer.status_code == 200
    assert 'capture="environment"' in answer.text


def test_a_hand_whose_drawing_was_left_out_keeps_its_photo(app: Flask, table: Phone) -> None:
    """A form that says that a hand is done, without the positions of its cards."""
    with_camera(app, three_hands())
    hand = '{"mended":{"cards":["A"],"boxes":{"0":[1,1,2,2]},"size":[50,50]}}'
    sent = {**TYPED, "photo.for": "hands.*", "photo.hand": hand, "photo.laid:seat": "0"}
    for more in ({"photo.swap": "yes"}, {"photo.cards": "9"}, {}):
        answer = table.post("/entries/photo", {**sent, "photo.one": "0", "photo.done": "y", **more})
        assert answer.status_code == 200


def test_a_form_that_asks_for_no_hand_takes_no_photo_of_hands(app: Flask, table: Phone) -> None:
    """A form without hands, and a question to the referee."""
    camera = with_camera(app, three_hands())
    bare = {"action": "out", "photo.for": "hands.*", "photo": (io.BytesIO(b"a"), "a.jpg")}
    assert table.post("/entries/photo", bare).status_code == 400
    asked = {"photo.for": "cards.*", "photo": (io.BytesIO(b"a"), "a.jpg")}
    assert table.client.post("/referee/red-nines/penalty/photo", data=asked).status_code == 400
    assert camera.asked == []


@pytest.mark.parametrize(
    ("slug", "players", "offered"),
    [
        ("red-nines", 4, True),
        ("red-nines-1881", 3, True),
        ("red-nines-1881", 2, False),  # the one player who did not go out has the only hand
        ("colorado-nines", 2, True),
        ("9-of-a-kind", 5, False),  # its suits can't be read
        ("nine-five-two", 3, False),
        ("plain-score", 4, False),
    ],
)
def test_where_all_hands_in_one_photo_are_offered(
    client: FlaskClient, slug: str, players: int, offered: bool
) -> None:
    """Wherever ordinary cards of several are asked for at once."""
    host = begin(client, slug, [*FOUR, "Eve"][:players])
    assert slug in GAMES
    assert (".*:photo" in host.get("/record").text) is offered
