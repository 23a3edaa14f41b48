"""Share a sheet: its links, as codes to scan and addresses to copy; withdraw one."""

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.store import Role
from referee.rules.core.ruling import IllegalEntry
from referee.rules.text import say
from referee.sheets.permission import ROLES
from referee.web.context import base_address, book, link_of, onward, sheet_of
from referee.web.http.addresses import qr_svg, reaches_others
from referee.web.phone import remember

blueprint = Blueprint("sharing", __name__, url_prefix="/s/<token>")


def shared_link(token: str, role: str) -> str:
    """The address that `role` lets others open; answers 404 where this link may not hand it on."""
    links = book().links(link_of(token))
    wanted = next((known for known in ROLES if known == role), None)
    if wanted is None or wanted not in links:
        abort(404, str(say("This link can’t share that code.")))
    return base_address() + url_for("sheet.show", token=links[wanted])


@blueprint.get("/share")
def share(token: str) -> str:
    """A large code to scan; `?code=score` shows the one that can score, `host` the host's.

    That one is shown only once it is `sure`: it must not be scanned off a phone lying around.
    """
    sheet = sheet_of(token)
    roles = list(book().links(link_of(token)))
    role = next((known for known in roles if known == request.args.get("code")), "view")
    address = shared_link(token, role)
    return render_template(
        "sheet/share.html",
        token=token,
        sheet=sheet,
        game=sheet.game,
        roles=roles,
        role=role,
        address=address,
        renewed="new" in request.args,
        shown=role != "host" or "sure" in request.args,
        reaches_others=reaches_others(address),
    )


@blueprint.get("/code/<role>.svg")
def code(token: str, role: str) -> Response:
    """The QR code of a link, as a picture."""
    return Response(qr_svg(shared_link(token, role)), mimetype="image/svg+xml")


@blueprint.get("/stop-sharing")
def ask(token: str) -> str:
    """What it would mean to renew the link of `?role=`, and the button that does so."""
    sheet, link = sheet_of(token), link_of(token)
    if link.role != "host":
        abort(403, str(say("Only the host can stop sharing a link.")))
    return render_template(
        "sheet/stop_sharing.html",
        token=token,
        sheet=sheet,
        game=sheet.game,
        role=_role(request.args.get("role")),
    )


@blueprint.post("/links")
def renew(token: str) -> AnyResponse:
    """Withdraw a link and make it anew; phones that hold the old one are turned away."""
    link = link_of(token)
    role = _role(request.form.get("role"))
    try:
        new = book().renew(link, role)
    except IllegalEntry as error:
        abort(403, str(error))
    if role != "host":
        return onward("sharing.share", token=token, code=role, new=1)
    answer = onward("sharing.share", token=new.token, code=role, sure="yes", new=1)
    return remember(answer, new.token)


def _role(named: str | None) -> Role:
    """The role of this name; answers 422 where there is none."""
    role = next((known for known in ROLES if known == named), None)
    if role is None:
        abort(422, str(say("Choose which code to stop sharing: view, score, or host.")))
    return role
