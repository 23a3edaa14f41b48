"""Beginning a new sheet: the game, who plays, who deals first, the house rules."""

import random
from typing import Any

from flask import Blueprint, Response, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.core.game import AnyGame
from referee.rules.core.names import name_faults
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.core.seating import span
from referee.rules.core.table import NAME_LENGTH
from referee.rules.registry import GAMES
from referee.web.context import book, game_or_404, onward, state
from referee.web.forms.decode import Form, filled_in, row_number
from referee.web.forms.fields import asked_for, fields_of
from referee.web.http.rate_limit import a_new_sheet
from referee.web.phone import give_list, remember, seen_sheets, this_phone

blueprint = Blueprint("new", __name__)

MAX_NAMES_OFFERED = 16
MAX_ROWS = 40  # for names; more than any game seats
DRAW = "lot"  # what the button `do` asks for


@blueprint.get("/new")
def choose_game() -> str:
    """Which game is it to be?"""
    glances = [(game, span(game.seats(game.house_rules()))) for game in GAMES.values()]
    return render_template("site/new_game.html", glances=glances)


@blueprint.get("/new/<slug>")
def new_sheet(slug: str) -> AnyResponse:
    """Who plays, who deals first, and by which house rules.

    From here on a new phone is told from others at its address (`rate_limit`).
    """
    return give_list(make_response(_new_page(game_or_404(slug), Form(request.args), ())))


@blueprint.post("/new/<slug>")
def begin(slug: str) -> Response | AnyResponse | tuple[str, int]:
    """Begin the sheet, or do what a button of the form asks (`do`) and show the form again."""
    game = game_or_404(slug)
    form = Form(request.form)
    if "do" in form:
        drawn = _by_lot(form) if form["do"] == DRAW else None
        return make_response(_new_page(game, _rearranged(form, drawn), (), drawn))
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
        with a_new_sheet(state().new_sheets, this_phone()):
            link = book().begin(slug, names, dealer, options)
    except MalformedEntry as error:
        return _new_page(game, form, error.faults), 422
    answer = onward("sheet.show", token=link.token)
    return remember(answer, link.token)


def _dealer(form: Form, names: list[str]) -> str | None:
    """The first dealer: the one whose row is marked, or one drawn by lot."""
    row = row_number(form.get("dealer", ""))
    rows = form.getlist("name")
    if 0 <= row < len(rows) and rows[row].strip():
        return rows[row].strip()
    return random.choice(names) if names else None


def _by_lot(form: Form) -> str | None:
    """Whom the lot falls on, of those who have a name; None where nobody has."""
    names = [name for name in form.getlist("name") if name.strip()]
    return random.choice(names) if names else None


def _rearranged(form: Form, drawn: str | None = None) -> Form:
    """The form after one of its buttons: add a name or a row, move one, or mark who was `drawn`."""
    what, _, which = form["do"].partition(":")
    names = form.getlist("name")
    dealer, row = row_number(form.get("dealer", "")), row_number(which)
    dealing = drawn or (names[dealer] if 0 <= dealer < len(names) else None)
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
    after["dealer"] = str(names.index(dealing)) if dealing in names else ""
    return after


def _new_page(
    game: AnyGame, form: Form, faults: tuple[Fault, ...], drawn: str | None = None
) -> str:
    names = form.getlist("name")[:MAX_ROWS]
    seats = game.seats(game.house_rules())
    rows = [*names, *[""] * (seats[0] - len(names))]
    known = [name for seen in seen_sheets() for name in seen.summary.players]
    offered = [name for name in dict.fromkeys(known) if name not in names][:MAX_NAMES_OFFERED]
    return render_template(
        "site/new_sheet.html",
        game=game,
        form=form,
        rows=rows,
        offered=offered,
        seats=span(seats),
        may_grow=len(seats) > 1 or len(rows) < seats[0],
        house_rules=asked_for(fields_of(game.house_rules), form),
        faults=faults,
        drawn=drawn,
    )
