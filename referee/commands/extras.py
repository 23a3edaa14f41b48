"""What an extra may add to the commands."""

from collections.abc import Callable, Iterator

import click
from msgspec import Struct

from referee.rules.text import Text
from referee.sheets.book import Book


class Commands(Struct, frozen=True):
    """Commands beside those of the base; `faults` finds what else is wrong with a book."""

    commands: tuple[click.Command, ...] = ()
    faults: Callable[[Book], Iterator[Text]] | None = None
