"""Export a sheet: as a file, for a spreadsheet, and as a page to print."""

import re
from collections.abc import Sequence

import msgspec
from flask import Blueprint, Response
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.integrity import as_written
from referee.ledger.store import ROLES
from referee.sheets.score_pad import pad_csv
from referee.sheets.sheet import OpenSheet, SickSheetError, as_file, file_as_written
from referee.web.answers.pages import Shown, render
from referee.web.context import book, link_of, onward, sheet_of
from referee.web.forms.fields import Described, described
from referee.web.phone import opened
from referee.web.serving.routes import LONG, declares
from referee.web.sheet.page import OnSheet, on_sheet
from referee.web.sheet.sharing import shared_link

blueprint = Blueprint("export", __name__, url_prefix="/s/<token>")


class PaperPage(Shown, frozen=True):
    """A sheet to print: the `address` to view it, its `unusual` house rules, the way `back`."""

    templates = ("sheet/print.html",)
    on: OnSheet
    back: str
    address: str
    unusual: Sequence[Described]


@blueprint.get("/standings.csv")
@declares(LONG)
def standings(token: str) -> Response:
    """The score pad as CSV, a row per deal, with a byte order mark so that Excel reads UTF-8."""
    sheet = sheet_of(token)
    content = pad_csv(sheet.pad).encode("utf-8-sig")
    return _download(content, "text/csv", _name(sheet, "csv"))


@blueprint.get("/sheet.json")
@declares(LONG)
def file(token: str) -> Response:
    """The sheet as a JSON file; if it cannot be played through, its rows as written."""
    link = link_of(token)
    try:
        sheet = book().open(link)
    except SickSheetError:
        content = file_as_written(as_written(book().ledger, link.document))
        name = "sheet-as-written.json"
    else:
        content, name = as_file(sheet), _name(sheet, "json")
    written = msgspec.json.format(msgspec.json.encode(content), indent=1)
    return _download(written, "application/json", name)


def _name(sheet: OpenSheet, ending: str) -> str:
    """The file name: the game as its players call it, and the day the sheet was begun."""
    called = re.sub("[^a-z0-9]+", "-", sheet.called.lower()).strip("-") or sheet.game.slug
    day = "".join(letter for letter in sheet.begun[:10] if letter in "0123456789-")
    return f"{called}-{day}.{ending}"


def _download(content: bytes, mimetype: str, name: str) -> Response:
    answer = Response(content, mimetype=mimetype)
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


@blueprint.get("/print")
@declares(LONG)
def on_paper(token: str) -> str | AnyResponse:
    """The page to print, always at the address of the view link.

    Browsers print a page's address in its footer, and a link that can write must not be on paper.
    """
    link = link_of(token)
    view = book().hosting.links(link)["view"]
    if token != view:
        return onward("export.on_paper", token=view)
    sheet = sheet_of(token)
    own = opened().sheets.get(link.document, link)
    players = len(sheet.table.players)
    usual = described(sheet.game.house_rules(), players)
    page = PaperPage(
        on_sheet(token, sheet, sheet.pad.filled_rows),
        # Go back to the strongest link that this phone has opened.
        back=max(link, own, key=lambda one: ROLES.index(one.role)).token,
        address=shared_link(link, "view"),
        unusual=[one for one in described(sheet.table.options, players) if one not in usual],
    )
    return render(page)
