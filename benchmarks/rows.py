"""What a benchmark says: rows, and the table they make."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Row:
    """One measurement: our figure, the yardstick's in the same run, and what was aimed at.

    `met` is None where there is no target. `note` explains a miss in plain words, or says what
    was measured.
    """

    what: str
    ours: str
    yardstick: str = ""
    ratio: str = ""
    target: str = ""
    met: bool | None = None
    note: str = ""

    @property
    def verdict(self) -> str:
        """Whether the target was met, in a word."""
        return "" if self.met is None else "met" if self.met else "MISSED"


HEADS = ("what", "ours", "yardstick", "ratio", "target", "")


def cells(row: Row) -> tuple[str, ...]:
    """The row as it stands in a table."""
    return row.what, row.ours, row.yardstick, row.ratio, row.target, row.verdict


def as_text(rows: Sequence[Row]) -> Iterator[str]:
    """The table for a terminal, its notes below."""
    lines = [HEADS, *map(cells, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        padded = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        yield "  ".join(padded).rstrip()
    for note in _notes(rows):
        yield f"* {note}"


def as_markdown(rows: Sequence[Row]) -> Iterator[str]:
    """The table for a page, its notes below."""
    yield _markdown_line(HEADS)
    yield _markdown_line("---" for _ in HEADS)
    for row in rows:
        yield _markdown_line(cells(row))
    notes = [f"- {note}" for note in _notes(rows)]
    yield from ["", *notes] if notes else []


def _markdown_line(texts: Iterable[str]) -> str:
    return f"| {' | '.join(text.replace('|', '/') for text in texts)} |"


def _notes(rows: Iterable[Row]) -> Iterator[str]:
    return (f"{row.what}: {row.note}" for row in rows if row.note)
