"""What a game is: a stateless object that rules on entries and turns a sheet into a score.

A sheet is a list of entries and a game is a pure function of it: `start` gives the state before
the first entry, `apply` the state after each, `board` what a screen shows of it. No clock, no
randomness, no storage.

A new game subclasses `Game`, and needs to say only what is its own; reading entries, refusing
them after the end, penalties, void deals and the passing of the deal are here.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

from msgspec.structs import replace

from referee.rules.core.decoding import decode
from referee.rules.core.entries import Abandon, Adjust, Buy, Entry, players_named
from referee.rules.core.judge import Judge, Known
from referee.rules.core.kinds import EntryKind, Played
from referee.rules.core.lines import Line, equal_shares
from referee.rules.core.pad_words import PadWords
from referee.rules.core.ruling import Fault, IllegalEntry, MalformedEntry, Ruling, shared_fault
from referee.rules.core.scores import scored
from referee.rules.core.shared_entries import (
    adjusted,
    adjustment_faults,
    purchase_faults,
    reason_faults,
)
from referee.rules.core.table import (
    Board,
    Deal,
    Need,
    Options,
    Source,
    Standing,
    State,
    Table,
)
from referee.rules.core.terms import DealCalled, Unit
from referee.rules.core.what_to_deal import deal_judge
from referee.rules.text import Text, listed, say

S = TypeVar("S", bound=State[Any])
O = TypeVar("O", bound=Options)  # noqa: E741 - O for options, beside S for state


class Game(PadWords[S], ABC, Generic[S, O]):
    """The face of a game. See the module's docstring; a game is one instance of a subclass."""

    slug: ClassVar[str]
    title: ClassVar[Text]
    summary: ClassVar[Text]  # what kind of game it is, for choosing one
    sources: ClassVar[tuple[Source, ...]]
    unit: ClassVar[Unit] = "point"
    #: What one deal with its play is called at the table.
    deal_called: ClassVar[DealCalled] = "deal"
    #: The sections of the game's rules page that its faults may name: anchor to heading.
    sections: ClassVar[Mapping[str, Text]]
    #: The pools of the game: key in the sheet format to the words for it.
    pool_names: ClassVar[Mapping[str, Text]] = {}
    #: What `if_stopped` does, in a sentence.
    if_stopped_says: ClassVar[Text] = say(
        "The game isn’t over. What’s in the pools is shared equally here, with odd counters "
        "going one each from the dealer’s left."
    )
    house_rules: type[O]

    def __init__(self) -> None:
        judges = (*self.own_judges(), deal_judge(self))
        self.judges: Mapping[str, Judge[Any]] = {judge.name: judge for judge in judges}
        kinds = (*self.own_entries(), *self._shared_entries())
        #: Every kind of entry of this game, by its action.
        self.entries: Mapping[str, EntryKind[S, Any]] = {kind.action: kind for kind in kinds}
        self._kinds = {kind.entry: kind for kind in kinds}
        self._any_entry: Any = reduce(or_, (kind.entry for kind in kinds))

    # --- what each game says for itself

    @abstractmethod
    def own_judges(self) -> tuple[Judge[Any], ...]:
        """The questions this game answers without a sheet, besides what to deal."""

    @abstractmethod
    def own_entries(self) -> tuple[EntryKind[S, Any], ...]:
        """The entries of this game, besides those of every game: see `EntryKind`."""

    @abstractmethod
    def seats(self, options: O) -> range:
        """How many players can play under these house rules."""

    @abstractmethod
    def plan(self, table: Table[O], number: int, dealer: int) -> Deal:
        """What to put on the table in deal `number` when the player in seat `dealer` deals."""

    @abstractmethod
    def first(self, table: Table[O]) -> S:
        """The state in which the first deal is about to begin, before any stakes."""

    @abstractmethod
    def result(self, state: S, completed: int) -> tuple[int, ...]:
        """The winning seats once `completed` deals are over; empty while the game goes on.

        After the last deal of a fixed number it must name somebody.
        """

    # --- what a game may change. Where a hook returns (state, lines), the lines are already
    # counted in the scores of that state.

    def option_faults(self, table: Table[O]) -> list[Fault]:
        """House rules that do not go together, beyond what their types already say."""
        return []

    def last_deal(self, table: Table[O]) -> int | None:
        """How many deals the game has, where that is fixed."""
        return None

    def target(self, table: Table[O]) -> int | None:
        """The score that ends the game, where there is one."""
        return None

    def lowest_wins(self, table: Table[O]) -> bool:
        """Whether the lowest score is the best one."""
        return False

    def next_dealer(self, state: S) -> int:
        """The seat that deals after the deal in progress."""
        return state.table.left_of(state.dealer)

    def begin_deal(self, state: S) -> Played[S]:
        """Set out the deal that `state.deal` and `state.dealer` name, paying its stakes."""
        return state, []

    def redeal(self, state: S) -> Played[S]:
        """Begin the deal in progress again: its stakes stay paid, none are paid anew."""
        return state, []

    def shared_entry_faults(self, state: S, entry: Adjust | Abandon | Buy) -> list[Fault]:
        """What speaks in this game against a penalty, a void deal or a purchase just now."""
        return []

    def adjust(self, state: S, lines: list[Line]) -> Played[S]:
        """Count the `lines` of a penalty or a purchase."""
        return scored(state, lines), lines

    def wind_up(self, state: S) -> Played[S]:
        """What happens to the pools when the last deal is over."""
        return state, []

    def if_stopped(self, state: S) -> tuple[int, ...]:
        """What each seat would hold if play stopped now: what lies in pools is shared equally.

        In points, counters or chips, by seat. Odd counters go one each from the dealer's left. A
        game that is over has empty pools.
        """
        around = state.table.clockwise_from(state.table.left_of(state.dealer))
        shares = equal_shares(sum(state.pools.values()), around)
        return tuple(score + shares[seat] for seat, score in enumerate(state.scores))

    def notes(self, state: S) -> tuple[Text, ...]:
        """Steps for the deal card that depend on what has happened so far."""
        return ()

    def deal_card(self, state: S) -> tuple[Text, ...]:
        """A line on the deal in progress, then the steps that the table still has to take."""
        return (*self.plan(state.table, state.deal, state.dealer).says, *self.notes(state))

    def needs(self, state: S) -> tuple[Need, ...]:
        """Numbers for the deal card, a player each."""
        return ()

    def acts(self, state: S) -> int | None:
        """The seat whose turn it is, where the game follows turns."""
        return None

    def in_play(self, state: S) -> tuple[int, ...]:
        """The seats that still take part in the deal."""
        return tuple(range(len(state.table.players)))

    def known_to(self, judge: str, state: S) -> Known:
        """What a sheet as it stands answers of a judge's question, before anybody asks it.

        House rules and the number of players go without saying.
        """
        return {}

    # --- what all games share

    @property
    def has_counters(self) -> bool:
        """Whether the score is held in counters or chips, which can be bought and paid."""
        return self.unit != "point"

    def fault(self, code: str, says: Text, section: str) -> Fault:
        """A fault against the rule in `section`, a key of `sections`."""
        return Fault(code, says, self.slug, section)

    def read_entry(self, value: Any) -> Entry:
        """An entry from plain JSON types; raises `MalformedEntry`."""
        # A tuple, because what stands there may be a list or an object, which has no hash.
        actions = tuple(self.entries)
        if isinstance(value, Mapping) and value.get("action") not in actions:
            raise MalformedEntry([self._unknown_action(value.get("action"), actions)])
        entry: Entry = decode(value, self._any_entry, "entry")
        return entry

    def _unknown_action(self, action: Any, known: Sequence[str]) -> Fault:
        # What is no text is not written out: it may be nested too deep for that.
        if isinstance(action, str):
            says = say(
                "{game} has no entry called “{action}”. It has {known}.",
                game=self.title,
                action=action[:40],
                known=listed(known),
            )
        else:
            says = say(
                "An entry of {game} has an “action”: {known}.",
                game=self.title,
                known=listed(known, "or"),
            )
        return shared_fault("unknown-action", says, "file")

    def table_faults(self, table: Table[O]) -> list[Fault]:
        """Why these people cannot play this game under these house rules."""
        seats, number = self.seats(table.options), len(table.players)
        faults = [*self.option_faults(table)]
        if number not in seats:
            says = say(
                "{game} is for {seats} players here, not {number}.",
                game=self.title,
                seats=span(seats),
                number=number,
            )
            faults.append(shared_fault("players", says, "players"))
        return faults

    def start(self, table: Table[O]) -> S:
        """The state before any entry: the first deal has begun and its stakes are paid."""
        return self.begin_deal(self.first(table))[0]

    def check(self, state: S, entry: Entry) -> Ruling:
        """Rule on `entry`, all its faults at once.

        Raises `NotationError` for text that is no card.
        """
        if state.finished:
            says = say("The game is over. To play on, undo the last deal.")
            return Ruling((shared_fault("finished", says, "end"),))
        kind, players = self._kinds[type(entry)], state.table.players
        found = [_stranger(name, players) for name in players_named(entry) if name not in players]
        if not found or kind.names_everybody:
            found.extend(kind.faults(state, entry))
        found.extend(reason_faults(getattr(entry, "reason", "")))
        return Ruling(tuple(found))

    def apply(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """The state after `entry` and what it scored, item by item; raises `IllegalEntry`."""
        ruling = self.check(state, entry)
        if not ruling.legal:
            raise IllegalEntry(ruling.faults)
        return self.carry_out(state, entry)

    def carry_out(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """What `apply` does, for an entry that is known to be legal: it is not ruled on again."""
        after, lines = self._kinds[type(entry)].play(state, entry)
        return after, tuple(lines)

    def end_deal(self, state: S, lines: Sequence[Line]) -> Played[S]:
        """Score `lines`, then end the game or pass the deal to the left and begin the next.

        Returns the new state and all the lines, those of winding up or beginning included.
        """
        state, closing = scored(state, lines), list[Line]()
        if state.deal == self.last_deal(state.table):
            state, closing = self.wind_up(state)
        winners = self.result(state, state.deal)
        if winners:
            return replace(state, finished=True, winners=winners), [*lines, *closing]
        following = replace(state, deal=state.deal + 1, dealer=self.next_dealer(state))
        state, opening = self.begin_deal(following)
        return state, [*lines, *closing, *(replace(line, opens=True) for line in opening)]

    def board(self, state: S) -> Board:
        """What a screen shows of `state`."""
        acts = None if state.finished else self.acts(state)
        plan = self.plan(state.table, state.deal, state.dealer)
        return Board(
            deal=state.deal,
            dealer=state.name(state.dealer),
            plan=plan,
            says=() if state.finished else self.deal_card(state),
            needs=() if state.finished else self.needs(state),
            acts=None if acts is None else state.name(acts),
            in_play=tuple(state.name(seat) for seat in self.in_play(state)),
            standings=self.standings(state),
            pools=tuple((words, state.pools.get(key, 0)) for key, words in self.pool_names.items()),
            finished=state.finished,
            winners=tuple(state.name(seat) for seat in state.winners),
        )

    def standings(self, state: S) -> tuple[Standing, ...]:
        """The players best first, equals sharing a rank and keeping their seating order."""
        target = self.target(state.table)
        best_first = sorted(state.scores, reverse=not self.lowest_wins(state.table))
        order = sorted(
            range(len(state.scores)), key=lambda seat: best_first.index(state.scores[seat])
        )
        return tuple(
            Standing(
                rank=best_first.index(state.scores[seat]) + 1,
                player=state.name(seat),
                score=state.scores[seat],
                to_go=None if target is None else max(0, target - state.scores[seat]),
                dealer=seat == state.dealer,
            )
            for seat in order
        )

    # --- the entries of every game

    def _shared_entries(self) -> tuple[EntryKind[S, Any], ...]:
        return (
            EntryKind(Adjust, self._play_adjustment, self._adjust_faults),
            EntryKind(Abandon, self._abandon, self.shared_entry_faults),
            EntryKind(Buy, self._play_adjustment, self._buy_faults),
        )

    def _adjust_faults(self, state: S, entry: Adjust) -> list[Fault]:
        found = adjustment_faults(entry, self.unit)
        return [*found, *self.shared_entry_faults(state, entry)]

    def _buy_faults(self, state: S, entry: Buy) -> list[Fault]:
        found = [] if self.has_counters else purchase_faults(self.title)
        return [*found, *self.shared_entry_faults(state, entry)]

    def _play_adjustment(self, state: S, entry: Adjust | Buy) -> Played[S]:
        after, lines = self.adjust(state, adjusted(entry))
        # A bonus can reach the target, a penalty cannot end a game of a fixed number of deals.
        winners = self.result(after, after.deal - 1)
        return (replace(after, finished=True, winners=winners) if winners else after), lines

    def _abandon(self, state: S, entry: Abandon) -> Played[S]:
        return self.redeal(state)


#: Any of the games, for code that works with all: states and options are the game's business.
AnyGame: TypeAlias = Game[Any, Any]


def span(seats: range) -> Text:
    """A range of numbers of players in words: "3", "2 to 8"."""
    if len(seats) == 1:
        return say("{n}", n=seats[0])
    return say("{least} to {most}", least=seats[0], most=seats[-1])


def _stranger(name: str, players: Sequence[str]) -> Fault:
    says = say(
        "“{name}” isn’t on this sheet. The players are {players}.",
        name=name,
        players=listed(players),
    )
    return shared_fault("unknown-player", says, "players")
