"""Output that is safe for any terminal and readable on it; the help."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

import referee
from referee import __version__
from referee.cli import main
from referee.commands.console import fit_encoding, print_file, print_json
from referee.settings import Settings
from tests.support.command_line import run


def test_only_the_console_module_prints() -> None:
    """It removes control characters, so no command may write past it."""
    program = Path(referee.__file__).parent
    printing = {
        path.name
        for path in (program / "cli.py", *(program / "commands").glob("*.py"))
        if re.search(r"\becho\(|\bprint\(|stdout\.(write|buffer)", path.read_text())
    }
    assert printing == {"console.py"}


@pytest.mark.parametrize(
    "command",
    [
        ["score", "{}"],
        ["check", "{}"],
        ["check", "{}", "--json"],
        ["check", "pink-nines", "run", "{}"],
        ["check", "pink-nines", "run", "cards={}"],
        ["import", "{}"],
        ["export", "--", "{}"],
        ["backup", "nowhere/{}"],
        ["restore", "{}"],
        ["verify", "--instance", "{}"],
        ["serve", "--host", "{}", "--port", "0"],
    ],
    ids=" ".join,
)
def test_no_argument_reaches_the_terminal_raw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """Messages of the program and of Click quote it as printable text."""
    monkeypatch.chdir(tmp_path)
    bad = "\x1b[31mred\u202e\x9b\n"
    result = run(*(part.replace("{}", bad) for part in command))
    assert result.exit_code in (1, 2)
    assert result.output
    assert all(line.isprintable() for line in result.output.split("\n"))


@pytest.mark.parametrize("asked", [[], ["--port", "0"], ["--port=0", "--host", "192.0.2.1"]])
def test_without_a_command_it_serves(monkeypatch: pytest.MonkeyPatch, asked: list[str]) -> None:
    """`referee` alone, or with options only; a mistyped command doesn't serve."""
    served = list[Settings]()
    monkeypatch.setattr(
        "referee.web.serving.server.serve_forever", lambda settings, *_: served.append(settings)
    )
    assert run(*asked).exit_code == 0
    (settings,) = served
    assert settings.port == (0 if asked else 9999)
    assert run("--help").output.startswith("Usage: main [OPTIONS] COMMAND")
    misspelled = run("bakup", *asked)
    assert misspelled.exit_code == 2
    assert "No such command" in misspelled.output
    assert "bakup" in misspelled.output
    assert len(served) == 1


def test_a_file_is_printed_safely_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Another program gets it unchanged, a terminal without control characters."""
    content = "a,b\r\nAnn,\x1b[31m\r\n"
    print_file(content)
    assert capsysbinary.readouterr().out == content.encode()
    terminal = io.StringIO()
    terminal.isatty = lambda: True  # type: ignore[method-assign]
    monkeypatch.setattr(sys, "stdout", terminal)
    print_file(content)
    assert terminal.getvalue() == "a,b\nAnn,\\u001b[31m\n"


def test_a_json_line_is_the_same_document(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Marks of direction in it are escaped, which JSON allows."""
    document = {"reason": "\u202e\x9b\x7f\U000e0041 Zoë"}
    print_json(document)
    printed = capsysbinary.readouterr().out.decode()
    assert printed.removesuffix("\n").isprintable()
    assert json.loads(printed) == document
    assert "Zoë" in printed


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("utf-8", "“Zoë” −3 … ’ ♠"),
        ("latin-1", '"Zoë" -3 ... \' ?'),
        ("ascii", '"Zo?" -3 ... \' ?'),
        ("cp1252", "“Zoë” -3 … ’ ?"),
    ],
)
def test_a_terminal_that_lacks_a_letter_gets_the_nearest(encoding: str, shown: str) -> None:
    """The minus of a score becomes a hyphen; a letter without a likeness is a "?"."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding)
    fit_encoding(stream)
    stream.write("“Zoë” −3 … ’ ♠")
    stream.flush()
    assert written.getvalue().decode(encoding) == shown


# --- help


def test_every_command_is_listed_with_a_sentence() -> None:
    """By `referee --help`; `--version` prints the version."""
    said = run("--help").stdout
    assert "open the printed address" in said
    for name in main.commands:
        assert re.search(rf"^  {name}\*? +[A-Z]", said, re.MULTILINE)
        assert run(name, "--help").stdout.startswith(f"Usage: main {name} ")
    assert run("--version").stdout == f"referee, version {__version__}\n"


@pytest.mark.parametrize("args", [["--nonsense"], ["nonsense"], ["check", "--loud"], ["import"]])
def test_an_unknown_command_or_option_points_to_the_help(args: list[str]) -> None:
    """With exit status 2."""
    result = run(*args)
    assert result.exit_code == 2
    assert "Usage:" in result.stderr
    assert "--help" in result.stderr
