"""Entries that every game has, kinds of entries, and entries that could be read only in part.

These last lack whatever was unreadable: a field, an item of a list, a player's value. A rule that
asks for it raises `NotRead` and ends there; the other rules still apply.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

from referee.rules.core.asking import NEW_PLAYER, PLAYER, FieldType, asked, fields_in
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Line, State
from referee.rules.text import say

S = TypeVar("S", bound=State[Any])
E = TypeVar("E", bound="Entry")
T = TypeVar("T")

#: The name of a player of the sheet. Fields, lists and dictionary keys of this type are checked
#: against the sheet's players before any rule of the game.
Player = Annotated[str, Meta(title=PLAYER)]

#: A name that is new on the sheet. Renaming players changes it as it does a `Player`.
NewPlayer = Annotated[str, Meta(title=NEW_PLAYER)]

#: Points, counters and chips: whole numbers of a size people write on paper.
Amount = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Positive = Annotated[int, Meta(ge=1, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]

REASON_LENGTH = 200
Reason = Annotated[str, Meta(max_length=REASON_LENGTH), asked(say("the reason"))]


class Entry(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="action",
):
    """What somebody wrote on the sheet. Each kind is a subclass, identified by `action`."""


class Adjust(Entry, frozen=True, tag="adjust"):
    """A penalty or bonus: `player` gets `points` more, or less where they are negative.

    In games played for counters or chips `to` pays them, or is paid if they are negative.
    """

    player: Annotated[Player, asked(say("who it’s for"))]
    points: Annotated[Amount, asked(say("how much it is"))]
    reason: Reason
    to: Annotated[Player | None, asked(say("who pays it or gets it"))] = None


class Abandon(Entry, frozen=True, tag="abandon"):
    """The deal is void and the same dealer deals again."""

    reason: Reason = ""


class Buy(Entry, frozen=True, tag="buy"):
    """`player` buys `amount` counters from the bank."""

    player: Annotated[Player, asked(say("who buys"))]
    amount: Annotated[Positive, asked(say("how many"))]


class Stop(Entry, frozen=True, tag="stop"):
    """Play ends here; the deal in progress doesn't count."""

    reason: Reason = ""


class Join(Entry, frozen=True, tag="join"):
    """`player` joins, directly to the left of `left_of`, and begins with `points`.

    A player who has left comes back with the score held then; `points` must be left out.
    """

    player: Annotated[NewPlayer, asked(say("who joins"))]
    left_of: Annotated[Player, asked(say("whom they sit to the left of"))]
    points: Annotated[Amount | None, asked(say("what they begin with"))] = None


class Leave(Entry, frozen=True, tag="leave"):
    """`player` leaves the table; the score held then stays in the standings."""

    player: Annotated[Player, asked(say("who leaves"))]


class Replace(Entry, frozen=True, tag="replace"):
    """`by` takes the place of `player`: the seat, the score, and whether they have dealt."""

    player: Annotated[Player, asked(say("whose place is taken"))]
    by: Annotated[NewPlayer, asked(say("who takes the place"))]


class Dealer(Entry, frozen=True, tag="dealer"):
    """`player` deals the deal that is about to begin."""

    player: Annotated[Player, asked(say("who deals"))]


#: The entries of every game.
SHARED = (Adjust, Abandon, Buy, Stop, Join, Leave, Replace, Dealer)


@cache
def _name_fields(kind: type[Entry], *titles: str) -> tuple[str, ...]:
    """The fields of this kind of entry that name players: of text with one of these titles."""

    def named(one: FieldType) -> bool:
        inside = one.keys or one.held
        return inside[0].title in titles if inside else one.title in titles

    return tuple(field.name for field, kinds in fields_in(kind) if any(map(named, kinds)))


def players_named(entry: Entry) -> list[str]:
    """The players of the sheet that `entry` mentions, in the order of its fields, each once."""
    names: list[str] = []
    for field in _name_fields(type(entry), PLAYER):
        value = getattr(entry, field)
        names.extend([value] if isinstance(value, str) else value or ())
    return list(dict.fromkeys(names))


def with_names(entry: Entry, renamed: Mapping[str, str]) -> Entry:
    """`entry` with its players renamed; `renamed` maps old names to new."""
    if not renamed:
        return entry
    changed: dict[str, Any] = {}
    for field in _name_fields(type(entry), PLAYER, NEW_PLAYER):
        value = getattr(entry, field)
        if isinstance(value, str):
            changed[field] = renamed.get(value, value)
        elif isinstance(value, dict):
            changed[field] = {renamed.get(name, name): held for name, held in value.items()}
        elif value is not None:
            changed[field] = [renamed.get(name, name) for name in value]
    return msgspec.structs.replace(entry, **changed)


# --- kinds of entries

#: The state after an entry, and its lines, already counted in the scores.
Played = tuple[S, list[Line]]

Rule = Callable[[S, E], Iterable[Fault]]


class EntryKind(Generic[S, E]):
    """A kind of entry: its type, how it is played, and the rules that find its faults.

    `play` is given entries in which no rule found a fault. It and the rules may assume that the
    players named are on the sheet and that the game is not over. Rules are also asked about entries
    that could be read only in part; players not on the sheet are absent from these too.

    Each player may enter their own part of an entry, unless it is recorded `for_all` by one person.
    With `begins`, an entry of this kind begins the deal. With `by_hand`, its score adds up hand by
    hand: `play` can then score the hands given while others are missing. `total` is the fixed sum
    of everybody's numbers; None if there are none, or it varies.
    """

    total: int | None

    def __init__(  # noqa: PLR0913 - what a kind may have besides its type is named
        self,
        entry: type[E],
        play: Callable[[S, E], Played[S]],
        *rules: Rule[S, E],
        begins: bool = True,
        by_hand: bool = False,
        for_all: bool = False,
        total: int | None = None,
    ) -> None:
        self.entry = entry
        self.play = play
        self.rules = rules
        self.begins = begins
        self.by_hand = by_hand
        self.for_all = for_all
        self.total = total


class NotRead(Exception):
    """A rule asked for a field that could not be read."""


class HalfRead:
    """An entry with its readable fields; any other raises `NotRead`."""

    def __init__(self, fields: Mapping[str, Any]) -> None:
        self._fields = fields

    def __getattr__(self, name: str) -> Any:
        try:
            return self._fields[name]
        except KeyError:
            raise NotRead(name) from None


class SomeByPlayer(dict[str, Any]):
    """The readable values by player, of which others were unreadable.

    Every player given a value is `in` it; asking for an unreadable value raises `NotRead`.
    """

    def __init__(self, read: Mapping[str, Any], unread: Iterable[str]) -> None:
        super().__init__(read)
        self._named = {*read, *unread}

    def __contains__(self, player: object) -> bool:
        return player in self._named

    def __missing__(self, player: str) -> Any:
        raise NotRead(player)

    def __bool__(self) -> bool:
        return True


class SomeOfAList(list[Any]):
    """The readable values of a list, of which others were unreadable."""

    def __bool__(self) -> bool:
        return True


def all_read(values: Collection[Any]) -> bool:
    """Whether all values of a field could be read, so that they can be checked together."""
    return not isinstance(values, SomeByPlayer | SomeOfAList)


def if_read(ask: Callable[[], T]) -> T | None:
    """What `ask` returns, or None if it asks for a field that could not be read."""
    with suppress(NotRead):
        return ask()
    return None


def rule_faults(state: S, entry: E, *rules: Rule[S, E]) -> Iterator[Fault]:
    """The faults that the `rules` find in what could be read of the entry."""
    for rule in rules:
        with suppress(NotRead):
            yield from rule(state, entry)
