"""The trash: a host may put a sheet away, and restore it for thirty days.

Nothing is erased: the ledger notes when a sheet was put away and when it was taken out.
"""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from referee.ledger.store import Ledger, Link
from referee.rules.core.ruling import IllegalEntry, shared_fault
from referee.rules.text import say
from referee.sheets.permission import require

DAYS = 30


class Trashed(Struct, frozen=True):
    """A sheet in the trash: since when, until when it can be restored (ISO 8601).

    `over` is true once that time has passed. Where the time since cannot be read, `until` is empty
    and it can be restored.
    """

    at: str
    until: str
    over: bool


class Trash:
    """The trash of a ledger."""

    def __init__(self, ledger: Ledger, now: Callable[[], str]) -> None:
        """`now` gives the time in ISO 8601."""
        self._ledger = ledger
        self._now = now

    def of(self, sheet: int) -> Trashed | None:
        """How the sheet with this number is in the trash; None where it isn't."""
        at = self._ledger.trashed(sheet)
        if at is None:
            return None
        try:
            since = datetime.fromisoformat(at)
            until = (since if since.tzinfo else since.replace(tzinfo=UTC)) + timedelta(days=DAYS)
        except (ValueError, OverflowError):
            return Trashed(at, "", over=False)
        over = datetime.fromisoformat(self._now()) >= until
        return Trashed(at, until.isoformat(timespec="seconds"), over)

    def put(self, link: Link) -> None:
        """Move the sheet to the trash; raises `IllegalEntry` for a link that is not the host's."""
        require(link, "host")
        self._ledger.note_trash(link.sheet, "put", self._now())

    def take_out(self, link: Link) -> None:
        """Take the sheet out; raises `IllegalEntry` for another link, or after thirty days."""
        require(link, "host")
        trashed = self.of(link.sheet)
        if trashed is not None and trashed.over:
            says = say(
                "This sheet has been in the trash for {days} days, so it can’t be restored.",
                days=DAYS,
            )
            raise IllegalEntry([shared_fault("trash-over", says, "sharing")])
        self._ledger.note_trash(link.sheet, "taken", self._now())
