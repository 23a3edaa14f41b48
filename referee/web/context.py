"""What the views need of the app: its state, and the sheet behind a link."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NoReturn

from flask import Flask, Response, abort, current_app, request, url_for
from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.store import Glance, Ledger, Link
from referee.rules.core.game import AnyGame
from referee.rules.core.seating import name_faults
from referee.rules.registry import GAMES
from referee.rules.text import say
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.sheets.sheet import OpenSheet
from referee.vision.process import ReadingProcess
from referee.web.answers.addresses import other_than, reachable
from referee.web.answers.assets import StaticFile
from referee.web.answers.compression import PageCache
from referee.web.answers.errors import RateLimit
from referee.web.answers.security import cookie
from referee.web.serving.house_name import name_in

PHONE_COOKIE = "phone"

#: The name under which Flask has the state of this app.
EXTENSION = "referee"


class AppState(Struct, frozen=True):
    """What an app has besides its views: made once, the same for every request.

    There is no `camera` where the libraries for it are not installed, and no `house_name` (the file
    that has it) where no other process tells one.
    """

    settings: Settings
    ledger: Ledger
    book: Book
    evenings: EveningBook
    pages: PageCache
    new_sheets: RateLimit
    house_name: Path | None
    photos: RateLimit
    camera: ReadingProcess | None
    assets: Mapping[str, StaticFile]


def state(app: Flask | None = None) -> AppState:
    """The state of `app`; of the one that answers just now, if none is named."""
    found: AppState = (app or current_app).extensions[EXTENSION]
    return found


def book() -> Book:
    """The sheets of this house."""
    return state().book


def settings() -> Settings:
    """How this program serves."""
    return state().settings


def base_address() -> str:
    """The address other phones reach this program by."""
    return reachable(settings().public_url, settings().host, request.host_url)


def other_address() -> str:
    """The address by name where the page was opened by number, or the other way round; or ""."""
    name = name_in(state().house_name)
    return "" if not name else other_than(base_address(), name, settings().host)


def game_or_404(slug: str) -> AnyGame:
    """The game with this slug; answers 404 where there is none."""
    if slug not in GAMES:
        abort(404, str(say("There’s no such game here.")))
    return GAMES[slug]


def asks_for_a_part() -> bool:
    """Whether htmx asks, for the part of a page that changed."""
    return request.headers.get("HX-Request-Type") == "partial"


def asks_for_a_copy() -> bool:
    """Whether the worker on a phone asks, for the copy that it keeps, and nobody opens the page.

    It asks while its person goes on to other pages: what it would be told to remember is out of
    date when it comes.
    """
    return request.headers.get("Purpose") == "prefetch"


def layout() -> str:
    """Each template serves as a whole page and, asked for by htmx, as the part that changed."""
    return "fragment.html" if asks_for_a_part() else "base.html"


def glance_at(token: str) -> Glance:
    """What the link with this token leads to; answers 404 where there is none or it was withdrawn.

    So it does while the sheet is in the trash; a host who opens a page is sent to the trash's.
    """
    found = book().glance(token)
    if found is None:
        no_such_sheet()
    if found.trashed is not None:
        _in_the_trash(found.link)
    return found


def link_of(token: str) -> Link:
    """The link with this token; answers 404 as `glance_at` does."""
    return glance_at(token).link


def writer(token: str) -> Link:
    """As `link_of`, for a link that may write; answers 403 for one that may only look.

    What is written with it says which phone wrote it.
    """
    link = link_of(token)
    if link.role == "view":
        abort(403, str(say("This link can view the sheet, but not change it.")))
    return replace(link, by=phone_name())


def phone_name() -> str:
    """What the phone that asks calls itself, "" where it has no name (or none that can stand)."""
    name = cookie(PHONE_COOKIE).strip()
    return "" if not name or any(name_faults([name])) else name


def sheet_of(token: str) -> OpenSheet:
    """The sheet behind a token; answers 404 as `link_of` does."""
    return book().open(link_of(token))


def onward(endpoint: str, **values: Any) -> Response:
    """Send the browser on to the page of this view, whatever it sent before.

    The answer has no body: nobody would see it, and without one it is sent in one piece.
    """
    return Response(status=303, headers={"Location": url_for(endpoint, **values)})


def no_such_sheet() -> NoReturn:
    """Answer that a link leads nowhere."""
    says = say("This link doesn’t lead to a score sheet, or it no longer works. Ask for a new one.")
    abort(404, str(says))


def _in_the_trash(link: Link) -> NoReturn:
    if link.role != "host":
        says = say("The host has moved this sheet to the trash. Only the host can restore it.")
        abort(404, str(says))
    if request.method in ("GET", "HEAD") and "HX-Request" not in request.headers:
        abort(onward("host.trash", token=link.token))
    says = say("This sheet is in the trash, so nothing was recorded. Open its link to restore it.")
    abort(404, str(says))
