"""Show a sheet: its page with the live board, the log, a deal, and the forms for an entry."""

from http.client import NO_CONTENT

from flask import Blueprint, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.store import Glance
from referee.rules.language import spoken
from referee.rules.text import say, say_many
from referee.sheets.evening import won_against
from referee.sheets.hosting import require
from referee.sheets.news import Fact, ending_of
from referee.sheets.score_pad import PadRow
from referee.web.answers.pages import Shown, render
from referee.web.context import asks_for_a_part, book, glance_at, layout, onward, sheet_of, state
from referee.web.extras import web_parts
from referee.web.forms.taps import Form
from referee.web.phone import has_opened, remember
from referee.web.serving.routes import LONG, POLLED, declares
from referee.web.sheet.page import (
    DRAWER,
    LIVE,
    RECORD,
    SHEET,
    OnSheet,
    Removed,
    Sent,
    is_just_made,
    more_page,
    on_sheet,
    removed,
    sheet_page,
)
from referee.web.view.themes import theme_chosen

blueprint = Blueprint("sheet", __name__, url_prefix="/s/<token>")


class LogPage(Shown, frozen=True):
    """The log: all deals of a sheet."""

    templates = ("sheet/log.html",)
    on: OnSheet
    removed: Removed


class DealPage(Shown, frozen=True):
    """A row of the score pad, unfolded."""

    templates = ("sheet/deal.html",)
    on: OnSheet
    row: PadRow


class AgainstPage(Shown, frozen=True):
    """The line that says how often two players have beaten each other."""

    templates = ("sheet/against.html",)
    fact: Fact


@blueprint.get("")
def show(token: str) -> Response | AnyResponse:
    """The sheet's page, with the live board; a first visit may lead to the page of an extra.

    `watch` in the address asks for the sheet itself: also a phone without cookies can look.
    """
    # The service worker asks for its offline copy: nobody opens the sheet, and the answer may come
    # after others were opened, whose cookie it would overwrite.
    is_copy, glance = request.headers.get("Purpose") == "prefetch", glance_at(token)
    if not (is_copy or has_opened(token) or "watch" in request.args):
        for entrance in filter(None, (part.entrance(glance) for part in web_parts())):
            return onward(entrance, token=token)
    page = _cached(glance, SHEET)
    came_from = request.headers.get("HX-Current-URL", "").partition("#")[0]
    if came_from and not came_from.endswith(request.path):
        page.headers["HX-Push-Url"] = request.path  # after a redirect from another page's form
    return page if is_copy else remember(page, token)


@blueprint.get("/board")
@declares(POLLED)
def board(token: str) -> Response:
    """The live part of the sheet's page; the gateway answers 304 if it has not changed."""
    glance = glance_at(token)
    # A phone with an older row is shown the change, however late; not if only an extra has news.
    has_it = str(glance.mark) in request.headers.get("HX-PTag", "")
    answer = _cached(glance, LIVE, is_news=not has_it)
    answer.headers["HX-PTag"] = glance.tag
    return answer


@blueprint.get("/log")
@declares(LONG)
def log(token: str) -> str:
    """The log: all deals of a sheet, the oldest first."""
    sheet = sheet_of(token)
    deals = sheet.pad.filled_rows  # the order of the log
    return render(LogPage(on_sheet(token, sheet, deals), removed(sheet, most=None)))


@blueprint.get("/deals/<int:seq>")
def deal(token: str, seq: int) -> str:
    """The details of a row of the score pad: how each score arose, and who recorded it when."""
    sheet = sheet_of(token)
    row = sheet.pad.row(seq)
    if row is None:
        abort(404, str(say("That deal isn’t on this sheet.")))
    return render(DealPage(on_sheet(token, sheet), row))


@blueprint.get("/against")
def against(token: str) -> str | tuple[str, int]:
    """How often the winner and the runner-up have beaten each other in the evening.

    No content if they have played no other game in it. It is not part of the sheet's page, which is
    cached while the other sheets of the evening may change.
    """
    glance = glance_at(token)
    ending = ending_of(book().open(glance.link, glance.mark))
    if ending is None or not ending.rivals:
        return "", NO_CONTENT
    evening = state().evenings.open_to_all(glance.link)
    played = [one for one in evening if one.played]
    winner, other = ending.rivals
    won, lost, met = won_against(played, winner, other)
    if met < 2:
        return "", NO_CONTENT
    about = say("{player} against {other} this evening", player=winner, other=other)
    says = say_many("{n} game to {other}", "{n} games to {other}", n=won, other=lost)
    return render(AgainstPage(Fact(about, says)))


@blueprint.get("/record")
def record(token: str) -> Response:
    """The forms for recording an entry: a page, or for a script the content of the drawer."""
    glance = glance_at(token)
    require(glance.link, "score")
    return _cached(glance, DRAWER if asks_for_a_part() else RECORD)


@blueprint.get("/more")
def more(token: str) -> str:
    """The page behind "More": rules, penalties and void deals, house rules, the file.

    An address may fill in one of its forms.
    """
    return more_page(token, sheet_of(token), Sent(Form(request.args)))


def _cached(glance: Glance, template: str, *, is_news: bool = False) -> Response:
    """A page that shows only the sheet, with empty forms; cached per newest row.

    `is_news`: the phone has an older row, so the change is shown as just made. If the sheet moves
    on while the page is made, the page shows the newer row.
    """
    link, just_made = glance.link, is_news or is_just_made(glance.at)

    def make() -> str:
        sheet = book().open(link, glance.mark)
        return sheet_page(glance, sheet, template, just_made=just_made)

    # These change without a new row on this sheet.
    around = (glance.evening, *[part.stage(glance) for part in web_parts()])
    phone = (layout(), spoken().tag, spoken().letters, theme_chosen().slug)
    key = (link.token, glance.mark, template, just_made, *around, *phone)
    return state().pages.answer(key, make)
