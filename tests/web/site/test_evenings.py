"""After the game: settling up, playing again, and evenings, by each kind of link."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.ledger.chain import Mark
from referee.rules.registry import GAMES
from referee.sheets.comparison import NewSettings
from referee.sheets.history import SheetSettings
from referee.web.app import create_app
from referee.web.context import state
from referee.web.view.filters import written_day
from tests.support.phone import PARTIAL, Phone, begin, first_in, words
from tests.web.test_routes import enough_players

ON_EITHER_ENGINE = True

NAMES = ["Ann", "Ben", "Cat"]


@pytest.fixture
def counters(client: FlaskClient) -> Phone:
    """The host of a sheet for counters that is over: Cat won 4 of Ann's and 3 of Ben's."""
    options = {"deals": "1", "counters": "20", "red_nine_pool": "0", "red_ace_pool": "0"}
    host = begin(client, "red-nines-1881", NAMES, **options)
    won = {"action": "out", "player": "Cat", "hands.0.plain": 4, "hands.1.plain": 3}
    assert host.record(won, after=0).status_code == 303
    return host


# --- settling up


def test_a_settling_says_who_pays_whom(counters: Phone) -> None:
    """Linked from the end of the game and from More, for hosts and viewers; also in money."""
    for phone in (counters, counters.other("view")):
        for place in ("", "/more"):
            assert f"/s/{phone.token}/settle" in phone.get(place).text
        said = words(phone.get("/settle"))
        assert "Ann pays Cat 4 counters" in said
        assert "Ben pays Cat 3 counters" in said
        assert "not over" not in said
        assert "Ann pays Cat €0.20 4 counters" in words(phone.get("/settle?rate=0,05&sign=€"))


@pytest.mark.parametrize(
    ("rate", "sign"), [("x", "€"), ("1", ""), ("<b>", "<b>"), ("9" * 999, "€")]
)
def test_an_invalid_rate_leaves_the_counters(counters: Phone, rate: str, sign: str) -> None:
    """What was typed is escaped."""
    answer = counters.get(f"/settle?rate={rate}&sign={sign}")
    assert answer.status_code == 422
    assert "Ann pays Cat 4 counters" in words(answer)
    assert "<b></" not in answer.text
    assert 'value="<b>' not in answer.text


@pytest.mark.parametrize("slug", GAMES)
def test_a_game_for_counters_can_be_settled_at_any_moment(client: FlaskClient, slug: str) -> None:
    """A game for points can't."""
    host = begin(client, slug, enough_players(slug))
    answer = host.get("/settle")
    if GAMES[slug].has_counters:
        assert "Not won yet" in words(answer)
        assert re.search("The game isn’t over|hand in progress does not count", words(answer))
    else:
        assert "/settle" not in host.get("/more").text
        assert answer.status_code == 404
        assert "played for points" in answer.text


# --- play again


def test_a_viewer_is_offered_the_next_game(counters: Phone) -> None:
    """Also of the one after that, though its sheet was in the evening already."""
    here = counters
    for seen in (0, 2):
        viewer = here.other("view")
        before = viewer.get("/board")
        assert "/next" not in before.text
        following = here.again(seen, f"again-{seen}")
        after = viewer.get("/board")
        assert after.headers["HX-PTag"] != before.headers["HX-PTag"]
        assert f'href="/s/{viewer.token}/next"' in after.text
        here = following
        won = {"action": "out", "player": "Cat", "hands.0.plain": 4, "hands.1.plain": 3}
        assert here.record(won, after=0).status_code == 303


def test_playing_again_keeps_players_and_house_rules(counters: Phone) -> None:
    """The next player deals; the person who began it is its host."""
    assert 'name="seen" value="0">' in counters.get().text
    following = counters.again()
    assert counters.again().token == following.token
    sheet = following.file()
    assert (sheet["game"], sheet["players"], sheet["dealer"]) == ("red-nines-1881", NAMES, "Ben")
    assert sheet["options"]["deals"] == 1
    assert sheet["entries"] == []
    assert "Stop sharing" in following.get("/share").text
    assert "/evening" in counters.get().text
    assert "Play again</button>" not in counters.get().text
    assert "/evening" in following.get("/more").text


def test_a_second_phone_that_plays_again_is_led_into_that_game(counters: Phone) -> None:
    """By its own role; a link that was withdrawn leads to the evening instead."""
    second = counters.other("score")
    first = counters.again()
    answer = second.client.post(
        f"/s/{second.token}/again", data={"seen": 0, "key": "another"}, follow_redirects=True
    )
    assert answer.request.path == f"/s/{first.link('score')}"
    assert len(played(counters.client.get(counters.evening()))) == 2
    for role in ("score", "view"):
        first.post("/links", {"role": role})
    second.client.delete_cookie("sheets")
    answer = second.client.post(
        f"/s/{second.token}/again", data={"seen": 0, "key": "later"}, follow_redirects=True
    )
    assert answer.request.path.startswith("/e/")


def test_the_next_sheet_can_be_another_game(counters: Phone) -> None:
    """If that many can play it."""
    assert "Multiple 9" in counters.again(game="multiple-9").get().text
    for slug in ("9-of-a-kind", "whist"):  # for five and more; unknown
        refused = counters.post("/again", {"seen": 2, "key": "k", "game": slug})
        assert refused.status_code == 422


def test_whoever_was_put_out_plays_the_next_sheet(client: FlaskClient) -> None:
    """Players who left of their own accord don't."""
    options = {"cannot_pay": "out", "counters": "5", "red_nine_pool": "0"}
    phone = begin(client, "red-nines-1881", [*NAMES, "Dot"], **options)
    assert phone.record({"action": "leave", "player": "Dot"}, after=0).status_code == 303
    won = {"action": "out", "player": "Ann", "hands.1.plain": "6", "hands.2.plain": "6"}
    assert phone.record(won, after=1).status_code == 303
    page = phone.get().text
    assert "name=Ann&amp;name=Ben&amp;name=Cat&amp;dealer=1" in page
    assert '<option value="nine-five-two">' in page
    sheet = phone.again().file()
    assert (sheet["players"], sheet["dealer"]) == (NAMES, "Ben")


def test_the_next_sheet_begins_only_after_the_latest_was_played_on(counters: Phone) -> None:
    """And only from that one, so that taps don't fill an evening with empty sheets."""
    scorer = counters.other("score")
    following = scorer.again()
    assert scorer.again().token == following.token, "the form sent again is the same sheet"
    for phone, why in (
        (scorer, "Start the next sheet from the latest one"),
        (following, "Nothing has been recorded on the latest sheet"),
        (counters, "Nothing has been recorded on the latest sheet"),
    ):
        refused = phone.post("/again", {"seen": 2, "key": "more"})
        assert refused.status_code == 422
        assert why in refused.text
    following.record(
        {"action": "adjust", "player": "Ann", "points": 1, "to": "Ben", "reason": "x"}, 0
    )
    assert scorer.post("/again", {"seen": 2, "key": "more"}).status_code == 422
    third = counters.again(2, "third")
    third.post("/trash", {})
    assert following.again(3, "fourth").token, "a sheet in the trash holds nobody up"


@pytest.mark.parametrize(
    "fields",
    [{}, {"seen": "x", "key": "k"}, {"seen": "0", "key": "ü"}, {"seen": "50", "key": "k"}],
)
def test_an_invalid_form_begins_no_sheet(counters: Phone, fields: dict[str, object]) -> None:
    """It says why."""
    assert counters.post("/again", fields).status_code == 422
    nowhere = counters.get("/evening")
    assert nowhere.status_code == 404
    assert "isn’t part of an evening yet" in nowhere.text


def test_the_next_sheet_can_begin_before_a_game_is_over(host: Phone) -> None:
    """The next dealer deals, also if a deal is in progress."""
    assert "Start the next sheet" in host.get("/more").text
    host.record({"action": "out", "player": "Cat"}, 0)
    assert host.again().file()["dealer"] == "Ben"
    other = begin(host.client, "multiple-9", ["Ann", "Ben", "Cat"])
    other.record({"action": "turn", "player": "Ben", "cards": ""}, 0)
    assert other.again().file()["dealer"] == "Ben"


@pytest.mark.parametrize("slug", ["pink-nines", "multiple-9-holdem"])
def test_who_was_to_deal_when_the_game_was_stopped_deals_the_next(
    client: FlaskClient, slug: str
) -> None:
    """In hold'em, too, where the blinds of that hand have been posted."""
    phone = begin(client, slug, NAMES)
    folds = [{"action": "bet", "player": player, "move": "fold"} for player in ("Ann", "Ben")]
    deal = folds if slug == "multiple-9-holdem" else [{"action": "out", "player": "Cat"}]
    for after, entry in enumerate([*deal, {"action": "stop"}]):
        assert phone.record(entry, after).status_code == 303
    assert phone.again().file()["dealer"] == "Ben"


# --- the evening


def test_an_evening_has_games_wins_and_a_settling(counters: Phone) -> None:
    """The settling is over all games, in counters or money."""
    second = counters.again()
    won = {"action": "out", "player": "Ann", "hands.1.plain": 2, "hands.2.plain": 5}
    assert second.record(won, after=0).status_code == 303
    third = second.again(2, "third", game="multiple-9")
    address = third.evening()
    assert counters.evening() == second.evening() == address
    answer = counters.client.get(address + "?rate=0.10&sign=€")
    said = words(answer)
    assert "3 games" in said
    assert "Ann 1 Ben 0 Cat 1" in said or "Ann 1 Cat 1 Ben 0" in said
    assert "Cat won" in said
    assert "Ann won" in said
    assert "Just started" in said
    assert "Ben pays Ann €0.30 3 counters" in said
    assert "Ben pays Cat €0.20 2 counters" in said
    assert "noindex" in answer.headers["X-Robots-Tag"]
    assert "<!doctype" not in counters.client.get(address, headers=PARTIAL).text


def test_a_game_that_has_just_begun_makes_no_debts(client: FlaskClient) -> None:
    """Its blinds are posted: chips that nobody has won yet."""
    host = begin(client, "red-nines-1881", NAMES, deals="1", red_nine_pool="0", red_ace_pool="0")
    won = {"action": "out", "player": "Cat", "hands.0.plain": 4, "hands.1.plain": 3}
    assert host.record(won, after=0).status_code == 303
    following = host.again(game="multiple-9-holdem")
    said = words(client.get(following.evening()))
    assert "Just started" in said
    assert "Ann pays Cat 4 counters" in said
    assert "Ben pays Cat 3 counters" in said
    assert "in progress" not in said


def rename(phone: Phone, **renamed: str) -> None:
    """Rename players on a sheet."""
    book = state(phone.client.application).book
    link = book.ledger.link(phone.token)
    assert link is not None
    sheet = book.open(link)
    agreed = sheet.head.settings
    names = [renamed.get(name, name) for name in agreed.players]
    dealer = renamed.get(agreed.dealer, agreed.dealer)
    becomes = SheetSettings(names, dealer, agreed.options)
    book.correct(link, NewSettings(becomes, renamed), Mark(sheet.seq), f"names-{sheet.seq}")


def test_a_player_renamed_on_one_sheet_is_one_person(counters: Phone) -> None:
    """Called as on the latest sheet."""
    second = counters.again()
    for sheet, name in ((second, "Anna"), (counters, "Anne")):
        rename(sheet, Ann=name)
        said = words(counters.client.get(second.evening()))
        assert "Cat 1" in said
        assert "Anna 0" in said
        assert not re.search("Ann 0|Anne 0", said)
        assert "Anna pays Cat 4 counters" in said


def test_two_players_who_swap_names_stay_two_people(counters: Phone) -> None:
    """Both names are on the other sheet, too."""
    second = counters.again()
    rename(second, Ann="Ben", Ben="Ann")
    said = words(counters.client.get(second.evening()))
    assert "Ann pays Cat 4 counters" in said
    assert "Ben pays Cat 3 counters" in said


def test_an_evening_opened_by_a_view_link_is_view_only(counters: Phone) -> None:
    """It contains only view links, and no form."""
    viewer = counters.other("view")
    following = counters.again()
    secrets = [counters.token, counters.link("score"), following.token, following.link("score")]
    assert "Play again</button>" not in viewer.get().text
    assert viewer.post("/again", {"seen": 2, "key": "k"}).status_code == 403
    evening = viewer.client.get(viewer.evening())
    for answer in (evening, *(viewer.get(place) for place in ("/evening", "/settle", "/more", ""))):
        assert not any(one in f"{answer.text}{answer.headers}" for one in secrets)
    assert 'method="post"' not in evening.text
    assert played(evening) == [counters.link("view"), following.link("view")]
    assert viewer.client.post(viewer.evening()).status_code == 405


def test_a_scoring_link_begins_a_sheet_of_its_own(counters: Phone, host: Phone) -> None:
    """The scorer hosts that; the first host's link stays hidden."""
    scorer = host.other("score")
    following = scorer.again()
    assert "Stop sharing" in following.get("/share").text
    assert host.token not in following.get("/more").text + scorer.client.get(scorer.evening()).text


@pytest.mark.parametrize("role", ["view", "score"])
def test_withdrawing_a_link_withdraws_the_evenings_link(counters: Phone, role: str) -> None:
    """Those who still have a link are led to the evening's new one."""
    counters.again()
    old = counters.evening()
    assert counters.post("/links", {"role": role}).status_code == 303
    assert counters.client.get(old).status_code == 404
    new = counters.evening()
    assert new != old
    assert counters.client.get(new).status_code == 200


def test_an_evening_does_not_reveal_a_renewed_link(counters: Phone) -> None:
    """Whoever was turned away from a sheet doesn't get back by way of another one."""
    second = counters.again()
    second.record({"action": "abandon", "reason": "x"}, 0)
    third = second.again(2, "third", game="multiple-9")
    away = counters.other("view")
    away.client.get(f"/s/{second.link('view')}")
    old = second.link("view")
    second.post("/links", {"role": "view"})
    new = second.link("view")
    page = away.client.get(away.evening())
    assert played(page) == [counters.link("view"), third.link("view")]
    assert "1 sheet isn’t shown or counted here" in page.text
    assert old not in page.text
    # The same phone once it has the new link, and a phone that opens that first.
    away.client.get(f"/s/{new}")
    for phone in (away, second.other("view")):
        page = phone.client.get(phone.evening())
        assert len(played(page)) == 3
        assert new in played(page)
        assert "isn’t shown" not in page.text
    assert len(played(second.client.get(second.evening()))) == 3


def played(answer: TestResponse) -> list[str]:
    """The tokens of the sheets on an evening's page, in order."""
    games = answer.text.partition("Games of this evening")[2]
    return re.findall(r'href="/s/([\w-]+)"', games)


def test_an_evening_has_score_links_for_those_who_score(counters: Phone) -> None:
    """Never a host's link; the next game begins from the latest sheet."""
    scorer = counters.other("score")
    scorer.get()
    following = scorer.again()
    for host, other in ((counters, following), (following, counters)):
        page = host.client.get(host.evening())
        assert other.link("score") in played(page)
        assert other.token not in page.text
    text = counters.client.get(counters.evening()).text
    assert f'action="/s/{following.link("score")}/again"' not in text, "nobody has played it yet"
    assert "Go on with Red Nines (1881)" in text
    following.record({"action": "abandon", "reason": "x"}, 0)
    text = counters.client.get(counters.evening()).text
    assert f'action="/s/{following.link("score")}/again"' in text
    assert 'name="seen" value="2">' in text
    third = Phone(counters.client, following.link("score")).again(2, "")
    assert played(counters.client.get(counters.evening()))[-1] == third.token


def test_an_evening_does_not_reveal_a_renewed_score_link(counters: Phone) -> None:
    """Whoever lost it gets that sheet's view link."""
    scorer = counters.other("score")
    scorer.get()
    following = counters.again()
    assert played(scorer.client.get(scorer.evening()))[1] == following.link("score")
    following.post("/links", {"role": "score"})
    page = scorer.client.get(scorer.evening())
    assert played(page)[1] == following.link("view")
    assert following.link("score") not in page.text
    assert "Next game" not in page.text
    counters.post("/links", {"role": "score"})
    looks_on = Phone(scorer.client, counters.link("view"))
    assert "Next game" not in scorer.client.get(looks_on.evening()).text


def test_the_evenings_of_a_phone(counters: Phone, client: FlaskClient) -> None:
    """Those with a sheet that it has opened are listed, the latest first."""
    assert "and both games become an evening" in words(client.get("/evenings"))
    counters.again()
    page = client.get("/evenings")
    assert "Cat won 1" in words(page)
    assert "2 × Red Nines (1881) · Ann, Ben, and Cat" in words(page)
    way = first_in(page.text, r'href="(/s/[^"]+/evening)"')
    assert client.get(way).headers["Location"] == counters.evening()
    assert '/evening"' not in client.application.test_client().get("/evenings").text


def test_an_address_with_unprintable_characters_is_a_404(client: FlaskClient) -> None:
    """Some databases would refuse a query with a NUL."""
    assert client.get("/e/%00").status_code == 404


def test_a_long_evening_is_counted_in_steps(
    app: Flask, counters: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page says how many games remain, shows no totals until then, and reloads itself."""
    following = counters.again(game="pink-nines")
    following.record({"action": "abandon", "reason": "a card was missing"}, 0)
    address = counters.evening()
    right = words(app.test_client().get(address))
    settings = state(app).settings
    settings.summaries.unlink()
    monkeypatch.setattr("referee.sheets.summaries.MAX_PLAYED", 0)
    later = create_app(settings).test_client()
    first = later.get(address)
    assert first.headers["Refresh"] == "1"
    assert "1 game of this evening is still being counted" in words(first)
    assert "Not counted yet" in words(first)
    assert "Games won" not in words(first)
    assert "pays" not in words(first)
    second = later.get(address)
    assert "Refresh" not in second.headers
    assert words(second) == right


# --- offers to join games

EIGHT = datetime.now(UTC).astimezone().replace(hour=20, minute=0)


def set_clock(app: Flask, days_ago: int = 0) -> None:
    """Set the book's clock to eight in the evening, this many days before today."""
    moment = (EIGHT - timedelta(days=days_ago)).astimezone(UTC)
    state(app).book.now = lambda: moment.isoformat(timespec="seconds")


@pytest.fixture
def tonight(app: Flask) -> None:
    """Set the clock to eight in the evening, so that no test runs into the next day."""
    set_clock(app)


def game(client: FlaskClient, *names: str, winner: str = "") -> Phone:
    """A game won by the last player or `winner`; with "-" it is unfinished."""
    host = begin(client, "multiple-9", list(names), target="2" if winner == "-" else "1")
    won = names[-1] if winner in ("", "-") else winner
    assert host.record({"action": "out", "player": won}, 0).status_code == 303
    return host


def tapped(client: FlaskClient, page: str, button: str = "") -> TestResponse:
    """Send the form of an offer by its first button, or by the one with this name."""
    form = re.search(r'<form class="offer.*?</form>', page, re.DOTALL)
    assert form is not None
    sheets = re.findall(r'name="sheet" value="([^"]+)"', form[0])
    return client.post("/evenings", data={"sheet": sheets, **({button: "yes"} if button else {})})


def part_form(page: str) -> list[str]:
    """The sheets named in the form that parts an evening."""
    form = re.search(r"<form[^>]*/part.*?</form>", page, re.DOTALL)
    assert form is not None
    return re.findall(r'name="sheet" value="([^"]+)"', form[0])


@pytest.mark.usefixtures("tonight")
def test_games_of_a_day_are_offered_as_an_evening(client: FlaskClient) -> None:
    """One tap joins them, another takes them apart; then home doesn't offer them again."""
    game(client, "Ann", "Ben")
    game(client, "Ann", "Ben", "Cy", "Gus", winner="Cy")
    game(client, "Cy", "Dot", "Ann")
    game(client, "Ann", "Ben", "Cy", "Dot", winner="-")
    home = client.get("/")
    said = words(home)
    asked = "These 4 games from tonight look like one evening: Ann, Ben, Cy, and Dot. Join them?"
    assert asked in said
    assert "on the table" in said
    assert "Ann, Ben, and Cy · Gus as a guest" in said
    assert home.text.count("Cy won") == 1, "a game on offer is not listed twice"
    first, second = tapped(client, home.text), tapped(client, home.text)
    address = first.headers["Location"]
    assert second.headers["Location"] == address
    page = client.get(address)
    assert "4 games are one evening now. Undo" in words(page)
    assert len(played(page)) == 4
    joined = client.get("/").text
    assert "look like one evening" not in joined
    assert "Ann, Ben, and Cy won 1 each" in words(joined)
    assert "4 × Multiple 9 · Ann, Ben, Cy, Gus, and Dot" in words(joined)
    for _ in range(2):
        parted = client.post(
            f"{address.partition('?')[0]}/part", data={"sheet": part_form(page.text)}
        )
        assert parted.headers["Location"] == "/?apart=1"
    assert client.get(address).status_code == 404
    home = client.get("/?apart=1")
    assert "They stay separate" in words(home)
    assert "look like one evening" not in home.text, "they were parted on purpose"
    assert home.text.count(" won<") == 3
    tapped(client, client.get("/evenings").text)
    assert len(played(client.get(address))) == 4


def test_a_sheets_page_shows_its_place_in_the_evening_at_once(client: FlaskClient) -> None:
    """Also when sheets were joined or taken out elsewhere, and the number stayed the same."""
    games = [game(client, "Ann", "Ben") for _ in range(4)]
    last = games[2]
    sent = {"sheet": [one.token for one in games[:3]]}
    address = client.post("/evenings", data=sent).headers["Location"].partition("?")[0]
    assert "The evening so far" in last.get().text
    client.post(f"{address}/part", data={"sheet": games[0].token})
    assert 'name="seen" value="2"' in last.get().text
    client.post("/evenings", data={"sheet": [games[1].token, games[3].token]})
    assert "The next sheet, and the evening" in last.get().text
    assert 'name="seen" value="0"' in games[0].get().text


@pytest.mark.usefixtures("tonight")
def test_games_kept_separate_are_offered_under_evenings_only(client: FlaskClient) -> None:
    """A later game isn't offered together with them at home, either."""
    game(client, "Ann", "Ben")
    game(client, "Ann", "Ben")
    page = client.get("/").text
    assert tapped(client, page, "apart").headers["Location"] == "/?apart=1"
    game(client, "Ann", "Ben")
    assert "look like one evening" not in client.get("/").text
    evenings = client.get("/evenings").text
    assert "These 3 games" in evenings
    assert "Keep separate" not in evenings
    location = tapped(client, evenings).headers["Location"]
    # An older form.
    assert tapped(client, page, "apart").status_code == 303
    assert len(played(client.get(location))) == 3


@pytest.mark.usefixtures("tonight")
def test_one_more_game_can_join_an_evening(counters: Phone, client: FlaskClient) -> None:
    """Taken out again, it leaves the evening as it was."""
    second = counters.again()
    second.record({"action": "abandon", "reason": "x"}, 0)
    evening = counters.evening()
    other = game(client, *NAMES)
    assert "These 3 games" in client.get("/").text
    assert tapped(client, client.get("/").text).headers["Location"].startswith(evening)
    assert other.evening() == evening
    assert 'name="seen" value="3"' in other.get().text
    page = client.get(evening).text
    assert part_form(page)[-1] == other.token
    client.post(f"{evening}/part", data={"sheet": other.token})
    assert len(played(client.get(evening))) == 2
    assert other.get("/evening").status_code == 404
    client.post(f"{evening}/part", data={"sheet": second.token})
    assert client.get(evening).status_code == 404, "one game is no evening"


@pytest.mark.usefixtures("tonight")
def test_only_those_who_score_on_each_sheet_may_join_them(client: FlaskClient, app: Flask) -> None:
    """Viewers get no offers, and their forms are refused."""
    hosts = [game(client, "Ann", "Ben"), game(client, "Ann", "Ben")]
    for role in ("view", "score"):
        phone = app.test_client()
        links = [host.link(role) for host in hosts]
        for link in links:
            phone.get(f"/s/{link}")
        offers = [
            phone.get(place).text.count("look like one evening") for place in ("/", "/evenings")
        ]
        for button in ({}, {"apart": "yes"}):
            answer = phone.post(
                "/evenings", data={"sheet": [hosts[0].link("score"), links[1]], **button}
            )
            assert answer.status_code == (403 if role == "view" else 303)
        assert offers == ([0, 0] if role == "view" else [1, 1])
    evening = hosts[0].evening()
    viewer = app.test_client()
    assert viewer.post(f"{evening}/part", data={"sheet": hosts[0].link("view")}).status_code == 403
    assert viewer.post("/e/nowhere/part", data={"sheet": hosts[0].link("score")}).status_code == 404
    assert len(played(client.get(evening))) == 2


def test_an_evening_joins_another_only_with_rights_to_all_its_sheets(
    counters: Phone, client: FlaskClient, app: Flask
) -> None:
    """The one who joins them must be able to score on each.

    Its link then leads to the other evening.
    """
    first = game(client, *NAMES)
    second, third = counters.again(), first.again(key="other")
    third.post("/links", {"role": "score"})
    evening, old = counters.evening(), first.evening()
    sent = {"sheet": [counters.link("score"), first.link("score")]}
    assert app.test_client().post("/evenings", data=sent).status_code == 403
    assert first.evening() == old != evening
    own = {"sheet": [third.token, first.token, second.token]}
    assert client.post("/evenings", data=own).headers["Location"].startswith(evening)
    for address in (old, evening):
        assert len(played(client.get(address))) == 4


@pytest.mark.usefixtures("tonight")
def test_an_outdated_offer_joins_only_what_is_left(client: FlaskClient) -> None:
    """Without trashed sheets and withdrawn links; fewer than two are not joined."""
    hosts = [game(client, "Ann", "Ben") for _ in range(3)]
    page = client.get("/").text
    hosts[0].post("/trash", {})
    assert "These 2 games" in client.get("/").text
    location = tapped(client, page).headers["Location"]
    assert len(played(client.get(location))) == 2
    hosts[1].post("/trash", {})
    assert tapped(client, page).headers["Location"] == "/"
    assert client.post("/evenings").headers["Location"] == "/"


def test_an_evening_is_known_by_its_games(client: FlaskClient) -> None:
    """By one or two of them; more are only counted."""
    here = begin(client, "pink-nines", ["Ann", "Ben", "Cat"])
    said = {0: "Pink Nines and Multiple 9 ·", 2: "2 × Multiple 9 ·", 3: "4 games ·"}
    for (seen, line), slug in zip(said.items(), ("multiple-9", "", "plain-score"), strict=True):
        assert here.record({"action": "out", "player": "Ann"}, 0).status_code == 303
        here = here.again(seen, f"again-{seen}", game=slug)
        here.get()
        assert line in words(client.get("/evenings"))


def test_an_evening_of_days_ago(client: FlaskClient, app: Flask) -> None:
    """For a week home offers it and calls it by its weekday; later only Evenings does."""
    for days, home in ((3, True), (20, False)):
        phone, date = app.test_client(), EIGHT - timedelta(days=days)
        set_clock(app, days)
        for _ in range(2):
            game(phone, "Ann", "Ben")
        set_clock(app)
        assert ("look like one evening" in phone.get("/").text) == home
        tapped(phone, phone.get("/evenings").text)
        name = f"{date:%A}" if home else words(written_day(date))
        assert f"Evening of {name} Ben won 2 of 2 2 × Multiple 9 · Ann and Ben" in words(
            phone.get("/")
        )


@pytest.mark.usefixtures("tonight")
def test_home_reads_all_evenings_in_a_few_queries(
    client: FlaskClient, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many games a phone has opened."""
    for _ in range(12):
        game(client, "Ann", "Ben")
    tapped(client, client.get("/").text)
    engine = state(app).ledger.engine
    read, asked = engine.read, list[str]()

    def noted(query: str, *values: object) -> list[Any]:
        asked.append(query)
        return read(query, *values)

    monkeypatch.setattr(engine, "read", noted)
    assert "12 × Multiple 9 · Ann and Ben" in words(client.get("/"))
    assert len([query for query in asked if "evening" in query]) <= 3
