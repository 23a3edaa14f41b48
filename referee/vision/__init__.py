"""Cards read from a photo: bytes in, cards out. No web, no storage; NumPy and Pillow carry it.

    reading = read(Path("hand.jpg").read_bytes())
    [card.text for card in reading.cards]    # ["9H", "10D", "*"]

Import it only where a photo has come: it brings NumPy with it. docs/camera.md tells how it works,
how well, and what it was trained on.
"""

from referee.vision.photo import MOST_BYTES, MOST_PIXELS, Unreadable, UnreadablePhoto
from referee.vision.reading import Card, Guess, Reading, read

__all__ = [
    "MOST_BYTES",
    "MOST_PIXELS",
    "Card",
    "Guess",
    "Reading",
    "Unreadable",
    "UnreadablePhoto",
    "read",
]
