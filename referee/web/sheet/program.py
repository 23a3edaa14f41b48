"""What a host is told of the program that has the sheet: when it was last backed up, and how well.

Only what its folder says, by the names of the copies: nothing is opened for it.
"""

from datetime import UTC, datetime
from typing import Any

from babel.dates import format_timedelta
from flask import Blueprint
from msgspec import Struct

from referee.ledger.backup_folder import BackupFolder, Kept
from referee.ledger.errors import UnavailableError
from referee.rules.text import Text, say, spoken
from referee.web.context import settings

blueprint = Blueprint("program", __name__)


class Backups(Struct, frozen=True):
    """How long ago the last proved backup was made, and a later one that is not whole, if any.

    `every` is how often they are made by themselves, `trouble` why nobody can say.
    """

    proved: Text | None = None
    faulty: Text | None = None
    every: str = ""
    trouble: Text | None = None


@blueprint.app_context_processor
def _for_templates() -> dict[str, Any]:
    return {"backups_made": backups_made}


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
