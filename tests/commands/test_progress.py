"""Progress bars: shown on a terminal, never in a pipe."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from referee.commands import console
from referee.progress import report
from referee.rules.text import say
from tests.support.command_line import PINK, SHEET, as_line, run
from tests.support.server import PATIENCE

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a terminal is another matter there")


def commands(folder: Path) -> dict[str, list[str]]:
    """Every command that may take minutes with a large book, in an order in which they work."""
    sheets, copy = str(folder / "sheets.jsonl"), str(folder / "copy.sqlite")
    return {
        "import": ["import", sheets],
        "export": ["export", "--all", "-o", str(folder / "exported")],
        "verify": ["verify"],
        "backup": ["backup", copy],
        "restore": ["restore", copy, "--force"],
    }


def on_a_terminal(command: list[str]) -> tuple[str, str]:
    """A command's standard output, a pipe, and its standard error, a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "referee", *command], stdout=subprocess.PIPE, stderr=theirs
    ) as running:
        os.close(theirs)
        shown = all_shown(ours)
        printed, _ = running.communicate(timeout=PATIENCE)
    assert running.returncode == 0, shown
    return printed.decode(), shown


def all_shown(ours: int) -> str:
    """Everything written to a terminal until its other end is closed; closes this one."""
    shown = b""
    while True:
        try:
            shown += os.read(ours, 4096)
        except OSError:  # the other end is closed
            os.close(ours)
            return shown.decode()


def test_a_bar_is_drawn_on_a_terminal(tmp_path: Path) -> None:
    """From 0 to 100 %; standard output has none."""
    (tmp_path / "sheets.jsonl").write_text(as_line(SHEET) + as_line(PINK), encoding="utf-8")
    for name, command in commands(tmp_path).items():
        printed, shown = on_a_terminal(command)
        assert "100%" in shown, name
        assert not {"%", "#"} & set(printed), name


def test_a_pipe_gets_no_bar_from_any_command(tmp_path: Path) -> None:
    """Only the result."""
    (tmp_path / "sheets.jsonl").write_text(as_line(SHEET) + as_line(PINK), encoding="utf-8")
    for name, command in commands(tmp_path).items():
        ended = run(*command)
        assert (ended.exit_code, ended.stderr) == (0, ""), name
        assert not {"%", "#"} & set(ended.stdout), name


def test_the_bar_of_an_import_covers_reading_and_saving(tmp_path: Path) -> None:
    """Both take about as long, so reading ends at half of it."""
    (tmp_path / "sheets.jsonl").write_text(as_line(SHEET) + as_line(PINK), encoding="utf-8")
    printed, shown = on_a_terminal(commands(tmp_path)["import"])
    reading, saving = shown.partition("Saving")[::2]
    assert "Reading" in reading
    assert reading.count("100%") == 1
    assert saving.count("100%") == 2, "played once more, and written"
    assert printed.count("Saved as sheet") == 2


def test_the_bar_starts_over_for_each_part_of_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """As for a copy's pages and then its sheets, whichever are more."""
    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with console.progress(say("Checking")):
            for of in (5, 2, 10):
                for done in range(1, of + 1):
                    report(done, of)
    shown = all_shown(ours)
    assert shown.count(" 100%") == 3
    assert " 50%" in shown
    assert " 90%" in shown
