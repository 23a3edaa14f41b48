"""The page of a sheet that cannot be played through: why, and what was written on it.

Whatever page of it is asked for, this is the answer, with status 500: what was asked for could not
be done, and a phone whose entry waits keeps it until the sheet can be opened again.
"""

import traceback
from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Flask, current_app, render_template, request

from referee.ledger.integrity import WrittenRow
from referee.sheets.sheet import SickSheetError
from referee.web.context import book

MAX_SHOWN = 200  # rows, the latest; the file has all


def install(app: Flask) -> None:
    """Let `app` answer for sick sheets, and note each of them once."""
    noted: set[tuple[int, str]] = set()

    def answer(error: SickSheetError) -> tuple[str, int]:
        ailment = (error.sheet, str(error.why))
        if ailment not in noted:
            noted.add(ailment)
            # Not the path: a sheet's link is a secret, and it is part of the path.
            trace = "".join(traceback.format_exception(error))
            current_app.logger.error("Sheet %s can't be played through\n%s", error.sheet, trace)
        return _page(error), 500

    app.register_error_handler(SickSheetError, answer)


def _page(error: SickSheetError) -> str:
    token = (request.view_args or {}).get("token", "")
    link = book().find(token)
    summary = book().summaries.of([error.sheet])[0]
    written = book().as_written(error.sheet)
    latest = written.rows[-MAX_SHOWN:][::-1]
    return render_template(
        "sheet/sick.html",
        token=token,
        is_host=link is not None and link.role == "host",
        summary=summary,
        why=error.why,
        whole=written.whole,
        rows=[(row, told(row)) for row in latest],
        earlier=len(written.rows) - len(latest),
        seen=seen,
    )


def told(row: WrittenRow) -> Sequence[tuple[str, str]]:
    """What a row says, field by field; in one piece under no name where it cannot be taken apart.

    For people: what cannot be seen is replaced.
    """
    try:
        fields = msgspec.json.decode(row.body, type=dict[str, Any])
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return [("", seen(row.body))]
    return [
        (seen(name), seen(value if isinstance(value, str) else msgspec.json.encode(value).decode()))
        for name, value in fields.items()
    ]


def seen(text: str) -> str:
    """Text as it can be shown: whatever cannot be seen is replaced by a sign that can."""
    return "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
