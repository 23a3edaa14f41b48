"""The form of a sheet file, for programs that read or write one: `referee schema`."""

import click
import msgspec

from referee.commands.console import print_file
from referee.sheets.schema import sheet_schema


@click.command()
def schema() -> None:
    """Print the JSON Schema (draft 2020-12) of a sheet file, all games in it.

    It covers the format of a file; `referee score` checks the rules as well.
    """
    text = msgspec.json.format(msgspec.json.encode(sheet_schema()), indent=2)
    print_file(text.decode() + "\n")
