"""The standings as a table for a spreadsheet: a line a player per entry, with running totals."""

import csv
import io
from collections.abc import Iterator

from referee.rules.core.lines import change_by_player
from referee.sheets.sheet import OpenSheet

COLUMNS = ("entry", "at", "action", "player", "change", "total", "why")
#: What makes a spreadsheet take a cell for a formula, in Latin and in wide letters.
FORMULA_SIGNS = "=+-@＝＋－＠"


def standings_csv(sheet: OpenSheet) -> str:
    """The standings after every entry that counts, as CSV with a header; lines end in CR LF.

    Entry 0 is the sheet before the first entry. `change` and `total` are whole numbers; a text
    that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(COLUMNS)
    for row in _rows(sheet):
        table.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def harmless(text: str) -> str:
    """`text` as a cell that no spreadsheet calculates."""
    seen = text.lstrip("\ufeff \t\r\n\v\f\xa0")
    begins_oddly = text[:1] in ("\t", "\r", "\n")
    return f"'{text}" if begins_oddly or seen.startswith(tuple(FORMULA_SIGNS)) else text


def _rows(sheet: OpenSheet) -> Iterator[tuple[int | str, ...]]:
    for player, score in sheet.course.start.totals.items():
        yield 0, sheet.begun, "begin", player, 0, score, ""
    when = {row.seq: row.at for row in sheet.history}
    for place, step in enumerate(sheet.course.steps, 1):
        action = str(step.entry.__struct_config__.tag)
        changes = change_by_player(step.lines, step.after.everybody)
        for player, total in step.after.totals.items():
            why = "; ".join(str(line.reason) for line in step.lines if line.player == player)
            yield place, when[step.seq], action, player, changes[player], total, why
