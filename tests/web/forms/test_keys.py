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
