"""What was played through most recently, so that it need not be played again."""

import threading
from collections.abc import Callable

import msgspec
from cachetools import LRUCache

from referee.ledger.store import Row
from referee.sheets.sheet import Comparison, OpenSheet

# Of all sheets together, and more than any one may have. A row with what it came to takes some
# five kilobytes; to play it anew, a twentieth of a millisecond.
MAX_ROWS = 2500


class SheetCache:
    """Sheets as they stood when last opened; the least recently opened are dropped.

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


class ComparisonCache:
    """What corrections would come to, from when that is shown until they are saved."""

    def __init__(self, most_steps: int = MAX_ROWS) -> None:
        """Together they have no more than `most_steps` entries played."""
        self._found: LRUCache[tuple[int, Row | None, bytes], Comparison] = LRUCache(
            most_steps, lambda comparison: len(comparison.after.steps)
        )
        self._lock = threading.Lock()

    def found(
        self, sheet: OpenSheet, change: object, compare: Callable[[], Comparison]
    ) -> Comparison:
        """What `change`, plain data, would make of the sheet as it stands: `compare()` finds it."""
        newest = sheet.rows[-1] if sheet.rows else None
        key = (sheet.id, newest, msgspec.json.encode(change))
        with self._lock:
            known = self._found.get(key)
        if known is not None:
            return known
        comparison = compare()
        with self._lock:
            if len(comparison.after.steps) <= self._found.maxsize:
                self._found[key] = comparison
        return comparison
