"""Beginning a sheet: the choice of a game, the form, and drawing lots for the first dealer."""

import html
import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.web.context import state
from referee.web.forms.fields import fields_of
from referee.web.site import new
from tests.support.phone import begin, first_in, words


def titles(page: str) -> list[str]:
    """The games on offer, in order."""
    return [html.unescape(found) for found in re.findall(r"<b>([^<]+)</b>", page)]


def test_the_game_played_last_is_offered_first(client: FlaskClient) -> None:
    """Then Any Other Game, then the rest in their usual order."""
    every = [str(game.title) for game in GAMES.values()]
    assert titles(client.get("/new").text) == every
    assert "Played last" not in client.get("/new").text
    begin(client, "nine-five-two", ["Ann", "Ben", "Cat"])
    page = client.get("/new").text
    first = ["Nine Five Two", "Any Other Game"]
    assert titles(page) == [*first, *(title for title in every if title not in first)]
    assert page.count("Played last") == 1
    assert "3 players" in page
    assert "2–8 players" in page


def test_a_game_shows_the_minutes_it_took_on_this_phone(client: FlaskClient, app: Flask) -> None:
    """The median of finished games; nothing if there is none."""
    book, start = state(app).book, datetime(2026, 11, 1, 20, tzinfo=UTC)
    begin(client, "pink-nines", ["Ann", "Ben"])
    for minutes in (20, 50, 31):
        book.now = start.isoformat
        host = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
        book.now = (start + timedelta(minutes=minutes)).isoformat
        host.record({"action": "out", "player": "Ann"}, 0)
    page = client.get("/new").text
    assert re.findall(r"(\d+) min<", page) == ["31"]


def test_a_form_sent_again_begins_no_second_sheet(client: FlaskClient, app: Flask) -> None:
    """Its key is in the form, for phones without script; with other names it is another sheet."""
    key = first_in(client.get("/new/pink-nines").text, r'name="key" value="([^"]+)"')
    form = {"key": key, "name": ["Ann", "Ben"], "dealer": "0", "counters": "100"}
    begun = [client.post("/new/pink-nines", data=form).headers["Location"] for _ in range(2)]
    assert begun[0] == begun[1]
    other = client.post("/new/pink-nines", data=form | {"name": ["Ann", "Cy"]})
    assert other.headers["Location"] != begun[0]
    assert len(state(app).ledger.sheets()) == 2
    assert key not in client.get(f"/new/pink-nines?key={key}").text, "nobody else may choose it"


def test_a_form_with_another_title_begins_another_sheet(client: FlaskClient, app: Flask) -> None:
    """Its players went back, and play something else."""
    key = first_in(client.get("/new/plain-score").text, r'name="key" value="([^"]+)"')
    form = {"key": key, "name": ["Ann", "Ben"], "dealer": "0"}
    for title, number in (("Rummy", 1), ("Gin", 2), ("Gin", 2)):
        answer = client.post("/new/plain-score", data=form | {"title": title})
        assert title in client.get(answer.headers["Location"]).text
        assert len(state(app).ledger.sheets()) == number


@pytest.mark.parametrize("title", ["Rum\u202emy", "x" * 41])
def test_a_title_that_cannot_be_kept_begins_no_sheet(
    client: FlaskClient, app: Flask, title: str
) -> None:
    """The form comes again with what was filled in, and says what is wrong."""
    form = {"name": ["Ann", "Ben"], "dealer": "0", "title": title}
    answer = client.post("/new/plain-score", data=form)
    assert answer.status_code == 422
    assert "Write one line of up to 40 visible characters." in words(answer)
    assert all(f'value="{name}"' in answer.text for name in ("Ann", "Ben", title))
    assert state(app).ledger.sheets() == []


@pytest.mark.parametrize(
    ("filled_in", "wrong"),
    [
        ({"target": "many"}, ["one line", "a whole number", "called “ann”"]),
        ({}, ["one line", "called “ann”"]),
        ({"name": [f"P{number}" for number in range(41)]}, ["one line", "2 to 16 players"]),
    ],
)
def test_everything_wrong_with_a_new_sheet_is_said_at_once(
    client: FlaskClient, filled_in: dict[str, object], wrong: list[str]
) -> None:
    """Its title, house rules and players."""
    form = {"name": ["Ann", "ann"], "dealer": "0", "title": "x" * 41} | filled_in
    answer = client.post("/new/plain-score", data=form)
    assert answer.status_code == 422
    faults = re.findall(
        r"(?s)<li>(.*?)</li>", first_in(answer.text, r'(?s)(class="faults".*?</div>)')
    )
    assert len(faults) == len(wrong)
    assert all(part in fault for part, fault in zip(wrong, faults, strict=True)), faults


def test_a_key_that_could_be_guessed_finds_no_sheet(client: FlaskClient, app: Flask) -> None:
    """Its host link could be guessed, too."""
    form = {"key": "begin", "name": ["Ann", "Ben"], "dealer": "0", "counters": "100"}
    for _ in range(2):
        assert client.post("/new/pink-nines", data=form).status_code == 303
    assert len(state(app).ledger.sheets()) == 2


def test_many_games_can_be_searched(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    """If there are thirteen or more; a search without results leads back to all."""
    assert 'name="q"' not in client.get("/new").text
    more = {f"{slug}-{n}": game for n in range(2) for slug, game in GAMES.items()}
    monkeypatch.setattr(new, "GAMES", more)
    assert 'name="q"' in client.get("/new").text
    assert set(titles(client.get("/new?q=red nines").text)) == {
        "Red Nines (1881)",
        "Red Nines (20th century)",
    }
    assert "No game is called “whist”" in client.get("/new?q=whist").text


def test_the_eight_latest_names_are_offered(client: FlaskClient) -> None:
    """Of people on this phone's sheets; one that is taken makes room for the next."""
    begin(client, "plain-score", [f"Old {n}" for n in range(4)])
    begin(client, "plain-score", [f"New {n}" for n in range(6)])
    offered = re.findall(r'value="add:([^"]+)"', client.get("/new/plain-score").text)
    assert offered == [*(f"New {n}" for n in range(6)), "Old 0", "Old 1"]


def test_lots_are_drawn_before_the_sheet_begins(client: FlaskClient) -> None:
    """Among those with a name; the form shows who was drawn."""
    names = ["Ann", "Ben", "", "Cat"]
    for _ in range(12):
        page = client.post("/new/plain-score", data={"name": names, "do": "lot"}).text
        fallen_on = first_in(page, r"Luck picked <b>(\w+)</b>")
        row = str(names.index(fallen_on))
        assert re.search(rf'name="dealer" value="{row}" checked', page)
        assert "Draw again" in page
    begun = client.post("/new/plain-score", data={"name": ["Ann", "Ben"], "dealer": row})
    assert begun.status_code == 303
    page = client.post("/new/plain-score", data={"name": ["", ""], "do": "lot"}).text
    assert "Luck picked" not in page, "where nobody has a name"


@pytest.mark.parametrize("slug", GAMES)
def test_every_house_rule_is_explained(client: FlaskClient, slug: str) -> None:
    """In a disclosure beside its control, without script."""
    page = html.unescape(client.get(f"/new/{slug}").text)
    offered = [rule for rule in fields_of(GAMES[slug].house_rules) if not rule.asked.moot]
    for rule in offered:
        about = f'<summary aria-label="About “{rule.asked.title}”">'
        assert page.count(about) == 1
        assert f"<p>{rule.asked.about}</p>\n  </details>" in page.partition(about)[2]
        assert str(rule.asked.about).count(". ") == 0, f"{rule.name}: one sentence"


def test_an_invalid_house_rule_comes_back_visible(client: FlaskClient) -> None:
    """The fold around it is open, and has what was typed."""
    sent = {"name": ["Ann", "Ben"], "target": "two"}
    page = client.post("/new/multiple-9", data=sent).text
    fold, _, _ = page[: page.index("House rules")].rpartition(">")
    assert fold[fold.rindex("<details") :].startswith('<details class="section" open>')
    assert 'value="two"' in page
    assert '<details class="section">' in client.get("/new/multiple-9").text


FIELDS = re.compile(r'name="(name|drawn)" value="([^"]*)"')


def shown(page: str) -> dict[str, object]:
    """The form on a page, with its values."""
    names = [value for field, value in FIELDS.findall(page) if field == "name"]
    drawn = dict(FIELDS.findall(page))["drawn"]
    marked = re.search(r'name="dealer" value="(\d+)" checked', page)
    return {"name": names, "drawn": drawn} | ({"dealer": marked[1]} if marked else {})


def test_no_lots_are_drawn_unasked(client: FlaskClient) -> None:
    """Nor drawn again as a name is added: whoever was drawn, or has a tapped D, stays."""
    page = client.get("/new/plain-score?name=Ann&name=Ben").text
    assert "dealer" not in shown(page)
    page = client.post("/new/plain-score", data=shown(page) | {"do": "add:Cat"}).text
    assert "dealer" not in shown(page)
    for _ in range(12):
        drawn = shown(client.post("/new/plain-score", data=shown(page) | {"do": "lot"}).text)
        more = shown(client.post("/new/plain-score", data=drawn | {"do": "add:Dan"}).text)
        assert (more["dealer"], more["drawn"]) == (drawn["dealer"], drawn["drawn"])
        tapped = drawn | {"dealer": "0", "drawn": "Ben", "do": "add:Dan"}
        assert shown(client.post("/new/plain-score", data=tapped).text)["dealer"] == "0"


def test_luck_decides_where_nobody_is_marked(client: FlaskClient) -> None:
    """The first Start begins, as the page says; each name has the same chance."""
    assert "start and let luck decide" in words(client.get("/new/plain-score").text)
    found = Counter[str]()
    for _ in range(40):
        begun = client.post("/new/plain-score", data={"name": ["Ann", "Ben", ""], "drawn": ""})
        assert begun.status_code == 303
        sheet = client.get(begun.headers["Location"]).text
        found[first_in(sheet, r"(\w+)\s*<span class=\"d\"")] += 1
    assert min(found["Ann"], found["Ben"]) >= 4  # of 40; by chance fewer once in 5,000,000


def test_players_without_names_are_player_1_and_player_2(client: FlaskClient) -> None:
    """If enough rows have a name, empty ones are left out."""
    begun = client.post("/new/nine-five-two", data={"name": ["", "Ben", ""], "dealer": "1"})
    sheet = words(client.get(begun.headers["Location"]).text)
    assert "Player 1" in sheet
    assert "Player 3" in sheet
    begun = client.post("/new/plain-score", data={"name": ["Ann", "", "Cat"], "dealer": "2"})
    assert "Player 2" not in client.get(begun.headers["Location"]).text
