"""Bring in games: from another phone by a code, or from a saved file.

The code carries the links that a phone has opened; it works once and for a short time. It is a
secret, as it gives every right of these links: its page is not cached, opening its address changes
nothing, and the games are only taken with a form.
"""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from flask import Blueprint, abort, make_response, request, url_for
from markupsafe import Markup
from msgspec.structs import replace
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.links import CODE_MINUTES, Handover, Handovers
from referee.ledger.store import ROLES, Role, new_token
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError, shared_fault
from referee.rules.text import Text, say
from referee.sheets.book import MAX_ROWS, SPARE_ROWS
from referee.sheets.files import Sheet, read_sheet
from referee.web.answers.addresses import qr_svg, reaches_others
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import keep_cookie
from referee.web.context import (
    PHONE_COOKIE,
    base_address,
    book,
    onward,
    other_address,
    phone_name,
    state,
)
from referee.web.forms.sent import new_key, parts_sent, sends_file
from referee.web.forms.taps import Form
from referee.web.phone import ON_LIST, give_list, list_token, opened, remember, this_phone
from referee.web.serving.bodies import SHEET_LIMIT
from referee.web.serving.house_name import DOMAIN
from referee.web.serving.routes import FILE, declares

blueprint = Blueprint("moving", __name__)


class MovePage(Shown, frozen=True):
    """What moving this many games means; the code works for `minutes`."""

    templates = ("site/move.html",)
    games: int
    minutes: int
    canceled: bool


class CodePage(Shown, frozen=True):
    """A code, by its `address` and as a `picture`.

    `by_name` is the same by the local network name, for this phone, "" if it uses that already.
    """

    templates = ("site/move_code.html",)
    code: str
    address: str
    by_name: str
    picture: Markup
    minutes: int
    reaches_others: bool


class ArrivePage(Shown, frozen=True):
    """What a code carries: how many games with each of the `roles`."""

    templates = ("site/arrive.html",)
    code: str
    found: Handover
    roles: Mapping[Role, int]
    key: str


class BringPage(Shown, frozen=True):
    """The form for a file; `known` is its sheet's token here ("": no link), None for a new one."""

    templates = ("site/bring_in.html",)
    faults: Sequence[Fault]
    known: str | None


def _handovers() -> Handovers:
    return Handovers(state().ledger)


@blueprint.get("/move")
def ask() -> str:
    """The page that explains moving, with the button that makes a code."""
    return render(MovePage(len(opened().sheets), CODE_MINUTES, "canceled" in request.args))


@blueprint.post("/move")
def offer() -> AnyResponse:
    """Make a code, and lead to its page."""
    known = opened()
    tokens = [link.token for links in known.kinds.values() for link in links.values()]
    if not tokens:
        return onward("moving.ask")
    code = new_token()
    _handovers().offer(code, tokens, phone_name(), book().now())
    return onward("moving.offered", code=code)


@blueprint.get("/move/<code>/offered")
def offered(code: str) -> str | AnyResponse:
    """The page with a code for the other phone; once it has been used, the way to a new one."""
    if _handovers().find(code, book().now()) is None:
        return onward("moving.ask")
    here, other = url_for("moving.arrive", code=code), other_address()
    address = base_address() + here
    page = CodePage(
        code,
        address,
        by_name=other + here if DOMAIN in other else "",
        picture=Markup(qr_svg(address).decode()),
        minutes=CODE_MINUTES,
        reaches_others=reaches_others(address),
    )
    return render(page)


@blueprint.post("/move/cancel")
def cancel() -> AnyResponse:
    """Withdraw a code."""
    _handovers().withdraw(request.form.get("code", ""))
    return onward("moving.ask", canceled=1)


@blueprint.get("/move/<code>")
def arrive(code: str) -> AnyResponse:
    """The page on the other phone: the games that the code carries, and the button to take them."""
    found = _handovers().find(code, book().now())
    if found is None:
        _spent()
    roles = {role: sum(link.role == role for link in found.games) for role in reversed(ROLES)}
    carried = {role: count for role, count in roles.items() if count}
    page = render(ArrivePage(code, found, carried, new_key()))
    return give_list(make_response(page))  # now, so that taking them is tied to this phone's list


@blueprint.post("/move/<code>")
def take(code: str) -> AnyResponse:
    """Add the games that the code carries to those of this phone."""
    phone, key = list_token(), request.form.get("key", "")
    if not phone or not key:
        says = say(
            "This phone blocks cookies, so it can’t keep your games. Allow them for this page."
        )
        abort(422, str(says))
    found = _handovers().take(code, key, phone, book().now(), ON_LIST)
    if found is None:
        _spent()
    answer = give_list(onward("home.show", moved=len(found.games)))
    if found.name and not phone_name():
        keep_cookie(answer, PHONE_COOKIE, found.name)
    return answer


def _spent() -> NoReturn:
    """Answer 404 for a code that no longer works."""
    says = say(
        "This code was used already, was canceled, or is more than {n} minutes old. Make a new one "
        "on the other phone.",
        n=CODE_MINUTES,
    )
    abort(404, str(says))


@blueprint.get("/bring-in")
def choose_file() -> AnyResponse:
    """The page on which a file is chosen."""
    return give_list(make_response(_bringing()))


@blueprint.post("/bring-in")
@declares(FILE)
def bring_in() -> tuple[str, int] | AnyResponse:
    """Save the sheet in the file, all of it or nothing, and open it with its host's link."""
    try:
        form, sheet = _sent()
        known = book().already_here(sheet)
        if known and form.get("copy") != "yes":
            own = opened().sheets
            link = next((own[number] for number in known if number in own), None)
            return _bringing(known=link.token if link else ""), 409
        with state().new_sheets.one_more(this_phone()):
            link = book().import_sheet(sheet)
    except RefereeError as error:
        faults = error.faults
        if error.entry is not None:
            row = error.entry + 1
            faults = tuple(
                replace(one, says=say("Row {n}: {fault}", n=row, fault=one.says)) for one in faults
            )
        return _bringing(faults), 422
    return remember(onward("sheet.show", token=link.token), link.token)


def _sent() -> tuple[Form, Sheet]:
    """The form and the sheet that were sent; raises `MalformedEntry` if there is no valid sheet."""
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
    return form, read_sheet(sent.read(), MAX_ROWS + SPARE_ROWS)


def _unreadable(code: str, says: Text) -> MalformedEntry:
    return MalformedEntry([shared_fault(code, says, "file")])


def _bringing(faults: Sequence[Fault] = (), known: str | None = None) -> str:
    return render(BringPage(faults, known))
