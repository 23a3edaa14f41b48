"""Reading cards from photos: `referee read`."""

import sys
import time
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from referee.commands.console import input_lines, print_json, print_line, refuse, speak_as_set
from referee.commands.extras import Commands
from referee.extras.camera.settings import PHOTO_BYTES
from referee.extras.camera.vision.found import REFUSALS, UnreadablePhoto
from referee.rules.core.ruling import SHARED_SECTIONS, MalformedEntry, RefereeError, shared_fault
from referee.rules.documents import error_document
from referee.rules.text import Text, say

if TYPE_CHECKING:
    from referee.extras.camera.vision.found import Reading

SHARED_SECTIONS["photo"] = say("cards from a photo")


@click.command()
@click.argument("photos", nargs=-1, type=click.Path(), metavar="[PHOTO]…")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
@click.option(
    "--packs",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="How many packs are in play: how often the same card can be there.",
)
@click.option("--suits", is_flag=True, help="Suits matter: name each, sure only where it is.")
@click.option("--lines", is_flag=True, help="Read names of photos from input, print a line each.")
def read(photos: tuple[str, ...], as_json: bool, packs: int, suits: bool, lines: bool) -> None:
    """Read the cards in each PHOTO and print a line for it.

    A question mark marks an uncertain card; the next best reading follows in parentheses. A slash
    stands between rows, which the cards' long sides tell from columns. Exit 2 where a photo can't
    be read; a photo without cards is no error. With --lines, what can't be read is said on its
    line and the exit is 0.

    \b
    referee read hand.jpg
    referee read grid.jpg --json --packs 2
    """  # noqa: D301 - click reads the backspace that \b is
    if bool(photos) == lines:
        raise click.UsageError("Name photos, or read their names from input with --lines.")
    speak_as_set()
    try:
        # Imported here so that no other command waits for NumPy.
        from referee.extras.camera.vision.reading import read as cards_in  # noqa: PLC0415
    except ImportError:
        says = say(
            "Reading photos needs NumPy and Pillow. Get them with “{command}”.",
            command="pip install numpy pillow",
        )
        refuse(_refused("no-camera", says), as_json or lines, 2)
    failed = False
    on_input = (line.rstrip(b"\r\n").decode("utf-8", "surrogateescape") for line in input_lines())
    for name in on_input if lines else photos:
        try:
            found = _document(name, lambda photo: cards_in(photo, packs=packs, suits=suits))
        except RefereeError as error:
            failed = True
            _refuse(name, error, as_json or lines)
        else:
            if as_json or lines:
                print_json(found)
            else:
                print_line(_sentence(found))
    if failed and not lines:
        sys.exit(2)


def _document(name: str, cards_in: "Callable[[bytes], Reading]") -> dict[str, Any]:
    """The cards in the photo `name`, as docs/camera.md describes; raises `MalformedEntry`."""
    try:
        with Path(name).open("rb") as file:
            photo = file.read(PHOTO_BYTES + 1)
    except OSError as error:
        why = error.strerror or str(error)
        raise _refused("no-file", say("This file can’t be opened: {why}.", why=why)) from None
    except ValueError:  # a null byte
        raise _refused("no-file", say("This can’t be the name of a file.")) from None
    begun = time.perf_counter()
    try:
        reading = cards_in(photo)
    except UnreadablePhoto as error:
        raise _refused(error.code, REFUSALS[error.code]) from None
    cards = [
        {
            "card": card.text,
            "sure": card.sure,
            "box": card.box,
            "guesses": [{"card": one.card, "chance": round(one.chance, 3)} for one in card.guesses],
        }
        for card in reading.cards
    ]
    seconds = round(time.perf_counter() - begun, 3)
    return {
        "file": click.format_filename(name),
        "cards": cards,
        "rows": [len(row) for row in reading.rows],
        "grid": reading.grid and [[card and card.text for card in row] for row in reading.grid],
        "upright": reading.upright,
        "seconds": seconds,
    }


def _refused(code: str, says: Text) -> MalformedEntry:
    return MalformedEntry([shared_fault(code, says, "photo")])


def _sentence(found: dict[str, Any]) -> Text:
    if not found["cards"]:
        return say("{file}: no cards", file=found["file"])
    cards = [
        say("{card}", card=card["card"])
        if card["sure"]
        else say("{card}? (or {other})", card=card["card"], other=card["guesses"][1]["card"])
        for card in found["cards"]
    ]
    left = iter(map(str, cards))
    rows = " / ".join(" ".join(islice(left, size)) for size in found["rows"])
    if found["upright"] or not found["grid"] or len(found["grid"]) == 1:
        return say("{file}: {cards}", file=found["file"], cards=rows)
    return say("{file}: {cards} (these rows may be columns)", file=found["file"], cards=rows)


def _refuse(name: str, error: RefereeError, as_json: bool) -> None:
    file = click.format_filename(name)
    if as_json:
        print_json({"file": file, **error_document(error)})
    else:
        for fault in error.faults:
            print_line(say("{file}: {fault}", file=file, fault=fault.says), err=True)


PART = Commands(commands=(read,))
