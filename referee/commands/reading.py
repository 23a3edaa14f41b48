"""What a command is given: its arguments, where the score book lies, what is in a file."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from referee.commands.console import print_line
from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.text import language, say, speaking
from referee.settings import Settings, SettingsError, language_alone, load


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
        help="The folder with the score book and the settings.",
    )(command)


def settings_of(instance: Path | None, **given: Any) -> Settings:
    """The settings in force, whose language the command speaks from now on.

    Where one cannot be used the command ends, with one line.
    """
    try:
        settings = load({"instance": instance, **given})
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    _speak(settings.language)
    return settings


def speak_as_set() -> None:
    """Let a command that needs no score book speak the language of the settings.

    Where that cannot be spoken the command ends with exit 2: nothing was asked or scored.
    """
    try:
        _speak(language_alone())
    except SettingsError as error:
        print_line(f"Error: {error}", err=True)
        sys.exit(2)


def _speak(tag: str) -> None:
    """Say everything in this language until the command ends."""
    click.get_current_context().with_resource(speaking(language(tag)))


def read_input(file: Path | None) -> bytes:
    """What is in `file`, or on standard input; raises `MalformedEntry`."""
    try:
        if file is None or str(file) == "-":
            return b"" if sys.stdin is None else sys.stdin.buffer.read()
        return file.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        if file is None:
            says = say("Standard input can’t be read: {why}.", why=why)
        else:
            named = click.format_filename(file)
            says = say("{file} can’t be read: {why}.", file=named, why=why)
        raise MalformedEntry([shared_fault("no-file", says, "file")]) from None
