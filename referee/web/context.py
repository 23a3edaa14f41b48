"""What views need from the app: its state, and the sheet behind a link."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, NoReturn

from flask import Flask, Response, abort, current_app, request, url_for
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.datastructures import Accept
from werkzeug.http import parse_accept_header

from referee.ledger.store import Glance, Ledger, Link
from referee.rules.core.game import AnyGame
from referee.rules.core.seating import name_faults
from referee.rules.language import Language, language, languages, nearest, speak, spoken
from referee.rules.registry import GAMES
from referee.rules.text import say
from referee.settings import Settings
from referee.sheets.book import Book
from referee.sheets.evening import EveningBook
from referee.sheets.hosting import NotAllowed
from referee.sheets.sheet import OpenSheet
from referee.web.answers.addresses import other_than, reachable
from referee.web.answers.compression import PageCache
from referee.web.answers.errors import RateLimit
from referee.web.answers.security import cookie, host_asked
from referee.web.extras import Document
from referee.web.forms.decks import DECKS, letters_of
from referee.web.serving.house_name import name_in

PHONE_COOKIE = "phone"
LANGUAGE_COOKIE = "language"
LETTERS_COOKIE = "letters"  # of the deck at this phone

#: The key of the app's state in `Flask.extensions`.
EXTENSION = "referee"


class AppState(Struct, frozen=True):
    """The app's state, made once and shared by all requests.

    `documents` are their kinds, by the place of their pages. `house_name` is the file with the name
    announced in the local network, None if no process announces one.
    """

    settings: Settings
    ledger: Ledger
    book: Book
    evenings: EveningBook
    pages: PageCache
    new_sheets: RateLimit
    documents: Mapping[str, Document]
    house_name: Path | None


def state(app: Flask | None = None) -> AppState:
    """The state of `app`, by default of the current app."""
    found: AppState = (app or current_app).extensions[EXTENSION]
    return found


def book() -> Book:
    """The book of sheets of the current app."""
    return state().book


def settings() -> Settings:
    """The settings of the current app."""
    return state().settings


def base_address() -> str:
    """The address at which other phones reach this program."""
    opened_as = f"{request.scheme}://{host_asked()}"
    return reachable(settings().public_url, settings().host, opened_as)


def other_address() -> str:
    """The base address by name if the page was opened by IP address, or vice versa; or ""."""
    name = name_in(state().house_name)
    return "" if not name else other_than(base_address(), name, settings().host)


def game_or_404(slug: str) -> AnyGame:
    """The game with this slug; answers 404 if there is none."""
    if slug not in GAMES:
        abort(404, str(say("There’s no such game here.")))
    return GAMES[slug]


def asks_for_a_part() -> bool:
    """Whether htmx requests only the part of a page that changed."""
    return request.headers.get("HX-Request-Type") == "partial"


def layout() -> str:
    """The base template: a whole page, or a fragment if htmx requests one."""
    return "fragment.html" if asks_for_a_part() else "base.html"


def answer_in_languages(app: Flask, fallback: str) -> None:
    """Answer each phone in its language, or in the one with the tag `fallback`.

    Its language is the one chosen on the phone, or else the first one its browser asks for that has
    a catalog. Cards have the letters chosen on the phone, or those of the usual decks in its
    language.
    """

    @lru_cache(1000)
    def language_of(chosen: str, accepts: str, letters: str) -> Language:
        tag = chosen if chosen in languages() else language_asked_for(accepts)
        spoken_here = language(tag or fallback)
        known = letters in DECKS.values()
        return replace(spoken_here, letters=letters if known else letters_of(spoken_here.tag))

    @app.before_request
    def speak_the_phones_language() -> None:
        accepts = request.headers.get("Accept-Language", "")
        speak(language_of(cookie(LANGUAGE_COOKIE), accepts, cookie(LETTERS_COOKIE)))

    @app.after_request
    def name_the_language(answer: Response) -> Response:
        """Name the language of a part of a page; the page it goes into may be in another."""
        if "HX-Request" in request.headers:
            answer.headers["Spoken"] = f"{spoken().tag} {spoken().letters}"
        return answer


def language_asked_for(accepts: str) -> str | None:
    """The tag of the first language in an Accept-Language header that has a catalog, or None."""
    best_first = parse_accept_header(accepts, Accept)
    return next(
        filter(None, (nearest(asked) for asked, quality in best_first if quality > 0)), None
    )


def glance_at(token: str) -> Glance:
    """What the link with this token leads to; answers 404 if there is none or it was withdrawn.

    While the document is in the trash it answers 404 too, but sends a host who opens a page to the
    trash page. A link to a document of another kind than the page's leads nowhere.
    """
    found = book().ledger.glance(token)
    if found is None or found.link.kind != kind_here().kind:
        no_such_sheet()
    if found.trashed is not None:
        _in_the_trash(found.link)
    return found


def kind_here() -> Document:
    """The kind of document that the requested page belongs to; raises `KeyError` if to none."""
    return state().documents[request.path.split("/", 2)[1]]  # "/s/token/more"


def link_of(token: str) -> Link:
    """The link with this token; answers 404 as `glance_at` does."""
    return glance_at(token).link


def writer(token: str) -> Link:
    """As `link_of`, signed with the phone's name; answers 403 for a link that can’t score."""
    return _signed(link_of(token))


def _signed(link: Link) -> Link:
    if not link.allows("score"):
        raise NotAllowed("score")
    return replace(link, by=phone_name())


def phone_name() -> str:
    """The name set on the current phone, "" if it has none or an invalid one."""
    name = cookie(PHONE_COOKIE).strip()
    return "" if not name or any(name_faults([name])) else name


def sheet_of(token: str) -> OpenSheet:
    """The sheet behind a token; answers 404 as `link_of` does."""
    glance = glance_at(token)
    return book().open(glance.link, glance.mark)


def sheet_to_write(token: str) -> tuple[Link, OpenSheet]:
    """As `writer`, with the sheet that the link leads to."""
    glance = glance_at(token)
    link = _signed(glance.link)
    return link, book().open(link, glance.mark)


def onward(endpoint: str, **values: Any) -> Response:
    """A redirect (303) to the page of this view; without a body it is a single packet."""
    return Response(status=303, headers={"Location": url_for(endpoint, **values)})


def no_such_sheet() -> NoReturn:
    """Answer 404 for a link that leads nowhere."""
    says = say("This link leads nowhere, or it no longer works. Ask for a new one.")
    abort(404, str(says))


def _in_the_trash(link: Link) -> NoReturn:
    if link.role != "host":
        says = say("The host has moved this to the trash. Only the host can restore it.")
        abort(404, str(says))
    if request.method in ("GET", "HEAD") and "HX-Request" not in request.headers:
        abort(onward(f"{link.kind}_sharing.trash", token=link.token))
    says = say("This is in the trash, so nothing was recorded. Open its link to restore it.")
    abort(404, str(says))
