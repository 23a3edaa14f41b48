"""Bring in a sheet that was saved as a file, here or on another machine."""

from collections.abc import Sequence

from flask import Blueprint, make_response, render_template
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError, shared_fault
from referee.rules.text import say
from referee.sheets.book import ROOM
from referee.sheets.files import Sheet, read_sheet
from referee.web.context import book, onward, settings, state
from referee.web.forms.decode import Form
from referee.web.forms.upload import parts_sent, sends_file
from referee.web.phone import give_list, opened_here, remember, this_phone
from referee.web.serving.bodies import SHEET_LIMIT
from referee.web.serving.gateway import takes_file

blueprint = Blueprint("bring_in", __name__, url_prefix="/bring-in")


class Known(Struct, frozen=True):
    """That a sheet is in this book already; `token` opens it, "" where this phone has no link."""

    token: str


@blueprint.get("")
def show() -> AnyResponse:
    """Choose the file."""
    return give_list(make_response(_page()))


@blueprint.post("")
@takes_file
def bring_in() -> tuple[str, int] | AnyResponse:
    """Save the sheet, all of it or nothing, and open it: whoever brings it in is its host."""
    try:
        form, sheet = _sent()
        known = book().already_here(sheet)
        if known and form.get("copy") != "yes":
            own = opened_here()
            link = next((own[number] for number in known if number in own), None)
            return _page(known=Known(link.token if link else "")), 409
        with state().new_sheets.one_more(this_phone()):
            link = book().take_in(sheet)
    except RefereeError as error:
        return _page(_in_rows(error)), 422
    return remember(onward("sheet.show", token=link.token), link.token)


def _sent() -> tuple[Form, Sheet]:
    """What was filled in, and the sheet; raises `MalformedEntry` for what is none."""
    if not sends_file():
        raise _no_file()
    try:
        form, files = parts_sent(SHEET_LIMIT)
    except RequestEntityTooLarge:
        says = say("This file is too large to be a sheet’s.")
        raise MalformedEntry([shared_fault("too-large", says, "file")]) from None
    except ValueError:
        says = say("The file didn’t arrive in one piece. Send it again.")
        raise MalformedEntry([shared_fault("broken-off", says, "file")]) from None
    sent = files.get("sheet")
    if sent is None or not sent.filename:
        raise _no_file()
    return form, read_sheet(sent.read(), settings().most_entries + ROOM)


def _no_file() -> MalformedEntry:
    return MalformedEntry([shared_fault("no-file", say("Choose the sheet’s file first."), "file")])


def _in_rows(error: RefereeError) -> list[Fault]:
    """All that is wrong with a file, each fault with the row that is to blame, if one is."""
    if error.entry is None:
        return list(error.faults)
    row = error.entry + 1
    return [
        replace(one, says=say("Row {n}: {fault}", n=row, fault=one.says)) for one in error.faults
    ]


def _page(faults: Sequence[Fault] = (), known: Known | None = None) -> str:
    return render_template("site/bring_in.html", faults=faults, known=known)
