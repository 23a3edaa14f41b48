"""The big screen: the tables of a club, an evening or one sheet on a television, in turn.

It is view only: its code leads to a view link, whichever link opened it.
"""

from collections.abc import Mapping, Sequence
from datetime import date, tzinfo
from functools import lru_cache
from math import ceil
from textwrap import wrap

from babel.dates import format_time
from flask import Blueprint, Response, make_response, request, url_for
from msgspec import Struct

from referee.extras.clubs.figures import year
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.waiting import until_counted
from referee.ledger.links import was_renewed
from referee.ledger.store import Link
from referee.rules.language import spoken
from referee.rules.text import NOTHING, Text, number, say, signed, typed, without_marks
from referee.sheets.evening import card_day, wins
from referee.sheets.score_pad import PadRow
from referee.sheets.sheet import OpenSheet
from referee.sheets.summaries import Summary
from referee.web.answers.addresses import qr_svg
from referee.web.answers.pages import Shown, render
from referee.web.context import base_address, book, state
from referee.web.phone import opened
from referee.web.serving.routes import LONG, declares
from referee.web.view.filters import local_time, written_day
from referee.web.view.pad import PadHead, ShownPad, shown

blueprint = Blueprint("room", __name__)

DEALS_SHOWN = 3  # the last deals of each table on the big screen, as far as they fit
WINNERS = 6
LOOKED_THROUGH = 60  # sheets of a club, those begun last
# Widths, heights and font sizes in rem; the screen is 25 rem high. The sizes of room.css, which
# `test_no_deal_is_cut` compares.
HALF, WHOLE = 20.6, 42.2
SIZES = (4.6, 3.4, 2.8, 2.4, 2.02)  # of totals; the smallest is 8 % of the height
DOWN, MOST_DOWN = 12.3, 6  # the height for players one below the other, and how many fit
ACROSS, LINE, ROW = 12.47, 1.38, 1.43  # the height for a column; a line of its name; a deal
LABEL, NAME, NAME_DOWN, DIGIT, DEAL_DIGIT, GAP = 2.0, 5.0, 6.0, 0.68, 0.72, 0.4

_code = lru_cache(maxsize=64)(qr_svg)


class Room(Struct, frozen=True):
    """The content of a screen: the numbers of the sheets shown in turn, `tables`.

    `view_path` is that of a view-only page, for the code. Below the tables is the heading `counts`
    with the games `won` by each person and their color, or what the screen `says`.
    """

    name: Text | str
    tables: list[int] = []
    view_path: str = ""
    counts: Text = NOTHING
    won: list[tuple[str, int, int]] = []
    says: tuple[Text, ...] = ()


class Panel(Struct, frozen=True):
    """A table on the screen, with its latest deals and the font size of its totals.

    `upright` is the font size on a portrait screen, which is half as wide. `across`: a column for
    each player; otherwise the players are below one another in `columns`.
    """

    sheet: OpenSheet
    pad: ShownPad
    deals: list[PadRow]
    latest: PadRow | None
    size: float
    columns: list[tuple[PadHead, ...]]
    across: bool = False
    upright: float = SIZES[-1]


class RoomPage(Shown, frozen=True):
    """The screen `here` and the address of the `following` one; `code` is that of a view link."""

    templates = ("clubs/room.html",)
    room: Room
    day: str
    clock: str
    panels: Sequence[Panel]
    here: str
    following: str
    code: str
    won: Sequence[tuple[str, int, int]]


@blueprint.get("/s/<token>/room")
@declares(LONG)
def of_sheet(token: str) -> Response:
    """The screen of one sheet, with what is to be done now."""
    link = _link(token, "sheet")
    if link is None:
        return _gone()
    sheet = book().open(link)
    says = () if sheet.board.finished else sheet.board.says
    return _screen(Room(sheet.title, [link.document], _view_path(link, "sheet.show"), says=says))


@blueprint.get("/e/<token>/room")
@declares(LONG)
def of_evening(token: str) -> Response:
    """The screen of an evening: its games in progress, or else all, the last first."""
    found = state().evenings.open(token, opened().sheets)
    if found is None:
        return _gone()
    played = [one.summary for one in found if one.summary.played]
    tables = [one.sheet for one in played if not one.finished]
    tables = tables or [one.sheet for one in reversed(played)]
    view_path = url_for("evenings.show", token=token)
    won = [(player, number, 0) for player, number in wins(played)]
    return _screen(Room(say("The evening"), tables, view_path, say("Games won"), won))


@blueprint.get("/c/<token>/room")
@declares(LONG)
def of_club(token: str) -> Response:
    """The screen of a club: its games in progress today, or else all of its last day."""
    link = _link(token, "club")
    if link is None:
        return _gone()
    club = club_state().clubs.open(link)
    until_counted(club)
    now = club_state().clubs.counts.of(club)
    begun = [game.sheet for game in now.games][-LOOKED_THROUGH:]
    played = [one for one in book().summaries.of(begun) if one.played]
    zone = club.zone
    today = card_day(book().now(), zone)
    season = now.figures.ranking(year(today.year)) if today else []
    won = [
        (now.figures.name(row.person), row.wins, now.colors[row.person])
        for row in season or now.figures.ranking()
    ]
    return _screen(
        Room(
            club.name,
            _of_the_day(played, today, zone),
            _view_path(link, "club.show"),
            say("Wins in {year}", year=str(today.year)) if season and today else say("Wins"),
            won,
            (say("No game of this club is over yet"),),
        ),
        zone,
    )


def _of_the_day(played: list[Summary], today: date | None, zone: tzinfo | None) -> list[int]:
    """The sheets in progress today, or else those of the last day, the last first.

    Without sheets whose link was renewed, unless this browser has the new one.
    """
    own = opened().sheets
    on_table = [one for one in played if not one.finished and card_day(one.changed, zone) == today]
    begun = {one.sheet: card_day(one.begun, zone) for one in played}
    last = max((day for day in begun.values() if day), default=None)
    found = on_table or [one for one in reversed(played) if begun[one.sheet] == last]
    return [
        one.sheet
        for one in found
        if one.sheet in own or not was_renewed(state().ledger, one.sheet, "view")
    ]


def _link(token: str, kind: str) -> Link | None:
    """The link with this token to a document of this kind; None if missing or in the trash."""
    found = book().ledger.glance(token)
    if found is None or found.trashed is not None:
        return None
    return found.link if found.link.kind == kind else None


def _view_path(link: Link, endpoint: str) -> str:
    """The path of the document's view link; empty if there is none."""
    token = state().ledger.links(link.document).get("view")
    return url_for(endpoint, token=token) if token else ""


def _gone() -> Response:
    """A screen for a link that leads nowhere; it polls, as that may change."""
    says = say("This link leads nowhere, or it no longer works. Ask for a new one.")
    answer = _screen(Room(typed("Referee"), says=(says,)))
    answer.status_code = 404
    return answer


def _screen(room: Room, zone: tzinfo | None = None) -> Response:
    """The page, with the tables chosen by `?at=`, and the time in this zone."""
    asked = request.args.get("at", "")
    at = int(asked) if asked.isascii() and asked.isdecimal() and len(asked) < 4 else 0
    at = at if at < len(room.tables) else 0
    sheets = [book().sheet(one) for one in room.tables[at : at + 2]]
    own = {sheet.id: club_state().clubs.counts.colors(sheet) for sheet in sheets}
    beside = [panel for sheet in sheets if (panel := panel_of(sheet, HALF, own[sheet.id]))]
    panels = beside if len(beside) == 2 else [_alone(sheet, own[sheet.id]) for sheet in sheets[:1]]
    following = at + len(panels)
    now, locale = local_time(book().now(), zone), spoken().locale
    page = RoomPage(
        room,
        day=written_day(now, heading=True) if now else "",
        clock=format_time(now, "short", locale=locale),
        panels=panels,
        here=_address(at),
        following=_address(following if following < len(room.tables) else 0),
        code=_code(base_address() + room.view_path).decode() if room.view_path else "",
        won=room.won[:WINNERS],
    )
    return make_response(render(page))


def _address(at: int) -> str:
    return url_for(request.endpoint or "", **request.view_args or {}, at=at or None)


def _alone(sheet: OpenSheet, colors: Mapping[str, int]) -> Panel:
    """A table over the whole width; if it is too large even for that, its names are cut."""
    panel = panel_of(sheet, WHOLE, colors) or panel_of(sheet, 10 * WHOLE, colors)
    assert panel is not None
    return panel


def panel_of(sheet: OpenSheet, width: float, colors: Mapping[str, int]) -> Panel | None:
    """A table with the largest totals that fit, and then the most deals.

    None if even the smallest totals don't fit.
    """
    pad = shown(sheet, colors)
    heads = pad.heads
    rows = [row for row in sheet.pad.rows if row.kind == "deal" or row.says_anything][-DEALS_SHOWN:]
    latest = rows[-1] if rows else None
    digits = max(len(without_marks(number(head.total))) for head in heads)
    widths = {size: max(digits * DIGIT * size + GAP, NAME) * len(heads) + LABEL for size in SIZES}
    if fitting := [size for size, wide in widths.items() if wide <= width]:
        upright = next((size for size, wide in widths.items() if wide <= HALF), SIZES[-1])
        lines = max(_lines(head, (min(width, WHOLE) - LABEL) / len(heads)) for head in heads)
        fit = int((ACROSS - fitting[0] - lines * LINE) / ROW)
        rows = rows[-max(fit, 1) :]
        return Panel(sheet, pad, rows, latest, fitting[0], [heads], across=True, upright=upright)
    count = ceil(len(heads) / MOST_DOWN)
    each = ceil(len(heads) / count)
    columns = [heads[at : at + each] for at in range(0, len(heads), each)]
    points = (cell.points for row in rows for cell in row.cells.values())
    deal_digits = max((len(without_marks(signed(one))) for one in points), default=2)
    deal_width = deal_digits * DEAL_DIGIT + 2 * GAP
    for deals in range(len(rows), -1, -1):
        for size in SIZES:
            wide = digits * DIGIT * size + NAME_DOWN + deals * deal_width
            if size * each <= DOWN and wide * count <= width:
                return Panel(sheet, pad, rows[len(rows) - deals :], latest, size, columns)
    return None


def _lines(head: PadHead, width: float) -> int:
    """The most lines that a name takes above a column; a word that is too long is broken."""
    letters = int((width - GAP) / DIGIT)
    words = wrap(
        f"{head.player} D" if head.dealer else head.player, letters, break_long_words=False
    )
    return sum(ceil(len(line) / letters) for line in words)
