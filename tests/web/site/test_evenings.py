"""After the game: settle up, play again, and the evening, for those who score and who look."""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import partialmethod
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.rules.registry import GAMES
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.comparison import NewSettings
from referee.sheets.history import SheetSettings
from referee.sheets.summaries import Summaries
from referee.web.app import create_app
from tests.support.phone import PARTIAL, Phone, begin
from tests.web.test_routes import enough_players

NAMES = ["Ann", "Ben", "Cat"]
POINTS = [slug for slug, game in GAMES.items() if not game.has_counters]
COUNTERS = [slug for slug, game in GAMES.items() if game.has_counters]


@pytest.fixture
def counters(client: FlaskClient) -> Phone:
    """The host of a sheet for counters that is over: Cat won 4 of Ann's and 3 of Ben's."""
    host = begin(
        client,
        "red-nines-1881",
        NAMES,
        deals="1",
        counters="20",
        red_nine_pool="0",
        red_ace_pool="0",
    )
    entry = {"action": "out", "player": "Cat", "red_nine": "false"}
    hands = {"hands.0.plain": 4, "hands.0.red_nines": 0, "hands.1.plain": 3, "hands.1.red_nines": 0}
    assert host.record({**entry, **hands}, after=0).status_code == 303
    return host


def words(answer: TestResponse) -> str:
    """What a page says, without its tags."""
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.text)))


def again(phone: Phone, seen: int = 0, key: str = "again", **fields: str) -> Phone:
    """Start the next sheet, and hold its link."""
    answer = phone.post("/again", {"seen": seen, "key": key, **fields})
    assert answer.status_code == 303, answer.text
    return Phone(phone.client, answer.headers["Location"].rsplit("/", 1)[1])


def evening(phone: Phone) -> str:
    """The address of the evening of a phone's sheet."""
    answer = phone.get("/evening")
    assert answer.status_code == 303
    return answer.headers["Location"]


# --- settling up


def test_who_pays_whom(counters: Phone, client: FlaskClient) -> None:
    """From the end of the game and from More, for the host and for viewers."""
    viewer = Phone(client.application.test_client(), counters.link("view"))
    for phone in (counters, viewer):
        assert f"/s/{phone.token}/settle" in phone.get().text
        assert f"/s/{phone.token}/settle" in phone.get("/more").text
        said = words(phone.get("/settle"))
        assert "Ann pays Cat 4 counters" in said
        assert "Ben pays Cat 3 counters" in said
        assert "not over" not in said
        assert "Ann pays Cat €0.20 4 counters" in words(phone.get("/settle?rate=0,05&sign=€"))
        fragment = phone.get("/settle", **PARTIAL)
        assert "<!doctype" not in fragment.text
        assert "Ann" in fragment.text


@pytest.mark.parametrize(
    ("rate", "sign"), [("x", "€"), ("1", ""), ("<b>", "<b>"), ("9" * 999, "€")]
)
def test_a_rate_that_is_none(counters: Phone, rate: str, sign: str) -> None:
    """It is said in words, the counters stand, and nothing typed becomes part of the page."""
    answer = counters.get(f"/settle?rate={rate}&sign={sign}")
    assert answer.status_code == 422
    assert "Ann pays Cat 4 counters" in words(answer)
    assert "<b></" not in answer.text
    assert 'value="<b>' not in answer.text


@pytest.mark.parametrize("slug", COUNTERS)
def test_at_any_moment(client: FlaskClient, slug: str) -> None:
    """A sheet that has just begun can be settled; what is open is said."""
    said = words(begin(client, slug, NAMES).get("/settle"))
    assert "Not won yet" in said
    assert re.search("The game isn’t over|hand in progress does not count", said)


@pytest.mark.parametrize("slug", POINTS)
def test_points_are_not_owed(client: FlaskClient, slug: str) -> None:
    """A game for points has nothing to settle, and no way there."""
    host = begin(client, slug, enough_players(slug))
    assert "/settle" not in host.get("/more").text
    answer = host.get("/settle")
    assert answer.status_code == 404
    assert "played for points" in answer.text


# --- play again


def test_play_again(counters: Phone) -> None:
    """The same players and house rules, the next dealer; the one who began it is its host."""
    following = again(counters)
    sheet = following.get("/sheet.json").json
    assert sheet is not None
    assert (sheet["game"], sheet["players"], sheet["dealer"]) == ("red-nines-1881", NAMES, "Ben")
    assert sheet["options"]["deals"] == 1
    assert sheet["entries"] == []
    assert "Stop sharing" in following.get("/share").text


def test_the_button_is_the_form(counters: Phone) -> None:
    """What the end of a game sends is what begins the next sheet."""
    page = counters.get().text
    assert 'name="seen" value="0">' in page
    following = again(counters, 0, "")
    assert "/evening" in counters.get().text
    assert "Play again</button>" not in counters.get().text
    assert "/evening" in following.get("/more").text


def test_twice_is_once(counters: Phone) -> None:
    """A form that was sent twice begins one sheet, and both answers lead to it."""
    assert again(counters).token == again(counters).token
    assert counters.client.get(evening(counters)).text.count("<li><a href=") == 2


def test_somebody_else_was_faster(counters: Phone) -> None:
    """A second phone that begins the next sheet is led to the evening, where it stands."""
    first = again(counters)
    answer = counters.post("/again", {"seen": 0, "key": "another"})
    assert answer.headers["Location"].endswith("/evening")
    page = counters.client.get(evening(counters)).text
    assert page.count("<li><a href=") == 2
    assert f"/s/{first.token}" in page


def test_another_game(counters: Phone) -> None:
    """The evening goes on with another game, if it allows this number of players."""
    following = again(counters, game="multiple-9")
    assert "Multiple 9" in following.get().text
    for slug in ("9-of-a-kind", "whist"):  # for five and more; unknown
        answer = counters.post("/again", {"seen": 2, "key": "k", "game": slug})
        assert answer.status_code == 422
        assert "Traceback" not in answer.text


def test_whoever_was_put_out_plays_the_next_sheet(client: FlaskClient) -> None:
    """The rules put them out of one game only; who left of their own accord stays away."""
    options = {"cannot_pay": "out", "counters": "5", "red_nine_pool": "0"}
    phone = begin(client, "red-nines-1881", [*NAMES, "Dot"], **options)
    assert phone.record({"action": "leave", "player": "Dot"}, after=0).status_code == 303
    won = {"action": "out", "player": "Ann", "hands.1.plain": "6", "hands.2.plain": "6"}
    assert phone.record(won, after=1).status_code == 303
    page = phone.get().text
    assert "name=Ann&amp;name=Ben&amp;name=Cat&amp;dealer=1" in page
    assert '<option value="nine-five-two">' in page
    sheet = again(phone).get("/sheet.json").json
    assert sheet is not None
    assert (sheet["players"], sheet["dealer"]) == (NAMES, "Ben")


def test_an_evening_is_not_filled(counters: Phone, client: FlaskClient) -> None:
    """The next sheet is begun only from the latest one, and only once that was played on."""
    scorer = Phone(client.application.test_client(), counters.link("score"))
    following = again(scorer)
    assert again(scorer).token == following.token, "the form sent again is the same sheet"
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
    third = again(counters, 2, "third")
    third.post("/trash", {})
    assert again(following, 3, "fourth").token, "a sheet in the trash holds nobody up"


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"seen": "x", "key": "k"},
        {"seen": "0", "key": "ü"},
        {"seen": "50", "key": "k"},
    ],
)
def test_a_form_that_is_none(counters: Phone, fields: dict[str, object]) -> None:
    """It begins nothing and says why."""
    assert counters.post("/again", fields).status_code == 422
    assert counters.get("/evening").status_code == 404


def test_at_any_time(host: Phone) -> None:
    """A sheet that is not over can be followed by the next one as well.

    The player due to deal deals next; if they have dealt already, the following one.
    """
    assert "Start the next sheet" in host.get("/more").text
    host.record({"action": "out", "player": "Cat"}, 0)
    assert again(host).get("/sheet.json").json["dealer"] == "Ben"  # type: ignore[index]
    other = begin(host.client, "multiple-9", ["Ann", "Ben", "Cat"])
    other.record({"action": "turn", "player": "Ben", "cards": ""}, 0)
    assert again(other).get("/sheet.json").json["dealer"] == "Ben"  # type: ignore[index]


# --- the evening


def test_the_evening(counters: Phone) -> None:
    """Its games and their winners, who won how many, and the settling of all of it."""
    second = again(counters)
    entry = {"action": "out", "player": "Ann", "red_nine": "false"}
    hands = {"hands.1.plain": 2, "hands.1.red_nines": 0, "hands.2.plain": 5, "hands.2.red_nines": 0}
    assert second.record({**entry, **hands}, after=0).status_code == 303
    third = again(second, 2, "third", game="multiple-9")
    address = evening(third)
    assert evening(counters) == evening(second) == address
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


def rename(phone: Phone, **renamed: str) -> None:
    """Give players of a sheet other names."""
    book: Book = phone.client.application.extensions["referee"].book
    link = book.find(phone.token)
    assert link is not None
    sheet = book.open(link)
    agreed = sheet.head.settings
    names = [renamed.get(name, name) for name in agreed.players]
    dealer = renamed.get(agreed.dealer, agreed.dealer)
    becomes = SheetSettings(names, dealer, agreed.options)
    book.correct(link, NewSettings(becomes, renamed), sheet.seq, f"names-{sheet.seq}")


def test_a_name_put_right_is_one_person(counters: Phone) -> None:
    """A player renamed on one sheet is counted once, by the latest name."""
    second = again(counters)
    rename(second, Ann="Anna")
    said = words(counters.client.get(evening(second)))
    assert "Cat 1" in said
    assert "Anna 0" in said
    assert "Ann 0" not in said
    assert "Anna pays Cat 4 counters" in said
    rename(counters, Ann="Anne")
    said = words(counters.client.get(evening(second)))
    assert "Anna pays Cat 4 counters" in said
    assert "Anne 0" not in said


def test_names_that_sit_together_are_two_people(counters: Phone) -> None:
    """Names that change places on one sheet put no two people of the other into one."""
    second = again(counters)
    rename(second, Ann="Ben", Ben="Ann")
    said = words(counters.client.get(evening(second)))
    assert "Ann pays Cat 4 counters" in said
    assert "Ben pays Cat 3 counters" in said


def test_the_evening_only_looks(counters: Phone, client: FlaskClient) -> None:
    """It is reached with a view link, and tells no other, to nobody."""
    viewer = Phone(client.application.test_client(), counters.link("view"))
    following = again(counters)
    secrets = [counters.token, counters.link("score"), following.token, following.link("score")]
    assert "Play again</button>" not in viewer.get().text
    assert viewer.post("/again", {"seen": 2, "key": "k"}).status_code == 403
    address = evening(viewer)
    for answer in (
        viewer.client.get(address),
        viewer.client.get(address, headers=PARTIAL),
        viewer.get("/evening"),
        viewer.get("/settle"),
        viewer.get("/more"),
        viewer.get(),
    ):
        assert not any(one in answer.text or one in str(answer.headers) for one in secrets)
    page = viewer.client.get(address).text
    assert 'method="post"' not in page
    links = re.findall(r'href="/s/([\w-]+)"', page)
    assert links == [counters.link("view"), following.link("view")]
    assert viewer.client.post(address).status_code == 405


def test_a_scoring_link_begins_a_sheet_of_its_own(
    counters: Phone, phone_with: Callable[[str], Phone], host: Phone
) -> None:
    """Scorers may go on, and host what they begin; the first host's link stays hidden."""
    scorer = phone_with("score")
    following = again(scorer)
    assert "Stop sharing" in following.get("/share").text
    assert host.token not in following.get("/more").text + scorer.client.get(evening(scorer)).text


@pytest.mark.parametrize("role", ["view", "score"])
def test_who_is_turned_away_loses_the_evening(counters: Phone, role: str) -> None:
    """A withdrawn link takes the evening's link with it; those who stay get a new one."""
    again(counters)
    old = evening(counters)
    assert counters.post("/links", {"role": role}).status_code == 303
    assert counters.client.get(old).status_code == 404
    new = evening(counters)
    assert new != old
    assert counters.client.get(new).status_code == 200


def test_a_renewed_link_is_not_told_by_the_evening(counters: Phone, client: FlaskClient) -> None:
    """Who was turned away from one sheet doesn’t get there, or learn of it, from another one."""
    second = again(counters)
    second.record({"action": "abandon", "reason": "x"}, 0)
    third = again(second, 2, "third", game="multiple-9")
    away = Phone(client.application.test_client(), counters.link("view"))
    away.client.get(f"/s/{second.link('view')}")
    old = second.link("view")
    second.post("/links", {"role": "view"})
    new = second.link("view")
    page = away.client.get(evening(away)).text
    assert re.findall(r'href="/s/([\w-]+)"', page) == [counters.link("view"), third.link("view")]
    assert "1 sheet isn’t shown or counted here" in page
    assert old not in page
    # The same phone once it was given the new link, and a phone that comes by it.
    away.client.get(f"/s/{new}")
    stays = Phone(client.application.test_client(), new)
    for phone in (away, stays):
        page = phone.client.get(evening(phone)).text
        assert len(re.findall(r'href="/s/([\w-]+)"', page)) == 3
        assert f'href="/s/{new}"' in page
        assert "isn’t shown" not in page
    assert len(played(second.client.get(evening(second)))) == 3


def played(answer: TestResponse) -> list[str]:
    """The links by which an evening's page leads to its sheets, in order."""
    games = answer.text.partition("Games of this evening")[2]
    return re.findall(r'href="/s/([\w-]+)"', games)


def test_who_may_write_gets_on_with_it(counters: Phone, client: FlaskClient) -> None:
    """A scoring link scores on all sheets of the evening; host links stay with the host."""
    scorer = Phone(client.application.test_client(), counters.link("score"))
    scorer.get()
    following = again(scorer)
    for host, other in ((counters, following), (following, counters)):
        page = host.client.get(evening(host))
        assert other.link("score") in played(page)
        assert other.token not in page.text
    text = counters.client.get(evening(counters)).text
    assert f'action="/s/{following.link("score")}/again"' not in text, "nobody has played it yet"
    assert "Go on with Red Nines (1881)" in text
    following.record({"action": "abandon", "reason": "x"}, 0)
    text = counters.client.get(evening(counters)).text
    assert f'action="/s/{following.link("score")}/again"' in text
    assert 'name="seen" value="2">' in text
    third = again(Phone(counters.client, following.link("score")), 2, "")
    assert played(counters.client.get(evening(counters)))[-1] == third.token


def test_who_is_turned_away_from_scoring_looks_on(counters: Phone, client: FlaskClient) -> None:
    """A renewed link for scoring is told to nobody by way of another sheet of the evening."""
    scorer = Phone(client.application.test_client(), counters.link("score"))
    scorer.get()
    following = again(counters)
    assert played(scorer.client.get(evening(scorer)))[1] == following.link("score")
    following.post("/links", {"role": "score"})
    page = scorer.client.get(evening(scorer))
    assert played(page)[1] == following.link("view")
    assert following.link("score") not in page.text
    assert "Next game" not in page.text
    counters.post("/links", {"role": "score"})
    looks_on = Phone(scorer.client, counters.link("view"))
    assert "Next game" not in scorer.client.get(evening(looks_on)).text


def test_the_evenings_of_a_phone(counters: Phone, client: FlaskClient) -> None:
    """They are listed, the latest first, for the phones that have seen a sheet of them alone."""
    assert "and both games become an evening" in words(client.get("/evenings"))
    again(counters)
    page = client.get("/evenings")
    assert "Cat won 1" in words(page)
    assert "2 games · Ann, Ben, and Cat" in words(page)
    way = re.search(r'href="(/s/[^"]+/evening)"', page.text)
    assert way is not None
    assert client.get(way[1]).headers["Location"] == evening(counters)
    assert '/evening"' not in client.application.test_client().get("/evenings").text


def test_a_long_evening_is_added_up_bit_by_bit(
    app: Flask, counters: Phone, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not added up yet is named, no total is shown before all are, and the page goes on."""
    following = again(counters, game="pink-nines")
    following.record({"action": "abandon", "reason": "a card was missing"}, 0)
    address = evening(counters)
    right = words(app.test_client().get(address))
    settings: Settings = app.extensions["referee"].settings
    app.extensions["referee"].book.summaries.close()
    settings.summaries.unlink()
    monkeypatch.setattr(Summaries, "of", partialmethod(Summaries.of, most_played=0))
    later = create_app(settings).test_client()
    first = later.get(address)
    assert first.headers["Refresh"] == "1"
    assert "1 game of this evening still has to be added up" in words(first)
    assert "Not added up yet" in words(first)
    assert "Games won" not in words(first)
    assert "pays" not in words(first)
    second = later.get(address)
    assert "Refresh" not in second.headers
    assert words(second) == right


def test_no_such_evening(client: FlaskClient, counters: Phone) -> None:
    """A made-up link and a sheet of no evening are answered in words."""
    assert client.get("/e/nowhere").status_code == 404
    assert "isn’t part of an evening yet" in counters.get("/evening").text


def test_an_evening_is_kept_for_ever(app: Flask, counters: Phone) -> None:
    """The database refuses to change or delete what ties sheets together."""
    again(counters)
    settings: Settings = app.extensions["referee"].settings
    with closing(sqlite3.connect(settings.database)) as raw:
        for table in ("evenings", "evening_sheets"):
            with pytest.raises(sqlite3.IntegrityError, match="kept for ever"):
                raw.execute(f"DELETE FROM {table}")
        with pytest.raises(sqlite3.IntegrityError, match="kept for ever"):
            raw.execute("UPDATE evening_sheets SET place = 9")
