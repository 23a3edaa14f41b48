"""What is printed cannot do anything to a terminal, and can be read on any."""

import io
import json
import re
import sys
from pathlib import Path

import pytest

import referee
from referee.commands import console
from referee.commands.console import fit_encoding, print_file
from referee.rules.letters import written_out
from tests.support.command_line import run

RAW = {
    "escape": "\x1b[2J",
    "bell": "\a",
    "line break": "\nError: forged",
    "return": "\rforged",
    "delete": "\x7f",
    "C1 escape": "\x9b2J",
    "next line": "\x85",
    "right-to-left override": "\u202egpj.exe",
    "isolate": "\u2066x",
    "right-to-left mark": "\u200f",
    "line separator": "\u2028",
    "zero width space": "\u200b",
    "tag": "\U000e0041",
}


@pytest.mark.parametrize("raw", RAW.values(), ids=RAW)
def test_what_cannot_be_seen_is_written_out(raw: str) -> None:
    """Every such letter becomes an escape that JSON knows; what can be seen stays as it is."""
    shown = written_out(f"Zoë{raw} ♠")
    assert shown.isprintable()
    assert shown.startswith("Zoë\\u") or shown.startswith(("Zoë\\n", "Zoë\\r"))
    assert shown.endswith(" ♠")
    assert json.loads(f'"{shown}"') == f"Zoë{raw} ♠"


@pytest.mark.parametrize(
    "text", ["", "Ann holds 3 cards.", "“Zoë” −3 林", "👩\u200d🚀", "می\u200cخواهم"]
)
def test_what_can_be_seen_stays(text: str) -> None:
    """Accents, other scripts, and the joiners that names and emoji are made with."""
    assert written_out(text) == text


def test_bytes_that_are_no_text_become_a_replacement_character() -> None:
    """A file name may hold any byte; no encoding could print it."""
    assert written_out("a\udcff.json") == "a\ufffd.json"


def test_only_the_console_prints() -> None:
    """No command writes past the place that makes what is printed harmless."""
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
        ["score", "{}", "--json"],
        ["check", "{}"],
        ["check", "{}", "--json"],
        ["check", "pink-nines", "{}"],
        ["check", "pink-nines", "run", "{}"],
        ["check", "pink-nines", "run", "{}=1"],
        ["check", "pink-nines", "run", "cards={}"],
        ["import", "{}"],
        ["export", "--", "{}"],
        ["backup", "nowhere/{}"],
        ["restore", "{}"],
        ["verify", "{}"],
        ["verify", "--instance", "{}"],
        ["serve", "--host", "{}", "--port", "0"],
        ["serve", "--public-url", "{}"],
        ["--{}"],
        ["score", "--{}"],
        ["score", "one", "{}"],
        ["schema", "{}"],
    ],
    ids=" ".join,
)
def test_no_argument_reaches_the_terminal_raw(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    """Whoever words the complaint, the referee or Click, each line of it can be seen whole."""
    monkeypatch.chdir(tmp_path)
    bad = "\x1b[31mred\u202e\x9b\n"
    result = run(*(part.replace("{}", bad) for part in command))
    assert result.exit_code in (1, 2)
    assert result.output
    assert all(line.isprintable() for line in result.output.split("\n"))


class Terminal(io.StringIO):
    """Standard output, where somebody looks at it."""

    def isatty(self) -> bool:
        """It is one."""
        return True


def test_a_file_is_printed_harmless_where_somebody_looks(
    monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    """Another program gets it to the letter, a person gets the same lines without the traps."""
    content = "a,b\r\nAnn,\x1b[31m\r\n"
    print_file(content)
    assert capsysbinary.readouterr().out == content.encode()
    terminal = Terminal()
    monkeypatch.setattr(sys, "stdout", terminal)
    print_file(content)
    assert terminal.getvalue() == "a,b\nAnn,\\u001b[31m\n"


def test_a_json_line_is_the_same_document(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """What would turn a line round is escaped, as JSON allows everywhere."""
    document = {"reason": "\u202e\x9b\x7f\U000e0041 Zoë"}
    console.print_json(document)
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
    """A score of minus three must not read as a question; what has no likeness is a "?"."""
    written = io.BytesIO()
    stream = io.TextIOWrapper(written, encoding=encoding)
    fit_encoding(stream)
    stream.write("“Zoë” −3 … ’ ♠")
    stream.flush()
    assert written.getvalue().decode(encoding) == shown
