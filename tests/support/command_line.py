"""Run the command line in tests, with some sheets as its input."""

import json
from typing import Any

from click.testing import CliRunner, Result

from referee.cli import main

SHEET: dict[str, Any] = {
    "referee": 1,
    "game": "multiple-9",
    "players": ["Ann", "Zoë"],
    "dealer": "Zoë",
    "options": {"target": 2},
    "entries": [
        {"action": "out", "player": "Zoë"},
        {"action": "adjust", "player": "Ann", "points": -3, "reason": "late"},
    ],
}
ILLEGAL = {**SHEET, "entries": [*SHEET["entries"], {"action": "out", "player": "Dan"}]}
PINK = {
    "referee": 1,
    "game": "pink-nines",
    "players": ["Ann", "=Ben"],
    "entries": [{"action": "out", "player": "Ann"}],
}


RESULT = {
    "game": "multiple-9",
    "entries": 2,
    "deal": 2,
    "dealer": "Ann",
    "finished": False,
    "winners": [],
    "scores": {"Ann": -3, "Zoë": 1},
    "left": [],
    "pools": {},
    "lines": [
        {"entry": 0, "scores": {"Ann": 0, "Zoë": 1}},
        {"entry": 1, "scores": {"Ann": -3, "Zoë": 0}},
    ],
}


def run(*args: str, given: str | bytes | None = None) -> Result:
    """Run the command with `given` on standard input; fails on an unexpected exception."""
    result = CliRunner().invoke(main, args, input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


def lines_of(result: Result) -> list[Any]:
    """The JSON documents on standard output, one per line."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def as_line(document: Any) -> str:
    return json.dumps(document) + "\n"


def one_error(result: Result) -> str:
    """The error message of a command that failed with exit code 1 and one line."""
    assert result.exit_code == 1
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line.removeprefix("Error: ")
