"""The pages of questions, with verdict, cards, reason and rule; and the pages of rules."""

import html
import re

import pytest
from flask.testing import FlaskClient

from referee.rules.core.named import named_values
from referee.rules.registry import GAMES
from referee.web.forms.fields import fields_of
from tests.support.cases import cases_of
from tests.support.phone import PARTIAL, Phone, begin, first_in, words

NOTHING_YET = "The ruling appears here."

#: The `[[page]]` cases: a question, and the cards `drawn` for it, spread by spread with their
#: captions, or what it `says` without cards.
PAGES = [(f"{slug}/{page['judge']}", page) for slug in GAMES for page in cases_of(slug, "page")]
DRAWN = [(where, page["ask"], page["drawn"]) for where, page in PAGES if "drawn" in page]

#: What to deal, for every game with the fewest players.
FEWEST = {slug: {"players": str(game.seats(game.house_rules())[0])} for slug, game in GAMES.items()}

#: Questions answered without cards, and what their page says.
IN_NUMBERS = [
    *((where, page["ask"], page["says"]) for where, page in PAGES if "says" in page),
    *((f"{slug}/deal", fewest, str(GAMES[slug].judges["deal"].answer(fewest).says[0]))
      for slug, fewest in FEWEST.items()),
]  # fmt: skip


def in_rows(question: str, fields: dict[str, str]) -> dict[str, str]:
    """The fields as the page sends them: a row for each person instead of one text."""
    slug, judge = question.split("/")
    sent = dict(fields)
    for field in fields_of(GAMES[slug].judges[judge].question):
        if field.kind != "people" or field.name not in fields:
            continue
        text = sent.pop(field.name)
        if field.holds == "dealer":
            who = next(name for name, player in sent.items() if player == text)
            sent[f"{field.name}.row"] = who.removeprefix("who.")
        else:
            for row, (name, value) in enumerate(named_values(text)):
                sent |= {f"who.{row}": name, f"{field.name}.{row}": value}
    return sent


def asked(client: FlaskClient, question: str, fields: dict[str, str]) -> str:
    """The ruling, as it is requested while cards are tapped."""
    sent = in_rows(question, fields)
    answer = client.get(f"/referee/{question}", query_string=sent, headers=PARTIAL)
    assert answer.status_code == 200
    return answer.text


def drawn(page: str) -> list[str]:
    """The groups on the felt as text, decisive cards in brackets."""
    groups = []
    for group in re.split(r'<div class="(?:group|nine-places)\b(?!s)', page)[1:]:
        cards = []
        for before, card in re.findall(
            r'(marked \w+">)?(?:<button[^>]*>)?<span class="k"[^>]*>(.*?)</span>', group
        ):
            text = re.sub(r'<svg.*?#(\w)".*?</svg>', r"\1", card)
            text = re.sub(r"<small>.*?</small>|</?i>|\ufe0e", "", text)
            for sign, letter in zip("♠♥♦♣", "SHDC", strict=True):
                text = text.replace(sign, letter)
            if 'data-suit="red"' in group and text == "9":
                text = "9R"
            cards.append(f"[{text}]" if before else text)
        says = re.search(r'<p class="sums?">(.*?)</p>', group)
        words = re.sub(r"<[^>]+>", "", says[1].replace("</span><span>", " ")) if says else ""
        groups.append(" ".join(cards) + (f": {html.unescape(words)}" if words else ""))
    return groups


@pytest.mark.parametrize(("question", "fields", "shows"), [*DRAWN, *IN_NUMBERS])
def test_a_ruling(
    client: FlaskClient, question: str, fields: dict[str, str], shows: list[str] | str
) -> None:
    """Its cards are drawn, not spelled out; its rule is one tap away."""
    page = asked(client, question, fields)
    if isinstance(shows, str):
        assert shows in page
    else:
        assert drawn(page) == shows
    sentences = re.findall(r"<(?:p|h3)[^>]*>(.*?)</(?:p|h3)>", page, re.DOTALL)
    card = r"(?<![\w“])(?:10|[2-9AJQK])[SHDCRPXWL]?"
    for sentence in sentences:
        words = re.sub(r"<[^>]+>", "", sentence)
        assert not re.search(rf"{card}(?: {card})+(?![\w%’])", words), words
    slug = question.partition("/")[0]
    links = re.findall(rf'class="rule"[^>]*href="/rules/{slug}[^"]*#([\w-]+)"', page)
    assert links
    assert set(links) <= set(GAMES[slug].sections)


def test_a_ruling_has_verdict_reason_cards_and_advice_in_this_order(client: FlaskClient) -> None:
    """The advice is the best legal discard of the same cards."""
    page = asked(client, "multiple-9/discard", {"cards": "8 4 4 A A 2"})
    order = [
        "Not yet: they make 20",
        "Add a 7 and it goes.",
        "Multiple 9, sets and groups",
        "8 + 4 + 4 + 2 + 1 + 1 = <b>20</b>",
        "From these cards you can lay",
        "8 + 1 = <b>9</b>",
    ]
    places = [page.index(part) for part in order]
    assert places == sorted(places)


def test_a_deciding_card_is_marked_by_more_than_color(client: FlaskClient) -> None:
    """By a sign, and by a word for screen readers."""
    trick = asked(client, "nine-five-two/trick", {"cards": "10S KS 2H"})
    assert 'aria-label="king of spades"' in trick.partition("marked right")[2][:200]
    assert '<b aria-hidden="true">✓</b><span class="hidden">wins</span>' in trick
    run = asked(client, "red-nines/run", {"cards": "7 9"})
    assert '<b aria-hidden="true">✗</b><span class="hidden">doesn’t fit</span>' in run


def open_fields(slug: str, judge: str) -> bool:
    """Whether a question has fields for cards, which begin empty."""
    kinds = {field.kind for field in fields_of(GAMES[slug].judges[judge].question)}
    return "cards" in kinds and "people" not in kinds


@pytest.mark.parametrize(
    ("slug", "judge"), [(slug, judge) for slug, game in GAMES.items() for judge in game.judges]
)
def test_there_is_no_verdict_without_a_card(client: FlaskClient, slug: str, judge: str) -> None:
    """Neither at first nor after the last card is taken back."""
    verdicts = ("<h2>Yes", "<h2>No:", "says yes", "says no", 'class="rule"')
    whole = client.get(f"/referee/{slug}/{judge}").text
    assert not any(verdict in whole for verdict in verdicts)
    if open_fields(slug, judge):
        assert NOTHING_YET in whole
        blank = dict.fromkeys(GAMES[slug].judges[judge].question.__struct_fields__, "")
        switched = {"final": "true", "packs": "2", "traded": "true", "pile": "4"}
        emptied = asked(client, f"{slug}/{judge}", {**blank, **switched})
        assert not any(verdict in emptied for verdict in verdicts)


def test_an_empty_question_says_what_to_do(client: FlaskClient) -> None:
    """Tap cards, or fill in a field."""
    assert "Tap the cards" in client.get("/referee/multiple-9/hand").text
    payment = client.get("/referee/red-nines-1881/payment").text
    assert "Fill it in" in payment
    none_held = asked(client, "red-nines-1881/payment", {"plain": "0", "red_nines": "0"})
    assert "Nothing held, nothing to pay." in none_held


def test_ticked_places_are_sent_one_by_one(client: FlaskClient) -> None:
    """A link has all of them in one field."""
    place = "/referee/colorado-nines/opening"
    for sent in ("places=2&places=8", "places=2+8", "places=2,8"):
        page = client.get(f"{place}?{sent}").text
        assert "No: both in one column" in page
        assert len(re.findall(r'name="places"[^>]* checked', page)) == 2


@pytest.mark.parametrize(
    ("question", "field", "cards"),
    [
        ("multiple-9/discard", "cards", "8 4 4 A A"),
        ("multiple-9/discard", "cards", "9 9"),
        ("9-of-a-kind/claim", "cards", "4S 4H 2D 9C"),
        ("9-of-a-kind/trade", "give", "4S 4H"),
        ("red-nines/run", "cards", "6 7 8"),
        ("nine-five-two/trick", "cards", "KS 9H AD"),
        ("nine-five-two/discard", "hand", "KS 9H AD 2C"),
        ("multiple-9-holdem/showdown", "hands", "Ann:8 2;Ben:K A"),
        ("9-of-a-kind/centre", "cards", "4S"),
    ],
)
def test_no_red_while_cards_are_being_tapped(
    client: FlaskClient, question: str, field: str, cards: str
) -> None:
    """An incomplete hand is no fault yet."""
    tapped = cards.split(" ")
    for number in range(1, len(tapped) + 1):
        assert "says no" not in asked(client, question, {field: " ".join(tapped[:number])})


def test_half_a_turn_is_no_fault_yet(client: FlaskClient) -> None:
    """The card drawn is filled in, what was done with it isn't."""
    page = asked(client, "colorado-nines/turn", {"way": "B"})
    assert "Not yet" in page
    assert "says wait" in page


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("red-nines-1881/run", {"cards": "7S 9H="}),
        ("red-nines-1881/sequence", {"who.0": "Ann", "turns.0": "7S 9H=", "turns.1": ""}),
        ("pink-nines/sequence", {"who.0": "Ann", "turns.0": "7 9R=", "turns.1": "9"}),
    ],
)
def test_a_red_nine_whose_card_is_still_to_be_tapped(
    client: FlaskClient, question: str, fields: dict[str, str]
) -> None:
    """After “stands for…” nothing is a fault until the card is tapped."""
    page = asked(client, question, fields)
    assert "says yes" in page


PLAYERS = ["Ann", "Ben", "Cat", "Dan", "Eve"]


def way_back(client: FlaskClient, address: str) -> str:
    """The target of a page's back link."""
    found = first_in(client.get(address).text, r'class="back" href="([^"]*)"')
    return html.unescape(found)


@pytest.mark.parametrize("slug", GAMES)
def test_a_rules_page_has_a_table_of_contents(client: FlaskClient, slug: str) -> None:
    """It links to every section, below one title and a minute's reading."""
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
def test_the_rules_are_linked_from_every_page_of_a_game(client: FlaskClient, slug: str) -> None:
    """The choice of a game, the new sheet, the questions, and the sheet."""
    host = begin(client, slug, PLAYERS[: GAMES[slug].seats(GAMES[slug].house_rules())[0]])
    near = ["/new", f"/new/{slug}", "/referee", f"/referee/{slug}"]
    near += [f"/s/{host.token}/more", f"/s/{host.token}/referee"]
    for place in near:
        found = re.findall(rf'href="(/rules/{slug}(?:\?[^"]*)?)"', client.get(place).text)
        assert found, place
        assert client.get(html.unescape(found[0])).status_code == 200


def test_a_rules_page_leads_back_to_where_it_was_opened(client: FlaskClient, host: Phone) -> None:
    """Opened from a sheet, it keeps the sheet's bar."""
    for asked in (
        "/referee/multiple-9/discard?cards=8+4+4+2&packs=1",
        f"/s/{host.token}/referee/discard?cards=8+4+4+2",
    ):
        link = first_in(client.get(asked).text, r'class="rule"[^>]*href="([^"]+)"')
        address = html.unescape(link)
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
def test_a_back_link_never_leads_to_another_site(client: FlaskClient, elsewhere: str) -> None:
    """Whatever address the page is given."""
    page = client.get("/rules/multiple-9", query_string={"back": elsewhere}).text
    assert "evil" not in page
    assert 'class="back" href="/referee/multiple-9"' in page


@pytest.mark.parametrize(
    ("slug", "players", "options", "words"),
    [
        ("multiple-9", 2, {}, "5 deals won"),
        ("multiple-9-holdem", 2, {"small_blind": "5"}, "10"),
        ("red-nines-1881", 4, {}, "everybody deals once"),
    ],
)
def test_house_rules_of_a_sheet_in_words(
    client: FlaskClient, slug: str, players: int, options: dict[str, str], words: str
) -> None:
    """A default that depends on the players is shown as its value."""
    host = begin(client, slug, PLAYERS[:players], **options)
    assert f"<dd>{words}</dd>" in host.get("/more").text
