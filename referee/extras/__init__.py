"""The extras: each folder here is one, holds all of itself, and can be deleted.

A room of the base says by a type, its part, what an extra may add there. The extra has that part as
`PART` in its module of the room's name. So the base imports this finder and nothing behind it.
"""

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import TypeVar

Part = TypeVar("Part")


@cache
def names() -> tuple[str, ...]:
    """The names of the extras that are here."""
    return tuple(sorted(found.name for found in iter_modules(__path__) if found.ispkg))


def folders(room: str) -> dict[str, Path]:
    """The folders for `room`, by the name of their extra."""
    found = {name: Path(__path__[0], name, room) for name in names()}
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def parts(room: str, kind: type[Part]) -> Iterator[Part]:
    """Yield what extras add to `room`; raises `TypeError` for a part of another kind."""
    for name in names():
        module = f"{__name__}.{name}.{room}"
        if find_spec(module) is None:
            continue
        part = import_module(module).PART
        if not isinstance(part, kind):
            raise TypeError(f"{module}.PART should be a {kind.__name__}")
        yield part
