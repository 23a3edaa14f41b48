"""The page of a sheet that cannot be played through: why, and what was written on it.

Whatever page of it is asked for, this is the answer, with status 500: what was asked for could not
be done, and a phone whose entry waits keeps it until the sheet can be opened again.
"""

import traceback

from flask import Flask, current_app, render_template, request

from referee.sheets.sickness import SickSheetError, seen, told
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
