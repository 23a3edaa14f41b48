"""Share a document by codes and addresses; for its host, withdraw links, the trash, the backups.

A sheet is one kind of document; each kind has its own addresses. The code's size is in
`static/css/lists.css`.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from babel.dates import format_timedelta
from flask import Blueprint, Response, abort, request, url_for
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.backup import BackupFolder, KeptBackup
from referee.ledger.databases import part_of
from referee.ledger.errors import LedgerError, UnavailableError
from referee.ledger.links import Host, added_through
from referee.ledger.store import ROLES, Link, Role, new_token
from referee.rules.core.ruling import Fault, RefereeError
from referee.rules.language import spoken
from referee.rules.text import Text, say
from referee.sheets.hosting import TRASH_DAYS, Trashed, require
from referee.web.answers.addresses import qr_svg, reaches_others
from referee.web.answers.pages import Shown, render
from referee.web.context import (
    base_address,
    book,
    kind_here,
    link_of,
    onward,
    other_address,
    phone_name,
    settings,
)
from referee.web.extras import About, Document, web_parts
from referee.web.phone import remember

blueprint = Blueprint("sharing", __name__)


def about_sheet(link: Link) -> About:
    """A sheet as a document to share, even one that can’t be played through."""
    sheet = book().summaries.of([link.document])[0]
    title = sheet.called or (sheet.game.title if sheet.game else say("A sheet"))
    back = url_for("sheet.show" if sheet.sick else "sheet.more", token=link.token)
    return About(title, sheet.begun, back, sheet.players)


SHEET = Document("sheet", "s", "sheet.show", "home.show", "sheet/_document.html", about_sheet)


class Shared(Struct, frozen=True):
    """A document on these pages: its description, its first page, and the rights of the link.

    `words` is the template with the sentences about its kind.
    """

    number: int
    about: About
    words: str
    can_score: bool
    is_host: bool
    address: str


class SharePage(Shown, frozen=True):
    """The code of the link for a `role`, at its `address`, if that is shown; or all hosts.

    `name` is that of the host whose code it is, or who is to be one. What was `done` is shown; with
    `by` the code leads to the `other` host name of this program.
    """

    templates = ("sheet/share.html",)
    token: str
    shared: Shared
    roles: Sequence[Role]
    role: str
    address: str
    name: str
    hosts: Sequence[Host]
    faults: Sequence[Fault]
    done: str
    reaches_others: bool
    by: str | None
    other: str


class StopPage(Shown, frozen=True):
    """What withdrawing a link would mean; for that of a host, `name`, also who would be `gone`."""

    templates = ("sheet/stop_sharing.html",)
    token: str
    shared: Shared
    role: Role
    name: str
    own: Host
    gone: Sequence[str]
    renews_own: bool
    key: str


class TrashPage(Shown, frozen=True):
    """That a document is in the trash, or what moving it there would mean."""

    templates = ("sheet/trash.html",)
    token: str
    shared: Shared
    trashed: Trashed | None
    days: int


def _shared(link: Link) -> Shared:
    kind, can_score, is_host = kind_here(), link.allows("score"), link.allows("host")
    about = kind.about(link)
    return Shared(link.document, about, kind.words, can_score, is_host, _page(link.token))


def _page(token: str) -> str:
    """The first page of the document with this link."""
    return url_for(kind_here().show, token=token)


def _addresses() -> tuple[str, str]:
    """The address to share, and an alternative or ""; swapped by `?by=other`."""
    usual, other = base_address(), other_address()
    return (other, usual) if other and request.args.get("by") == "other" else (usual, other)


def shared_link(link: Link, role: str, name: str = "") -> str:
    """The address of the link for `role`; answers 404 if `link` may not share that.

    For a host, it is the link made for the host called `name`, shared only by the host who made it.
    """
    tokens = {str(known): text for known, text in book().hosting.links(link).items()}
    if role == "host" and link.role == "host":
        own = book().hosting.own(link).name
        tokens = {one.name: one.token for one in book().hosting.of(link) if one.added_by == own}
        role = name
    if role not in tokens:
        abort(404, str(say("This link can’t share that code.")))
    return _addresses()[0] + _page(tokens[role])


@blueprint.get("/share")
def share(token: str) -> str:
    """The page with a large code to scan: to play along, or the one that `?code=score` asks for.

    `?code=host` lists the hosts, and only with `?name=` shows the code made for that host: it must
    not be scanned from a phone lying around.
    """
    link = link_of(token)
    roles = list(book().hosting.links(link))
    asked = request.args.get("code", "play")
    role = next((known for known in roles if known == asked), "view")
    return _share(token, role, roles)


def _share(token: str, role: str, roles: list[Role], error: RefereeError | None = None) -> str:
    link, name = link_of(token), request.values.get("name", "")
    shows_code = role != "host" or (request.method == "GET" and "name" in request.args)
    address = shared_link(link, role, name) if shows_code else ""
    page = SharePage(
        token,
        _shared(link),
        roles,
        role,
        address=address,
        name=name,
        hosts=book().hosting.of(link) if role == "host" else (),
        faults=error.faults if error else (),
        done=request.args.get("new", ""),
        reaches_others=reaches_others(address),
        by=request.args.get("by"),
        other=(urlsplit(_addresses()[1]).hostname or "") if address else "",
    )
    return render(page)


@blueprint.get("/code/<role>.svg")
def code(token: str, role: str) -> Response:
    """The QR code of a role's link as an image; for a host, of the link made for `?name=`."""
    address = shared_link(link_of(token), role, request.args.get("name", ""))
    return Response(qr_svg(address), mimetype="image/svg+xml")


@blueprint.post("/hosts")
def add_host(token: str) -> AnyResponse | tuple[str, int]:
    """Make a link for another host, and show its code."""
    link, name = _host(token), request.form.get("name", "").strip()
    try:
        book().hosting.add(link, name)
    except RefereeError as error:
        return _share(token, "host", list(ROLES), error), 422
    return onward(".share", token=token, code="host", name=name)


@blueprint.get("/stop-sharing")
def ask(token: str) -> str:
    """What renewing the link of `?role=` would mean, and the button that does it.

    For a host's link `?name=` says whose, by default that of the current host.
    """
    link, role = _host(token), _role(request.args.get("role"))
    own = book().hosting.own(link)
    hosts = book().hosting.of(link)
    name = request.args.get("name", own.name)
    if name not in (host.name for host in hosts):
        abort(404, str(say("There’s no such host here anymore.")))
    gone = added_through(hosts, name)
    page = StopPage(
        token,
        _shared(link),
        role,
        name,
        own,
        gone=[one for one in gone if one not in (name, own.name)],
        renews_own=own.name in gone,
        key=new_token(),
    )
    return render(page)


@blueprint.post("/links")
def renew(token: str) -> AnyResponse:
    """Withdraw a link and replace it; phones with the old one are turned away.

    For a host's link `name` says whose, by default that of the current host; another host's link is
    withdrawn without replacement. The same form sent again has the same response.
    """
    hosting, key = book().hosting, request.form.get("key", "")
    again = hosting.renewed(token, key)
    link, role = again or _host(token), _role(request.form.get("role"))
    if role != "host":
        hosting.renew(link, role, key)
        _renewed(link)
        return onward(".share", token=token, code=role, new="code")
    own = hosting.own(link).name
    name = request.form.get("name", own)
    new = again or hosting.remove(link, name, key)
    _renewed(new)
    told = "own" if name == own else "removed"
    return remember(onward(".share", token=new.token, code=role, new=told), new.token)


def _renewed(link: Link) -> None:
    for part in web_parts():
        part.renewed(link)


def _host(token: str) -> Link:
    """The link with this token; answers 403 if it is not a host's."""
    link = link_of(token)
    require(link, "host")
    return link


def _role(named: str | None) -> Role:
    role = next((known for known in ROLES if known == named), None)
    if role is None:
        abort(422, str(say("Choose which code to stop sharing: view, play, score, or host.")))
    return role


# --- the trash, and the state of the backups


def _owner(token: str) -> Link:
    """The host's link, even if the document is in the trash; answers 404 or 403 for other links."""
    found = book().ledger.link(token)
    if found is None or found.role != "host" or found.kind != kind_here().kind:
        link_of(token)
        abort(403, str(say("Only the host can move this to the trash or restore it.")))
    return replace(found, by=phone_name())


@blueprint.get("/trash")
def trash(token: str) -> str:
    """Say that the document is in the trash, or what moving it there would mean."""
    link = _owner(token)
    trashed = book().trash.of(link.document)
    return render(TrashPage(token, _shared(link), trashed, TRASH_DAYS))


@blueprint.post("/trash")
def put_away(token: str) -> AnyResponse:
    """Move the document to the trash, and redirect to a page that confirms it."""
    link = _owner(token)
    try:
        for part in web_parts():
            part.put_away(link)
        book().trash.put(link)
    except LedgerError:  # extras take back what they did; the form can be sent again
        if book().trash.of(link.document) is None:
            for part in web_parts():
                part.restored(link)
        raise
    return remember(onward(kind_here().after, away=link.document), token)


@blueprint.post("/trash/out")
def restore(token: str) -> AnyResponse:
    """Restore the document from the trash."""
    link = _owner(token)
    book().trash.take_out(link)
    for part in web_parts():
        part.restored(link)
    return onward(kind_here().show, token=token)


class Backups(Struct, frozen=True):
    """The age of the last verified backup, and of a later one that is faulty, if any.

    `every` is the interval of automatic backups; `trouble` says why the folder cannot be read. All
    of it is empty for a book that is `elsewhere`, in a product with backups of its own.
    """

    proved: Text | None = None
    faulty: Text | None = None
    every: str = ""
    trouble: Text | None = None
    elsewhere: str = ""


@blueprint.app_template_global()
def backups_made() -> Backups:
    """The state of this book's backups, by their file names; none is opened."""
    every = settings().backup_every
    if part := part_of(settings().book):
        return Backups(elsewhere=part.product)
    try:
        kept = BackupFolder(settings().backups, settings().file).kept()
    except UnavailableError as error:
        return Backups(every=every, trouble=error.says)
    now = datetime.now(UTC)
    proved = next((_ago(one, now) for one in reversed(kept) if one.proved), None)
    faulty = _ago(kept[-1], now) if kept and not kept[-1].proved else None
    return Backups(proved, faulty, every)


def _ago(kept: KeptBackup, now: datetime) -> Text:
    """How long ago the backup was made; at least a second, if the clock was set back since."""
    since = min(kept.at - now, timedelta(seconds=-1))
    ago = format_timedelta(since, add_direction=True, locale=spoken().locale)
    return say("{ago}", ago=ago)
