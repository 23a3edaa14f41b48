"""Open the database of a ledger by its place: a file, or an address that an extra can open."""

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
    """Examples of addresses that can be opened, "" if there are none."""
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
    """The message for an address that nothing here can open, without quoting it."""
    if examples():
        return say("its address should look like {example}", example=examples())
    return say("nothing that is installed here opens such an address")


def shown(place: Place) -> str:
    """A book's place for messages: an address is shown without its password and parameters.

    Only for an address that could be opened: in another the password may be hard to find.
    """
    if isinstance(place, Path):
        return str(place)
    return _PASSWORD.sub(r"\1@", place).partition("?")[0]
