"""The sheet as a file, and its standings for a spreadsheet."""

import msgspec
from flask import Blueprint, Response

from referee.sheets.spreadsheet import standings_csv
from referee.web.context import book, sheet_of

blueprint = Blueprint("export", __name__, url_prefix="/s/<token>")


@blueprint.get("/standings.csv")
def standings(token: str) -> Response:
    """The running totals, a line a player per entry; its first bytes tell Excel it is UTF-8."""
    sheet = sheet_of(token)
    answer = Response(standings_csv(sheet).encode("utf-8-sig"), mimetype="text/csv")
    name = f"{sheet.game.slug}-{sheet.begun[:10]}.csv"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


@blueprint.get("/sheet.json")
def file(token: str) -> Response:
    """The sheet as a file."""
    sheet = sheet_of(token)
    text = msgspec.json.format(msgspec.json.encode(book().export(sheet)), indent=1)
    answer = Response(text, mimetype="application/json")
    name = f"{sheet.game.slug}-{sheet.begun[:10]}.json"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer
