"""The camera on the pages: a key beside cards, and routes that take a photo."""

from functools import partial

from flask import Blueprint, Flask, request

from referee.extras.camera.pages import (
    EXTENSION,
    PHOTO_LIMIT,
    Camera,
    answer,
    choose,
    readable,
)
from referee.extras.camera.settings import PHOTO_BYTES, CameraSettings
from referee.extras.camera.vision.found import REFUSALS, is_installed
from referee.extras.camera.vision.process import ReadingProcess
from referee.rules.text import Text, say_many
from referee.settings import Settings
from referee.sheets.hosting import require
from referee.web.answers.errors import RateLimit
from referee.web.context import link_of, sheet_of, sheet_to_write
from referee.web.extras import CardsField, Page, WebPart
from referee.web.serving.bodies import BODY_LIMIT, Limits
from referee.web.serving.routes import Kind, declares
from referee.web.sheet.record import field_on_sheet
from referee.web.site.referee import field_of_question

blueprint = Blueprint("camera", __name__, template_folder="templates")

LARGE_PHOTO = 6 * PHOTO_BYTES  # larger ones are received up to here, or their form would be lost
PHOTO_SECONDS = 60.0  # for its upload over a weak network; then `READING_SECONDS` for reading it

PHOTO = Kind(
    "photos",
    Limits(PHOTO_LIMIT, LARGE_PHOTO, PHOTO_SECONDS, REFUSALS["too-large"], BODY_LIMIT),
    threads=4,
)


@blueprint.post("/s/<token>/entries/photo")
@blueprint.post("/s/<token>/entries/<int:seq>/photo")
@declares(PHOTO)
def for_entry(token: str, seq: int = 0) -> Page:
    """Read a photo's cards for the form of an entry, or of a correction."""
    (_, sheet), form_at = sheet_to_write(token), request.path.removesuffix("/photo")
    return answer(partial(field_on_sheet, sheet, form_at, seq=seq))


@blueprint.post("/s/<token>/<path:form>/photo")
@declares(PHOTO)
def for_own_hand(token: str, form: str) -> Page:
    """Read a photo's cards for another form of a sheet, in which players enter their own hand."""
    require(link_of(token), "play")
    form_at = request.path.removesuffix("/photo")
    return answer(partial(field_on_sheet, sheet_of(token), form_at))


@blueprint.post("/referee/<slug>/<judge>/photo")
@blueprint.post("/s/<token>/referee/<judge>/photo")
@declares(PHOTO)
def for_question(judge: str, slug: str = "", token: str = "") -> Page:
    """Read a photo's cards for a question's form."""
    return answer(partial(field_of_question, judge, slug, token))


def take_photo(where: CardsField) -> Page:
    """The page for taking a photo of the cards in this field."""
    return choose(readable(where))


def too_many_photos(minutes: int) -> Text:
    """The sentence for a phone that may have no more photos read for `minutes`."""
    return say_many(
        "Too many photos were read here in the past hour. Tap the cards, or try again in a minute.",
        "Too many photos were read here in the past hour. Tap the cards, or try again in {n} "
        "minutes.",
        n=minutes,
    )


class CameraPages(WebPart, frozen=True):
    """The camera on the pages."""

    def install(self, app: Flask, settings: Settings) -> None:
        """Add the camera to `app`; without its libraries it only says that it isn't there."""
        reader = ReadingProcess() if is_installed() else None
        most = settings.of(CameraSettings).photos_an_hour
        limit = RateLimit(most, too_many_photos, failures_count=True)
        app.extensions[EXTENSION] = Camera(reader, limit)
        app.jinja_env.globals["has_camera"] = reader is not None
        app.register_blueprint(blueprint)


PART = CameraPages(
    places={
        "beside-cards": "camera/key.html",
        "card-key": "camera/key.html",
        "all-hands": "camera/all_hands.html",
        "sentences": "camera/sentences.html",
    },
    taps={"photo": take_photo},
    pictures="blob:",  # the photo that was just taken
)
