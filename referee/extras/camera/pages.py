"""The photo pages: choose a photo, correct the cards that were read, and return to the form.

Without script these are pages that carry the form's fields along; a script shows them in a dialog
over the form, together with the photo. The photo itself is not sent back: the phone has it.

A photo of several hands has a page of its own, from which each is corrected like a single one.
"""

from collections.abc import Callable, Sequence

from flask import abort, current_app, request
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.datastructures import MultiDict

from referee.extras.camera.cards import CARDS_READ, Mended, Sight, grid_in, mended_in, sight
from referee.extras.camera.settings import PHOTO_BYTES
from referee.extras.camera.table import (
    HANDS_LAID,
    HANDS_READ,
    Hand,
    hands_in,
    hands_seen,
    part_of_photo,
    seated,
)
from referee.extras.camera.vision.found import REFUSALS, Unreadable, UnreadablePhoto
from referee.extras.camera.vision.process import NoReaderError, NoReadingError, ReadingProcess
from referee.rules.text import NOTHING, Text, say
from referee.web.answers.errors import RateLimit
from referee.web.answers.pages import Shown, render
from referee.web.extras import CardsField, Page
from referee.web.forms.sent import fields_before_file, parts_sent, sends_file
from referee.web.forms.taps import EVERY, Form, in_columns, row_number, tapped
from referee.web.phone import this_phone
from referee.web.serving.bodies import BODY_LIMIT

# Fields whose names don't begin with "photo." belong to the form that is carried along.
FOR = "photo.for"  # the name of the field that the cards are for
HOLDER = "photo.holder"  # who sits at the lower edge of a photo of several hands
OPENED = "photo.one"  # which of these hands is corrected
#: The HTTP status of a refusal; 422 of any other.
STATUSES: dict[Unreadable, int] = {
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


class TablePage(Shown, frozen=True):
    """The hands in a photo of a table: whose each is, and the first card that is in doubt.

    `view` is the part of the photo where they lie: left, top, width and height. `doubt` is that
    card's hand and its place there; `in_doubt` is how many there are. `missing` are the players
    without a hand in the photo, `left_out` how many cards this pack doesn't have.
    """

    templates = ("camera/table.html",)
    place: CardsField
    hands: Sequence[Hand]
    view: tuple[int, int, int, int]
    holder: str
    doubt: tuple[int, int] | None
    in_doubt: int
    missing: Sequence[str]
    left_out: int


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
    if where.name.endswith(f".{EVERY}") and not where.seats:
        abort(400, str(say("Nobody’s hand is asked for here.")))
    return where


def choose(where: CardsField, refused: Text = NOTHING) -> str:
    """The page for taking a photo; `refused` says what was wrong with the last one."""
    return render(TakePage(where, refused))


def answer(field_for: Callable[[Form, str], CardsField]) -> Page:
    """The page for correcting the cards read from a photo, or why none were read.

    Without a photo, the same page after a tap. `field_for` finds a field of the sent form by its
    name, and aborts with an error if there is none.
    """
    if not sends_file():
        form = Form(request.form)
        where = readable(field_for(form, form.get(FOR, "")))
        return _table_mended(where) if where.seats else _mended(where)
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
        packs, suits = where.packs, bool(where.pad.suits)
        with camera().photos.one_more(this_phone()):
            if where.seats:
                count = len(where.seats) + bool(where.lying)  # the board is one more
                readings = reader.read_hands(photo, count, packs=packs, suits=suits)
                seen = [sight(reading, where.pad, where.lying) for reading in readings]
                return _table_shown(where, seen)
            reading = reader.read(photo, packs=packs, suits=suits)
    except UnreadablePhoto as error:
        return choose(where, REFUSALS[error.code]), STATUSES.get(error.code, 422)
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
        return choose(where, _why_none(seen.left_out))
    if seen.grid and not seen.upright:
        return render(WayPage(where, seen.grid))
    return _page(where, seen.mended, seen.grid, seen=seen)


def _why_none(left_out: int) -> Text:
    """Why nothing can be used of a photo in which `left_out` cards are not of this game's pack."""
    if left_out:
        return say("The cards in this photo aren’t in this game’s pack.")
    return say(
        "No cards found. Lay them side by side so that every corner shows, with good light and no "
        "glare."
    )


def _table_shown(where: CardsField, seen: Sequence[Sight]) -> str:
    """The hands that were just read, each at its probable seat, or why there are none."""
    holder, hands = where.sent.get(HOLDER, ""), hands_seen(seen)
    left_out = sum(one.left_out for one in seen)
    if not hands:
        return choose(where, _why_none(left_out))
    return _table(where, _at_seats(where, hands, holder), holder, left_out)


def _at_seats(where: CardsField, hands: Sequence[Hand], holder: str) -> list[Hand]:
    """The hands at their probable seats, seen from that of the `holder` of the phone."""
    players = list(where.players)
    seat = players.index(holder) if holder in players else 0
    return seated(hands, len(players), list(where.seats), seat, where.lying)


def _table_mended(where: CardsField) -> str:
    """The hands after one was given to somebody else, or one of its cards was corrected.

    One hand is corrected on the page that a photo of it alone would have.
    """
    form, across = where.sent, where.pad.column
    hands, holder = hands_in(form), form.get(HOLDER, "")
    if not hands:
        return choose(where, say("The photo didn’t arrive in one piece. Send it again."))
    if holder != form.get("photo.sat", holder):
        hands = _at_seats(where, hands, holder)
    one = row_number(form.get("photo.edit", form.get(OPENED, "")))
    if not 0 <= one < len(hands):
        at, _, card = form.get("photo.is", "").partition(":")
        one, place = map(row_number, at.partition(".")[::2])
        if 0 <= one < len(hands) and place >= 0:
            mended = hands[one].mended.decided(place, card, across)
            hands[one] = replace(hands[one], mended=mended)
        return _table(where, hands, holder)
    hand = hands[one]
    if "photo.edit" in form:
        carried = _carrying(where, hands, holder, one)
        return _page(carried, hand.mended, hand.lies, bool(hand.swapped))
    if "photo.done" in form or hand.swapped is None:
        way = form.get("photo.swap", "")
        if way:
            hands[one] = hand.swapped_to(way == "yes", across)
        else:
            mended = mended_in(form, across)
            mended = replace(mended, size=mended.size or hand.mended.size)
            hands[one] = replace(hand, mended=mended, swapped="photo.swapped" in form)
        return _table(where, hands, holder)
    return _mended(where)


def _table(where: CardsField, hands: Sequence[Hand], holder: str, left_out: int = 0) -> str:
    """The page of the hands; or asks which way the columns of one run, if unclear."""
    hands = sorted(hands, key=lambda hand: (hand.seat not in where.seats, hand.seat))
    held = [(at, hand) for at, hand in enumerate(hands) if hand.seat in where.seats]
    for at, hand in held:
        if hand.lies and hand.swapped is None:
            return render(WayPage(_carrying(where, hands, holder, at), hand.lies))
    doubts = [(at, place) for at, hand in held for place in hand.mended.doubts]
    there = {hand.seat for _, hand in held}
    page = TablePage(
        _carrying(where, hands, holder),
        hands,
        part_of_photo(hands),
        holder if holder in where.players else next(iter(where.players)),
        doubts[0] if doubts else None,
        len(doubts),
        [player for seat, player in where.seats.items() if seat not in there],
        left_out,
    )
    return render(page)


def _carrying(
    where: CardsField, hands: Sequence[Hand], holder: str, one: int | None = None
) -> CardsField:
    """The field with a form that has these hands, `one` of which is corrected."""
    form: Form = MultiDict(where.sent)
    form.setlist(HANDS_READ, [hand.written for hand in hands])
    form.setlist(f"{HANDS_LAID}:seat", [str(hand.seat) for hand in hands])
    form[HOLDER] = holder
    form.poplist(OPENED)
    if one is not None:
        form[OPENED] = str(one)
    return replace(where, sent=form)


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
