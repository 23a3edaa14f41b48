"""The evenings: joining sheets and parting them, and the settling of all of them together."""

from collections import Counter
from collections.abc import Mapping, Sequence

from babel.dates import format_date
from flask import Blueprint, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link
from referee.rules.core.game import AnyGame
from referee.rules.language import spoken
from referee.rules.registry import GAMES
from referee.rules.text import Listed, Text, listed, say, say_many, typed
from referee.sheets.evening import (
    MAX_SHEETS,
    EveningSheet,
    Offer,
    all_balances,
    card_day,
    offers,
    wins,
)
from referee.sheets.summaries import Summary
from referee.web.answers.pages import Shown, render
from referee.web.context import book, no_such_sheet, onward, state
from referee.web.forms.money import Reckoning, reckoning_of
from referee.web.phone import OpenedSheet, opened, seen_sheets
from referee.web.serving.routes import LONG, declares
from referee.web.view.filters import local_time, written_day

blueprint = Blueprint("evenings", __name__)

DAYS_BY_NAME = 7
MOST_NAMED = 2  # games in the line of an evening
AFTERNOONS = range(5, 17)  # hours before the evening, since a night ends at five


@blueprint.app_template_global()
def evening_place(sheet: int) -> tuple[int, int]:
    """The position of a sheet in its evening, and the evening's number of sheets; or 0 and 0."""
    return state().evenings.place(sheet)


@blueprint.app_template_global()
def games_for(players: int) -> list[AnyGame]:
    """The games for this number of players, by their default house rules."""
    return [game for game in GAMES.values() if players in game.seats(game.house_rules())]


class EveningCard(Struct, frozen=True):
    """An evening in a list: a link to one of its sheets, how many, who played and won.

    `games` names what was played, if that is no more than `MOST_NAMED` games and all are known.
    """

    token: str
    begun: str
    count: int
    games: Listed | None
    people: list[str]
    outcome: Text


class EveningsPage(Shown, frozen=True):
    """This phone's evenings, and the `offers` to join others, by the `links` it has opened."""

    templates = ("site/evenings.html",)
    evenings: Sequence[EveningCard]
    offers: Sequence[Offer]
    links: Mapping[int, Link]


class EveningPage(Shown, frozen=True):
    """An evening: its `sheets`, everyone's wins, the settling.

    `mine` are the sheets that this phone may score; `latest` is the last of the evening, if it is
    one of them: from there the evening goes on. Sheets that are left out, by number: `waiting` ones
    aren't counted yet, `sick` ones can't be opened, and for `hidden` ones this phone has no link.
    """

    templates = ("site/evening.html",)
    token: str
    sheets: Sequence[EveningSheet]
    waiting: int
    sick: int
    hidden: int
    wins: Sequence[tuple[str, int]]
    reckoning: Reckoning | None
    latest: EveningSheet | None
    mine: Sequence[EveningSheet]
    just_joined: bool


def card_of(token: str, sheets: list[Summary], count: int) -> EveningCard:
    """The card of an evening of `count` sheets, of which this phone has opened these."""
    won = wins([one for one in sheets if one.played])
    seated = dict.fromkeys(player for one in sheets for player in one.players)
    people = [player for player in seated if player in dict(won)]  # as they are called now
    outcome = _outcome(sheets, won, count)
    return EveningCard(token, sheets[0].begun, count, _games_played(sheets, count), people, outcome)


def _games_played(sheets: list[Summary], count: int) -> Listed | None:
    """The games of an evening and how often each was played; None if that says too much."""
    played = Counter(one.called or str(one.game.title) for one in sheets if one.game)
    if played.total() < count or len(played) > MOST_NAMED:
        return None
    return listed(f"{n} × {game}" if n > 1 else game for game, n in played.items())


def _outcome(sheets: list[Summary], won: list[tuple[str, int]], count: int) -> Text:
    """Who has won how many games; empty if not all sheets of the evening are known."""
    if len(sheets) < count or not all(one.played for one in sheets):
        return typed("")
    over, most = sum(one.finished for one in sheets), won[0][1]
    first = [player for player, number in won if number == most]
    if not most:
        return say("Nobody has won yet")
    if len(first) == len(won):
        return say_many("One win each", "{n} wins each", n=most)
    if len(first) == 1:
        return say("{player} won {n} of {games}", player=first[0], n=most, games=over)
    return say("{players} won {n} each", players=listed(first), n=most)


@blueprint.app_template_filter()
def evening_day(at: str, now: bool = False) -> Text:
    """The day of a time from the ledger: its name within a week, else the date.

    With `now`, this day is “today” or “tonight”.
    """
    day, today, local = card_day(at), card_day(book().now()), local_time(at)
    if day is None or local is None:
        return say("some day")
    if now and day == today:
        return say("today") if local.hour in AFTERNOONS else say("tonight")
    recent = today is not None and 0 <= (today - day).days < DAYS_BY_NAME
    if recent:
        return typed(format_date(day, "EEEE", locale=spoken().locale))
    return typed(written_day(day))


def offers_to(seen: list[OpenedSheet], *, again: bool = False) -> list[Offer]:
    """The offers to join these sheets, as far as this phone may score on them."""
    own = [one.summary for one in seen if one.role != "view" and one.trashed is None]
    return offers(own, state().evenings.stored.notes([one.sheet for one in own]), again=again)


@blueprint.get("/evenings")
@declares(LONG)
def index() -> str:
    """The page of this phone's evenings, latest first, and of the offers to join sheets."""
    known = opened()
    evenings = [
        card_of(sheets[-1].link.token, [one.summary for one in sheets], len(sheets))
        for sheets in state().evenings.evenings_of(known.sheets)
    ]
    offered = offers_to(seen_sheets(known), again=True)
    return render(EveningsPage(evenings, offered, known.sheets))


@blueprint.post("/evenings")
def decide() -> AnyResponse:
    """Join the sheets that a form names as one evening, or leave them apart.

    Sheets that went to the trash, or whose link was withdrawn since, are left out.
    """
    links = _links()
    try:
        if "apart" in request.form:
            state().evenings.leave_apart(links)
            return onward("home.show", apart=1)
        if len({link.document for link in links}) < 2:
            return onward("home.show")
        token = state().evenings.join(links)
    except MovedOnError:  # the offer, brought up to date
        return onward("evenings.index")
    return onward("evenings.show", token=token, joined=1)


def _links() -> list[Link]:
    """The links to sheets that a form names, without those that lead nowhere now."""
    found = filter(None, map(book().ledger.glance, request.form.getlist("sheet")[:MAX_SHEETS]))
    return [one.link for one in found if one.trashed is None and one.link.kind == "sheet"]


@blueprint.get("/e/<token>")
@declares(LONG)
def show(token: str) -> str | tuple[str, int] | tuple[str, int, dict[str, str]]:
    """The page of an evening: its sheets, everyone's wins, and the settling of all games."""
    own = opened().sheets
    found = state().evenings.open(token, own)
    if found is None:
        no_such_sheet()
    played = [one.summary for one in found if one.summary.played]
    waiting = sum(one.summary.condition == "waiting" for one in found)
    counted = [sheet for sheet in played if sheet.balances and sheet.entries]
    reckoning = reckoning_of(all_balances(played), counted) if counted else None
    latest = found[-1] if found and found[-1].link.allows("score") else None
    shown = EveningPage(
        token,
        found,
        waiting,
        sick=sum(one.summary.sick for one in found),
        hidden=state().evenings.count_hidden(token, own),
        wins=wins(played),
        reckoning=reckoning,
        latest=latest if latest and latest.summary.played else None,
        mine=[one for one in found if one.link.allows("score")],
        just_joined="joined" in request.args,
    )
    page = render(shown)
    if waiting:
        return page, 200, {"Refresh": "1"}
    return (page, 422) if reckoning and reckoning.money.faults else page


@blueprint.post("/e/<token>/part")
def part(token: str) -> AnyResponse:
    """Take the sheets that a form names out of the evening."""
    if not state().evenings.part(token, _links()):
        no_such_sheet()
    if state().evenings.open(token, opened().sheets):
        return onward("evenings.show", token=token)
    return onward("home.show", apart=1)
