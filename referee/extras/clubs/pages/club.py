"""The pages that show a club, for every kind of link."""

from collections.abc import Callable, Mapping, Sequence

from flask import abort, make_response, request
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.figures import Duel
from referee.extras.clubs.games import FEATS, Contest, PlayedGame
from referee.extras.clubs.pages.charts import (
    LINES,
    Banded,
    form_chart,
    rating_chart,
    season_chart,
)
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.view import (
    ClubView,
    Day,
    OfClub,
    ToPay,
    blueprint,
    club_view,
    days_of,
    of_club,
)
from referee.extras.clubs.player import Games, Player, times_of
from referee.extras.clubs.player import player as player_of
from referee.extras.clubs.records import RecordName, called
from referee.extras.clubs.season_table import TableRow
from referee.ledger.links import was_renewed
from referee.ledger.store import Link, Role
from referee.rules.registry import GAMES
from referee.rules.text import Text, say
from referee.web.answers.pages import Shown, render
from referee.web.context import asks_for_a_part, book, link_of, onward, state
from referee.web.forms.sent import new_key
from referee.web.phone import opened, remember, seen_sheets
from referee.web.serving.routes import LONG, declares
from referee.web.view.chart import Chart

MATRIX = 12  # people beside one another; for more the table is too wide for any phone
ROW_DIGITS = 6
PAID_SHOWN = 5
GAMES_SHOWN = 4  # on somebody’s page, unless all are asked for
ROWS = 30  # of the season table, unless everybody is asked for
KNOWN = 8  # names offered in a club without a game
MOST_LISTED = 200  # games or payments, on the page of those asked for


class AtFirst(Shown, frozen=True):
    """A club without a game: its members, names to offer, and the game played `already`.

    `already` is the last game that ended on this phone, if it hosts that and it is in no club: its
    link, and how many games of its evening are over.
    """

    members: Sequence[str] = ()
    known: Sequence[str] = ()
    already: tuple[str, int] | None = None


class ClubPage(Shown, frozen=True):
    """The club’s page: the season table of `people` rows, and its `last` day, if it has one."""

    templates = ("clubs/club.html",)
    of: OfClub
    first: AtFirst
    to_pay: ToPay
    table: Sequence[TableRow]
    people: int
    last: Sequence[Day]


class GamesPage(Shown, frozen=True):
    """The latest of a `number` of games, by days."""

    templates = ("clubs/games.html",)
    of: OfClub
    number: int
    days: Sequence[Day]


class ChartPage(Shown, frozen=True):
    """The chart of a season; `left_out`: the table has more people than it has lines."""

    templates = ("clubs/chart.html",)
    of: OfClub
    chart: Chart | None
    tones: Mapping[str, int]
    left_out: bool


class HeadToHeadPage(Shown, frozen=True):
    """How often each of `pairs` won, lost, and was level; for two people also `by_game`."""

    templates = ("clubs/head_to_head.html",)
    of: OfClub
    people: Sequence[str]
    pairs: Mapping[tuple[str, str], tuple[int, int, int]]
    duel: Duel | None
    by_game: Sequence[tuple[str, Duel]]


class RecordsPage(Shown, frozen=True):
    """The records of each contest, and their names (`called`)."""

    templates = ("clubs/records.html",)
    of: OfClub
    called: Mapping[Contest, Mapping[RecordName, Text]]


class PlayerPage(Shown, frozen=True):
    """All figures of one person; `place` is that of their rating, `among` how many.

    `shown` of their games have a row.
    """

    templates = ("clubs/player.html",)
    of: OfClub
    one: Player
    place: tuple[int, int]
    by_game: Sequence[tuple[str, Games]]
    shown: int
    rating_chart: Banded | None
    form_chart: Chart | None
    feat_called: Mapping[str, Text]
    times_of: Callable[[str, Games], int]


def _at_first(view: ClubView) -> AtFirst:
    people, seen_here = view.figures.people, seen_sheets()
    members = club_state().clubs.names(view.club.link)
    names = (name for seen in seen_here for name in seen.summary.players)
    known = {people.of(name): name for name in names if people.of(name) not in people.noted}
    gone = [view.figures.name(one) for one in people.noted if people.status(one) == "gone"]
    over = [one for one in seen_here if one.summary.finished and one.role == "host"]
    latest = max(over, key=lambda one: one.summary.changed, default=None)
    already = None
    if latest and latest.trashed is None and club_state().clubs.of(latest.summary.sheet) is None:
        together = state().evenings.together(latest.summary.sheet)
        already = latest.token, sum(one.summary.sheet in together for one in over) or 1
    return AtFirst(members, [*gone, *known.values()][:KNOWN], already)


@blueprint.get("")
@declares(LONG)
def show(token: str) -> AnyResponse:
    """The club's page: the season table, its last day, and what is still to pay."""
    view = club_view(token)
    table = view.figures.table(view.period, view.by)
    settlings, paid = club_state().clubs.counts.accounts(view.club).settlings, view.club.paid
    page = ClubPage(
        of_club(token, view),
        AtFirst() if view.counted.games else _at_first(view),
        ToPay(settlings, paid[::-1][:PAID_SHOWN], new_key()),
        table=table if "everybody" in request.args else table[:ROWS],
        people=len(table),
        last=days_of(view, view.counted.games[-MOST_LISTED:])[:1],
    )
    shown_page = make_response(render(page))
    if asks_for_a_part():
        shown_page.headers["HX-Push-Url"] = request.path  # after the form that began the club
    return remember(shown_page, token)


@blueprint.get("/sheets/<int(max=999999999):number>")
def sheet(token: str, number: int) -> AnyResponse:
    """Redirect to a sheet of the club, or to its deal `row`, with a link for the visitor.

    It is their own, or the sheet's link for what the club's link allows, but never a host's. A
    sheet whose link was renewed opens only for those who have the new one.
    """
    link, own = link_of(token), opened().sheets.get(number)
    if club_state().clubs.of(number) != link.document or book().trash.of(number) is not None:
        abort(404, str(say("That sheet isn’t one of this club’s.")))
    role: Role = "view" if link.role == "view" else "score"
    tokens, renewed = state().ledger.links(number), was_renewed(state().ledger, number, role)
    if role in tokens and not renewed and not (own and own.allows(role)):
        own = Link(tokens[role], number, role)
    if own is None and link.allows("host"):  # a club's host may still take it out
        return onward("club.out", token=token, number=number)
    if own is None:
        abort(403, str(say("The link to that sheet was renewed. Ask its host for the new one.")))
    row = request.args.get("row", "")
    if row.isdecimal() and len(row) < ROW_DIGITS:
        return onward("sheet.deal", token=own.token, seq=int(row))
    return onward("sheet.show", token=own.token)


@blueprint.get("/games")
@declares(LONG)
def games(token: str) -> str:
    """The games behind a figure: a `figure` of `who`, or against `other`, in one `game`."""
    view = club_view(token)
    found = _asked_for(view)
    return render(GamesPage(of_club(token, view), len(found), days_of(view, found[-MOST_LISTED:])))


def _asked_for(view: ClubView) -> list[PlayedGame]:
    """The games that the address asks for, by default all, unfinished ones too."""
    kind = request.args.get("game", "")
    length = request.args.get("length", "")
    if "who" not in request.args:
        games = view.figures.games if view.dates or length else view.counted.games
        return [
            game
            for game in games
            if (not kind or game.kind == kind)
            and (not length or game.contest.length == length)
            and view.period.holds(game)
        ]
    who = view.asked("who")
    known = view.figures.seen[who]
    sheets = {one.game.sheet for one in known if kind in ("", one.game.kind)}
    if "other" in request.args:
        duel = view.figures.duel(who, view.asked("other"), view.period, kind)
        sheets = {*duel.won, *duel.lost, *duel.level}
    if figure := request.args.get("figure", ""):
        of_figure = _games_behind(player_of(view.figures, who, view.period), figure, kind)
        sheets &= {one.game.sheet for one in of_figure}
    return [one.game for one in known[view.period.within(known)] if one.game.sheet in sheets]


def _games_behind(one: Player, figure: str, kind: str) -> Games:
    """The games, of one kind, behind a person's figure; answers 404 for an unknown figure."""
    name, _, which = figure.partition(":")
    found: Games | None = None
    match name:
        case "feat":
            found = one.feats.get(which)
        case "place":
            found = next(
                (games for place, games in one.places.items() if str(place) == which), None
            )
        case "streak":
            for contest, records in one.figures.records.items():
                held = records.get("longest_streak")
                if held and (contest.kind, contest.length) == (kind, which):
                    sheets = one.figures.rests_on(contest, "longest_streak", held[-1])
                    found = [played for played in one.games if played.game.sheet in sheets]
        case "best_table":
            _, found = one.best_table
        case "unit":
            found = [played for played in one.games if GAMES[played.game.slug].unit == which]
        case "games" | "wins" | "best_streak":
            found = getattr(one, name)
    if found is None:
        abort(404, str(say("There’s no such figure.")))
    return found


@blueprint.get("/chart")
@declares(LONG)
def chart(token: str) -> str:
    """The season's chart, in the figure that sorts its table."""
    view = club_view(token)
    people = [row.person for row in view.figures.table(view.period, view.by)]
    drawn = season_chart(view.figures, people, view.by, view.period)
    tones = {view.figures.name(person): view.tone(person) for person in people[:LINES]}
    return render(ChartPage(of_club(token, view), drawn, tones, left_out=len(people) > LINES))


@blueprint.get("/head-to-head")
@declares(LONG)
def head_to_head(token: str) -> str:
    """How often each person placed ahead of each other; for `who` and `other` game by game."""
    view = club_view(token)
    people = [row.person for row in view.figures.ranking(view.period)]
    duel, by_game = None, []
    if {"who", "other"} <= request.args.keys():
        who, other = view.asked("who"), view.asked("other")
        duel = view.figures.duel(who, other, view.period)
        by_kind = (
            (kind, view.figures.duel(who, other, view.period, kind)) for kind in view.figures.keys
        )
        by_game = [(kind, one) for kind, one in by_kind if one.games]
    page = HeadToHeadPage(
        of_club(token, view),
        people=people[:MATRIX],
        pairs={
            (one, other): duel.counts
            for one in people[:MATRIX]
            for other, duel in view.figures.duels(one, view.period).items()
        },
        duel=duel,
        by_game=by_game,
    )
    return render(page)


@blueprint.get("/records")
@declares(LONG)
def records(token: str) -> str:
    """The records of each game, each linked to its deal or games."""
    of = of_club(token, club_view(token))
    return render(RecordsPage(of, {one: called(one) for one in of.figures.records}))


@blueprint.get("/player")
@declares(LONG)
def player(token: str) -> str:
    """All figures of one person, `who`."""
    view = club_view(token)
    one = player_of(view.figures, view.asked("who"), view.period)
    rated = [row for row in view.figures.table(view.period, "rating") if row.rating]
    place = next((at for at, row in enumerate(rated, start=1) if row.person == one.person), 0)
    page = PlayerPage(
        of_club(token, view),
        one=one,
        place=(place, len(rated)),
        by_game=sorted(one.by_game.items(), key=lambda of: -len(of[1])),
        shown=len(one.by_game) if "all" in request.args else GAMES_SHOWN,
        rating_chart=rating_chart(one),
        form_chart=form_chart(one),
        feat_called=FEATS,
        times_of=times_of,
    )
    return render(page)
