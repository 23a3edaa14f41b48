"""The photo in a file: what it shows as a document and as a line, or why it cannot be read.

Brings NumPy and Pillow, so that it is imported only where a photo has come.
"""

import time
from pathlib import Path
from typing import Any

import click

from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.text import Text, say
from referee.vision.found import MOST_BYTES, REFUSALS, Card, UnreadablePhoto
from referee.vision.reading import read


def document(name: str, packs: int, suits: bool) -> dict[str, Any]:
    """The cards that the photo in the file `name` shows, as docs/camera.md has them.

    `packs` and `suits` are those of `read`. Raises `MalformedEntry`.
    """
    photo = _bytes(name, MOST_BYTES)
    begun = time.perf_counter()
    try:
        reading = read(photo, packs=packs, suits=suits)
    except UnreadablePhoto as error:
        raise _refused(error.code, REFUSALS[error.code]) from None
    return {
        "file": click.format_filename(name),
        "cards": [_card(card) for card in reading.cards],
        "seconds": round(time.perf_counter() - begun, 3),
    }


def _bytes(name: str, most: int) -> bytes:
    """What the file holds, and no more than one byte beyond what would be read of it."""
    try:
        with Path(name).open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        why = error.strerror or str(error)
        raise _refused("no-file", say("This file can’t be opened: {why}.", why=why)) from None
    except ValueError:  # a null byte
        raise _refused("no-file", say("This can’t be the name of a file.")) from None


def _refused(code: str, says: Text) -> MalformedEntry:
    return MalformedEntry([shared_fault(code, says, "photo")])


def _card(card: Card) -> dict[str, Any]:
    guesses = [{"card": one.card, "chance": round(one.chance, 3)} for one in card.guesses]
    return {"card": card.text, "sure": card.sure, "box": card.box, "guesses": guesses}


def sentence(found: dict[str, Any]) -> Text:
    """The document of a photo as a line for people."""
    file, cards = found["file"], found["cards"]
    if not cards:
        return say("{file}: no cards", file=file)
    return say("{file}: {cards}", file=file, cards=" ".join(str(_said(card)) for card in cards))


def _said(card: dict[str, Any]) -> Text:
    text = card["card"]
    if card["sure"]:
        return say("{card}", card=text)
    return say("{card}? (or {other})", card=text, other=card["guesses"][1]["card"])
