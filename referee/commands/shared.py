"""What the commands have in common: where the book lies, reading files, saying what is wrong."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import click
import msgspec

from referee.ledger.errors import LedgerError
from referee.rules.core.ruling import MalformedEntry, RefereeError, shared_fault
from referee.rules.documents import error_document, rule_name
from referee.rules.text import say
from referee.settings import Settings, SettingsError, load


def printable(value: str) -> str:
    """An argument of the command line; bytes that are no text become replacement characters.

    Left as they come, they could be neither printed as JSON nor looked up in the ledger.
    """
    return click.format_filename(value)


def instance_option(command: Callable[..., None]) -> Callable[..., None]:
    """Let a command be told where the database and the settings are."""
    return click.option(
        "--instance",
        type=click.Path(path_type=Path, file_okay=False),
        help="The folder of the database and settings.",
    )(command)


def settings_of(instance: Path | None, **given: Any) -> Settings:
    """The settings in force; where one cannot be used the command ends, with one line."""
    try:
        return load({"instance": instance, **given})
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn what cannot be done into the command line's way of saying so: one line, exit 1.

    A `RefereeError` ends up here where a sheet of the ledger cannot be played through, because
    it was written when the program or its rules were others.
    """
    try:
        yield
    except (LedgerError, RefereeError, OSError) as error:
        raise click.ClickException(click.format_filename(str(error))) from error


def read_input(file: Path | None) -> bytes:
    """What is in `file`, or on standard input; raises `MalformedEntry`."""
    try:
        if file is None or str(file) == "-":
            return b"" if sys.stdin is None else sys.stdin.buffer.read()
        return file.read_bytes()
    except OSError as error:
        named = say("Standard input") if file is None else click.format_filename(file)
        says = say("{file} cannot be read: {why}.", file=named, why=str(error.strerror))
        raise MalformedEntry([shared_fault("no-file", says, "file")]) from None


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document as one line of JSON."""
    click.echo(msgspec.json.encode(document))


def refuse(error: RefereeError, as_json: bool, code: int, where: str = "") -> NoReturn:
    """Say what is wrong, and `where`, and leave with exit code `code`."""
    if as_json:
        print_json(error_document(error))
    else:
        entry = "" if error.entry is None else f"Entry {error.entry + 1}: "
        for fault in error.faults:
            rule = rule_name(fault.game, fault.section)
            click.echo(f"{where}{entry}{fault.message} ({rule})", err=True)
    sys.exit(code)
