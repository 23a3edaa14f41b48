"""A database that keeps a ledger, by its place: a file, or an address that an extra opens."""

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

from msgspec import Struct

from referee.extras import parts
from referee.ledger.engine import Engine, Place
from referee.ledger.errors import UnavailableError
from referee.ledger.sqlite import SQLiteEngine
from referee.rules.text import Text, say

_PASSWORD = re.compile(r"(?<=//)([^/@:]*):[^/@]*@")


class EnginePart(Struct, frozen=True):
    """A kind of database that an extra opens, instead of a book in a file.

    Addresses of such a `product` begin with one of its `schemes`, and look like the `example`. Its
    own `tools` make backups. `open` makes the tables that are missing; it raises a `LedgerError`.
    """

    product: str
    schemes: tuple[str, ...]
    example: str
    tools: Text
    open: Callable[[str], Engine]


@cache
def engine_parts() -> tuple[EnginePart, ...]:
    """The kinds of databases that can be opened by an address."""
    return tuple(parts("engine", EnginePart))


def part_of(place: Place) -> EnginePart | None:
    """The kind of database that has this address; None for a file and an unknown address."""
    if isinstance(place, Path):
        return None
    return next((part for part in engine_parts() if place.startswith(part.schemes)), None)


def examples() -> str:
    """What addresses of databases look like, "" if none can be opened."""
    return ", ".join(part.example for part in engine_parts())


def open_engine(place: Place) -> Engine:
    """The database at `place`, made and brought up to date; raises a `LedgerError`."""
    if isinstance(place, Path):
        return SQLiteEngine(place)
    part = part_of(place)
    if part is None:
        raise UnavailableError(say("The book can’t be opened: {why}.", why=why_not_opened()))
    return part.open(place)


def why_not_opened() -> Text:
    """What is wrong with an address that nothing here can open, which may hold a password."""
    if examples():
        return say("its address should look like {example}", example=examples())
    return say("nothing that is installed here opens such an address")


def shown(place: Place) -> str:
    """Where a book is, as people are told: an address without its password and parameters.

    One that could be opened: another may have a password that isn’t read as it is meant.
    """
    if isinstance(place, Path):
        return str(place)
    return _PASSWORD.sub(r"\1@", place).partition("?")[0]
