"""What an extra may add to the commands."""

import click
from msgspec import Struct


class Commands(Struct, frozen=True):
    """Commands beside those of the base."""

    commands: tuple[click.Command, ...]
