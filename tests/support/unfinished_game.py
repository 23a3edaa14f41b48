"""An unfinished game that breaks nearly every rule of the contract, for its test."""

from typing import Annotated, Any, Literal

from referee.rules.core.asking import asked
from referee.rules.core.entries import Entry, EntryKind, Played, Player
from referee.rules.core.game import Game
from referee.rules.core.judge import judge
from referee.rules.core.parts import Counters
from referee.rules.core.ruling import Fault, Ruling, shared_fault
from referee.rules.core.table import Deal, Options, Source, State, Table
from referee.rules.text import NOTHING, say


class Agreed(Options, frozen=True, forbid_unknown_fields=True):
    """House rules that lack words."""

    rounds: int = 9
    sweep: Annotated[
        Literal["all", "half"], asked(say("Sweep"), choices={"all": say("everything")})
    ] = "all"
    packs: Annotated[int | None, asked(say("Packs"), say("How many."))] = None


class Snap(Entry, frozen=True, tag="snap"):
    player: Player


@judge("snap", NOTHING, section="snaps")
def snap_judge(cards: str = "") -> Ruling:
    """A ruling that cites an unknown section."""
    return Ruling((shared_fault("never", say("Never."), "whims"),))


class UnfinishedGame(Game[State[Agreed], Agreed]):
    """A game that is not finished."""

    slug = "Half Done"
    title = say("Half Done")
    summary = NOTHING
    sources = (Source(say("Somebody’s aunt"), NOTHING),)
    sections = {"end": NOTHING}
    house_rules = Agreed
    state = State[Agreed]
    counters = Counters(pools={"pot": NOTHING})
    own_judges = (snap_judge,)

    def own_entries(self) -> tuple[EntryKind[State[Agreed], Any], ...]:
        return (EntryKind(Snap, self.play_snap, self.snap_faults),)

    def seats(self, options: Agreed) -> range:
        return range(2, 3)

    def plan(self, table: Table[Agreed], number: int, dealer: int) -> Deal:
        return Deal(26, 0, NOTHING, 52)

    def too_few(self, state: State[Agreed]) -> bool:
        return False

    def snap_faults(self, state: State[Agreed], entry: Snap) -> list[Fault]:
        return [Fault("late", say("Too late."), self.slug, "timing")]

    def play_snap(self, state: State[Agreed], entry: Snap) -> Played[State[Agreed]]:
        return state, []
