"""Pages for the host only: the trash, and the state of the backups.

The backups are judged by their file names only; none is opened.
"""

from datetime import UTC, datetime

from babel.dates import format_timedelta
from flask import Blueprint, abort, render_template
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.backup import BackupFolder, Kept
from referee.ledger.errors import UnavailableError
from referee.ledger.store import Link
from referee.rules.text import Text, say, spoken
from referee.sheets.hosting import DAYS
from referee.web.context import book, link_of, onward, settings
from referee.web.phone import remember

blueprint = Blueprint("host", __name__, url_prefix="/s/<token>")


def _host(token: str) -> Link:
    """The host's link, even while its sheet is in the trash; answers 404 or 403 for other links."""
    found = book().find(token)
    if found is None or found.role != "host":
        link_of(token)
        abort(403, str(say("Only the host can move this sheet to the trash or restore it.")))
    return found


@blueprint.get("/trash")
def trash(token: str) -> str:
    """Say that the sheet is in the trash, or what moving it there would mean."""
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
    """Move the sheet to the trash, and redirect to the home page, which confirms it."""
    link = _host(token)
    book().trash.put(link)
    return remember(onward("home.show", away=link.sheet), token)


@blueprint.post("/trash/out")
def restore(token: str) -> AnyResponse:
    """Restore the sheet from the trash."""
    book().trash.take_out(_host(token))
    return onward("sheet.show", token=token)


class Backups(Struct, frozen=True):
    """The age of the last verified backup, and of a later one that is faulty, if any.

    `every` is the interval of automatic backups; `trouble` says why the folder cannot be read.
    """

    proved: Text | None = None
    faulty: Text | None = None
    every: str = ""
    trouble: Text | None = None


@blueprint.app_template_global()
def backups_made() -> Backups:
    """The state of this book's backups."""
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
    """How long ago the backup was made; at least 0, should the clock have been set back."""
    since = min(kept.at - now, now - now)
    ago = format_timedelta(since, add_direction=True, locale=spoken().locale)
    return say("{ago}", ago=ago)
