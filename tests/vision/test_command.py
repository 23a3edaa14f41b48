"""`referee read`: a line a photo, for people and for programs."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from referee.cli import main
from tests.vision import drawn


def run(*arguments: str, given: str | bytes = "") -> Result:
    """Run `referee read`; it never ends in a traceback."""
    result = CliRunner().invoke(main, ["read", *arguments], input=given)
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result


@pytest.fixture
def hand(tmp_path: Path) -> Path:
    """A photo of two cards."""
    path = tmp_path / "hand.jpg"
    path.write_bytes(drawn.saved(drawn.row(["9H", "4C"])))
    return path


@pytest.fixture
def text(tmp_path: Path) -> Path:
    """A file that is no photo."""
    path = tmp_path / "notes.txt"
    path.write_text("9H 4C")
    return path


def test_a_line_of_json_a_photo(hand: Path) -> None:
    """For programs."""
    result = run(str(hand), str(hand), "--json", "--suits")
    assert result.exit_code == 0
    for line in result.output.splitlines():
        document = json.loads(line)
        assert set(document) == {"file", "cards", "seconds"}
        assert document["file"] == str(hand)
        assert [card["card"] for card in document["cards"]] == ["9H", "4C"]
        assert all(isinstance(card["sure"], bool) for card in document["cards"])
        assert all(len(card["box"]) == 4 for card in document["cards"])
        assert all(len(card["guesses"]) == 2 for card in document["cards"])
        assert document["seconds"] > 0


def test_a_line_for_people(hand: Path) -> None:
    """For people."""
    result = run(str(hand), "--suits")
    assert result.exit_code == 0
    assert result.output.startswith(f"{hand}: 9H")


def test_no_cards_is_a_line_without_any(tmp_path: Path) -> None:
    """A photo of nothing is no error."""
    path = tmp_path / "cloth.jpg"
    path.write_bytes(drawn.saved(drawn.table()))
    assert run(str(path)).output == f"{path}: no cards\n"
    assert json.loads(run(str(path), "--json").output)["cards"] == []


def test_what_cannot_be_read_is_said_and_the_others_are_read(hand: Path, text: Path) -> None:
    """One bad file does not stop the rest."""
    missing = hand.with_name("nowhere.jpg")
    result = run(str(text), str(missing), str(hand.parent), str(hand), "--json")
    assert result.exit_code == 2
    no_photo, no_file, folder, read = map(json.loads, result.output.splitlines())
    assert no_photo["error"]["faults"][0]["code"] == "no-photo"
    assert no_file["error"]["faults"][0]["code"] == "no-file"
    assert folder["error"]["faults"][0]["code"] == "no-file"
    assert len(read["cards"]) == 2


def test_what_cannot_be_read_is_said_to_people(text: Path) -> None:
    """A sentence on the error output."""
    result = run(str(text))
    assert result.exit_code == 2
    assert result.stderr.startswith(f"{text}: This file is no photo")


def test_names_on_standard_input(hand: Path, text: Path) -> None:
    """Each line answers a name, whatever it is."""
    result = run("--lines", given=f"{hand}\n{text}\n\n".encode() + b"\xff\x00\n")
    assert result.exit_code == 0
    documents = [json.loads(line) for line in result.output.splitlines()]
    assert ["error" in document for document in documents] == [False, True, True, True]


@pytest.mark.parametrize("wrong", [[], ["--packs", "0", "x.jpg"], ["--lines", "x.jpg"]])
def test_a_command_that_asks_for_nothing(wrong: list[str]) -> None:
    """Nothing to read, or two things at once."""
    assert run(*wrong).exit_code == 2
