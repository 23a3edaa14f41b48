"""The sheet on one clean page, for paper."""

from flask import Blueprint, render_template
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.store import Link
from referee.sheets.hosting import ROLES
from referee.sheets.sheet import OpenSheet
from referee.web.context import book, link_of, onward, sheet_of
from referee.web.forms.fields import Described, described
from referee.web.phone import opened_here
from referee.web.serving.gateway import takes_long
from referee.web.sheet.page import seen
from referee.web.sheet.sharing import shared_link

blueprint = Blueprint("printing", __name__, url_prefix="/s/<token>")


@blueprint.get("/print")
@takes_long
def show(token: str) -> str | AnyResponse:
    """The page to print; its address is always that of the viewer’s link.

    Browsers print a page's address at its foot, and a link that writes must not get onto paper.
    """
    link = link_of(token)
    view = book().hosting.links(link)["view"]
    if token != view:
        return onward("printing.show", token=view)
    sheet = sheet_of(token)
    return render_template(
        "sheet/print.html",
        **seen(token, sheet, most=None),
        back=_own_token(link),
        address=shared_link(link, "view"),
        unusual=_unusual_rules(sheet),
    )


def _own_token(link: Link) -> str:
    """The strongest link to the sheet that this phone has opened: where the way back leads."""
    own = opened_here().get(link.sheet, link)
    return max(link, own, key=lambda one: ROLES.index(one.role)).token


def _unusual_rules(sheet: OpenSheet) -> list[Described]:
    """The house rules that differ from what is usual, in words."""
    players = len(sheet.table.players)
    usual = described(sheet.game.house_rules(), players)
    return [one for one in described(sheet.table.options, players) if one not in usual]
