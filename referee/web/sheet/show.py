"""The sheet as everybody sees it: its board, its log, its entry form."""

from flask import Blueprint, Response, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.store import Glance
from referee.rules.text import say
from referee.sheets.evening import won_against
from referee.web.context import (
    asks_for_a_copy,
    asks_for_a_part,
    book,
    glance_at,
    layout,
    sheet_of,
    state,
    writer,
)
from referee.web.phone import opened_here, remember
from referee.web.serving.gateway import polled, tag_of, tags_held, takes_long
from referee.web.sheet.page import MORE, SHEET, SentForm, seen, sheet_page
from referee.web.site.theme import chosen
from referee.web.view.result import ending_of, head_to_head

blueprint = Blueprint("sheet", __name__, url_prefix="/s/<token>")

LIVE, FORM, RECORD = "sheet/live.html", "sheet/form_only.html", "sheet/record.html"

Answer = str | tuple[str, int] | Response | AnyResponse


@blueprint.get("")
def show(token: str) -> Answer:
    """The sheet, live."""
    page = _cached(glance_at(token), SHEET)
    came_from = request.headers.get("HX-Current-URL", request.path).partition("#")[0]
    if not came_from.endswith(request.path):
        page.headers["HX-Push-Url"] = request.path  # a form on another page led here
    return page if asks_for_a_copy() else remember(page, token)


@blueprint.get("/board")
@polled
def board(token: str) -> Answer:
    """The part of the sheet that anybody may see change; 304 while it has not."""
    glance = glance_at(token)
    tag = tag_of(glance.link.role, glance.mark)
    if tag in tags_held(request.headers.get("HX-PTag"), request.headers.get("If-None-Match")):
        return Response(status=304)
    answer = _cached(glance, LIVE)
    answer.headers["HX-PTag"] = tag
    # Compressed it is the same board, but not the same bytes.
    answer.set_etag(tag, weak="Content-Encoding" in answer.headers)
    return answer


@blueprint.get("/log")
@takes_long
def log(token: str) -> str:
    """All deals of the sheet, however many they are."""
    sheet = sheet_of(token)
    return render_template("sheet/log.html", **seen(token, sheet, most=None))


@blueprint.get("/deals/<int:seq>")
def deal(token: str, seq: int) -> str:
    """A row of the score pad, unfolded: how each score came about, who wrote it down and when."""
    sheet = sheet_of(token)
    row = sheet.pad.row(seq)
    if row is None:
        abort(404, str(say("That deal isn’t on this sheet.")))
    return render_template("sheet/deal.html", **seen(token, sheet), row=row)


@blueprint.get("/against")
def against(token: str) -> str:
    """How often the winner and the one behind have beaten each other, by this phone's own games.

    Nothing where they have no other game behind them. This is no part of the sheet's page, which
    is the same for every phone.
    """
    ending = ending_of(sheet_of(token))
    if ending is None or not ending.rivals:
        return ""
    here = [sheet for sheet in opened_here() if book().trash.of(sheet) is None]
    played = [one for one in book().summaries.of(here) if one.played]
    won = won_against(played, *ending.rivals)
    if sum(won) < 2:
        return ""
    return render_template("sheet/against.html", fact=head_to_head(ending.rivals, won))


@blueprint.get("/record")
def record(token: str) -> Answer:
    """What can be recorded now: a page of its own, or for a script what the drawer holds."""
    writer(token)
    return _cached(glance_at(token), FORM if asks_for_a_part() else RECORD)


@blueprint.get("/more")
def more(token: str) -> str:
    """The rules, penalties and void deals, house rules, the file."""
    return sheet_page(token, sheet_of(token), SentForm(), MORE)


def _cached(glance: Glance, template: str) -> Response:
    """A page that shows nothing but the sheet, without the form of anybody; made once for each row.

    Should the sheet move on before it is made, it shows that too, and is not asked for again.
    """
    link = glance.link

    def make() -> str:
        sheet = book().open(link)
        return sheet_page(link.token, sheet, SentForm(), template)

    evening = state().evenings.place(link.sheet)  # grows by itself
    phone = (layout(), chosen().slug, request.script_root)
    return state().pages.answer((link.token, glance.mark, template, evening, *phone), make)
