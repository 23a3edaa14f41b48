"""Taking a seat, and handing it back."""

from collections.abc import Sequence
from typing import Any

from flask import abort, request

from referee.extras.seats.book import Spot
from referee.extras.seats.gathering import (
    Move,
    Part,
    deal_of,
)
from referee.extras.seats.pages.context import (
    NAME_COOKIE,
    give_token,
    new_phone,
    phone_digest,
    phone_token,
)
from referee.extras.seats.pages.here import (
    Answer,
    Here,
    blueprint,
    here,
    note,
    noted,
    seated,
)
from referee.ledger.store import digest
from referee.rules.core.game import AnyGame
from referee.rules.core.table import Board, Table
from referee.rules.text import say
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import cookie, keep_cookie
from referee.web.context import onward


class PickPage(Shown, frozen=True):
    """Which seat is this phone's? `asked` is somebody whose seat is on another phone."""

    templates = ("seats/pick.html",)
    token: str
    sheet: OpenSheet
    game: AnyGame
    board: Board
    table: Table[Any]
    spots: Sequence[Spot]
    colours: dict[str, int]
    mine: Sequence[str]
    asked: str
    can_score: bool


class MePage(Shown, frozen=True):
    """The seats of this phone, the one it `lost` to another phone, or one that it is `offered`.

    A scorekeeper `holds` cards as well, to which a link leads; all others have a key for that.
    """

    templates = ("seats/me.html",)
    token: str
    mine: Sequence[str]
    colours: dict[str, int]
    lost: str
    offered: str
    holds: bool


def pick_page(token: str, now: Here, asked: str = "") -> str:
    """The page on which a seat is taken; `asked` is on another phone."""
    sheet = now.sheet
    page = PickPage(
        token,
        sheet,
        sheet.game,
        sheet.board,
        sheet.state.table,
        [
            Spot(player, "counting" if player in now.at.taken.phones else "no-phone", "")
            for player in sheet.state.table.players
        ],
        sheet.colours,
        now.mine,
        asked,
        now.link.allows("score"),
    )
    return render(page)


@blueprint.get("/me")
def me(token: str) -> str:
    """Whose seat is on this phone, for the page of the sheet, which is alike for all phones."""
    now, phone = here(token), phone_digest()
    lost = [player for player, was in now.at.taken.lost.items() if phone and was == phone]
    name = cookie(NAME_COOKIE)
    offered = name if name in now.seated and name not in now.at.taken.phones else ""
    holds = bool(now.sheet.game.hole.cards) and now.link.allows("score")
    return render(MePage(token, now.mine, now.sheet.colours, next(iter(lost), ""), offered, holds))


@blueprint.post("/take")
def take(token: str) -> Answer:
    """Take a seat; asked twice if it is on another phone."""
    now, player = here(token), request.form.get("player", "")
    if player not in now.sheet.state.table.players:
        abort(422, str(say("There’s no such seat at this table anymore.")))
    phone = phone_token() or new_phone()
    held = now.at.taken.phones.get(player, "")
    if held not in ("", digest(phone)) and request.form.get("sure") != "yes":
        return pick_page(token, now, player), 409
    if held != digest(phone):
        move = Move(0, deal_of(now.sheet), now.sheet.seq, player, "sits", Part(), digest(phone))
        noted(now, move)
    answer = give_token(onward("sheet.show", token=token), phone)
    keep_cookie(answer, NAME_COOKIE, player)
    return answer


@blueprint.post("/leave")
def leave(token: str) -> Answer:
    """Hand a seat back."""
    now = seated(token)
    if now.player in now.mine:
        note(now, "leaves")
    return onward(".show", token=token, pick="yes")
