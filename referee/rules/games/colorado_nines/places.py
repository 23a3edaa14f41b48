"""The nine places of a grid in Colorado Nines, numbered 1 to 9 row by row as they lie there."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Annotated

from msgspec import Meta

from referee.rules.core.asking import PLACES
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.games.colorado_nines.terms import COLUMNS
from referee.rules.text import Text, say

NAMES = (
    say("top left"), say("top middle"), say("top right"),
    say("middle left"), say("the center"), say("middle right"),
    say("bottom left"), say("bottom middle"), say("bottom right"),
)  # fmt: skip

#: Places of the grid in a question, as text: `1 5`.
Places = Annotated[str, Meta(max_length=40, extra={PLACES: NAMES})]


def column_of(place: int) -> int:
    """The column, 1 to 3 from the left, in which a place lies."""
    return (place - 1) % COLUMNS + 1


def place_name(place: int) -> Text:
    """A place in words: "top left"."""
    return NAMES[place - 1]


class PlaceReader:
    """Reads texts of places and collects a fault for everything in them that is no place."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []

    def places(self, text: str) -> tuple[int, ...]:
        """The places in `text`, in the order written; one that is written twice counts once."""
        found = []
        for token in filter(None, re.split(r"[\s,]+", text)):
            if re.fullmatch("[1-9]", token):
                found.append(int(token))
            else:
                says = say(
                    "“{text}” isn’t a place in the grid. Number the places 1 to 9, row by row.",
                    text=token[:24],
                )
                self.faults.append(shared_fault("not-a-place", says, "question"))
        return tuple(dict.fromkeys(found))


@contextmanager
def reading_places() -> Iterator[PlaceReader]:
    """Read any number of texts; at the end, raise one `MalformedEntry` for all their faults."""
    reader = PlaceReader()
    yield reader
    if reader.faults:
        raise MalformedEntry(reader.faults)


def as_text(places: Sequence[int]) -> str:
    """Places as they are written: in their order on the table."""
    return " ".join(map(str, sorted(places)))
