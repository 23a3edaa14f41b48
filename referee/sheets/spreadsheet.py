"""The score pad as a table for a spreadsheet: a row a deal, a column a player, totals beside."""

import csv
import io
import re
from collections.abc import Iterator

from referee.rules.core.entries import Abandon, Stop
from referee.rules.core.terms import DEAL_HEADS
from referee.rules.text import say
from referee.sheets.score_pad import PadRow
from referee.sheets.sheet import OpenSheet

#: What makes a spreadsheet take a cell for a formula, in Latin and in wide letters.
FORMULA_SIGNS = "=+-@＝＋－＠"
#: Where a spreadsheet that parts cells at semicolons or tabs would begin one with a formula.
_INNER_FORMULA = re.compile(rf"([;\t\r\n][\s\"']*)(?=[{re.escape(FORMULA_SIGNS)}])")


def pad_csv(sheet: OpenSheet) -> str:
    """The score pad as CSV with a header; lines end in CR LF.

    The first row is what everybody began with; the last may be a deal that is not over yet, with
    what was staked for it. What each player gained or gave comes first, then how each stood after
    it: whole numbers both, in points, counters or chips. Then what the row was made of. A text that
    a spreadsheet would take for a formula gets an apostrophe in front.
    """
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(map(harmless, _header(sheet)))
    for row in _rows(sheet):
        table.writerow([harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return out.getvalue()


def harmless(text: str) -> str:
    """`text` as a cell that no spreadsheet calculates, nor any of the cells it might make of it."""
    seen = text.lstrip("\ufeff \t\r\n\v\f\xa0")
    blanks = text[: len(text) - len(seen)]
    begins_oddly = blanks.startswith(("\t", "\r", "\n"))
    mark = "'" if begins_oddly or seen.startswith(tuple(FORMULA_SIGNS)) else ""
    return mark + blanks + _INNER_FORMULA.sub(r"\1'", seen)


def _header(sheet: OpenSheet) -> list[str]:
    players = sheet.pad.players
    totals = (str(say("{player}, total", player=player)) for player in players)
    return [str(DEAL_HEADS[sheet.game.deal_called]), *players, *totals, str(say("Details"))]


def _rows(sheet: OpenSheet) -> Iterator[list[int | str]]:
    pad = sheet.pad
    begun = [pad.start.get(player, "") for player in pad.players]
    yield [str(say("Start")), *("" for _ in pad.players), *begun, ""]
    for row in pad.rows:
        yield _row(row, pad.players)
    if pad.current is not None and pad.current.cells:
        so_far = str(say("{n}, so far", n=pad.current.deal))
        yield [so_far, *_row(pad.current, pad.players)[1:]]


def _row(row: PadRow, players: tuple[str, ...]) -> list[int | str]:
    cells: list[int | str] = []
    for player in players:
        cells.append(row.cell(player).points if player in row.cells else "")
    totals: list[int | str] = [row.totals.get(player, "") for player in players]
    smalls = (f"{name}: {cell.small}" for name, cell in row.cells.items() if cell.small)
    details = _happened(row) or "; ".join(smalls)
    return [row.deal if row.kind != "between" else "", *cells, *totals, details]


def _happened(row: PadRow) -> str:
    """What a row stands for that nobody scored in, or nothing."""
    match row.steps[-1].entry if row.steps else None:
        case Abandon(reason=reason) if reason:
            return str(say("void: {reason}", reason=reason))
        case Stop(reason=reason) if reason:
            return str(say("The game was stopped ({reason})", reason=reason))
        case Stop():
            return str(say("The game was stopped"))
    return str(say("void")) if row.kind == "void" else ""
