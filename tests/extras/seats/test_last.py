"""The last player whose numbers have a fixed total is offered the remainder, and no more."""

import re
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from referee.settings import Settings
from referee.web.app import create_app
from tests.extras.seats.test_clash import THREE, stand, taken
from tests.extras.seats.test_gathering import Table, tricks
from tests.extras.seats.test_hidden import nothing_by_chance
from tests.support.phone import Phone, words

LEFT = "are left for you"


@pytest.fixture
def three(client: FlaskClient) -> Table:
    return Table(client, "nine-five-two", THREE)


def chosen(page: str) -> list[str]:
    """The numbers that are chosen already."""
    return re.findall(r'name="tricks\.\d" value="(\d+)" checked', page)


def previewed(phone: Phone, number: int) -> str:
    form = {"seat_of": "Cy", "deal": 0, **tricks(2, number)}
    return words(phone.post("/seat/preview", form).text)


def test_the_last_player_is_offered_the_remainder(three: Table) -> None:
    """It is selected but not sent, with its gain; any other number has none."""
    taken(three, Ann=9)
    assert LEFT not in three["Cy"].says()
    taken(three, Ben=4)
    page = three["Cy"].get("/seat").text
    assert f"3 tricks {LEFT}" in words(page)
    assert chosen(page) == ["3"]
    asked = f"3 tricks {LEFT}. Is that what you took?"
    assert previewed(three["Cy"], 3) == f"{asked} +1 for you 3 tricks, 2 needed"
    assert previewed(three["Cy"], 4) == "4"
    assert three.entries == []


def test_it_reveals_only_the_sum_of_the_others(tmp_path: Path) -> None:
    """Not a byte of their parts; and before both are in nothing at all."""
    found = list[list[str]]()
    for ann, ben in [(9, 4), (8, 5)]:
        seen = list[str]()
        with nothing_by_chance():
            app = create_app(Settings(instance=tmp_path / str(ann)))
            table = Table(app.test_client(), "nine-five-two", THREE)
            for player, number in [("Ann", ann), ("Ben", ben)]:
                taken(table, **{player: number})
                for place in ("/seat", "/seat/felt?player=Cy&deal=0&pad=yes", "/seat?change=yes"):
                    answer = table["Cy"].get(place)
                    seen.append(f"{answer.headers} {answer.text}")
                seen += [previewed(table["Cy"], number) for number in range(17)]
        found.append(seen)
    assert found[0] == found[1]


def test_it_is_not_offered_after_a_conflict(three: Table) -> None:
    """Both would follow it."""
    taken(three, Ann=12, Ben=5)
    assert LEFT not in three["Cy"].says()
    stand(three, "Ben")
    taken(three, Ann=11)
    page = three["Cy"].get("/seat").text
    assert LEFT not in words(page)
    assert chosen(page) == []
    assert previewed(three["Cy"], 0) == "0"


def test_the_last_figure_is_shown_to_its_player_alone(three: Table) -> None:
    """Not to a scorekeeper who enters it for Cy, nor on a phone that sent one of the others."""
    taken(three, Ann=9, Ben=4)
    three["Ann"].post("/seat/take", {"player": "Cy", "sure": "yes"})
    for phone in (three.host, three["Ann"]):
        page = phone.get("/seat?player=Cy&change=yes").text
        assert "tricks.2" in page
        assert LEFT not in words(page)
        assert previewed(phone, 3) == "3"
