"""Where a long name may be broken, and how narrow its column may be."""

import pytest

from referee.web.view.names import SOFT_HYPHEN, hyphenated, narrowest


@pytest.mark.parametrize(
    ("name", "broken"),
    [
        ("Maximilian", "Maxi-mi-lian"),
        ("Christopher-Jo", "Chris-to-pher-Jo"),
        ("Wilhelmina", "Wilhel-mina"),
        ("Константин", "Конс-тан-тин"),
        ("Dorothy", "Dorothy"),  # seven letters stay together
        ("Schwartz", "Schwartz"),  # one syllable
        ("陈小明", "陈小明"),
    ],
)
def test_long_words_are_broken_before_a_syllable(name: str, broken: str) -> None:
    """With three letters on either side, in whatever alphabet has vowels; nothing else changes."""
    assert hyphenated(name).replace(SOFT_HYPHEN, "-") == broken
    assert hyphenated(name).replace(SOFT_HYPHEN, "") == name


def test_a_column_is_as_wide_as_its_widest_part() -> None:
    """Narrow and wide letters count as such, within what the style sheet knows."""
    assert narrowest([]) == narrowest(["Al", "Bob"]) == 35
    assert narrowest(["Al", "Dorothy"]) == 40
    assert narrowest(["Grandma Jo"]) == 50
    assert narrowest(["Maximilian"]) < narrowest(["Dorothy"])  # in two lines
    assert narrowest(["Bbbbbbbbbbbbbb"]) == 70
