"""What a game is: a stateless object that rules on entries and turns a sheet into a score.

No clock, no randomness, no storage. What a game declares is in `definition`; penalties and void
deals are in `shared_entries`, players who come and go in `seating`. Reading entries, refusing them
after the end, and passing the deal are done here.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from referee.rules.core.deal_judge import deal_judge
from referee.rules.core.decoding import FieldReader, decode, inspected
from referee.rules.core.definition import GameDefinition
from referee.rules.core.entries import (
    Entry,
    EntryKind,
    HalfRead,
    Played,
    players_named,
    rule_faults,
)
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import (
    Fault,
    IllegalEntry,
    MalformedEntry,
    NotationError,
    Ruling,
    shared_fault,
)
from referee.rules.core.seating import Seating, without
from referee.rules.core.shared_entries import reason_rule, shared_entries
from referee.rules.core.table import (
    Board,
    Line,
    O,
    S,
    Standing,
    State,
    Table,
    scored,
)
from referee.rules.text import Text, listed, quoted, say


class Game(GameDefinition[S, O]):
    """The interface of a game; each game is the one instance of a subclass."""

    judges: Mapping[str, Judge]
    #: Every kind of entry of this game, by its action.
    entries: Mapping[str, EntryKind[S, Any]]

    def __init__(self) -> None:
        judges = (*self.own_judges, deal_judge(self))
        self.judges = {judge.name: judge for judge in judges}
        self.seating = Seating(self)
        kinds = (*self.own_entries(), *shared_entries(self, self.seating), *self.seating.entries())
        self.entries = {str(kind.entry.__struct_config__.tag): kind for kind in kinds}
        self._kinds = {kind.entry: kind for kind in kinds}
        for entry, rules in self.shared_rules.items():
            self._kinds[entry].rules += tuple(rules)
        for kind in kinds:
            inspected(kind.entry)
            if "reason" in kind.entry.__struct_fields__:
                kind.rules += (reason_rule,)

    # --- ruling on entries

    def read_entry(self, value: Any, before: S | None = None) -> Entry:
        """Read an entry from plain JSON types; raises `MalformedEntry`.

        With the state `before` it, the error also has the faults that rules find in its readable
        fields.
        """
        action = value.get("action") if isinstance(value, Mapping) else None
        # An action that is no text is not quoted: it may be nested too deep for that.
        if not isinstance(action, str):
            code = "unknown-action" if isinstance(value, Mapping) else "unreadable-entry"
            says = say(
                "Every {game} entry needs an “action”: {known}.",
                game=self.title,
                known=listed(self.entries, "or"),
            )
            raise MalformedEntry([shared_fault(code, says, "file")])
        if action not in self.entries:
            says = say(
                "{game} has no entry called “{action}”. It has {known}.",
                game=self.title,
                action=quoted(action),
                known=listed(self.entries),
            )
            raise MalformedEntry([shared_fault("unknown-action", says, "file")])
        kind = self.entries[action]
        try:
            entry: Entry = msgspec.convert(value, kind.entry)
        except msgspec.ValidationError:
            if before is not None and (found := self._found_by_field(before, kind, value)[1]):
                raise MalformedEntry(found) from None
            entry = decode(value, kind.entry, "entry")  # to say what is wrong
        return entry

    def start(self, table: Table[O]) -> S:
        """The state before any entry: the first deal has begun and its stakes are paid."""
        return self.deals.begin(self.before_first_deal(table))[0]

    def check(self, state: S, entry: Entry) -> Ruling:
        """Rule on `entry`, with all its faults at once.

        Raises `NotationError` for text that is no card, with all the other faults too.
        """
        if state.finished:
            return Ruling((_FINISHED,))
        kind, players = self._kinds[type(entry)], state.table.players
        # Most entries are legal. Only others are read field by field.
        if set(players_named(entry)) <= set(players):
            with suppress(NotationError):
                if not any(rule_faults(state, entry, *kind.rules)):
                    return Ruling()
        reader, found = self._found_by_field(state, kind, msgspec.to_builtins(entry))
        if reader.bad_notation:
            raise NotationError(found)
        return Ruling(tuple(found))

    def _found_by_field(
        self, state: S, kind: EntryKind[S, Any], value: Any
    ) -> tuple[FieldReader, list[Fault]]:
        """Read an entry field by field; return its reader and all faults, those of rules too."""
        reader = FieldReader("entry", name_fault=partial(_unknown_player, state))
        entry: Any = HalfRead(reader.fields(value, kind.entry))
        broken = rule_faults(state, entry, *kind.rules)
        faults = [*reader.faults, *([_FINISHED] if state.finished else broken)]
        return reader, list(dict.fromkeys(faults))

    def apply(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """The state after `entry` and its lines, item by item; raises `IllegalEntry`."""
        if faults := self.check(state, entry).faults:
            raise IllegalEntry(faults)
        return self.carry_out(state, entry)

    def carry_out(self, state: S, entry: Entry) -> tuple[S, tuple[Line, ...]]:
        """Play an entry known to be legal, as `apply` does, without ruling on it again."""
        kind = self._kinds[type(entry)]
        after, lines = kind.play(replace(state, begun=True) if kind.begins else state, entry)
        return after, tuple(lines)

    def scores_so_far(self, state: S, entry: Entry) -> tuple[Line, ...]:
        """The lines for the hands in an entry that only lacks other hands; empty for any other.

        Empty, too, if its score does not add up by hand. The next deal's stakes are left out.
        """
        faults = self.check(state, entry).faults
        lacks_hands = bool(faults) and all(fault.lacks == "hand" for fault in faults)
        if not lacks_hands or not self._kinds[type(entry)].by_hand:
            return ()
        return tuple(line for line in self.carry_out(state, entry)[1] if not line.opens)

    def end_deal(self, state: S, lines: Sequence[Line]) -> Played[S]:
        """Score `lines`, then end the game, or pass the deal on and begin the next.

        Returns the new state and all lines: also shares of the pools, or the next deal's stakes.
        """
        closing = list[Line]()
        dealer = state.name(state.dealer)
        state = replace(
            scored(state, lines),
            begun=False,
            dealt=state.dealt | {dealer},
            last_dealer=dealer,
        )
        too_few = False
        if out := self.elimination.players_out(state):
            state = without(state, out)
            too_few = self.too_few(state)
        played_out = too_few or self.deals.played_out(state, state.deal)
        if played_out:
            state, closing = self.counters.wind_up(state, state.from_left_of(dealer))
        winners = self.goal.winners(state, played_out=played_out)
        if winners:
            return replace(state, finished=True, winners=winners), [*lines, *closing]
        dealer_next = self.deals.next_dealer(state)
        following = replace(state, deal=state.deal + 1, dealer=dealer_next, deal_of="")
        state, opening = self.deals.begin(following)
        return state, [*lines, *closing, *[replace(line, opens=True) for line in opening]]

    def board(self, state: S) -> Board:
        """What a screen shows of `state`."""
        acts = None if state.finished else self.turns.acts(state)
        plan = self.plan(state.table, state.deal, state.dealer)
        pools = self.counters.pools.items()
        return Board(
            deal=state.deal,
            dealer=state.dealer_name,
            plan=plan,
            says=() if state.finished else self.pad.card(state, plan.says),
            acts=None if acts is None else state.name(acts),
            in_play=tuple(map(state.name, self.turns.in_play(state))),
            standings=self.standings(state),
            pools=tuple((words, state.pools.get(key, 0)) for key, words in pools),
            finished=state.finished,
            winners=tuple(map(state.name, state.winners)),
        )

    def steps_before(self, state: S) -> Sequence[Text]:
        """The steps of the deal before this one, as the player to the right dealt it."""
        if state.deal == 1:
            return ()
        dealer = (state.dealer - 1) % len(state.table.players)
        return self.plan(state.table, state.deal - 1, dealer).says[1:]

    def standings(self, state: S) -> tuple[Standing, ...]:
        """The players best first, equals by seat; then those who have left, in that order."""
        target = self.goal.target(state.table.options)
        best_first = sorted(state.scores, reverse=not self.goal.lowest_wins(state.table.options))
        order = sorted(
            range(len(state.scores)), key=lambda seat: best_first.index(state.scores[seat])
        )
        seated = (
            Standing(
                rank=best_first.index(state.scores[seat]) + 1,
                player=state.name(seat),
                score=state.scores[seat],
                to_go=None if target is None else max(0, target - state.scores[seat]),
            )
            for seat in order
        )
        gone = (Standing(None, one.name, one.score, None, left=True) for one in state.left)
        return (*seated, *gone)


#: Any game, for code that works with all of them, whatever their states and options.
AnyGame: TypeAlias = Game[Any, Any]


_FINISHED = shared_fault(
    "finished", say("The game is over. To play on, undo what was recorded last."), "end"
)


def _unknown_player(state: State[Any], name: str) -> Fault | None:
    """The fault of naming somebody who is not seated; None for players who are."""
    if name in state.table.players:
        return None
    if state.has_left(name):
        says = say("{name} has left. To bring {name} back, record that {name} joins.", name=name)
    else:
        says = say(
            "“{name}” isn’t on this sheet. The players are {players}.",
            name=name,
            players=listed(state.table.players),
        )
    return shared_fault("unknown-player", says, "players")
