"""The arguments of commands, what they print, and how they report errors.

Names of files and messages of other programs may hold anything. Nothing printed here moves the
cursor, colors the screen or reverses a line: invisible characters are written out.
"""

import codecs
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from io import TextIOWrapper
from itertools import takewhile
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click
import msgspec

from referee.ledger.databases import engine_parts, examples
from referee.ledger.disk import writable
from referee.ledger.errors import LedgerError
from referee.progress import reporting_to
from referee.rules.core.ruling import MalformedEntry, RefereeError, shared_fault
from referee.rules.documents import error_document, rule_name
from referee.rules.language import ENGLISH, language, nearest, speaking
from referee.rules.letters import written_out
from referee.rules.text import Text, say, without_marks
from referee.settings import Settings, SettingsError, language_setting, load

#: Environment variables that name a terminal's locale; `LC_CTYPE` does not, as Python sets it by
#: itself.
LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")
UNTRANSLATED = ("C", "POSIX")  # locales
LANGUAGE = "referee.language"  # in a command's context: the tag given by its option, or None
_NEAREST = {"−": "-", "–": "-", "’": "'", "‘": "'", "“": '"', "”": '"', "…": "..."}


# --- what a command is given


def printable(value: str) -> str:
    """An argument of the command line; bytes that are no text become replacement characters."""
    return click.format_filename(value)


def book_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say where the score book is to a command, for `settings_of`."""
    products = " or ".join(part.product for part in engine_parts())
    command = click.option(
        "--database",
        type=printable,
        metavar="URL",
        help=f"A {products} database to keep the book in: {examples()}",
        hidden=not products,
    )(command)
    return click.option(
        "--instance",
        type=click.Path(path_type=Path, file_okay=False),
        help="The folder with the score book and the settings.",
    )(command)


def language_option() -> click.Option:
    """The option of every command for the language of what it prints, for `settings_of`."""
    return click.Option(
        ["--language"],
        metavar="TAG",
        expose_value=False,
        is_eager=True,  # before anything is said
        callback=_keep_language,
        help="The language, such as de or pt-BR.  [default: the terminal’s]",
    )


def _keep_language(context: click.Context, _: click.Parameter, tag: str | None) -> None:
    context.meta[LANGUAGE] = tag and printable(tag)


def settings_of(**given: Any) -> Settings:
    """The settings in force, whose language is spoken from now on; bad ones end the command."""
    try:
        settings = load({**given, "language": click.get_current_context().meta.get(LANGUAGE)})
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    _speak(settings.language)
    return settings


def speak_as_set() -> None:
    """Speak the language of the settings, in a command that needs no score book, or exit with 2."""
    try:
        _speak(language_setting(click.get_current_context().meta.get(LANGUAGE)))
    except SettingsError as error:
        print_line(f"Error: {error}", err=True)
        sys.exit(2)


def _speak(tag: str) -> None:
    """Say everything in this language until the command ends; without a tag, in the terminal’s.

    JSON is for programs: its sentences are in English.
    """
    context = click.get_current_context()
    for_programs = context.params.get("as_json") or context.params.get("lines")
    spoken = ENGLISH if for_programs else tag or _language_of_terminal()
    context.with_resource(speaking(language(spoken)))


def _language_of_terminal() -> str:
    """The tag of the language that the environment asks for; English if it has no catalog.

    As in GNU gettext, a list in `LANGUAGE` goes before the locale, unless that is untranslated.
    """
    locale = next(filter(None, map(os.environ.get, LOCALES)), UNTRANSLATED[0])
    listed = _without_encoding(locale) not in UNTRANSLATED and os.environ.get("LANGUAGE")
    asked = map(_without_encoding, (listed or locale).split(":"))
    wanted = takewhile(lambda one: one not in UNTRANSLATED, asked)
    return next(filter(None, map(nearest, wanted)), ENGLISH)


def _without_encoding(locale: str) -> str:
    return re.split("[.@]", locale)[0]


def input_lines() -> Iterable[bytes]:
    """The lines of standard input; none if it was closed."""
    return () if sys.stdin is None else sys.stdin.buffer


def read_input(file: Path | None) -> bytes:
    """Read `file`, or standard input for None or `-`; raises `MalformedEntry`."""
    try:
        if file is None or str(file) == "-":
            return b"".join(input_lines())
        return file.read_bytes()
    except OSError as error:
        why = error.strerror or str(error)
        if file is None:
            says = say("Standard input can’t be read: {why}.", why=why)
        else:
            named = click.format_filename(file)
            says = say("{file} can’t be read: {why}.", file=named, why=why)
        raise MalformedEntry([shared_fault("no-file", says, "file")]) from None


# --- what it prints


def print_line(text: object, *, err: bool = False) -> None:
    """Print one line, on standard error if `err`."""
    click.echo(written_out(without_marks(str(text))), err=err)


def print_lines(text: str) -> None:
    """Print every line of a text."""
    for line in text.split("\n"):
        print_line(line)


def print_file(content: str) -> None:
    """Print the content of a file: unchanged for another program, harmless on a terminal."""
    if sys.stdout.isatty():
        print_lines(content.replace("\r\n", "\n").removesuffix("\n"))
    else:
        click.echo(content.encode(), nl=False)


def write_file(content: str, output: Path | None, encoding: str = "utf-8") -> None:
    """Write a file; without `output`, print what is in it."""
    if output is None:
        print_file(content)
        return
    with writable(output):
        output.write_bytes(content.encode(encoding))


def print_json(document: Mapping[str, Any]) -> None:
    """Print a document as one line of JSON."""
    click.echo(written_out(msgspec.json.encode(document).decode()).encode())


def fit_encoding(*streams: TextIO) -> None:
    """Let `streams` print the nearest letter, or "?", for letters that their encoding lacks."""
    codecs.register_error("referee-nearest", _nearest)
    for stream in streams:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="referee-nearest")


def _nearest(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end]
    return "".join(_NEAREST.get(letter, "?") for letter in lacking), error.end


def answer_lines(answer: Callable[[bytes], Mapping[str, Any]]) -> None:
    """Print, as JSON, the `answer` to each line of standard input, or why it is refused."""
    for line in input_lines():
        try:
            print_json(answer(line))
        except RefereeError as error:
            print_json(error_document(error))


@contextmanager
def progress(doing: Text, *, prints: bool = False) -> Iterator[None]:
    """Show on a terminal how far the work in this block is; elsewhere show nothing.

    Show nothing either if the work `prints` its results on the same terminal.
    """
    if sys.stderr is None or not sys.stderr.isatty() or (prints and sys.stdout.isatty()):
        yield
        return
    with click.progressbar(length=1, label=str(doing), file=sys.stderr) as bar:

        def show(done: int, of: int) -> None:
            if bar.finished or done < bar.pos:  # the next part of the work
                bar.pos, bar.finished = 0, False
            bar.length = max(of, 1)
            bar.update(done - bar.pos)

        with reporting_to(show):
            yield


# --- errors


@contextmanager
def one_line_errors() -> Iterator[None]:
    """Turn an error into one line and exit 1.

    A `RefereeError` here means that a sheet of the ledger cannot be played through.
    """
    try:
        yield
    except (LedgerError, RefereeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def refuse(error: RefereeError, as_json: bool, code: int, line: int | None = None) -> NoReturn:
    """Print an error, with its `line` in a file of several sheets, and exit with `code`."""
    if as_json:
        print_json(error_document(error))
    else:
        complain(error, line)
    sys.exit(code)


def complain(error: RefereeError, line: int | None = None) -> None:
    """Print what is wrong, with the `line` in a file of several sheets."""
    for fault in error.faults:
        rule = rule_name(fault.game, fault.section)
        says = say("{fault} ({rule})", fault=fault.says, rule=rule)
        if error.entry is not None:
            says = say("Entry {n}: {says}", n=error.entry + 1, says=says)
        print_line(says if line is None else say("Line {n}: {says}", n=line, says=says), err=True)
