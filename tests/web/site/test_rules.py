"""Rules pages: complete, reached from everywhere, and leading back to where one came from."""

import html
import re
from html.parser import HTMLParser

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from tests.support.phone import Phone, begin

PLAYERS = ["Ann", "Ben", "Cat", "Dan", "Eve"]


class Page(HTMLParser):
    """What a page has: ids, headings, links, and its words section by section."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[str] = []
        self.words: dict[str, str] = {}
        self.section = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what begins here."""
        named = dict(attrs)
        if named.get("id"):
            self.ids.append(named["id"] or "")
        if tag == "section":
            self.section = named.get("id") or ""
        if tag in ("h1", "h2"):
            self.headings.append("")
        if tag == "a":
            self.links.append(named.get("href") or "")

    def handle_data(self, data: str) -> None:
        """Note the words."""
        self.words[self.section] = " ".join([self.words.get(self.section, ""), *data.split()])
        if (self.lasttag in ("h1", "h2")) and self.headings and not self.headings[-1]:
            self.headings[-1] = data.strip()


def rules(client: FlaskClient, slug: str, **query: str) -> Page:
    """The rules page of a game."""
    return Page(client.get(f"/rules/{slug}", query_string=query).text)


def way_back(client: FlaskClient, address: str) -> str:
    """Where the back link of a page leads."""
    found = re.search(r'class="back" href="([^"]*)"', client.get(address).text)
    assert found is not None
    return html.unescape(found[1])


@pytest.mark.parametrize("slug", GAMES)
def test_everything_can_be_found(client: FlaskClient, slug: str) -> None:
    """One title, a minute's reading, and a list of contents that leads to every section."""
    game, page = GAMES[slug], rules(client, slug)
    anchors = [*game.sections, "house-rules", "sources"]
    assert page.headings[:2] == [str(game.title), "In a minute"]
    assert page.ids.index("minute") < page.ids.index(anchors[0])
    assert [link[1:] for link in page.links if link.startswith("#")] == ["main", *anchors]
    assert len(page.ids) == len(set(page.ids))
    assert set(anchors) < set(page.ids)
    for anchor, heading in game.sections.items():
        assert page.words[anchor].strip().casefold().startswith(str(heading).casefold())


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
    """A rules page leads back to where it was opened."""
    asked = "/referee/multiple-9/discard?cards=8+4+4+2&packs=1"
    link = re.search(r'class="rule"[^>]*href="([^"]+)"', client.get(asked).text)
    assert link is not None
    address = html.unescape(link[1])
    assert address.endswith("#sets")
    assert way_back(client, address) == asked
    assert way_back(client, "/rules/multiple-9") == "/referee/multiple-9"
    of_sheet = f"/rules/multiple-9?sheet={host.token}"
    assert way_back(client, of_sheet) == f"/s/{host.token}/more"


def test_at_a_sheet_the_rules_stay_with_it(client: FlaskClient, host: Phone) -> None:
    """Asked from a sheet, the rules page keeps the sheet's bar and leads back to the question."""
    place = f"/s/{host.token}/referee/discard?cards=9"
    link = re.search(r'class="rule"[^>]*href="([^"]+)"', client.get(place).text)
    assert link is not None
    address = html.unescape(link[1])
    assert f'href="/s/{host.token}/more"' in client.get(address).text
    assert way_back(client, address) == place


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
