"""The pages of a sheet: what they have in common, the targets of their forms, and its own pages."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from http.client import NO_CONTENT
from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from msgspec import Struct, field
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.chain import Mark
from referee.ledger.store import Glance
from referee.rules.core.entries import SHARED
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Board, State, Table
from referee.rules.language import spoken
from referee.rules.text import NOTHING, Text, say, say_many
from referee.sheets.evening import won_against
from referee.sheets.history import Past
from referee.sheets.hosting import require
from referee.sheets.news import (
    Ending,
    Fact,
    LastChange,
    Play,
    ending_of,
    entered_first,
    last_change,
    plays_of,
)
from referee.sheets.score_pad import Cell, PadRow
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.context import (
    asks_for_a_part,
    book,
    glance_at,
    layout,
    onward,
    phone_name,
    sheet_of,
    state,
)
from referee.web.extras import Star, around_sheet, web_parts
from referee.web.forms.decode import form_fault
from referee.web.forms.fields import Described, described
from referee.web.forms.taps import Form
from referee.web.phone import has_opened, opened, remember
from referee.web.serving.gateway import polled, takes_long
from referee.web.view.pad import ShownPad, shown
from referee.web.view.themes import theme_chosen

blueprint = Blueprint("sheet", __name__, url_prefix="/s/<token>")

SHEET, LIVE = "sheet/sheet.html", "sheet/live.html"
RECORD, DRAWER = "sheet/record.html", "sheet/form_only.html"
MAX_SHOWN = 20  # of what was removed on the sheet's page, which each phone loads after each entry
# How late after a change a page may be opened and still offer Undo, as some networks are slow. How
# long it then stays is `undo-stays` in `sheet.css`.
JUST_MADE = timedelta(seconds=15)
#: Entries whose forms are on the page behind "More".
SHARED_ACTIONS = tuple(kind.__struct_config__.tag for kind in SHARED)
Acts = Sequence[tuple[Sequence[Past], Sequence[Play]]]


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

    @property
    def is_shared(self) -> bool:
        """Whether the entry that is corrected is of a kind that every game has."""
        return self.only in SHARED_ACTIONS


class OnSheet(Shown, frozen=True):
    """A sheet with its pad; `state`, `table` and `board` may be those before a corrected entry.

    `colors` are the players’, from 1; `star` is a highlight in the last deal.
    """

    token: str
    sheet: OpenSheet
    game: AnyGame
    table: Table[Any]
    state: State[Any]
    board: Board
    pad: ShownPad
    colors: Mapping[str, int]
    last: LastChange | None
    star: Star | None


class Removed(Shown, frozen=True):
    """What was removed, the latest first, and how many acts more than are shown."""

    gone: Acts
    more_gone: int


class Sent(Shown, frozen=True):
    """A form as it was sent, and why it was refused: faults, or because it came too `late`.

    `between` is what was recorded since the form was made.
    """

    form: Form = field(default_factory=Form)
    faults: Sequence[Fault] = ()
    late: Text | None = None
    between: Acts = ()


class SheetPage(Shown, frozen=True):
    """The sheet’s page, its live part, and its drawer; `tag` is that of the board.

    `in_evening` is the sheet's place in its evening, and how many that has; or 0 and 0.
    `noted` is the newest row that each extra has about it. `just_made`: the last change is still
    shown. `scorer` is the name of the phone that wrote it.
    """

    templates = (SHEET, LIVE, RECORD, DRAWER)
    on: OnSheet
    removed: Removed
    sent: Sent
    target: FormTarget
    tag: str
    noted: Mapping[str, int]
    in_evening: tuple[int, int]
    just_made: bool
    ending: Ending | None
    scorer: str


class MorePage(Shown, frozen=True):
    """The page behind “More”; `in_evening` as on `SheetPage`.

    `phone_faults` are those of the name typed for this `phone`.
    """

    templates = ("sheet/more.html",)
    on: OnSheet
    sent: Sent
    target: FormTarget
    house_rules: Sequence[Described]
    in_evening: tuple[int, int]
    phone: str
    phone_faults: Sequence[Fault]


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


def moved_on_fault(sheet: OpenSheet, seen: Mark, refused: Text) -> Fault:
    """The fault that something was `refused` because of rows that came after `seen`."""
    says = say("{refused}: {what}", refused=refused, what=entered_first(sheet, seen.seq))
    if sheet.rows_since(seen) is None:
        says = say(
            "{refused}: the score book was replaced by an earlier copy, and deals that you had "
            "seen are gone. Check the sheet. Is this still right?",
            refused=refused,
        )
    return form_fault("moved-on", says)


def sheet_page(
    glance: Glance,
    sheet: OpenSheet,
    template: str,
    sent: Sent | None = None,
    *,
    just_made: bool | None = None,
) -> str:
    """A page of the sheet with the drawer of its forms, as `sent` or empty.

    The `glance` comes before it: otherwise a poll with its tag would miss a change made meanwhile.
    """
    token, glance = glance.link.token, replace(glance, mark=sheet.mark)
    sent = sent or Sent()
    page = SheetPage(
        on_sheet(token, sheet),
        removed(sheet),
        sent,
        _target(token, sheet, sent),
        tag=glance.tag,
        noted=glance.noted,
        in_evening=(0, 0) if glance.evening is None else state().evenings.place(sheet.id),
        just_made=_just_made(sheet.changed) if just_made is None else just_made,
        ending=ending_of(sheet),
        scorer=next(
            (row.by for row in reversed(sheet.history) if row.by and row.kind == "play"), ""
        ),
    )
    return render(page, template)


def more_page(
    token: str,
    sheet: OpenSheet,
    sent: Sent | None = None,
    *,
    phone: str | None = None,
    phone_faults: Sequence[Fault] = (),
) -> str:
    """The page behind "More", with a form or a name for the `phone` as it was sent."""
    sent = sent or Sent()
    page = MorePage(
        on_sheet(token, sheet),
        sent,
        _target(token, sheet, sent),
        house_rules=described(sheet.table.options, len(sheet.table.players)),
        in_evening=state().evenings.place(sheet.id),
        phone=phone_name() if phone is None else phone,
        phone_faults=phone_faults,
    )
    return render(page)


def _target(token: str, sheet: OpenSheet, sent: Sent) -> FormTarget:
    return FormTarget(
        record_at=url_for("record.record", token=token),
        preview_at=url_for("record.preview", token=token),
        mark=sheet.mark,
        faults=sent.faults,
    )


def on_sheet(token: str, sheet: OpenSheet, rows: Sequence[PadRow] | None = None) -> OnSheet:
    """What pages show of a sheet, with these rows of its pad, all of them, or with its latest."""
    around = around_sheet(sheet)
    return OnSheet(
        token,
        sheet,
        sheet.game,
        sheet.state.table,
        sheet.state,
        sheet.board,
        pad=shown(sheet, around.colors, rows),
        colors=around.colors,
        last=last_change(sheet),
        star=around.star,
    )


def removed(sheet: OpenSheet, most: int | None = MAX_SHOWN) -> Removed:
    """The acts that were removed: the latest `most`, or all of them."""
    removals = [fate.voided.seq for fate in reversed(sheet.fates.values()) if fate.voided]
    gone = list({sheet.acts[seq][0].seq: sheet.acts[seq] for seq in removals}.values())
    told = [(act, plays_of(sheet, act)) for act in gone[:most]]
    return Removed(told, len(gone) - len(told))


def so_far(sheet: OpenSheet, entry: Mapping[str, Any]) -> dict[str, Cell]:
    """The scores by player from the hands in an incomplete entry, while others are missing."""
    lines = sheet.game.scores_so_far(sheet.state, sheet.game.read_entry(entry))
    told = {player for line in lines for player, points in line.gains if points}
    cells = sheet.pad.cells_with(lines, over=True)
    return {player: cell for player, cell in cells.items() if player in told and cell.points}


# --- the sheet's own pages, open to every link


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
@polled
def board(token: str) -> Response:
    """The live part of the sheet's page; the gateway answers 304 if it has not changed."""
    glance = glance_at(token)
    # A phone with an older row is shown the change, however late; not if only an extra has news.
    has_it = str(glance.mark) in request.headers.get("HX-PTag", "")
    answer = _cached(glance, LIVE, arrives=not has_it)
    answer.headers["HX-PTag"] = glance.tag
    return answer


@blueprint.get("/log")
@takes_long
def log(token: str) -> str:
    """The log: all deals of a sheet, the oldest first."""
    sheet = sheet_of(token)
    oldest_first = sheet.pad.filled_rows
    return render(LogPage(on_sheet(token, sheet, oldest_first), removed(sheet, most=None)))


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
    won, lost, met = won_against(played, winner, other)
    if met < 2:
        return "", NO_CONTENT
    about = say("{player} against {other}", player=winner, other=other)
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


def _cached(glance: Glance, template: str, *, arrives: bool = False) -> Response:
    """A page that shows only the sheet, with empty forms; cached per newest row.

    If the sheet moves on while it is made, it shows the new row, and is not requested again.
    """
    link, just_made = glance.link, arrives or _just_made(glance.at)

    def make() -> str:
        sheet = book().open(link, glance.mark)
        return sheet_page(glance, sheet, template, just_made=just_made)

    # These change without a new row on this sheet.
    around = (glance.evening, *[part.stage(glance) for part in web_parts()])
    phone = (layout(), spoken().tag, spoken().letters, theme_chosen().slug)
    key = (link.token, glance.mark, template, just_made, *around, *phone)
    return state().pages.answer(key, make)


def _just_made(at: str) -> bool:
    """Whether a page opened now still shows the change made at this time (ISO 8601)."""
    now = book().now()
    return (datetime.fromisoformat(now) - JUST_MADE).isoformat() <= at <= now
