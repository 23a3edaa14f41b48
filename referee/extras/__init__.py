"""Find the extras: each folder here is one, is self-contained, and can be deleted.

A package of the base declares, as a type, what an extra may add to it. The extra has an instance of
that, `PART`, in its module of the package's name. So the base imports only this module.
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
    """The names of the installed extras."""
    return tuple(sorted(found.name for found in iter_modules(__path__) if found.ispkg))


def folders(room: str) -> dict[str, Path]:
    """The extras' folders for `room`, by the name of the extra."""
    found = {name: Path(__path__[0], name, room) for name in names()}
    return {name: folder for name, folder in found.items() if folder.is_dir()}


def parts(room: str, kind: type[Part]) -> Iterator[Part]:
    """Yield what extras add to `room`; raises `TypeError` for a value of another type."""
    for name in names():
        module = f"{__name__}.{name}.{room}"
        if find_spec(module) is None:
            continue
        part = import_module(module).PART
        if not isinstance(part, kind):
            raise TypeError(f"{module}.PART should be a {kind.__name__}")
        yield part
