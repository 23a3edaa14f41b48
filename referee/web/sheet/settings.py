"""Changing a running sheet: names, seats, house rules; notes, its title, the phone's name."""

from collections.abc import Sequence
from typing import Any

import msgspec
from flask import Blueprint, abort, request

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError
from referee.rules.core.seating import name_faults
from referee.rules.text import Text, say
from referee.sheets.comparison import NewSettings, came_later
from referee.sheets.history import REMARK_LENGTH, TITLE_LENGTH, Remark, SheetSettings
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import keep_cookie
from referee.web.context import PHONE_COOKIE, book, onward, sheet_of, sheet_to_write, writer
from referee.web.forms.decode import as_sent, filled_in, form_fault
from referee.web.forms.fields import Field, asked_for, fields_of
from referee.web.forms.sent import key_of, rows_seen
from referee.web.forms.taps import Form, row_moved, row_number
from referee.web.serving.routes import LONG, declares
from referee.web.sheet.corrections import Answer, change_if_sure
from referee.web.sheet.page import more_page, moved_on_fault

blueprint = Blueprint("settings", __name__, url_prefix="/s/<token>")


class SettingsPage(Shown, frozen=True):
    """The form of the settings: the players at the table in `rows`, and those who came `later`.

    Of each it has the name on the sheet, and the one that was typed.
    """

    templates = ("sheet/settings.html",)
    token: str
    sheet: OpenSheet
    form: Form
    rows: Sequence[tuple[str, str]]
    later: Sequence[tuple[str, str]]
    house_rules: Sequence[Field]
    faults: Sequence[Fault]


class NotePage(Shown, frozen=True):
    """The form for a note or title, at `most` so long; `written` if there is one already.

    `words` is its label.
    """

    templates = ("sheet/note.html",)
    token: str
    sheet: OpenSheet
    words: Text
    text: str
    written: bool
    most: int
    faults: Sequence[Fault]


@blueprint.get("/settings")
def show(token: str) -> Answer:
    """The form, filled in with the current settings."""
    _, sheet = sheet_to_write(token)
    return _page(token, sheet, _form_of(sheet))


@blueprint.post("/settings")
@declares(LONG)
def change(token: str) -> Answer:
    """Show what these settings would change; with `sure`, save them. `do` moves a name."""
    link = writer(token)
    sent = request.form
    if "do" in sent:
        return _page(token, sheet_of(token), row_moved(sent, ("was", "name")))
    return change_if_sure(
        link,
        sent,
        lambda sheet: _settings_sent(sheet, sent),
        lambda now, faults: _page(token, now, sent, faults),
    )


def _settings_sent(sheet: OpenSheet, sent: Form) -> NewSettings:
    """The settings in a form, with the new name for every old one; raises `MalformedEntry`.

    A form sent again because its response was lost has old names that the sheet no longer has. So
    if the sheet has moved on since the form was made, checking the names is left to the book.
    """
    old, later_old = sent.getlist("was"), sent.getlist("came-as")
    new, later_new = ([one.strip() for one in sent.getlist(field)] for field in ("name", "came"))
    same = sorted(old) == sorted(sheet.table.players)
    moved_on = "sure" in sent and not rows_seen(sent).stands_for(sheet.seq, sheet.hash)
    known = moved_on or set(later_old) <= set(came_later(sheet.course))
    whole = len(new) == len(old) and len(later_new) == len(later_old)
    if not (whole and known and (same or moved_on)):
        says = say("The players on this form aren’t those on the sheet. Load it again.")
        raise MalformedEntry([form_fault("other-players", says)])
    options: dict[str, Any] = filled_in(sent, sheet.game.house_rules)
    row = row_number(sent.get("dealer", ""))
    renamed = dict(zip([*later_old, *old], [*later_new, *new], strict=True))
    dealt = sheet.head.dealer
    dealer = new[row] if 0 <= row < len(new) else renamed.get(dealt, dealt)
    return NewSettings(SheetSettings(new, dealer, options), renamed)


def _form_of(sheet: OpenSheet) -> Form:
    form = Form()
    form.setlist("was", list(sheet.table.players))
    form.setlist("name", list(sheet.table.players))
    for field in ("came-as", "came"):
        form.setlist(field, list(came_later(sheet.course)))
    form["dealer"] = str(sheet.table.dealer)
    for name, value in msgspec.structs.asdict(sheet.table.options).items():
        if value is not None:
            form[name] = as_sent(value)
    return form


def _page(token: str, sheet: OpenSheet, form: Form, faults: Sequence[Fault] = ()) -> str:
    page = SettingsPage(
        token,
        sheet,
        form=form,
        rows=list(zip(form.getlist("was"), form.getlist("name"), strict=False)),
        later=list(zip(form.getlist("came-as"), form.getlist("came"), strict=False)),
        house_rules=asked_for(fields_of(sheet.game.house_rules), form),
        faults=faults,
    )
    return render(page)


# --- notes on a deal or the sheet, its title, and the phone's name


@blueprint.route("/notes/<int:seq>", methods=["GET", "POST"])
def note_on_deal(token: str, seq: int) -> Answer:
    """Show or change the note on the deal that begins with row `seq`."""
    link, sheet = sheet_to_write(token)
    if sheet.pad.row(seq) is None:
        abort(404, str(say("That deal isn’t on this sheet.")))
    return _note_or_title(link, sheet, Remark("deal", "", seq), say("Note on this deal"))


@blueprint.route("/note", methods=["GET", "POST"])
def note(token: str) -> Answer:
    """Show or change the note on the sheet."""
    return _note_or_title(*sheet_to_write(token), Remark("sheet", ""), say("Note on the sheet"))


@blueprint.route("/title", methods=["GET", "POST"])
def title(token: str) -> Answer:
    """Show or change the game's title; 404 unless the players name the game."""
    link, sheet = sheet_to_write(token)
    if not sheet.game.named_by_players:
        abort(404, str(say("This game already has a name.")))
    return _note_or_title(link, sheet, Remark("title", ""), say("What are you playing?"))


def _note_or_title(link: Link, sheet: OpenSheet, about: Remark, words: Text) -> Answer:
    """Show the form for a note or title, or save what was sent."""
    sent = request.form
    text = sheet.remarks.get((about.about, about.row), "")
    faults: Sequence[Fault] = ()
    status = 200
    if request.method == "POST":
        text = sent.get("text", "")
        try:
            remark = Remark(about.about, text, about.row)
            book().remark(link, remark, rows_seen(sent), key_of(sent))
        except RefereeError as error:
            faults, status = error.faults, 422
        except MovedOnError:  # somebody else wrote a line about the same
            sheet = sheet_of(link.token)
            faults = [moved_on_fault(sheet, rows_seen(sent), say("Not saved"))]
            status = 409
        else:
            return onward("sheet.show", token=link.token)
    page = NotePage(
        link.token,
        sheet,
        words,
        text=text,
        written=(about.about, about.row) in sheet.remarks,
        most=TITLE_LENGTH if about.about == "title" else REMARK_LENGTH,
        faults=faults,
    )
    return render(page), status


@blueprint.post("/phone")
@declares(writes=False)
def name_phone(token: str) -> Answer:
    """Set or clear this phone's name; rows that it has written keep the old one."""
    writer(token)
    name = request.form.get("phone", "").strip()
    faults = list(name_faults([name])) if name else []
    if faults:
        found = sheet_of(token)
        return more_page(token, found, phone=name, phone_faults=faults), 422
    answer = onward("sheet.more", token=token)
    keep_cookie(answer, PHONE_COOKIE, name)
    return answer
