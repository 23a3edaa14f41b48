"""What a game is: a stateless object that rules on entries and turns a sheet into a score.

A sheet is a list of entries and a game is a pure function of it: `start` gives the state before
the first entry, `apply` the state after each, `board` what a screen shows of it. No clock, no
randomness, no storage.

A new game subclasses `Game`, and needs to say only what is its own; turning up, refusing
entries after the end, penalties, void deals and the passing of the deal are here.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from referee.rules.core.decoding import SHARED_RULES, decode
from referee.rules.core.entries import Abandon, Adjust, Buy, Entry, players_named
from referee.rules.core.judge import Judge
from referee.rules.core.lines import Line, change_by_player
from referee.rules.core.ruling import Fault, IllegalEntry, MalformedEntry, Ruling
from referee.rules.core.table import (
    Aim,
    Board,
    Deal,
    Need,
    Options,
    Source,
    Standing,
    State,
    Table,
)

S = TypeVar("S", bound=State)
O = TypeVar("O", bound=Options)  # noqa: E741 - O for options, beside S for state


class Game(ABC, Generic[S, O]):
    """The face of a game. See the module's docstring; a game is one instance of a subclass."""

    slug: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]  # what kind of game it is, for choosing one
    sources: ClassVar[tuple[Source, ...]]
    unit: ClassVar[Literal["point", "counter", "chip"]] = "point"
    lowest_wins: ClassVar[bool] = False
    #: What one deal with its play is called at the table.
    deal_called: ClassVar[Literal["deal", "round", "hand"]] = "deal"
    #: What a deal asks each player for a number of, where it does: see `aims`.
    aims_at: ClassVar[str] = ""
    #: The sections of the game's rules page that its faults may name: anchor to heading.
    sections: ClassVar[Mapping[str, str]]
    #: The pools of the game: key in the sheet format to the words for it.
    pool_names: ClassVar[Mapping[str, str]] = {}
    #: What `if_stopped` does, in a sentence.
    if_stopped_says: ClassVar[str] = (
        "The game is not over: what lies in the pools is shared out equally here, odd ones from "
        "the dealer’s left."
    )
    house_rules: type[O]
    entry_kinds: ClassVar[tuple[type[Entry], ...]]

    def __init__(self) -> None:
        judges = (*self.own_judges(), deal_judge(self))
        self.judges: Mapping[str, Judge[Any]] = {judge.name: judge for judge in judges}

    # --- what each game says for itself

    @abstractmethod
    def own_judges(self) -> tuple[Judge[Any], ...]:
        """The questions this game answers without a sheet, besides what to deal."""

    @abstractmethod
    def seats(self, options: O) -> range:
        """How many players can play under these house rules."""

    @abstractmethod
    def plan(self, table: Table, number: int, dealer: int) -> Deal:
        """What to put on the table in deal `number` when the player in seat `dealer` deals."""

    @abstractmethod
    def first(self, table: Table) -> S:
        """The state in which the first deal is about to begin, before any stakes."""

    @abstractmethod
    def faults(self, state: S, entry: Entry) -> list[Fault]:
        """All that is wrong with one of the game's own entries; its players are known."""

    @abstractmethod
    def play(self, state: S, entry: Entry) -> tuple[S, list[Line]]:
        """The state after one of the game's own entries, which is legal, and what it scored."""

    @abstractmethod
    def result(self, state: S, completed: int) -> tuple[int, ...]:
        """The winning seats once `completed` deals are over; empty while the game goes on.

        After the last deal of a fixed number it must name somebody.
        """

    # --- what a game may change. Where a hook returns (state, lines), the lines are already
    # counted in the scores of that state.

    def option_faults(self, table: Table) -> list[Fault]:
        """House rules that do not go together, beyond what their types already say."""
        return []

    def last_deal(self, table: Table) -> int | None:
        """How many deals the game has, where that is fixed."""
        return None

    def target(self, table: Table) -> int | None:
        """The score that ends the game, where there is one."""
        return None

    def next_dealer(self, state: S) -> int:
        """The seat that deals after the deal in progress."""
        return state.table.left_of(state.dealer)

    def begin_deal(self, state: S) -> tuple[S, list[Line]]:
        """Set out the deal that `state.deal` and `state.dealer` name, paying its stakes."""
        return state, []

    def redeal(self, state: S) -> tuple[S, list[Line]]:
        """Take back the deal in progress and begin it again, without paying its stakes anew."""
        return state, []

    def shared_entry_faults(self, state: S, entry: Adjust | Abandon | Buy) -> list[Fault]:
        """What speaks in this game against a penalty, a void deal or a purchase just now."""
        return []

    def adjust(self, state: S, lines: list[Line]) -> tuple[S, list[Line]]:
        """Count the `lines` of a penalty or a purchase."""
        return scored(state, lines), lines

    def wind_up(self, state: S) -> tuple[S, list[Line]]:
        """What happens to the pools when the last deal is over."""
        return state, []

    def if_stopped(self, state: S) -> tuple[int, ...]:
        """What each seat would hold if play stopped now: what lies in pools is shared equally.

        Odd counters go one each from the dealer's left. A game that is over has empty pools.
        """
        around = state.table.clockwise_from(state.table.left_of(state.dealer))
        share, odd = divmod(sum(state.pools.values()), len(around))
        return tuple(
            score + share + (around.index(seat) < odd) for seat, score in enumerate(state.scores)
        )

    def notes(self, state: S) -> tuple[str, ...]:
        """Sentences for the deal card that depend on what has happened so far."""
        return ()

    def needs(self, state: S) -> tuple[Need, ...]:
        """Numbers for the deal card, a player each."""
        return ()

    def acts(self, state: S) -> int | None:
        """The seat whose turn it is, where the game follows turns."""
        return None

    def in_play(self, state: S) -> tuple[int, ...]:
        """The seats that still take part in the deal."""
        return tuple(range(len(state.table.players)))

    def pictured(self, state: S) -> tuple[int, ...]:
        """What the picture of the game draws for each seat: how it stands between two deals."""
        return state.scores

    def aims(self, before: S, entry: Entry, after: S) -> tuple[Aim, ...]:
        """What each seat made of the deal that `entry` ended, where it asked for a number."""
        return ()

    # --- what all games share

    @property
    def has_counters(self) -> bool:
        """Whether the score is held in counters or chips, which can be bought and paid."""
        return self.unit != "point"

    def rule(self, section: str) -> str:
        """The name of a section of this game's rules, as faults carry it."""
        return f"{self.title}, {self.sections[section]}"

    def fault(self, code: str, message: str, section: str) -> Fault:
        """A fault against the rule in `section`."""
        return Fault(code, message, self.rule(section))

    def read_entry(self, value: Any) -> Entry:
        """An entry from plain JSON types; raises `MalformedEntry`."""
        # A tuple, because what stands there may be a list or an object, which has no hash.
        actions = tuple(self._entries_by_action())
        if isinstance(value, Mapping) and value.get("action") not in actions:
            known = ", ".join(actions)
            action = value.get("action")
            # What is no text is not written out: it may be nested too deep for that.
            named = f"“{action[:40]}”" if isinstance(action, str) else "This"
            fault = Fault(
                "unknown-action",
                f"{named} is no entry of {self.title}. It knows: {known}.",
                f"{SHARED_RULES}, the sheet file",
            )
            raise MalformedEntry([fault])
        entry: Entry = decode(value, self._entry_union(), "entry")
        return entry

    def _entries_by_action(self) -> dict[str, type[Entry]]:
        kinds: tuple[type[Entry], ...] = (*self.entry_kinds, Adjust, Abandon, Buy)
        return {str(kind.__struct_config__.tag): kind for kind in kinds}

    def _entry_union(self) -> Any:
        union: Any = Adjust
        for kind in (*self.entry_kinds, Abandon, Buy):
            union = union | kind
        return union

    def entry_kind(self, action: str) -> type[Entry] | None:
        """The type of the entries whose `action` is this."""
        return self._entries_by_action().get(action)

    def table_faults(self, table: Table) -> list[Fault]:
        """Why these people cannot sit down to this game under these house rules."""
        seats, number = self.seats(table.options), len(table.players)
        faults = self.option_faults(table)
        if number not in seats:
            message = f"{self.title} is for {span(seats)} players here, not {number}."
            faults.append(Fault("players", message, f"{SHARED_RULES}, players"))
        return faults

    def start(self, table: Table) -> S:
        """The state with no entries: the first deal has begun and its stakes are paid."""
        state, _ = self.begin_deal(self.first(table))
        return state

    def check(self, state: S, entry: Entry) -> Ruling:
        """Rule on `entry`, all its faults at once.

        Raises `NotationError` for text that is no card.
        """
        if state.finished:
            message = "The game is over. Undo the last entry if it should go on."
            return Ruling((Fault("finished", message, f"{SHARED_RULES}, the end"),))
        strangers = [name for name in players_named(entry) if name not in state.table.players]
        if strangers:
            return Ruling(tuple(_stranger(name, state.table.players) for name in strangers))
        if isinstance(entry, Adjust | Abandon | Buy):
            shared = self._shared_faults(state, entry)
            return Ruling((*shared, *self.shared_entry_faults(state, entry)))
        return Ruling(tuple(self.faults(state, entry)))

    def apply(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """The state after `entry` and what it scored, item by item; raises `IllegalEntry`."""
        ruling = self.check(state, entry)
        if not ruling.legal:
            raise IllegalEntry(ruling.faults)
        return self.carry_out(state, entry)

    def carry_out(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """As `apply`, for an entry that is known to be legal: it is not ruled on again."""
        if isinstance(entry, Adjust | Buy):
            after, lines = self.adjust(state, _adjustment(entry))
            after = self._after_adjusting(after)
        elif isinstance(entry, Abandon):
            after, lines = self.redeal(state)
        else:
            after, lines = self.play(state, entry)
        return after, tuple(lines)

    def end_deal(self, state: S, lines: Sequence[Line]) -> tuple[S, list[Line]]:
        """Score `lines`, then end the game or pass the deal to the left and begin the next.

        Returns the new state and all the lines, those of winding up or beginning included.
        """
        more: list[Line] = []
        state = scored(state, lines)
        if state.deal == self.last_deal(state.table):
            state, more = self.wind_up(state)
        winners = self.result(state, state.deal)
        if winners:
            return replace(state, finished=True, winners=winners), [*lines, *more]
        following = replace(state, deal=state.deal + 1, dealer=self.next_dealer(state))
        state, more = self.begin_deal(following)
        return state, [*lines, *more]

    def board(self, state: S) -> Board:
        """What a screen shows of `state`."""
        acts = None if state.finished else self.acts(state)
        plan = self.plan(state.table, state.deal, state.dealer)
        return Board(
            deal=state.deal,
            dealer=state.name(state.dealer),
            plan=plan,
            says=() if state.finished else (*plan.says, *self.notes(state)),
            needs=() if state.finished else self.needs(state),
            acts=None if acts is None else state.name(acts),
            in_play=tuple(state.name(seat) for seat in self.in_play(state)),
            standings=self.standings(state),
            pools=tuple((words, state.pools[key]) for key, words in self.pool_names.items()),
            finished=state.finished,
            winners=tuple(state.name(seat) for seat in state.winners),
        )

    def standings(self, state: S) -> tuple[Standing, ...]:
        """The players best first, equals sharing a rank and keeping their seating order."""
        target = self.target(state.table)
        best_first = sorted(state.scores, reverse=not self.lowest_wins)
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

    def _after_adjusting(self, state: S) -> S:
        # A bonus can reach the target, a penalty cannot end a game of a fixed number of deals.
        winners = self.result(state, state.deal - 1)
        return replace(state, finished=True, winners=winners) if winners else state

    def _shared_faults(self, state: S, entry: Adjust | Abandon | Buy) -> Iterable[Fault]:
        rule = f"{SHARED_RULES}, penalties and purchases"
        if isinstance(entry, Buy) and not self.has_counters:
            yield Fault("no-counters", f"{self.title} is played for points: nothing to buy.", rule)
        if not isinstance(entry, Adjust):
            return
        if not entry.reason.strip():
            yield Fault("reason", "Say what the penalty or bonus is for.", rule)
        if entry.points == 0:
            yield Fault("no-points", "A penalty or bonus of 0 changes nothing.", rule)
        if self.has_counters and entry.to is None:
            yield Fault("to", "Say who pays or gets these counters: none are made or lost.", rule)
        if not self.has_counters and entry.to is not None:
            yield Fault("to", "Points are not paid by one player to another here.", rule)
        if entry.to == entry.player:
            yield Fault("to", f"{entry.player} cannot pay {entry.player}: name two players.", rule)


def deal_judge(game: Game[Any, Any]) -> Judge[Any]:
    """The judge every game has: what to deal, for a number of players, a deal and house rules."""
    numbers: list[tuple[str, Any] | tuple[str, Any, Any]] = [
        ("players", Annotated[int, Meta(ge=1, le=99, title="Players")]),
        ("deal", Annotated[int, Meta(ge=1, le=9999, title="Deal number")], 1),
    ]
    question = msgspec.defstruct(
        "DealQuestion",
        numbers,
        bases=(game.house_rules,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )

    def rule(asked: Any) -> Ruling:
        seated = tuple(f"Player {number}" for number in range(1, asked.players + 1))
        dealer = (asked.deal - 1) % asked.players
        table = Table(seated, dealer, asked)
        faults = game.table_faults(table)
        last = game.last_deal(table)
        if last is not None and asked.deal > last:
            message = f"With {asked.players} players the game is over after deal {last}."
            faults.append(Fault("deal-number", message, f"{SHARED_RULES}, the end"))
        if faults:
            return Ruling(tuple(faults))
        plan = game.plan(table, asked.deal, dealer)
        detail = {"each": plan.each, "table": plan.table, "deck": plan.deck}
        left = f", {plan.table} left for the {plan.table_name}" if plan.table else ", none left"
        return Ruling((), detail, (f"{plan.each} cards each{left}. {plan.deck} in all.",))

    return Judge("deal", "What do we deal?", question, rule, yes_or_no=False)


def scored(state: S, lines: Iterable[Line]) -> S:
    """`state` with the points of `lines` added to the scores."""
    change = change_by_player(lines, state.table.players)
    scores = tuple(
        score + points for score, points in zip(state.scores, change.values(), strict=True)
    )
    return replace(state, scores=scores)


def first_past(scores: Sequence[int], target: int) -> tuple[int, ...]:
    """The seat that has reached `target` with the highest score; empty where two are level."""
    best = max(scores)
    leaders = tuple(seat for seat, score in enumerate(scores) if score == best)
    return leaders if best >= target and len(leaders) == 1 else ()


def best_scores(scores: Sequence[int], *, lowest: bool = False) -> tuple[int, ...]:
    """The seats that share the best score."""
    best = min(scores) if lowest else max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)


def span(seats: range) -> str:
    """A range of numbers of players in words: "3", "2 to 8"."""
    return str(seats[0]) if len(seats) == 1 else f"{seats[0]} to {seats[-1]}"


def _adjustment(entry: Adjust | Buy) -> list[Line]:
    if isinstance(entry, Buy):
        return [Line(entry.player, entry.amount, "bought from the bank")]
    lines = [Line(entry.player, entry.points, entry.reason)]
    if entry.to is not None:
        lines.append(Line(entry.to, -entry.points, entry.reason))
    return lines


def _stranger(name: str, players: Sequence[str]) -> Fault:
    message = f"“{name}” is not on this sheet. The players are {', '.join(players)}."
    return Fault("unknown-player", message, f"{SHARED_RULES}, players")
