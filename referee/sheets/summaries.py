"""Summaries of sheets, so that pages which list many need not play them all."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from referee.ledger.errors import LedgerError, UnavailableError
from referee.ledger.store import Ledger, Row
from referee.rules.core.decoding import inspected
from referee.rules.core.game import AnyGame
from referee.rules.registry import GAMES
from referee.rules.settling import Balance, balances
from referee.sheets.derived import DerivedFile
from referee.sheets.history import Head, settings_now
from referee.sheets.sheet import OpenSheet, SickSheetError, history_row

#: How many rows may be played through for one page; the rest is left to the next.
MAX_PLAYED = 4000

#: Whether a sheet has been played through, is still to be, or cannot be.
Condition = Literal["played", "waiting", "sick"]


class Summary(Struct, frozen=True, omit_defaults=True):
    """What lists show about a sheet, without playing it through again.

    `slug` is that of its game; `begun` and `changed` are when it was begun and last written on (ISO
    8601), `rows` how many rows it has. The rest holds once it is `played`: how many `entries`
    count, the `deal` in progress, the `standings` as (player, score), the best first, who leads and
    who has won. `balances` are those of a sheet played for counters or chips; `renamed` are all
    changes of names as (old, new), oldest first; `called` is the players' own name for the game, if
    any.
    """

    sheet: int
    slug: str
    players: tuple[str, ...]
    begun: str
    changed: str
    rows: int
    condition: Condition = "played"
    entries: int = 0
    deal: int = 0
    standings: tuple[tuple[str, int], ...] = ()
    leaders: tuple[str, ...] = ()
    finished: bool = False
    winners: tuple[str, ...] = ()
    balances: tuple[Balance, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    called: str = ""

    @property
    def game(self) -> AnyGame | None:
        """The game; None if this program does not know it."""
        return GAMES.get(self.slug)

    @property
    def played(self) -> bool:
        """Whether the sheet has been played through."""
        return self.condition == "played"

    @property
    def sick(self) -> bool:
        """Whether the sheet cannot be played through."""
        return self.condition == "sick"


def summary_of(sheet: OpenSheet) -> Summary:
    """The summary of an open sheet."""
    game, state = sheet.game, sheet.course.state
    changes = [row.agreed for row in sheet.history if row.agreed]
    entries = (step.entry for step in sheet.course.steps)
    standings = game.standings(state)
    return Summary(
        sheet=sheet.id,
        slug=game.slug,
        players=state.everybody,
        begun=sheet.begun,
        changed=sheet.changed,
        rows=len(sheet.rows),
        entries=len(sheet.course.steps),
        deal=state.deal,
        standings=tuple((one.player, one.score) for one in standings),
        leaders=tuple(one.player for one in standings if one.rank == 1),
        finished=state.finished,
        winners=tuple(state.name(seat) for seat in state.winners),
        balances=balances(game, sheet.course.start, state, entries) if game.has_counters else (),
        called=sheet.called,
        renamed=tuple(pair for change in changes for pair in change.renamed.items()),
    )


def unplayed(
    sheet: int, written: tuple[str, str], rows: list[Row], condition: Condition
) -> Summary:
    """The summary of a sheet that is not played through, or cannot be.

    `written` is its head as JSON text, and when it was begun; `rows` are those that can be read.
    """
    head, begun = written
    slug, players = "", list[str]()
    try:
        begun_with = msgspec.json.decode(head, type=inspected(Head))
        slug = begun_with.game
        notes = [history_row(row) for row in rows if row.kind == "note"]
        players = settings_now(begun_with.settings, notes).players
    except (msgspec.MsgspecError, TypeError, ValueError, RecursionError):
        condition = "sick"
    newest = rows[-1] if rows else None
    return Summary(
        sheet=sheet,
        slug=slug,
        players=tuple(players),
        begun=begun,
        changed=newest.at if newest else begun,
        rows=newest.seq if newest else 0,
        condition=condition,
    )


# --- of all sheets


class Summaries:
    """The summaries of one ledger's sheets. Many threads and processes may use the same file."""

    def __init__(
        self, ledger: Ledger, open_sheet: Callable[[int], OpenSheet], path: Path | None = None
    ) -> None:
        """They are kept in the file `path`; in memory if that is None, or cannot be used."""
        self._ledger = ledger
        self._open = open_sheet
        self.file = DerivedFile(path)

    def of(self, sheets: Iterable[int]) -> list[Summary]:
        """The summaries of these sheets, in the same order.

        At most `MAX_PLAYED` rows are played through for it, or one sheet if that has more; sheets
        beyond that are `waiting`. A sheet that cannot be played is `sick`, and delays no other.
        """
        found = []
        played = 0
        for number in sheets:
            summary, cost = self._one(number, played == 0, MAX_PLAYED - played)
            found.append(summary)
            played += cost
        return found

    def _one(self, number: int, first: bool, left: int) -> tuple[Summary, int]:
        """The summary of one sheet, and how many rows were played through for it."""
        begun, rows = ("", ""), list[Row]()
        try:
            begun = self._ledger.head(number) or begun
            newest = self._ledger.newest(number)
            rows = self._ledger.rows(number, after=newest - 1)
            kept = self.file.kept("summaries", number, (begun[1], rows[-1])) if rows else None
            if kept is not None:
                return msgspec.json.decode(kept, type=inspected(Summary)), 0
            if newest > left and not first:
                return unplayed(number, begun, self._ledger.rows(number), "waiting"), 0
            try:
                sheet = self._open(number)
                summary, rows = summary_of(sheet), list(sheet.rows)
            except SickSheetError:
                rows = self._ledger.rows(number)
                summary = unplayed(number, begun, rows, "sick")
        except UnavailableError:
            raise
        except LedgerError:  # the part of the database with this sheet is damaged
            return unplayed(number, begun, rows, "sick"), 0
        if rows:
            sealed = (summary.begun, rows[-1])
            self.file.keep("summaries", number, sealed, msgspec.json.encode(summary))
        return summary, newest
