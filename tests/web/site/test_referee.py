"""Ruling pages: the verdict, the cards it speaks of drawn, the reason and its rule."""

import html
import re

import pytest
from flask.testing import FlaskClient

from referee.rules.registry import GAMES
from referee.web.forms.fields import fields_of
from tests.support.phone import PARTIAL

NOTHING_YET = "The ruling appears here."

#: A question, and the cards drawn for it, spread by spread with what is said under each.
DRAWN = [
    ("multiple-9/discard", {"cards": "8 4 4 A A"}, ["8 A: 8 + 1 = 9", "4 4 A: 4 + 4 + 1 = 9"]),
    (
        "multiple-9/discard",
        {"cards": "8 4 4 2"},
        ["8 4 4 2: 8 + 4 + 4 + 2 = 18"],
    ),
    (
        "multiple-9/discard",
        {"cards": "8 4 4 A A K"},
        [
            "K 8 4 4 A A: 13 + 8 + 4 + 4 + 1 + 1 = 31",
            "8 A: 8 + 1 = 9",
            "4 4 A: 4 + 4 + 1 = 9",
        ],
    ),
    ("multiple-9/discard", {"cards": "9", "final": "true"}, ["9: makes 9"]),
    (
        "multiple-9/hand",
        {"hand": "K 9 9 5 A"},
        ["K 5: 13 + 5 = 18", "9 9: 9 + 9 = 18", "A: stays in your hand"],
    ),
    (
        "9-of-a-kind/claim",
        {"cards": "4S 4H 4D 4C 4R 4P 4X 5W 5L"},
        ["4S 4H 4D 4C 4R 4P 4X: 7 of the nine are fours", "5W 5L: the others"],
    ),
    (
        "9-of-a-kind/claim",
        {"cards": "AS 2H 3D 4C 5R 6P 7X 8W 9L"},
        ["AS 2H 3D 4C 5R 6P 7X 8W 9L: a Blocker"],
    ),
    (
        "9-of-a-kind/collection",
        {"cards": "AS AH AD AC AR AP 9S 9H 9D"},
        ["9S 9H 9D: nines: these don’t count", "AS AH AD AC AR AP: 1 + 1 + 1 + 1 + 1 + 1 = 6"],
    ),
    (
        "9-of-a-kind/trade",
        {"give": "7D 2D", "take": "4X 4H"},
        ["7D 2D: given", "4X 4H: taken"],
    ),
    (
        "9-of-a-kind/centre",
        {"cards": "7D 2D", "pile": "9", "traded": "true"},
        ["7D 2D: into the center"],
    ),
    (
        "red-nines-1881/run",
        {"cards": "8S 9H=9S JS", "last": "7S"},
        ["7S: already there", "8S 9H [JS]: laid now"],
    ),
    ("red-nines-1881/run", {"cards": "7S"}, ["7S", "8S: must follow"]),
    (
        "red-nines-1881/sequence",
        {"turns": "Ann:7S 8S;Cat:9S JS", "seating": "Ann,Ben,Cat", "table": "4H"},
        [
            "7S 8S: Ann",
            "9S [JS]: Cat",
            "4H: Cards known to be on the table (optional)",
        ],
    ),
    (
        "red-nines/sequence",
        {"turns": "Ann:A A 2;Cat:3"},
        ["A A 2: Ann", "3: Cat", "4: must follow"],
    ),
    ("pink-nines/sequence", {"turns": "Ann:Q K A"}, ["Q K A: Ann"]),
    ("red-nines/penalty", {"cards": "9R 9R 2"}, ["9R 9R 2: 9 + 9 + 2 = 20"]),
    ("red-nines/run", {"cards": "7 8 10"}, ["7 8 [10]"]),
    ("pink-nines/run", {"cards": "Q K A"}, ["Q K A"]),
    (
        "nine-five-two/trick",
        {"cards": "10S KS 2H", "trump": "H"},
        ["10S KS [2H]: hearts are trumps"],
    ),
    ("nine-five-two/trick", {"cards": "10S KS 2H"}, ["10S [KS] 2H: no trumps named"]),
    (
        "nine-five-two/return",
        {"hand": "6C 10D", "given": "3C"},
        ["3C: given to you", "6C: goes back", "10D: Your hand"],
    ),
    (
        "nine-five-two/kitty",
        {"returned": "6C", "kitty": "10C AC 5C 2S"},
        ["6C: you gave back", "10C AC: show", "5C 2S: not shown"],
    ),
    (
        "nine-five-two/follow",
        {"hand": "KS 2S AH", "led": "10S", "played": "AH"},
        ["10S: led", "[AH]: played", "KS 2S: you may play"],
    ),
    (
        "nine-five-two/follow",
        {"hand": "KS AH", "led": "10D"},
        ["10D: led", "KS AH: you may play"],
    ),
    (
        "nine-five-two/discard",
        {"hand": "KS AH", "kitty": "2C", "away": "2C"},
        ["2C: discarded", "KS AH: stay"],
    ),
    (
        "colorado-nines/grid",
        {"columns": "J J * | J Q * | 5 5"},
        ["J J 5 J Q 5 ★ ★: 0 70 2"],
    ),
    (
        "multiple-9-holdem/hand",
        {"hole": "8 2", "board": "J 7 9 2 10"},
        [
            "8 2: Your two cards",
            "J 7 9 2 10: The board",
            "J 7: 11 + 7 = 18",
            "10 8: 10 + 8 = 18",
            "9: 9",
            "2 2: left over: 4",
        ],
    ),
]  # fmt: skip

#: What to deal is asked of every game, for as few players as it can be played by.
FEWEST = {slug: {"players": str(game.seats(game.house_rules())[0])} for slug, game in GAMES.items()}

#: Questions that are answered without looking at cards: what stands on the page instead.
IN_NUMBERS = [
    ("red-nines-1881/payment", {"plain": "2", "red_nines": "1"}, "Pay 4: 2 cards and a red nine."),
    (
        "nine-five-two/exchange",
        {"scores": "Ann:2;Ben:-1;Cat:-1", "dealer": "Ben"},
        "both at once.",
    ),
    ("multiple-9-holdem/odds", {"hands": "Ann:A A;Ben:A A"}, "50.0%"),
    ("multiple-9-holdem/pots", {"paid": "Ann:100;Ben:200"}, "The pot"),
    ("multiple-9-holdem/showdown", {"hands": "Ann:8 2", "board": "J 7 9 2 10"}, "left over: 4"),
    (
        "multiple-9-holdem/showdown",
        {"hands": "Ann:7 9;Ben:A 2", "board": "A A A 6 7"},  # level, and Ben’s own is drawn too
        "7 + 2 = 9",
    ),
    ("colorado-nines/opening", {"places": "1 5"}, "Yes: turn these two up"),
    ("colorado-nines/turn", {"way": "C", "flip": "3"}, "top right: face up"),
    *((f"{slug}/deal", fewest, str(GAMES[slug].judges["deal"].answer(fewest).says[0]))
      for slug, fewest in FEWEST.items()),
]  # fmt: skip


def asked(client: FlaskClient, question: str, fields: dict[str, str]) -> str:
    """The ruling, as it comes while cards are tapped."""
    answer = client.get(f"/referee/{question}", query_string=fields, headers=PARTIAL)
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


@pytest.mark.parametrize(("question", "fields", "spreads"), DRAWN)
def test_cards_are_drawn(
    client: FlaskClient, question: str, fields: dict[str, str], spreads: list[str]
) -> None:
    """What the judge found lies there in cards."""
    assert drawn(asked(client, question, fields)) == spreads


@pytest.mark.parametrize(("question", "fields", "words"), IN_NUMBERS)
def test_what_needs_no_cards(
    client: FlaskClient, question: str, fields: dict[str, str], words: str
) -> None:
    """Numbers and names are told."""
    assert words in asked(client, question, fields)


def test_every_judge_is_in_one_of_the_tables() -> None:
    """A new question needs a case here."""
    known = {question for question, *_ in [*DRAWN, *IN_NUMBERS]}
    assert known == {f"{slug}/{name}" for slug, game in GAMES.items() for name in game.judges}


@pytest.mark.parametrize(("question", "fields", "_"), [*DRAWN, *IN_NUMBERS])
def test_sentences_spell_no_cards(
    client: FlaskClient, question: str, fields: dict[str, str], _: object
) -> None:
    """No sentence makes people read "9R 9R 2" where the cards lie beside it."""
    page = asked(client, question, fields)
    sentences = re.findall(r"<(?:p|h3)[^>]*>(.*?)</(?:p|h3)>", page, re.DOTALL)
    card = r"(?<![\w“])(?:10|[2-9AJQK])[SHDCRPXWL]?"
    for sentence in sentences:
        words = re.sub(r"<[^>]+>", "", sentence)
        assert not re.search(rf"{card}(?: {card})+(?![\w%’])", words), words


@pytest.mark.parametrize(("question", "fields", "_"), [*DRAWN, *IN_NUMBERS])
def test_every_ruling_leads_to_its_rule(
    client: FlaskClient, question: str, fields: dict[str, str], _: object
) -> None:
    """Legal or not, its section of the rules is one tap away."""
    page = asked(client, question, fields)
    slug = question.partition("/")[0]
    links = re.findall(rf'class="rule"[^>]*href="/rules/{slug}[^"]*#([\w-]+)"', page)
    assert links
    assert set(links) <= set(GAMES[slug].sections)


def test_verdict_then_reason_then_cards_then_what_can_be_laid(client: FlaskClient) -> None:
    """In this order, with the best legal discard of the same cards last."""
    page = asked(client, "multiple-9/discard", {"cards": "8 4 4 A A 2"})
    order = [
        "Not yet: they make 20",
        "A seven would do.",
        "Multiple 9, sets and groups",
        "8 + 4 + 4 + 2 + 1 + 1 = <b>20</b>",
        "From these cards you can lay",
        "8 + 1 = <b>9</b>",
    ]
    places = [page.index(part) for part in order]
    assert places == sorted(places)


def test_a_card_that_decides_is_told_without_colour(client: FlaskClient) -> None:
    """The mark is a sign for the eye and a word for the ear."""
    trick = asked(client, "nine-five-two/trick", {"cards": "10S KS 2H"})
    assert 'aria-label="king of spades"' in trick.partition("marked right")[2][:200]
    assert '<b aria-hidden="true">✓</b><span class="hidden">wins</span>' in trick
    run = asked(client, "red-nines/run", {"cards": "7 9"})
    assert '<b aria-hidden="true">✗</b><span class="hidden">doesn’t fit</span>' in run


def open_fields(slug: str, judge: str) -> bool:
    """Whether a question has fields for cards, which are empty until they are tapped."""
    kinds = {field.kind for field in fields_of(GAMES[slug].judges[judge].question)}
    return "cards" in kinds and "people" not in kinds


@pytest.mark.parametrize(
    ("slug", "judge"), [(slug, judge) for slug, game in GAMES.items() for judge in game.judges]
)
def test_nothing_is_ruled_on_before_it_is_asked(client: FlaskClient, slug: str, judge: str) -> None:
    """No verdict without a card: not on the bare page, not after the last card is taken back."""
    verdicts = ("<h2>Yes", "<h2>No:", "says yes", "says no", 'class="rule"')
    whole = client.get(f"/referee/{slug}/{judge}").text
    assert not any(verdict in whole for verdict in verdicts)
    if open_fields(slug, judge):
        assert NOTHING_YET in whole
        blank = dict.fromkeys(GAMES[slug].judges[judge].question.__struct_fields__, "")
        switched = {"final": "true", "packs": "2", "traded": "true", "pile": "4"}
        emptied = asked(client, f"{slug}/{judge}", {**blank, **switched})
        assert not any(verdict in emptied for verdict in verdicts)


def test_what_waits_is_said_in_words(client: FlaskClient) -> None:
    """Cards are tapped; where there are none, something else is filled in."""
    assert "Tap the cards" in client.get("/referee/multiple-9/hand").text
    payment = client.get("/referee/red-nines-1881/payment").text
    assert "Fill it in" in payment
    none_held = asked(client, "red-nines-1881/payment", {"plain": "0", "red_nines": "0"})
    assert "Nothing held, nothing to pay." in none_held


def test_places_are_ticked_one_by_one(client: FlaskClient) -> None:
    """Each comes as a field of its own, and a link has them all in one."""
    place = "/referee/colorado-nines/opening"
    for sent in ("places=2&places=8", "places=2+8", "places=2,8"):
        page = client.get(f"{place}?{sent}").text
        assert "No: both in one column" in page
        assert len(re.findall(r'name="places"[^>]* checked', page)) == 2


def test_half_a_turn_is_no_fault_yet(client: FlaskClient) -> None:
    """What was drawn has been said, what became of it has not: nothing is red."""
    page = asked(client, "colorado-nines/turn", {"way": "B"})
    assert "Not yet" in page
    assert "says wait" in page


@pytest.mark.parametrize(
    ("question", "fields"),
    [
        ("red-nines-1881/run", {"cards": "7S 9H="}),
        ("red-nines-1881/sequence", {"who.0": "Ann", "turns.0": "7S 9H=", "turns.1": ""}),
        ("pink-nines/sequence", {"turns": "Ann:7 9R=;Ben:9"}),
    ],
)
def test_a_red_nine_whose_card_is_still_to_be_tapped(
    client: FlaskClient, question: str, fields: dict[str, str]
) -> None:
    """Between “stands for…” and the card nothing turns red."""
    page = asked(client, question, fields)
    assert "says yes" in page
