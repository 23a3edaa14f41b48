"""The sheet as a file, and its score pad for a spreadsheet."""

import msgspec
from flask import Blueprint, Response

from referee.sheets.sheet import OpenSheet
from referee.sheets.spreadsheet import pad_csv
from referee.sheets.work import spend
from referee.web.context import book, sheet_of

blueprint = Blueprint("export", __name__, url_prefix="/s/<token>")


@blueprint.get("/standings.csv")
def standings(token: str) -> Response:
    """The score pad, a row a deal; its first bytes tell Excel it is UTF-8."""
    sheet = sheet_of(token)
    spend(len(sheet.course.steps))
    return _download(sheet, pad_csv(sheet).encode("utf-8-sig"), "text/csv", "csv")


@blueprint.get("/sheet.json")
def file(token: str) -> Response:
    """The sheet as a file."""
    sheet = sheet_of(token)
    text = msgspec.json.format(msgspec.json.encode(book().export(sheet)), indent=1)
    return _download(sheet, text, "application/json", "json")


def _download(sheet: OpenSheet, content: bytes, mimetype: str, ending: str) -> Response:
    """Content as a file that is named after the game and the day the sheet was begun."""
    answer = Response(content, mimetype=mimetype)
    name = f"{sheet.game.slug}-{sheet.begun[:10]}.{ending}"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer
