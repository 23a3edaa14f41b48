"""Move to another phone: a code that carries what this one has opened, once and not for long.

The code is a secret, for it gives every right that the links behind it give. It is shown on a page
that nobody keeps, opening its address does nothing yet, and what it carries is taken by a form.
"""

from typing import NoReturn

from flask import Blueprint, abort, make_response, render_template, request, url_for
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.links import MINUTES, Handover, Handovers
from referee.ledger.store import Role
from referee.rules.text import say
from referee.web.answers.addresses import qr_svg, reaches_others
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
from referee.web.forms.keys import new_key
from referee.web.phone import ON_LIST, give_list, list_token, opened_here
from referee.web.serving.house_name import DOMAIN

blueprint = Blueprint("moving", __name__, url_prefix="/move")


def _handovers() -> Handovers:
    return Handovers(state().ledger)


@blueprint.get("")
def ask() -> str:
    """What moving does, and the button that makes a code."""
    return render_template(
        "site/move.html",
        games=len(opened_here()),
        minutes=MINUTES,
        cancelled="cancelled" in request.args,
    )


@blueprint.post("")
def offer() -> str | AnyResponse:
    """Make a code, and show it."""
    tokens = [link.token for link in opened_here().values()]
    if not tokens:
        return onward("moving.ask")
    code = book().new_token()
    _handovers().offer(code, tokens, phone_name(), book().now())
    address = base_address() + url_for("moving.arrive", code=code)
    return render_template(
        "site/move_code.html",
        code=code,
        address=address,
        by_name=_by_name(code),
        picture=Markup(qr_svg(address).decode()),
        minutes=MINUTES,
        reaches_others=reaches_others(address),
    )


def _by_name(code: str) -> str:
    """Where this very phone may take the code by the house's name; "" if it's there already."""
    other = other_address()
    return other + url_for("moving.arrive", code=code) if DOMAIN in other else ""


@blueprint.post("/cancel")
def cancel() -> AnyResponse:
    """Withdraw a code that was shown."""
    _handovers().withdraw(request.form.get("code", ""))
    return onward("moving.ask", cancelled=1)


@blueprint.get("/<code>")
def arrive(code: str) -> AnyResponse:
    """On the other phone: what the code brings, and the button that takes it."""
    found = _handovers().find(code, book().now())
    if found is None:
        _spent()
    page = render_template(
        "site/arrive.html", code=code, found=found, roles=_roles(found), key=new_key()
    )
    return give_list(make_response(page))  # now: what it is taken for must not get lost


@blueprint.post("/<code>")
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


def _roles(found: Handover) -> dict[Role, int]:
    """How many games a handover brings, by what may be done with them."""
    order: tuple[Role, ...] = ("host", "score", "view")
    number = {role: sum(link.role == role for link in found.links) for role in order}
    return {role: count for role, count in number.items() if count}


def _spent() -> NoReturn:
    """Answer that a code carries nothing."""
    says = say(
        "This code was used already, was canceled, or is more than ten minutes old. Make a new one "
        "on the other phone."
    )
    abort(404, str(says))
