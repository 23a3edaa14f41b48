"""Importing a sheet's file on its page: all of it or nothing, with every fault named."""

import json
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.settings import Settings
from referee.web.app import create_app
from referee.web.context import state
from referee.web.serving.bodies import SHEET_LIMIT
from referee.web.serving.gateway import Gateway
from tests.support.phone import Phone, begin
from tests.support.server import PARTS, form_with
from tests.web.serving.test_gateway import Asked, send

FILE: dict[str, Any] = {
    "referee": 1,
    "game": "pink-nines",
    "players": ["Ann", "Ben"],
    "entries": [{"action": "out", "player": "Ben"}],
}


def sent(client: FlaskClient, content: object, *, copy: bool = False, **at: str) -> TestResponse:
    """Send a file: bytes as they are, anything else as JSON."""
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    fields = {"sheet": (BytesIO(text), "Ann & Ben.json")} | ({"copy": "yes"} if copy else {})
    kind = "multipart/form-data"
    return client.post("/bring-in", data=fields, content_type=kind, headers=at)


def sheets_in(app: Flask) -> int:
    return len(state(app).ledger.sheets())


@pytest.fixture
def another_house(tmp_path: Path) -> FlaskClient:
    """A phone of another program, with a book of its own."""
    return create_app(Settings(tmp_path / "another")).test_client()


def test_a_sheet_is_imported_with_its_history(host: Phone, another_house: FlaskClient) -> None:
    """It is the same in another book, and the importing phone is its host."""
    host.post("/phone", {"phone": "Hall & kitchen"})
    host.record({"action": "out", "player": "Ben"}, 0)
    host.post("/undo", {"after": 1})
    host.record({"action": "out", "player": "Cat"}, 2)
    answer = sent(another_house, host.get("/sheet.json").data)
    assert answer.status_code == 303
    there = Phone(another_house, answer.headers["Location"].rsplit("/", 1)[1])
    assert there.file() == host.file()
    assert {row["by"] for row in there.file()["history"]} == {"Hall & kitchen"}
    assert there.post("/links", {"role": "view"}).status_code == 303, "that is the host's to do"
    assert there.token in another_house.get("/").text


def test_importing_and_saving_are_where_people_look(host: Phone) -> None:
    """Importing on the home page, the file under More and at the end of a game."""
    assert 'href="/bring-in"' in host.client.get("/").text
    page = host.client.get("/bring-in").text
    assert 'enctype="multipart/form-data"' in page
    save = f'href="/s/{host.token}/sheet.json" download'
    assert save in host.get("/more").text
    assert save not in host.get().text
    host.post("/entries", {"action": "stop", "after": 0, "key": "k"})
    assert save in host.get().text


@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "it isn’t JSON"),
        (b"[" * 100_000, "it isn’t JSON"),
        (b'{"dealer": "Ann", "dealer": "Ben"}', "“dealer” is given twice."),
        (b"[]", "sheet"),
        (FILE | {"game": "whist"}, "There’s no game called “whist”."),
        (FILE | {"entries": [{"action": "out", "player": "Zoe"}]}, "Row 1: "),
        (FILE | {"entries": [{"action": "out", "player": "Ann"}] * 9}, "Row 3: "),
        (FILE | {"history": []}, "The history can’t be right"),
    ],
    ids=str,
)
def test_a_faulty_file_is_refused_whole(
    app: Flask, client: FlaskClient, content: object, told: str
) -> None:
    """The page says what is wrong, with the form to choose another file."""
    answer = sent(client, content)
    page = unescape(answer.text)
    assert answer.status_code == 422, page
    assert told in page
    assert "Nothing was saved." in page
    assert 'type="file"' in page
    assert sheets_in(app) == 0


def test_a_form_without_a_file_asks_for_one(client: FlaskClient) -> None:
    """Also a form of another kind."""
    none = client.post("/bring-in", data={"sheet": (BytesIO(b""), "")})
    for answer in (none, client.post("/bring-in"), client.post("/bring-in", data={"sheet": "{}"})):
        assert answer.status_code == 422
        assert "Choose the sheet’s file first." in unescape(answer.text)


def test_a_sheet_that_is_here_already(app: Flask, host: Phone) -> None:
    """A phone that has a link gets it; others learn none, but may make a copy."""
    host.record({"action": "out", "player": "Ben"}, 0)
    file = host.get("/sheet.json").data
    host.record({"action": "out", "player": "Cat"}, 1)  # a row that the file lacks
    viewer, stranger = host.other("view"), app.test_client()
    viewer.get()
    secrets = (host.token, host.link("score"))
    for client, link in ((host.client, host.token), (viewer.client, viewer.token), (stranger, "")):
        answer = sent(client, file)
        assert answer.status_code == 409
        assert "already here" in answer.text
        assert (f'href="/s/{link}"' in answer.text) == bool(link)
        assert client is host.client or not any(secret in answer.text for secret in secrets)
    assert sheets_in(app) == 1
    assert sent(stranger, file, copy=True).status_code == 303
    assert sheets_in(app) == 2


def test_four_phones_that_import_one_file_at_once_make_one_sheet(
    host: Phone, another_house: FlaskClient
) -> None:
    """Three are told that it is already here."""
    host.record({"action": "out", "player": "Ben"}, 0)
    body = form_with(host.get("/sheet.json").data)
    fields = (("content-type", PARTS), ("host", "x"), ("content-length", str(len(body))))
    phones = [Asked("/bring-in", *fields, body=(body,)) for _ in range(4)]
    send(Gateway(another_house.application), *phones)
    assert sorted(phone.status for phone in phones) == [303, 409, 409, 409]
    assert sheets_in(another_house.application) == 1


def test_a_file_that_is_too_large_is_refused(app: Flask, client: FlaskClient) -> None:
    """By its bytes before it is read, by its rows before it is played through."""
    padded = json.dumps(FILE).encode() + b" " * (SHEET_LIMIT - 1000)
    assert sent(client, padded).status_code == 303
    answer = sent(client, padded + b" " * 1000)
    assert answer.status_code == 422
    assert "This file is too large to be a sheet’s." in unescape(answer.text)
    long = FILE | {"entries": FILE["entries"] * 2201}
    answer = sent(client, long)
    assert answer.status_code == 422
    assert "This sheet has 2,201 rows; at most 2,200 fit in here." in unescape(answer.text)
    assert sheets_in(app) == 1


def test_imported_sheets_count_toward_the_hourly_limit(tmp_path: Path) -> None:
    """Faulty files don't."""
    client = create_app(Settings(tmp_path, sheets_an_hour=2)).test_client()
    client.get("/bring-in")
    sent(client, b"")
    begin(client, "pink-nines", ["Ann", "Ben"])
    assert sent(client, FILE).status_code == 303
    assert sent(client, FILE).status_code == 429
