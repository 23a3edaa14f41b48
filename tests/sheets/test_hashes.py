"""The hashes of an exported history survive an import, and reveal changes."""

import json
from typing import Any

import pytest

from referee.ledger.chain import Mark
from referee.ledger.store import Link
from referee.rules.core.ruling import MalformedEntry
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.files import read_sheet, sheet_from
from referee.sheets.sheet import as_file

ON_EITHER_ENGINE = True


@pytest.fixture
def host(book: Book) -> Link:
    """A sheet with rows of all kinds, among them a change of names."""
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ben", {"target": 7})
    for seq, player in enumerate(("Ann", "Ben", "Ann")):
        book.record(link, {"action": "out", "player": player}, Mark(seq), f"deal {seq}")
    book.correct(link, Change(2, {"action": "out", "player": "Ann"}, "miscounted"), Mark(3), "fix")
    becomes = book.open(link).head.settings
    becomes = type(becomes)(["Anne", "Ben"], "Ben", becomes.options)
    book.correct(link, NewSettings(becomes, {"Ann": "Anne"}), Mark(4), "name")
    book.undo(link, Mark(5))
    return link


@pytest.fixture
def file(book: Book, host: Link) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(as_file(book.open(host))))
    return found


def test_hashes_survive_an_import(book: Book, host: Link, file: dict[str, Any]) -> None:
    """An imported sheet has the same rows and hashes, and so the same mark."""
    assert all(len(row["hash"]) == 32 for row in file["history"])
    copy = book.open(book.import_sheet(sheet_from(file)))
    assert as_file(copy) == as_file(book.open(host))
    assert copy.mark == book.open(host).mark


@pytest.mark.parametrize("kept", [0, 1])
def test_hashes_may_be_left_out(book: Book, file: dict[str, Any], kept: int) -> None:
    """A file may have none, or only the last, which covers all rows; an imported sheet has all."""
    whole = [row["hash"] for row in file["history"]]
    for row in file["history"][: len(whole) - kept]:
        del row["hash"]
    copy = book.open(book.import_sheet(read_sheet(json.dumps(file, sort_keys=True))))
    assert [row.hash for row in copy.rows] == whole


#: A row, and a part of it that is changed although it still leads to the same entries.
CHANGED: list[tuple[int, str, Any]] = [
    *((row, "at", "1926-01-02T03:04:05+00:00") for row in range(1, 7)),
    *((row, "by", "somebody") for row in range(1, 7)),
    *((row, "hash", "0" * 32) for row in range(1, 7)),
    (2, "entry", {"action": "out", "player": "Ann"}),  # was amended
    (3, "entry", {"action": "out", "player": "Ben"}),  # was undone
    (4, "reason", "no reason"),
]


@pytest.mark.parametrize(("row", "part", "value"), CHANGED)
def test_a_changed_row_is_refused(file: dict[str, Any], row: int, part: str, value: Any) -> None:
    """A changed row is named, even if it yields the same entries."""
    assert file["history"][row - 1].get(part) != value
    file["history"][row - 1][part] = value
    with pytest.raises(MalformedEntry, match=f"row {row} isn’t what was written") as refused:
        sheet_from(file)
    assert [fault.code for fault in refused.value.faults] == ["history"]


@pytest.mark.parametrize("hash_", ["", "0", "g" * 32, "A" * 32, "0" * 64, 7, None])
def test_a_malformed_hash_is_refused(file: dict[str, Any], hash_: object) -> None:
    """If there is one, it is 32 hexadecimal digits."""
    file["history"][0]["hash"] = hash_
    with pytest.raises(MalformedEntry):
        sheet_from(file)


@pytest.mark.parametrize("player", ["Ann", "Nobody"])
def test_unreadable_cards_in_voided_entries_are_refused(player: str) -> None:
    """They are still shown."""
    grids = {"action": "grids", "grids": {player: "J J * | what | A K Q", "Ben": 3}}
    file = {
        "referee": 1,
        "game": "colorado-nines",
        "players": ["Ann", "Ben"],
        "history": [
            {"seq": 1, "kind": "play", "at": "", "entry": grids},
            {"seq": 2, "kind": "void", "at": "", "target": 1},
        ],
    }
    with pytest.raises(MalformedEntry, match="row 1 can’t be read"):
        sheet_from(file)
    grids["grids"] = {player: "J J * | 5 5 7 | A K Q"}  # against a rule, but it can be shown
    sheet_from(file)
