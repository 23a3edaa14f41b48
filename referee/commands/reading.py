"""Cards out of photos: `referee read`."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

if TYPE_CHECKING:
    from referee.vision import Card

RULE = "Reading a photo"
MISSING = (
    "Reading photos wants NumPy and Pillow, which are not installed: "
    "pip install 'referee[camera]' brings them."
)


class _Unread(Exception):
    """A photo that cannot be read: a code for programs, a sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@click.command()
@click.argument("photos", nargs=-1, type=click.Path(), metavar="[PHOTO]…")
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
@click.option(
    "--packs",
    type=click.IntRange(1, 20),
    default=1,
    show_default=True,
    help="How many packs are in play: how often the same card may lie there.",
)
@click.option("--suits", is_flag=True, help="Suits matter: name each, sure only where it is.")
@click.option("--lines", is_flag=True, help="Read names of photos from input, print a line each.")
def read(photos: tuple[str, ...], as_json: bool, packs: int, suits: bool, lines: bool) -> None:
    """Read the cards in each PHOTO and print a line a photo.

    A card with a question mark wants a glance; the next likeliest follows in brackets. Exit 2
    where a photo cannot be read; a photo without cards gives a line without any. With --lines the
    line says so and the exit is 0.

    \b
    referee read hand.jpg
    referee read grid.jpg --json --packs 2
    """  # noqa: D301 - click reads the backspace that \b is
    if bool(photos) == lines:
        raise click.UsageError("Name photos, or read their names from input with --lines.")
    failed = False
    for name in _names_on_input() if lines else photos:
        try:
            document = _read(name, packs, suits)
        except _Unread as error:
            failed = True
            _refuse(name, error, as_json or lines)
        else:
            _print(document, as_json or lines)
    if failed and not lines:
        sys.exit(2)


def _names_on_input() -> Iterator[str]:
    for line in sys.stdin.buffer if sys.stdin is not None else ():
        yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")


def _read(name: str, packs: int, suits: bool) -> dict[str, Any]:
    """The document of one photo; raises `_Unread`."""
    try:
        # Only here, so that no other command waits for NumPy.
        from referee import vision  # noqa: PLC0415
    except ImportError as error:
        raise _Unread("no-camera", MISSING) from error
    photo = _bytes(name, vision.MOST_BYTES)
    begun = time.perf_counter()
    try:
        reading = vision.read(photo, packs=packs, suits=suits)
    except vision.UnreadablePhoto as error:
        raise _Unread(error.code, str(error)) from None
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
    except (OSError, ValueError) as error:  # a name with a null byte is a ValueError
        reason = error.strerror if isinstance(error, OSError) else "no name of a file"
        raise _Unread("no-file", f"It cannot be opened: {reason}.") from None


def _card(card: "Card") -> dict[str, Any]:
    guesses = [{"card": one.card, "chance": round(one.chance, 3)} for one in card.guesses]
    return {"card": card.text, "sure": card.sure, "box": card.box, "guesses": guesses}


def _print(document: dict[str, Any], as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(document))
        return
    said = " ".join(map(_said, document["cards"])) or "no cards"
    click.echo(f"{document['file']}: {said}")


def _said(card: dict[str, Any]) -> str:
    if card["sure"]:
        return str(card["card"])
    return f"{card['card']}? (or {card['guesses'][1]['card']})"


def _refuse(name: str, error: _Unread, as_json: bool) -> None:
    file = click.format_filename(name)
    if as_json:
        fault = {"code": error.code, "message": str(error), "rule": RULE}
        refusal = {"file": file, "error": {"entry": None, "faults": [fault]}}
        click.echo(msgspec.json.encode(refusal))
    else:
        click.echo(f"{file}: {error}", err=True)
