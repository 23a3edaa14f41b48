"""The command line: serve, rule and score; the commands that keep the book are beside it.

Exit 0 where all is well, 1 where a rule is broken or a command could not be carried out, 2 where
the input cannot be read.
"""

import io
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import click
import msgspec
from click_default_group import DefaultGroup

from referee import __version__
from referee.commands.files import export, import_
from referee.commands.keeping import backup, restore, verify
from referee.commands.reading import read
from referee.commands.shared import (
    instance_option,
    one_line_errors,
    print_json,
    printable,
    read_input,
    refuse,
    settings_of,
)
from referee.rules.decoding import SHARED_RULES
from referee.rules.game import Game
from referee.rules.judge import Judge
from referee.rules.registry import GAMES
from referee.rules.ruling import Fault, IllegalEntry, MalformedEntry, RefereeError, Ruling
from referee.rules.spread import Spread
from referee.sheets.files import Course, error_document, play_through, read_sheet, result

JSON_HELP = "Print JSON instead of sentences."
ASKING_RULE = f"{SHARED_RULES}, asking the referee"


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
@instance_option
def serve(
    host: str | None, port: int | None, public_url: str | None, instance: Path | None
) -> None:
    """Serve the score sheets to the phones in the house."""
    # The other commands start faster without the pages.
    from referee.web.serving import serve_forever  # noqa: PLC0415

    settings = settings_of(instance, host=host, port=port, public_url=public_url)
    with one_line_errors():
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
        refuse(error, as_json, 2)
    if as_json:
        print_json(ruling.document())
    else:
        _print_ruling(asked_judge, ruling, asked_judge.lay_out(question))
        advice = None if ruling.legal else asked_judge.advise(question)
        if advice is not None:
            click.echo(f"{advice.says}:" if advice.spreads else advice.says)
            _print_cards(advice.spreads)
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


def _print_ruling(judge: Judge[Any], ruling: Ruling, spreads: Iterable[Spread]) -> None:
    if judge.yes_or_no:
        click.echo("Legal." if ruling.legal else "Not legal.")
    for sentence in ruling.says:
        click.echo(sentence)
    _print_cards(spreads)
    for fault in ruling.faults:
        click.echo(f"{fault.message} ({fault.rule})")


def _print_cards(spreads: Iterable[Spread]) -> None:
    for spread in spreads:
        click.echo(f"  {spread}")


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
        course = _played(read_input(file))
    except RefereeError as error:
        refuse(error, as_json, 1 if isinstance(error, IllegalEntry) else 2)
    if as_json:
        print_json(result(course))
    else:
        _print_standings(course)


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


def _answer_lines(answer: Callable[[bytes], dict[str, Any]]) -> None:
    out = sys.stdout.buffer
    for line in sys.stdin.buffer if sys.stdin is not None else ():
        try:
            document = answer(line)
        except RefereeError as error:
            document = error_document(error)
        out.write(msgspec.json.encode(document) + b"\n")
    out.flush()


for command in (import_, export, backup, restore, verify, read):
    main.add_command(command)
