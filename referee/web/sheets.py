"""The sheet: its board, the form that records what happened, undo, export."""

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    render_template,
    request,
    url_for,
)
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Glance, Link, Row
from referee.rules.counters import change_by_player
from referee.rules.game import Game
from referee.rules.ruling import Fault, MalformedEntry, RefereeError
from referee.sheets.files import Scored, entry_of
from referee.sheets.sheet import OpenSheet
from referee.web.desk import book, glance_at, layout, onward, phone_name, sheet_of, writer
from referee.web.fields import described
from referee.web.forms import FORM_RULE, Form, entry_from, tapped
from referee.web.kept import KEPT, KeptPages, new_key
from referee.web.pages import remember
from referee.web.polling import tag_of, tags_held
from referee.web.theme import chosen

blueprint = Blueprint("sheets", __name__, url_prefix="/s/<token>")

SHEET, MORE = "sheet/sheet.html", "sheet/more.html"
LIVE, FORM = "sheet/live.html", "sheet/form_only.html"
MOST_SHOWN = 60  # entries on the sheet's own page; every phone is sent it after every entry
SHARED_ACTIONS = ("adjust", "abandon", "buy")  # their forms stand on the page behind "More"

Answer = str | tuple[str, int] | Response | AnyResponse


class Desk(Struct, frozen=True):
    """What the forms on a page write to: where they are sent, and which rows they have seen.

    `preview_at` is empty where nothing is previewed while a form is filled in. `button` replaces
    the words on the buttons; `asks_why` adds a line for the reason of a correction. Where there is
    a `form_key` all forms have that one, instead of one each.
    """

    record_at: str
    preview_at: str
    seq: int
    game: Game[Any, Any]
    faults: Sequence[Fault] = ()
    button: str = ""
    asks_why: bool = False
    why: str = ""

    form_key: str = ""

    def new_key(self) -> str:
        """A key for a form that has not been sent yet."""
        return self.form_key or new_key()


class Sent(Struct, frozen=True):
    """A form as it was sent: what is wrong with it, and what was written in the meantime."""

    form: Form = msgspec.field(default_factory=Form)
    faults: Sequence[Fault] = ()
    between: Sequence[Row] = ()


@blueprint.get("")
def show(token: str) -> Answer:
    """The sheet, live."""
    page = make_response(_kept(glance_at(token), SHEET))
    if not request.headers.get("HX-Current-URL", request.path).endswith(request.path):
        page.headers["HX-Push-Url"] = request.path  # a form on another page led here
    return remember(page, token)


@blueprint.get("/board")
def board(token: str) -> Answer:
    """The part of the sheet that anybody may see change; 304 while it has not."""
    glance = glance_at(token)
    tag = tag_of(glance.link.role, glance.seq)
    if tag in tags_held(request.environ):
        return Response(status=304)
    answer = make_response(_kept(glance, LIVE))
    answer.headers["HX-PTag"] = tag
    answer.set_etag(tag)
    return answer


@blueprint.get("/log")
def log(token: str) -> str:
    """All entries of the sheet, however many they are."""
    sheet = sheet_of(token)
    return render_template("sheet/log.html", **seen(token, sheet, most=None))


@blueprint.get("/form")
def form(token: str) -> Answer:
    """The entry form as the sheet now stands."""
    writer(token)
    return make_response(_kept(glance_at(token), FORM))


@blueprint.post("/entries")
def record(token: str) -> Answer:
    """Write an entry on the sheet; or take a tap on a card pad and show the form again."""
    link = writer(token)
    sent = Form(request.form)
    with_tap = tapped(sent)
    if with_tap is not None:
        return _page(token, book().open(link), Sent(with_tap))
    try:
        book().record(
            link, entry_sent(sent, book().open(link)), rows_seen(sent), sent.get("key", "")
        )
    except MovedOnError as error:
        return _moved_on(token, link, sent, error)
    except RefereeError as error:
        return _page(token, book().open(link), Sent(sent, error.faults)), 422
    return onward("sheets.show", token=token)


@blueprint.post("/preview")
def preview(token: str) -> Answer:
    """What an entry would do, or what it still lacks; nothing is stored."""
    link = writer(token)
    sent = Form(request.form)
    sheet = book().open(link)
    try:
        scored = book().preview(sheet, entry_sent(sent, sheet))
    except RefereeError as error:
        return render_template("sheet/preview.html", faults=error.faults, scored=None, sheet=sheet)
    return render_template(
        "sheet/preview.html",
        faults=(),
        scored=scored,
        sheet=sheet,
        change=_change(sheet, scored),
        winners=[scored.after.name(seat) for seat in scored.after.winners],
    )


@blueprint.post("/undo")
def undo(token: str) -> Answer:
    """Void the last entry."""
    link = writer(token)
    sent = Form(request.form)
    try:
        book().undo(link, rows_seen(sent), sent.get("key", ""))
    except MovedOnError as error:
        return _moved_on(token, link, Form(), error)
    except RefereeError as error:
        return _page(token, book().open(link), Sent(Form(), error.faults)), 422
    return onward("sheets.show", token=token)


@blueprint.get("/more")
def more(token: str) -> str:
    """The rules, penalties and void deals, house rules, the file."""
    return _page(token, sheet_of(token), Sent(), MORE)


@blueprint.get("/sheet.json")
def export(token: str) -> Response:
    """The sheet as a file."""
    sheet = sheet_of(token)
    text = msgspec.json.format(msgspec.json.encode(book().export(sheet)), indent=1)
    answer = Response(text, mimetype="application/json")
    name = f"{sheet.game.slug}-{sheet.begun[:10]}.json"
    answer.headers["Content-Disposition"] = f"attachment; filename={name}"
    return answer


def entry_sent(sent: Form, sheet: OpenSheet) -> dict[str, Any]:
    """The entry that a form makes; raises `MalformedEntry` with all that cannot be read."""
    kind = sheet.game.entry_kind(sent.get("action", ""))
    if kind is None:
        message = "This form is not one of this game’s. Load the sheet again."
        raise MalformedEntry([Fault("unknown-action", message, FORM_RULE)])
    return entry_from(sent, kind, sheet.table.players)


def rows_seen(sent: Form) -> int:
    """The newest row that a form has seen; raises `MalformedEntry`."""
    text = sent.get("after", "")
    if not text.isdecimal() or len(text) > 9:
        message = "This form does not say which entries it has seen. Load the sheet again."
        raise MalformedEntry([Fault("after", message, FORM_RULE)])
    return int(text)


def _moved_on(token: str, link: Link, sent: Form, error: MovedOnError) -> tuple[str, int]:
    """The sheet with what came in between, and the form as it was, ready to be sent again."""
    sheet = book().open(link)
    seen = sent.get("after", "0")
    between = sheet.rows_after(int(seen) if seen.isdecimal() else 0)
    message = "Nothing was stored: the sheet has moved on. Is your entry still right?"
    fault = Fault("moved-on", message, FORM_RULE)
    return _page(token, sheet, Sent(sent, [fault], between)), 409


def _kept(glance: Glance, template: str) -> bytes:
    """A page that shows nothing but the sheet, without the form of anybody; made once for each row.

    Should the sheet move on before it is made, it shows that too, and is not asked for again.
    """
    pages: KeptPages = current_app.extensions[KEPT]
    link = glance.link

    def make() -> str:
        sheet = book().open(link)
        desk = replace(plain_desk(link.token, sheet), form_key=pages.gap)
        return _page(link.token, sheet, Sent(), template, desk=desk)

    evening = current_app.extensions["referee.evenings"].place(link.sheet)  # grows by itself
    phone = (layout(), chosen().slug, request.script_root)
    return pages.page((link.token, glance.seq, template, evening, *phone), make)


def _page(
    token: str, sheet: OpenSheet, sent: Sent, template: str | None = None, **more: object
) -> str:
    """The page that has the form that was sent, with that form as it was."""
    if template is None:
        template = MORE if sent.form.get("action") in SHARED_ACTIONS else SHEET
    page = {
        **seen(token, sheet),
        "form": sent.form,
        "desk": plain_desk(token, sheet, sent.faults),
        "faults": sent.faults,
        "between": [(row, sheet.step_at(row.seq)) for row in sent.between],
        "phone": phone_name(),
        "house_rules": described(sheet.table.options, len(sheet.table.players)),
    }
    return render_template(template, **page | more)


def plain_desk(token: str, sheet: OpenSheet, faults: Sequence[Fault] = ()) -> Desk:
    """The desk of forms that record entries."""
    return Desk(
        record_at=url_for("sheets.record", token=token),
        preview_at=url_for("sheets.preview", token=token),
        seq=sheet.seq,
        game=sheet.game,
        faults=faults,
    )


def seen(token: str, sheet: OpenSheet, most: int | None = MOST_SHOWN) -> dict[str, Any]:
    """What every page of a sheet shows, with its latest entries, or all where `most` is None."""
    entries = list(zip(sheet.numbers, sheet.course.steps, strict=True))[::-1]
    gone = [fate for fate in reversed(sheet.fates.values()) if fate.voided is not None]
    return {
        "token": token,
        "sheet": sheet,
        "game": sheet.game,
        "table": sheet.table,
        "state": sheet.course.state,
        "board": sheet.game.board(sheet.course.state),
        "tag": tag_of(sheet.role, sheet.seq),
        "entries": [(number, step, _change(sheet, step)) for number, step in entries[:most]],
        "gone": [(fate, entry_of(sheet.game, fate)) for fate in gone[:most]],
        "more_gone": len(gone[most:]) if most else 0,
        "earlier": len(entries[most:]) if most else 0,
    }


def _change(sheet: OpenSheet, step: Scored) -> dict[str, int]:
    """What an entry changed, by player; those it did not touch are left out."""
    change = change_by_player(step.lines, sheet.table.players)
    return {player: points for player, points in change.items() if points}


def more_page(token: str, sheet: OpenSheet, **more: object) -> str:
    """The page behind "More", with whatever a form of another part has to say on it."""
    return _page(token, sheet, Sent(), MORE, **more)
