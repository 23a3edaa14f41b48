"""The help: what a newcomer is told."""

import re

import pytest

from referee import __version__
from referee.cli import main
from tests.support.command_line import run


def test_every_command_is_listed_with_a_sentence() -> None:
    """`referee --help` says what each command does, `--version` which program it is."""
    said = run("--help").stdout
    assert "open the printed address" in said
    for name in main.commands:
        assert re.search(rf"^  {name}\*? +[A-Z]", said, re.MULTILINE)
        assert run(name, "--help").stdout.startswith(f"Usage: main {name} ")
    assert run("--version").stdout == f"referee, version {__version__}\n"


@pytest.mark.parametrize("args", [["--nonsense"], ["nonsense"], ["check", "--loud"], ["import"]])
def test_a_command_that_cannot_be_read_shows_its_use(args: list[str]) -> None:
    """What is no command or option ends with exit 2 and a hint at the help."""
    result = run(*args)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert "--help" in result.stderr
