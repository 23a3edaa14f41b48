"""The command line: serve, rule, score, export, import (`sheet-format.md`).

Exit 0 where all is well, 1 where a rule is broken or a command could not be carried out, 2 where
the input cannot be read.
"""

import io
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
from click_default_group import DefaultGroup

from referee import __version__
from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger, Link
from referee.rules.decoding import SHARED_RULES
from referee.rules.game import Game
from referee.rules.judge import Judge
from referee.rules.registry import GAMES
from referee.rules.ruling import Fault, IllegalEntry, MalformedEntry, RefereeError, Ruling
from referee.settings import Settings, SettingsError, load
from referee.sheets.book import Book
from referee.sheets.files import (
    FILE_RULE,
    Course,
    error_document,
    play_through,
    read_sheet,
    result,
)

JSON_HELP = "Print JSON instead of sentences."
ASKING_RULE = f"{SHARED_RULES}, asking the referee"


def printable(value: str) -> str:
    """An argument of the command line; bytes that are no text become replacement characters.

    Left as they come, they could be neither printed as JSON nor looked up in the ledger.
    """
    return click.format_filename(value)


@click.group(cls=DefaultGroup, default="serve", default_if_no_args=True)
@click.version_option(__version__, prog_name="referee")
def main() -> None:
    """Referee: the score sheet that lies beside a real deck of cards.

    Without a command it serves: open the printed address on any phone in the house.

    \b
    Try:  referee check multiple-9 discard cards="8 4 4 A A"
    """  # noqa: D301 - click reads the backspace that \b is
    if isinstance(sys.stdout, io.TextIOWrapper):  # a terminal may lack “ or ♠, or the QR code
        sys.stdout.reconfigure(errors="replace")


# --- serving


def _instance_option(command: Callable[..., None]) -> Callable[..., None]:
    return click.option(
        "--instance",
        type=click.Path(path_type=Path, file_okay=False),
        help="The folder of the database and settings.",
    )(command)


@main.command()
@click.option(
    "--host",
    type=printable,
    metavar="ADDRESS",
    help="The address to listen on.  [default: 0.0.0.0, every interface]",
)
@click.option("--port", type=click.IntRange(0, 65535), help="The port.  [default: 9999]")
@click.option(
    "--public-url",
    type=printable,
    metavar="URL",
    help="The address other phones use, where it is another one.",
)
@_instance_option
def serve(
    host: str | None, port: int | None, public_url: str | None, instance: Path | None
) -> None:
    """Serve the score sheets to the phones in the house."""
    # The other commands start faster without the pages.
    from referee.web.serving import serve_forever  # noqa: PLC0415

    settings = _settings(instance, host=host, port=port, public_url=public_url)
    with _one_line_errors():
        serve_forever(settings, click.echo)


# --- rulings


@main.command()
@click.argument("game", required=False, type=printable)
@click.argument("judge", required=False, type=printable)
@click.argument("fields", nargs=-1, type=printable, metavar="[FIELD=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@click.option("--lines", is_flag=True, help="Read one JSON object of fields a line from input.")
def check(
    game: str | None, judge: str | None, fields: tuple[str, ...], as_json: bool, lines: bool
) -> None:
    """Ask a judge one question: is that legal?

    Alone it lists the games, their judges and the fields of each. Exit 0 legal, 1 not legal,
    2 not readable.

    \b
    referee check multiple-9 discard cards="8 4 4 A A"
    referee check red-nines-1881 payment plain=3 red_nines=1 out_on_red_nine=true
    """  # noqa: D301 - as above
    try:
        if game is None:
            _list_judges(GAMES.values())
            return
        asked = _known(GAMES, game, "game")
        if judge is None:
            _list_judges([asked])
            return
        asked_judge: Judge[Any] = _known(asked.judges, judge, f"judge of {asked.title}")
        if lines:
            _answer_lines(lambda line: asked_judge.answer(_line_fields(line)).document())
            return
        question = _fields(fields)
        ruling = asked_judge.answer(question)
    except RefereeError as error:
        _refuse(error, as_json, 2)
    if as_json:
        _print_json(ruling.document())
    else:
        _print_ruling(asked_judge, ruling)
        if not ruling.legal:
            for sentence in asked_judge.advise(question):
                click.echo(sentence)
    sys.exit(0 if ruling.legal else 1)


def _known(among: Mapping[str, Any], name: str, what: str) -> Any:
    if name not in among:
        message = f"“{name}” is no {what}. There are: {', '.join(among)}."
        raise MalformedEntry([Fault("unknown-name", message, ASKING_RULE)])
    return among[name]


def _fields(texts: Iterable[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    faults = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            message = f"“{text}” is no field: write {name}=…"
            faults.append(Fault("no-field", message, ASKING_RULE))
        elif name in fields:
            faults.append(Fault("field-twice", f"“{name}” is given twice.", ASKING_RULE))
        fields[name] = value
    if faults:
        raise MalformedEntry(faults)
    return fields


def _line_fields(line: bytes) -> dict[str, Any]:
    try:
        return msgspec.json.decode(line, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        message = f"This line is no JSON object of fields: {error}."
        raise MalformedEntry([Fault("not-json", message, ASKING_RULE)]) from None


def _list_judges(games: Iterable[Game[Any, Any]]) -> None:
    for game in games:
        click.echo(f"{game.slug}  ({game.title})")
        for judge in game.judges.values():
            fields = [
                field.name if field.required else f"[{field.name}]"
                for field in msgspec.structs.fields(judge.question)
            ]
            click.echo(f"  {judge.name}: {' '.join(fields)}")
            click.echo(f"      {judge.title}")


def _print_ruling(judge: Judge[Any], ruling: Ruling) -> None:
    if judge.yes_or_no:
        click.echo("Legal." if ruling.legal else "Not legal.")
    for sentence in ruling.says:
        click.echo(sentence)
    for fault in ruling.faults:
        click.echo(f"{fault.message} ({fault.rule})")


# --- sheets in files


@main.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help=JSON_HELP)
@click.option("--lines", is_flag=True, help="Read one sheet a line from input, print one result.")
def score(file: Path | None, as_json: bool, lines: bool) -> None:
    """Score the sheet in FILE (`-` is standard input).

    Exit 0; 1 where an entry breaks a rule; 2 where it cannot be read as a sheet.
    """
    if lines:
        _answer_lines(lambda line: result(_played(line)))
        return
    try:
        course = _played(_read(file))
    except RefereeError as error:
        _refuse(error, as_json, 1 if isinstance(error, IllegalEntry) else 2)
    if as_json:
        _print_json(result(course))
    else:
        _print_standings(course)


@main.command(name="import")
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@_instance_option
def import_(file: Path, instance: Path | None) -> None:
    """Keep the sheet in FILE (`-` is standard input) and print the link that opens it."""
    settings = _settings(instance)
    with _one_line_errors():
        book = Book(Ledger(settings.database))
        try:
            link = book.take_in(read_sheet(_read(file)))
        except RefereeError as error:
            _refuse(error, False, 1 if isinstance(error, IllegalEntry) else 2)
    click.echo(
        f"Kept as sheet {link.sheet}. Its host link, while `referee` is serving: /s/{link.token}"
    )


@main.command()
@click.argument("sheet", required=False, type=printable)
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to this file.")
@_instance_option
def export(sheet: str | None, output: Path | None, instance: Path | None) -> None:
    """Print a sheet as a file, with its history.

    SHEET is its number, its link, or the last part of its link. Without it, the sheets are listed.
    """
    settings = _settings(instance)
    with _one_line_errors():
        book = Book(Ledger(settings.database))
        if sheet is None:
            _list_sheets(book)
            return
        link = _find_sheet(book, sheet)
        if link is None:
            raise click.ClickException(f"There is no sheet “{sheet}”. `referee export` lists them.")
        text = msgspec.json.format(msgspec.json.encode(book.export(book.open(link))), indent=1)
    try:
        if output is None:
            click.echo(text)
        else:
            output.write_bytes(text + b"\n")
    except OSError as error:
        raise click.ClickException(f"{output} cannot be written: {error.strerror}.") from error


def _list_sheets(book: Book) -> None:
    for link in book.all_links():
        try:
            sheet = book.open(link)
        except RefereeError as error:
            click.echo(f"{link.sheet:>4}  cannot be opened: {error}")
            continue
        names = ", ".join(sheet.head.players)
        click.echo(f"{link.sheet:>4}  {sheet.begun[:10]}  {sheet.game.title}: {names}")


def _find_sheet(book: Book, named: str) -> Link | None:
    if named.isascii() and named.isdecimal():
        wanted = named.lstrip("0")
        return next((link for link in book.all_links() if str(link.sheet) == wanted), None)
    return book.find(named.rstrip("/").rsplit("/", 1)[-1])


def _read(file: Path | None) -> bytes:
    try:
        if file is None or str(file) == "-":
            return b"" if sys.stdin is None else sys.stdin.buffer.read()
        return file.read_bytes()
    except OSError as error:
        named = "Standard input" if file is None else click.format_filename(file)
        message = f"{named} cannot be read: {error.strerror}."
        raise MalformedEntry([Fault("no-file", message, FILE_RULE)]) from None


def _played(text: bytes) -> Course:
    sheet = read_sheet(text)
    return play_through(sheet.game, sheet.table, sheet.entries)


def _print_standings(course: Course) -> None:
    board = course.game.board(course.state)
    where = "over" if board.finished else f"deal {board.deal}, {board.dealer} deals"
    click.echo(f"{course.game.title}: {where}, {len(course.steps)} entries")
    width = max(len(standing.player) for standing in board.standings)
    for standing in board.standings:
        to_go = f"  {standing.to_go} to go" if standing.to_go else ""
        click.echo(f"{standing.rank:>3}. {standing.player:<{width}} {standing.score:>6}{to_go}")
    for name, amount in board.pools:
        click.echo(f"     {name}: {amount}")
    if board.winners:
        click.echo(f"{' and '.join(board.winners)} {'wins' if len(board.winners) == 1 else 'win'}.")


# --- shared


def _settings(instance: Path | None, **given: Any) -> Settings:
    try:
        return load({"instance": instance, **given})
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


@contextmanager
def _one_line_errors() -> Iterator[None]:
    """Turn what cannot be done into the command line's way of saying so: one line, exit 1.

    A `RefereeError` ends up here where a sheet of the ledger cannot be played through, because
    it was written when the program or its rules were others.
    """
    try:
        yield
    except (LedgerError, RefereeError, OSError) as error:
        raise click.ClickException(str(error)) from error


def _answer_lines(answer: Callable[[bytes], dict[str, Any]]) -> None:
    out = sys.stdout.buffer
    for line in sys.stdin.buffer if sys.stdin is not None else ():
        try:
            document = answer(line)
        except RefereeError as error:
            document = error_document(error)
        out.write(msgspec.json.encode(document) + b"\n")
    out.flush()


def _print_json(document: Mapping[str, Any]) -> None:
    click.echo(msgspec.json.encode(document))


def _refuse(error: RefereeError, as_json: bool, code: int) -> None:
    """Say what is wrong and leave with exit code `code`."""
    if as_json:
        _print_json(error_document(error))
    else:
        where = "" if error.entry is None else f"Entry {error.entry + 1}: "
        for fault in error.faults:
            click.echo(f"{where}{fault.message} ({fault.rule})", err=True)
    sys.exit(code)
