"""Put a sheet in the bin, and take it out again: the host's to do."""

from flask import Blueprint, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.store import Link
from referee.rules.core.ruling import IllegalEntry
from referee.rules.text import say
from referee.sheets.trash import DAYS
from referee.web.context import book, link_of, onward

blueprint = Blueprint("trash", __name__, url_prefix="/s/<token>/bin")


def _host(token: str) -> Link:
    """The host's link, even while its sheet lies in the bin; answers 404 or 403 for others."""
    found = book().find(token)
    if found is None or found.role != "host":
        link_of(token)
        abort(403, str(say("Only the host can put this sheet in the bin or take it out.")))
    return found


@blueprint.get("")
def show(token: str) -> str:
    """What lies in the bin and until when; or what it would mean to put this sheet there."""
    link = _host(token)
    return render_template(
        "sheet/trash.html",
        token=token,
        sheet=book().open(link),
        binned=book().trash.of(link.sheet),
        days=DAYS,
    )


@blueprint.post("")
def put(token: str) -> AnyResponse:
    """Put the sheet in the bin."""
    book().trash.put(_host(token))
    return onward("trash.show", token=token)


@blueprint.post("/out")
def take_out(token: str) -> AnyResponse:
    """Take the sheet out of the bin."""
    try:
        book().trash.take_out(_host(token))
    except IllegalEntry as error:
        abort(422, str(error))
    return onward("sheet.show", token=token)
