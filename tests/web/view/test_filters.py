"""Values in words: cards, grids and chances."""

from datetime import date, datetime

import pytest
from flask import Flask, render_template_string
from flask.testing import FlaskClient

from referee.rules.language import language, speaking
from referee.web.view.filters import columns, day, face, moment, percent, written_day


def test_joker_has_a_sign_and_a_name() -> None:
    """A joker is drawn as a star and read out as a joker."""
    joker = face("*")
    assert (joker.rank, str(joker.name), joker.sign) == ("★", "joker", "")


def test_columns_of_a_grid() -> None:
    """However cards are separated, a column has one blank between two."""
    assert columns("j J,* |5+5 7|") == ["J J *", "5 5 7", ""]


@pytest.mark.parametrize(
    ("fraction", "words"), [("1/3", "33.3%"), ("0/1", "0.0%"), ("1", "100.0%")]
)
def test_percent(fraction: str, words: str) -> None:
    """A chance has one decimal."""
    assert percent(fraction) == words


def test_times_in_words() -> None:
    """As people write them, in the time zone of the place; an invalid time is shown as it is."""
    assert moment("2019-03-01T12:00:00") == "Mar 1, 2019, 12:00\u202fPM"
    assert moment("2019-03-01T12:00:00+00:00").startswith("Mar 1, 2019, ")
    assert moment("some evening") == day("some evening") == "some evening"
    assert day("0001-01-01T00:00:00+14:00").strip()


def test_a_date_is_written_in_one_way() -> None:
    """Without this year’s number except on paper, and with the weekday in a heading."""
    now = datetime.now().astimezone().date()
    this, other = now.replace(month=3, day=1), date(2019, 3, 1)
    assert [written_day(one) for one in (this, other)] == ["Mar\u00a01", "Mar 1, 2019"]  # one line
    assert written_day(this, year=True) == f"Mar 1, {this.year}"
    assert written_day(other, heading=True) == "Friday, March 1, 2019"
    assert written_day(this, heading=True) == f"{this:%A}, March 1"


def test_a_drawing_names_a_text_that_is_no_card(client: FlaskClient) -> None:
    """The page names the text instead of drawing a card."""
    page = client.get("/referee/multiple-9-holdem/hand", query_string={"hole": "Z"})
    assert page.status_code == 200
    assert "“Z” in the hand isn’t a card in this game." in page.text


@pytest.mark.parametrize(
    ("template", "shown"),
    [
        (
            "{% trans name='Ann', n=8 %}{{ name }} pays {{ n }}{% endtrans %}",
            "\u2068Ann\u2069 pays 8",
        ),
        (
            "{% trans n=2, name='<b>' %}no{% pluralize %}{{ name }}: {{ n }}{% endtrans %}",
            "\u2068&lt;b&gt;\u2069: 2",
        ),
        ("{{ _('%(who)s pays', who='<b>Ann</b>' | safe) }}", "<b>Ann</b> pays"),
    ],
)
def test_a_name_in_a_message_keeps_its_direction(app: Flask, template: str, shown: str) -> None:
    """In a right-to-left language the figure beside it would else change sides."""
    with app.test_request_context(), speaking(language("he")):
        assert render_template_string(template) == shown
