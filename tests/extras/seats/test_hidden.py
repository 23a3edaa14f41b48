"""A figure that waits is hidden: no other phone gets a byte that depends on it."""

import re
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from referee.settings import Settings
from referee.web.app import create_app
from referee.web.sheet import page
from tests.extras.seats.test_gathering import Table
from tests.extras.seats.test_showdown import at_showdown, bet, show
from tests.support.phone import Phone, first_in

FIVE = ["Ann", "Ben", "Cy", "Dot", "Eve"]
#: Pages that any link opens, and those of a link that may play along; `{deal}` is the current one.
PAGES = (
    "", "/board", "/more", "/log", "/log?all=yes", "/record", "/share", "/print", "/evening",
    "/settle", "/against?after=0", "/settings", "/referee", "/room", "/club", "/sheet.json",
    "/standings.csv",
)  # fmt: skip
SEATS = (
    "/seat", "/seat?pick=yes", "/seat?change=yes", "/seat?call=yes", "/seat?player=Cy",
    "/seat?player=Cy&change=yes", "/seat?player=Dot&change=yes", "/seat?player=Ann",
    "/seat/me", "/seat/felt?deal=0", "/seat/felt?player=Cy&deal=0", "/seat/felt?player=Ann&deal=0",
)  # fmt: skip
RANDOM = re.compile(
    r"at-home=[\w-]+|(?<![\w-])[\w-]{22}(?![\w-])|\d{4}-\d\d-\d\d[T ][\d:.+Z]*"
    r"|\b\d{1,2}:\d\d(:\d\d)?( GMT|\s?[AP]M)?\b|sha256:\w+|\b[0-9a-f]{16,64}\b"
)
#: The hash of the newest row, which has its time in it, and the length that comes of times.
BY_TIME = re.compile(r"(?<=\d-)[0-9a-f]{12}\b|Content-Length: \d+")

#: By game: what Ann and Ben have in, and the figures of Cy between which nobody may tell.
DEALS: list[tuple[str, int, Mapping[str, dict[str, str]], list[dict[str, str]]]] = [
    (
        "red-nines-1881",
        4,
        {
            "Ann": {"action": "out", "player": "Ann", "red_nine": "false"},
            "Ben": {"action": "out", "hands.1.plain": "3"},
        },
        [
            {"action": "out", "hands.2.plain": "3"},
            {"action": "out", "hands.2.plain": "4"},
            {"action": "out", "hands.2.plain": "8 + 9♦"},
            {"action": "out", "hands.2": "9♦ 4♣ K♠"},
        ],
    ),
    (
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
    (
        "nine-five-two",
        3,
        {"Ann": {"action": "tricks", "tricks.0": "5"}},
        [{"action": "tricks", "tricks.2": number} for number in ("3", "4", "10")],
    ),
    (
        "colorado-nines",
        4,
        {"Ann": {"action": "grids", "grids.0": "12"}},
        [
            {"action": "grids", "grids.2": "3"},
            {"action": "grids", "grids.2": "24"},
            {"action": "grids", "grids.2": "5 5 7 | A 9 9 | 2 3 4"},
        ],
    ),
    (
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
    (
        "plain-score",
        4,
        {"Ann": {"action": "deal", "points.0": "5"}, "Ben": {"action": "deal", "points.1": "-7"}},
        [{"action": "deal", "points.2": number} for number in ("3", "4", "-1200", "3+6+2")],
    ),
]


def phones(table: Table) -> Iterator[tuple[str, Phone]]:
    """All phones but Cy’s: of those at the table, and of others with each link."""
    yield from ((name, seat) for name, seat in table.seats.items() if name != "Cy")
    yield "host", table.host
    for role in ("view", "play", "score"):
        yield role, table.host.other(role)


def told(phone: Phone, names: list[str], action: str) -> Iterator[tuple[str, str]]:
    """What a phone gets from each page and each form that changes nothing, by its address."""
    for place in (*PAGES, *SEATS):
        for headers in ({}, {"HX-Request": "true", "HX-Request-Type": "partial"}):
            answer = phone.get(place, **headers)
            yield place, f"{answer.status} {answer.headers} {answer.text}"
    for seat, name in enumerate(names):
        for field in ("hands.{}.plain", "hands.{}.points", "tricks.{}", "grids.{}", "points.{}"):
            form = {"seat_of": name, "deal": 0, "player": name, field.format(seat): "6"}
            answer = phone.post("/seat/preview", {**form, "action": action})
            yield f"preview {form}", f"{answer.status} {answer.text}"


def takes_over(phone: Phone) -> Iterator[tuple[str, str]]:
    """What somebody gets who takes Cy’s seat for themselves."""
    answer = phone.post("/seat/take", {"player": "Cy", "sure": "yes"})
    yield "take", f"{answer.status} {answer.text}"
    for place in SEATS:
        answer = phone.get(place)
        yield f"taken over {place}", f"{answer.status} {answer.headers} {answer.text}"


def without_chance(text: str) -> str:
    """The text without what is made by chance or by the clock."""
    if 'viewBox="0 0 37 37"' in text or "<time>" in text:  # a code has its link in it
        text = re.sub(r'<path d="M4 4h7[^>]+>|Content-Length: \d+', "", text)
    return RANDOM.sub("·", text)


def all_told(
    folder: Path, slug: str, number: int, others: Mapping[str, dict[str, str]], cy: dict[str, str]
) -> dict[str, str]:
    """Everything that the other phones get while Cy’s figure waits, by phone and address."""
    app = create_app(Settings(instance=folder))
    table = Table(app.test_client(), slug, FIVE[:number])
    for name, form in others.items():
        answer = table[name].enter(form)
        assert answer.startswith("/s/"), answer
    answer = table["Cy"].enter(cy)
    assert answer.startswith("/s/"), answer
    assert "player=Cy" in answer  # it waits
    table["Ann"].post("/seat/away", {})
    assert "away" in table.host.get().text
    found: dict[str, str] = {}
    all_phones = list(phones(table))
    for who, phone in all_phones:
        for place, text in told(phone, FIVE[:number], cy["action"]):
            found.setdefault(f"{who}: {place}", "")
            found[f"{who}: {place}"] += without_chance(text)
    table.host.post("/seat/take", {"player": "Dot"})
    for place, text in told(table.host, FIVE[:number], cy["action"]):
        found[f"host with a seat: {place}"] = without_chance(text)
    for who, phone in all_phones:
        for place, text in takes_over(phone):
            found[f"{who}: {place}"] = without_chance(text)
    table.host.post("/seat/goes-on", {"deal": 0})  # now it is a draft
    for who, phone in all_phones:
        for place in ("", "/log", "/sheet.json", *SEATS):
            found[f"{who}: draft {place}"] = without_chance(phone.get(place).text)
    return found


@pytest.mark.parametrize(
    ("slug", "number", "others", "cys"), DEALS, ids=[slug for slug, *_ in DEALS]
)
def test_no_byte_of_another_phone_tells_a_figure(
    tmp_path: Path,
    slug: str,
    number: int,
    others: Mapping[str, dict[str, str]],
    cys: list[dict[str, str]],
) -> None:
    """Nor the length of an answer; not even to a phone that takes the seat over."""
    first, *more = (
        all_told(tmp_path / str(place), slug, number, others, cy) for place, cy in enumerate(cys)
    )
    assert len(first) > 200
    for other in more:
        assert [place for place in first if first[place] != other[place]] == []


def all_told_of_hole_cards(folder: Path, cards: str) -> tuple[list[str], ...]:
    """What the other phones get before and after Cy shows these cards, and if they are mucked.

    Before that Cy's phone sends them wherever it can, too early, or without script.
    """
    app = create_app(Settings(instance=folder))
    table = at_showdown(app.test_client())
    cy, others = table["Cy"], [phone for _, phone in phones(table)]
    form = {"seat_of": "Cy", "deal": 0, "action": "show", "hands.2": cards}

    def get_all() -> list[str]:
        return [
            f"{place} {BY_TIME.sub('·', without_chance(text))}"
            for phone in others
            for place, text in told(phone, FIVE[:4], "show")
        ]

    cy.post("/seat/preview", form)
    cy.post("/seat/hand", form | {"tap": "@:9"})
    mark = first_in(table.host.get("/record").text, r'name="after" value="([^"]+)"')
    table.host.post("/undo", {"after": mark, "key": "undo"})
    assert "Ann must act first" in show(cy, cards)
    bet(table["Ann"], "check")
    before = get_all()
    show(cy, "-")
    mucked = get_all()
    show(cy, cards)
    return before, mucked, get_all()


def test_hole_cards_are_told_once_they_are_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no byte depends on them before, nor if they are mucked."""
    monkeypatch.setattr(
        page, "JUST_MADE", timedelta(days=1)
    )  # pages tell of it however slow we are
    first, second = (
        all_told_of_hole_cards(tmp_path / str(place), cards)
        for place, cards in enumerate(("8 7", "Q 3"))
    )
    assert first[:2] == second[:2]
    assert first[2] != second[2]
