"""A camera stub with a fixed reading."""

from flask import Flask
from msgspec.structs import replace

from referee.extras.camera.pages import EXTENSION
from referee.extras.camera.vision.found import Card, Guess, Reading, Unreadable, UnreadablePhoto
from referee.extras.camera.vision.process import NoReadingError, ReadingProcess


class StubCamera(ReadingProcess):
    """Returns the same reading, or raises the same error, for every photo."""

    def __init__(self, shows: "Shows") -> None:
        super().__init__()
        self.shows = shows
        self.asked: list[tuple[bytes, int, bool]] = []
        self.hands: list[int] = []

    def read(self, photo: bytes, *, packs: int = 1, suits: bool = False) -> Reading:
        """Note how it was called; return the fixed reading, or raise the fixed error."""
        self.asked.append((photo, packs, suits))
        [reading] = self._fixed()
        return reading

    def read_hands(
        self, photo: bytes, count: int, *, packs: int = 1, suits: bool = False
    ) -> tuple[Reading, ...]:
        """Note how many hands there are; return those that are fixed, or raise the error."""
        self.asked.append((photo, packs, suits))
        self.hands.append(count)
        return self._fixed()

    def _fixed(self) -> tuple[Reading, ...]:
        if isinstance(self.shows, NoReadingError):
            raise self.shows
        if isinstance(self.shows, str):
            raise UnreadablePhoto(self.shows)
        return self.shows if isinstance(self.shows, tuple) else (self.shows,)


def with_camera(app: Flask, shows: "Shows") -> StubCamera:
    """Give `app` a camera with this fixed result; returns the camera."""
    camera = StubCamera(shows)
    app.extensions[EXTENSION] = replace(app.extensions[EXTENSION], reader=camera)
    return camera


#: What a photo shows: cards, hands of several, or why it can't be read.
Shows = Reading | tuple[Reading, ...] | Unreadable | NoReadingError

#: Where the hands of a table lie: their first cards, in a photo of 1,000 pixels.
SOUTH, WEST, NORTH, EAST, MIDDLE = (400, 840), (0, 400), (400, 0), (840, 400), (460, 440)


def laid(*rows: str, upright: bool = True, at: tuple[int, int] | None = None) -> Reading:
    """A reading of these rows of cards; `9H?6H` is a 9H in doubt that may be a 6H.

    `-` is a gap, as for a card that was not seen. `at` is where the first one lies on a table.
    """
    wide = max((len(row.split()) for row in rows), default=0)
    (left, top), step = at or (0, 0), 40 if at else 100
    grid = tuple(
        tuple(
            None if text == "-" else _card(text, left + along * step, top + down * step * 3 // 2)
            for along, text in enumerate(row.split() + ["-"] * (wide - len(row.split())))
        )
        for down, row in enumerate(rows)
    )
    seen = tuple(tuple(filter(None, row)) for row in grid)
    return Reading(seen, (1000, 1000 if at else 500), grid or None, upright)


def _card(text: str, left: int, top: int) -> Card:
    best, in_doubt, other = text.partition("?")
    guesses = (Guess(best, 0.6 if in_doubt else 0.99), Guess(other or best, 0.01))
    return Card(best, not in_doubt, (left, top, 80, 120), guesses)
