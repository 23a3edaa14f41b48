"""The progress bar of counting a club."""

from pathlib import Path

from tests.commands.test_progress import on_a_terminal, pytestmark
from tests.support.command_line import PINK, SHEET, as_line, run

__all__ = ["pytestmark"]


def test_a_bar_is_drawn_on_a_terminal_only(tmp_path: Path) -> None:
    file = tmp_path / "sheets.jsonl"
    file.write_text(as_line(SHEET) + as_line(PINK), encoding="utf-8")
    printed, shown = on_a_terminal(["club", str(file)])
    assert "100%" in shown
    assert not {"%", "#"} & set(printed)
    ended = run("club", str(file))
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert not {"%", "#"} & set(ended.stdout)
