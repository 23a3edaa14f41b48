"""What is the host's alone: the trash, and how well the program that has the sheet is backed up.

Of the backups only what their folder says, by the names of the copies: nothing is opened for it.
"""

from datetime import UTC, datetime

from babel.dates import format_timedelta
from flask import Blueprint, abort, render_template
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.backup_folder import BackupFolder, Kept
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Link
from referee.rules.text import Text, say, spoken
from referee.sheets.hosting import DAYS
from referee.web.context import book, link_of, onward, settings
from referee.web.phone import remember

blueprint = Blueprint("host", __name__, url_prefix="/s/<token>")


def _host(token: str) -> Link:
    """The host's link, even while its sheet is in the trash; answers 404 or 403 for others."""
    found = book().find(token)
    if found is None or found.role != "host":
        link_of(token)
        abort(403, str(say("Only the host can move this sheet to the trash or restore it.")))
    return found


@blueprint.get("/trash")
def trash(token: str) -> str:
    """That it is in the trash; or what it would mean to move this sheet there."""
    link = _host(token)
    return render_template(
        "sheet/trash.html",
        token=token,
        sheet=book().summaries.of([link.sheet])[0],
        trashed=book().trash.of(link.sheet),
        days=DAYS,
    )


@blueprint.post("/trash")
def put_away(token: str) -> AnyResponse:
    """Move the sheet to the trash, and tell so on the home page, which the host comes to next."""
    link = _host(token)
    book().trash.put(link)
    return remember(onward("home.show", away=link.sheet), token)


@blueprint.post("/trash/out")
def restore(token: str) -> AnyResponse:
    """Restore the sheet from the trash."""
    book().trash.take_out(_host(token))
    return onward("sheet.show", token=token)


class Backups(Struct, frozen=True):
    """How long ago the last proved backup was made, and a later one that is not whole, if any.

    `every` is how often they are made by themselves, `trouble` why nobody can say.
    """

    proved: Text | None = None
    faulty: Text | None = None
    every: str = ""
    trouble: Text | None = None


@blueprint.app_template_global()
def backups_made() -> Backups:
    """What there is to say of the backups of this book."""
    every = settings().backup_every
    try:
        kept = BackupFolder(settings().backups, settings().database).kept()
    except UnavailableError as error:
        return Backups(every=every, trouble=error.says)
    now = datetime.now(UTC)
    proved = next((_ago(one, now) for one in reversed(kept) if one.proved), None)
    faulty = _ago(kept[-1], now) if kept and not kept[-1].proved else None
    return Backups(proved, faulty, every)


def _ago(kept: Kept, now: datetime) -> Text:
    """How long ago it was made, by a clock that may have been set back since."""
    since = min(kept.at - now, now - now)
    ago = format_timedelta(since, add_direction=True, locale=spoken().locale)
    return say("{ago}", ago=ago)
