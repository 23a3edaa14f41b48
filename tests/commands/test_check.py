"""`referee check`: rulings, faults, and the exit status."""

import pytest

from referee.rules.registry import GAMES
from tests.support.command_line import as_line, lines_of, run

LEGAL_RULING = {
    "legal": True,
    "faults": [],
    "detail": {"groups": [["8", "A"], ["4", "4", "A"]], "total": 18, "final": False},
}


def test_a_ruling_is_printed_and_decides_the_exit_status() -> None:
    """0 with the groups of a legal discard; 1 with the rule and what would be right."""
    said = run("check", "multiple-9", "discard", "cards=8 4 4 A A")
    assert said.exit_code == 0
    assert said.stdout.startswith("Yes: two nines.\n")
    assert "4 + 4 + 1 = 9" in said.stdout
    result = run("check", "multiple-9", "discard", "cards=8 4 4 A A", "--json")
    assert result.exit_code == 0
    assert lines_of(result) == [LEGAL_RULING]
    said = run("check", "multiple-9", "discard", "cards=8 4 4 A A 2")
    assert said.exit_code == 1
    assert said.stdout.startswith("Not yet: they make 20.\n")
    assert "(Multiple 9, " in said.stdout
    assert "From these cards you can lay down:\n  8 A: 8 + 1 = 9\n" in said.stdout
    result = run("check", "multiple-9", "discard", "cards=8 4 4 A A 2", "--json")
    assert result.exit_code == 1
    (ruling,) = lines_of(result)
    assert set(ruling) == {"legal", "faults", "detail"}
    assert ruling["legal"] is False
    assert [set(fault) for fault in ruling["faults"]] == [{"code", "message", "rule"}]
    assert ruling["faults"][0]["code"] == "not-a-multiple"


@pytest.mark.parametrize(
    ("args", "codes"),
    [
        (["chess", "move"], ["unknown-name"]),
        (["multiple-9", "knit"], ["unknown-name"]),
        (["multiple-9", "discard", "8 4 4"], ["no-field"]),
        (["multiple-9", "discard", "8", "4"], ["no-field", "no-field"]),
        (["multiple-9", "discard", "cards=8", "cards=A"], ["field-twice"]),
        (["multiple-9", "discard", "crads=8"], ["unreadable-question"]),
        (["multiple-9", "discard", "final=perhaps"], ["unreadable-question"]),
        (["multiple-9", "discard", "cards=X", "hand=Y"], ["not-a-card", "not-a-card"]),
        (["multiple-9", "deal"], ["unreadable-question"]),
        (["multiple-9", "deal", "players=" + "9" * 5000], ["unreadable-question"]),
    ],
)
def test_a_question_that_cannot_be_read_exits_2(args: list[str], codes: list[str]) -> None:
    """All its faults are reported at once, in words and as JSON."""
    result = run("check", *args, "--json")
    assert result.exit_code == 2
    (document,) = lines_of(result)
    assert document == {"error": {"entry": None, "faults": document["error"]["faults"]}}
    assert [fault["code"] for fault in document["error"]["faults"]] == codes
    said = run("check", *args)
    assert said.exit_code == 2
    assert said.stdout == ""
    assert len(said.stderr.splitlines()) == len(codes)


@pytest.mark.parametrize("slug", GAMES)
def test_games_judges_and_fields_are_listed(slug: str) -> None:
    """Of all games, or of the one named."""
    everything, one = run("check"), run("check", slug)
    assert everything.exit_code == one.exit_code == 0
    assert one.stdout in everything.stdout
    assert one.stdout.startswith(f"{slug}  ({GAMES[slug].title})\n")
    for judge in GAMES[slug].judges.values():
        assert f"  {judge.name}:" in one.stdout
        assert str(judge.title) in one.stdout
        for field in judge.question.__struct_fields__:
            assert field in one.stdout
    assert all(other == slug or f"{other}  (" not in one.stdout for other in GAMES)


def test_questions_line_by_line_are_answered_in_order() -> None:
    """One answer a line, also to blank or broken lines; exit 0."""
    asked = (
        as_line({"cards": "8 4 4 A A"})
        + "\n"
        + as_line({"cards": "2"})
        + "{broken\n"
        + as_line([1])
        + as_line({"cards": "8 4 4 A A", "final": "true"})
        + as_line({"cards": 8})
        + '{"cards": "8 4 4 A A", "cards": "2"}'
    )
    result = run("check", "multiple-9", "discard", "--lines", given=asked)
    assert result.exit_code == 0
    answers = lines_of(result)
    assert len(answers) == 8
    assert answers[0] == LEGAL_RULING
    assert answers[2]["legal"] is False
    assert answers[5]["detail"]["final"] is True
    assert [
        number for number, answer in enumerate(answers) if list(answer) == ["error"]
    ] == [1, 3, 4, 6, 7]  # fmt: skip
    (fault,) = answers[7]["error"]["faults"]
    assert (fault["code"], fault["message"]) == ("field-twice", "“cards” is given twice.")
