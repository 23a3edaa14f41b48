"""The base doesn't name the seats of phones, so nothing of them is left where they are deleted."""

import re

from tests.support.extra_names import lines_naming, texts_of_the_base

#: The extra itself and its table; a seat at the table is a word of every game.
NAMES = re.compile(r"extras[./]seats|seat_moves|(?<![a-z])seats/|seated phone", re.IGNORECASE)


def test_the_base_names_no_seat_of_a_phone() -> None:
    assert lines_naming(NAMES, texts_of_the_base()) == []


def test_a_name_is_found() -> None:
    texts = [("a.html", '{% include "seats/pad.html" %}'), ("a.py", "import referee.extras.seats")]
    assert len(lines_naming(NAMES, texts)) == 2
    assert lines_naming(NAMES, [("a.py", "seats=range(2, 9)\nThe players by seat.")]) == []
