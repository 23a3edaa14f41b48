"""Home, the rules pages, and beginning a new sheet."""

import random
import re
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    render_template,
    request,
    url_for,
)
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.game import Game, span
from referee.rules.registry import GAMES
from referee.rules.ruling import Fault, MalformedEntry
from referee.rules.table import NAME_LENGTH
from referee.sheets.bin import Binned
from referee.sheets.book import ROLES
from referee.sheets.files import name_faults
from referee.sheets.sheet import OpenSheet
from referee.web.desk import book, onward
from referee.web.fields import fields_of
from referee.web.forms import Form, filled_in
from referee.web.limits import a_new_sheet

blueprint = Blueprint("pages", __name__)

SEEN_COOKIE = "sheets"
MOST_SEEN = 24
MOST_NAMES_OFFERED = 16
BY_LOT = "lot"
#: A place in this program: browsers take "//" and "/\\" for another host, and skip blanks.
_OWN_PLACE = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")


class Seen(Struct, frozen=True):
    """A sheet this phone has opened, and how it lies in the bin if it does."""

    token: str
    sheet: OpenSheet
    binned: Binned | None = None


def game_or_404(slug: str) -> Game[Any, Any]:
    """The game with this slug; answers 404 where there is none."""
    if slug not in GAMES:
        abort(404, "There is no such game here.")
    return GAMES[slug]


def seen_tokens() -> list[str]:
    """The tokens of the sheets this phone has opened, latest first."""
    return [token for token in request.cookies.get(SEEN_COOKIE, "").split(".") if token]


def remember(response: AnyResponse, token: str) -> AnyResponse:
    """Note on this phone that it has opened the sheet behind `token`."""
    tokens = [token, *(other for other in seen_tokens() if other != token)][:MOST_SEEN]
    response.set_cookie(
        SEEN_COOKIE, ".".join(tokens), max_age=400 * 86400, samesite="Lax", httponly=True
    )
    return response


def seen_sheets() -> list[Seen]:
    """The sheets this phone has opened, latest first, each once by its strongest link."""
    best: dict[int, Seen] = {}
    for token in seen_tokens():
        link = book().find(token)
        if link is None:
            continue
        binned = book().bin.of(link.sheet)
        if binned is not None and (link.role != "host" or binned.over):
            continue
        known = best.get(link.sheet)
        if known is None or ROLES.index(link.role) > ROLES.index(known.sheet.role):
            best[link.sheet] = Seen(token, book().open(link), binned)
    return list(best.values())


@blueprint.get("/")
def home() -> str:
    """A new sheet, the referee, and the sheets this phone has seen."""
    return render_template("home.html", seen=seen_sheets())


@blueprint.get("/rules/<slug>")
def rules(slug: str) -> str:
    """The rules of a game, in our words."""
    game = game_or_404(slug)
    token = request.args.get("sheet", "")
    link = book().find(token) if token else None
    token = token if link else ""
    return render_template("rules.html", game=game, token=token, back=_way_back(game, token))


def _way_back(game: Game[Any, Any], token: str) -> str:
    """Where the reader came from, if that is a page of ours; else the sheet, or the questions."""
    came_from = request.args.get("back", "")
    if _OWN_PLACE.fullmatch(came_from):
        return came_from
    if token:
        return url_for("sheets.more", token=token)
    return url_for("rulings.questions", slug=game.slug)


@blueprint.get("/new")
def choose_game() -> str:
    """Which game is it to be?"""
    glances = [(game, span(game.seats(game.house_rules()))) for game in GAMES.values()]
    return render_template("new/game.html", glances=glances)


@blueprint.get("/new/<slug>")
def new_sheet(slug: str) -> str:
    """Who plays, who deals first, and by which house rules."""
    return _new_page(game_or_404(slug), Form(request.args), ())


@blueprint.post("/new/<slug>")
def begin(slug: str) -> Response | AnyResponse | tuple[str, int]:
    """Begin the sheet, or do what a button of the form asks (`do`) and show the form again."""
    game = game_or_404(slug)
    form = Form(request.form)
    if "do" in form:
        return make_response(_new_page(game, _rearranged(form), ()))
    names = [name.strip() for name in form.getlist("name") if name.strip()]
    faults: list[Fault] = []
    options: dict[str, Any] = {}
    try:
        options = filled_in(form, game.house_rules)
    except MalformedEntry as error:
        faults.extend(error.faults)
    dealer = _dealer(form, names)
    try:
        if faults:
            faults.extend(name_faults(names))
            raise MalformedEntry(faults)
        with a_new_sheet():
            link = book().begin(slug, names, dealer, options)
    except MalformedEntry as error:
        return _new_page(game, form, error.faults), 422
    answer = onward("sheets.show", token=link.token)
    return remember(answer, link.token)


def _dealer(form: Form, names: list[str]) -> str | None:
    """The first dealer: the one whose row is marked, or one drawn by lot."""
    row = row_number(form.get("dealer", BY_LOT))
    rows = form.getlist("name")
    if 0 <= row < len(rows) and rows[row].strip():
        return rows[row].strip()
    return random.choice(names) if names else None


def row_number(text: str) -> int:
    """The number of a row of names, -1 where the text is none."""
    return int(text) if text.isdecimal() and len(text) <= 3 else -1


def _rearranged(form: Form) -> Form:
    """The form after one of its buttons: add a name or a row, or move one."""
    what, _, which = form["do"].partition(":")
    names = form.getlist("name")
    dealer, row = row_number(form.get("dealer", BY_LOT)), row_number(which)
    dealing = names[dealer] if 0 <= dealer < len(names) else None
    if what == "add":
        free = next((place for place, name in enumerate(names) if not name.strip()), len(names))
        names[free : free + 1] = [which[:NAME_LENGTH]]
    elif what == "row":
        names.append("")
    elif what == "up" and 0 < row < len(names):
        names[row - 1], names[row] = names[row], names[row - 1]
    elif what == "down" and 0 <= row < len(names) - 1:
        names[row], names[row + 1] = names[row + 1], names[row]
    after = Form(form)
    after.pop("do")
    after.setlist("name", names)
    after["dealer"] = str(names.index(dealing)) if dealing in names else BY_LOT
    return after


def _new_page(game: Game[Any, Any], form: Form, faults: tuple[Fault, ...]) -> str:
    names = form.getlist("name")
    seats = game.seats(game.house_rules())
    rows = [*names, *[""] * (seats[0] - len(names))]
    known = [name for seen in seen_sheets() for name in seen.sheet.table.players]
    offered = [name for name in dict.fromkeys(known) if name not in names][:MOST_NAMES_OFFERED]
    return render_template(
        "new/sheet.html",
        game=game,
        form=form,
        rows=rows,
        offered=offered,
        seats=span(seats),
        may_grow=len(seats) > 1 or len(rows) < seats[0],
        house_rules=fields_of(game.house_rules),
        faults=faults,
    )
