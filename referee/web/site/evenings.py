"""After the game: settle up, play again, and the sheets of an evening together."""

from contextlib import suppress
from typing import Any

from flask import Blueprint, abort, render_template, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import LedgerError, MovedOnError
from referee.ledger.store import Link
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError
from referee.rules.registry import GAMES
from referee.rules.settling import Balance, Payment, Rate, in_money, payments, read_rate
from referee.rules.text import Text, say
from referee.sheets.evening import EveningSheet, all_balances, wins
from referee.sheets.history import Remark
from referee.sheets.hosting import allows
from referee.sheets.summaries import Summary, summary_of
from referee.web.context import book, link_of, no_such_sheet, onward, sheet_of, state, writer
from referee.web.forms.decode import Form
from referee.web.forms.keys import key_of
from referee.web.phone import opened_here, remember, this_phone
from referee.web.serving.gateway import takes_long

blueprint = Blueprint("evenings", __name__)


class Reckoning(Struct, frozen=True):
    """Who stands how and who pays whom; with a `rate` also in money.

    `typed` is the rate as it was typed, `faults` what is wrong with it; `says` are the sentences
    about games that are not over, `unit` what is paid in.
    """

    balances: tuple[Balance, ...]
    payments: tuple[Payment, ...]
    unit: str
    says: tuple[Text, ...]
    typed: dict[str, str]
    rate: Rate | None
    faults: tuple[Fault, ...]

    def worth(self, count: int) -> str:
        """So many counters in money; only with a rate."""
        assert self.rate is not None
        return in_money(self.rate, count)


class Evening(Struct, frozen=True):
    """An evening in short: its sheets, who won most of its games, and how many."""

    sheets: list[EveningSheet]
    winners: list[str]
    won: int


@blueprint.app_context_processor
def _for_templates() -> dict[str, Any]:
    """The evening of a sheet and the games its players can go on with."""
    return {"evening_place": _place, "games_for": games_for}


def _place(sheet: int) -> tuple[int, int]:
    return state().evenings.place(sheet)


def games_for(players: int) -> list[AnyGame]:
    """The games that so many can play by their usual house rules."""
    return [game for game in GAMES.values() if players in game.seats(game.house_rules())]


@blueprint.get("/s/<token>/settle")
@takes_long
def settle(token: str) -> str | tuple[str, int]:
    """Who pays whom, at any moment of a sheet; with `rate` and `sign` also in money."""
    sheet = sheet_of(token)
    if not sheet.game.has_counters:
        says = say("{game} is played for points: nobody owes anything.", game=sheet.game.title)
        abort(404, str(says))
    summary = summary_of(sheet)
    reckoning = _reckoning(summary.balances, [summary])
    pools = [] if sheet.course.state.finished else sheet.game.board(sheet.course.state).pools
    page = render_template(
        "sheet/settle.html",
        token=token,
        sheet=sheet,
        game=sheet.game,
        pools=[(words, count) for words, count in pools if count],
        reckoning=reckoning,
        place=state().evenings.place(sheet.id)[0],
    )
    return (page, 422) if reckoning.faults else page


@blueprint.post("/s/<token>/again")
def again(token: str) -> AnyResponse:
    """Begin the next sheet of the evening, with the same players and the next dealer."""
    link = writer(token)
    seen, slug = request.form.get("seen", ""), request.form.get("game", "")
    if not seen.isdecimal() or len(seen) > 4:
        abort(
            422, str(say("This form doesn’t say which sheets it has seen. Load the sheet again."))
        )
    try:
        with state().new_sheets.one_more(this_phone()):
            begun = state().evenings.play_again(link, int(seen), key_of(Form(request.form)), slug)
    except MovedOnError:
        begun = None  # somebody else has begun the next sheet: it stands on the evening's page
    except RefereeError as error:
        abort(422, str(error))
    if begun is None:
        return onward("evenings.find", token=token)
    _same_name(link, begun)
    return remember(onward("sheet.show", token=begun.token), begun.token)


def _same_name(link: Link, begun: Link) -> None:
    """Call the next sheet as the players called this one, where it is the same game."""
    with suppress(LedgerError):  # it has begun all the same; under More it can be named later
        before, sheet = book().open(link), book().open(begun)
        if before.called and before.game is sheet.game and not sheet.rows:
            book().remark(begun, Remark("title", before.called), 0, "title")


@blueprint.get("/s/<token>/evening")
def find(token: str) -> AnyResponse:
    """The way from a sheet to its evening; what was typed as the rate goes along."""
    evening = state().evenings.token_of(link_of(token).sheet)
    if evening is None:
        abort(404, str(say("This sheet isn’t part of an evening yet. Play again to start one.")))
    rate, sign = (text or None for text in _typed().values())
    return remember(onward("evenings.show", token=evening, rate=rate, sign=sign), token)


@blueprint.get("/evenings")
@takes_long
def index() -> str:
    """The evenings of this phone, the latest first."""
    own = opened_here()
    evenings = [
        Evening(sheets, *_won_most([one.summary for one in sheets]))
        for sheets in state().evenings.evenings_of(own)
    ]
    return render_template("site/evenings.html", evenings=evenings)


def _won_most(sheets: list[Summary]) -> tuple[list[str], int]:
    """Who won most games, and how many; nobody and 0 where no game was won."""
    won = wins([one for one in sheets if one.played])
    most = max((number for _, number in won), default=0)
    return [player for player, number in won if number == most > 0], most


@blueprint.get("/e/<token>")
@takes_long
def show(token: str) -> str | tuple[str, int] | tuple[str, int, dict[str, str]]:
    """The sheets of an evening, who won how many, and the settling of all of it."""
    own = opened_here()
    found = state().evenings.open(token, own)
    if found is None:
        no_such_sheet()
    played = [one.summary for one in found if one.summary.played]
    waiting = sum(one.summary.condition == "waiting" for one in found)
    counted = [sheet for sheet in played if sheet.balances]
    reckoning = _reckoning(all_balances(played), counted) if counted else None
    latest = found[-1] if found and allows(found[-1].link, "score") else None
    page = render_template(
        "site/evening.html",
        token=token,
        sheets=found,
        waiting=waiting,
        sick=sum(one.summary.sick for one in found),
        hidden=state().evenings.hidden(token, own),
        wins=wins(played),
        reckoning=reckoning,
        latest=latest if latest and latest.summary.played else None,
    )
    if waiting:
        return page, 200, {"Refresh": "1"}
    return (page, 422) if reckoning and reckoning.faults else page


def _typed() -> dict[str, str]:
    return {name: request.args.get(name, "").strip()[:40] for name in ("rate", "sign")}


def _reckoning(balances: tuple[Balance, ...], sheets: list[Summary]) -> Reckoning:
    """The settling of `sheets`, with the rate that was typed, if it can be read."""
    typed, rate = _typed(), None
    faults: tuple[Fault, ...] = ()
    if typed["rate"]:
        try:
            rate = read_rate(typed["rate"], typed["sign"])
        except MalformedEntry as error:
            faults = error.faults
    units = {sheet.game.unit: None for sheet in sheets if sheet.game}
    return Reckoning(
        balances=balances,
        payments=payments({one.player: one.net for one in balances}),
        unit=next(iter(units)) if len(units) == 1 else "",
        says=tuple(
            dict.fromkeys(
                sheet.game.counters.if_stopped
                for sheet in sheets
                if sheet.game and not sheet.finished
            )
        ),
        typed=typed,
        rate=rate,
        faults=faults,
    )
