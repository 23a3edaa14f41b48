"""The pages of a sheet: what they have in common, the targets of their forms, and its own pages."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from http.client import NO_CONTENT
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.chain import Mark
from referee.ledger.store import Glance
from referee.rules.core.entries import SHARED
from referee.rules.core.ruling import Fault
from referee.rules.text import NOTHING, Text, say, say_many
from referee.sheets.evening import won_against
from referee.sheets.news import Fact, ending_of, entered_first, last_change, plays_of
from referee.sheets.score_pad import Cell
from referee.sheets.sheet import OpenSheet
from referee.web import parts
from referee.web.context import (
    asks_for_a_part,
    book,
    glance_at,
    layout,
    phone_name,
    sheet_of,
    state,
    writer,
)
from referee.web.forms.decode import form_fault
from referee.web.forms.fields import described
from referee.web.forms.taps import Form
from referee.web.phone import opened, remember
from referee.web.serving.gateway import polled, takes_long
from referee.web.view.pad import shown
from referee.web.view.themes import theme_chosen

blueprint = Blueprint("sheet", __name__, url_prefix="/s/<token>")

SHEET, MORE, RECORD = "sheet/sheet.html", "sheet/more.html", "sheet/record.html"
MAX_SHOWN = 20  # of what was removed on the sheet's page, which each phone loads after each entry
# A page that is opened tells a change for so long: the eight seconds of its Undo, and a slow way.
JUST_MADE = timedelta(seconds=15)
#: Entries whose forms are on the page behind "More".
SHARED_ACTIONS = tuple(kind.__struct_config__.tag for kind in SHARED)


class FormTarget(Struct, frozen=True):
    """The target of the forms on a page: where they are sent, and the newest row they have seen.

    `preview_at` is the address of the preview while a form is filled in. For a correction `button`
    replaces the text of the buttons, `why` is its reason, and `only` the kind of entry, "" if all
    kinds are offered; `plain` forms load a page of their own.
    """

    record_at: str
    preview_at: str
    mark: Mark
    faults: Sequence[Fault] = ()
    button: Text = NOTHING
    why: str = ""
    only: str = ""
    plain: bool = False


def moved_on_fault(sheet: OpenSheet, seen: Mark, refused: Text) -> Fault:
    """Why something was `refused` whose writer had seen the sheet up to `seen`: what came since."""
    says = say("{refused}: {what}", refused=refused, what=entered_first(sheet, seen.seq))
    if sheet.rows_since(seen) is None:
        says = say(
            "{refused}: the score book was replaced by an earlier copy, and deals that you had "
            "seen are gone. Check the sheet. Is this still right?",
            refused=refused,
        )
    return form_fault("moved-on", says)


def sheet_page(token: str, sheet: OpenSheet, template: str, **more: Any) -> str:
    """A page of the sheet with its forms; `more` is what else it shows, such as a form sent."""
    # First: what is noted while the page is made is news to whoever asks with this tag.
    tag = replace(glance_at(token), mark=sheet.mark).tag
    page = {
        **seen(token, sheet),
        "tag": tag,
        "form": Form(),
        "target": FormTarget(
            record_at=url_for("record.record", token=token),
            preview_at=url_for("record.preview", token=token),
            mark=sheet.mark,
            faults=more.get("faults", ()),
        ),
        "phone": phone_name(),
    }
    if template == MORE:
        page["house_rules"] = described(sheet.table.options, len(sheet.table.players))
    return render_template(template, **page | more)


def seen(token: str, sheet: OpenSheet, most: int | None = MAX_SHOWN) -> dict[str, Any]:
    """What every page of a sheet shows; `most` limits what was removed, None means all."""
    removals = [fate.voided.seq for fate in reversed(sheet.fates.values()) if fate.voided]
    gone = list({sheet.acts[seq][0].seq: sheet.acts[seq] for seq in removals}.values())
    around = parts.around(sheet)
    return {
        "token": token,
        "sheet": sheet,
        "game": sheet.game,
        "table": sheet.state.table,
        "state": sheet.state,
        "board": sheet.board,
        "gone": [(act, plays_of(sheet, act)) for act in gone[:most]],
        "more_gone": len(gone[most:]) if most else 0,
        "pad": shown(sheet, around.colours, everything=most is None),
        "colours": around.colours,
        "last": last_change(sheet),
        "just_made": _just_made(sheet.changed),
        "ending": ending_of(sheet),
        "star": around.star,
        "scorer": next((row.by for row in reversed(sheet.history) if row.by), ""),
    }


def so_far(sheet: OpenSheet, entry: Mapping[str, Any]) -> dict[str, Cell]:
    """The scores by player from the hands in an incomplete entry, while others are missing."""
    lines = sheet.game.scores_so_far(sheet.state, sheet.game.read_entry(entry))
    told = {player for line in lines for player, points in line.gains if points}
    cells = sheet.pad.cells_with(lines, over=True)
    return {player: cell for player, cell in cells.items() if player in told and cell.points}


# --- the sheet's own pages, open to every link


@blueprint.get("")
def show(token: str) -> Response | AnyResponse:
    """The sheet's page, with the live board."""
    page = _cached(glance_at(token), SHEET)
    came_from = request.headers.get("HX-Current-URL", request.path).partition("#")[0]
    if not came_from.endswith(request.path):
        page.headers["HX-Push-Url"] = request.path  # after a redirect from another page's form
    # The service worker asks for its offline copy: nobody opens the sheet, and the answer may come
    # after others were opened, whose cookie it would overwrite.
    is_copy = request.headers.get("Purpose") == "prefetch"
    return page if is_copy else remember(page, token)


@blueprint.get("/board")
@polled
def board(token: str) -> Response:
    """The live part of the sheet's page; the gateway answers 304 if it has not changed."""
    glance = glance_at(token)
    # Whoever has another row is told of the change however late; not where only an extra has more.
    has_it = str(glance.mark) in request.headers.get("HX-PTag", "")
    answer = _cached(glance, "sheet/live.html", arrives=not has_it)
    answer.headers["HX-PTag"] = glance.tag
    return answer


@blueprint.get("/log")
@takes_long
def log(token: str) -> str:
    """All deals of the sheet."""
    sheet = sheet_of(token)
    return render_template("sheet/log.html", **seen(token, sheet, most=None))


@blueprint.get("/deals/<int:seq>")
def deal(token: str, seq: int) -> str:
    """The details of a row of the score pad: how each score arose, and who recorded it when."""
    sheet = sheet_of(token)
    row = sheet.pad.row(seq)
    if row is None:
        abort(404, str(say("That deal isn’t on this sheet.")))
    return render_template("sheet/deal.html", **seen(token, sheet), row=row)


@blueprint.get("/against")
def against(token: str) -> str | tuple[str, int]:
    """How often the winner and the runner-up have beaten each other, in this phone's games.

    No content if they have played no other game. It is not part of the sheet's page, as that is the
    same for every phone.
    """
    ending = ending_of(sheet_of(token))
    if ending is None or not ending.rivals:
        return "", NO_CONTENT
    here = [sheet for sheet in opened().sheets if book().trash.of(sheet) is None]
    played = [one for one in book().summaries.of(here) if one.played]
    winner, other = ending.rivals
    won, lost = won_against(played, winner, other)
    if won + lost < 2:
        return "", NO_CONTENT
    about = say("{player} against {other}", player=winner, other=other)
    says = say_many("{n} game to {other}", "{n} games to {other}", n=won, other=lost)
    return render_template("sheet/against.html", fact=Fact(about, says))


@blueprint.get("/record")
def record(token: str) -> Response:
    """The forms for recording an entry: a page, or for a script the content of the drawer."""
    writer(token)
    return _cached(glance_at(token), "sheet/form_only.html" if asks_for_a_part() else RECORD)


@blueprint.get("/more")
def more(token: str) -> str:
    """The page behind "More": rules, penalties and void deals, house rules, the file."""
    return sheet_page(token, sheet_of(token), MORE)


def _cached(glance: Glance, template: str, *, arrives: bool = False) -> Response:
    """A page that shows only the sheet, nothing filled in by anyone; cached per newest row.

    If the sheet moves on while it is made, it shows the new row, and is not requested again.
    """
    link, just_made = glance.link, arrives or _just_made(glance.at)

    def make() -> str:
        sheet = book().open(link, glance.mark)
        return sheet_page(link.token, sheet, template, just_made=just_made)

    # These change without a new row on this sheet.
    evening = state().evenings.place(link.document) if glance.evening is not None else None
    around = (evening, *parts.stages(glance))
    phone = (layout(), theme_chosen().slug, request.script_root)
    key = (link.token, glance.mark, template, just_made, *around, *phone)
    return state().pages.answer(key, make)


def _just_made(at: str) -> bool:
    """Whether a page that is opened still tells of a change made at this time (ISO 8601)."""
    now = book().now()
    return (datetime.fromisoformat(now) - JUST_MADE).isoformat() <= at <= now
