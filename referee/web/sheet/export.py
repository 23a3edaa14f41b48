"""The sheet as a file, and its score pad for a spreadsheet."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from flask import Blueprint, Response

from referee.sheets.score_pad import pad_csv
from referee.sheets.sheet import OpenSheet, SickSheetError, as_file, file_as_written
from referee.web.context import book, link_of, sheet_of
from referee.web.serving.gateway import takes_long

blueprint = Blueprint("export", __name__, url_prefix="/s/<token>")


@blueprint.get("/standings.csv")
@takes_long
def standings(token: str) -> Response:
    """The score pad, a row a deal; its first bytes tell Excel it is UTF-8."""
    sheet = sheet_of(token)
    content = pad_csv(sheet.game, sheet.pad).encode("utf-8-sig")
    return _download(content, "text/csv", _name(sheet, "csv"))


@blueprint.get("/sheet.json")
@takes_long
def file(token: str) -> Response:
    """The sheet as a file; one that cannot be played through as it was written."""
    link = link_of(token)
    try:
        sheet = book().open(link)
    except SickSheetError:
        written = book().as_written(link.sheet)
        return _download(
            _json(file_as_written(written)), "application/json", "sheet-as-written.json"
        )
    return _download(_json(as_file(sheet)), "application/json", _name(sheet, "json"))


def _json(document: Mapping[str, Any]) -> bytes:
    return msgspec.json.format(msgspec.json.encode(document), indent=1)


def _name(sheet: OpenSheet, ending: str) -> str:
    """A name after the game, as its players call it, and the day the sheet was begun."""
    called = re.sub("[^a-z0-9]+", "-", sheet.called.lower()).strip("-") or sheet.game.slug
    day = "".join(letter for letter in sheet.begun[:10] if letter in "0123456789-")
    return f"{called}-{day}.{ending}"


def _download(content: bytes, mimetype: str, name: str) -> Response:
    """Content as a file of this name."""
    answer = Response(content, mimetype=mimetype)
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer
