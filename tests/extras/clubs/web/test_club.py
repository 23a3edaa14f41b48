"""A club in use: its games, people, tables and records, and who may do what."""

import re
from contextlib import AbstractContextManager
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient

from referee.extras.clubs.counted import Counted
from referee.extras.clubs.figures import Figures
from referee.extras.clubs.members import Clubs, Stage
from referee.ledger.engine import Writing
from referee.ledger.errors import UnavailableError
from referee.rules.text import say
from referee.sheets.sheet import OpenSheet
from referee.web.context import state
from referee.web.sheet import page
from tests.extras.clubs.web.conftest import (
    PAGES,
    ClubPhone,
    Won,
    at,
    begin_club,
    colors,
    move,
    put,
    without_keys,
)
from tests.support.phone import Phone, begin, first_in, words


def table(club: ClubPhone, place: str = "") -> list[tuple[str, ...]]:
    """The rows of the season table: name, wins, games."""
    rows = re.findall(
        r'<tr( class="few")?>\s*<th scope="row">(.*?)</tr>', club.get(place).text, re.S
    )
    return [tuple(words(f"<th>{row}").split()[1:4]) for _, row in rows]


ON_EITHER_ENGINE = True


def test_games_begun_in_a_club_count_there(club: ClubPhone, won: Won) -> None:
    """Their players are offered for the next game, those who play most first."""
    assert "Who belongs?" in words(club.get())
    won("Ann", "Ben")
    won("Ann", "Ben", "Cat")
    won("Cat", "Ann")
    assert table(club) == [("Ann", "2", "3"), ("Cat", "1", "2"), ("Ben", "0", "2")]
    assert [name for name, *_ in table(club, "?by=average")] == ["Ann", "Cat", "Ben"]
    page = club.client.get(f"/new/multiple-9?club={club.token}").text
    assert re.findall(r'value="add:(\w+)"', page) == ["Ann", "Ben", "Cat"]
    assert "New sheet · Thursday table" in page
    back = first_in(page, r'class="back" href="([^"]+)"')
    assert f'href="/c/{club.token}"' in club.client.get(back).text
    for place in (*PAGES, "/player?who=ann", "/games?who=ann&figure=wins"):
        assert club.get(place).status_code == 200, place
    assert words(club.get("/games?who=ann&figure=wins")).count("Ann won") == 2
    assert club.get("/games?who=ann&figure=nothing").status_code == 404
    assert club.get("/player?who=nobody").status_code == 404


def test_an_average_is_formatted_for_the_language(club: ClubPhone, won: Won) -> None:
    """With a comma in German, in the table and on the person’s page."""
    for winner, other in (("Ann", "Ben"), ("Ann", "Ben"), ("Ben", "Ann")):
        won(winner, other)
    for place in ("?by=average", "/player?who=ann"):
        assert "1.33" in words(club.get(place))
        in_german = words(club.get(place, **{"Accept-Language": "de"}))
        assert "1,33" in in_german, place
        assert "1.33" not in in_german


def test_a_club_begins_with_a_sheet_and_its_evening(client: FlaskClient) -> None:
    """With those of the evening's sheets that this phone hosts."""
    first = begin(client, "multiple-9", ["Ann", "Ben"], target="1")
    first.record({"action": "out", "player": "Ben"}, 0)
    second = first.again()
    second.record({"action": "out", "player": "Ann"}, 0)
    assert "All 2 of this evening" in words(second.get("/club"))
    way = first_in(client.get(second.evening()).text, r'href="(/s/[^"]+/club[^"]*)"')
    assert "Begin the club with 2 games" in words(client.get(unescape(way)))
    assert move(second, "new", evening=True, name=" ").status_code == 422
    assert move(second, "new", evening=True, name="Thursday table").status_code == 303
    club = ClubPhone(client, first_in(client.get("/clubs").text, r'href="/c/([^"]+)"'))
    assert table(club) == [("Ann", "1", "2"), ("Ben", "1", "2")]
    assert "counts in Thursday table" in words(first.get("/club"))
    assert move(first, "out").status_code == 303
    assert table(club) == [("Ann", "1", "1"), ("Ben", "0", "1")]
    assert move(first, club.token).status_code == 303
    assert table(club) == [("Ann", "1", "2"), ("Ben", "1", "2")]


def test_a_season_has_the_games_of_its_period(app: Flask, club: ClubPhone) -> None:
    """A year, or from one day to another: in the table, its chart, and on a person's page."""
    games = [at(2025, "Ann", "Ben"), at(2026, "Ben", "Ann"), at(2026, "Ben", "Ann", "Cat")]
    put(app, club, games)
    assert table(club, "?year=2025") == [("Ann", "1", "1"), ("Ben", "0", "1")]
    assert table(club, "?from=2025-06-01&to=2025-06-01") == table(club, "?year=2025")
    assert table(club, "?from=2025-06-02") == table(club, "?year=2026")
    for place in ("?year=1066", "/player?who=ann&year=1066"):
        assert "No games ended in this period." in words(club.get(place))
    assert "May 31, 2025 – " in words(club.get("/chart?from=2025-05-31"))
    for by in ("wins", "points", "average"):
        page = club.get(f"/chart?year=2026&by={by}").text
        assert re.findall(r'<g data-line="(\w+)"', page) == ["Ben", "Ann", "Cat"] * 2, by
    assert "Shown from 5 games on" in words(club.get("/chart?by=rating&year=2026"))
    assert "1 game Thursday table · 2025" in words(club.get("/games?year=2025"))
    assert "2 games With Ann · 2026" in words(club.get("/games?who=ann&figure=place:2&year=2026"))
    for place in ("?year=26", "?from=yesterday", "/chart?to=2026-02-30", "?year=٢٠٢٦",
                  "?from=2026-02-01&to=2026-01-31", "/games?from=20260201"):  # fmt: skip
        assert club.get(place).status_code == 422, place


def test_a_long_table_is_cut_unless_all_is_asked_for(app: Flask, club: ClubPhone) -> None:
    """It shows its first rows."""
    names = [f"P{number}" for number in range(40)]
    games = [at(2026, *names[first : first + 10]) for first in range(0, 40, 10)]
    put(app, club, games)
    assert len(table(club)) == 30
    assert "Everyone (40)" in words(club.get())
    assert len(table(club, "?everybody=yes")) == 40


def test_a_merge_is_shown_before_it_is_made(club: ClubPhone, won: Won) -> None:
    """Voided, it leaves every page as it was."""
    won("Ben", "Ann")
    won("Benny", "Ann")
    before = [without_keys(club.get(place).text) for place in PAGES]
    asked = words(club.get("/people?name=Ben&other=Benny"))
    assert "Ben 1 game 1 win + Benny 1 game 1 win = Ben 2 games 2 wins" in asked
    assert club.post("/merge", name="Ben", other="Benny", key="m").status_code == 303
    assert club.post("/merge", name="Ben", other="Benny", key="m").status_code == 303
    assert table(club) == [("Ben", "2", "2"), ("Ann", "0", "2")]
    assert "2 games · also called Benny" in words(club.get("/people"))
    assert "Also called Benny 1 game" in words(club.get("/people?who=ben"))
    assert club.post("/notes/2/void", key="v").status_code == 303
    assert [without_keys(club.get(place).text) for place in PAGES] == before


def test_a_streak_links_to_its_games(club: ClubPhone, won: Won) -> None:
    """To exactly those won in a row."""
    for players in (("Ben", "Ann"), ("Ann", "Ben"), ("Ann", "Cat")):
        won(*players)
    found = re.search(
        r'Longest streak</span>\s*<a class="fig" href="([^"]+)"', club.get("/records").text
    )
    assert found is not None
    page = words(club.client.get(found[1].replace("&amp;", "&")))
    assert "2 games With Ann" in page
    assert page.count("Ann won") == 2
    assert club.get("/games?who=ann&figure=streak:skat").status_code == 404


def test_two_who_sat_at_one_table_cannot_be_merged(club: ClubPhone, won: Won) -> None:
    """The page says why."""
    won("Ben", "Benny")
    shown = club.get("/people?name=Ben&other=Benny")
    assert shown.status_code == 422
    assert "sat at one table" in shown.text
    refused = club.post("/merge", name="Ben", other="Benny", key="m")
    assert refused.status_code == 422
    assert "sat at one table" in refused.text
    assert len(table(club)) == 2


def test_guests_are_in_no_table_and_leavers_not_offered(club: ClubPhone, won: Won) -> None:
    """For new games, that is."""
    won("Ann", "Ben", "Gus")
    assert club.post("/status", name="Gus", status="guest", key="g").status_code == 303
    assert club.post("/status", name="Ben", status="gone", key="b").status_code == 303
    assert [name for name, *_ in table(club)] == ["Ann", "Ben"]
    page = club.client.get(f"/new/multiple-9?club={club.token}").text
    assert re.findall(r'value="add:(\w+)"', page)[:2] == ["Ann", "Gus"]
    assert club.post("/status", name="Ann", status="king", key="x").status_code == 422


def test_a_club_can_be_renamed(club: ClubPhone) -> None:
    """An invalid name is refused."""
    assert club.post("/name", name="  Friday   table ", key="n").status_code == 303
    assert "<h1>Friday table</h1>" in club.get().text
    assert club.post("/name", name=" ", key="e").status_code == 422
    assert "<h1>Friday table</h1>" in club.get().text
    for name in ("", "x" * 41, "x" * 5000):
        assert club.client.post("/clubs", data={"name": name}).status_code == 422


def test_a_payment_is_noted_by_one_tap(client: FlaskClient, club: ClubPhone) -> None:
    """It can be voided."""
    fields = {"club": club.token, "deals": "2"}
    host = begin(client, "pink-nines", ["Ann", "Ben", "Cat", "Dan"], **fields)
    for after in range(2):
        assert host.record({"action": "out", "player": "Ann"}, after).status_code == 303
    owed = words(club.get())
    assert re.findall(r"(\w+) pays (\w+) (\d+) counters", owed) == [
        ("Ben", "Ann", "2"),
        ("Cat", "Ann", "2"),
        ("Dan", "Ann", "2"),
    ]
    tapped = {"payer": "Ben", "payee": "Ann", "amount": "2", "unit": "counter", "key": "p"}
    assert club.post("/paid", **tapped).status_code == 303
    assert club.post("/paid", **tapped).status_code == 303
    now = words(club.get())
    assert "Ben pays Ann" not in now
    assert "Ben paid Ann 2 counters" in now
    assert club.post("/notes/2/void", key="v").status_code == 303
    assert words(club.get()).replace("Undo", "") == owed
    for amount in ("0", "-2", "", "two", "9" * 16, "9" * 17, "٣", "²"):
        refused = club.post("/paid", **{**tapped, "amount": amount, "key": "another"})
        assert refused.status_code == 422, amount


def test_a_view_link_offers_no_forms(club: ClubPhone, won: Won) -> None:
    """Its links to sheets are view links, too."""
    sheet = won("Ann", "Ben")
    viewer, scorer = club.other("view"), club.other("score")
    assert 'method="post"' not in "".join(viewer.get(place).text for place in PAGES)
    tokens = {}
    for phone in (viewer, scorer, club):
        answer = phone.get("/sheets/2")
        assert answer.status_code == 303
        tokens[phone] = answer.headers["Location"].rsplit("/", 1)[1]
    assert tokens == {viewer: sheet.link("view"), scorer: sheet.link("score"), club: sheet.token}
    for place, fields in (
        ("/merge", {"name": "Ann", "other": "Ben"}),
        ("/status", {"name": "Ann", "status": "guest"}),
        ("/name", {"name": "Ours"}),
        ("/notes/2/void", {}),
        ("/trash", {}),
    ):
        assert viewer.post(place, key="k", **fields).status_code == 403, place
        assert scorer.post(place, key="k", **fields).status_code == 403, place
    begun = begin(viewer.client, "multiple-9", ["Ann", "Zoe"], club=viewer.token)
    assert "belongs to no club" in words(begun.other("view").get("/club"))


def test_refusals_of_a_club_do_not_mention_sheets(club: ClubPhone, won: Won) -> None:
    """For a missing right, an invalid form, and a form that came too late."""
    won("Ann", "Ben")
    guest = {"name": "Ben", "status": "guest"}
    assert club.post("/status", **guest, key="k").status_code == 303
    for status, refused in (
        (403, club.other("view").post("/status", **guest, key="v")),
        (403, club.other("score").get("/people?name=Ann&other=Ben")),
        (405, club.post("/games")),
        (409, club.post("/status", name="Ann", status="guest", key="k")),
    ):
        assert refused.status_code == status
        assert "sheet" not in words(refused).lower(), words(refused)


def test_a_withdrawn_link_opens_nothing(club: ClubPhone, won: Won) -> None:
    """Neither a sheet by way of its club, nor the club."""
    sheet = won("Ann", "Ben")
    viewer = club.other("view")
    assert viewer.get("/sheets/2").status_code == 303
    sheet.post("/links", {"role": "view"})
    assert viewer.get("/sheets/2").status_code == 403
    assert club.get("/sheets/2").status_code == 303
    club.post("/links", role="view")
    assert [viewer.get(place).status_code for place in PAGES] == [404] * len(PAGES)


def test_a_sheet_in_the_trash_does_not_count(club: ClubPhone, won: Won) -> None:
    """Until it is restored; if the club is in the trash, its sheets still open."""
    sheet = won("Ann", "Ben")
    before = [without_keys(club.get(place).text) for place in PAGES]
    sheet.post("/trash", {})
    assert table(club) == []
    assert club.get("/sheets/2").status_code == 404
    sheet.post("/trash/out", {})
    assert [without_keys(club.get(place).text) for place in PAGES] == before
    viewer = club.other("view")
    assert club.post("/trash").status_code == 303
    assert viewer.get().status_code == 404
    for told in (viewer.get(), ClubPhone(viewer.client, "nowhere").get()):
        assert "Ask for a new one" in words(told) or "The host has moved this" in words(told)
        assert "sheet" not in words(told).casefold().replace("sheets", "")
    assert club.get().headers["Location"] == f"/c/{club.token}/trash"
    assert "in the trash" in club.client.get("/clubs").text
    assert sheet.get().status_code == 200
    assert club.post("/trash/out").headers["Location"] == f"/c/{club.token}"
    assert [without_keys(club.get(place).text) for place in PAGES] == before


def test_a_link_opens_only_its_kind_of_document(app: Flask, club: ClubPhone, won: Won) -> None:
    """A club's link opens no sheet, a sheet's link no club."""
    sheet = won("Ann", "Ben")
    assert app.test_client().get(f"/s/{club.token}").status_code == 404
    assert app.test_client().get(f"/c/{sheet.token}").status_code == 404
    assert club.get("/sheets/1").status_code == 404
    assert sheet.post("/club", {"club": sheet.token}).status_code == 404
    assert app.test_client().get(f"/s/{club.token}/club").status_code == 404
    assert f"/s/{club.token}" not in club.client.get("/").text


def test_a_merge_holds_again_once_a_sheet_with_both_is_taken_out(club: ClubPhone, won: Won) -> None:
    """Even if the two only sat down together, and nothing was played."""
    won("Ann", "Ben")
    won("Benny", "Ann")
    assert club.post("/merge", name="Ben", other="Benny", key="a").status_code == 303
    assert [row[0] for row in table(club)] == ["Ann", "Ben"]
    both = begin(club.client, "multiple-9", ["Ben", "Benny"], club=club.token)
    assert sorted(row[0] for row in table(club)) == ["Ann", "Ben", "Benny"]
    assert move(both, "out").status_code == 303
    assert [row[0] for row in table(club)] == ["Ann", "Ben"]


def test_the_smallest_win_in_counters_is_no_total(client: FlaskClient, club: ClubPhone) -> None:
    """A winner with 3 counters more than at the beginning has 39 of them."""
    names, row = ["Ann", "Ben", "Cat", "Dan"], {"action": "out", "player": "Ann"}
    host = begin(client, "pink-nines", names, club=club.token, deals="1", counters="36")
    assert host.record(row, after=0).status_code == 303
    assert host.totals()[0] == "39"
    said = words(club.get("/records"))
    assert "Smallest win Ann , 3" in said
    assert "total" not in said


def test_a_broken_record_is_shown_on_the_sheet(client: FlaskClient, club: ClubPhone) -> None:
    """Until the next deal, and again at the end of the game if it still holds."""

    def game(*deals: int) -> Phone:
        fields = {"club": club.token, "deals": "2"}
        host = begin(client, "plain-score", ["Ann", "Ben"], **fields)
        for after, points in enumerate(deals):
            deal = {"action": "deal", "points.0": points, "points.1": 1}
            assert host.record(deal, after).status_code == 303
        return host

    first = game(50, 3)
    assert "Highest deal" not in words(first.get())
    second = game(60)
    told = "★ Highest deal in Thursday table Ann +60 Before: Ann, +50, today"
    assert told in words(second.get())
    assert told in words(second.get("/board"))
    assert "Highest deal new Ann, +60 Ann, +50 today" in words(second.get())
    assert "Lowest winning total Ann, 53 today" in words(second.get())
    records = second.get("/club/records")
    assert records.headers["Location"].startswith(f"/c/{club.token}/records")
    nobodys = second.other("view").get("/club/records")
    assert nobodys.headers["Location"].endswith("/club"), "who has no link to the club"
    deal = {"action": "deal", "points.0": 2, "points.1": 1}
    assert second.record(deal, 1).status_code == 303
    assert told in words(second.get()), "the game is over"
    assert first.post("/entries/1/void", {"after": 2, "key": "v", "sure": "yes"}).status_code == 303
    assert "Highest deal" not in words(second.get()), "the first game is no longer over"
    assert first.post("/entries/3/void", {"after": 3, "key": "w", "sure": "yes"}).status_code == 303
    assert told in words(second.get())
    third = game(55)
    assert "Highest deal" not in words(third.get())
    second.post("/trash", {})
    fourth = game(56)
    assert "★ Highest deal in Thursday table Ann +56 Before: Ann, +50, today" in words(fourth.get())


def test_a_record_has_a_star_on_a_turned_pad(client: FlaskClient, club: ClubPhone) -> None:
    """At its deal, with the figure in gold."""
    seven = ["Ann", "Ben", "Cat", "Dan", "Eve", "Finn", "Gus"]
    for top in (5, 9):
        host = begin(client, "plain-score", seven, club=club.token, deals="1")
        points = {f"points.{seat}": seat % top for seat in range(7)}
        assert host.record({"action": "deal", **points}, 0).status_code == 303
    page = host.get().text
    assert "turned" in page
    assert (
        len(re.findall(r'<th scope="col" class="of-deal"[^>]*>.*?★</span></th>', page, re.S)) == 1
    )
    assert re.findall(r'class="of-deal[^"]* of-star"><b>([^<]+)</b>', page) == ["+6"]


def test_a_persons_page_has_their_rating_and_games(app: Flask, club: ClubPhone) -> None:
    """The games they play most come first; a tap shows the fifth and more."""
    kinds = ("Skat", "Bridge", "Rummy", "Whist", "Hearts", "Hearts")
    for called in kinds:
        host = begin(club.client, "plain-score", ["Ann", "Ben"], club=club.token, deals="1")
        host.post("/title", {"text": called, "after": 0, "key": f"title-{called}"})
        host.record({"action": "deal", "points.0": 5, "points.1": 1}, 1)
    ann, ben = (words(club.get(f"/player?who={who}")) for who in ("ann", "ben"))
    assert "after 6 games no. 1 of 2 rated" in ann
    assert "no. 2 of 2 rated" in ben
    assert "Hearts 2 2 10" in ann
    assert "1 more › 1 1" in ann
    assert "more ›" not in words(club.get("/player?who=ann&all=yes"))


def test_a_pair_is_highlighted_in_head_to_head(club: ClubPhone, won: Won) -> None:
    """The row and the column of the first, and the figures against the second."""
    for _ in range(2):
        won("Ann", "Ben", "Cat")
    page = club.get("/head-to-head?who=ann&other=ben").text
    assert len(re.findall(r'<tr class="theirs">', page)) == 1
    assert words(first_in(page, r'(<td class="[^"]*" aria-current="true">.*?</td>)')) == "2 :0"
    assert 'class="theirs"' not in club.get("/head-to-head").text


def test_the_worst_deal_is_bad_where_the_fewest_points_win(
    client: FlaskClient, club: ClubPhone
) -> None:
    """72 points are; 3 are the best deal, though they count against somebody, too."""
    host = begin(
        client, "plain-score", ["Ann", "Ben"], club=club.token, deals="2", lowest_wins="true"
    )
    for after, points in enumerate((3, 72)):
        scores = {"action": "deal", "points.0": points, "points.1": 10}
        assert host.record(scores, after).status_code == 303
    tiles = re.findall(r'<a class="tile ?(\w*)"[^>]*>(.*?)</a>', club.get("/player?who=ann").text)
    sides = {words(tile).partition(" Any")[0]: side for side, tile in tiles}
    assert sides["Worst deal of 2 72"] == "bad"
    assert sides["Best deal of 2 3"] == ""


def test_a_club_moves_to_another_phone(app: Flask, club: ClubPhone, won: Won) -> None:
    """With the games; it doesn't count as one."""
    won("Ann", "Ben")
    page = club.client.post("/move", follow_redirects=True).text
    found = re.search(r'value="https?://[^"]+(/move/[\w-]+)"', page)
    assert found is not None
    other = app.test_client()
    key = re.search(r'name="key" value="([^"]+)"', other.get(found[1]).text)
    assert key is not None
    taken = other.post(found[1], data={"key": key[1]}, follow_redirects=True)
    assert "1 game came along" in taken.text
    assert "Thursday table" in other.get("/clubs").text


def test_an_invalid_note_is_not_stored(club: ClubPhone, won: Won) -> None:
    """So all notes can be read again."""
    won("Ann", "Ben")
    owed = {"payer": "Ann", "payee": "Ben", "amount": "1", "unit": "counter"}
    for place, fields in (
        ("/name", {"name": "x" * 41}),
        ("/paid", owed | {"amount": str(10**15 + 1)}),
        ("/paid", owed | {"since": "2026-02-30"}),
        ("/paid", owed | {"since": "2026-03-12", "until": "2026-03-11"}),
        ("/paid", owed | {"payer": "x" * 25}),
        ("/paid", owed | {"payer": "Ben"}),
        ("/merge", {"name": "x" * 25, "other": "Ann"}),
        ("/merge", {"name": "Ann"}),
        ("/status", {"name": "x" * 25, "status": "guest"}),
    ):
        assert club.post(place, key="k", **fields).status_code == 422, (place, fields)
        assert club.get().status_code == 200


def test_only_a_sheets_host_can_begin_a_club_with_it(app: Flask, club: ClubPhone, won: Won) -> None:
    """By a link without that right, or without any."""
    sheet = won("Ann", "Ben")
    stranger = app.test_client()
    for token, status in ((sheet.link("score"), 403), ("nothing", 404), (club.token, 404)):
        answer = stranger.post(f"/s/{token}/club", data={"club": "new", "name": "Ours"})
        assert answer.status_code == status
    assert "Ours" not in stranger.get("/clubs").text
    assert club.client.get("/clubs").text.count("/c/") == 1


def test_the_next_sheet_belongs_to_the_club_too(club: ClubPhone, won: Won) -> None:
    """Also begun by a scorer, or as another game; not after a sheet taken out."""
    first = won("Ann", "Ben")
    second = first.other("score").again()
    assert second.record({"action": "out", "player": "Ann"}, 0).status_code == 303
    third = second.again(2, "other", game="pink-nines")
    assert "counts in Thursday table" in words(third.get("/club"))
    move(third, "out")
    assert third.record({"action": "out", "player": "Ann"}, 0).status_code == 303
    assert "belongs to no club" in words(third.again(3, "third").other("view").get("/club"))


@pytest.mark.parametrize("number", range(3))
def test_the_next_sheet_is_in_the_club_or_has_not_begun(
    app: Flask, won: Won, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    """If the write after this `number` of writes fails; the form sent again begins it there."""
    first = won("Ann", "Ben")
    ledger, works = state(app).ledger, iter([True] * number + [False])
    writing, (sheet,) = ledger.engine.writing, Clubs(ledger).sheets(1)

    def now_and_then(*locks: str) -> AbstractContextManager[Writing]:
        if next(works, True):
            return writing(*locks)
        raise UnavailableError(say("The disk is full."))

    with monkeypatch.context() as during:
        during.setattr(ledger.engine, "writing", now_and_then)
        first.post("/again", {"seen": "0", "key": "again"})
    begun = state(app).evenings.together(sheet)
    assert [*Clubs(ledger).of(begun)] == begun
    assert "counts in Thursday table" in words(first.again().get("/club"))


def test_a_person_is_found_by_any_of_their_names(club: ClubPhone, won: Won) -> None:
    """In any spelling, or as before a merge."""
    won("Ben", "Ann")
    club.post("/merge", name="Ben", other="Benny", key="m")
    for who in ("Ben", "BENNY"):
        assert "<h1>Ben</h1>" in club.get(f"/player?who={who}").text


def test_a_figure_links_to_that_many_games(app: Flask, club: ClubPhone) -> None:
    """Wins, games of one kind, places, and those in the sentence about two people."""
    put(app, club, [at(2026, "Ann", "Ben"), at(2026, "Ann", "Ben"), at(2026, "Ben", "Ann")])
    pages = club.get().text + club.get("/player?who=ann").text
    figures = re.findall(r'href="/c/[^/]+(/games[^"]*figure=(?:wins|place)[^"]*)">(\d)</a>', pages)
    assert len(figures) == 5
    for address, number in figures:
        assert f"{number} game" in words(club.get(unescape(address))), address
    assert "Ann against Ben: ahead 2, behind 1." in words(club.get("/head-to-head"))


def test_unusual_addresses_are_answered(club: ClubPhone, won: Won) -> None:
    """Old, broken or made up."""
    won("Ann", "Ben")
    assert club.get(f"/sheets/{2**63}").status_code == 404
    for place in ("/games?other=ben", "/games?figure=wins", "/people?name=Zoe&other=Yan"):
        assert club.get(place).status_code == 200, place
    assert club.post("/notes/2/void", key="k" * 65).status_code == 422


def test_a_key_stands_for_one_note(club: ClubPhone, won: Won) -> None:
    """Another note with the same key isn't stored."""
    won("Ann", "Ben")
    assert club.post("/status", name="Ann", status="guest", key="k").status_code == 303
    assert club.post("/status", name="Ben", status="guest", key="k").status_code == 409
    assert club.post("/name", name="Friday table", key="k").status_code == 409
    assert club.post("/paid", payer="Ann", payee="Ben", amount="1", key="k").status_code == 409
    assert club.post("/notes/2/void", key="k").status_code == 409
    assert [name for name, *_ in table(club)] == ["Ben"]


def test_a_club_begins_on_a_machine_whose_time_zone_has_no_name(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As small machines do: a number of hours from Greenwich."""
    monkeypatch.setenv("TZ", "UTC-2")
    assert client.post("/clubs", data={"name": "Thursday table"}).status_code == 303


def test_a_host_can_set_the_clubs_time_zone(club: ClubPhone, won: Won) -> None:
    """At first it is the machine's."""
    won("Ann", "Ben")
    page = club.get("/people").text
    assert 'name="zone"' in page
    assert '<option value="Pacific/Kiritimati">' in page
    assert club.post("/place", zone="Pacific/Kiritimati", key="p").status_code == 303
    assert 'value="Pacific/Kiritimati"' in club.get("/people").text
    wrong = club.post("/place", zone="Nowhere/At all", key="w")
    assert wrong.status_code == 422
    assert "isn’t a time zone. Write it like Europe/Berlin." in words(wrong)
    assert 'value="Nowhere/At all"' in wrong.text, "the form is kept"
    assert club.other("score").post("/place", zone="Europe/Berlin", key="s").status_code == 403
    assert 'name="zone"' not in club.other("score").get("/people").text


def test_a_club_without_a_game_asks_for_its_members(client: FlaskClient, app: Flask) -> None:
    """A tap adds a name of this phone, or removes one; no link leads nowhere."""
    begin(client, "pink-nines", ["Ann", "Cy"])
    club = begin_club(client)
    page = club.get().text
    assert "Who belongs?" in page
    for empty in ("/records", "/games", "/chart", "/head-to-head", "/room"):
        assert f"/c/{club.token}{empty}" not in page, empty
    assert re.findall(r'aria-pressed="(\w+)">\s*<svg.*?</svg>\s*(\w+)', page, re.S) == [
        ("false", "Ann"), ("false", "Cy"),
    ]  # fmt: skip
    form = {"club": "1", "status": "member"}
    assert club.post("/status", name="Cy", key="1", **form).headers["Location"].endswith(club.token)
    club.post("/status", name="Dot", key="2", **form)
    assert "First game with Cy and Dot" in words(club.get())
    assert 'name="name" value="Ann"' in club.get().text
    club.post("/status", name="Dot", key="3", club="1", status="gone")
    assert "First game with Cy" in words(club.get())
    first = re.search(r'href="(/new\?[^"]+)"', club.get().text)
    assert first
    assert f"club={club.token}&amp;name=Cy" in first[1]
    assert "Who belongs?" not in words(club.other("view").get())


def test_a_person_has_one_color_in_a_club(club: ClubPhone, won: Won) -> None:
    """On sheet, chart, table and big screen; newcomers change nobody's."""
    won("Ann", "Ben")
    host = begin(club.client, "pink-nines", ["Cat", "Ben", "Ann"], club=club.token)
    host.record({"action": "out", "player": "Ann"}, 0)
    own = {"Ann": "1", "Ben": "2", "Cat": "3"}
    in_table = re.findall(r'data-color="(\d+)"></span><span>(\w+)</span>', club.get().text)
    assert in_table == [("1", "Ann"), ("2", "Ben")]
    assert colors(host) == own
    room = re.findall(r'data-color="(\d+)"></i><b>(\w+)</b>', club.get("/room").text)
    assert {name: color for color, name in room} == own


def test_a_sheets_cached_page_is_renewed_by_a_club_note(club: ClubPhone, won: Won) -> None:
    """Such as a merge, though it writes no row on the sheet."""
    won("Ann", "Ben")
    host = begin(club.client, "pink-nines", ["Benny", "Ann"], club=club.token)
    host.record({"action": "out", "player": "Ann"}, 0)
    assert colors(host) == {"Ann": "1", "Benny": "3"}
    tag = host.get("/board").headers["HX-PTag"]
    assert club.post("/merge", name="Ben", other="Benny", key="m").status_code == 303
    assert colors(host) == {"Ann": "1", "Benny": "2"}
    board = host.get("/board")
    assert board.headers["HX-PTag"] != tag, "an open phone is told with its next poll"
    assert f'hx-ptag="{board.headers["HX-PTag"]}"' in board.text


def test_a_note_written_while_a_page_is_made_reaches_the_next_poll(
    club: ClubPhone, won: Won, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a merge by another phone, after the page has read who is who."""
    won("Ann", "Ben")
    host = begin(club.client, "pink-nines", ["Benny", "Ann"], club=club.token)
    host.record({"action": "out", "player": "Ann"}, 0)
    on_sheet, other = page.on_sheet, ClubPhone(host.client.application.test_client(), club.token)

    def slowly(token: str, sheet: OpenSheet) -> page.OnSheet:
        shown = on_sheet(token, sheet)
        assert other.post("/merge", name="Ben", other="Benny", key="m").status_code == 303
        return shown

    with monkeypatch.context() as while_made:
        while_made.setattr(page, "on_sheet", slowly)
        made = host.get().text
    assert 'data-single="Benny" data-color="3"' in made
    tag = first_in(made, r'hx-ptag="([^"]+)"')
    assert host.get("/board").headers["HX-PTag"] != tag
    assert colors(host) == {"Ann": "1", "Benny": "2"}


def test_two_players_at_one_table_never_share_a_color() -> None:
    """There are twelve; the later of two people with the same one gets a free one."""
    counted = Counted(Stage(0, 0, 0), [], {}, Figures())
    counted.__dict__["colors"] = {"ann": 1, "ben": 2, "mo": 1}
    assert counted.colors_on_sheet(["Mo", "Ben", "Ann", "New"]) == {
        "Mo": 1, "Ben": 2, "Ann": 3, "New": 4,
    }  # fmt: skip


def test_home_shows_the_last_games_club(client: FlaskClient, club: ClubPhone, won: Won) -> None:
    """Whichever were opened since, and none in the trash."""
    won("Ann", "Ben")
    other = begin_club(client, "Friday table")
    assert f'href="/c/{club.token}"' in client.get("/").text
    assert f'href="/c/{other.token}"' not in client.get("/").text
    club.post("/trash")
    assert f'href="/c/{other.token}"' in client.get("/").text
