"""The entries that every game has, and how an entry's fields name the players they are about."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta

#: The name of a player of the sheet. Fields, lists and dictionary keys of this type are checked
#: against the sheet's players before a game sees the entry.
Player = Annotated[str, Meta(title="player")]

#: Points, counters and chips: whole numbers of a size people write on paper.
Amount = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]
Positive = Annotated[int, Meta(ge=1, le=1_000_000)]
Count = Annotated[int, Meta(ge=0, le=1_000_000)]

Reason = Annotated[str, Meta(max_length=200)]


class Entry(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="action",
):
    """What somebody wrote on the sheet. Each kind is a subclass, told apart by `action`."""


class Adjust(Entry, frozen=True, tag="adjust"):
    """A penalty or bonus of `points` for `player`; in the counter games paid by `to`."""

    player: Player
    points: Amount
    reason: Reason
    to: Player | None = None


class Abandon(Entry, frozen=True, tag="abandon"):
    """The deal is void and the same dealer deals again."""

    reason: Reason = ""


class Buy(Entry, frozen=True, tag="buy"):
    """`player` buys `amount` counters from the bank."""

    player: Player
    amount: Positive


def _names_players(hint: Any) -> bool:
    if get_origin(hint) is Annotated:
        return any(isinstance(meta, Meta) and meta.title == "player" for meta in get_args(hint)[1:])
    return False


@cache
def _player_fields(kind: type[Entry]) -> tuple[tuple[str, Literal["one", "many"]], ...]:
    fields: list[tuple[str, Literal["one", "many"]]] = []
    for name, hint in get_type_hints(kind, include_extras=True).items():
        inner = get_args(hint)
        if _names_players(hint) or (
            get_origin(hint) is not Annotated
            and any(_names_players(arg) and get_origin(hint) not in (dict, list) for arg in inner)
        ):
            fields.append((name, "one"))
        elif get_origin(hint) in (dict, list) and _names_players(inner[0]):
            fields.append((name, "many"))
    return tuple(fields)


def players_named(entry: Entry) -> list[str]:
    """Every player name that `entry` mentions, in the order of its fields, each once."""
    names: list[str] = []
    for field, how_many in _player_fields(type(entry)):
        value = getattr(entry, field)
        if value is None:
            continue
        names.extend([value] if how_many == "one" else value)
    return list(dict.fromkeys(names))


def with_names(entry: Entry, renames: Sequence[Mapping[str, str]]) -> Entry:
    """`entry` with its players called by other names: each of `renames` maps old names to new."""
    if not renames:
        return entry

    def now(name: str) -> str:
        for renamed in renames:
            name = renamed.get(name, name)
        return name

    changed: dict[str, Any] = {}
    for field, how_many in _player_fields(type(entry)):
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
