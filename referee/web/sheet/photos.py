"""Cards from a photo, for an entry on a sheet or the correction of one."""

from flask import Blueprint, request

from referee.ledger.store import Link
from referee.sheets.sheet import OpenSheet
from referee.web.camera.pages import FOR, Page, Place, answer, for_photo
from referee.web.context import book, writer
from referee.web.forms.decode import Form, keys_of
from referee.web.serving.gateway import takes_photo

blueprint = Blueprint("photos", __name__, url_prefix="/s/<token>/entries")


@blueprint.post("/photo")
@takes_photo
def for_entry(token: str) -> Page:
    """What a photo shows, on its way into the form of an entry."""
    return _photo(writer(token))


@blueprint.post("/<int:seq>/photo")
@takes_photo
def for_correction(token: str, seq: int) -> Page:
    """The same, into the form that corrects the entry of row `seq`."""
    return _photo(writer(token))


def _photo(link: Link) -> Page:
    sheet = book().open(link)

    def place_for(sent: Form) -> Place:
        return place_on_sheet(sheet, request.path.removesuffix("/photo"), sent.get(FOR, ""), sent)

    return answer(place_for)


def place_on_sheet(sheet: OpenSheet, form_at: str, field: str, sent: Form) -> Place:
    """Where the cards of a photo go, in a form of entries that is sent to `form_at`.

    Answers for itself where there is no such place, or no camera.
    """
    game, table = sheet.game, sheet.table
    kind = game.entries.get(sent.get("action", ""))
    return Place(
        form_at=form_at,
        name=field,
        pad=for_photo(keys_of(field, kind.entry) if kind else None),
        title=game.title,
        packs=game.packs(table.options, len(table.players)),
        sent=sent,
        lying=game.pad.lying_open(sheet.course.state),
    )
