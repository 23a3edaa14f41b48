"""The figures of the camera’s benchmarks mean what they say."""

from PIL import Image

from benchmarks import drawn_decks
from benchmarks.camera import Score, score, table
from benchmarks.drawn_decks import Tally, Trial
from referee.vision.found import Card

ROW = Trial(
    "row", Image.new("RGB", (300, 100)), ("9H", "SD", "*"), ((50, 50), (150, 50), (250, 50))
)


def card(text: str, sure: bool = True, x: int = 10) -> Card:
    """A card as it was read, in the middle of the row’s height."""
    return Card(text, sure, (x - 10, 40, 20, 20), ())


def test_a_photo_without_a_mistake() -> None:
    """The order does not matter, nor a suit that the labels leave open."""
    one = score(["9H", "10?", "*"], [card("*"), card("10S"), card("9H")], 0.5)
    assert (one.right, one.whole, one.sure, one.sure_and_wrong) == (3, 1, 3, 0)
    assert (one.suited, one.right_suits) == (2, 2)


def test_every_kind_of_mistake_is_counted_as_what_it_is() -> None:
    """A wrong suit, a wrong rank, a card too many and one that was missed."""
    labels = ["9H", "KD", "2C"]
    suit = score(labels, [card("9D"), card("KD"), card("2C")], 0)
    assert (suit.right, suit.right_ranks, suit.right_suits, suit.sure_and_wrong) == (2, 3, 2, 1)
    rank = score(labels, [card("8H", sure=False), card("KD"), card("2C")], 0)
    assert (rank.right, rank.right_ranks, rank.sure_and_wrong) == (2, 2, 0)
    many = score(labels, [card("9H"), card("KD"), card("2C"), card("5S")], 0)
    assert (many.right, many.put_out, many.whole, many.sure_and_wrong) == (3, 4, 0, 1)
    few = score(labels, [card("9H"), card("KD")], 0)
    assert (few.right, few.cards, few.whole) == (2, 3, 0)


def test_the_same_card_counts_as_often_as_it_lies_there() -> None:
    """Two packs, one seven too many."""
    one = score(["7C", "7C"], [card("7C")] * 3, 0)
    assert (one.right, one.put_out, one.whole) == (2, 3, 0)


def test_a_missed_target_is_named() -> None:
    """Half of the cards found is not enough."""
    total = Score()
    total += score(["9H", "KD"], [card("9H")], 0.5)
    assert [miss.partition(" is")[0] for miss in total.missed()] == ["recall", "whole"]
    assert table([("all", total)])[-1].startswith("| all | 1 | 2 | 50.0% | 100.0% |")


def test_what_is_ours_is_read_and_what_is_foreign_refused() -> None:
    """A number and a joker beside a Spanish jack."""
    tally = Tally()
    tally.add(ROW, [card("9H", x=45), card("*", x=240)])
    assert (tally.ours, tally.right, tally.misread) == (2, 2, 0)
    assert (tally.foreign, tally.came_out) == (1, 0)


def test_each_card_is_held_against_the_one_that_lies_there() -> None:
    """A nine misread; a jack that is no five, though one would be right elsewhere."""
    tally = Tally()
    tally.add(ROW, [card("5H", sure=False, x=60), card("9H", x=140), card("*", x=250)])
    assert (tally.right, tally.misread, tally.misread_and_sure) == (1, 1, 0)
    assert (tally.came_out, tally.came_out_sure) == (1, 1)
    assert tally.mistaken == {"9H as 5H?": 1, "SD as 9H": 1}
    assert drawn_decks.table({"row": tally})[-1] == "| row | 2 | 1 | 1 | 0 | 1 | 1 | 1 |"
