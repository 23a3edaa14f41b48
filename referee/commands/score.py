"""The sheet in a file, scored: `referee score`."""

from pathlib import Path

import click

from referee.commands.console import print_json, print_line, refuse
from referee.commands.lines import answer_lines
from referee.commands.reading import read_input, speak_as_set
from referee.rules.core.ruling import IllegalEntry, RefereeError
from referee.rules.core.table import Board, Standing
from referee.rules.text import Text, listed, number, say, say_many
from referee.sheets.files import Course, play_through, read_sheet, result


@click.command()
@click.argument("file", required=False, type=click.Path(path_type=Path, allow_dash=True))
@click.option("--json", "as_json", is_flag=True, help="Print JSON instead of sentences.")
@click.option("--lines", is_flag=True, help="Read one sheet per line, print one result per line.")
def score(file: Path | None, as_json: bool, lines: bool) -> None:
    """Score the sheet in FILE (`-` is standard input).

    Exit 0; 1 if something on it breaks a rule; 2 if it can't be read as a sheet.
    """
    speak_as_set()
    if lines:
        answer_lines(lambda line: result(_played(line)))
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
    print_line(_heading(course, board))
    width = max(len(standing.player) for standing in board.standings)
    for standing in board.standings:
        print_line(_standing(standing, width))
    for name, amount in board.pools:
        print_line(f"     {name}: {number(amount)}")
    if board.winners:
        print_line(
            say_many(
                "{players} wins.",
                "{players} win.",
                n=len(board.winners),
                players=listed(board.winners),
            )
        )


def _heading(course: Course, board: Board) -> Text:
    entries = len(course.steps)
    if board.finished:
        return say_many(
            "{game}: over after {n} entry",
            "{game}: over after {n} entries",
            n=entries,
            game=course.game.title,
        )
    return say_many(
        "{game}: deal {deal}, {dealer} deals, {n} entry so far",
        "{game}: deal {deal}, {dealer} deals, {n} entries so far",
        n=entries,
        game=course.game.title,
        deal=board.deal,
        dealer=board.dealer,
    )


def _standing(standing: Standing, width: int) -> str:
    rank = "    " if standing.rank is None else f"{standing.rank:>3}."
    line = f"{rank} {standing.player:<{width}} {number(standing.score):>6}"
    if standing.left:
        return f"{line}  {say('left')}"
    if not standing.to_go:
        return line
    to_go = say("{number} to go", number=standing.to_go)
    return f"{line}  {to_go}"
