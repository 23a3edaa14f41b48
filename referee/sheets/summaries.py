"""Many sheets in short, without playing them all: for home, evenings, and whatever lists sheets."""

from collections.abc import Callable, Iterable
from pathlib import Path

from referee.ledger.errors import LedgerError, UnavailableError
from referee.ledger.store import Ledger, Row
from referee.sheets.sheet import OpenSheet
from referee.sheets.sickness import SickSheetError
from referee.sheets.summary import Summary, summary_of, unplayed
from referee.sheets.summary_file import SummaryFile

#: How many rows may be played through for one page; what is left over waits for the next.
MAX_PLAYED = 4000


class Summaries:
    """The sheets of one ledger in short."""

    def __init__(
        self, ledger: Ledger, open_sheet: Callable[[int], OpenSheet], path: Path | None = None
    ) -> None:
        """`open_sheet` plays a sheet through; `path` is the file to keep summaries in, if any."""
        self._ledger = ledger
        self._open = open_sheet
        self._file = SummaryFile(path)

    def note(self, sheet: OpenSheet) -> None:
        """Keep the summary of a sheet that has just been written on."""
        self._file.put(summary_of(sheet), sheet.rows[-1])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def of(self, sheets: Iterable[int], most_played: int = MAX_PLAYED) -> list[Summary]:
        """These sheets in short, in the same order.

        At most `most_played` rows are played through for it, or one sheet if that has more; what
        is beyond that is `waiting`. A sheet that cannot be played is `sick`, and holds up nobody.
        """
        found = []
        played = 0
        for number in sheets:
            summary, cost = self._one(number, played == 0, most_played - played)
            found.append(summary)
            played += cost
        return found

    def _one(self, number: int, first: bool, left: int) -> tuple[Summary, int]:
        """One sheet, and how many rows were played through for it."""
        begun, rows = ("", ""), list[Row]()
        try:
            begun = self._ledger.head(number) or begun
            newest = self._ledger.newest(number)
            rows = self._ledger.rows(number, after=newest - 1)
            known = self._file.get(begun[1], rows[-1], number) if rows else None
            if known is not None:
                return known, 0
            if newest > left and not first:
                return unplayed(number, begun, self._ledger.rows(number), "waiting"), 0
            return self._played(number, begun, newest)
        except UnavailableError:
            raise
        except LedgerError:  # damaged where this sheet lies; others may be whole
            return unplayed(number, begun, rows, "sick"), 0

    def _played(self, number: int, begun: tuple[str, str], newest: int) -> tuple[Summary, int]:
        try:
            sheet = self._open(number)
        except SickSheetError:
            rows = self._ledger.rows(number)
            summary = unplayed(number, begun, rows, "sick")
            if rows:
                self._file.put(summary, rows[-1])
            return summary, newest
        summary = summary_of(sheet)
        if sheet.rows:
            self._file.put(summary, sheet.rows[-1])
        return summary, newest
