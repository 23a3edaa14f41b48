"""The photo pages, from a form and back: without script, and as a script requests them."""

import html
import io
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.extras.camera.pages import PHOTO_LIMIT
from referee.extras.camera.vision import found
from referee.extras.camera.vision.found import REFUSALS, Unreadable
from referee.extras.camera.vision.process import NoReaderError, NoReadingError
from referee.rules.registry import GAMES
from referee.settings import Settings, load
from referee.web.app import create_app
from referee.web.forms.decode import keys_of
from tests.extras.camera.stub import laid, with_camera
from tests.support.phone import PARTIAL, Phone, begin, words

FOUR = ["Ann", "Ben", "Cat", "Dan"]
TYPED = {"action": "out", "player": "Ben", "how": "cards", "hands.2": "4S 5H", "after": "0"}


@pytest.fixture
def table(client: FlaskClient) -> Phone:
    return begin(client, "red-nines-1881", FOUR)


def photo(content: bytes = b"a photo", /, **fields: Any) -> dict[str, Any]:
    """A form with a photo for the first hand, or for the open field `at`."""
    about = {"photo.for": fields.pop("at", "hands.0")}
    return {**TYPED, **about, **fields, "photo": (io.BytesIO(content), "hand.jpg")}


def fields(page: str) -> dict[str, str]:
    """The fields of the first form of a page, without its buttons."""
    form = page[page.index("<form", page.index("<main")) :].partition("</form>")[0]
    found = re.findall(r'<input[^>]*? name="([^"]*)"[^>]*? value="([^"]*)"', form)
    return {name: html.unescape(value) for name, value in found if not name.endswith(":suit")}


def test_without_script_a_photo_fills_in_the_form(app: Flask, table: Phone) -> None:
    """The key, the photo, one card decided, one added; the rest of the form is kept."""
    with_camera(app, laid("6D 9H?6H", "KS"))
    chosen = table.post("/entries", {**TYPED, "tap": "hands.0:photo"})
    assert chosen.status_code == 200
    assert 'capture="environment"' in chosen.text
    carried = fields(chosen.text)
    assert {**TYPED, "photo.for": "hands.0"}.items() <= carried.items()

    read = table.post("/entries/photo", photo(**carried))
    assert read.status_code == 200
    assert read.text.count('class="outline sure"') == 2
    assert read.text.count('class="outline doubtful"') == 1
    assert fields(read.text)["photo.cards"] == "6D 9H KS"
    assert "Card 2: which is it?" in read.text
    assert re.search("data-open-doubts[^>]*[^n]>1 card in doubt<", read.text)

    is_six = table.post("/entries/photo", {**fields(read.text), "photo.is": "1:6H"})
    assert fields(is_six.text)["photo.cards"] == "6D 6H KS"
    assert is_six.text.count('class="outline sure"') == 3  # each is still outlined
    assert "which is it?" not in is_six.text
    assert re.search("data-open-doubts[^>]* hidden>", is_six.text)
    tap = {"tap": "photo.cards:4", "photo.cards:suit": "C"}
    one_more = fields(table.post("/entries/photo", {**fields(is_six.text), **tap}).text)
    assert one_more["photo.cards"] == "6D 6H KS 4C"

    back = table.post("/entries", {**one_more, "tap": "hands.0:from.photo.cards"})
    assert back.status_code == 200
    assert 'name="hands.0" aria-label="Ann’s cards" value="6D 6H KS 4C"' in back.text
    assert 'value="4S 5H"' in back.text
    assert 'data-seq="0-' in table.get().text  # nothing was recorded


def test_the_camera_key_is_for_the_open_hand(app: Flask, table: Phone) -> None:
    """As the keys of the docked pad are; also in questions."""
    with_camera(app, laid())
    page = table.post("/entries", {**TYPED, "at": "hands.3", "tap": "@:photo"})
    assert fields(page.text)["photo.for"] == "hands.3"
    question = {"at": "cards", "tap": "@:photo"}
    asked = table.client.get("/referee/red-nines/penalty", query_string=question)
    assert fields(asked.text)["photo.for"] == "cards"


def test_a_correction_can_take_a_photo(app: Flask, table: Phone) -> None:
    """It returns to the form of the correction."""
    hands = {f"hands.{seat}": f"{rank}S" for seat, rank in ((0, "4"), (2, "5"), (3, "6"))}
    assert table.record({**TYPED, **hands}, 0).status_code == 303
    with_camera(app, laid("QD"))
    where = f"/s/{table.token}/entries/1"
    asked = table.post("/entries/1", {**TYPED, "tap": "hands.0:photo"})
    assert f'action="{where}/photo"' in asked.text
    read = table.post("/entries/1/photo", photo())
    assert f'formaction="{where}"' in read.text
    back = table.post("/entries/1", {**fields(read.text), "tap": "hands.0:from.photo.cards"})
    assert 'value="QD"' in back.text
    assert "correction" in back.text


def test_a_question_can_take_a_photo(app: Flask, client: FlaskClient) -> None:
    """Without any link; suits are read only if the question has them."""
    camera = with_camera(app, laid("9H 4S"))
    where = "/referee/multiple-9/discard"
    asked = client.get(where, query_string={"hand": "K", "tap": "cards:photo"})
    assert f'action="{where}/photo"' in asked.text
    sent = {**fields(asked.text), "photo": (io.BytesIO(b"a photo"), "a.jpg")}
    read = client.post(f"{where}/photo", data=sent)
    assert (b"a photo", 1, False) in camera.asked
    assert 'formmethod="get"' in read.text
    back = client.get(where, query_string={**fields(read.text), "tap": "cards:from.photo.cards"})
    assert 'value="9 4"' in back.text
    assert 'value="K"' in back.text


def test_a_grid_fills_its_nine_places(app: Flask, client: FlaskClient) -> None:
    """In columns; the photo is read with the number of packs for these players."""
    host = begin(client, "colorado-nines", FOUR)
    camera = with_camera(app, laid("A 2 3", "4 5 6", "7 8 *"))
    read = host.post("/entries/photo", photo(action="grids", at="grids.1"))
    assert fields(read.text)["photo.cards"] == "A 4 7 | 2 5 8 | 3 6 *"
    assert "three by three" not in read.text
    assert read.text.count("<polyline") == 3  # its columns are drawn
    assert 'name="photo.swap" value="yes"' in read.text
    assert camera.asked == [(b"a photo", 2, False)]
    camera.shows = laid("A 2 3 4", "5 6 7 8 *")
    again = host.post("/entries/photo", photo(action="grids", at="grids.1"))
    assert "They aren’t laid out three by three" in again.text


def test_if_rows_and_columns_are_ambiguous_the_page_asks(app: Flask, client: FlaskClient) -> None:
    """First, with a picture of each; the answer can be changed. Without script."""
    host = begin(client, "colorado-nines", FOUR)
    with_camera(app, laid("A 2 3", "4 5?6 6", "7 8 *", upright=False))
    asked = host.post("/entries/photo", photo(action="grids", at="grids.1"))
    assert asked.status_code == 200
    assert "Which way do the columns run?" in asked.text
    assert asked.text.count('<svg class="photo"') == 2
    assert asked.text.count("<polyline") == 6
    assert "data-uses" not in asked.text  # nothing can be used before it is answered
    carried = fields(asked.text)
    assert {**TYPED, "action": "grids"}.items() <= carried.items()
    for swap, cards in (("no", "A 4 7 | 2 5 8 | 3 6 *"), ("yes", "A 2 3 | 4 5 6 | 7 8 *")):
        told = host.post("/entries/photo", {**carried, "photo.swap": swap})
        assert fields(told.text)["photo.cards"] == cards
        assert "which is it?" in told.text
    settled = host.post("/entries/photo", {**fields(told.text), "photo.is": "3:6"})
    assert fields(settled.text)["photo.cards"] == "A 6 3 | 4 5 6 | 7 8 *"
    back = host.post("/entries/photo", {**fields(settled.text), "photo.swap": "no"})
    assert fields(back.text)["photo.cards"] == "A 4 7 | 2 5 8 | 3 6 *"


def test_a_photo_of_the_whole_board_brings_the_new_card(app: Flask, client: FlaskClient) -> None:
    """The flop is recorded, and the turn's photo shows all four cards."""
    host = begin(client, "multiple-9-holdem", ["Ann", "Ben"])
    flop = {"action": "board", "cards": "J 7 9"}
    bets = [{"action": "bet", "player": player, "move": "check"} for player in ("Ben", "Ann")]
    call = {"action": "bet", "player": "Ann", "move": "call"}
    for after, entry in enumerate((call, bets[0], flop, *bets)):
        assert host.record(entry, after).status_code == 303
    with_camera(app, laid("JD 7S 9H KC"))
    read = host.post("/entries/photo", photo(action="board", at="cards"))
    assert fields(read.text)["photo.cards"] == "K"
    assert "3 cards were left out: they were already there." in read.text
    assert host.record({"action": "board", "cards": "K"}, 5).status_code == 303


@pytest.mark.parametrize("code", get_args(Unreadable))
def test_an_unreadable_photo_says_why(app: Flask, table: Phone, code: Unreadable) -> None:
    """The form is kept for another photo; also for a script."""
    with_camera(app, code)
    refused = table.post("/entries/photo", photo(), **PARTIAL)
    wanted = {"too-large": 413, "too-many-pixels": 413} | dict.fromkeys(
        ("no-photo", "heic", "avif", "gif", "tiff", "animated"), 415
    )
    assert refused.status_code == wanted.get(code, 422)
    assert str(REFUSALS[code]) in html.unescape(refused.text)
    assert "Take another photo" in refused.text
    assert fields(refused.text)["hands.2"] == "4S 5H"


@pytest.mark.parametrize(
    ("shows", "status", "says"),
    [
        (NoReadingError(), 422, "This photo couldn’t be read."),
        (NoReaderError(), 503, "No photo can be read just now."),
        (laid(), 200, "No cards found."),
        (laid("3D 2S"), 200, "The cards in this photo aren’t in this game’s pack."),
    ],
    ids=["ended the process", "took too long", "empty table", "another pack"],
)
def test_a_photo_without_cards_says_so(
    app: Flask, table: Phone, shows: Any, status: int, says: str
) -> None:
    """The page says what to do."""
    with_camera(app, shows)
    answer = table.post("/entries/photo", photo())
    assert answer.status_code == status
    assert says in answer.text


def test_a_form_without_a_photo_asks_for_one(app: Flask, table: Phone) -> None:
    """Also if it is no valid form."""
    camera = with_camera(app, laid("6D"))
    for name, says in (("", "Choose a photo first."), ("hand.jpg", "The file is empty.")):
        sent = {**photo(), "photo": (io.BytesIO(b""), name)}
        refused = table.post("/entries/photo", sent)
        assert (refused.status_code, says in refused.text) == (422, True)
    headless = table.client.post(
        f"/s/{table.token}/entries/photo", data=b"xx", content_type="multipart/form-data"
    )
    assert headless.status_code == 400
    too_much = table.post("/entries/photo", photo(junk="x" * 70_000))
    assert too_much.status_code == 413
    parts = dict.fromkeys(map(str, range(600)), "x")
    assert table.post("/entries/photo", {**photo(), **parts}).status_code == 413
    assert camera.asked == []


def test_a_photo_too_large_to_be_kept_loses_no_form(app: Flask, table: Phone) -> None:
    """The form comes before the photo, so it is kept, and the page takes another photo."""
    camera = with_camera(app, laid("6D"))
    refused = table.post("/entries/photo", photo(b"\xff" * (PHOTO_LIMIT + 1)))
    assert refused.status_code == 413
    assert "This photo is larger than 20 MB." in refused.text
    assert "Take another photo" in refused.text
    assert {**TYPED, "photo.for": "hands.0"}.items() <= fields(refused.text).items()
    assert camera.asked == []


def test_no_photo_is_read_without_the_right_to_write(app: Flask, host: Phone) -> None:
    """By a view link, an unknown link, or another site's page."""
    camera = with_camera(app, laid("6D"))
    view = host.other("view")
    assert view.post("/entries/photo", photo()).status_code == 403
    assert Phone(host.client, "nowhere").post("/entries/photo", photo()).status_code == 404
    foreign = host.post("/entries/photo", photo(), Origin="https://example.org")
    assert foreign.status_code == 403
    assert camera.asked == []


@pytest.mark.parametrize(
    ("where", "action", "at"),
    [
        ("multiple-9", "out", "player"),
        ("multiple-9", "nothing", "cards"),
        ("multiple-9", "", "cards"),
        ("9-of-a-kind", "end", "hands.0.cards"),
    ],
)
def test_a_photo_for_a_field_without_cards_is_refused(
    app: Flask, client: FlaskClient, where: str, action: str, at: str
) -> None:
    """Also for an unknown field, and for suits that a photo doesn't show."""
    host = begin(client, where, ["Ann", "Ben", "Cat", "Dan", "Eve"])
    camera = with_camera(app, laid("6D"))
    assert host.post("/entries/photo", photo(action=action, at=at)).status_code == 400
    assert camera.asked == []


@pytest.mark.parametrize("first", [laid("6D"), NoReadingError()])
def test_a_phone_can_have_only_so_many_photos_read_an_hour(tmp_path: Path, first: Any) -> None:
    """Also photos that can't be read. Sheets have a limit of their own, entries have none."""
    app = create_app(load({"instance": tmp_path, "photos_an_hour": 1, "sheets_an_hour": 1}, {}))
    host = begin(app.test_client(), "red-nines-1881", FOUR)
    with_camera(app, first)
    assert host.post("/entries/photo", photo()).status_code in (200, 422)
    refused = host.post("/entries/photo", photo())
    assert refused.status_code == 429
    assert "Too many photos were read here in the past hour." in refused.text
    assert int(refused.headers["Retry-After"]) > 3500
    assert host.get("/record").status_code == 200


def test_without_the_libraries_nothing_breaks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page offers the camera, and a photo is refused."""
    monkeypatch.setattr(found, "NEEDED", ("a_library_nobody_has",))
    app = create_app(Settings(tmp_path))
    host = begin(app.test_client(), "red-nines-1881", FOUR)
    assert "Take a photo" not in host.get("/record").text
    assert "camera" not in host.get().text
    for answer in (
        host.post("/entries/photo", photo()),
        host.post("/entries", {**TYPED, "tap": "hands.0:photo"}),
    ):
        assert answer.status_code == 404
        assert "There’s no camera here: tap the cards." in answer.text


def camera_keys(answer: TestResponse) -> set[str]:
    """The fields with a camera key, and the kinds of entries or questions that they belong to."""
    return set(
        re.findall(
            r'<button class="small beside-cards camera"[^>]* value="([^"]*):photo"', answer.text
        )
    )


@pytest.mark.parametrize("slug", GAMES)
def test_every_camera_key_leads_to_a_pad(client: FlaskClient, slug: str) -> None:
    """The photo page of each field knows its card pad; `@` is the open field."""
    game = GAMES[slug]
    names = ["Ann", "Ben", "Cat", "Dan", "Eve", "Flo"]
    host = begin(client, slug, names[: max(min(6, max(game.seats(game.house_rules()))), 3)])
    kinds = [kind.entry for kind in game.entries.values()]
    for name in camera_keys(host.get("/record")) - {"@"}:
        assert any(keys_of(name, kind) for kind in kinds), name
    for judge in game.judges.values():
        for name in camera_keys(client.get(f"/referee/{slug}/{judge.name}")) - {"@"}:
            assert keys_of(name, judge.question), name


def test_a_photo_is_read_for_any_form_of_a_sheet(app: Flask, table: Phone) -> None:
    """It returns to that form; a viewer has no form to enter a hand in."""
    with_camera(app, laid("6D KS"))
    read = table.post("/own/hand/photo", photo())
    assert read.status_code == 200
    assert f'action="/s/{table.token}/own/hand' in read.text
    assert table.other("view").post("/own/hand/photo", photo()).status_code == 403


def test_the_page_names_the_cards_of_the_deck(client: FlaskClient) -> None:
    """From the ace to the king, by the letters on them."""
    client.set_cookie("letters", "VDR")
    page = client.get("/referee/multiple-9/discard?hand=K&tap=cards:photo")
    assert "ordinary cards, A to R." in words(page)
