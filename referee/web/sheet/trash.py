"""Move a sheet to the trash, and restore it: the host's to do."""

from flask import Blueprint, abort, render_template
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.store import Link
from referee.rules.text import say
from referee.sheets.hosting import DAYS
from referee.web.context import book, link_of, onward
from referee.web.phone import remember

blueprint = Blueprint("trash", __name__, url_prefix="/s/<token>/trash")


def _host(token: str) -> Link:
    """The host's link, even while its sheet is in the trash; answers 404 or 403 for others."""
    found = book().find(token)
    if found is None or found.role != "host":
        link_of(token)
        abort(403, str(say("Only the host can move this sheet to the trash or restore it.")))
    return found


@blueprint.get("")
def show(token: str) -> str:
    """That it is in the trash; or what it would mean to move this sheet there."""
    link = _host(token)
    return render_template(
        "sheet/trash.html",
        token=token,
        sheet=book().summaries.of([link.sheet])[0],
        trashed=book().trash.of(link.sheet),
        days=DAYS,
    )


@blueprint.post("")
def put(token: str) -> AnyResponse:
    """Move the sheet to the trash, and tell so on the home page, which the host comes to next."""
    link = _host(token)
    book().trash.put(link)
    return remember(onward("home.show", away=link.sheet), token)


@blueprint.post("/out")
def take_out(token: str) -> AnyResponse:
    """Restore the sheet from the trash."""
    book().trash.take_out(_host(token))
    return onward("sheet.show", token=token)
