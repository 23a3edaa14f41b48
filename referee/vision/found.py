"""What is taken for a photo, what was found in one, or why nothing: without NumPy and Pillow.

How long a photo may take to arrive stands in `web/serving/bodies`.
"""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from referee.rules.text import Text, say

MOST_BYTES = 20_000_000
MOST_PIXELS = 60_000_000
READING_SECONDS = 45.0  # half a second, unless the machine has much else to do
NEEDED = ("numpy", "PIL", "threadpoolctl")

Unreadable = Literal[
    "empty",
    "too-large",
    "too-many-pixels",
    "too-small",
    "no-photo",
    "heic",
    "avif",
    "gif",
    "tiff",
    "animated",
    "broken",
]

REFUSALS: dict[Unreadable, Text] = {
    "empty": say("The file is empty."),
    "too-large": say("This photo is larger than {most} MB.", most=MOST_BYTES // 1_000_000),
    "too-many-pixels": say(
        "This photo has more than {most} million pixels.", most=MOST_PIXELS // 1_000_000
    ),
    "too-small": say("This picture is too small to show a card."),
    "no-photo": say("This isn’t a photo that can be read here. Send a JPEG, PNG, or WebP."),
    "heic": say("This is a HEIC photo, which can’t be read here. Send it as a JPEG."),
    "avif": say("This is an AVIF picture, which can’t be read here. Send it as a JPEG."),
    "gif": say("This is a GIF, which can’t be read here. Send a photo as a JPEG."),
    "tiff": say("This is a TIFF picture, which can’t be read here. Send it as a JPEG."),
    "animated": say("This picture moves. Send a single photo."),
    "broken": say("This photo is damaged or incomplete."),
}


class UnreadablePhoto(ValueError):
    """What was sent is no photo that can be read; `code` says why."""

    def __init__(self, code: Unreadable) -> None:
        super().__init__(code)
        self.code = code


def is_installed() -> bool:
    """Whether the libraries that reading takes are there; none of them is loaded."""
    try:
        return all(find_spec(name) is not None for name in NEEDED)
    except ValueError:  # somebody has put nothing in the place of one
        return False


@dataclass(frozen=True)
class Guess:
    """One thing a card may be: its text, and the probability."""

    card: str
    chance: float


@dataclass(frozen=True)
class Card:
    """A card that was read.

    text: in our notation. sure: whether it can be taken as it is, or wants a glance. box: left,
    top, width and height of what was read of it, in pixels of the upright photo. guesses: the
    likeliest two, the best one first.
    """

    text: str
    sure: bool
    box: tuple[int, int, int, int]
    guesses: tuple[Guess, ...]


@dataclass(frozen=True)
class Reading:
    """The cards of a photo row by row, and the upright photo's width and height in pixels."""

    rows: tuple[tuple[Card, ...], ...]
    size: tuple[int, int]

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in reading order: rows from the top, each from the left."""
        return tuple(card for row in self.rows for card in row)

    @property
    def grid(self) -> str | None:
        """The columns of a grid of three by three as a score sheet has them, or nothing."""
        if [len(row) for row in self.rows] != [3, 3, 3]:
            return None
        columns = zip(*self.rows, strict=True)
        return " | ".join(" ".join(card.text for card in column) for column in columns)
