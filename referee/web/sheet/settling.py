"""After the game: settle up, play again, and go to the evening's other sheets."""

from collections.abc import Sequence
from contextlib import suppress

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.chain import Mark
from referee.ledger.errors import LedgerError, MovedOnError
from referee.rules.text import Text, say
from referee.sheets.history import Remark
from referee.sheets.sheet import OpenSheet
from referee.sheets.summaries import summary_of
from referee.web.answers.pages import Shown, render
from referee.web.context import book, link_of, onward, sheet_of, state, writer
from referee.web.extras import web_parts
from referee.web.forms.money import Reckoning, rate_typed, reckoning_of
from referee.web.forms.sent import key_of
from referee.web.phone import opened, remember, this_phone
from referee.web.serving.routes import LONG, declares

blueprint = Blueprint("settling", __name__, url_prefix="/s/<token>")


class SettlePage(Shown, frozen=True):
    """Who pays whom; `place` is that of the sheet in its evening, or 0."""

    templates = ("sheet/settle.html",)
    token: str
    sheet: OpenSheet
    pools: Sequence[tuple[Text, int]]
    reckoning: Reckoning
    place: int


@blueprint.get("/settle")
@declares(LONG)
def settle(token: str) -> tuple[str, int]:
    """Who pays whom, if the game ended now; with `rate` and `sign` also in money."""
    sheet = sheet_of(token)
    if not sheet.game.has_counters:
        says = say("{game} is played for points: nobody owes anything.", game=sheet.game.title)
        abort(404, str(says))
    summary = summary_of(sheet)
    reckoning = reckoning_of(summary.balances, [summary])
    pools = [] if sheet.course.state.finished else sheet.game.board(sheet.course.state).pools
    page = SettlePage(
        token,
        sheet,
        pools=[(words, count) for words, count in pools if count],
        reckoning=reckoning,
        place=state().evenings.place(sheet.id)[0],
    )
    return render(page), 422 if reckoning.money.faults else 200


@blueprint.post("/again")
def again(token: str) -> AnyResponse:
    """Begin the next sheet of the evening, with the same players and the next dealer."""
    link = writer(token)
    seen, slug = request.form.get("seen", ""), request.form.get("game", "")
    if not seen.isdecimal() or len(seen) > 4:
        says = say("This form doesn’t say which sheets it has seen. Load the sheet again.")
        abort(422, str(says))
    try:
        with state().new_sheets.one_more(this_phone()):
            begun = state().evenings.play_again(link, int(seen), key_of(request.form), slug)
    except MovedOnError:
        begun = None  # someone else has begun the next sheet
    if begun is None:
        return onward("settling.following", token=token)
    with suppress(LedgerError):  # the sheet has begun all the same, and can be named under More
        before, sheet = book().open(link), book().open(begun)
        if not sheet.rows and before.called and before.game is sheet.game:
            book().remark(begun, Remark("title", before.called), Mark(0), "title")
    for part in web_parts():
        part.followed(link, begun)
    return remember(onward("sheet.show", token=begun.token), begun.token)


@blueprint.get("/next")
def following(token: str) -> AnyResponse:
    """Redirect from a sheet to the evening's latest, by the best link; else to the evening."""
    link = link_of(token)
    latest = state().evenings.latest(link, opened().sheets)
    if latest is None:
        return onward("settling.evening", token=token)
    return onward("sheet.show", token=latest.token)


@blueprint.get("/evening")
@declares(writes=True)
def evening(token: str) -> AnyResponse:
    """Redirect from a sheet to its evening, keeping the rate that was typed."""
    found = state().evenings.token_of(link_of(token).document)
    if found is None:
        abort(404, str(say("This sheet isn’t part of an evening yet. Play again to start one.")))
    rate = {name: text or None for name, text in rate_typed().items()}
    return remember(onward("evenings.show", token=found, **rate), token)
