"""The sheets that were opened last, so that what was played through is not played through again."""

import threading

from cachetools import LRUCache

from referee.sheets.sheet import OpenSheet

MAX_ROWS = 5000  # of all sheets together; a row with what it came to takes about four kilobytes


class SheetCache:
    """Sheets as they stood when they were opened last, those that were not for longest let go.

    A ledger is only added to, so a cached sheet is the beginning of what it is now; whoever
    takes one from here asks the ledger for what came after.
    """

    def __init__(self, most_rows: int = MAX_ROWS) -> None:
        """Together they have no more than `most_rows` rows."""
        self._sheets: LRUCache[int, OpenSheet] = LRUCache(most_rows, lambda sheet: len(sheet.rows))
        self._lock = threading.Lock()

    def get(self, sheet: int) -> OpenSheet | None:
        """The sheet with this number as it was put here, in whatever role it was opened."""
        with self._lock:
            return self._sheets.get(sheet)

    def put(self, sheet: OpenSheet) -> None:
        """Put `sheet` here as it stands, in place of what was here of it before."""
        with self._lock:
            self._sheets.pop(sheet.id, None)
            if len(sheet.rows) <= self._sheets.maxsize:
                self._sheets[sheet.id] = sheet
