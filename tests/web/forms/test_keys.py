"""Card keys without script, by the table that holds the script, too."""

from typing import Any

import pytest

from referee.web.forms.taps import Form, in_rows, tapped
from tests.support.key_cases import CASES


def pressed(case: dict[str, Any], key: str) -> str:
    """The field after a key of its pad, as the form says it."""
    form = Form({"cards": case["text"], "tap": f"cards:{key}"})
    if "across" in case:
        form["cards:columns"] = str(case["across"])
    after = tapped(form)
    assert after is not None
    return after["cards"]


@pytest.mark.parametrize("case", CASES["lies"], ids=str)
def test_cards_as_they_lie(case: dict[str, Any]) -> None:
    """Row by row, with the places where none lies."""
    assert in_rows(case["text"], case.get("across", 0)) == case["cards"]


@pytest.mark.parametrize("case", CASES["key"], ids=str)
def test_a_key(case: dict[str, Any]) -> None:
    """One more card, or something about the last one."""
    assert pressed(case, case["key"]) == case["then"]


@pytest.mark.parametrize("case", CASES["out"], ids=str)
def test_a_card_taken_out(case: dict[str, Any]) -> None:
    """By a tap on it."""
    assert pressed(case, f"out.{case['place']}") == case["then"]
