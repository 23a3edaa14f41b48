"""The figures of the drawn decks mean what they say."""

from PIL import Image

from benchmarks.drawn_decks import Tally, Trial, table
from referee.vision.found import Card

ROW = Trial(
    "row", Image.new("RGB", (300, 100)), ("9H", "SD", "*"), ((50, 50), (150, 50), (250, 50))
)


def card(text: str, x: int, sure: bool = True) -> Card:
    """A card that was read in the middle of the row's height."""
    return Card(text, sure, (x - 10, 40, 20, 20), ())


def test_what_is_ours_is_read_and_what_is_foreign_refused() -> None:
    """A number and a joker beside a Spanish jack."""
    tally = Tally()
    tally.add(ROW, [card("9H", 45), card("*", 240)])
    assert (tally.ours, tally.right, tally.misread) == (2, 2, 0)
    assert (tally.foreign, tally.came_out) == (1, 0)


def test_each_card_is_held_against_the_one_that_lies_there() -> None:
    """A nine misread; a jack that is no five, though one would be right elsewhere."""
    tally = Tally()
    tally.add(ROW, [card("5H", 60, sure=False), card("9H", 140), card("*", 250)])
    assert (tally.right, tally.misread, tally.misread_and_sure) == (1, 1, 0)
    assert (tally.came_out, tally.came_out_sure) == (1, 1)
    assert tally.mistaken == {"9H as 5H?": 1, "SD as 9H": 1}
    assert table({"row": tally})[-1] == "| row | 2 | 1 | 1 | 0 | 1 | 1 | 1 |"
