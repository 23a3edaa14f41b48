"""The cards found in a photo, and the reasons to refuse one; imports no NumPy or Pillow."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Literal

from referee.extras.camera.settings import PHOTO_BYTES, PHOTO_PIXELS
from referee.rules.text import Text, say

NEEDED = ("numpy", "PIL")

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
    "too-large": say("This photo is larger than {most} MB.", most=PHOTO_BYTES // 1_000_000),
    "too-many-pixels": say(
        "This photo has more than {most} million pixels.", most=PHOTO_PIXELS // 1_000_000
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
    """The file cannot be read as a photo; `code` says why."""

    def __init__(self, code: Unreadable) -> None:
        super().__init__(code)
        self.code = code


def is_installed() -> bool:
    """Whether the libraries needed to read photos are installed; imports none of them."""
    try:
        return all(find_spec(name) is not None for name in NEEDED)
    except ValueError:  # a module was set to None in sys.modules
        return False


@dataclass(frozen=True)
class Guess:
    """One possible reading of a card, and its probability."""

    card: str
    chance: float


@dataclass(frozen=True)
class Card:
    """A card that was read.

    text: in our notation. sure: whether it can be accepted without a person checking it. box: left,
    top, width and height around the corners read, in pixels of the upright photo. guesses: the
    two likeliest readings, best first.
    """

    text: str
    sure: bool
    box: tuple[int, int, int, int]
    guesses: tuple[Guess, ...]


@dataclass(frozen=True)
class Reading:
    """The cards in a photo.

    rows: in reading order; the cards' long sides show which way is up. size: the upright photo's
    width and height in pixels. grid: the rows with None where a column has no card; None if the
    cards are not in columns. upright: whether the cards tell which way is up; if not, the rows may
    be columns.
    """

    rows: tuple[tuple[Card, ...], ...]
    size: tuple[int, int]
    grid: tuple[tuple[Card | None, ...], ...] | None = None
    upright: bool = True

    @property
    def cards(self) -> tuple[Card, ...]:
        """All cards in reading order: rows from the top, each from the left."""
        return tuple(card for row in self.rows for card in row)
