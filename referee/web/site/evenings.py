"""The evenings: their sheets, and the settling of all of them together."""

from flask import Blueprint, render_template, request
from msgspec import Struct

from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.registry import GAMES
from referee.rules.settling import Balance, Payment, Rate, in_money, payments, read_rate
from referee.rules.text import Text
from referee.sheets.evening import all_balances, wins
from referee.sheets.hosting import allows
from referee.sheets.summaries import Summary
from referee.web.context import no_such_sheet, state
from referee.web.phone import opened
from referee.web.serving.gateway import takes_long

blueprint = Blueprint("evenings", __name__)


class Reckoning(Struct, frozen=True):
    """The balances and payments of a settling; with a `rate` also in money.

    `typed` is the rate as typed, `faults` what is wrong with it; `says` are the sentences about
    games in progress, `unit` the kind of counters, "" if mixed.
    """

    balances: tuple[Balance, ...]
    payments: tuple[Payment, ...]
    unit: str
    says: tuple[Text, ...]
    typed: dict[str, str]
    rate: Rate | None
    faults: tuple[Fault, ...]

    def worth(self, count: int) -> str:
        """The value of `count` counters in money; only with a rate."""
        assert self.rate is not None
        return in_money(self.rate, count)


@blueprint.app_template_global()
def evening_place(sheet: int) -> tuple[int, int]:
    """The position of a sheet in its evening, and the evening's number of sheets; or 0 and 0."""
    return state().evenings.place(sheet)


@blueprint.app_template_global()
def games_for(players: int) -> list[AnyGame]:
    """The games for this number of players, by their default house rules."""
    return [game for game in GAMES.values() if players in game.seats(game.house_rules())]


@blueprint.get("/evenings")
@takes_long
def index() -> str:
    """The page of this phone's evenings, latest first."""
    evenings = []
    for sheets in state().evenings.evenings_of(opened().links):
        won = wins([one.summary for one in sheets if one.summary.played])
        most = max((number for _, number in won), default=0)
        winners = [player for player, number in won if number == most > 0]
        evenings.append((sheets, winners, most))
    return render_template("site/evenings.html", evenings=evenings)


@blueprint.get("/e/<token>")
@takes_long
def show(token: str) -> str | tuple[str, int] | tuple[str, int, dict[str, str]]:
    """The page of an evening: its sheets, everyone's wins, and the settling of all games."""
    own = opened().links
    found = state().evenings.open(token, own)
    if found is None:
        no_such_sheet()
    played = [one.summary for one in found if one.summary.played]
    waiting = sum(one.summary.condition == "waiting" for one in found)
    counted = [sheet for sheet in played if sheet.balances]
    reckoning = reckoning_of(all_balances(played), counted) if counted else None
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


def rate_typed() -> dict[str, str]:
    """The rate and the currency sign as typed, from the address."""
    return {name: request.args.get(name, "").strip()[:40] for name in ("rate", "sign")}


def reckoning_of(balances: tuple[Balance, ...], sheets: list[Summary]) -> Reckoning:
    """The settling of `sheets`, with the rate that was typed if it is valid."""
    typed, rate = rate_typed(), None
    faults: tuple[Fault, ...] = ()
    if typed["rate"]:
        try:
            rate = read_rate(typed["rate"], typed["sign"])
        except MalformedEntry as error:
            faults = error.faults
    units = {sheet.game.unit for sheet in sheets if sheet.game}
    going_on = [sheet.game for sheet in sheets if sheet.game and not sheet.finished]
    return Reckoning(
        balances=balances,
        payments=payments({one.player: one.net for one in balances}),
        unit=units.pop() if len(units) == 1 else "",
        says=tuple(dict.fromkeys(game.counters.if_stopped for game in going_on)),
        typed=typed,
        rate=rate,
        faults=faults,
    )
