"""Writes catalogs of a few messages."""

from pathlib import Path

from babel.messages import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import write_po

#: Templates, or both of a plural, and what each is in another language.
Messages = dict[str | tuple[str, str], str | tuple[str, ...]]
HEADER = "Projekt der Schiedsrichterin"

GERMAN: Messages = {
    "{player} holds {cards}.": "{cards} hat {player}.",
    ("{n} card", "{n} cards"): ("{n} Karte", "{n} Karten"),
    "the king": "der König",
    "{card:C} wins.": "Es gewinnt {card}.",
}

#: Polish has three forms of its own: 1, 2 to 4, 5 and more.
POLISH: Messages = {
    ("{n} card", "{n} cards"): ("{n} karta", "{n} karty", "{n} kart"),
}


def catalog(
    folder: Path, tag: str, messages: Messages, *, compiled: bool = True, read_by: str | None = None
) -> None:
    """Write a catalog of these messages into the folder, as a wheel or a checkout has it."""
    made = Catalog(tag, project=HEADER, last_translator=read_by)
    for template, translated in messages.items():
        made.add(template, translated)
    place = folder / tag / "LC_MESSAGES"
    place.mkdir(parents=True)
    with (place / ("referee.mo" if compiled else "referee.po")).open("wb") as file:
        (write_mo if compiled else write_po)(file, made)
