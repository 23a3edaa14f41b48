"""A grid as people read it, and as it is written."""

import pytest

from referee.web.forms.taps import as_laid, in_columns, in_rows, one_more, without


def test_rows_and_columns_are_each_other_the_other_way() -> None:
    """Whatever has been tapped so far."""
    cards = ["J", "5", "A", "J", "5", "K", "*", "7", "2"]
    for tapped_so_far in range(len(cards) + 1):
        some = cards[:tapped_so_far]
        assert in_rows(in_columns(some, 3), 3) == some


@pytest.mark.parametrize(
    ("written", "lies_as"),
    [
        ("", ""),
        ("A |", "A"),
        ("A 4 7", "A . . 4 . . 7"),
        ("A 4 7 | 2", "A 2 . 4 . . 7"),
        ("A 4 | 2 5 8 | 3", "A 2 3 4 5 . . 8"),
        (" | | 3", ". . 3"),
        ("A 4 7 K | 2", "A 2 . 4 . . 7 . . K"),
        ("A 2 3 4", "A 2 3 4"),
    ],
)
def test_a_column_that_is_shorter_leaves_its_places_empty(written: str, lies_as: str) -> None:
    """No card of another column moves there; without a bar, more than three are rows."""
    assert " ".join(card or "." for card in in_rows(written, 3)) == lies_as


@pytest.mark.parametrize("counted", ["22", "7", "3 + 10+2"])
def test_points_counted_at_the_table_are_no_cards(counted: str) -> None:
    """In a grid; elsewhere a number is a card, and so is the first card of a grid."""
    assert as_laid(counted, 3) == []
    assert as_laid("7", 0) == ["7"]
    assert as_laid("7 |", 3) == ["7"]
    assert as_laid("2 2 2", 3) == in_rows("2 2 2", 3)


def test_one_more_card_fills_the_first_empty_place() -> None:
    """Its column is written one longer, the others as they were."""
    assert in_columns(one_more(in_rows("A 4 7 | 2", 3), "3"), 3) == "A 4 7 | 2 | 3"
    assert in_columns(one_more(in_rows("A 4 | 2 5 | 3 6", 3), "7"), 3) == "A 4 7 | 2 5 | 3 6"
    assert in_columns(without(in_rows("A 4 7 | 2 5 8 | 3", 3), 1, 3), 3) == "A 4 7 | 5 8 | 3"


def test_what_lies_in_no_grid_is_one_row() -> None:
    """Bars mean nothing there."""
    assert in_rows("A 4 | 2", 0) == ["A", "4", "2"]
    assert in_columns(["A", "4", "2"], 0) == "A 4 2"
    assert without(["A", "4", "2"], 1, 0) == ["A", "2"]
