"""The pages that show a club, open to each of its links."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from urllib.parse import urlencode

from flask import Blueprint, abort, make_response, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.counting import Counted, Settling
from referee.extras.clubs.figures import (
    TABLE_SORTS,
    Duel,
    Figures,
    Period,
    TableRow,
    TableSort,
    year,
)
from referee.extras.clubs.games import FEATS, PlayedGame, day_of, game_title
from referee.extras.clubs.notes import Paid, People, day_faults
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.charts import (
    LINES,
    Banded,
    form_chart,
    rating_chart,
    season_chart,
)
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.waiting import until_counted
from referee.extras.clubs.player import Games, Player, times_of
from referee.extras.clubs.player import player as player_of
from referee.extras.clubs.ratings import RATED_FROM, Rating, shown
from referee.extras.clubs.records import RECORDS, RecordName
from referee.ledger.store import Link, Role
from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.letters import folded
from referee.rules.registry import GAMES
from referee.rules.text import Text, quoted, say
from referee.web.answers.pages import Shown, render
from referee.web.context import asks_for_a_part, book, link_of, onward, state
from referee.web.forms.money import Money
from referee.web.forms.sent import new_key
from referee.web.phone import opened, remember, seen_sheets
from referee.web.serving.gateway import takes_long
from referee.web.view.chart import Chart
from referee.web.view.filters import written_day

blueprint = Blueprint("club", __name__, url_prefix="/c/<token>")


@blueprint.app_template_filter()
def club_name(person: str, figures: Figures) -> str:
    """What a person of a club is called."""
    return figures.name(person)


@blueprint.app_template_filter()
def club_game(key: str) -> str:
    """The same for all keys of a game that differ only in capitals or blanks."""
    return folded(key)


FEW = 5  # games; what rests on fewer is shown faintly
MATRIX = 12  # people beside one another; for more the table is too wide for any phone
ROW_DIGITS, YEAR_DIGITS = 6, 4
PAID_SHOWN = 5
GAMES_SHOWN = 4  # on somebody’s page, unless all are asked for
ROWS = 30  # of the season table, unless everybody is asked for
KNOWN = 8  # names that a club without a game offers
SHOWN = 200  # games on the page of those that a figure rests on


class Seen(Struct, frozen=True):
    """A club as one request sees it: the games of a period, whose parameters are `dates`."""

    club: OpenClub
    counted: Counted
    period: Period
    dates: dict[str, str]
    by: str

    @property
    def figures(self) -> Figures:
        """All that is counted."""
        return self.counted.figures

    @property
    def when(self) -> str:
        """The period in words: "2026", or "Mar 1 – Apr 5"; nothing for all time."""
        if "year" in self.dates or not self.dates:
            return self.dates.get("year", "")
        return in_words(self.period.since, self.period.until)

    def day(self, at: str) -> date | None:
        """The day of a time (ISO 8601) at the club’s place; None if it is none."""
        found = day_of(at, self.club.zoned)
        return date.fromisoformat(found) if found else None

    def tone(self, person: str) -> int:
        """The colour of a person, from 1."""
        return self.counted.colours.get(person, 1)

    def asked(self, name: str) -> str:
        """The person whom the address names; answers 404 if it is nobody of the club."""
        person = self.figures.people.of(request.args.get(name, ""))
        if person not in self.figures.seen:
            abort(404, str(say("Nobody of that name has played a game here.")))
        return person


def seen(token: str) -> Seen:
    """The club behind this link, in the period that the address asks for.

    Answers 404 as `link_of` does, and 422 for a period that is none.
    """
    try:
        return seen_in(token, *asked_period())
    except MalformedEntry as error:
        abort(422, str(error))


def seen_in(token: str, period: Period, dates: dict[str, str]) -> Seen:
    """The club behind this link in a period with these parameters; answers 404 as `link_of`."""
    club, by = club_state().clubs.open(link_of(token)), request.args.get("by", "")
    until_counted(club)
    by = by if by in TABLE_SORTS else next(iter(TABLE_SORTS))
    return Seen(club, club_state().clubs.counts.of(club), period, dates, by)


def asked_period() -> tuple[Period, dict[str, str]]:
    """The period of the address, a `year` or `from` and `to`, and its parameters; else all time.

    Raises `MalformedEntry` if it is none.
    """
    asked = {name: request.args.get(name, "").strip() for name in ("year", "from", "to")}
    dates = {name: given for name, given in asked.items() if given}
    in_year, since, until = asked.values()
    if in_year:
        if not (in_year.isascii() and in_year.isdecimal() and len(in_year) == YEAR_DIGITS):
            says = say("“{year}” isn’t a year. Write it like 2026.", year=quoted(in_year))
            raise MalformedEntry([shared_fault("year", says, "club")])
        return year(int(in_year)), {"year": in_year}
    if faults := list(day_faults(since, until)):
        raise MalformedEntry(faults)
    return Period(since, until), dates


def in_words(since: str, until: str) -> str:
    """Days of a period: "Mar 1 – Apr 5", or just the one; nothing for all time."""
    days = (date.fromisoformat(day) if day else None for day in dict.fromkeys((since, until)))
    return " – ".join(written_day(d) if d else "" for d in days).strip()


class OfClub(Shown, frozen=True):
    """A club in a period; `at` and `at_sheet` are the addresses of its pages and its sheets."""

    token: str
    now: Seen
    club: OpenClub
    figures: Figures
    sorts: Mapping[str, TableSort]
    few: int
    is_host: bool
    can_score: bool
    rating: Callable[[Rating], tuple[int, int]]
    rated_from: int
    game_title: Callable[[str], str]
    in_words: Callable[[str, str], str]
    at: Callable[..., str]
    at_sheet: Callable[..., str]


def of_club(token: str, now: Seen) -> OfClub:
    """What every page shows of the club."""
    return OfClub(
        token=token,
        now=now,
        club=now.club,
        figures=now.figures,
        sorts=TABLE_SORTS,
        few=FEW,
        is_host=now.club.link.allows("host"),
        can_score=now.club.link.allows("score"),
        rating=shown,
        rated_from=RATED_FROM,
        game_title=game_title,
        in_words=in_words,
        at=partial(_address, {}, token, now.dates),
        at_sheet=partial(_sheet_address, url_for("club.show", token=token)),
    )


def _address(
    bases: dict[str, str], token: str, dates: dict[str, str], endpoint: str, **asked: str | None
) -> str:
    """The address of another page of the club, for the same period; a page has hundreds of them."""
    if endpoint not in bases:
        bases[endpoint] = url_for(f"club.{endpoint}", token=token)
    query = urlencode(dates | {name: value for name, value in asked.items() if value})
    return f"{bases[endpoint]}?{query}" if query else bases[endpoint]


def _sheet_address(club: str, number: int, row: int = 0) -> str:
    """The address in the club of a sheet, or of a deal on it."""
    return f"{club}/sheets/{number}?row={row}" if row else f"{club}/sheets/{number}"


class Day(Struct, frozen=True):
    """The games begun on one day, in their order; one without a day has none that can be read."""

    date: date | None
    games: list[PlayedGame]

    def wins(self, people: People) -> list[tuple[str, int]]:
        """How many of the games each person won, the most first."""
        won = Counter(people.of(one.name) for game in self.games for one in game.winners)
        return won.most_common()

    @property
    def title(self) -> Text | str:
        """The day in words: "Thursday, November 19"."""
        if self.date is None:
            return say("Some day")
        return written_day(self.date, heads=True)


def days_of(now: Seen, games: Iterable[PlayedGame]) -> list[Day]:
    """The days on which these games were begun at the club’s place, the latest first."""

    def begun_on(game: PlayedGame) -> date:
        return now.day(game.begun) or date.min

    latest_first = sorted(games, key=lambda game: (begun_on(game), game.sheet), reverse=True)
    return [
        Day(None if day == date.min else day, list(played)[::-1])
        for day, played in groupby(latest_first, key=begun_on)
    ]


class AtFirst(Shown, frozen=True):
    """What is shown of a club without a game: who belongs, who may, and what was played `already`.

    That is the game that ended last on this phone, if its host has it in no club: its link, and how
    many of its evening are over.
    """

    members: Sequence[str] = ()
    known: Sequence[str] = ()
    already: tuple[str, int] | None = None


class ToPay(Shown, frozen=True):
    """What is still to pay and what was paid, with the `key` of the forms that note it.

    On the page of a period also in `money`, and with what that page was `asked` for.
    """

    settlings: Sequence[Settling]
    paid: Sequence[tuple[int, Paid]]
    key: str
    money: Money | None = None
    asked: dict[str, str] | None = None


class ClubPage(Shown, frozen=True):
    """The club’s page: the season table of so many `people`, and its `last` day, if it has one."""

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
    """How often each of `pairs` won, lost, and was level; and two people, `by_game` too."""

    templates = ("clubs/head_to_head.html",)
    of: OfClub
    people: Sequence[str]
    pairs: Mapping[tuple[str, str], tuple[int, int, int]]
    duel: Duel | None
    by_game: Sequence[tuple[str, Duel]]


class RecordsPage(Shown, frozen=True):
    """The records of each game, and what they are `called`."""

    templates = ("clubs/records.html",)
    of: OfClub
    called: Mapping[RecordName, Text]


class PlayerPage(Shown, frozen=True):
    """Everything counted of one person; `place` is that of their rating, among so many.

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


def _at_first(now: Seen) -> AtFirst:
    people, seen_here = now.figures.people, seen_sheets()
    members = club_state().clubs.names(now.club.link)
    names = (name for seen in seen_here for name in seen.summary.players)
    known = {people.of(name): name for name in names if people.of(name) not in people.noted}
    gone = [now.figures.name(one) for one in people.noted if people.standing(one) == "gone"]
    over = [one for one in seen_here if one.summary.finished and one.role == "host"]
    latest = max(over, key=lambda one: one.summary.changed, default=None)
    already = None
    if latest and latest.trashed is None and club_state().clubs.of(latest.summary.sheet) is None:
        together = state().evenings.together(latest.summary.sheet)
        already = latest.token, sum(one.summary.sheet in together for one in over) or 1
    return AtFirst(members, [*gone, *known.values()][:KNOWN], already)


@blueprint.get("")
@takes_long
def show(token: str) -> AnyResponse:
    """The club's page: the season table, its last day, and what is still to pay."""
    now = seen(token)
    table = now.figures.table(now.period, now.by)
    settling, paid = club_state().clubs.counts.accounts(now.club).settling, now.club.paid
    page = ClubPage(
        of_club(token, now),
        AtFirst() if now.counted.games else _at_first(now),
        ToPay(settling, paid[: -PAID_SHOWN - 1 : -1], new_key()),
        table=table if "everybody" in request.args else table[:ROWS],
        people=len(table),
        last=days_of(now, now.counted.games[-SHOWN:])[:1],
    )
    shown_page = make_response(render(page))
    if asks_for_a_part():
        shown_page.headers["HX-Push-Url"] = request.path  # after the form that began the club
    return remember(shown_page, token)


@blueprint.get("/sheets/<int(max=999999999):number>")
def sheet(token: str, number: int) -> AnyResponse:
    """Redirect to a sheet of the club, or to its deal `row`, by the link that the visitor may use.

    That is their own, or the one for what the club's link allows, but no host's. A sheet from which
    somebody was turned away is shown only to those who have its new link.
    """
    link, own = link_of(token), opened().sheets.get(number)
    if club_state().clubs.of(number) != link.document or book().trash.of(number) is not None:
        abort(404, str(say("That sheet isn’t one of this club’s.")))
    role: Role = "view" if link.role == "view" else "score"
    tokens, renewed = state().ledger.links(number), state().ledger.was_renewed(number, role)
    if role in tokens and not renewed and not (own and own.allows(role)):
        own = Link(tokens[role], number, role)
    if own is None and link.allows("host"):  # who may take it out all the same
        return onward("club.out", token=token, number=number)
    if own is None:
        abort(403, str(say("The link to that sheet was renewed. Ask its host for the new one.")))
    row = request.args.get("row", "")
    if row.isdecimal() and len(row) < ROW_DIGITS:
        return onward("sheet.deal", token=own.token, seq=int(row))
    return onward("sheet.show", token=own.token)


@blueprint.get("/games")
@takes_long
def games(token: str) -> str:
    """The games that a figure rests on: a `figure` of `who`, or against `other`, of one `game`."""
    now = seen(token)
    found = _asked_for(now)
    return render(GamesPage(of_club(token, now), len(found), days_of(now, found[-SHOWN:])))


def _asked_for(now: Seen) -> list[PlayedGame]:
    """The games that the address asks for; all, unfinished ones too, if it asks for nothing."""
    kind = request.args.get("game", "")
    length = request.args.get("length", "")
    if "who" not in request.args:
        games = now.figures.games if now.dates or length else now.counted.games
        return [
            game
            for game in games
            if kind in ("", game.kind)
            and length in ("", game.contest.length)
            and now.period.holds(game)
        ]
    who = now.asked("who")
    known = now.figures.seen[who]
    sheets = {one.game.sheet for one in known if kind in ("", one.game.kind)}
    if "other" in request.args:
        duel = now.figures.duel(who, now.asked("other"), now.period, kind)
        sheets = {*duel.won, *duel.lost, *duel.level}
    if figure := request.args.get("figure", ""):
        of_figure = _rests_on(player_of(now.figures, who, now.period), figure, kind)
        sheets &= {one.game.sheet for one in of_figure}
    return [one.game for one in known[now.period.within(known)] if one.game.sheet in sheets]


def _rests_on(one: Player, figure: str, kind: str) -> Games:
    """The games, of one kind, on which a figure of a person rests; answers 404 if there is none."""
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
        abort(404, str(say("Nothing is counted under that name.")))
    return found


@blueprint.get("/chart")
@takes_long
def chart(token: str) -> str:
    """How the season table came about, by what it is sorted by."""
    now = seen(token)
    people = [row.person for row in now.figures.table(now.period, now.by)]
    drawn = season_chart(now.figures, people, now.by, now.period)
    tones = {now.figures.name(person): now.tone(person) for person in people[:LINES]}
    return render(ChartPage(of_club(token, now), drawn, tones, left_out=len(people) > LINES))


@blueprint.get("/head-to-head")
@takes_long
def head_to_head(token: str) -> str:
    """Who placed ahead of whom how often; and two people, `who` and `other`, game by game."""
    now = seen(token)
    people = [row.person for row in now.figures.table(now.period)]
    duel, by_game = None, []
    if {"who", "other"} <= request.args.keys():
        who, other = now.asked("who"), now.asked("other")
        duel = now.figures.duel(who, other, now.period)
        by_kind = (
            (kind, now.figures.duel(who, other, now.period, kind)) for kind in now.figures.keys
        )
        by_game = [(kind, one) for kind, one in by_kind if one.games]
    page = HeadToHeadPage(
        of_club(token, now),
        people=people[:MATRIX],
        pairs={
            (one, other): duel.counts
            for one in people[:MATRIX]
            for other, duel in now.figures.duels(one, now.period).items()
        },
        duel=duel,
        by_game=by_game,
    )
    return render(page)


@blueprint.get("/records")
@takes_long
def records(token: str) -> str:
    """The records of each game, each with the deal or the games it rests on."""
    return render(RecordsPage(of_club(token, seen(token)), RECORDS))


@blueprint.get("/player")
@takes_long
def player(token: str) -> str:
    """Everything that is counted of one person, `who`."""
    now = seen(token)
    one = player_of(now.figures, now.asked("who"), now.period)
    rated = [row for row in now.figures.table(now.period, "rating") if row.rating]
    place = next((at for at, row in enumerate(rated, start=1) if row.person == one.person), 0)
    page = PlayerPage(
        of_club(token, now),
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
