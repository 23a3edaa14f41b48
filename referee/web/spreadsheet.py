"""The standings of a sheet for a spreadsheet."""

from flask import Blueprint, Response

from referee.sheets.spreadsheet import standings_csv
from referee.web.desk import sheet_of

blueprint = Blueprint("spreadsheet", __name__, url_prefix="/s/<token>")


@blueprint.get("/standings.csv")
def standings(token: str) -> Response:
    """The running totals, a line a player per entry; its first bytes tell Excel it is UTF-8."""
    sheet = sheet_of(token)
    answer = Response(standings_csv(sheet).encode("utf-8-sig"), mimetype="text/csv")
    name = f"{sheet.game.slug}-{sheet.begun[:10]}.csv"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer
