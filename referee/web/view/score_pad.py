"""How the score pad is laid out on a page: its heads, which rows are in sight, the last change."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from referee.ledger.store import Row
from referee.rules.core.entries import SHARED, Adjust, Buy, Entry, Stop
from referee.rules.core.ruling import IllegalEntry
from referee.rules.core.table import Standing, State
from referee.rules.text import NOTHING, Text, number, say, signed
from referee.sheets.files import Step, entry_of
from referee.sheets.score_pad import PadRow, ScorePad
from referee.sheets.sheet import OpenSheet

MAX_ACROSS = 6  # players; of more the pad is turned, players down and deals across
MAX_ROWS, MAX_TURNED = 60, 30  # on the sheet's page, which every phone is sent after each entry
SHORTEST, LONGEST = 3, 12  # characters of a number; see sheet.css


class PadHead(Struct, frozen=True):
    """A player at the head of a column: `colour` from 1, and what stands around the total."""

    player: str
    colour: int
    total: int
    beside: Text
    dealer: bool
    leads: bool
    acts: bool
    plays: bool


class ShownCell(Struct, frozen=True):
    """A cell in words: what it brought, whether that is good ("up"), and what it was made of."""

    side: Literal["", "up", "down", "zero"]
    points: str
    small: str


class ShownPad(Struct, frozen=True):
    """The pad as a page shows it; `earlier` rows are left out before the first of `rows`.

    Points are `plain` where the lowest wins: a plus sign would look like something good. A deal of
    which nothing but stakes is known is `written` where the pad `ends` with it, as on paper.
    """

    heads: tuple[PadHead, ...]
    rows: tuple[PadRow, ...]
    earlier: int
    current: PadRow | None
    turned: bool
    plain: bool
    ends: bool

    @property
    def total_length(self) -> int:
        """How many characters the longest total has, as it is written, within limits."""
        return _length(number(head.total) for head in self.heads)

    @property
    def cell_length(self) -> int:
        """How many characters the longest number in a row has, with its sign, within limits."""
        points = [cell.points for row in self.written for cell in row.cells.values()] or [0]
        return _length(signed(extreme) for extreme in (min(points), max(points)))

    @property
    def written(self) -> tuple[PadRow, ...]:
        """The rows, and the deal in progress as soon as something of it has been written down."""
        now = self.current
        if now is None or not (now.steps or (self.ends and now.cells)):
            return self.rows
        return (*self.rows, now)

    def cells(self, row: PadRow) -> list[ShownCell]:
        """The cells of a row, in the order of the heads."""
        return [self.cell(row, head.player) for head in self.heads]

    def of_players(self) -> list[tuple[PadHead, list[ShownCell]]]:
        """Each head with its cells in the rows written, for a pad that is turned."""
        columns = [self.cells(row) for row in self.written]
        return [(head, [column[i] for column in columns]) for i, head in enumerate(self.heads)]

    def cell(self, row: PadRow, player: str) -> ShownCell:
        """The cell of `player` in a row."""
        cell = row.cell(player)
        points, small = cell.points, str(cell.small) if cell.small else ""
        if not points:
            took_part = row.kind == "deal" and player in row.cells
            return ShownCell("zero", "0" if took_part else "", small)
        if self.plain:
            return ShownCell("", number(points), small)
        return ShownCell("up" if points > 0 else "down", signed(points), small)


#: What was done to the sheet last: an entry recorded, corrected, removed; anything else.
Done = Literal["recorded", "changed", "removed", "restored", "settings"]


class LastChange(Struct, frozen=True):
    """The newest row of a sheet, told in one line with a way to take it back.

    `seq` is the row to void for that, 0 where it cannot be taken back. `entry` is the deal, or the
    part of one, that it was about; `step` is how it was played and `row` its row of the pad, if it
    still stands. `over` tells whether that deal has been written down to its end. `gone` is the
    number of the deal that was removed with it, 0 where it was only a part of one. `told` is what
    the felt says of the deal, until the next one begins.
    """

    done: Done
    seq: int
    entry: Entry | None
    step: Step | None
    row: PadRow | None
    over: bool
    gone: int = 0
    told: object | None = None


def shown(sheet: OpenSheet, *, everything: bool = False) -> ShownPad:
    """The pad of a sheet with its latest rows, or with all, as it is printed."""
    pad, heads = sheet.pad, _heads(sheet)
    turned = len(heads) > MAX_ACROSS
    most = len(pad.rows) if everything else MAX_TURNED if turned else MAX_ROWS
    rows = pad.rows[max(0, len(pad.rows) - most) :]
    return ShownPad(
        heads,
        rows,
        earlier=len(pad.rows) - len(rows),
        current=pad.current,
        turned=turned and not everything,
        plain=sheet.game.lowest_wins(sheet.table),
        ends=everything,
    )


def _length(numbers: Iterable[str]) -> int:
    """One of the lengths that the style sheet knows: from the shortest on every other one."""
    longest = max((SHORTEST, *map(len, numbers)))
    return min(LONGEST, longest if longest == SHORTEST else longest + longest % 2)


def _heads(sheet: OpenSheet) -> tuple[PadHead, ...]:
    board = sheet.game.board(sheet.course.state)
    by_name = {standing.player: standing for standing in board.standings}
    told = {} if board.finished else sheet.game.pad.beside_total(sheet.course.state)
    leaders = _leaders(board.standings)
    totals = _totals(sheet.pad)
    return tuple(
        PadHead(
            player=player,
            colour=sheet.colours[player],
            total=totals[player],
            beside=told.get(player) or _to_go(by_name.get(player), over=board.finished),
            dealer=player == board.dealer and not board.finished,
            leads=player in (board.winners if board.finished else leaders),
            acts=player == board.acts,
            plays=player in board.in_play,
        )
        for player in sheet.pad.players
    )


def _leaders(standings: Sequence[Standing]) -> tuple[str, ...]:
    """Who is ahead; nobody while all are level."""
    first = tuple(standing.player for standing in standings if standing.rank == 1)
    ranked = [standing for standing in standings if standing.rank is not None]
    return first if len(first) < len(ranked) else ()


def _totals(pad: ScorePad) -> Mapping[str, int]:
    last = pad.current or (pad.rows[-1] if pad.rows else None)
    return pad.start if last is None else last.totals


def _to_go(standing: Standing | None, *, over: bool) -> Text:
    if standing is not None and standing.left:
        return say("left")
    if over or standing is None or not standing.to_go:
        return NOTHING
    return say("{n} to go", n=standing.to_go)


def row_title(row: PadRow) -> Text:
    """What a row that is no deal is called at its head; nothing for one that needs a sentence."""
    match row.steps[0].entry if row.kind == "between" else None:
        case Adjust(points=points):
            return say("Bonus") if points > 0 else say("Penalty")
        case Buy():
            return say("Bought")
        case Stop():
            return say("Stopped")
    return NOTHING


def moved(row: PadRow, most: int = 99) -> list[tuple[str, int]]:
    """Whom a row brought something or cost something, the luckiest first.

    Of more than `most` those whom it changed least are left out.
    """
    found = [(player, cell.points) for player, cell in row.cells.items() if cell.points]
    largest = sorted(found, key=lambda one: -abs(one[1]))[:most]
    return sorted(largest, key=lambda one: -one[1])


def last_change(sheet: OpenSheet) -> LastChange | None:
    """What was done last; None on a sheet on which nothing was ever done."""
    told = [row for row, past in zip(sheet.rows, sheet.history, strict=True) if not past.remark]
    if not told:
        return None
    newest = told[-1]
    play = _play_of(sheet, newest)
    fate, step = sheet.fates.get(play), sheet.step_at(play)
    entry = entry_of(sheet.game, fate) if fate else None
    row = None
    if step is not None:
        rows = (*sheet.pad.rows, *([sheet.pad.current] if sheet.pad.current else []))
        row = next(one for one in reversed(rows) if step in one.steps)
    return LastChange(
        done=_done(sheet, newest, step),
        seq=0 if newest.kind == "note" else newest.seq,
        entry=entry,
        step=step,
        row=row,
        over=row is not None and row is not sheet.pad.current,
        gone=whole_deal(sheet, play, entry) if entry and step is None else 0,
        told=_told(sheet, row) if row and row is not sheet.pad.current else None,
    )


def _told(sheet: OpenSheet, row: PadRow) -> object | None:
    """What the felt tells of the deal in `row`; nothing once another has begun."""
    state = sheet.course.state
    if row is not sheet.pad.rows[-1] or row.kind != "deal" or state.begun or state.finished:
        return None
    step = row.steps[-1]
    return sheet.game.pad.told(_before(sheet, step.seq), step.entry, step.lines)


def _before(sheet: OpenSheet, play: int) -> State[Any]:
    """The state in which the entry of row `play` is made."""
    before = [step.after for step in sheet.course.steps if step.seq < play]
    return before[-1] if before else sheet.course.start


def whole_deal(sheet: OpenSheet, play: int, entry: Entry) -> int:
    """The number of the deal that the entry of row `play` is all of, counted or removed; else 0."""
    state = _before(sheet, play)
    if isinstance(entry, SHARED) or state.begun:
        return 0
    try:
        after, _ = sheet.game.apply(state, entry)
    except IllegalEntry:  # what came before it was changed later
        return 0
    return state.deal if after.deal != state.deal or after.finished else 0


def _done(sheet: OpenSheet, newest: Row, step: Step | None) -> Done:
    match newest.kind:
        case "play":
            return "recorded"
        case "amend":
            return "changed"
        case "note":
            return "settings"
    if step is None:
        return "removed"
    target = next(row for row in sheet.rows if row.seq == newest.target)
    return "restored" if target.kind == "void" else "changed"


def _play_of(sheet: OpenSheet, row: Row) -> int:
    """The play that a row is about, through amendments and voids of voids."""
    by_seq = {one.seq: one for one in sheet.rows}
    while row.target is not None:
        row = by_seq[row.target]
    return row.seq
