"""Card keys without script, by the table of cases that the script is tested with, too."""

from typing import Any

import pytest

from referee.web.forms.taps import Form, in_rows, tapped
from tests.support.key_cases import CASES


def pressed(case: dict[str, Any], key: str) -> str:
    """The field's text after pressing a key of its pad."""
    form = Form({"cards": case["text"], "tap": f"cards:{key}"})
    if "across" in case:
        form["cards:columns"] = str(case["across"])
    after = tapped(form)
    assert after is not None
    return after["cards"]


@pytest.mark.parametrize("case", CASES["lies"], ids=str)
def test_a_grid_is_read_row_by_row(case: dict[str, Any]) -> None:
    """An empty place is an empty text."""
    assert in_rows(case["text"], case.get("across", 0)) == case["cards"]


@pytest.mark.parametrize("case", CASES["key"], ids=str)
def test_a_key_adds_a_card_or_changes_the_last(case: dict[str, Any]) -> None:
    """Each key, by its case."""
    assert pressed(case, case["key"]) == case["then"]


@pytest.mark.parametrize("case", CASES["out"], ids=str)
def test_a_tap_on_a_card_removes_it(case: dict[str, Any]) -> None:
    """In a grid the cards below it move up."""
    assert pressed(case, f"out.{case['place']}") == case["then"]


def test_hands_are_given_to_their_seats() -> None:
    """All at once, in place of what was counted: one in two parts, and one that is nobody's."""
    form = Form({"how": "count", "hands.0.points": "7", "hands.1": "K", "hands.2": "4"})
    form.setlist("read", ["A 2", "Q", "J", "3"])
    form.setlist("read:seat", ["0", "-1", "1", "0"])
    form["tap"] = "hands.*:from.read"
    after = tapped(form)
    assert after is not None
    given = {name: text for name, text in after.items() if name.startswith(("hands", "how"))}
    assert given == {"how": "cards", "hands.0": "A 2 3", "hands.1": "J", "hands.2": "4"}
    assert "hands.0.points" in form  # what was sent stays as it is


def test_a_grid_has_one_owner() -> None:
    """Of two that were given to one seat, the later one is there."""
    form = Form({"tap": "grids.*:from.read"})
    form.setlist("read", ["A | 2 |", "3 | 4 |"])
    form.setlist("read:seat", ["0", "0"])
    after = tapped(form)
    assert after is not None
    assert after["grids.0"] == "3 | 4 |"
