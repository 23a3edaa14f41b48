"""The base doesn't name clubs, so that they can be deleted."""

import re

from tests.support.extra_names import lines_naming, texts_of_the_base

#: As words, or between underscores; not the suit of cards.
NAMES = re.compile(
    r"(?<![a-z])(?<!diamonds, )(?<!diamonds, and )(?<!of )(?<!highest )(?<!these )"
    r"(?<!say\(\")(?<!suit=\")club(s|_sheets)?(?![a-z])",
    re.IGNORECASE,
)


def test_the_base_names_no_club() -> None:
    assert lines_naming(NAMES, texts_of_the_base()) == []


def test_a_name_is_found() -> None:
    """Also in the name of a file, or as a part of an identifier; but not as a suit of cards."""
    texts = [("static/css/club.css", "\n"), ("a.py", "def new_club(): ...\n# the clubs")]
    assert len(lines_naming(NAMES, texts)) == 3
    texts = [("a.py", "spades, hearts, diamonds, clubs\nthe king of clubs\nthe highest club")]
    assert lines_naming(NAMES, texts) == []
