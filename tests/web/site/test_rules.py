"""Rules pages: complete, reached from everywhere, and leading back to where one came from."""

import html
import re

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from tests.support.phone import Phone, begin, words

PLAYERS = ["Ann", "Ben", "Cat", "Dan", "Eve"]


def way_back(client: FlaskClient, address: str) -> str:
    """Where the back link of a page leads."""
    found = re.search(r'class="back" href="([^"]*)"', client.get(address).text)
    assert found is not None
    return html.unescape(found[1])


@pytest.mark.parametrize("slug", GAMES)
def test_everything_can_be_found(client: FlaskClient, slug: str) -> None:
    """One title, a minute's reading, and a list of contents that leads to every section."""
    game, page = GAMES[slug], client.get(f"/rules/{slug}").text
    anchors = [*game.sections, "house-rules", "sources"]
    headings = re.findall(r"<h[12][^>]*>\s*([^<]+?)\s*<", page)
    assert [*map(html.unescape, headings[:2])] == [str(game.title), "In a minute"]
    assert re.findall(r'<a [^>]*href="#([^"]+)"', page) == ["main", *anchors]
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(anchors) < set(ids)
    assert ids.index("minute") < ids.index(anchors[0])
    for anchor, heading in game.sections.items():
        section = page.partition(f'id="{anchor}"')[2].partition(">")[2]
        assert words(section).casefold().startswith(str(heading).casefold())


@pytest.mark.parametrize("slug", GAMES)
def test_rules_are_near(client: FlaskClient, slug: str) -> None:
    """From the choice of a game, the new sheet, the questions, and the sheet."""
    host = begin(client, slug, PLAYERS[: GAMES[slug].seats(GAMES[slug].house_rules())[0]])
    near = ["/new", f"/new/{slug}", "/referee", f"/referee/{slug}"]
    near += [f"/s/{host.token}/more", f"/s/{host.token}/referee"]
    for place in near:
        found = re.findall(rf'href="(/rules/{slug}(?:\?[^"]*)?)"', client.get(place).text)
        assert found, place
        assert client.get(html.unescape(found[0])).status_code == 200


def test_the_way_back(client: FlaskClient, host: Phone) -> None:
    """A rules page leads back to where it was opened; from a sheet, it keeps the sheet's bar."""
    for asked in (
        "/referee/multiple-9/discard?cards=8+4+4+2&packs=1",
        f"/s/{host.token}/referee/discard?cards=8+4+4+2",
    ):
        link = re.search(r'class="rule"[^>]*href="([^"]+)"', client.get(asked).text)
        assert link is not None
        address = html.unescape(link[1])
        assert address.endswith("#sets")
        assert way_back(client, address) == asked
    assert f'href="/s/{host.token}/more"' in client.get(address).text
    assert way_back(client, "/rules/multiple-9") == "/referee/multiple-9"
    of_sheet = f"/rules/multiple-9?sheet={host.token}"
    assert way_back(client, of_sheet) == f"/s/{host.token}/more"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "//evil.example",
        "/\\evil.example",
        "https://evil.example",
        "/\t/evil.example",
        "javascript:1",
    ],
)
def test_no_way_back_to_elsewhere(client: FlaskClient, elsewhere: str) -> None:
    """An address that is not one of ours is not led to."""
    page = client.get("/rules/multiple-9", query_string={"back": elsewhere}).text
    assert "evil" not in page
    assert 'class="back" href="/referee/multiple-9"' in page


@pytest.mark.parametrize(
    ("slug", "players", "options", "words"),
    [
        ("multiple-9", 2, {}, "5 deals won"),
        ("multiple-9", 2, {"scoring": "cards"}, "100 points"),
        ("multiple-9", 2, {"target": "0"}, "no limit"),
        ("multiple-9-holdem", 2, {"small_blind": "5"}, "10"),
        ("red-nines-1881", 4, {}, "everybody deals once"),
        ("red-nines", 5, {"rounds": "3"}, "3"),
        ("pink-nines", 3, {}, "everybody deals once"),
        ("pink-nines", 3, {"deals": "5"}, "5"),
        ("colorado-nines", 5, {}, "2"),
    ],
)
def test_house_rules_of_a_sheet_in_words(
    client: FlaskClient, slug: str, players: int, options: dict[str, str], words: str
) -> None:
    """Values computed from the table are shown as their results."""
    host = begin(client, slug, PLAYERS[:players], **options)
    assert f"<dd>{words}</dd>" in host.get("/more").text
