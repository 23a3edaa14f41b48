"""The trash: a host may put a sheet away, and restore it whenever that is wanted.

Nothing is erased: the ledger notes when a sheet was put away and when it was taken out. A clock has
no say in whether it can be restored, since one that was wrong for an evening would say so at once.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from referee.ledger.store import Ledger, Link
from referee.sheets.hosting import require

DAYS = 30
_LONG_BEFORE = datetime(2020, 1, 1, tzinfo=UTC)  # there was any sheet here


class Trashed(Struct, frozen=True):
    """A sheet in the trash: since when (ISO 8601), and whether its host still finds it listed."""

    at: str
    listed: bool


class Trash:
    """The trash of a ledger."""

    def __init__(self, ledger: Ledger, now: Callable[[], str]) -> None:
        """`now` gives the time in ISO 8601."""
        self._ledger = ledger
        self._now = now

    def of(self, sheet: int) -> Trashed | None:
        """How the sheet with this number is in the trash; None where it isn't."""
        at = self._ledger.trashed(sheet)
        return None if at is None else Trashed(at, not _long_ago(at, self._now()))

    def put(self, link: Link) -> None:
        """Move the sheet to the trash; raises `IllegalEntry` for a link that is not the host's.

        It is noted no earlier than what was begun before it: where the clock lags behind that, it
        is wrong, and once it is set right the sheet would seem to have been there for long.
        """
        require(link, "host")
        self._ledger.note_trash(link.sheet, "put", max(self._now(), self._ledger.last_begun()))

    def take_out(self, link: Link) -> None:
        """Take the sheet out; raises `IllegalEntry` for a link that is not the host's."""
        require(link, "host")
        self._ledger.note_trash(link.sheet, "taken", self._now())


def _long_ago(at: str, now: str) -> bool:
    """Whether `at` is more than thirty days before `now`; not, where it is no time.

    Nor is it one where it was noted by a machine without a battery, whose clock begins in 1970.
    """
    try:
        away = datetime.fromisoformat(at)
        return away > _LONG_BEFORE and datetime.fromisoformat(now) - away >= timedelta(days=DAYS)
    except (ValueError, TypeError):  # damaged, or without its zone
        return False
