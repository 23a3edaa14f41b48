"""The scoring of the camera’s benchmarks is right."""

import pytest

from referee.extras.camera.vision.found import Card
from tests.extras.camera.benchmarks.camera import Score, score


def card(text: str) -> Card:
    return Card(text, True, (0, 0, 20, 20), ())


@pytest.mark.parametrize(
    ("labels", "read", "right", "whole", "wrong"),
    [
        # Neither the order matters, nor suits that the labels lack.
        ("9H 10? *", "* 10S 9H", 3, 1, 0),
        ("9H KD 2C", "9D KD 2C", 2, 0, 1),
        ("9H KD 2C", "8H KD 2C", 2, 0, 1),
        ("9H KD 2C", "9H KD 2C 5S", 3, 0, 1),
        ("9H KD 2C", "9H KD", 2, 0, 0),
        ("7C 7C", "7C 7C 7C", 2, 0, 1),  # two packs, one seven too many
    ],
)
def test_every_mistake_is_counted(
    labels: str, read: str, right: int, whole: int, wrong: int
) -> None:
    """A wrong suit or rank, a card too many, and one that was missed."""
    one = score(labels.split(), [card(text) for text in read.split()], 0.5)
    assert (one.right, one.whole, one.sure_and_wrong) == (right, whole, wrong)
    assert (one.cards, one.put_out) == (len(labels.split()), len(read.split()))


def test_a_missed_target_is_named() -> None:
    """As if only half of the cards were found."""
    total = Score()
    total += score(["9H", "KD"], [card("9H")], 0.5)
    assert [miss.partition(" is")[0] for miss in total.missed()] == ["recall", "whole"]
    assert total.figures()[:4] == ("1", "2", "50.0%", "100.0%")
