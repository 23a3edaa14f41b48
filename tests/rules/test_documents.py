"""Faults and rulings as documents: the keys that programs find, as in `docs/sheet-format.md`."""

import pytest

from referee.rules.core.ruling import Fault, MalformedEntry, Ruling, shared_fault
from referee.rules.documents import error_document, rule_name, ruling_document
from referee.rules.text import say

LONE = Fault("lone-nine", say("A nine is no discard."), "multiple-9", "discards")
LATE = shared_fault("finished", say("The game is over."), "end")
LONE_DOCUMENT = {
    "code": "lone-nine",
    "message": "A nine is no discard.",
    "rule": "Multiple 9, discards",
}
LATE_DOCUMENT = {"code": "finished", "message": "The game is over.", "rule": "Every game, the end"}


def test_a_ruling() -> None:
    """Whether it is legal, every fault in order, and what the judge found."""
    assert ruling_document(Ruling((LONE, LATE), {"total": 9})) == {
        "legal": False,
        "faults": [LONE_DOCUMENT, LATE_DOCUMENT],
        "detail": {"total": 9},
    }
    assert ruling_document(Ruling()) == {"legal": True, "faults": [], "detail": {}}


@pytest.mark.parametrize("entry", [None, 3])
def test_an_error(entry: int | None) -> None:
    """What is wrong, and with which entry, null where the sheet itself is to blame."""
    error = MalformedEntry([LONE])
    error.entry = entry
    assert error_document(error) == {"error": {"entry": entry, "faults": [LONE_DOCUMENT]}}


@pytest.mark.parametrize(
    ("game", "section", "name"),
    [
        ("multiple-9", "discards", "Multiple 9, discards"),
        ("", "end", "Every game, the end"),
        ("multiple-9", "unheard of", "Multiple 9"),
        ("", "unheard of", "Every game"),
    ],
)
def test_the_name_of_a_rule(game: str, section: str, name: str) -> None:
    """A section without a heading goes by the name of its game."""
    assert str(rule_name(game, section)) == name
