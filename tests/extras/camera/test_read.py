"""`referee read`: one line for each photo, for people and for programs."""

import json
import sys
from pathlib import Path
from typing import get_args

import pytest

from referee.extras.camera.vision.found import REFUSALS, Unreadable
from tests.commands.conftest import instance
from tests.extras.camera import drawn
from tests.support.command_line import lines_of, run

__all__ = ["instance"]


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


def test_read_prints_a_line_a_photo(hand: Path, tmp_path: Path) -> None:
    """As text or JSON; a photo without cards is no error."""
    result = run("read", str(hand), str(hand), "--json", "--suits")
    assert result.exit_code == 0
    for document in lines_of(result):
        assert set(document) == {"file", "cards", "rows", "grid", "upright", "seconds"}
        assert (document["rows"], document["grid"]) == ([2], [["9H", "4C"]])
        assert document["file"] == str(hand)
        assert [card["card"] for card in document["cards"]] == ["9H", "4C"]
        assert all(isinstance(card["sure"], bool) for card in document["cards"])
        assert all(len(card["box"]) == 4 for card in document["cards"])
        assert all(len(card["guesses"]) == 2 for card in document["cards"])
        assert document["seconds"] > 0
    result = run("read", str(hand), "--suits")
    assert result.exit_code == 0
    assert result.output.startswith(f"{hand}: 9H")
    path = tmp_path / "cloth.jpg"
    path.write_bytes(drawn.saved(drawn.table()))
    assert run("read", str(path)).output == f"{path}: no cards\n"
    assert json.loads(run("read", str(path), "--json").output)["cards"] == []


def test_a_grid_is_printed_in_its_rows_from_whichever_side(tmp_path: Path) -> None:
    """With slashes between rows; it says so if they may be columns."""
    nine = ["9H", "4C", "KD", "10S", "AH", "7C", "2D", "8S", "5H"]
    path = tmp_path / "grid.jpg"
    path.write_bytes(drawn.saved(drawn.grid(nine).rotate(-90, expand=True)))
    assert run("read", str(path), "--suits").output == f"{path}: 9H 4C KD / 10S AH 7C / 2D 8S 5H\n"
    [document] = lines_of(run("read", str(path), "--suits", "--json"))
    assert document["upright"]
    assert document["grid"] == [nine[:3], nine[3:6], nine[6:]]
    photo = drawn.table()
    for at, text in enumerate(nine[:4]):
        drawn.lay(photo, text, 300 + 500 * (at % 2), 250 + 400 * (at // 2), 90 * (at in (0, 3)))
    path.write_bytes(drawn.saved(photo))
    said = run("read", str(path), "--suits").output
    assert said == f"{path}: 9H 4C / KD 10S (these rows may be columns)\n"


def test_an_unreadable_file_does_not_stop_the_others(hand: Path, text: Path) -> None:
    """It is named, exit 2."""
    missing = hand.with_name("nowhere.jpg")
    result = run("read", str(text), str(missing), str(hand.parent), str(hand), "--json")
    assert result.exit_code == 2
    no_photo, no_file, folder, read = lines_of(result)
    assert no_photo["file"] == str(text)
    assert no_photo["error"]["faults"][0]["rule"] == "Every game, cards from a photo"
    assert no_photo["error"]["faults"][0]["code"] == "no-photo"
    assert no_file["error"]["faults"][0]["code"] == "no-file"
    assert folder["error"]["faults"][0]["code"] == "no-file"
    assert len(read["cards"]) == 2
    said = run("read", str(text), f"{hand}\x1b[31m")
    assert said.exit_code == 2
    assert said.stderr.startswith(f"{text}: This isn’t a photo")
    assert "\x1b" not in said.output, "files are named by anybody"


def test_names_on_standard_input(hand: Path, text: Path) -> None:
    """Each gets a line, whatever it is."""
    result = run("read", "--lines", given=f"{hand}\n{text}\n\n".encode() + b"\xff\x00\n")
    assert result.exit_code == 0
    documents = lines_of(result)
    assert ["error" in document for document in documents] == [False, True, True, True]
    for nothing_or_both in ([], ["--lines", str(hand)], ["--packs", "0", str(hand)]):
        assert run("read", *nothing_or_both).exit_code == 2


def test_every_code_has_a_sentence() -> None:
    """And no other code has one."""
    assert set(REFUSALS) == set(get_args(Unreadable))


@pytest.mark.parametrize("as_json", [True, False])
def test_without_the_libraries_it_says_which_ones_are_needed(
    hand: Path, as_json: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in an installation without them."""
    monkeypatch.setitem(sys.modules, "referee.extras.camera.vision.reading", None)
    result = run("read", str(hand), *(["--json"] if as_json else []))
    assert result.exit_code == 2
    if as_json:
        assert lines_of(result)[0]["error"]["faults"][0]["code"] == "no-camera"
    else:
        assert "needs NumPy and Pillow" in result.stderr
