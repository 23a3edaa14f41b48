"""A waiting figure is hidden: no other phone gets a byte that depends on it.

The same requests go to two books that differ only in one player’s figure. The clock is stopped in
both, and random values are equal, so their answers can be compared directly.
"""

import gc
import hashlib
import re
import secrets
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from types import FrameType, SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.settings import Settings
from referee.sheets import book
from referee.web.app import create_app
from tests.extras.seats.test_gathering import Table
from tests.extras.seats.test_showdown import at_showdown, bet, show
from tests.support.campaign import usual_or_nightly
from tests.support.command_line import run
from tests.support.every_route import probes
from tests.support.phone import PARTIAL, Phone, first_in

FIVE = ["Ann", "Ben", "Cy", "Dot", "Eve"]
#: What is asked for besides every address without a question.
PARTS = ("", "/board", "/record", "/more", "/log", "/share", "/club")
ASKED = ("/log?all=yes", "/against?after=0", "/share?code=view", "/share?code=play")
SEATS = (
    "", "?pick=yes", "?change=yes", "?call=yes", "?player=Cy", "?player=Cy&change=yes",
    "?player=Dot&change=yes", "?player=Ann", "/me", "/felt?deal=0", "/felt?player=Cy&deal=0",
    "/felt?player=Ann&deal=0",
)  # fmt: skip
#: By day a phone asks for every fifth of them; which ones depends on the phone and on the game. In
#: a nightly run each asks for all.
EVERY = usual_or_nightly(5, 1)
WHO = (*FIVE, "host", "view", "play", "score")
MOMENT = datetime(2020, 2, 29, 20, 15, tzinfo=UTC)
HTTP_DATE = re.compile(r"\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT")
COMMANDS = (("export",), ("export", "--all"), ("export", "1"), ("export", "1", "--csv"))


Asked = TypeVar("Asked")


class Hidden(NamedTuple):
    """A game of some of `FIVE`: the figures that others have in, and Cy’s, which must not show.

    Cy’s `first` one, if there was another, could not be true with theirs.
    """

    slug: str
    number: int
    others: Mapping[str, dict[str, str]]
    cys: list[dict[str, str]]
    rules: Mapping[str, str] = {}
    first: Mapping[str, str] = {}

    @property
    def name(self) -> str:
        """What a test of it is called."""
        return self.slug + (" asked" if self.first else "")


GAMES = [
    Hidden(
        "red-nines-1881",
        4,
        {
            "Ann": {"action": "out", "player": "Ann", "red_nine": "false"},
            "Ben": {"action": "out", "hands.1.plain": "3"},
        },
        [
            {"action": "out", "hands.2.plain": "3"},
            {"action": "out", "hands.2.plain": "8 + 9♦"},
            {"action": "out", "hands.2": "9♦ 4♣ K♠"},
        ],
    ),
    Hidden(
        "red-nines",
        4,
        {
            "Ann": {"action": "out", "player": "Ann"},
            "Ben": {"action": "out", "hands.1.points": "20"},
        },
        [
            {"action": "out", "hands.2.points": "3"},
            {"action": "out", "hands.2.points": "140"},
            {"action": "out", "hands.2": "9♦ 4♣ K♠"},
        ],
    ),
    Hidden(
        "nine-five-two",
        3,
        {},  # with two in, the last one learns their sum: see test_last.py
        [{"action": "tricks", "tricks.2": number} for number in ("3", "4", "10")],
    ),
    Hidden(
        "colorado-nines",
        4,
        {"Ann": {"action": "grids", "grids.0": "12"}},
        [
            {"action": "grids", "grids.2": "3"},
            {"action": "grids", "grids.2": "24"},
            {"action": "grids", "grids.2": "5 5 7 | A 9 9 | 2 3 4"},
        ],
    ),
    Hidden(
        "9-of-a-kind",
        5,
        {
            "Ann": {"action": "end", "callers": "Ann", "by": "nine"},
            "Ben": {"action": "end", "hands.1.deadwood": "20"},
        },
        [
            {"action": "end", "hands.2.deadwood": "3"},
            {"action": "end", "hands.2.deadwood": "44"},
        ],
    ),
    Hidden(
        "plain-score",
        4,
        {"Ann": {"action": "deal", "points.0": "5"}, "Ben": {"action": "deal", "points.1": "-7"}},
        [{"action": "deal", "points.2": number} for number in ("3", "4", "-1200")],
    ),
    Hidden(
        "multiple-9",
        4,
        {
            "Ann": {"action": "out", "player": "Ann"},
            "Ben": {"action": "out", "left.1": "K Q"},
        },
        [{"action": "out", "left.2": cards} for cards in ("3", "4", "A 2 3 4 5 6 7")],
        {"scoring": "cards"},
    ),
    Hidden(
        "pink-nines",
        4,
        {
            "Ann": {"action": "out", "player": "Ann", "red_nine": "false"},
            "Ben": {"action": "out", "hands.1.plain": "3"},
        },
        [
            {"action": "out", "hands.2.plain": "3"},
            {"action": "out", "hands.2.plain": "4"},
            {"action": "out", "hands.2": "9♦ 4♣ K♠"},
        ],
        {"card_payments": "true"},
    ),
    Hidden(
        "red-nines-1881",
        4,
        {
            "Ann": {"action": "out", "player": "Ann", "red_nine": "false"},
            "Ben": {"action": "out", "hands.1.plain": "3", "hands.1.red_nines": "2"},
        },
        [
            {"action": "out", "hands.2.plain": "3"},
            {"action": "out", "hands.2.plain": "8"},
        ],
        first={"action": "out", "hands.2.plain": "1", "hands.2.red_nines": "1"},
    ),
]


@contextmanager
def nothing_by_chance() -> Iterator[None]:
    """Stop the clock, and make random values come in the same order each time."""
    number = count()

    def drawn(size: int = 32) -> bytes:
        return hashlib.sha256(str(next(number)).encode()).digest()[:size]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(book, "datetime", SimpleNamespace(now=lambda tz: MOMENT))
        patched.setattr(secrets, "token_bytes", drawn)
        yield


def some(asked: Sequence[Asked], turn: int) -> Sequence[Asked]:
    """What is asked for in a phone’s turn."""
    return asked[turn % EVERY :: EVERY]


def phones(table: Table, others: Collection[str]) -> Iterator[tuple[str, Phone]]:
    """Phones of somebody who is in, as all `others` are, of who isn’t yet, and with each link."""
    yield "Ann", table["Ann"]
    yield from ((one, seat) for one, seat in table.seats.items() if one not in {*others, "Cy"})
    yield "host", table.host
    for role in ("view", "play", "score"):
        yield role, table.host.other(role)


def whole(answer: TestResponse) -> str:
    """An answer with its headers, except for the times of the web server’s own clock in them."""
    return HTTP_DATE.sub("·", f"{answer.status} {answer.headers}") + answer.text


def told(
    phone: Phone, names: list[str], cy: dict[str, str], turn: int
) -> Iterator[tuple[str, str]]:
    """What a phone gets of the sheet, and in a preview of each player’s figure, by address."""
    walked = {
        probe.path for probe in probes(phone.client.application, "*") if probe.method == "GET"
    }
    places = [path.removeprefix("/s/*") for path in sorted(walked) if path.startswith("/s/*")]
    seats = [f"/seat{more}" for more in SEATS]
    for place in some((*places, *ASKED, *seats), turn):
        yield place, whole(phone.get(place))
    for place in some((*PARTS, *seats), turn):
        yield f"part of {place}", whole(phone.get(place, **PARTIAL))
    field = next(name for name in cy if "." in name)
    for seat, name in enumerate(names):
        own = field.replace("2", str(seat), 1)
        form = {"seat_of": name, "deal": 0, "action": cy["action"], "player": name, own: "6"}
        yield f"preview of {name}", whole(phone.post("/seat/preview", form))


def told_around(host: Phone, club: str) -> Iterator[tuple[str, str]]:
    """What the host’s phone gets at all other addresses, and in the sheet’s club."""
    for path in sorted({probe.path for probe in probes(host.client.application, "*")}):
        if not path.startswith("/s/"):
            yield path, whole(host.client.get(path.replace("*", club)))


def takes_over(phone: Phone, turn: int) -> Iterator[tuple[str, str]]:
    """What somebody gets who takes Cy’s seat for themselves."""
    yield "take", whole(phone.post("/seat/take", {"player": "Cy", "sure": "yes"}))
    for more in some(SEATS, turn):
        yield f"taken over {more}", whole(phone.get(f"/seat{more}"))


def begun_club(client: FlaskClient) -> str:
    """The token of a new club; "" in a house without clubs."""
    answer = client.post("/clubs", data={"name": "Thursday table"})
    return answer.headers["Location"].rsplit("/", 1)[1] if answer.status_code == 303 else ""


def all_told(folder: Path, game: Hidden, cy: dict[str, str]) -> dict[str, str]:
    """Everything that the other phones get while Cy’s figure waits, by phone and address."""
    client = create_app(Settings(instance=folder)).test_client()
    names, club = FIVE[: game.number], begun_club(client)
    table = Table(client, game.slug, names, **game.rules, club=club)
    for name, form in game.others.items():
        answer = table[name].enter(form)
        assert answer.startswith("/s/"), answer
    for figure in (game.first, cy) if game.first else (cy,):
        answer = table["Cy"].enter(figure)
        assert answer.startswith("/s/"), answer
        assert "player=Cy" in answer  # it waits
    table[next(iter(game.others), "Cy")].post("/seat/away", {})
    assert "away" in table.host.get().text
    found: dict[str, str] = {}
    all_phones = [
        (who, phone, GAMES.index(game) + WHO.index(who))
        for who, phone in phones(table, game.others)
    ]
    for who, phone, turn in all_phones:
        for place, text in told(phone, names, game.cys[0], turn):
            found[f"{who}: {place}"] = text
    for place, text in told_around(table.host, club):
        found[f"around: {place}"] = text
    for command in COMMANDS:
        found[f"{command}"] = run(*command, "--instance", str(folder)).output
    table.host.post("/seat/take", {"player": "Dot"})
    for place, text in told(table.host, names, game.cys[0], GAMES.index(game)):
        found[f"host with a seat: {place}"] = text
    for who, phone, turn in all_phones:
        for place, text in takes_over(phone, turn):
            found[f"{who}: {place}"] = text
    table.host.post("/seat/goes-on", {"deal": 0})  # now it is a draft
    drafts = ("", "/log", "/sheet.json", *(f"/seat{more}" for more in SEATS))
    for who, phone, turn in all_phones:
        for place in some(drafts, turn):
            found[f"{who}: draft {place}"] = whole(phone.get(place))
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_no_byte_of_another_phone_reveals_a_figure(tmp_path: Path, game: Hidden) -> None:
    """Nor a header or the length of an answer; not even to a phone that takes the seat over."""
    runs = []
    for place, cy in enumerate(game.cys):
        with nothing_by_chance():
            runs.append(all_told(tmp_path / str(place), game, cy))
    first, *more = runs
    assert len(first) > 400 / EVERY
    for other in more:
        assert [place for place in first if first[place] != other[place]] == []


class Calls:
    """Counts what is called, in Python and in C, while it is the profiler of a thread."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, frame: FrameType, event: str, about: Any) -> None:
        self.number += event in ("call", "c_call")

    @classmethod
    def of(cls, phone: Phone, place: str) -> int:
        """The calls that it takes to answer a phone."""
        calls = cls()
        gc.disable()  # what is called when garbage is collected has nothing to do with the answer
        sys.setprofile(calls)
        try:
            phone.get(place)
        finally:
            sys.setprofile(None)
            gc.enable()
        return calls.number


def all_work(folder: Path, game: Hidden, cy: dict[str, str]) -> dict[str, int]:
    """How many calls each page of the other phones takes while Cy’s figure waits.

    They have asked for it before: a page may have been made that is kept, or a cookie set.
    """
    client = create_app(Settings(instance=folder)).test_client()
    table = Table(client, game.slug, FIVE[: game.number], **game.rules)
    for name, form in {**game.others, "Cy": cy}.items():
        assert table[name].enter(form).startswith("/s/")
    found = {}
    for who, phone in phones(table, game.others):
        turn = GAMES.index(game) + WHO.index(who)
        for place in some((*PARTS, *(f"/seat{more}" for more in SEATS)), turn):
            for _ in range(2):
                phone.get(place)
            found[f"{who}: {place}"] = Calls.of(phone, place)
    return found


@pytest.mark.parametrize(
    "game", [game for game in GAMES if not game.first], ids=lambda game: game.name
)
def test_no_answer_takes_more_work_for_a_figure_than_for_another(
    tmp_path: Path, game: Hidden
) -> None:
    """So the time for an answer reveals nothing either: the same number of calls, whoever asks."""
    runs = []
    for place, cy in enumerate(game.cys):
        with nothing_by_chance():
            runs.append(all_work(tmp_path / str(place), game, cy))
    first, *more = runs
    assert min(first.values()) > 100
    for other in more:
        assert [place for place in first if first[place] != other[place]] == []


def all_told_of_hole_cards(folder: Path, cards: str) -> tuple[list[str], ...]:
    """What the other phones get before and after Cy shows these cards, and if they are mucked.

    Before that Cy's phone sends them wherever it can, too early, or without script.
    """
    app = create_app(Settings(instance=folder))
    table = at_showdown(app.test_client())
    cy, others = table["Cy"], [phone for _, phone in phones(table, ["Ann"])]
    entry = {"action": "show", "hands.2": cards}
    form = {"seat_of": "Cy", "deal": 0, **entry}

    def get_all(*turns: int) -> list[str]:
        return [
            f"{place} {text}"
            for number, phone in enumerate(others)
            for turn in turns
            for place, text in told(phone, FIVE[:4], entry, number + turn)
        ]

    cy.post("/seat/preview", form)
    cy.post("/seat/hand", form | {"tap": "@:9"})
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/undo", {"after": mark})
    assert "Ann must act first" in show(cy, cards)
    bet(table["Ann"], "check")
    before = get_all(*range(EVERY))
    show(cy, "-")
    mucked = get_all(1)
    show(cy, cards)
    return before, mucked, get_all(2)


def test_hole_cards_are_sent_once_they_are_shown(tmp_path: Path) -> None:
    """And no byte depends on them before, nor if they are mucked."""
    found = []
    for place, cards in enumerate(("8 7", "Q 3")):
        with nothing_by_chance():
            found.append(all_told_of_hole_cards(tmp_path / str(place), cards))
    first, second = found
    assert first[:2] == second[:2]
    assert first[2] != second[2]
