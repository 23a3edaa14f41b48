"""The page of a sheet that cannot be played through: why, and the rows written on it.

It replaces every page of that sheet, with status 500, so that a phone with an unsent entry keeps
it until the sheet can be opened again.
"""

import traceback
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
from flask import Flask, current_app, request

from referee.ledger.integrity import WrittenRow, as_written
from referee.rules.text import Text
from referee.sheets.sheet import SickSheetError
from referee.sheets.summaries import Summary
from referee.web.answers.pages import Shown, render
from referee.web.context import book

MAX_SHOWN = 200  # of the latest rows; the exported file has all


class SickPage(Shown, frozen=True):
    """Why a sheet cannot be played through, and its latest `rows`; `earlier` ones are left out.

    `token` is "" if the page was not opened by the sheet's own link. `whole`: the disk has lost no
    part of it. `printable` makes any text fit for a page.
    """

    templates = ("sheet/sick.html",)
    token: str
    is_host: bool
    summary: Summary
    why: Text
    whole: bool
    rows: Sequence[tuple[WrittenRow, Sequence[tuple[str, str]]]]
    earlier: int
    printable: Callable[[str], str]


def install(app: Flask) -> None:
    """Register the page for sick sheets with `app`; each is logged once."""
    logged: set[tuple[int, str]] = set()

    def answer(error: SickSheetError) -> tuple[str, int]:
        ailment = (error.sheet, str(error.why))
        if ailment not in logged:
            logged.add(ailment)
            # The path is not logged: a sheet's link is a secret, and part of the path.
            trace = "".join(traceback.format_exception(error))
            current_app.logger.error("Sheet %s can't be played through\n%s", error.sheet, trace)
        link = book().ledger.link((request.view_args or {}).get("token", ""))
        own = link if link and link.document == error.sheet else None  # not that of a document
        written = as_written(book().ledger, error.sheet)
        latest = written.rows[-MAX_SHOWN:][::-1]
        page = SickPage(
            own.token if own else "",
            is_host=own is not None and own.role == "host",
            summary=book().summaries.of([error.sheet])[0],
            why=error.why,
            whole=written.whole,
            rows=[(row, readable_fields(row)) for row in latest],
            earlier=len(written.rows) - len(latest),
            printable=printable,
        )
        return render(page), 500

    app.register_error_handler(SickSheetError, answer)


def readable_fields(row: WrittenRow) -> Sequence[tuple[str, str]]:
    """A row's fields as (name, value), printable; if it can't be decoded, its text under ""."""
    try:
        fields = msgspec.json.decode(row.body, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return [("", printable(row.body))]
    return [
        (
            printable(name),
            printable(value if isinstance(value, str) else msgspec.json.encode(value).decode()),
        )
        for name, value in fields.items()
    ]


def printable(text: str) -> str:
    """The text with each unprintable character replaced by U+FFFD."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
