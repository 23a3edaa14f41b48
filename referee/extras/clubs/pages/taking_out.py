"""Take a game out of a club, as its host may with any of its games, and put it back."""

from collections.abc import Callable, Sequence

from flask import abort, request
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.games import game_title
from referee.extras.clubs.moving import Plan
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.moving import OUT, SHOWN_OF_EACH, Effect, Target, effects_of
from referee.extras.clubs.pages.view import blueprint
from referee.ledger.store import Link
from referee.rules.text import say
from referee.sheets.hosting import require
from referee.sheets.summaries import Summary
from referee.web.answers.pages import Shown, render
from referee.web.context import book, link_of, onward
from referee.web.serving.routes import LONG, declares


class TakeOutPage(Shown, frozen=True):
    """The effect of taking a game out of its club, or that the last `move` did so."""

    templates = ("clubs/take_out.html",)
    token: str
    number: int
    club: OpenClub
    sheet: Summary
    plan: Plan
    effects: Sequence[Effect]
    move: str
    shown: int
    game_title: Callable[[str], str]


@blueprint.get("/sheets/<int(max=999999999):number>/out")
@declares(LONG)
def out(token: str, number: int) -> str:
    """The effect of taking a game out of the club, or that it is out, with an undo."""
    return _out(token, number)


def _out(token: str, number: int) -> str:
    link = _club_host(token)
    last, came_from = club_state().moving.last(number), club_state().moving.came_from(number)
    if last.club != link.document and not (last.club is None and came_from == link.document):
        abort(404, str(say("That sheet isn’t one of this club’s.")))
    plan = club_state().moving.plan([number], None)
    page = TakeOutPage(
        token=token,
        number=number,
        club=club_state().clubs.open(link),
        sheet=book().summaries.of([number])[0],
        plan=plan,
        effects=effects_of(plan, Target(OUT)),
        move=last.move,
        shown=SHOWN_OF_EACH,
        game_title=game_title,
    )
    return render(page)


@blueprint.post("/sheets/<int(max=999999999):number>/out")
@declares(LONG)
def take_out(token: str, number: int) -> AnyResponse | tuple[str, int]:
    """Take a game out of the club, whoever hosts it; with `move`, undo that."""
    link, move = _club_host(token), request.form.get("move", "")
    moving = club_state().moving
    last = moving.last(number)
    if move:
        came_from_here = moving.came_from(number) == link.document
        if last.move == move and last.club is None and came_from_here:
            moving.undo(move)
        return onward("club.show", token=token)
    if last.club == link.document:
        plan = moving.plan([number], None)
        if request.form.get("mark") != plan.mark:
            return _out(token, number), 409
        moving.move(plan)
    return onward("club.out", token=token, number=number)


def _club_host(token: str) -> Link:
    link = link_of(token)
    require(link, "host")
    return link
