"""The layout of the score pad on a page: its heads, its cells, and which rows are shown."""

from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from typing import Literal

from msgspec import Struct

from referee.rules.core.entries import Adjust, Buy, Stop
from referee.rules.core.table import Standing, change_by_player
from referee.rules.text import NOTHING, Text, number, say, signed, without_marks
from referee.sheets.score_pad import EMPTY, PadRow
from referee.sheets.sheet import OpenSheet
from referee.web.view.names import narrowest

MAX_ACROSS = 6  # players; with more the pad is turned, with players down and deals across
MAX_ROWS, MAX_TURNED = 60, 30  # on the sheet's page, which each phone loads after each entry
SHORTEST, LONGEST = 3, 12  # characters of a number; see sheet.css


class PadHead(Struct, frozen=True):
    """The head of a player's column: `color` from 1, the total, and what is shown `beside` it."""

    player: str
    color: int
    total: int
    beside: Text
    dealer: bool
    leads: bool
    acts: bool
    plays: bool


class ShownCell(Struct, frozen=True):
    """A cell as text: its points, whether they are good ("up"), and what is written below them.

    On a page that is a word, as the opened row has the details; paper has room for them.
    """

    side: Literal["", "up", "down", "zero"]
    points: str
    small: str


class ShownPad(Struct, frozen=True):
    """The pad as a page shows it; `earlier` rows before the first of `rows` are left out.

    Points are `plain` if the lowest total wins, as a plus sign would look good. On paper and in the
    log the pad is `whole`.
    """

    heads: tuple[PadHead, ...]
    rows: tuple[PadRow, ...]
    earlier: int
    current: PadRow | None
    turned: bool
    plain: bool
    whole: bool

    @property
    def total_length(self) -> int:
        """The number of characters in the longest total, within limits."""
        return _length(number(head.total) for head in self.heads)

    @property
    def cell_length(self) -> int:
        """The number of characters in the longest cell, with its sign, within limits."""
        points = [cell.points for row in self.rows for cell in row.cells.values()] or [0]
        return _length(signed(extreme) for extreme in (min(points), max(points)))

    @property
    def name_width(self) -> int:
        """How wide the names have to be, in tenths of their size, within limits."""
        return narrowest(head.player for head in self.heads)

    def cells(self, row: PadRow) -> list[ShownCell]:
        """The cells of a row, in the order of the heads."""
        return [self.cell(row, head.player) for head in self.heads]

    def of_players(self) -> list[tuple[PadHead, list[ShownCell]]]:
        """Each head with its cells in all rows, for a turned pad."""
        columns = [self.cells(row) for row in self.rows]
        return [(head, [column[i] for column in columns]) for i, head in enumerate(self.heads)]

    def cell(self, row: PadRow, player: str) -> ShownCell:
        """The cell of `player` in a row."""
        cell = row.cells.get(player, EMPTY)
        points, small = cell.points, str(cell.small if self.whole else cell.word)
        if not points:
            took_part = row.kind == "deal" and player in row.cells
            return ShownCell("zero", "0" if took_part else "", small)
        if self.plain:
            return ShownCell("", number(points), small)
        return ShownCell("up" if points > 0 else "down", signed(points), small)


def shown(
    sheet: OpenSheet, colors: Mapping[str, int], rows: Sequence[PadRow] | None = None
) -> ShownPad:
    """The pad of a sheet with these rows, all of them; otherwise with its latest, oldest first.

    `colors` are the players’, from 1.
    """
    pad, heads, whole = sheet.pad, _heads(sheet, colors), rows is not None
    turned = len(heads) > MAX_ACROSS and not whole
    latest = pad.rows[-(MAX_TURNED if turned else MAX_ROWS) :]
    begun = [pad.current] if pad.current and pad.current.steps else []
    return ShownPad(
        heads,
        (*latest, *begun) if rows is None else tuple(rows),
        earlier=0 if whole else len(pad.rows) - len(latest),
        current=pad.current,
        turned=turned,
        plain=sheet.game.goal.lowest_wins(sheet.table.options),
        whole=whole,
    )


def _heads(sheet: OpenSheet, colors: Mapping[str, int]) -> tuple[PadHead, ...]:
    board = sheet.board
    by_name = {standing.player: standing for standing in board.standings}
    told = {} if board.finished else sheet.game.pad.beside_total(sheet.state)
    aim = not sheet.game.goal.lowest_wins(sheet.table.options)
    ranked = [one.rank for one in board.standings if one.rank is not None]
    leaders = [one.player for one in board.standings if one.rank == 1]
    if len(leaders) == len(ranked):
        leaders = []  # while all are level, nobody leads
    return tuple(
        PadHead(
            player=player,
            color=colors[player],
            total=sheet.pad.totals[player],
            beside=told.get(player) or _to_go(by_name.get(player), aim, over=board.finished),
            dealer=player == board.dealer and not board.finished,
            leads=player in (board.winners if board.finished else leaders),
            acts=player == board.acts,
            plays=player in board.in_play,
        )
        for player in sheet.pad.players
    )


def _to_go(standing: Standing | None, aim: bool, *, over: bool) -> Text:
    if standing is not None and standing.left:
        return say("left")
    if over or standing is None or not standing.to_go:
        return NOTHING
    # Where the fewest points win, nobody aims at the number that ends the game.
    n = standing.to_go
    return say("{n} to go", n=n) if aim else say("{n} from the end", n=n)


def _length(numbers: Iterable[str]) -> int:
    """The longest text's length, rounded up to one that has a class in the style sheet."""
    longest = max((SHORTEST, *(len(without_marks(one)) for one in numbers)))
    return min(LONGEST, longest if longest == SHORTEST else longest + longest % 2)


# --- functions for templates


def row_title(row: PadRow) -> Text:
    """The title of a row that is not a deal; empty if the row needs a sentence."""
    match row.steps[0].entry if row.kind == "between" else None:
        case Adjust(points=points):
            return say("Bonus") if points > 0 else say("Penalty")
        case Buy():
            return say("Bought")
        case Stop():
            return say("Stopped")
    return NOTHING


def who_ended(row: PadRow) -> str:
    """The player that its last entry names, "" if it names none or several."""
    return str(getattr(row.steps[-1].entry, "player", ""))


def best_first(row: PadRow, lowest_wins: bool = False, most: int = 99) -> list[tuple[str, int]]:
    """The points of a row: its winner's, then those of the players it changed most, best first.

    The player who went out is the winner, even if a stake cost more than the others paid.
    """
    ended = row.steps[-1] if row.steps else None
    every = [(player, cell.points) for player, cell in row.cells.items()]
    every.sort(key=itemgetter(1), reverse=not lowest_wins)
    if ended and not lowest_wins:
        out = who_ended(row)
        scored = [line for line in ended.lines if not line.opens]
        # The row's last lines, which have the names of players who took over a seat since.
        gained = change_by_player(row.lines[len(row.lines) - len(scored) :], row.totals)
        if gained.get(out, 0) > 0:
            first = (out, row.cells[out].points)
            every.remove(first)
            every.insert(0, first)
    changed = [one for one in every[1:] if one[1]]
    if len(changed) >= most:
        by_most = sorted(changed, key=lambda one: -abs(one[1]))
        changed = [one for one in changed if one in by_most[: most - 1]]
    return [one for one in every[:1] if one[1] or changed] + changed
