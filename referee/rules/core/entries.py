"""The entries that every game has, and how an entry's fields name the players they are about."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeAlias

import msgspec
from msgspec import Meta, inspect

from referee.rules.core.asking import NEW_PLAYER, PLAYER, called, struct_of, types_of
from referee.rules.text import say

#: The name of a player of the sheet. Fields, lists and dictionary keys of this type are checked
#: against the sheet's players before a game sees the entry.
Player = Annotated[str, Meta(title=PLAYER)]

#: A name that is new on the sheet. It follows a change of names as a `Player` does.
NewPlayer = Annotated[str, Meta(title=NEW_PLAYER)]

#: Points, counters and chips: whole numbers of a size people write on paper.
Amount = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Positive = Annotated[int, Meta(ge=1, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]

Reason = Annotated[str, Meta(max_length=200), called(say("the reason"))]

HowMany: TypeAlias = Literal["one", "many"]


class Entry(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="action",
):
    """What somebody wrote on the sheet. Each kind is a subclass, told apart by `action`."""


class Adjust(Entry, frozen=True, tag="adjust"):
    """A penalty or bonus: `player` gets `points` more, or less where they are negative.

    In games played for counters `to` pays them, or is paid them.
    """

    player: Annotated[Player, called(say("who it’s for"))]
    points: Annotated[Amount, called(say("how much it is"))]
    reason: Reason
    to: Annotated[Player | None, called(say("who pays it or gets it"))] = None


class Abandon(Entry, frozen=True, tag="abandon"):
    """The deal is void and the same dealer deals again."""

    reason: Reason = ""


class Buy(Entry, frozen=True, tag="buy"):
    """`player` buys `amount` counters from the bank."""

    player: Annotated[Player, called(say("who buys"))]
    amount: Annotated[Positive, called(say("how many"))]


class Stop(Entry, frozen=True, tag="stop"):
    """Play ends here; the deal in progress doesn't count."""

    reason: Reason = ""


class Join(Entry, frozen=True, tag="join"):
    """`player` sits down directly to the left of `left_of`, with so many `points` to begin with.

    One who has left comes back with the score held then, and without `points`.
    """

    player: Annotated[NewPlayer, called(say("who joins"))]
    left_of: Annotated[Player, called(say("who sits on their right"))]
    points: Annotated[Amount | None, called(say("what they begin with"))] = None


class Leave(Entry, frozen=True, tag="leave"):
    """`player` leaves the table, and keeps the score held then."""

    player: Annotated[Player, called(say("who leaves"))]


class Replace(Entry, frozen=True, tag="replace"):
    """`by` takes over the seat and the score of `player`, and what that player has dealt."""

    player: Annotated[Player, called(say("whose place is taken"))]
    by: Annotated[NewPlayer, called(say("who takes the place"))]


class Dealer(Entry, frozen=True, tag="dealer"):
    """`player` deals the deal that is about to begin."""

    player: Annotated[Player, called(say("who deals"))]


#: The kinds that are no game's own.
SHARED = (Adjust, Abandon, Buy, Stop, Join, Leave, Replace, Dealer)


@cache
def _name_fields(kind: type[Entry], new: bool) -> tuple[tuple[str, HowMany], ...]:
    """The fields of this kind of entry that name players, each with how many it names.

    With `new`, those for new players too.
    """
    titles = (PLAYER, NEW_PLAYER) if new else (PLAYER,)
    found = ((field.name, _players_in(field.type, titles)) for field in struct_of(kind).fields)
    return tuple((name, many) for name, many in found if many is not None)


def _players_in(wanted: inspect.Type, titles: Collection[str]) -> HowMany | None:
    """How many players a field of this type names; None where it names none."""
    for kind in types_of(wanted):
        match kind.plain:
            case inspect.DictType(key_type=each) | inspect.ListType(item_type=each):
                return "many" if types_of(each)[0].title in titles else None
        if kind.title in titles:
            return "one"
    return None


def players_named(entry: Entry) -> list[str]:
    """Every player of the sheet that `entry` mentions, in the order of its fields, each once.

    Names that are new on the sheet are left out.
    """
    names: list[str] = []
    for field, how_many in _name_fields(type(entry), new=False):
        value = getattr(entry, field)
        if value is None:
            continue
        names.extend([value] if how_many == "one" else value)
    return list(dict.fromkeys(names))


def with_names(entry: Entry, renames: Sequence[Mapping[str, str]]) -> Entry:
    """`entry` with its players called by other names: each of `renames` maps old names to new.

    They are gone through in order, so that a name may change more than once.
    """
    if not renames:
        return entry

    def now(name: str) -> str:
        for renamed in renames:
            name = renamed.get(name, name)
        return name

    changed: dict[str, Any] = {}
    for field, how_many in _name_fields(type(entry), new=True):
        value = getattr(entry, field)
        if value is None:
            continue
        if how_many == "one":
            changed[field] = now(value)
        elif isinstance(value, dict):
            changed[field] = {now(name): held for name, held in value.items()}
        else:
            changed[field] = [now(name) for name in value]
    return msgspec.structs.replace(entry, **changed)
