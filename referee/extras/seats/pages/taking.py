"""Taking a seat, and handing it back."""

from collections.abc import Sequence

from flask import abort, request

from referee.extras.seats.gathering import OWN
from referee.extras.seats.pages.context import COOKIE, NAME_COOKIE, phone_digest, phone_token
from referee.extras.seats.pages.here import Answer, Here, blueprint, here, move_of, note, seated
from referee.extras.seats.table import AtTable
from referee.ledger.store import digest, new_token
from referee.rules.core.ruling import Fault, RefereeError
from referee.rules.text import say
from referee.sheets.hosting import require
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import cookie, keep_cookie
from referee.web.context import book, onward
from referee.web.sheet.page import OnSheet, on_sheet


class PickPage(Shown, frozen=True):
    """Which seat is this phone's? Another phone has that of whoever is `asked`.

    Somebody new `asked_as` this name to join, with these `faults`; `full` says why nobody can.
    """

    templates = ("seats/pick.html",)
    on: OnSheet
    at: AtTable
    mine: Sequence[str]
    asked: str
    asked_as: str
    faults: Sequence[Fault]
    full: Fault | None


class MePage(Shown, frozen=True):
    """The seats of this phone, or the one it `lost` to another; `last`: whose it took last."""

    templates = ("seats/me.html",)
    token: str
    at: AtTable
    mine: Sequence[str]
    lost: str
    last: str
    asked_as: str


def pick_page(token: str, now: Here, asked: str = "", faults: Sequence[Fault] = ()) -> str:
    """The page on which a seat is taken, with the parameters of `PickPage`."""
    sheet = now.sheet
    named = request.form.get("player", now.at.taken.new.get(phone_digest(), ""))
    full = next(iter(join_faults(sheet, OWN)), None)
    return render(PickPage(on_sheet(token, sheet), now.at, now.mine, asked, named, faults, full))


def join_faults(sheet: OpenSheet, name: str) -> Sequence[Fault]:
    """Why somebody of this name could not join, were it between two deals."""
    entry = {"action": "join", "player": name, "left_of": sheet.state.table.players[-1]}
    try:
        book().preview(sheet, entry)
    except RefereeError as error:
        return [fault for fault in error.faults if fault.code != "deal-begun"]
    return ()


@blueprint.get("/me")
def me(token: str) -> str:
    """Whose seat is on this phone, for the page of the sheet, which is alike for all phones."""
    now, phone, last = here(token), phone_digest(), cookie(NAME_COOKIE)
    players = now.sheet.state.table.players
    lost = next((one for one in players if phone and now.at.taken.lost.get(one) == phone), "")
    return render(MePage(token, now.at, now.mine, lost, last, now.at.taken.new.get(phone, "")))


@blueprint.post("/take")
def take(token: str) -> Answer:
    """Take a seat; asked twice if it is on another phone."""
    now, player = here(token), request.form.get("player", "")
    if player not in now.sheet.state.table.players:
        abort(422, str(say("There’s no such seat at this table anymore.")))
    phone = phone_token() or new_token()
    held = now.at.taken.phones.get(player, "")
    moves = held not in ("", digest(phone))
    if moves and player in now.at.taken.contested and not now.link.allows("score"):
        says = say(
            "{player}’s seat has gone back and forth. Whoever keeps score frees it for the right "
            "phone.",
            player=player,
        )
        abort(409, str(says))
    if moves and request.form.get("sure") != "yes":
        return pick_page(token, now, player), 409
    if held != digest(phone):
        note(now, now.at.move(player, "sits", digest(phone)))
    return _kept(token, phone, player)


@blueprint.post("/leave")
def leave(token: str) -> Answer:
    """Hand a seat back; a scorekeeper may free anybody’s."""
    now = seated(token)
    note(now, move_of(now, "leaves"))
    if now.player not in now.mine:
        return onward("sheet.show", token=token)
    return onward(".show", token=token, pick="yes")


@blueprint.post("/ask")
def ask(token: str) -> Answer:
    """Ask a scorekeeper to let somebody new join."""
    now, name = here(token), request.form.get("player", "").strip()
    if faults := join_faults(now.sheet, name):
        return pick_page(token, now, faults=faults), 422
    phone = phone_token() or new_token()
    note(now, now.at.move(name, "asks", digest(phone)))
    return _kept(token, phone, name)


def _kept(token: str, phone: str, name: str) -> Answer:
    """Lead to the sheet; the phone keeps its own token, and whose seat it is."""
    answer = onward("sheet.show", token=token)
    keep_cookie(answer, COOKIE, phone)
    keep_cookie(answer, NAME_COOKIE, name)
    return answer


@blueprint.post("/decline")
def decline(token: str) -> Answer:
    """Don’t let somebody new join: for scorekeepers."""
    now, name = here(token), request.form.get("player", "")
    require(now.link, "score")
    if name in now.at.taken.new.values():
        note(now, now.at.move(name, "leaves"))
    return onward("sheet.show", token=token)
