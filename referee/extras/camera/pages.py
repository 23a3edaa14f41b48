"""The photo pages: choose a photo, correct the cards that were read, and return to the form.

Without script these are pages that carry the form's fields along; a script shows them in a dialog
over the form, together with the photo. The photo itself is not sent back: the phone has it.
"""

from collections.abc import Callable

from flask import abort, current_app, request
from msgspec import Struct

from referee.extras.camera.cards import CARDS_READ, Mended, Sight, grid_in, mended_in, sight
from referee.extras.camera.vision.found import PHOTO_BYTES, REFUSALS, Unreadable, UnreadablePhoto
from referee.extras.camera.vision.process import NoReaderError, NoReadingError, ReadingProcess
from referee.rules.text import NOTHING, Text, say
from referee.web.answers.errors import RateLimit
from referee.web.answers.pages import Shown, render
from referee.web.extras import CardsField, Page
from referee.web.forms.sent import fields_before_file, parts_sent, sends_file
from referee.web.forms.taps import Form, in_columns, row_number, tapped
from referee.web.phone import this_phone
from referee.web.serving.bodies import BODY_LIMIT

#: The field that the photo is for. Names that do not begin so belong to the form carried along.
FOR = "photo.for"
SEVERITY: dict[Unreadable, int] = {
    "too-large": 413,
    "too-many-pixels": 413,
    "no-photo": 415,
    "heic": 415,
    "avif": 415,
    "gif": 415,
    "tiff": 415,
    "animated": 415,
}

EXTENSION = "referee.camera"

PHOTO_LIMIT = PHOTO_BYTES + BODY_LIMIT  # of a photo together with its form


class Camera(Struct, frozen=True):
    """What reads photos, None if its libraries are not installed, and the limit for each phone."""

    reader: ReadingProcess | None
    photos: RateLimit


class TakePage(Shown, frozen=True):
    """Take a photo for the field of this `place`; why the last one was refused."""

    templates = ("camera/choose.html",)
    place: CardsField
    refused: Text


class WayPage(Shown, frozen=True):
    """Which way the columns of a grid run in the photo."""

    templates = ("camera/which_way.html",)
    place: CardsField
    grid: Mended


class MendPage(Shown, frozen=True):
    """The cards of a photo, as `mended`, to be corrected; what was `seen`, where it was just read.

    `grid` is as it was read, its columns rows in the photo if `swapped`.
    """

    templates = ("camera/mend.html",)
    place: CardsField
    mended: Mended
    grid: Mended | None
    swapped: bool
    seen: Sight | None
    form: Form


def camera() -> Camera:
    """The camera of the current app."""
    found: Camera = current_app.extensions[EXTENSION]
    return found


def readable(where: CardsField) -> CardsField:
    """Return `where`; answers 404 without a camera, 400 if cards of its pad can't be read."""
    if camera().reader is None:
        abort(404, str(say("There’s no camera here: tap the cards.")))
    if where.pad.nine_suits:
        abort(400, str(say("I can read ordinary cards only. Tap these in.")))
    return where


def choose(where: CardsField, refused: Text = NOTHING) -> str:
    """The page for taking a photo; `refused` says what was wrong with the last one."""
    return render(TakePage(where, refused))


def answer(field_for: Callable[[Form, str], CardsField]) -> Page:
    """The page for correcting the cards read from a photo, or why none were read.

    Without a photo, that page after a tap. `field_for` finds a field of the form that was sent by
    its name, and aborts with an error if there is none.
    """
    if not sends_file():
        form = Form(request.form)
        return _mended(readable(field_for(form, form.get(FOR, ""))))
    try:
        too_large = (request.content_length or 0) > PHOTO_LIMIT
        form, files = (fields_before_file(), {}) if too_large else parts_sent(PHOTO_LIMIT)
    except ValueError:
        abort(400, str(say("The photo didn’t arrive in one piece. Send it again.")))
    where, reader = readable(field_for(form, form.get(FOR, ""))), camera().reader
    assert reader is not None
    chosen = files.get("photo")
    if not chosen and not too_large:
        return choose(where, say("Choose a photo first.")), 422
    try:
        if chosen is None:
            raise UnreadablePhoto("too-large")
        if not (photo := chosen.read()):
            raise UnreadablePhoto("empty")
        with camera().photos.one_more(this_phone()):
            reading = reader.read(photo, packs=where.packs, suits=bool(where.pad.suits))
    except UnreadablePhoto as error:
        return choose(where, REFUSALS[error.code]), SEVERITY.get(error.code, 422)
    except NoReadingError as error:
        says, status = say("This photo couldn’t be read. Take another one, or tap the cards."), 422
        if isinstance(error, NoReaderError):
            says = say("No photo can be read just now. Try again in a moment, or tap the cards.")
            status = 503
        return choose(where, says), status
    return _shown(where, sight(reading, where.pad, where.lying))


def _shown(where: CardsField, seen: Sight) -> str:
    """The correction page, or the question that comes before it, or why there is nothing."""
    if not seen.mended.cards:
        says = say(
            "No cards found. Lay them side by side so that every corner shows, with good light and "
            "no glare."
        )
        if seen.left_out:
            says = say("The cards in this photo aren’t in this game’s pack.")
        return choose(where, says)
    if seen.grid and not seen.upright:
        return render(WayPage(where, seen.grid))
    return _page(where, seen.mended, seen.grid, seen=seen)


def _mended(where: CardsField) -> str:
    """The correction page after a tap on a key of its pad, or on a suggestion for a card.

    After the question which way the columns run, it begins again with the cards as they were read.
    """
    form, across = tapped(where.sent) or where.sent, where.pad.column
    grid, swap = grid_in(form, across), form.get("photo.swap", "")
    if grid and swap:
        swapped = swap == "yes"
        return _page(where, grid.in_columns(across, swapped), grid, swapped)
    mended = mended_in(form, across)
    at, _, card = form.get("photo.is", "").partition(":")
    place = row_number(at)
    mended = mended.decided(place, card, across) if place >= 0 else mended
    return _page(where, mended, grid, "photo.swapped" in form)


def _page(
    where: CardsField,
    mended: Mended,
    grid: Mended | None,
    swapped: bool = False,
    seen: Sight | None = None,
) -> str:
    form = Form({CARDS_READ: in_columns(mended.cards, where.pad.column)})
    for name in (f"{CARDS_READ}:suit", "tap"):
        if name in where.sent:
            form[name] = where.sent[name]
    return render(MendPage(where, mended, grid, swapped, seen, form))
