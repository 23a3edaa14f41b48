"""What a game is: a stateless object that rules on entries and turns a sheet into a score.

A sheet is a list of entries and a game is a pure function of it: `start` gives the state before
the first entry, `apply` the state after each, `board` what a screen shows of it. No clock, no
randomness, no storage.

A new game subclasses `Game`, and needs to say only what is its own (`rulebook`); reading entries,
refusing them after the end, penalties, void deals and the passing of the deal are here, who comes
and goes in `seating`.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.rules.core.decoding import FieldReader, decode
from referee.rules.core.entries import Abandon, Adjust, Buy, Entry, players_named
from referee.rules.core.half_read import HalfRead, ruled
from referee.rules.core.judge import Judge
from referee.rules.core.kinds import EntryKind, Played
from referee.rules.core.lines import Line
from referee.rules.core.rulebook import O, S
from referee.rules.core.ruling import (
    Fault,
    IllegalEntry,
    MalformedEntry,
    NotationError,
    Ruling,
    shared_fault,
)
from referee.rules.core.scores import scored
from referee.rules.core.seating import Seating, players_fault, without
from referee.rules.core.shared_entries import (
    adjusted,
    adjustment_rules,
    purchase_faults,
    reason_faults,
)
from referee.rules.core.table import Board, Standing, State, Table
from referee.rules.core.what_to_deal import deal_judge
from referee.rules.text import listed, say


class Game(Seating[S, O]):
    """The face of a game. See the module's docstring; a game is one instance of a subclass."""

    def __init__(self) -> None:
        judges = (*self.own_judges(), deal_judge(self))
        self.judges: Mapping[str, Judge[Any]] = {judge.name: judge for judge in judges}
        kinds = (*self.own_entries(), *self._shared_entries(), *self.seating_entries())
        #: Every kind of entry of this game, by its action.
        self.entries: Mapping[str, EntryKind[S, Any]] = {kind.action: kind for kind in kinds}
        self._kinds = {kind.entry: kind for kind in kinds}

    def read_entry(self, value: Any, at: S | None = None) -> Entry:
        """An entry from plain JSON types; raises `MalformedEntry`.

        With the state `at` which it is to be made, the error also names the rules that it breaks
        as far as it can be read.
        """
        # A tuple, because what stands there may be a list or an object, which has no hash.
        actions = tuple(self.entries)
        action = value.get("action") if isinstance(value, Mapping) else None
        if action not in actions:
            code = "unknown-action" if isinstance(value, Mapping) else "unreadable-entry"
            raise MalformedEntry([self._unknown_action(code, action, actions)])
        kind = self.entries[action]
        try:
            entry: Entry = decode(value, kind.entry, "entry")
        except MalformedEntry as error:
            if at is not None:
                _, found = self._found_by_field(at, kind, value)
                raise MalformedEntry(found or error.faults) from None
            raise
        return entry

    def _unknown_action(self, code: str, action: Any, known: Sequence[str]) -> Fault:
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
                "Every {game} entry needs an “action”: {known}.",
                game=self.title,
                known=listed(known, "or"),
            )
        return shared_fault(code, says, "file")

    def table_faults(self, table: Table[O]) -> list[Fault]:
        """Why these people cannot play this game under these house rules."""
        seats, number = self.seats(table.options), len(table.players)
        faults = [*self.option_faults(table)]
        if number not in seats:
            faults.append(players_fault(self.title, seats, number))
        return faults

    def start(self, table: Table[O]) -> S:
        """The state before any entry: the first deal has begun and its stakes are paid."""
        return self.begin_deal(self.first(table))[0]

    def check(self, state: S, entry: Entry) -> Ruling:
        """Rule on `entry`, all its faults at once.

        Raises `NotationError` for text that is no card, with all the other faults beside it.
        """
        if state.finished:
            return Ruling((_finished(),))
        kind, players = self._kinds[type(entry)], state.table.players
        # Most entries are legal. Only one that is not is gone through field by field.
        if all(name in players for name in players_named(entry)):
            with suppress(NotationError):
                if not any(self._rules_broken(state, kind, entry)):
                    return Ruling()
        reader, found = self._found_by_field(state, kind, msgspec.to_builtins(entry))
        if reader.bad_notation:
            raise NotationError(found)
        return Ruling(tuple(found))

    def _found_by_field(
        self, state: S, kind: EntryKind[S, Any], value: Any
    ) -> tuple[FieldReader, list[Fault]]:
        """What is wrong with an entry of which some is not to be read, and how it was read."""
        players = state.table.players

        def stranger(name: str) -> Fault | None:
            return None if name in players else _stranger(name, state)

        reader = FieldReader("entry", stranger=stranger)
        entry = HalfRead(reader.fields(value, kind.entry))
        broken = [_finished()] if state.finished else self._rules_broken(state, kind, entry)
        return reader, list(dict.fromkeys([*reader.faults, *broken]))

    def _rules_broken(self, state: S, kind: EntryKind[S, Any], entry: Any) -> Iterator[Fault]:
        yield from ruled(state, entry, *kind.rules, _reason_faults)

    def apply(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """The state after `entry` and what it scored, item by item; raises `IllegalEntry`."""
        ruling = self.check(state, entry)
        if not ruling.legal:
            raise IllegalEntry(ruling.faults)
        return self.carry_out(state, entry)

    def carry_out(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """What `apply` does, for an entry that is known to be legal: it is not ruled on again."""
        kind = self._kinds[type(entry)]
        after, lines = kind.play(replace(state, begun=True) if kind.begins else state, entry)
        return after, tuple(lines)

    def scores_so_far(self, state: S, entry: Entry) -> tuple[Line, ...]:
        """What an entry scores by the hands it has, where others are missing and nothing is wrong.

        Nothing where that would not add up; and nothing of what opens the next deal.
        """
        wrong = self.check(state, entry).faults
        known = self._kinds[type(entry)].by_hand and bool(wrong)
        if not known or any(fault.lacks != "hand" for fault in wrong):
            return ()
        return tuple(line for line in self.carry_out(state, entry)[1] if not line.opens)

    def end_deal(self, state: S, lines: Sequence[Line]) -> Played[S]:
        """Score `lines`, then end the game or pass the deal to the left and begin the next.

        Returns the new state and all the lines, those of winding up or beginning included.
        """
        closing = list[Line]()
        dealer = state.name(state.dealer)
        state = replace(
            scored(state, lines),
            begun=False,
            dealt=state.dealt | {dealer},
            last_dealer=dealer,
        )
        state = without(state, self.ruined(state))
        too_few = len(state.table.players) < self.seats(state.table.options)[0]
        played_out = too_few or self.played_out(state, state.deal)
        if played_out:
            state, closing = self.wind_up(state, state.around_from(dealer))
        winners = self.result(state, played_out=played_out)
        if winners:
            return replace(state, finished=True, winners=winners), [*lines, *closing]
        dealer_next = self.next_dealer(state)
        following = replace(state, deal=state.deal + 1, dealer=dealer_next, deal_of="")
        state, opening = self.begin_deal(following)
        return state, [*lines, *closing, *(replace(line, opens=True) for line in opening)]

    def board(self, state: S) -> Board:
        """What a screen shows of `state`."""
        acts = None if state.finished else self.acts(state)
        plan = self.plan(state.table, state.deal, state.dealer)
        return Board(
            deal=state.deal,
            dealer=state.dealer_name,
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
        """The players best first, equals sharing a rank and keeping their seating order.

        Those who have left come last, in the order in which they left.
        """
        target = self.target(state.table)
        best_first = sorted(state.scores, reverse=not self.lowest_wins(state.table))
        order = sorted(
            range(len(state.scores)), key=lambda seat: best_first.index(state.scores[seat])
        )
        seated = (
            Standing(
                rank=best_first.index(state.scores[seat]) + 1,
                player=state.name(seat),
                score=state.scores[seat],
                to_go=None if target is None else max(0, target - state.scores[seat]),
                dealer=state.name(seat) == state.dealer_name,
            )
            for seat in order
        )
        gone = (
            Standing(None, one.name, one.score, None, one.name == state.dealer_name, left=True)
            for one in state.left
        )
        return (*seated, *gone)

    # --- the entries of every game

    def _shared_entries(self) -> tuple[EntryKind[S, Any], ...]:
        return (
            EntryKind(
                Adjust,
                self._play_adjustment,
                *adjustment_rules(self.unit),
                self.adjust_faults,
                begins=False,
            ),
            EntryKind(Abandon, self._abandon, self.abandon_faults, begins=False),
            EntryKind(
                Buy, self._play_adjustment, self._purchase_faults, self.buy_faults, begins=False
            ),
        )

    def _purchase_faults(self, state: S, entry: Buy) -> Iterable[Fault]:
        return () if self.has_counters else purchase_faults(self.title)

    def _play_adjustment(self, state: S, entry: Adjust | Buy) -> Played[S]:
        after, lines = self.adjust(state, adjusted(entry))
        # A bonus can reach the target, a penalty cannot end a game of a fixed number of deals.
        winners = self.result(after, played_out=False)
        return (replace(after, finished=True, winners=winners) if winners else after), lines

    def _abandon(self, state: S, entry: Abandon) -> Played[S]:
        return self.void_deal(state)


#: Any of the games, for code that works with all: states and options are the game's business.
AnyGame: TypeAlias = Game[Any, Any]


def _finished() -> Fault:
    says = say("The game is over. To play on, undo what was recorded last.")
    return shared_fault("finished", says, "end")


def _reason_faults(state: State[Any], entry: Any) -> Iterator[Fault]:
    if hasattr(entry, "reason"):
        yield from reason_faults(entry.reason)


def _stranger(name: str, state: State[Any]) -> Fault:
    if state.has_left(name):
        says = say("{name} has left. To bring {name} back, record that {name} joins.", name=name)
    else:
        says = say(
            "“{name}” isn’t on this sheet. The players are {players}.",
            name=name,
            players=listed(state.table.players),
        )
    return shared_fault("unknown-player", says, "players")
