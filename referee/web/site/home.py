"""The home page: games still on the table, this phone's other games, and the theme."""

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from itertools import groupby, islice

from babel.dates import format_date
from flask import Blueprint, Response, abort, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import InUseError
from referee.ledger.links import SHORTLY
from referee.rules.core.game import AnyGame
from referee.rules.language import spoken
from referee.rules.registry import GAMES
from referee.rules.text import Text, listed, say, typed
from referee.sheets.evening import Offer, card_day
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import HEALTH, keep_cookie
from referee.web.context import book, onward, state
from referee.web.forms.sent import searched_for
from referee.web.phone import Opened, OpenedSheet, opened, seen_sheets
from referee.web.serving.routes import declares
from referee.web.site.evenings import EveningCard, card_of, offers_to
from referee.web.view.filters import local_time, written_day
from referee.web.view.themes import THEME_COOKIE, THEMES, theme_chosen

blueprint = Blueprint("home", __name__)

ON_THE_TABLE = (0, 1)  # days since a sheet was last written on: today and yesterday
LATELY = range(8)  # days since games were begun that are offered as an evening
LONG_AGO = 7  # days after which an unfinished game is folded away
A_HANDFUL = 6  # games; with more, there is a search, and those on the table can be folded
SHOWN = 40  # games; earlier ones are on a page of their own


class Line(Struct, frozen=True):
    """A line of the home page: a game, or the card of an evening in place of its games."""

    card: EveningCard | None
    games: list[OpenedSheet]


class Day(Struct, frozen=True):
    """The evenings and games last played on one day."""

    title: Text
    lines: list[Line]


class Games(Struct, frozen=True):
    """The games of a phone as arranged on its home page, each list latest first."""

    on_table: list[OpenedSheet]
    days: list[Day]
    unfinished: list[OpenedSheet]
    trashed: list[OpenedSheet]
    earlier: int = 0

    @property
    def count(self) -> int:
        """The number of lines below the days, and of games in the trash."""
        return sum(len(day.lines) for day in self.days) + len(self.trashed)


class HomePage(Shown, frozen=True):
    """This phone's games, those found if something is `asked` for, and the offer of an evening.

    `put_away` is the game just moved to the trash, `moved_in` the number of games just moved to
    this phone. `waiting` is how many games aren't counted yet. Lists longer than `handful` are
    folded. `first_visit`: this phone has opened no game yet.
    """

    templates = ("site/home.html",)
    games: Games
    offer: Offer | None
    left_apart: bool
    asked: str
    handful: int
    may_search: bool
    first_visit: bool
    waiting: int
    put_away: OpenedSheet | None
    moved_in: int
    known: Opened
    seen: Sequence[OpenedSheet]
    known_games: Sequence[AnyGame]


@blueprint.get("/")
def show() -> str:
    """The page of this phone's games; `q` searches them, `all` shows every one."""
    known = opened()
    seen = seen_sheets(known)
    asked = searched_for()
    today = card_day(book().now())
    most = len(seen) if asked or "all" in request.args else SHOWN
    away, moved = request.args.get("away", ""), request.args.get("moved", "")
    in_trash = (one for one in seen if one.trashed is not None)
    offer = None
    if asked:
        games = arranged(matching(seen, asked), {}, today, most, everything=True)
    else:
        lately = [one for one in seen if _days_before(today, one.summary.begun) in LATELY]
        offer = next(iter(offers_to(lately)), None)
        offered = [sheet.sheet for sheet in offer.sheets] if offer else []
        games = arranged(seen, {**dict.fromkeys(offered), **cards_of(seen, known)}, today, most)
    page = HomePage(
        games=games,
        offer=offer,
        left_apart="apart" in request.args,
        asked=asked,
        handful=A_HANDFUL,
        may_search=len(seen) > A_HANDFUL,
        first_visit=not (seen or asked or known.turned_away),
        waiting=sum(one.summary.condition == "waiting" for one in seen),
        put_away=next((one for one in in_trash if str(one.summary.sheet) == away), None),
        moved_in=int(moved) if re.fullmatch("[0-9]{1,3}", moved) else 0,
        known=known,
        seen=seen,
        known_games=[*GAMES.values()],
    )
    return render(page)


def matching(seen: list[OpenedSheet], asked: str) -> list[OpenedSheet]:
    """Those of `seen` whose game and players contain every word of `asked`, ignoring accents."""
    wanted = _plain(asked).split()
    found = []
    for one in seen:
        sheet = one.summary
        former = [name for pair in sheet.renamed for name in pair]
        title = str(sheet.game.title) if sheet.game else ""
        words = _plain(" ".join((title, sheet.called, *sheet.players, *former)))
        if all(word in words for word in wanted):
            found.append(one)
    return found


def _plain(text: str) -> str:
    letters = unicodedata.normalize("NFKD", text.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


def cards_of(seen: list[OpenedSheet], known: Opened) -> dict[int, EveningCard]:
    """The card of its evening for each of `seen`, if two or more of them are in one evening."""
    notes = state().evenings.stored.notes(known.sheets)
    own = Counter(note.evening for note in notes.values() if note.evening is not None)
    sizes = state().evenings.stored.sizes(own)
    together: dict[int, list[OpenedSheet]] = {}
    for one in sorted(seen, key=lambda one: one.summary.sheet):
        note, whole = notes.get(one.summary.sheet), one.trashed is None and not one.summary.sick
        if whole and note is not None and note.evening is not None:
            together.setdefault(note.evening, []).append(one)
    cards: dict[int, EveningCard] = {}
    for evening, games in together.items():
        if len(games) > 1:
            sheets = [one.summary for one in games]
            count = len(games) if own[evening] == sizes[evening] else sizes[evening]
            card = card_of(games[-1].token, sheets, count)
            cards.update((sheet.sheet, card) for sheet in sheets)
    return cards


def arranged(
    seen: list[OpenedSheet],
    cards: Mapping[int, EveningCard | None],
    today: date | None,
    most: int,
    *,
    everything: bool = False,
) -> Games:
    """Arrange the games for the home page of this day.

    `cards` has the card of its evening for a sheet, or None if it is in an offer instead of below
    its day. At most `most` lines are shown, not counting long unfinished ones. With `everything`,
    all but the games in the trash are listed by day. An invalid time sorts as the oldest.
    """

    def last_played(one: OpenedSheet) -> tuple[float, int]:
        at = local_time(one.summary.changed)
        return (at.timestamp() if at else float("-inf"), one.summary.sheet)

    def days_ago(one: OpenedSheet) -> int | None:
        return _days_before(today, one.summary.changed)

    latest_first = sorted(seen, key=last_played, reverse=True)
    trashed = [one for one in latest_first if one.trashed is not None]
    here = [one for one in latest_first if one.trashed is None]
    going = [one for one in here if one.summary.played and not one.summary.finished]
    if everything:
        going = []
    on_table = [one for one in going if days_ago(one) in ON_THE_TABLE][:most]
    unfinished = [one for one in going if (days_ago(one) or 0) > LONG_AGO]
    apart = {one.summary.sheet for one in (*on_table, *unfinished)}
    listed = [one for one in here if one.summary.sheet not in apart]
    lines: dict[str, Line] = {}
    for one in listed:
        card = cards.get(one.summary.sheet)
        if card or one.summary.sheet not in cards:
            line = lines.setdefault(card.token if card else one.token, Line(card, []))
            line.games.append(one)
    room = most - len(on_table)
    days = [
        Day(_day_title(day, today, bool(on_table)), list(lines_of_day))
        for day, lines_of_day in groupby(
            islice(lines.values(), room), lambda line: card_day(line.games[0].summary.changed)
        )
    ]
    earlier = sum(len(line.games) for line in islice(lines.values(), room, None))
    return Games(on_table, days, unfinished, trashed, earlier)


def _days_before(today: date | None, at: str) -> int | None:
    day = card_day(at)
    return (today - day).days if today and day else None


def _day_title(day: date | None, today: date | None, playing: bool) -> Text:
    """The heading for a day; `playing`: a game is still on the table."""
    if day is None:
        return say("Date unknown")
    days = (today - day).days if today else -1
    if days == 0:
        return say("Earlier today") if playing else say("Today")
    if days == 1:
        return say("Yesterday")
    if 1 < days < LONG_AGO:
        weekday = format_date(day, "EEEE", locale=spoken().locale)
        return say("Last {weekday}", weekday=weekday)
    return typed(written_day(day))


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {"theme": theme_chosen(), "themes": THEMES.values()}


@blueprint.get(HEALTH)
def health() -> Response:
    """For programs that watch servers: 200 if the book can be written in, else 500 or 503."""
    engine = state().ledger.engine
    with suppress(InUseError), engine.writing(wait=SHORTLY):  # another writer is a good sign, too
        engine.read("SELECT 1 FROM sheets LIMIT 1")
    return Response("ok\n", mimetype="text/plain")


@blueprint.post("/theme")
@declares(writes=False)
def choose_theme() -> AnyResponse:
    """Set the theme, and go back to where it was chosen: home, or a sheet's More."""
    theme = THEMES.get(request.form.get("theme", ""))
    if theme is None:
        themes = listed([one.title for one in THEMES.values()], "or")
        abort(422, str(say("Choose how the pages look: {themes}.", themes=themes)))
    sheet = request.form.get("sheet", "")
    page, where = ("sheet.more", {"token": sheet}) if sheet else ("home.show", {})
    answer = onward(page, _anchor="theme", **where)
    keep_cookie(answer, THEME_COOKIE, theme.slug)
    return answer
