"""A sheet in short: who plays what, who leads, whether it is over; for pages about many sheets."""

from typing import Literal

import msgspec
from msgspec import Struct

from referee.ledger.store import Row
from referee.rules.core.decoding import known
from referee.rules.core.game import AnyGame
from referee.rules.money.settling import Balance, balances
from referee.rules.registry import GAMES
from referee.sheets.hashes import Head
from referee.sheets.history import settings_now
from referee.sheets.sheet import OpenSheet, past_of

#: Whether a sheet has been played through, is still to be, or cannot be.
Condition = Literal["played", "waiting", "sick"]


class Summary(Struct, frozen=True, omit_defaults=True):
    """What can be said of a sheet without playing it through again.

    `slug` is that of its game; `begun` and `changed` are when it was begun and last written on
    (ISO 8601), `rows` how many rows it has. The rest holds once it is `played`: how many `entries`
    count, the `deal` in progress and who deals it, the `scores` by player, who is in front and who
    has won. `balances` are those of a sheet played for counters or chips; `renamed` are all names
    that were ever given up on it, each with the one that took its place, oldest first; `called` is
    what the players call the game, if they named it.
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
    dealer: str = ""
    scores: tuple[int, ...] = ()
    leaders: tuple[str, ...] = ()
    finished: bool = False
    winners: tuple[str, ...] = ()
    balances: tuple[Balance, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    called: str = ""

    @property
    def game(self) -> AnyGame | None:
        """What is played; None where this program does not know the game."""
        return GAMES.get(self.slug)

    @property
    def played(self) -> bool:
        """Whether it is known how the sheet stands."""
        return self.condition == "played"

    @property
    def sick(self) -> bool:
        """Whether the sheet cannot be played through."""
        return self.condition == "sick"


def summary_of(sheet: OpenSheet) -> Summary:
    """A sheet that has been opened, in short."""
    game, state = sheet.game, sheet.course.state
    changes = [row.agreed for row in sheet.history if row.agreed]
    entries = (step.entry for step in sheet.course.steps)
    return Summary(
        sheet=sheet.id,
        slug=game.slug,
        players=state.everybody,
        begun=sheet.begun,
        changed=sheet.rows[-1].at if sheet.rows else sheet.begun,
        rows=len(sheet.rows),
        entries=len(sheet.course.steps),
        deal=state.deal,
        dealer=state.dealer_name,
        scores=state.all_scores,
        leaders=tuple(one.player for one in game.standings(state) if one.rank == 1),
        finished=state.finished,
        winners=tuple(state.name(seat) for seat in state.winners),
        balances=balances(game, sheet.course.start, state, entries) if game.has_counters else (),
        called=sheet.called,
        renamed=tuple(pair for change in changes for pair in change.renamed.items()),
    )


def unplayed(
    sheet: int, written: tuple[str, str], rows: list[Row], condition: Condition
) -> Summary:
    """What can be said of a sheet that is not played through, or cannot be.

    `written` is its head as the ledger has it, and when it was begun; `rows` are as many of its
    rows as can be read.
    """
    head, begun = written
    slug, players = "", list[str]()
    try:
        begun_with = msgspec.json.decode(head, type=known(Head))
        slug = begun_with.game
        notes = [past_of(row) for row in rows if row.kind == "note"]
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
