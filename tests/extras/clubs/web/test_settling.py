"""Settling up in a club: who pays whom for which days, and noting what was paid."""

import re
from collections.abc import Callable
from datetime import date
from html import unescape

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from referee.web.context import state
from referee.web.view.filters import written_day
from tests.extras.clubs.web.conftest import ClubPhone, begin_club, send
from tests.support.phone import begin, words

ON_EITHER_ENGINE = True

FIRST, SECOND = "2026-03-05", "2026-03-12"
DAY = f"/settle?from={SECOND}&to={SECOND}"

#: Plays a game on this day that brings the first of these people a counter of each of the others.
Pink = Callable[..., None]


@pytest.fixture
def pink(app: Flask, club: ClubPhone) -> Pink:
    """Games of Pink Nines in the club."""

    def played(day: str, *players: str, at: str = "20:00:00") -> None:
        state(app).book.now = lambda: f"{day}T{at}+00:00"
        fields = {"club": club.token, "deals": "1"}
        host = begin(club.client, "pink-nines", list(players), **fields)
        assert host.record({"action": "out", "player": players[0]}, 0).status_code == 303

    return played


@pytest.fixture
def two_days(pink: Pink) -> None:
    """Ann wins on two days, on the second against Cy as well."""
    pink(FIRST, "Ann", "Ben", "Dot")
    pink(SECOND, "Ann", "Ben", "Cy")


def owed(page: TestResponse) -> list[str]:
    """What a page says is to pay."""
    assert page.status_code == 200, words(page)
    return re.findall(r"\w+ pays \w+ (?:€[\d.]+ )?[\d,]+ \w+", words(page))


def tap(phone: ClubPhone, place: str, button: str) -> TestResponse:
    """Send the first form with this button of a page."""
    page = phone.get(place).text
    forms = re.findall(r'<form method="post" action="([^"]+)">(.*?)</form>', page, re.S)
    action, form = next(one for one in forms if f">{button}<" in one[1])
    fields = {
        name: unescape(at) for name, at in re.findall(r'name="([^"]+)" value="([^"]*)"', form)
    }
    return phone.client.post(unescape(action), data=fields)


def test_after_paying_for_a_day_the_rest_is_due_over_all(club: ClubPhone, two_days: None) -> None:
    """The page returns to the day, with the rate that was typed, and offers voiding."""
    assert 'href="/c/' + club.token + '/settle"' in club.get().text
    whole = ["Ben pays Ann 2 counters", "Dot pays Ann 1 counter", "Cy pays Ann 1 counter"]
    assert owed(club.get("/settle")) == owed(club.get()) == whole
    in_money = DAY + "&rate=0.05&sign=€"
    assert owed(club.get(in_money)) == [
        "Ben pays Ann €0.05 1 counter",
        "Cy pays Ann €0.05 1 counter",
    ]
    answer = tap(club, in_money, "Paid")
    assert answer.status_code == 303
    back = unescape(answer.headers["Location"].removeprefix(f"/c/{club.token}"))
    assert owed(club.get(back)) == ["Cy pays Ann €0.05 1 counter"]
    assert f"✓ Ben paid Ann 1 counter {words(written_day(date(2026, 3, 12)))}" in words(
        club.get(back)
    )
    assert owed(club.get()) == [
        "Ben pays Ann 1 counter",
        "Dot pays Ann 1 counter",
        "Cy pays Ann 1 counter",
    ]
    assert owed(club.get("/settle?year=2026")) == owed(club.get())
    assert "✓" not in club.get(f"/settle?from={FIRST}&to={FIRST}").text
    again = tap(club, back, "Undo")
    assert again.headers["Location"] == answer.headers["Location"]
    assert owed(club.get(back)) == owed(club.get(in_money))
    assert owed(club.get()) == whole


def test_a_day_settled_with_other_days_is_not_paid_twice(
    club: ClubPhone, two_days: None, pink: Pink
) -> None:
    """Its page says so; later days are settled by themselves."""
    assert tap(club, "", "Paid").headers["Location"] == f"/c/{club.token}"
    pink("2026-03-19", "Cy", "Ann", "Ben")
    page = club.get(DAY)
    assert owed(page) == []
    assert "These games are settled together with those of other days." in words(page)
    assert owed(club.get("/settle?from=2026-03-19")) == [
        "Ann pays Cy 1 counter",
        "Ben pays Cy 1 counter",
    ]
    tap(club, "/settle", "Undo")
    assert len(owed(club.get(DAY))) == 2


def test_days_are_in_the_clubs_time_zone(club: ClubPhone, pink: Pink) -> None:
    """Whatever that of the program; each game is on exactly one day."""
    assert club.post("/place", zone="Pacific/Auckland", key="p").status_code == 303
    pink(FIRST, "Ann", "Ben", "Cy", at="00:00:00")
    pink(FIRST, "Ann", "Ben", "Cy", at="23:59:59")
    pink(SECOND, "Ann", "Ben", "Cy", at="12:00:00")
    page = club.get("/settle").text
    days = re.findall(r"settle\?from=([\d-]+)&amp;to=([\d-]+)", page)
    assert days == [("2026-03-13",) * 2, ("2026-03-06",) * 2, (FIRST, FIRST)]
    assert written_day(date(2026, 3, 13)) in page
    sums = [owed(club.get(f"/settle?from={since}&to={until}")) for since, until in days]
    assert sums == [
        ["Ben pays Ann 1 counter", "Cy pays Ann 1 counter"],
        ["Ben pays Ann 1 counter", "Cy pays Ann 1 counter"],
        ["Ben pays Ann 1 counter", "Cy pays Ann 1 counter"],
    ]


def test_every_person_has_a_line_with_their_balance(club: ClubPhone, two_days: None) -> None:
    """Over the period's games for counters or chips; the lines add up to 0."""
    begin(club.client, "multiple-9", ["Ann", "Ben"], club=club.token, target="1").record(
        {"action": "out", "player": "Ben"}, 0
    )
    page = club.get(DAY).text
    lines = re.findall(r'href="([^"]+)"><b>([+−]?\d+)</b></a>', page)
    assert [net for _, net in lines] == ["+2", "−1", "−1"]
    games = club.client.get(unescape(lines[0][0]))
    assert "1 game " in words(games)
    assert "Pink Nines" in words(games)
    assert "2 games" in words(club.get("/games?who=ann&figure=unit:counter"))


def test_merged_people_pay_once(club: ClubPhone, two_days: None, pink: Pink) -> None:
    """Under any of their names, before and after the merge."""
    pink(SECOND, "Benny", "Ann", "Cy")
    assert tap(club, DAY, "Paid").status_code == 303
    assert club.post("/merge", name="Ben", other="Benny", key="m").status_code == 303
    left = owed(club.get(DAY))
    assert club.post("/notes/2/void", key="v").status_code == 303
    assert (left, owed(club.get(DAY))) == (
        ["Cy pays Ben 2 counters"],
        ["Cy pays Ann 1 counter", "Cy pays Ben 1 counter"],
    )


WRONG = {
    "days that are none": (
        "from=2026-02-30&to=12.3.", ["“2026-02-30” isn’t a day", "“12.3.” isn’t a day"],
    ),
    "backwards": (f"from={SECOND}&to={FIRST}", ["The last day comes before the first."]),
    "other digits": ("from=٢٠٢٦-٠٣-١٢", ["isn’t a day"]),
    "no year": ("year=soon", ["“soon” isn’t a year"]),
    "days and rate": (
        f"from={SECOND}&to={FIRST}&rate=x&sign=Taler",
        ["The last day comes", "“x”? Enter a number", "Use 1 to 3 letters"],
    ),
}  # fmt: skip


@pytest.mark.parametrize(("query", "says"), list(WRONG.values()), ids=list(WRONG))
def test_an_invalid_period_or_rate_is_refused(
    club: ClubPhone, two_days: None, query: str, says: list[str]
) -> None:
    """With all faults at once; no payment is shown, and the form keeps what was typed."""
    page = club.get(f"/settle?{query}")
    assert page.status_code == 422
    for sentence in says:
        assert sentence in words(page)
    assert "pays" not in words(page)
    for name, typed in (part.split("=") for part in query.split("&") if "year" not in part):
        assert re.search(rf'name="{name}"[^>]* value="{re.escape(typed)}"', page.text), name


def test_an_invalid_rate_leaves_the_counters(club: ClubPhone, two_days: None) -> None:
    """As on the page of an evening."""
    page = club.get(DAY + "&rate=-1&sign=€")
    assert page.status_code == 422
    assert "Ben pays Ann 1 counter" in words(page)
    assert "<b></" not in club.get("/settle?rate=<b></b>&sign=<b>").text


def test_scorers_may_note_and_void_payments(club: ClubPhone, two_days: None) -> None:
    """A viewer sees them; a withdrawn link sees nothing."""
    scorer, viewer = club.other("score"), club.other("view")
    assert owed(viewer.get(DAY)) == owed(club.get(DAY))
    assert 'method="post"' not in viewer.get("/settle").text + viewer.get().text
    note = {"payer": "Ben", "payee": "Ann", "amount": "1", "unit": "counter"}
    assert viewer.post("/paid", **note, key="v").status_code == 403
    assert tap(scorer, DAY, "Paid").status_code == 303
    assert viewer.post("/notes/2/void", key="u").status_code == 403
    assert "✓ Ben paid Ann" in words(viewer.get(DAY))
    assert tap(scorer, "", "Undo").status_code == 303
    assert club.post("/status", name="Ben", status="guest", key="g").status_code == 303
    assert scorer.post("/notes/4/void", key="w").status_code == 403
    club.post("/links", role="score")
    assert scorer.post("/paid", **note, key="o").status_code == 404
    club.post("/trash")
    assert viewer.get("/settle").status_code == 404
    assert club.post("/paid", **note, key="t").status_code in (303, 404)
    club.post("/trash/out")
    assert "✓" not in club.get().text


@pytest.mark.parametrize("place", ["", "/settle", DAY])
def test_all_payments_can_be_noted_one_by_one(club: ClubPhone, two_days: None, place: str) -> None:
    """And one again after it was voided."""
    for left in reversed(range(len(owed(club.get(place))))):
        assert tap(club, place, "Paid").status_code == 303
        assert len(owed(club.get(place))) == left
    assert "Nobody owes anything." in words(club.get(place))
    for _ in range(2):
        assert tap(club, place, "Undo").status_code == 303
        assert len(owed(club.get(place))) == 1
        assert tap(club, place, "Paid").status_code == 303


def test_two_taps_are_one_payment(club: ClubPhone, two_days: None) -> None:
    """On one phone or two; also two taps that void it."""
    fields = {"payer": "Ben", "payee": "Ann", "amount": "1", "unit": "counter"}
    days = {"since": SECOND, "until": SECOND, "seen": "1"}
    assert club.post("/paid", **fields, **days, key="a").status_code == 303
    assert club.post("/paid", **fields, **days, key="a").status_code == 303
    late = club.other("score").post("/paid", **fields, **days, key="b")
    assert late.status_code == 409
    assert "Meanwhile something else was noted." in words(late)
    assert len(re.findall("✓", club.get("/settle").text)) == 1
    assert club.post("/notes/2/void", key="c").status_code == 303
    assert club.post("/notes/2/void", key="c").status_code == 303
    assert "✓" not in club.get("/settle").text
    assert club.post("/notes/2/void", key="d").status_code == 422


def test_a_link_of_another_club_cannot_see_or_void_payments(
    client: FlaskClient, club: ClubPhone, two_days: None
) -> None:
    """Not even with the row's number."""
    tap(club, DAY, "Paid")
    other = begin_club(client, "Friday table")
    assert "pays" not in words(other.get(DAY))
    assert other.post("/notes/2/void", key="v").status_code == 422
    assert "✓ Ben paid Ann" in words(club.get(DAY))


def test_more_can_be_owed_than_one_entry_allows(club: ClubPhone, two_days: None) -> None:
    """As it adds up over many games."""
    much = {"payer": "Ann", "payee": "Ben", "amount": "25000000", "unit": "counter"}
    assert club.post("/paid", **much, key="m").status_code == 303
    assert "Ben pays Ann 25,000,002 counters" in words(club.get())
    assert tap(club, "/settle", "Paid").status_code == 303
    assert "25,000,002" not in "".join(owed(club.get("/settle")))


def test_separated_names_keep_their_payments(club: ClubPhone, pink: Pink) -> None:
    """A payment noted during the merge is divided among names; nobody owes anything."""
    pink(FIRST, "Ben", "Cy")
    pink(SECOND, "Benny", "Cy")
    pink(SECOND, "Benny", "Cy")
    assert club.post("/merge", name="Benjamin", other="Ben", key="m").status_code == 303
    assert club.post("/merge", name="Benjamin", other="Benny", key="n").status_code == 303
    assert owed(club.get()) == ["Cy pays Benjamin 3 counters"]
    form = {"payer": "Cy", "payee": "Benjamin", "amount": "3", "unit": "counter", "key": "p"}
    for _ in range(2):
        assert club.post("/paid", **form).status_code == 303
    assert owed(club.get()) == []
    assert len(re.findall("✓", words(club.get()))) == 2
    for _ in range(2):
        assert send(club.client, club.get("/people?who=benjamin"), "Separate").status_code == 303
    assert owed(club.get()) == []
    paid = words(club.get())
    assert "✓ Cy paid Ben 1 counter" in paid
    assert "✓ Cy paid Benny 2 counters" in paid
