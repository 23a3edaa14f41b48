"""Everybody's own pad: the game's form with the part of one player, and nothing of another's."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.extras.seats.pages.context import seat_book
from referee.extras.seats.pages.seat import PadPage
from referee.rules.registry import GAMES
from referee.web.answers.pages import render
from referee.web.context import sheet_of
from referee.web.forms.fields import OwnPart
from referee.web.forms.taps import Form
from referee.web.sheet.page import FormTarget, Sent, on_sheet
from tests.extras.seats.test_gathering import Table
from tests.support.phone import Phone, begin, words

#: What a form sends besides answers.
BESIDE = {"action", "after", "key", "seat_of", "seat", "deal", "call", "at", "how", "tap", "@"}
NAMES = ["Ann", "Ben", "Cy", "Dot", "Eve"]

#: By game and house rules: the fields of the player's own seat, those of the player who ended the
#: deal, and what that player is asked about their own hand.
PADS: list[tuple[str, dict[str, Any], set[str], set[str], set[str]]] = [
    ("multiple-9", {}, {"player"}, {"player"}, set()),
    ("multiple-9", {"scoring": "cards"}, {"left.N"}, {"player"}, set()),
    ("multiple-9-holdem", {}, set(), set(), set()),  # Dot bets first
    (
        "9-of-a-kind",
        {},
        {"hands.N.deadwood", "hands.N.cards", "hands.N.collecting"},
        {"callers", "by"},
        set(),
    ),
    (
        "9-of-a-kind",
        {"chicken": "true"},
        {"hands.N.deadwood", "hands.N.cards", "hands.N.collecting"},
        {"callers", "by"},
        {"hands.N.deadwood", "hands.N.cards", "hands.N.collecting", "hands.N.kept"},
    ),
    ("red-nines-1881", {}, {"hands.N.plain", "hands.N"}, {"player", "red_nine"}, set()),
    ("red-nines", {}, {"hands.N.points", "hands.N"}, {"player", "red_nine"}, set()),
    (
        "red-nines",
        {"must_announce": "true"},
        {"hands.N.points", "hands.N"},
        {"player", "red_nine", "announced"},
        set(),
    ),
    ("pink-nines", {}, {"player"}, {"player"}, set()),
    (
        "pink-nines",
        {"card_payments": "true"},
        {"hands.N.plain", "hands.N"},
        {"player", "red_nine"},
        set(),
    ),
    ("nine-five-two", {}, {"tricks.N"}, set(), {"tricks.N"}),
    ("colorado-nines", {}, {"grids.N"}, set(), {"grids.N"}),
    ("colorado-nines", {"going_out": "5"}, {"grids.N"}, {"out"}, {"grids.N"}),
    ("plain-score", {}, {"points.N"}, set(), {"points.N"}),
]


def test_red_aces_may_be_previewed(app: Flask, client: FlaskClient) -> None:
    """By a form made by hand: no page asks for that."""
    table = Table(client, "red-nines-1881", NAMES[:4])
    aces = {"seat_of": "Ben", "action": "aces", "player": "Ben"}
    answer = table["Ben"].post("/seat/preview", aces)
    assert (answer.status_code, "red aces" in answer.text) == (200, True)


def pad(app: Flask, host: Phone, own: OwnPart, form: Form | None = None, **more: Any) -> str:
    """The pad as this player's phone shows it."""
    with app.test_request_context(f"/s/{host.token}"):
        on, sent = on_sheet(host.token, sheet_of(host.token)), Sent(form or Form())
        target = FormTarget("/own", "/own/preview", on.sheet.mark)
        return render(
            PadPage(on, seat_book().at_table(on.sheet), own, sent, target, "/back", **more),
            "seats/pad.html",
        )


def asked(page: str) -> set[str]:
    """The fields that a pad has, without what a form sends besides."""
    names = {name.partition(":")[0] for name in re.findall(r'\sname="([^"]+)"', page)}
    return names - BESIDE - {"viewport", "color-scheme", "theme-color", "htmx-config"}


def seats(which: set[str], seat: int) -> set[str]:
    return {name.replace(".N", f".{seat}") for name in which}


def at_table(slug: str) -> list[str]:
    return NAMES[:3] if slug == "nine-five-two" else NAMES


def every_seat() -> Iterator[Any]:
    for slug, rules, *asks in PADS:
        for seat in range(len(at_table(slug))):
            if slug == "multiple-9-holdem" and NAMES[seat] == "Dot":
                continue
            yield pytest.param(slug, rules, seat, asks, id=f"{slug} {rules} {seat}")


@pytest.mark.parametrize(("slug", "rules", "seat", "asks"), list(every_seat()))
def test_a_pad_asks_for_nothing_of_another_seat(  # noqa: PLR0913, PLR0917 - a case
    app: Flask,
    client: FlaskClient,
    slug: str,
    rules: dict[str, Any],
    seat: int,
    asks: list[set[str]],
) -> None:
    """Its fields are the player's own; whoever ended the deal also says how, and by which hand."""
    own, called, hand = asks
    acting = ["Dot"] if slug == "multiple-9-holdem" else []
    host = begin(client, slug, at_table(slug), **rules)
    page = pad(app, host, OwnPart(NAMES[seat], seat, 1))
    page = re.sub(r'(?s)<ul class="stand">.*?</ul>', "", page)  # what all may see, of everybody
    assert asked(page) == seats(own, seat)
    assert [name for name in NAMES if name in words(page)] == sorted({NAMES[seat], *acting})
    calls = pad(app, host, OwnPart(NAMES[seat], seat, 1, calls=True))
    assert asked(calls) == called | seats(hand, seat)
    assert page.count("That’s mine") == (1 if own - {"player"} else 0)


def test_whoever_ended_the_deal_says_so(app: Flask, client: FlaskClient) -> None:
    """In the game's words, where nobody has yet; what happens during a deal as well."""
    host = begin(client, "red-nines-1881", NAMES)
    page = pad(app, host, OwnPart("Ben", 1, 1, call_at="/own?call=yes"))
    assert 'href="/own?call=yes">I went out</a>' in page
    assert 'name="player" value="Ben">Record the red aces' in page
    called = GAMES["red-nines-1881"].read_entry({"action": "out", "player": "Ann"})
    known = pad(app, host, OwnPart("Ben", 1, 1), called=called)
    assert "I went out" not in known
    assert "red aces" not in known
    assert "Deal 1 is over" in known
    assert "Ann went out." in known


def test_a_pad_without_anything_to_enter_says_so(app: Flask, client: FlaskClient) -> None:
    """The others’ cards are scored once somebody has won by turns."""
    host = begin(client, "multiple-9", NAMES, scoring="cards")
    turn = {"action": "turn", "player": "Ben", "cards": "9 8 4 A 5", "drew": "false"}
    assert host.record(turn, after=0).status_code == 303
    assert "Nothing to enter for you." in pad(app, host, OwnPart("Ben", 1, 1))
    assert asked(pad(app, host, OwnPart("Cy", 2, 1))) == {"left.2"}


def test_a_pad_that_was_sent_keeps_what_was_answered(app: Flask, client: FlaskClient) -> None:
    host = begin(client, "red-nines-1881", NAMES)
    sent = Form([
        ("action", "out"), ("key", "own-1"), ("hands.0.plain", "3"),
        ("hands.0.plain:red_nines", ""), ("hands.0.plain:red_nines", "1"),
    ])  # fmt: skip
    page = pad(app, host, OwnPart("Ann", 0, 1), sent)
    assert 'name="hands.0.plain" value="3" checked' in page
    assert 'name="hands.0.plain:red_nines" value="1" checked' in page
    assert 'name="key" value="own-1"' in page


NUMBERS = {"red-nines-1881": "hands.0.plain", "red-nines": "hands.0.points"}
#: A deal that Ben ended, without Ann's hand: the pad's answers may be named like the drawer's.
ENDED = {
    "red-nines-1881": {"hands.2.plain": "1", "hands.3.plain": "1", "hands.4.plain": "1"},
    "red-nines": {"hands.2.points": "5", "hands.3.points": "5", "hands.4.points": "5"},
}


@pytest.mark.parametrize(
    ("slug", "answers", "score"),
    [
        ("red-nines-1881", ("3", "1"), "Ann −13 (2 + 2 + 9 staked)"),
        ("red-nines-1881", ("3", "0"), "Ann −12 (3 cards + 9 staked)"),
        ("red-nines", ("20", "1"), "= 58"),
        ("red-nines", ("", "2"), "= 72"),
        ("red-nines", ("7", "0"), "Ann 7"),
    ],
)
def test_red_nines_asked_for_by_themselves(
    client: FlaskClient, slug: str, answers: tuple[str, str], score: str
) -> None:
    """They are among the cards that are counted, and beside the points."""
    host = begin(client, slug, NAMES)
    number = NUMBERS[slug]
    fields = {number: answers[0], f"{number}:red_nines": answers[1]}
    deal = {"action": "out", "player": "Ben", "red_nine": "false", **ENDED[slug], **fields}
    assert score in words(host.post("/preview", deal).text)


@pytest.mark.parametrize("slug", ["red-nines-1881", "red-nines"])
def test_no_red_nine_is_forgotten_quietly(client: FlaskClient, slug: str) -> None:
    host = begin(client, slug, NAMES)
    number, asked = NUMBERS[slug], f"{NUMBERS[slug]}:red_nines"
    deal = {"action": "out", "player": "Ben", **ENDED[slug], number: "3", asked: ""}
    answer = host.record(deal, after=0)
    assert answer.status_code == 422
    assert "Is a red nine among Ann’s cards?" in answer.text
    assert host.record({**deal, asked: "4"}, after=0).status_code == 422
    assert host.record({**deal, asked: "0"}, after=0).status_code == 303


def seated(client: FlaskClient, slug: str) -> Phone:
    """A phone with a play link, and Ann's seat."""
    phone = begin(client, slug, NAMES).other("play")
    assert phone.post("/seat/take", {"player": "Ann"}).status_code == 303
    return phone


@pytest.mark.parametrize(("tap", "hand"), [("@:9", "8 | 9"), ("", "8 |")])
def test_a_key_without_script_brings_the_pad_back(client: FlaskClient, tap: str, hand: str) -> None:
    """With its card in the hand, which is not sent yet; so does Enter, with nothing else."""
    phone = seated(client, "colorado-nines")
    sent = {"action": "grids", "seat_of": "Ann", "deal": "0", "at": "grids.0", "grids.0": "8 |"}
    answer = phone.post("/seat/hand", {**sent, "grids.0:columns": "3", "how": "cards", "tap": tap})
    assert answer.status_code == 200
    assert f'name="grids.0" aria-label="Your grid" value="{hand}' in answer.text
    assert "Yours is in" not in phone.get("/seat?player=Ann").text


def previewed(phone: Phone, seat_of: str, **fields: str) -> str:
    form = {"seat_of": seat_of, "deal": "0", **fields}
    answer = phone.post("/seat/preview", form)
    assert answer.status_code == 200
    return answer.text


def test_a_hand_is_laid_on_the_felt_with_what_it_costs(client: FlaskClient) -> None:
    """Face down except its red nines, once their number is known."""
    host = begin(client, "red-nines-1881", NAMES)
    phone = host.other("play")
    phone.post("/seat/take", {"player": "Cy"})
    ann = {"seat_of": "Ann", "deal": "0", "action": "out", "player": "Ann", "red_nine": "true"}
    host.post("/seat/hand", ann)
    pad = phone.get("/seat?player=Cy").text
    assert "Ann went out on a red nine. Everyone pays double." in words(pad)
    assert "Ann is in" in words(pad)
    three = {"action": "out", "hands.2.plain": "3", "hands.2.plain:red_nines": ""}
    unanswered = previewed(phone, "Cy", **three)
    assert unanswered.count("k back") == 3
    assert words(unanswered) == ""
    answered = previewed(phone, "Cy", **{**three, "hands.2.plain:red_nines": "1"})
    assert answered.count("k back") == 2
    assert words(answered) == "9 You pay Ann 8 2 cards and a red nine, doubled"
    dot = {"action": "out", "hands.3.plain": "3", "hands.3.plain:red_nines": "0"}
    assert words(previewed(host, "Dot", **dot)) == "Dot pays Ann 6 3 cards, doubled"


@pytest.mark.parametrize(
    ("slug", "call", "hand", "said"),
    [
        (
            "red-nines",
            {"action": "out", "player": "Ann", "red_nine": "false"},
            {"hands.1.points": "20", "hands.1.points:red_nines": "1"},
            "9 58 for you (20 + 9) × 2 in hand",
        ),
        (
            "9-of-a-kind",
            {"action": "end", "callers": "Ann", "by": "nine"},
            {"hands.1.deadwood": "17"},
            "17 left",
        ),
        ("plain-score", {}, {"action": "deal", "points.1": "-3"}, "−3"),
        (
            "colorado-nines",
            {},
            {"action": "grids", "grids.1": "11"},
            "11 for you counted at the table",
        ),
    ],
)
def test_what_a_figure_brings_in_the_words_of_its_game(
    client: FlaskClient, slug: str, call: dict[str, str], hand: dict[str, str], said: str
) -> None:
    host = begin(client, slug, NAMES)
    if call:
        host.post("/seat/hand", {"seat_of": "Ann", "deal": "0", **call})
    phone = host.other("play")
    phone.post("/seat/take", {"player": "Ben"})
    assert words(previewed(phone, "Ben", **{"action": call.get("action", ""), **hand})) == said


def test_the_players_hand_is_on_the_felt_once_it_is_in(client: FlaskClient) -> None:
    """With its cost, and the others around the table: who is in, and who enters for whom."""
    host = begin(client, "red-nines-1881", NAMES)
    phones = {name: host.other("play") for name in ("Ann", "Cy")}
    for name, phone in [*phones.items(), ("Ben", host)]:
        phone.post("/seat/take", {"player": name})
    ann = {"action": "out", "player": "Ann", "red_nine": "true", "seat_of": "Ann", "deal": "0"}
    phones["Ann"].post("/seat/hand", ann)
    cy = {"action": "out", "hands.2": "9D 5H KS", "seat_of": "Cy", "deal": "0"}
    phones["Cy"].post("/seat/hand", cy)
    page = phones["Cy"].get("/seat").text
    assert "You pay Ann 8. Only this phone shows it." in words(page)
    assert 'aria-label="Hold to see your cards"' in page
    around = words(page[page.index('class="spots"') : page.index('class="mine"')])
    assert "Dot Ben enters it Eve Ben enters it Ann went out Ben counting…" in around
    assert 'class="mine"' not in phones["Ann"].get("/seat").text


def test_two_red_nines_are_offered_while_two_can_be_held(client: FlaskClient) -> None:
    """Whoever went out on one holds it no more, and the pack has two."""
    for on_one, offers in (("false", True), ("true", False)):
        host = begin(client, "red-nines-1881", NAMES)
        out = {"action": "out", "player": "Ann", "red_nine": on_one}
        host.post("/seat/hand", {"seat_of": "Ann", "deal": "0", **out})
        phone = host.other("play")
        phone.post("/seat/take", {"player": "Ben"})
        page = words(phone.get("/seat"))
        assert "No Yes, one" in page
        assert ("Yes, two" in page) == offers


def test_once_somebody_is_in_nothing_of_play_is_asked(client: FlaskClient) -> None:
    table = Table(client, "colorado-nines", NAMES)
    assert "Nine cards face up" in table["Ben"].says()
    table["Ann"].enter({"action": "grids", "grids.0": "5"})
    assert "Nine cards face up" not in table["Ben"].says()


def test_the_player_of_both_red_aces_may_report_it_once_somebody_is_out(
    client: FlaskClient,
) -> None:
    """On their own phone, once, and without losing what is in."""
    table = Table(client, "red-nines-1881", NAMES)
    table["Ann"].enter({"action": "out", "player": "Ann", "red_nine": "false"})
    assert "I played both red aces" not in words(table.host.get("/seat?player=Ben"))
    assert "I played both red aces" in table["Ben"].says()
    table["Ben"].enter({"action": "aces", "player": "Ben"})
    assert table.entries == [{"action": "aces", "player": "Ben"}]
    assert "Ann is in" in table["Cy"].says()
    assert "I played both red aces" not in table["Cy"].says()


def test_last_turns_are_not_begun_against_what_somebody_called(client: FlaskClient) -> None:
    """By a page from before that: Ann’s own going out could not be recorded anymore."""
    table = Table(client, "colorado-nines", NAMES, going_out="5")
    table["Ann"].enter({"action": "grids", "out": "Ann", "grids.0": "5"})
    table["Ben"].enter({"action": "last", "player": "Ben"})
    assert table.entries == []


def test_whoever_takes_back_going_out_on_a_red_nine_may_hold_it(client: FlaskClient) -> None:
    table = Table(client, "red-nines-1881", NAMES)
    table["Ann"].enter({"action": "out", "player": "Ann", "red_nine": "true"})
    pad = words(table["Ann"].get("/seat?player=Ann&call=no&change=yes"))
    assert "Yes, two" in pad
    assert "Ann went out" not in pad
    assert "Yes, two" not in table["Ben"].says()


def test_a_scorekeeper_enters_for_somebody_without_seeing_their_figure(
    client: FlaskClient,
) -> None:
    table = Table(client, "red-nines-1881", NAMES)
    own = table["Ben"].says()
    assert "Nobody sees this until everyone’s are in That’s mine" in own
    for_ben = words(table.host.get("/seat?player=Ben"))
    assert "You’re entering Ben’s." in for_ben
    assert "Enter for Ben" in for_ben
    assert "Nobody sees this" not in for_ben
    assert "That’s mine" not in for_ben


@pytest.mark.parametrize(("slug", "rules"), [(slug, rules) for slug, rules, *_ in PADS])
@pytest.mark.parametrize("calls", [False, True])
def test_a_form_filled_in_for_somebody_asks_about_them(
    app: Flask, client: FlaskClient, slug: str, rules: dict[str, Any], *, calls: bool
) -> None:
    """By their name: “you” is the person who enters it."""
    host = begin(client, slug, at_table(slug), **rules)
    call_at = "" if calls else "/own?call=yes"
    own = OwnPart("Ben", 1, 1, calls, call_at, for_other=True)
    page = pad(app, host, own, uncall_at="/own?call=no" if calls else "")
    said = " ".join([words(page), *re.findall(r'aria-label="([^"]*)"', page)])
    for of_whoever_enters in ("You’re entering Ben’s.", "Which seat is yours?", "How do you say"):
        said = said.replace(of_whoever_enters, "")
    assert re.findall(r"\b(?:I|me|you|yours?)\b", said, re.IGNORECASE) == [], said


def test_the_felt_says_nothing_before_anything_is_filled_in(client: FlaskClient) -> None:
    table = Table(client, "plain-score", NAMES)
    page = table["Ann"].get("/seat").text
    assert words(page[page.index('class="will"') :].partition("</div>")[0].partition(">")[2]) == ""


@pytest.mark.parametrize(
    ("slug", "rules", "called", "key"),
    [
        (
            "multiple-9",
            {"scoring": "cards"},
            {"action": "out", "player": "Ann"},
            "No, that wasn’t me",
        ),
        ("red-nines-1881", {}, {"action": "out", "player": "Ann", "red_nine": "false"}, "Change"),
    ],
)
def test_whoever_only_went_out_has_nothing_of_their_own_to_change(
    client: FlaskClient, slug: str, rules: dict[str, str], called: dict[str, str], key: str
) -> None:
    """But may say that it was somebody else, or change how."""
    table = Table(client, slug, NAMES, **rules)
    table["Ann"].enter(called)
    page = table["Ann"].get("/seat?player=Ann").text
    assert f"{key} Not over yet" in words(page)
    pad = table["Ann"].client.get(table["Ann"].press(page).headers["Location"])
    assert ("No, that wasn’t me" in words(pad)) == (key == "Change")


def test_whoever_called_sees_what_all_others_will_read(client: FlaskClient) -> None:
    """Also before they have said whether it was on a red nine."""
    table = Table(client, "red-nines-1881", ["Ann", "Ben", "Cy"])
    assert ", load" in table["Ann"].get("/seat?call=yes&change=yes").text
    call = {"seat_of": "Ann", "deal": 0, "action": "out", "player": "Ann"}
    assert words(table["Ann"].post("/seat/preview", call)) == "Ann went out."
    said = words(table["Ann"].post("/seat/preview", {**call, "red_nine": "true"}))
    assert said == "Ann went out on a red nine. Everyone pays double. 9"


def test_a_number_is_asked_of_you_in_the_second_person(client: FlaskClient) -> None:
    three = Table(client, "nine-five-two", ["Ann", "Ben", "Cy"])
    assert re.search(
        r"How many tricks did you take\? you need \d", words(three["Ben"].get("/seat"))
    )


def test_a_caller_is_not_said_to_have_gone_out(client: FlaskClient) -> None:
    """In 9 of a Kind nobody does: they call."""
    table = Table(client, "9-of-a-kind", ["Ann", "Ben", "Cy", "Dot", "Eve"])
    table["Cy"].enter({"action": "end", "callers": "Cy"})
    board = words(table.host.get())
    assert "Cy called it" in board
    assert "went out" not in board


def test_a_grid_tells_its_player_what_it_counts(client: FlaskClient) -> None:
    """On the pad, and while it waits for the others; beside it the total is called so."""
    table = Table(client, "colorado-nines", NAMES[:3])
    assert "Total so far 0 Points" in words(table["Ben"].get("/seat"))
    grid = {"action": "grids", "grids.1": "2 2 5 | 9 9 9 | K 3 A"}
    sent = {"seat_of": "Ben", "deal": "0", **grid}
    assert "5 for you" in words(table["Ben"].post("/seat/preview", sent))
    table["Ben"].enter(grid)
    assert "5 for you. Only this phone shows it." in table["Ben"].says()


def test_each_pad_says_whose_it_is(client: FlaskClient) -> None:
    """In its head, beside the game: also where no script has told the sheet’s page."""
    table = Table(client, "9-of-a-kind", NAMES)
    assert "9 of a Kind · Eve" in words(table["Eve"].get("/seat"))
    table["Eve"].enter({"action": "end", "hands.4.deadwood": "21"})
    assert "9 of a Kind · Eve" in table["Eve"].says()
