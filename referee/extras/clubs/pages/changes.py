"""Begin a club, and void its notes."""

from collections.abc import Mapping, Sequence

from flask import Blueprint, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.notes import Merge
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.settling import back
from referee.extras.clubs.pages.view import blueprint
from referee.ledger.store import new_token
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.sheets.hosting import Trashed
from referee.web.answers.pages import Shown, render
from referee.web.context import book, link_of, onward, writer
from referee.web.forms.sent import key_of
from referee.web.forms.taps import Form
from referee.web.phone import give_list, opened, remember, this_phone

index_blueprint = Blueprint("clubs", __name__)


# --- beginning one


class IndexPage(Shown, frozen=True):
    """The clubs of this phone, each with its state in the trash, and the form as `typed`."""

    templates = ("clubs/index.html",)
    clubs: Sequence[tuple[OpenClub, Trashed | None]]
    faults: Sequence[Fault]
    typed: Mapping[str, str]
    key: str


@index_blueprint.get("/clubs")
def index() -> AnyResponse:
    """The clubs of this phone, and the form that begins one; it gets a list, for `RateLimit`."""
    return give_list(make_response(_index(())))


def _index(faults: tuple[Fault, ...]) -> str:
    clubs = [
        (club_state().clubs.open(link), book().trash.of(link.document))
        for link in opened().of("club").values()
        if link.role == "host" or book().trash.of(link.document) is None
    ]
    return render(IndexPage(clubs, faults, request.form, new_token()))


@index_blueprint.post("/clubs")
def begin() -> AnyResponse | tuple[str, int]:
    """Begin a club."""
    try:
        with club_state().new_clubs.one_more(this_phone()):
            link = club_state().clubs.begin(
                request.form.get("name", ""), request.form.get("key", "")
            )
    except MalformedEntry as error:
        return _index(error.faults), 422
    return remember(onward("club.show", token=link.token), link.token)


# --- taking a note back


@blueprint.post("/notes/<int:seq>/void")
def void(token: str, seq: int) -> AnyResponse:
    """Void a note."""
    club_state().clubs.void(writer(token), seq, key_of(Form(request.form)))
    rows = club_state().clubs.open(link_of(token)).rows
    note = next((row.note for row in rows if row.seq == seq), None)
    if isinstance(note, Merge):
        return onward("club.people", token=token, who=note.name)
    return back(token)
