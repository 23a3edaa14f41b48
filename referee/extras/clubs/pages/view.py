"""A club in one request: its figures, what its pages have in common, and their addresses."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from typing import Any
from urllib.parse import quote_plus

from flask import Blueprint, abort, request, url_for
from msgspec import Struct

from referee.extras.clubs.accounts import Settling
from referee.extras.clubs.counted import Counted
from referee.extras.clubs.figures import Figures, Period, year
from referee.extras.clubs.games import PlayedGame, day_of, game_title
from referee.extras.clubs.notes import Paid, People, day_faults
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.waiting import until_counted
from referee.extras.clubs.ratings import RATED_FROM, Rating, shown
from referee.extras.clubs.season_table import DEFAULT_SORT, TABLE_SORTS, TableSort
from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.letters import folded
from referee.rules.text import Text, quoted, say
from referee.web.answers.pages import Shown
from referee.web.context import link_of
from referee.web.forms.money import Money
from referee.web.view.filters import written_day

FEW = 5  # games; figures of fewer are shown faintly
YEAR_DIGITS = 4

blueprint = Blueprint("club", __name__, url_prefix="/c/<token>")


@blueprint.app_template_filter()
def person_name(person: str, figures: Figures) -> str:
    """The name of a person of a club."""
    return figures.name(person)


@blueprint.app_template_filter()
def game_kind(key: str) -> str:
    """A game's key without differences in capitals or blanks, as `PlayedGame.kind`."""
    return folded(key)


class ClubView(Struct, frozen=True):
    """A club in one request, and the period in its address, given by the parameters `dates`."""

    club: OpenClub
    counted: Counted
    period: Period
    dates: dict[str, str]
    by: str

    @property
    def figures(self) -> Figures:
        """The club's figures."""
        return self.counted.figures

    @property
    def when(self) -> str:
        """The period in words: "2026", "Mar 1 – Apr 5", or "" for all time."""
        if "year" in self.dates or not self.dates:
            return self.dates.get("year", "")
        return in_words(self.period.since, self.period.until)

    def day(self, at: str) -> date | None:
        """The day of a time (ISO 8601) in the club’s time zone; None for an invalid time."""
        found = day_of(at, self.club.zone)
        return date.fromisoformat(found) if found else None

    def tone(self, person: str) -> int:
        """The color of a person, from 1."""
        return self.counted.colors.get(person, 1)

    def asked(self, name: str) -> str:
        """The person called `name` in the address; answers 404 if nobody in the club is."""
        person = self.figures.people.of(request.args.get(name, ""))
        if person not in self.figures.seen:
            abort(404, str(say("Nobody of that name has played a game here.")))
        return person


def club_view(token: str) -> ClubView:
    """The club behind this link, in the period that the address asks for.

    Answers 404 as `link_of` does, and 422 for an invalid period.
    """
    return club_view_in(token, *asked_period())


def club_view_in(token: str, period: Period, dates: dict[str, str]) -> ClubView:
    """The club behind this link in a period with these parameters; answers 404 as `link_of`."""
    club, by = club_state().clubs.open(link_of(token)), request.args.get("by", "")
    until_counted(club)
    by = by if by in TABLE_SORTS else DEFAULT_SORT
    return ClubView(club, club_state().clubs.counts.of(club), period, dates, by)


def asked_period() -> tuple[Period, dict[str, str]]:
    """The period of the address (`year`, or `from` and `to`) with its parameters; or all time.

    Raises `MalformedEntry` for an invalid one.
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
    """The days of a period: "Mar 1 – Apr 5", one day, or "" for all time."""
    days = (date.fromisoformat(day) if day else None for day in dict.fromkeys((since, until)))
    return " – ".join(written_day(d) if d else "" for d in days).strip()


class OfClub(Shown, frozen=True):
    """A club in a period; `at` and `at_sheet` are the addresses of its pages and its sheets."""

    token: str
    view: ClubView
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


def of_club(token: str, view: ClubView) -> OfClub:
    """The part of every page about the club."""
    return OfClub(
        token=token,
        view=view,
        club=view.club,
        figures=view.figures,
        sorts=TABLE_SORTS,
        few=FEW,
        is_host=view.club.link.allows("host"),
        can_score=view.club.link.allows("score"),
        rating=shown,
        rated_from=RATED_FROM,
        game_title=game_title,
        in_words=in_words,
        at=partial(_address, {}, token, view.dates),
        at_sheet=partial(_sheet_address, url_for("club.show", token=token)),
    )


def _address(
    bases: dict[str, str], token: str, dates: dict[str, Any], endpoint: str, **asked: str | None
) -> str:
    """The address of another page of the club, for the same period; cached, as pages have many."""
    if endpoint not in bases:
        bases[endpoint] = url_for(f"club.{endpoint}", token=token, **dates)
    base = bases[endpoint]
    query = "&".join(f"{name}={quote_plus(value)}" for name, value in asked.items() if value)
    return f"{base}{'&' if dates else '?'}{query}" if query else base


def _sheet_address(club: str, number: int, row: int = 0) -> str:
    """The address in the club of a sheet, or of a deal on it."""
    return f"{club}/sheets/{number}?row={row}" if row else f"{club}/sheets/{number}"


class Day(Struct, frozen=True):
    """The games begun on one day, in order; the day is None for games with an invalid time."""

    date: date | None
    games: list[PlayedGame]

    def wins(self, people: People) -> list[tuple[str, int]]:
        """The number of games that each person won, the most first."""
        won = Counter(people.of(one.name) for game in self.games for one in game.winners)
        return won.most_common()

    @property
    def title(self) -> Text | str:
        """The day in words: "Thursday, November 19"."""
        if self.date is None:
            return say("Date unknown")
        return written_day(self.date, heading=True)


def days_of(view: ClubView, games: Iterable[PlayedGame]) -> list[Day]:
    """These games by the day on which they were begun, the latest first."""

    def begun_on(game: PlayedGame) -> date:
        return view.day(game.begun) or date.min

    latest_first = sorted(games, key=lambda game: (begun_on(game), game.sheet), reverse=True)
    return [
        Day(None if day == date.min else day, list(played)[::-1])
        for day, played in groupby(latest_first, key=begun_on)
    ]


class ToPay(Shown, frozen=True):
    """The payments due and those noted, with the `key` of the forms that note them.

    On the page of a period also in `money`, and with the parameters that it was `asked` with.
    """

    settlings: Sequence[Settling]
    paid: Sequence[tuple[int, Paid]]
    key: str
    money: Money | None = None
    asked: dict[str, str] | None = None
