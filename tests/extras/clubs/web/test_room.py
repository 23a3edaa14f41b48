"""The room's screen: what it shows of which tables, in turn, and its view-only code."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from flask.testing import FlaskClient

from referee.extras.clubs.pages.room import HALF, WHOLE, panel_of
from referee.ledger.chain import Mark
from referee.ledger.store import Ledger, NewSheet, new_token
from referee.rules.language import language, speaking
from referee.rules.text import say
from referee.sheets.book import Book
from referee.sheets.files import sheet_from
from referee.web.answers.addresses import qr_svg
from referee.web.context import state
from tests.extras.clubs.web.conftest import ClubPhone, Won, begin_club, move
from tests.support.phone import Phone, begin, first_in, words
from tests.support.some_deals import some_sheet

OUT = {"action": "out", "player": "Ben"}


def tables(page: str) -> list[str]:
    """Who sits at the tables on the screen."""
    panels = page.split('<section class="panel')[1:]
    return [
        " ".join(re.findall(r"<b>([^<]+)</b>", panel.partition("</main>")[0])) for panel in panels
    ]


def shows_code(page: str, address: str) -> bool:
    """Whether the code on the screen is that of this address, and the only one."""
    return re.findall(r"<svg xmlns.*?</svg>", page) == [qr_svg(address).decode()]


def shared(phone: Phone | ClubPhone) -> str:
    """The address of the link to look, from the share page."""
    return first_in(phone.get("/share?code=view").text, r'value="(https?://[^"]+)"')


def test_the_screen_of_a_sheet_shows_totals_deals_and_what_is_due(host: Phone) -> None:
    """It has nothing to tap."""
    assert host.record(OUT, 0).status_code == 303
    page = host.get("/room").text
    said = words(page)
    for part in ("Multiple 9", "Deal 2 · Ben deals", "first to", "Follow along", "No connection"):
        assert part in said
    assert re.findall(r'class="total">(\d+)<', page) == ["0", "1", "0"]
    assert 'class="latest"' in page
    assert not re.search(r"<(a|form|button)\b", page)
    assert f'<meta http-equiv="refresh" content="12;url=/s/{host.token}/room">' in page


def test_the_screen_speaks_the_language_of_the_television(host: Phone) -> None:
    """And keeps doing so, whatever language the phones have."""
    page = host.get("/room", **{"Accept-Language": "de"}).text
    with speaking(language("de")):
        assert str(say("Follow along")) in words(page)
    assert '<html lang="de"' in page
    assert "Follow along" in words(host.get("/room"))


@pytest.mark.parametrize("role", ["host", "score", "view"])
def test_the_screens_code_is_a_view_link(host: Phone, role: str) -> None:
    """Whichever link opened the screen, of a sheet or of a club."""
    phone = host if role == "host" else host.other(role)
    assert shows_code(phone.get("/room").text, shared(host))
    club = begin_club(host.client)
    assert move(host, club.token, evening=True).status_code == 303
    seen_by = club if role == "host" else club.other(role)
    assert shows_code(seen_by.get("/room").text, shared(club))


def test_the_code_of_an_evening_is_its_link(host: Phone) -> None:
    """That is view only for strangers."""
    host.record(OUT, 0)
    host.again()
    evening = host.evening()
    page = host.client.get(f"{evening}/room").text
    assert shows_code(page, shared(host).partition("/s/")[0] + evening)
    assert "Games won Ann 0 Ben 0 Cat 0" in words(page)


def begin_all(club: ClubPhone, *players: list[str]) -> list[Phone]:
    """Begin games of the club, with two packs for many."""
    return [
        begin(club.client, "multiple-9", names, club=club.token, packs=1 + (len(names) > 8))
        for names in players
    ]


def test_tables_are_shown_two_at_a_time(club: ClubPhone) -> None:
    """One that is too wide alone; after the last the first again."""
    many = [f"P{number}" for number in range(16)]
    begin_all(club, ["Ann", "Ben"], ["Cat", "Dan"], ["Eve", "Flo"], many, ["Gus", "Hal"])
    place, seen = "/room", []
    for _ in range(5):
        page = club.get(place).text
        seen.append(tables(page))
        place = first_in(page, r'data-next="/c/[\w-]+([^"]+)"')
        assert f";url=/c/{club.token}{place}" in page
    assert seen == [
        ["Ann Ben", "Cat Dan"], ["Eve Flo"], [" ".join(many)], ["Gus Hal"], ["Ann Ben", "Cat Dan"],
    ]  # fmt: skip
    for place in ("/room?at=99", "/room?at=x", "/room?at=-1", "/room?at=²"):
        assert tables(club.get(place).text) == seen[0]


def test_the_screen_of_a_club_shows_todays_games_in_progress(
    club: ClubPhone, won: Won, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without any, all games of its last day; and the season’s wins."""
    noon = datetime.now(UTC).astimezone().replace(hour=12)
    book = state(club.client.application).book
    monkeypatch.setattr(book, "now", lambda: noon.astimezone(UTC).isoformat(timespec="seconds"))
    assert "No game is on the table" not in words(club.get("/room"))
    assert "No game of this club is over yet" in words(club.get("/room"))
    won("Ann", "Ben")
    won("Cat", "Ben")
    page = club.get("/room").text
    assert tables(page) == ["Cat Ben", "Ann Ben"]
    assert "Cat wins" in words(page)
    assert f"Wins in {noon.year}" in words(page)
    won_by = r'<li><i class="dot" data-color="(\d)"></i><span>(\w+)</span>.*?<b>(\d)</b>'
    assert re.findall(won_by, page)[:2] == [("1", "Ann", "1"), ("3", "Cat", "1")]
    begin_all(club, ["Dan", "Eve"])
    assert tables(club.get("/room").text) == ["Dan Eve"]


def test_a_club_shows_its_last_day(
    club: ClubPhone, won: Won, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A game that was left open yesterday is on no table today."""
    begin_all(club, ["Ann", "Ben"])
    later = datetime.now(UTC) + timedelta(days=2)
    book = state(club.client.application).book
    monkeypatch.setattr(book, "now", lambda: later.isoformat(timespec="seconds"))
    assert tables(club.get("/room").text) == ["Ann Ben"]
    won("Cat", "Dan")
    assert tables(club.get("/room").text) == ["Cat Dan"]


def test_a_renewed_sheet_is_not_on_the_clubs_screen(client: FlaskClient, club: ClubPhone) -> None:
    """Whoever was turned away from it may be able to see the screen."""
    (sheet,) = begin_all(club, ["Ann", "Ben"])
    viewer = club.other("view")
    assert tables(viewer.get("/room").text) == ["Ann Ben"]
    assert sheet.post("/links", {"role": "view"}).status_code == 303
    assert "Ann" not in words(viewer.get("/room"))
    assert tables(club.get("/room").text) == ["Ann Ben"], "its host’s browser"


@pytest.mark.parametrize("kind", ["sheet", "club"])
def test_a_screen_waits_while_its_document_is_in_the_trash(host: Phone, kind: str) -> None:
    """It says so, and shows the document again once restored."""
    if kind == "sheet":
        base = f"/s/{host.token}"
    else:
        club = begin_club(host.client)
        assert move(host, club.token).status_code == 303
        base = f"/c/{club.token}"
    host.client.post(f"{base}/trash")
    gone = host.client.get(f"{base}/room")
    assert gone.status_code == 404
    assert "no longer works" in words(gone)
    assert "Ann" not in words(gone)
    assert "clubs/room.js" in gone.text
    assert f'data-next="{base}/room"' in gone.text
    host.client.post(f"{base}/trash/out")
    assert tables(host.client.get(f"{base}/room").text) == ["Ann Ben Cat"]


def test_the_screen_of_an_evening_without_games_says_so(host: Phone) -> None:
    """As while all are in the trash."""
    host.record(OUT, 0)
    other, evening = host.again(), host.evening()
    for game in (host, other):
        game.post("/trash", {})
    page = host.client.get(f"{evening}/room")
    assert page.status_code == 200
    assert "No game is on the table." in words(page)


def test_a_link_of_another_kind_opens_no_screen(host: Phone, club: ClubPhone) -> None:
    """Of a sheet, a club or an evening."""
    league, here = new_token(), state(host.client.application)
    here.ledger.create_all([NewSheet("{}", [("host", league)], here.book.now(), kind="league")])
    others = {"s": (club.token, league), "c": (host.token, league), "e": (host.token, club.token)}
    for kind, tokens in others.items():
        for token in tokens:
            assert host.client.get(f"/{kind}/{token}/room").status_code == 404


def test_the_screen_is_linked_from_sheet_evening_and_club(host: Phone, club: ClubPhone) -> None:
    """From More, that is."""
    host.record(OUT, 0)
    host.again()
    begin(club.client, "pink-nines", ["Ann", "Ben"], club=club.token)
    for page, way in (
        (f"/s/{host.token}/more", f"/s/{host.token}/room"),
        (host.evening(), f"{host.evening()}/room"),
        (f"/c/{club.token}", f"/c/{club.token}/room"),
    ):
        assert f'href="{way}"' in host.client.get(page).text


@pytest.mark.parametrize(
    ("slug", "players", "half", "whole"),
    [
        ("nine-five-two", 3, (1, 3), (1, 3)),
        ("multiple-9-holdem", 4, (1, 3), (1, 3)),
        ("multiple-9", 6, (1, 3), (1, 3)),
        ("colorado-nines", 8, (2, 0), (1, 3)),
        ("multiple-9-holdem", 10, (2, 0), (2, 3)),
        ("plain-score", 16, None, (3, 2)),
    ],
)
def test_how_a_table_is_laid_out(
    tmp_path_factory: pytest.TempPathFactory,
    slug: str,
    players: int,
    half: tuple[int, int] | None,
    whole: tuple[int, int],
) -> None:
    """In how many columns of players, with how many deals: as many as fit beside the totals."""
    ledger = Ledger(tmp_path_factory.mktemp("book") / "referee.sqlite")
    book = Book(ledger)
    sheet = book.open(book.import_sheet(sheet_from(some_sheet(slug, players, 5))))
    found = [panel_of(sheet, width, sheet.colors) for width in (HALF, WHOLE)]
    ledger.close()
    assert [one and (len(one.columns), len(one.deals)) for one in found] == [half, whole]
    assert all(sum(map(len, one.columns)) == players for one in found if one)


def test_old_televisions_know_every_selector_of_the_screen(client: FlaskClient) -> None:
    """A browser of 2019 drops the whole rule of a selector that it doesn't know."""
    styles = client.get("/static/clubs/room.css").text
    assert re.findall(r":(?:is|where|has|focus-visible)\b|&|@(?:container|layer)", styles) == []


def test_the_screen_shows_the_board_of_a_hand(client: FlaskClient) -> None:
    """Five places beside the pot, filled as cards are dealt."""
    book = state(client.application).book
    link = book.begin("multiple-9-holdem", ["Ann", "Ben"], None, {})

    def places() -> tuple[int, int]:
        page = client.get(f"/s/{link.token}/room").text
        board = first_in(page, r'(?s)<div class="dealt">(.*?)</div>')
        return board.count("<span>"), board.count("<i>")

    for after, entry in enumerate(
        (
            {"action": "bet", "player": "Ann", "move": "call"},
            {"action": "bet", "player": "Ben", "move": "check"},
        )
    ):
        book.record(link, entry, Mark(after), f"key-{after}")
    assert places() == (0, 5)
    book.record(link, {"action": "board", "cards": "J 7 9"}, Mark(2), "key-2")
    assert places() == (3, 2)
