"""What was read of a photo."""

from dataclasses import dataclass


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
