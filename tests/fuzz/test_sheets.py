"""Altered sheet files and histories are refused in words, or imported soundly."""

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from flask import Flask
from hypothesis import given
from hypothesis import strategies as st

from referee.rules.core.ruling import RefereeError
from referee.sheets.files import play_through, read_sheet, result
from referee.sheets.sheet import as_file
from referee.web.context import state
from tests.fuzz.sound import assert_sound, fuzzed
from tests.reliability import model
from tests.support.altered import altered
from tests.support.books import with_history
from tests.support.cases import EXAMPLES

ONCE_BROKE = sorted(Path(__file__).with_name("histories").glob("*.json"))


def take_in(app: Flask, file: Mapping[str, Any]) -> None:
    """Import this file unless it is refused; check that it is sound and exports the same."""
    try:
        sheet = read_sheet(json.dumps(file))
        course = play_through(sheet.game, sheet.table, sheet.entries)
    except RefereeError:
        return
    msgspec.json.encode(result(course))
    opened = assert_sound(app, state(app).book.import_sheet(sheet).document)
    again = read_sheet(json.dumps(as_file(opened)))
    assert (again.entries, again.table) == (sheet.entries, sheet.table)


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
@fuzzed(18)
@given(data=st.data())
def test_altered_files_do_no_harm(app: Flask, sheet: dict[str, Any], data: st.DataObject) -> None:
    """With changed settings or entries."""
    take_in(app, data.draw(altered(sheet)))


@st.composite
def other_histories(draw: st.DrawFn, sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet with an altered history, with matching entries and settings if there are any."""
    sheet = with_history(sheet)
    rows = draw(altered(sheet["history"]))
    if draw(st.booleans()):
        rows = [{**row, "seq": n} for n, row in enumerate(rows, 1) if isinstance(row, dict)]
    with suppress(LookupError, TypeError, AttributeError, ValueError):  # the rows yield nothing
        sheet["entries"] = model.entries(rows)
        for row in rows:
            if row["kind"] == "note":
                sheet |= row["agreed"]["becomes"]
    return {**sheet, "history": rows}


@pytest.mark.parametrize("sheet", EXAMPLES.values(), ids=EXAMPLES)
@fuzzed(10)
@given(data=st.data())
def test_altered_rows_do_no_harm(app: Flask, sheet: dict[str, Any], data: st.DataObject) -> None:
    """One of amendments and voids, altered anywhere."""
    take_in(app, data.draw(other_histories(sheet)))


@pytest.mark.parametrize("path", ONCE_BROKE, ids=lambda path: path.stem)
def test_a_history_that_once_broke_something_is_refused_or_sound(app: Flask, path: Path) -> None:
    """It was accepted once, although a page or `verify` then failed."""
    take_in(app, json.loads(path.read_text(encoding="utf-8")))
