"""Begin a club, note who is who, and take notes back."""

from functools import cache
from zoneinfo import available_timezones

from flask import Blueprint, abort, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from referee.clubs.figures import counted
from referee.clubs.notes import AnyNote, Called, Gone, Guest, Member, Merge, Place, merge_faults
from referee.clubs.player import player as player_of
from referee.ledger.store import Link
from referee.rules.core.ruling import Fault, IllegalEntry, MalformedEntry, RefereeError
from referee.rules.text import say
from referee.sheets.hosting import allows
from referee.web.club.pages import blueprint, page, seen
from referee.web.club.settling import back
from referee.web.context import book, link_of, onward, state, writer
from referee.web.forms.sent import key_of, new_key
from referee.web.forms.taps import Form
from referee.web.phone import give_list, opened, remember, this_phone
from referee.web.serving.gateway import takes_long

index_blueprint = Blueprint("clubs", __name__)

zones = cache(lambda: sorted(zone for zone in available_timezones() if "/" in zone))

STATUS: dict[str, type[Member | Guest | Gone]] = {"member": Member, "guest": Guest, "gone": Gone}


# --- beginning one


@index_blueprint.get("/clubs")
def index() -> AnyResponse:
    """The clubs of this phone, and the form that begins one; it gets a list, for `RateLimit`."""
    return give_list(make_response(_index(())))


def _index(faults: tuple[Fault, ...]) -> str:
    clubs = [
        (state().clubs.open(link), book().trash.of(link.sheet))
        for link in opened().clubs.values()
        if link.role == "host" or book().trash.of(link.sheet) is None
    ]
    return render_template("club/index.html", clubs=clubs, faults=faults, typed=request.form)


@index_blueprint.post("/clubs")
def begin() -> AnyResponse | tuple[str, int]:
    """Begin a club."""
    try:
        with state().new_clubs.one_more(this_phone()):
            link = state().clubs.begin(request.form.get("name", ""))
    except MalformedEntry as error:
        return _index(error.faults), 422
    return remember(onward("club.show", token=link.token), link.token)


# --- its notes


@blueprint.get("/people")
@takes_long
def people(token: str) -> str | tuple[str, int]:
    """Who is who; and with `name` and `other` what making them one person would change."""
    return _people(token, ())


def _people(token: str, faults: tuple[Fault, ...]) -> str | tuple[str, int]:
    now, preview, changes = seen(token), None, None
    if {"name", "other"} <= request.args.keys():
        preview = Merge(request.args["name"][:24], [request.args["other"][:24]])
        faults = tuple(merge_faults(now.figures.people, now.counted.games, preview))
        if faults:
            preview = None
        else:
            merged = counted(now.counted.games, [*now.club.notes, preview])
            one = player_of(merged, merged.people.of(preview.name))
            changes = {"games": len(one.games), "wins": len(one.wins)}
    text = page(
        "people",
        token,
        now,
        names={person: now.figures.name(person) for person in now.figures.seen},
        merges=now.club.merges,
        preview=preview,
        changes=changes,
        faults=faults,
        zones=zones() if allows(now.club.link, "host") else (),
        key=new_key(),
    )
    return (text, 422) if faults else text


def _note(link: Link, note: AnyNote) -> AnyResponse | tuple[str, int]:
    try:
        state().clubs.note(link, note, key_of(Form(request.form)))
    except IllegalEntry as error:
        abort(403, str(error))
    except RefereeError as error:
        shown = _people(link.token, error.faults)
        return shown if isinstance(shown, tuple) else (shown, 422)
    return onward("club.people", token=link.token)


def _name() -> str:
    return request.form.get("name", "").strip()[:60]


@blueprint.post("/merge")
def merge(token: str) -> AnyResponse | tuple[str, int]:
    """Note that several names are one person."""
    others = [name.strip()[:60] for name in request.form.getlist("other")]
    return _note(writer(token), Merge(_name(), others))


@blueprint.post("/status")
def status(token: str) -> AnyResponse | tuple[str, int]:
    """Note that somebody is a member, a guest, or has left the club."""
    link, kind = writer(token), STATUS.get(request.form.get("status", ""))
    if kind is None:
        abort(422, str(say("Choose what they are: a member, a guest, or gone.")))
    return _note(link, kind(_name()))


@blueprint.post("/name")
def rename(token: str) -> AnyResponse | tuple[str, int]:
    """Give the club another name."""
    return _note(writer(token), Called(" ".join(request.form.get("name", "").split())))


@blueprint.post("/place")
def place(token: str) -> AnyResponse | tuple[str, int]:
    """Note where the club plays, whose days are counted."""
    return _note(writer(token), Place(request.form.get("zone", "").strip()[:60]))


@blueprint.post("/notes/<int:seq>/void")
def void(token: str, seq: int) -> AnyResponse:
    """Take a note back."""
    try:
        state().clubs.void(writer(token), seq, key_of(Form(request.form)))
    except RefereeError as error:
        abort(403 if isinstance(error, IllegalEntry) else 422, str(error))
    rows = state().clubs.open(link_of(token)).rows
    was_merge = any(row.seq == seq and isinstance(row.note, Merge) for row in rows)
    return onward("club.people", token=token) if was_merge else back(token)
