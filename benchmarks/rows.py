"""The results of benchmarks: rows and their table."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

TOLERANCE = 3  # the factor by which a short run, on a busy machine, may miss
MISSED = "MISSED"


@dataclass(frozen=True)
class Aim:
    """A target: at most, or at least, `limit`.

    What is `timed` depends on the machine, so a short run does not fail for it; ratios count. What
    is `exact` was counted, so it has no tolerance even in a short run.
    """

    limit: float
    unit: str = ""
    least: bool = False
    timed: bool = False
    exact: bool = False

    def __str__(self) -> str:
        number = f"{self.limit:.0%}" if self.unit == "%" else f"{self.limit:g} {self.unit}".strip()
        return f"{'≥' if self.least else '≤'} {number}"

    def reached(self, value: float, room: float = 1) -> bool:
        """Whether `value` is within the limit, or within `room` times as much."""
        return value >= self.limit / room if self.least else value <= self.limit * room


@dataclass(frozen=True)
class Row:
    """One measurement: our figure, the yardstick's in the same run, their ratio.

    `value` is what the aim is set for, if there is one. `note` explains a miss in plain words, or
    says what was measured.
    """

    what: str
    ours: str
    yardstick: str = ""
    ratio: str = ""
    aim: Aim | None = None
    value: float = 0
    note: str = ""

    def verdict(self, short: bool) -> str:
        """Whether the aim was reached, in a word; a short run looks at ratios only."""
        if self.aim is None or (short and self.aim.timed):
            return ""
        if self.aim.reached(self.value):
            return "met"
        room = TOLERANCE if short and not self.aim.exact else 1
        return "near" if self.aim.reached(self.value, room) else MISSED


HEADS = ("what", "ours", "yardstick", "ratio", "target", "")


def cells(row: Row, short: bool) -> tuple[str, ...]:
    """The row as it is printed in a table."""
    aim = "" if row.aim is None else str(row.aim)
    return row.what, row.ours, row.yardstick, row.ratio, aim, row.verdict(short)


def as_text(rows: Sequence[Row], short: bool = False) -> Iterator[str]:
    """The table for a terminal, its notes below."""
    lines = [HEADS, *(cells(row, short) for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()
    for note in _notes(rows):
        yield f"* {note}"


def as_markdown(rows: Sequence[Row], short: bool = False) -> Iterator[str]:
    """The table for a page, its notes below."""
    yield _markdown_line(HEADS)
    yield _markdown_line("---" for _ in HEADS)
    for row in rows:
        yield _markdown_line(cells(row, short))
    notes = [f"- {note}" for note in _notes(rows)]
    yield from ["", *notes] if notes else []


def _markdown_line(texts: Iterable[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


def _notes(rows: Iterable[Row]) -> Iterator[str]:
    return (f"{row.what}: {row.note}" for row in rows if row.note)
