"""A few photos of real cards; tests/vision/photos/NOTICE.md says whose they are."""

from pathlib import Path

import pytest

from referee.vision.reading import read

PHOTOS = Path(__file__).parent / "photos"


@pytest.mark.parametrize(
    ("photo", "cards"),
    [
        ("single.jpg", "6D"),
        ("overlapping.jpg", "10 Q K A"),
        ("scattered.jpg", "J Q 10 A"),
        ("four-indices.jpg", "10H 9H JH KH QH"),
    ],
)
def test_real_cards_are_read(photo: str, cards: str) -> None:
    """What lies there, in whatever order; some of the labels name no suits."""
    wanted = sorted(cards.split())
    read_as = [card.text for card in read((PHOTOS / photo).read_bytes(), suits=True).cards]
    suited = wanted[0][-1] in "SHDC"
    assert sorted(text if suited else text[:-1] for text in read_as) == wanted
