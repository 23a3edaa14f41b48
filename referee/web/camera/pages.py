"""The photo pages: choose a photo, correct the cards that were read, and return to the form.

Without script these are pages that carry the form's fields along; a script shows them in a dialog
over the form, together with the photo. The photo itself is not sent back: the phone has it.
"""

from collections.abc import Callable
from typing import Literal

from flask import abort, render_template, request
from msgspec import Struct

from referee.rules.core.asking import CardKeys
from referee.rules.text import NOTHING, Text, say
from referee.vision.found import REFUSALS, Unreadable, UnreadablePhoto
from referee.vision.process import NoReaderError, NoReadingError
from referee.web.camera.cards import Mended, Sight, grid_in, mended_in, sight
from referee.web.context import state
from referee.web.forms.sent import fields_before_file, parts_sent, sends_file
from referee.web.forms.taps import CARDS_READ, Form, in_columns, row_number, tapped
from referee.web.phone import this_phone
from referee.web.serving.bodies import PHOTO_LIMIT

#: The prefix of these pages' own fields; all others belong to the form that they carry along.
OURS = "photo."
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

Page = str | tuple[str, int]


class Place(Struct, frozen=True):
    """The field that a photo's cards go into: field `name` of a form that is sent to `form_at`.

    `sent` is the form as filled in, `pad` the field's card pad, `title` the form's page title. The
    photo shows cards of at most `packs` packs; the cards `lying` on the table were entered before,
    and are left out if the photo shows others as well.
    """

    form_at: str
    name: str
    pad: CardKeys
    title: Text
    packs: int
    sent: Form
    method: Literal["post", "get"] = "post"
    lying: tuple[str, ...] = ()

    @property
    def carried(self) -> list[tuple[str, str]]:
        """The form's fields to send along, as (name, value)."""
        return [
            (name, value)
            for name, value in self.sent.items(multi=True)
            if name != "tap" and not name.startswith(OURS)
        ]


def for_photo(pad: CardKeys | None) -> CardKeys:
    """Return `pad` for a photo; answers 404 without a camera, 400 if its cards can't be read."""
    if state().camera is None:
        abort(404, str(say("There’s no camera here: tap the cards.")))
    if pad is None:
        abort(400, str(say("This form doesn’t belong to this game. Load the sheet again.")))
    if pad.nine_suits:
        abort(400, str(say("I can read ordinary cards only. Tap these in.")))
    return pad


def choose(where: Place, refused: Text = NOTHING) -> str:
    """The page for taking a photo; `refused` says what was wrong with the last one."""
    return render_template("camera/choose.html", place=where, refused=refused)


def answer(place_for: Callable[[Form], Place]) -> Page:
    """The page for correcting the cards read from a photo, or why none were read.

    Without a photo, that page after a tap. `place_for` finds the place for the form that was sent,
    and aborts with an error if there is none.
    """
    if not sends_file():
        return _mended(place_for(Form(request.form)))
    try:
        too_large = (request.content_length or 0) > PHOTO_LIMIT
        form, files = (fields_before_file(), {}) if too_large else parts_sent(PHOTO_LIMIT)
    except ValueError:
        abort(400, str(say("The photo didn’t arrive in one piece. Send it again.")))
    where, camera = place_for(form), state().camera
    assert camera is not None
    chosen = files.get("photo")
    if not chosen and not too_large:
        return choose(where, say("Choose a photo first.")), 422
    try:
        if chosen is None:
            raise UnreadablePhoto("too-large")
        if not (photo := chosen.read()):
            raise UnreadablePhoto("empty")
        with state().photos.one_more(this_phone()):
            reading = camera.read(photo, packs=where.packs, suits=bool(where.pad.suits))
    except UnreadablePhoto as error:
        return choose(where, REFUSALS[error.code]), SEVERITY.get(error.code, 422)
    except NoReadingError as error:
        says, status = say("This photo couldn’t be read. Take another one, or tap the cards."), 422
        if isinstance(error, NoReaderError):
            says = say("No photo can be read just now. Try again in a moment, or tap the cards.")
            status = 503
        return choose(where, says), status
    return _shown(where, sight(reading, where.pad, where.lying))


def _shown(where: Place, seen: Sight) -> str:
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
        return render_template("camera/which_way.html", place=where, grid=seen.grid)
    return _page(where, seen.mended, seen.grid, seen=seen)


def _mended(where: Place) -> str:
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
    where: Place,
    mended: Mended,
    grid: Mended | None,
    swapped: bool = False,
    seen: Sight | None = None,
) -> str:
    """The correction page; `grid` is as it was read, its columns rows in the photo if `swapped`."""
    form = Form({CARDS_READ: in_columns(mended.cards, where.pad.column)})
    for name in (f"{CARDS_READ}:suit", "tap"):
        if name in where.sent:
            form[name] = where.sent[name]
    return render_template(
        "camera/mend.html",
        place=where,
        mended=mended,
        grid=grid,
        swapped=swapped,
        seen=seen,
        form=form,
    )
