"""`referee score`: sheets in files, scored in words, as JSON, and line by line."""

import json
import re
from pathlib import Path

import pytest

from tests.support.command_line import ILLEGAL, RESULT, SHEET, as_line, lines_of, run


@pytest.mark.parametrize("how", ["file", "dash", "input"])
def test_a_sheet_is_scored(tmp_path: Path, how: str) -> None:
    """From a file, a dash or standard input: standings or winner, or the result as JSON."""
    written = json.dumps(SHEET)
    (tmp_path / "sheet.json").write_text(written)
    file = {"file": [str(tmp_path / "sheet.json")], "dash": ["-"], "input": []}[how]
    result = run("score", *file, "--json", given=written)
    assert result.exit_code == 0
    assert lines_of(result) == [RESULT]
    said = run("score", *file, given=written)
    assert said.exit_code == 0
    assert re.search(r"^ *1\. Zoë +1", said.stdout, re.MULTILINE)
    assert re.search(r"^ *2\. Ann +−3", said.stdout, re.MULTILINE)
    assert "Multiple 9: deal 2, Ann deals, 2 entries so far\n" in said.stdout
    won = {**SHEET, "entries": [{"action": "out", "player": "Ann"}] * 2}
    assert run("score", given=json.dumps(won)).stdout.endswith("Ann wins.\n")
    (result,) = lines_of(run("score", "--json", given=json.dumps(won)))
    assert (result["finished"], result["winners"], result["deal"]) == (True, ["Ann"], 2)


@pytest.mark.parametrize("tag", ["en", "he"])
def test_scores_are_in_line(tag: str) -> None:
    """In Hebrew as well, where a minus has marks of direction, which are not printed."""
    said = run("score", "--language", tag, given=json.dumps(SHEET)).stdout
    assert re.search(r"^  1\. Zoë      1 .*\n  2\. Ann     −3 ", said, re.MULTILINE)


def test_standings_tell_the_points_to_the_target() -> None:
    """Only where the most points win: otherwise nobody aims at it."""
    scored = {"action": "deal", "points": {"Ann": 30, "Zoë": 10}}
    for lowest, told in ((False, "70 to go"), (True, "70 from the end")):
        rules = {"target": 100, "lowest_wins": lowest}
        sheet = {**SHEET, "game": "plain-score", "options": rules, "entries": [scored]}
        assert re.search(rf" Ann +30  {told}$", run("score", given=json.dumps(sheet)).stdout, re.M)


def test_a_sheet_that_breaks_a_rule_exits_1() -> None:
    """The entry is numbered from 1 for people and from 0 for programs."""
    said = run("score", given=json.dumps(ILLEGAL))
    assert said.exit_code == 1
    assert said.stdout == ""
    assert said.stderr.startswith("Entry 3: “Dan” isn’t on this sheet.")
    result = run("score", "--json", given=json.dumps(ILLEGAL))
    assert result.exit_code == 1
    (document,) = lines_of(result)
    assert set(document) == {"error"}
    assert set(document["error"]) == {"entry", "faults"}
    assert document["error"]["entry"] == 2
    assert [set(fault) for fault in document["error"]["faults"]] == [{"code", "message", "rule"}]


@pytest.mark.parametrize("name", ["missing.json", ".", "\udcff.json"])
def test_a_file_that_is_not_there_exits_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Nor is a folder, or a name that is no text; the message names it."""
    monkeypatch.chdir(tmp_path)
    for command in (["score", name, "--json"], ["score", name], ["import", name]):
        result = run(*command)
        assert result.exit_code == 2
        assert "can’t be read" in result.output
        assert name.replace("\udcff", "\ufffd") in result.output
        assert len(result.output.splitlines()) == 1


def test_sheets_line_by_line_are_scored_in_order() -> None:
    """One result or error a line, also for blank or broken lines; exit 0."""
    given = as_line(SHEET) + "\n" + as_line(ILLEGAL) + "{\n" + "\xff\n" + json.dumps(SHEET)
    result = run("score", "--lines", given=given.encode("latin-1"))
    assert result.exit_code == 0
    answers = lines_of(result)
    assert len(answers) == 6
    assert answers[0] == answers[5] == RESULT
    assert [answer["error"]["entry"] for answer in answers[1:5]] == [None, 2, None, None]
