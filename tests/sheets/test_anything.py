"""Whatever is handed in as a sheet, the answer is a score or a refusal that says why."""

import copy
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import RefereeError
from referee.rules.documents import error_document
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, read_sheet, result

EXAMPLES = Path(__file__).parent.parent / "examples"
SHEETS = [
    json.loads(path.read_text(encoding="utf-8"))["sheet"]
    for path in sorted(EXAMPLES.glob("*.json"))
    if path.stem in GAMES
]
PLAYED = [pytest.param(sheet, id=sheet["game"]) for sheet in SHEETS]
WORDS = [
    *(word for sheet in SHEETS for word in [sheet["game"], *sheet["players"]]),
    *("", " ", "Ann ", "9R", "9H=8S", "A K Q", "J J * | 5 5 7", "S", "♠", "*", "\0", "\u202e"),
    *("action", "player", "cards", "hands", "entries", "history", "to", "points", "seq"),
]
#: A handful of plain values that are nearly right more often than random ones are.
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 60),
    st.sampled_from([10**6, 10**6 + 1, 2**63, 2**64, 10**30, -(10**30), 1.5, -0.0, 1e300]),
    st.sampled_from(WORDS),
    st.text(max_size=30),
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    ),
    max_leaves=8,
)
often = settings(max_examples=150, deadline=None)


def answer(written: str | bytes) -> dict[str, Any]:
    """The result of a sheet, or the refusal; any other error is the program's fault."""
    try:
        sheet = read_sheet(written)
        course = play_through(sheet.game, sheet.table, sheet.entries)
    except RefereeError as error:
        assert error.faults
        assert all(fault.code and fault.message and fault.section for fault in error.faults)
        document = error_document(error)
    else:
        course.game.board(course.state)
        document = result(course)
        assert list(document["scores"]) == list(sheet.table.players)
        assert all(type(score) is int for score in document["scores"].values())
    assert msgspec.json.decode(msgspec.json.encode(document)) == document
    return document


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every container with a key or index in it, all the way down."""
    keys = value if isinstance(value, dict) else range(len(value) if isinstance(value, list) else 0)
    return [(value, key) for key in keys] + [deep for key in keys for deep in places(value[key])]


@st.composite
def altered(draw: st.DrawFn, sheet: dict[str, Any]) -> dict[str, Any]:
    """The sheet with one to three things in it changed, taken away, added or written twice."""
    sheet = copy.deepcopy(sheet)
    for _ in range(draw(st.integers(1, 3))):
        container, key = draw(st.sampled_from(places(sheet)))
        how = draw(st.sampled_from(["change", "change", "swap", "remove", "add", "twice"]))
        if how == "change":
            container[key] = draw(ANYTHING)
        elif how == "swap":
            other, there = draw(st.sampled_from(places(sheet)))
            container[key] = copy.deepcopy(other[there])
        elif how == "remove":
            del container[key]
        elif how == "twice" and isinstance(container, list):
            container.insert(key, copy.deepcopy(container[key]))
        elif isinstance(container, dict):
            container[draw(st.sampled_from(WORDS))] = draw(ANYTHING)
        else:
            container.insert(key, draw(ANYTHING))
        if not sheet:
            break
    return sheet


@often
@given(value=ANYTHING)
def test_any_json(value: Any) -> None:
    """No JSON value that is not a sheet is taken for one, and none breaks the reader."""
    assert "error" in answer(json.dumps(value))


@often
@given(noise=st.binary(max_size=60))
def test_any_bytes(noise: bytes) -> None:
    """No bytes break the reader."""
    assert "error" in answer(noise)


@pytest.mark.parametrize("sheet", PLAYED)
@often
@given(data=st.data())
def test_a_sheet_that_was_altered(sheet: dict[str, Any], data: st.DataObject) -> None:
    """A sheet with something changed is scored or refused, and nothing else happens."""
    answer(json.dumps(data.draw(altered(sheet))))


@pytest.mark.parametrize("sheet", PLAYED)
@often
@given(entries=st.data())
def test_entries_in_any_order(sheet: dict[str, Any], entries: st.DataObject) -> None:
    """The entries of a sheet in another order, some left out or repeated, are scored or refused."""
    some = entries.draw(st.lists(st.sampled_from(sheet["entries"]), max_size=12))
    found = answer(json.dumps({**sheet, "entries": some}))
    blamed = found.get("error", {"entry": 0})["entry"]
    assert 0 <= blamed <= len(some)


@pytest.mark.parametrize("sheet", PLAYED)
@often
@given(data=st.data())
def test_a_sheet_that_was_damaged(sheet: dict[str, Any], data: st.DataObject) -> None:
    """A file with bytes overwritten or cut off is scored or refused."""
    whole = bytearray(json.dumps(sheet, ensure_ascii=False).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    answer(bytes(whole[: data.draw(st.integers(0, len(whole)))]))
