"""Two players on one phone: each page says whose it is, and leads to the other's by one tap."""

import pytest
from flask.testing import FlaskClient

from tests.extras.seats.test_gathering import Seat, Table, tricks
from tests.support.phone import words


@pytest.fixture
def table(client: FlaskClient) -> Table:
    """Cy and Dot share a phone at Any Other Game; Ann has hers."""
    table = Table(client, "plain-score", ["Ann", "Cy", "Dot"])
    assert table["Cy"].post("/seat/take", {"player": "Dot", "sure": "yes"}).status_code == 303
    return table


def points(seat: int, number: int) -> dict[str, object]:
    return {"action": "deal", f"points.{seat}": number}


def seat_page(seat: Seat, player: str) -> str:
    return seat.get(f"/seat?player={player}").text


def test_each_pad_says_whose_it_is(table: Table) -> None:
    """Not “you”, which both are."""
    for player in ("Cy", "Dot"):
        said = words(seat_page(table["Cy"], player))
        assert f"{player}’s points" in said
        assert f"Enter for {player}" in said
        assert "Your" not in said
        assert "That’s mine" not in said


def test_a_phone_of_ones_own_says_you(table: Table) -> None:
    said = words(seat_page(table["Ann"], "Ann"))
    assert "Your points" in said
    assert "That’s mine" in said


def test_once_ones_figure_is_in_the_other_is_asked(table: Table) -> None:
    """The phone is handed on with the other's pad open."""
    phone = table["Cy"]
    assert "Dot’s points" in phone.says() or "Cy’s points" in phone.says()
    leads_to = phone.enter(points(1, 5))
    said = words(phone.client.get(leads_to, follow_redirects=True))
    assert "Dot’s points" in said
    assert "Cy is in" in said


def test_once_both_are_in_each_can_be_changed(table: Table) -> None:
    """The page of the last one says whose is in, with a tab for the other's."""
    phone = table["Cy"]
    phone.enter(points(1, 5))
    leads_to = phone.enter({**points(2, 4), "seat_of": "Dot"})
    page = phone.client.get(leads_to, follow_redirects=True).text
    assert "Dot’s is in" in words(page)
    assert "Only this phone shows Dot’s." in words(page)
    assert "Yours" not in words(page)
    assert 'seat?player=Cy"' in page
    other = seat_page(phone, "Cy")
    assert "Cy’s is in" in words(other)
    assert 'seat?player=Dot"' in other


def test_a_clash_names_them(client: FlaskClient) -> None:
    """At Nine Five Two: Cy and Dot took too many."""
    table = Table(client, "nine-five-two", ["Ann", "Cy", "Dot"])
    table["Cy"].post("/seat/take", {"player": "Dot", "sure": "yes"})
    table["Cy"].enter(tricks(1, 9))
    table["Cy"].enter({**tricks(2, 5), "seat_of": "Dot"})
    table["Ann"].enter(tricks(0, 3))
    said = words(seat_page(table["Cy"], "Dot"))
    assert "5 Dot says" in said
    assert "you said" not in said


def test_the_list_of_seats_leads_to_each_pad(table: Table) -> None:
    """And says how a phone is shared, to those who share it and to all others."""
    page = table["Cy"].get("/seat?pick=yes").text
    assert 'seat?player=Cy"' in page
    assert 'seat?player=Dot"' in page
    assert "Sharing this phone with Cy and Dot? Take your seat as well." in words(page)
    fresh = table.host.client.application.test_client()
    said = words(fresh.get(f"/s/{table['Cy'].token}/seat"))
    assert "Sharing a phone? Take one seat after the other." in said
