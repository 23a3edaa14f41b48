"""The program run from a shell: exit codes, output, server."""

import json
import os
import re
import sqlite3
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

import referee

REFEREE = [sys.executable, "-m", "referee"]
SHEET = '{"referee":1,"game":"multiple-9","players":["Ann","Zoë"]}'

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals and bytes are POSIX's")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell in its own folder, with this program on its path."""
    monkeypatch.setenv("PYTHONPATH", str(Path(referee.__file__).parent.parent))
    monkeypatch.setenv("REFEREE_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.delenv("PYTHONIOENCODING", raising=False)
    monkeypatch.chdir(tmp_path)


def run(*args: str, given: str = "") -> "subprocess.CompletedProcess[str]":
    """Run the program with these arguments until it ends."""
    return subprocess.run(
        [*REFEREE, *args],
        input=given,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


@pytest.mark.usefixtures("shell")
def test_a_shell_sees_legal_illegal_and_unreadable() -> None:
    """Exit 0, 1 and 2; the answer on standard output, complaints on standard error."""
    legal = run("check", "multiple-9", "discard", "cards=8 4 4 A A")
    assert (legal.returncode, legal.stderr) == (0, "")
    illegal = run("check", "multiple-9", "discard", "cards=2", "--json")
    assert (illegal.returncode, illegal.stderr) == (1, "")
    unreadable = run("check", "multiple-9", "discard", "cards=two")
    assert (unreadable.returncode, unreadable.stdout) == (2, "")
    assert run("import", "-", given=SHEET).returncode == 0
    scored = run("score", "-", "--json", given=run("export", "1").stdout)
    assert json.loads(scored.stdout)["scores"] == {"Ann": 0, "Zoë": 0}


@pytest.mark.usefixtures("shell")
def test_a_latin_1_terminal_gets_the_nearest_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or else a question mark."""
    monkeypatch.setenv("PYTHONIOENCODING", "latin-1")
    scored = run("score", given=SHEET.replace("Zoë", "林"))
    assert (scored.returncode, scored.stderr) == (0, "")
    assert re.search(r"1\. \? +0", scored.stdout)
    refused = run("check", "chess")
    assert refused.stderr.startswith('There\'s no game called "chess".')


@pytest.mark.usefixtures("shell")
def test_a_closed_standard_input_counts_as_empty() -> None:
    """As when some services start a command."""
    for command, code in (("score", 2), ("score --lines", 0)):
        line = f'exec "$0" -m referee {command} <&-'
        ended = subprocess.run(
            ["sh", "-c", line, sys.executable], capture_output=True, text=True, check=False
        )
        assert ended.returncode == code
        assert "Traceback" not in ended.stderr


@pytest.mark.usefixtures("shell")
@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0"])
def test_the_server_serves_and_ends(tmp_path: Path, host: str) -> None:
    """It answers at the printed port, and SIGTERM ends it with 0 and no error."""
    with subprocess.Popen(
        [*REFEREE, "serve", "--port", "0", "--host", host],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as server:
        assert server.stdout is not None
        assert server.stderr is not None
        addresses = (re.search(r"http://\S+:(\d+)", line) for line in server.stdout)
        port = next(found[1] for found in addresses if found)
        # Not the network's address, which may be unreachable here.
        near = "127.0.0.1" if host == "0.0.0.0" else host
        with urllib.request.urlopen(f"http://{near}:{port}/", timeout=30) as page:
            assert "New game" in page.read().decode()
        server.terminate()
        said, complaints = server.stdout.read(), server.stderr.read()
        assert f"by SQLite {sqlite3.sqlite_version}. Press Ctrl+C to stop" in said
    assert (server.returncode, complaints) == (0, "")
    assert (tmp_path / "instance" / "referee.sqlite").is_file()


def test_the_pictures_of_the_readme_are_there() -> None:
    """Every picture that the README shows is in the repository."""
    readme = Path(__file__).parents[1] / "README.md"
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", readme.read_text())
    assert len(shown) == len({path for path in shown if (readme.parent / path).is_file()}) > 0
