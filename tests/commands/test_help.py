"""The help: what a newcomer is told."""

import re

import pytest

from referee import __version__
from referee.cli import main
from tests.support.command_line import run


@pytest.mark.parametrize(
    ("command", "told"),
    [
        ([], ["keeps score", "open the printed address", "referee check multiple-9 discard"]),
        (
            ["serve"],
            ["--host", "--port", "9999", "--public-url", "--instance", "phones", "--backup-every"],
        ),
        (["check"], ["FIELD=VALUE", 'cards="8 4 4 A A"', "--json", "--lines", "Exit 0 legal"]),
        (["score"], ["FILE", "standard input", "--json", "--lines", "Exit 0; 1", "2"]),
        (["read"], ["PHOTO", "--json", "--packs", "--suits", "--lines", "Exit 2", "question mark"]),
        (["import"], ["FILE", "standard input", "link", "--instance"]),
        (["export"], ["number", "link", "history", "--output", "sheets are listed"]),
        (["backup"], ["FILE", "--every", "10m", "--keep", "24", "oldest go"]),
        (["status"], ["last backed up", "--instance"]),
        (["schema"], ["JSON Schema", "2020-12", "referee score"]),
    ],
    ids=lambda value: " ".join(value) or "referee",
)
def test_help_tells_a_newcomer_what_they_need(command: list[str], told: list[str]) -> None:
    """Every command says what it takes, what it gives, and how it ends."""
    result = run(*command, "--help")
    assert result.exit_code == 0
    plain = " ".join(result.stdout.split())
    assert [words for words in told if words not in plain] == []


def test_every_command_is_listed_with_a_sentence() -> None:
    """`referee --help` says what each command does, `--version` which program it is."""
    said = run("--help").stdout
    for name in main.commands:
        assert re.search(rf"^  {name}\*? +[A-Z]", said, re.MULTILINE)
    assert run("--version").stdout == f"referee, version {__version__}\n"


@pytest.mark.parametrize("args", [["--nonsense"], ["nonsense"], ["check", "--loud"], ["import"]])
def test_a_command_that_cannot_be_read_shows_its_use(args: list[str]) -> None:
    """What is no command or option ends with exit 2 and a hint at the help."""
    result = run(*args)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert "--help" in result.stderr
