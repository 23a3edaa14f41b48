"""The hashes of an exported history survive an import, and reveal changes."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from referee.ledger.store import Link
from referee.rules.core.ruling import MalformedEntry
from referee.sheets.book import Book
from referee.sheets.comparison import Change, NewSettings
from referee.sheets.files import read_sheet, sheet_from
from referee.sheets.sheet import as_file

Rows = list[dict[str, Any]]


@pytest.fixture
def host(book: Book) -> Link:
    """A sheet with rows of all kinds, among them a change of names."""
    link = book.begin("multiple-9", ["Ann", "Ben"], "Ben", {"target": 7})
    for seq, player in enumerate(("Ann", "Ben", "Ann")):
        book.record(link, {"action": "out", "player": player}, seq, f"deal {seq}")
    book.correct(link, Change(2, {"action": "out", "player": "Ann"}, "miscounted"), 3, "fix")
    becomes = book.open(link).head.settings
    becomes = type(becomes)(["Anne", "Ben"], "Ben", becomes.options)
    book.correct(link, NewSettings(becomes, {"Ann": "Anne"}), 4, "name")
    book.undo(link, 5, "undo")
    return link


@pytest.fixture
def file(book: Book, host: Link) -> dict[str, Any]:
    """The sheet as a file."""
    found: dict[str, Any] = json.loads(json.dumps(as_file(book.open(host))))
    return found


def test_the_hashes_outlive_an_import(book: Book, host: Link, file: dict[str, Any]) -> None:
    """An imported sheet has the same rows and hashes, and so the same mark."""
    assert all(len(row["hash"]) == 32 for row in file["history"])
    copy = book.open(book.take_in(sheet_from(file)))
    assert as_file(copy) == as_file(book.open(host))
    assert copy.mark == book.open(host).mark


def no_hashes(rows: Rows) -> None:
    """Remove all hashes, as another program may."""
    for row in rows:
        del row["hash"]


def one_hash(rows: Rows) -> None:
    """Remove all hashes but the last, which covers all rows."""
    for row in rows[:-1]:
        del row["hash"]


@pytest.mark.parametrize("change", [no_hashes, one_hash])
def test_hashes_may_be_left_out(
    book: Book, file: dict[str, Any], change: Callable[[Rows], None]
) -> None:
    """Hashes are optional in a file; an imported sheet has them all."""
    whole = [row["hash"] for row in file["history"]]
    change(file["history"])
    copy = book.open(book.take_in(sheet_from(file)))
    assert [row.hash for row in copy.rows] == whole


def test_the_order_of_keys_does_not_matter(file: dict[str, Any]) -> None:
    """A program may write the keys of an object in any order."""
    read_sheet(json.dumps(file, sort_keys=True))
    read_sheet(json.dumps(file, indent=3))


def later(row: dict[str, Any]) -> None:
    """Change the time."""
    row["at"] = row["at"].replace("20", "19", 1)


def elsewhere(row: dict[str, Any]) -> None:
    """Change the phone."""
    row["by"] = "somebody"


def other_hash(row: dict[str, Any]) -> None:
    """Change the hash."""
    row["hash"] = "0" * 32


@pytest.mark.parametrize("change", [later, elsewhere, other_hash])
@pytest.mark.parametrize("row", range(1, 7))
def test_a_changed_row_is_refused(
    file: dict[str, Any], row: int, change: Callable[[dict[str, Any]], None]
) -> None:
    """A changed row is named, even if it yields the same entries."""
    change(file["history"][row - 1])
    with pytest.raises(MalformedEntry, match=f"row {row} isn’t what was written") as refused:
        sheet_from(file)
    assert [fault.code for fault in refused.value.faults] == ["history"]


def test_an_entry_that_counts_no_longer_is_covered(file: dict[str, Any]) -> None:
    """The hashes also cover amended and undone entries, and reasons."""
    for row, part, value in (
        (2, "entry", {"action": "out", "player": "Ann"}),
        (3, "entry", {"action": "out", "player": "Ben"}),
        (4, "reason", "no reason"),
    ):
        changed = json.loads(json.dumps(file))
        assert changed["history"][row - 1][part] != value
        changed["history"][row - 1][part] = value
        with pytest.raises(MalformedEntry, match=f"row {row} isn’t what was written"):
            sheet_from(changed)


@pytest.mark.parametrize("hash_", ["", "0", "g" * 32, "A" * 32, "0" * 64, 7, None])
def test_what_is_no_hash_is_refused(file: dict[str, Any], hash_: object) -> None:
    """A hash is 32 hexadecimal digits, if there is one."""
    file["history"][0]["hash"] = hash_
    with pytest.raises(MalformedEntry):
        sheet_from(file)


@pytest.mark.parametrize("player", ["Ann", "Nobody"])
def test_cards_that_count_no_longer_can_be_read(player: str) -> None:
    """A voided entry is still shown, so a sheet with illegible cards in it is refused."""
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
