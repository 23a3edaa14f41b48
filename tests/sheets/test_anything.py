"""Whatever is handed in as a sheet, the answer is a score or a refusal that says why."""

import json
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from referee.rules.core.ruling import RefereeError
from referee.rules.documents import error_document
from referee.rules.registry import GAMES
from referee.sheets.files import play_through, read_sheet, result
from tests.support.altered import ANYTHING
from tests.support.cases import EXAMPLES

PLAYED = [pytest.param(sheet, id=slug) for slug, sheet in EXAMPLES.items() if slug in GAMES]
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


@often
@given(value=ANYTHING)
@example(value="\ud800")
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
def test_a_sheet_that_was_damaged(sheet: dict[str, Any], data: st.DataObject) -> None:
    """A file with bytes overwritten or cut off is scored or refused."""
    whole = bytearray(json.dumps(sheet, ensure_ascii=False).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        whole[data.draw(st.integers(0, len(whole) - 1))] = data.draw(st.integers(0, 255))
    answer(bytes(whole[: data.draw(st.integers(0, len(whole)))]))
