"""What a game declares: its names, its parts, and the three methods that each must define."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Generic

from referee.rules.core.entries import Entry, EntryKind, Rule
from referee.rules.core.judge import Judge
from referee.rules.core.parts import Counters, Deals, Elimination, Feats, Goal, Hole, Pad, Turns
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import Deal, O, S, Source, Table
from referee.rules.core.terms import DealCalled, Unit
from referee.rules.text import NOTHING, Text, say


class GameDefinition(ABC, Generic[S, O]):
    """What a game declares. `game.Game` rules by it; no game overrides how."""

    slug: ClassVar[str]
    title: ClassVar[Text]
    summary: ClassVar[Text]  # what kind of game it is, for choosing one
    emblem: ClassVar[str] = ""  # a few cards that stand for it, in notation
    first_dealer: ClassVar[Text] = NOTHING  # how the first dealer is chosen, if in a way of its own
    sources: ClassVar[tuple[Source, ...]]
    #: What scores are counted in, and what a deal and its play are called at the table.
    unit: ClassVar[Unit] = "point"
    deal_called: ClassVar[DealCalled] = "deal"
    ended: ClassVar[Text] = say("went out")  # what the player who ended a deal did
    #: The sections of the game's rules page that its faults may name: anchor to heading.
    sections: ClassVar[Mapping[str, Text]]
    #: Whether players name the game themselves, as the program doesn't know what they play.
    named_by_players: ClassVar[bool] = False
    house_rules: type[O]
    #: The type of the game's state.
    state: type[S]

    #: For a game with a fixed number of players: the fault of any other number.
    wrong_number_fault: ClassVar[Fault | None] = None
    #: This game’s further rules for the entries of every game, by entry type.
    shared_rules: Mapping[type[Entry], Sequence[Rule[S, Any]]] = {}

    goal: Goal[S, O] = Goal()
    deals: Deals[S, O] = Deals()
    counters: Counters[S] = Counters()
    elimination: Elimination[S] = Elimination()
    turns: Turns[S] = Turns()
    hole: Hole[S] = Hole()
    pad: Pad[S] = Pad()
    feats: Feats[S] = Feats()
    #: The judges of this game, besides the one on what to deal.
    own_judges: ClassVar[tuple[Judge, ...]] = ()

    @abstractmethod
    def own_entries(self) -> tuple[EntryKind[S, Any], ...]:
        """The kinds of entries of this game, besides those of every game."""

    @abstractmethod
    def seats(self, options: O) -> range:
        """The possible numbers of players under these house rules."""

    @abstractmethod
    def plan(self, table: Table[O], number: int, dealer: int) -> Deal:
        """How to set out deal `number` when the player in seat `dealer` deals."""

    # --- derived from these

    def before_first_deal(self, table: Table[O]) -> S:
        """The state before the first deal, with no stakes paid yet."""
        return self.state(
            table=table,
            deal=1,
            dealer=table.dealer,
            scores=(self.counters.each(table.options),) * len(table.players),
            pools=dict.fromkeys(self.counters.pools, 0),
        )

    @property
    def has_counters(self) -> bool:
        """Whether scores are counters or chips, which can be bought and paid."""
        return self.unit != "point"

    def table_faults(self, table: Table[O]) -> list[Fault]:
        """Faults in these players and house rules, beyond what their types check."""
        seats, number = self.seats(table.options), len(table.players)
        faults = table.options.faults()
        return faults if number in seats else [*faults, players_fault(self.title, seats, number)]

    def too_few(self, state: S) -> bool:
        """Whether the game is over because too few players are left."""
        return len(state.table.players) < self.seats(state.table.options)[0]


def players_fault(game: Text, seats: range, number: int) -> Fault:
    """Fault: wrong number of players."""
    says = say(
        "{game} is for {seats} players here, not {number}.",
        game=game,
        seats=seats_in_words(seats),
        number=number,
    )
    return shared_fault("players", says, "players")


def seats_in_words(seats: range) -> Text:
    """A range of player counts in words: "3", "2 to 8"."""
    if len(seats) == 1:
        return say("{n}", n=seats[0])
    return say("{least} to {most}", least=seats[0], most=seats[-1])
