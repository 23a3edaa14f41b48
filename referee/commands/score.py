"""Scoring a sheet file: `referee score`; and the schema of such files: `referee schema`."""

from pathlib import Path

import click
import msgspec

from referee.commands import console
from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.text import listed, number, say, say_many, without_marks
from referee.sheets.files import Course, play_through, read_sheet, result
from referee.sheets.schema import sheet_schema


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
@click.option("--lines", is_flag=True, help="Read one sheet per line, print one result per line.")
def score(file: Path | None, as_json: bool, lines: bool) -> None:
    """Score the sheet in FILE (`-` is standard input).

    Exit 0; 1 if something on it breaks a rule; 2 if it can't be read as a sheet.
    """
    console.speak_as_set()
    if lines:
        console.answer_lines(lambda line: result(_played(line)))
        return
    try:
        course = _played(console.read_input(file))
    except RefereeError as error:
        console.refuse(error, as_json, 1 if isinstance(error, IllegalEntry) else 2)
    if as_json:
        console.print_json(result(course))
    else:
        _print_standings(course)


@click.command()
def schema() -> None:
    """Print the JSON Schema (draft 2020-12) of a sheet file, all games in it.

    It covers the format of a file; `referee score` checks the rules as well.
    """
    text = msgspec.json.format(msgspec.json.encode(sheet_schema()), indent=2)
    console.print_file(text.decode() + "\n")


def _played(text: bytes) -> Course:
    sheet = read_sheet(text)
    return play_through(sheet.game, sheet.table, sheet.entries)


def _print_standings(course: Course) -> None:
    board = course.game.board(course.state)
    game, entries = course.game.title, len(course.steps)
    if board.finished:
        heading = say_many(
            "{game}: over after {n} entry",
            "{game}: over after {n} entries",
            n=entries,
            game=game,
        )
    else:
        heading = say_many(
            "{game}: deal {deal}, {dealer} deals, {n} entry so far",
            "{game}: deal {deal}, {dealer} deals, {n} entries so far",
            n=entries,
            game=game,
            deal=board.deal,
            dealer=board.dealer,
        )
    console.print_line(heading)
    width = max(len(standing.player) for standing in board.standings)
    lowest = course.game.goal.lowest_wins(course.state.table.options)
    for one in board.standings:
        rank = "    " if one.rank is None else f"{one.rank:>3}."
        line = f"{rank} {one.player:<{width}} {without_marks(number(one.score)):>6}"
        if one.left:
            line += f"  {say('left')}"
        elif one.to_go:
            n = one.to_go
            line += f"  {say('{n} from the end', n=n) if lowest else say('{n} to go', n=n)}"
        console.print_line(line)
    for name, amount in board.pools:
        console.print_line(f"     {name}: {number(amount)}")
    if board.winners:
        players, n = listed(board.winners), len(board.winners)
        console.print_line(say_many("{players} wins.", "{players} win.", n=n, players=players))
