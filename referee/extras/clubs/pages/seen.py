"""A club as one request sees it, what its pages have in common, and the addresses of these."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from itertools import groupby
from urllib.parse import urlencode

from flask import Blueprint, abort, request, url_for
from msgspec import Struct

from referee.extras.clubs.counting import Counted, Settling
from referee.extras.clubs.figures import (
    TABLE_SORTS,
    Figures,
    Period,
    TableSort,
    year,
)
from referee.extras.clubs.games import PlayedGame, day_of, game_title
from referee.extras.clubs.notes import Paid, People, day_faults
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.waiting import until_counted
from referee.extras.clubs.ratings import RATED_FROM, Rating, shown
from referee.rules.core.ruling import MalformedEntry, shared_fault
from referee.rules.letters import folded
from referee.rules.text import Text, quoted, say
from referee.web.answers.pages import Shown
from referee.web.context import link_of
from referee.web.forms.money import Money
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
YEAR_DIGITS = 4


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


class ToPay(Shown, frozen=True):
    """What is still to pay and what was paid, with the `key` of the forms that note it.

    On the page of a period also in `money`, and with what that page was `asked` for.
    """

    settlings: Sequence[Settling]
    paid: Sequence[tuple[int, Paid]]
    key: str
    money: Money | None = None
    asked: dict[str, str] | None = None
