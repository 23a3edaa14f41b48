"""Games that come from elsewhere: from another phone, by a code, or from a file that was saved.

The code carries what a phone has opened, once and not for long. It is a secret, for it gives every
right that the links behind it give: it is shown on a page that nobody keeps, opening its address
does nothing yet, and what it carries is taken by a form.
"""

from collections.abc import Sequence
from typing import NoReturn

from flask import Blueprint, abort, make_response, render_template, request, url_for
from markupsafe import Markup
from msgspec.structs import replace
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.links import MINUTES, Handovers
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError, shared_fault
from referee.rules.text import Text, say
from referee.sheets.book import ROOM
from referee.sheets.files import Sheet, read_sheet
from referee.sheets.hosting import ROLES
from referee.web.answers.addresses import qr_svg, reaches_others
from referee.web.answers.security import keep_cookie
from referee.web.context import (
    PHONE_COOKIE,
    base_address,
    book,
    onward,
    other_address,
    phone_name,
    settings,
    state,
)
from referee.web.forms.sent import new_key, parts_sent, sends_file
from referee.web.forms.taps import Form
from referee.web.phone import ON_LIST, give_list, list_token, opened_here, remember, this_phone
from referee.web.serving.bodies import SHEET_LIMIT
from referee.web.serving.gateway import takes_file
from referee.web.serving.house_name import DOMAIN

blueprint = Blueprint("moving", __name__)


def _handovers() -> Handovers:
    return Handovers(state().ledger)


@blueprint.get("/move")
def ask() -> str:
    """What moving does, and the button that makes a code."""
    return render_template(
        "site/move.html",
        games=len(opened_here()),
        minutes=MINUTES,
        cancelled="cancelled" in request.args,
    )


@blueprint.post("/move")
def offer() -> str | AnyResponse:
    """Make a code, and show it."""
    tokens = [link.token for link in opened_here().values()]
    if not tokens:
        return onward("moving.ask")
    code = book().new_token()
    _handovers().offer(code, tokens, phone_name(), book().now())
    here, other = url_for("moving.arrive", code=code), other_address()
    address = base_address() + here
    return render_template(
        "site/move_code.html",
        code=code,
        address=address,
        # Where this very phone may take the code by the house's name, unless it is there already.
        by_name=other + here if DOMAIN in other else "",
        picture=Markup(qr_svg(address).decode()),
        minutes=MINUTES,
        reaches_others=reaches_others(address),
    )


@blueprint.post("/move/cancel")
def cancel() -> AnyResponse:
    """Withdraw a code that was shown."""
    _handovers().withdraw(request.form.get("code", ""))
    return onward("moving.ask", cancelled=1)


@blueprint.get("/move/<code>")
def arrive(code: str) -> AnyResponse:
    """On the other phone: what the code brings, and the button that takes it."""
    found = _handovers().find(code, book().now())
    if found is None:
        _spent()
    roles = {role: sum(link.role == role for link in found.links) for role in reversed(ROLES)}
    page = render_template(
        "site/arrive.html",
        code=code,
        found=found,
        roles={role: count for role, count in roles.items() if count},
        key=new_key(),
    )
    return give_list(make_response(page))  # now: what it is taken for must not get lost


@blueprint.post("/move/<code>")
def take(code: str) -> AnyResponse:
    """Take what the code carries; the games of this phone stay on it."""
    phone, key = list_token(), request.form.get("key", "")
    if not phone or not key:
        says = say("This phone keeps no cookies, so it can’t hold your games. Allow them here.")
        abort(422, str(says))
    found = _handovers().take(code, key, phone, book().now(), ON_LIST)
    if found is None:
        _spent()
    answer = give_list(onward("home.show", moved=len(found.links)))
    if found.name and not phone_name():
        keep_cookie(answer, PHONE_COOKIE, found.name)
    return answer


def _spent() -> NoReturn:
    """Answer that a code carries nothing."""
    says = say(
        "This code was used already, was canceled, or is more than ten minutes old. Make a new one "
        "on the other phone."
    )
    abort(404, str(says))


@blueprint.get("/bring-in")
def choose_file() -> AnyResponse:
    """Choose the file."""
    return give_list(make_response(_bringing()))


@blueprint.post("/bring-in")
@takes_file
def bring_in() -> tuple[str, int] | AnyResponse:
    """Save the sheet, all of it or nothing, and open it: whoever brings it in is its host."""
    try:
        form, sheet = _sent()
        known = book().already_here(sheet)
        if known and form.get("copy") != "yes":
            own = opened_here()
            link = next((own[number] for number in known if number in own), None)
            return _bringing(known=link.token if link else ""), 409
        with state().new_sheets.one_more(this_phone()):
            link = book().take_in(sheet)
    except RefereeError as error:
        return _bringing(_in_rows(error)), 422
    return remember(onward("sheet.show", token=link.token), link.token)


def _sent() -> tuple[Form, Sheet]:
    """What was filled in, and the sheet; raises `MalformedEntry` for what is none."""
    if not sends_file():
        raise _unreadable("no-file", say("Choose the sheet’s file first."))
    try:
        form, files = parts_sent(SHEET_LIMIT)
    except RequestEntityTooLarge:
        raise _unreadable("too-large", say("This file is too large to be a sheet’s.")) from None
    except ValueError:
        says = say("The file didn’t arrive in one piece. Send it again.")
        raise _unreadable("broken-off", says) from None
    sent = files.get("sheet")
    if sent is None or not sent.filename:
        raise _unreadable("no-file", say("Choose the sheet’s file first."))
    return form, read_sheet(sent.read(), settings().most_entries + ROOM)


def _unreadable(code: str, says: Text) -> MalformedEntry:
    return MalformedEntry([shared_fault(code, says, "file")])


def _in_rows(error: RefereeError) -> list[Fault]:
    """All that is wrong with a file, each fault with the row that is to blame, if one is."""
    if error.entry is None:
        return list(error.faults)
    row = error.entry + 1
    return [
        replace(one, says=say("Row {n}: {fault}", n=row, fault=one.says)) for one in error.faults
    ]


def _bringing(faults: Sequence[Fault] = (), known: str | None = None) -> str:
    """The page on which a file is chosen.

    `known` opens the sheet that is in this book already, "" where this phone has no link to it.
    """
    return render_template("site/bring_in.html", faults=faults, known=known)
