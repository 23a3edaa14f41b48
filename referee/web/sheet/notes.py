"""Notes: a line about a deal or the sheet, what is played, and who writes, by the phone's name."""

from collections.abc import Sequence

from flask import Blueprint, abort, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import MovedOnError
from referee.rules.core.ruling import Fault, RefereeError
from referee.rules.core.seating import name_faults
from referee.rules.text import Text, say
from referee.sheets.history import REMARK_LENGTH, TITLE_LENGTH, Remark
from referee.web.answers.security import keep_cookie
from referee.web.context import PHONE_COOKIE, book, onward, sheet_of, writer
from referee.web.forms.sent import key_of, refused
from referee.web.forms.taps import Form
from referee.web.sheet.page import more_page, plain_target, rows_seen, seen

blueprint = Blueprint("notes", __name__, url_prefix="/s/<token>")

Answer = str | tuple[str, int] | AnyResponse
_SHEET, _TITLE = Remark("sheet", ""), Remark("title", "")


@blueprint.route("/notes/<int:seq>", methods=["GET", "POST"])
def show(token: str, seq: int) -> Answer:
    """The note on the deal that begins with row `seq`, to be written or changed."""
    writer(token)
    row = sheet_of(token).pad.row(seq)
    if row is None:
        abort(404, str(say("That deal isn’t on this sheet.")))
    return _line(token, Remark("deal", "", seq), say("Note on this deal"))


@blueprint.route("/note", methods=["GET", "POST"])
def on_sheet(token: str) -> Answer:
    """The note on the sheet."""
    return _line(token, _SHEET, say("Note on the sheet"))


@blueprint.route("/title", methods=["GET", "POST"])
def title(token: str) -> Answer:
    """What is played, where the program cannot know."""
    if not sheet_of(token).game.named_by_players:
        abort(404, str(say("This game has a name.")))
    return _line(token, _TITLE, say("What are you playing?"))


def _line(token: str, about: Remark, words: Text) -> Answer:
    """Show the line, or write what was sent."""
    link = writer(token)
    if request.method == "GET":
        standing = sheet_of(token).remarks.get((about.about, about.row), "")
        return _page(token, about, words, standing)
    sent = Form(request.form)
    text = sent.get("text", "")
    try:
        remark = Remark(about.about, text, about.row)
        book().remark(link, remark, rows_seen(sent), key_of(sent))
    except (MovedOnError, RefereeError) as error:
        says = say("Nothing was saved: the sheet has moved on. Is this still right?")
        faults, status = refused(error, says)
        return _page(token, about, words, text, faults), status
    return onward("sheet.show", token=token)


def _page(token: str, about: Remark, words: Text, text: str, faults: Sequence[Fault] = ()) -> str:
    sheet = sheet_of(token)
    return render_template(
        "sheet/note.html",
        **seen(token, sheet),
        words=words,
        text=text,
        most=TITLE_LENGTH if about.about == "title" else REMARK_LENGTH,
        faults=faults,
        target=plain_target(token, sheet),
    )


@blueprint.post("/phone")
def name_phone(token: str) -> Answer:
    """Give the phone that asks another name, or none; what it wrote before keeps the old one."""
    writer(token)
    name = request.form.get("phone", "").strip()
    faults = list(name_faults([name])) if name else []
    if faults:
        return more_page(token, sheet_of(token), phone=name, phone_faults=faults), 422
    answer = onward("sheet.more", token=token)
    keep_cookie(answer, PHONE_COOKIE, name)
    return answer
