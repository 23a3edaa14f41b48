"""The sheets that the current phone has opened.

The latest links, up to about two dozen, are in a cookie: that is cheap to read, and a phone used
for one evening leaves no trace in the book. Older links go on a list in the book, found by a random
token in another cookie.
"""

import re
import secrets
from contextlib import suppress

from msgspec import Struct
from werkzeug.wrappers import Response

from referee.ledger.errors import UnavailableError
from referee.ledger.links import PhoneLinks
from referee.ledger.store import Link, Role, digest
from referee.sheets.hosting import Trashed
from referee.sheets.summaries import Summary
from referee.web.answers.security import HOME_COOKIE, cookie, keep_cookie
from referee.web.context import book, state

SEEN_COOKIE = "sheets"
LIST_COOKIE = "list"
IN_COOKIE = 24  # links; beyond that, all but the latest half of these move to the list
MOST_READ = 100  # links in the cookie; only reached while the book cannot be written
NEARLY_FULL = 8  # links in the cookie beyond which the phone is given a list
ON_LIST = 600  # links; beyond that the oldest are dropped, and the home page says so
_TOKEN = re.compile(r"[\w-]{1,64}", re.ASCII)


class OpenedSheet(Struct, frozen=True):
    """A sheet that this phone has opened, its link's role, and its state in the trash, if any."""

    token: str
    role: Role
    summary: Summary
    trashed: Trashed | None = None


class Opened(Struct, frozen=True):
    """The links that this phone has opened: its strongest for each document, by kind and number.

    `turned_away` is the number of sheets whose links were all withdrawn since; `full`: the list is
    full, so older links may have been dropped.
    """

    kinds: dict[str, dict[int, Link]]
    turned_away: int
    full: bool

    def of(self, kind: str) -> dict[int, Link]:
        """The links to documents of this kind."""
        return self.kinds.get(kind, {})

    @property
    def sheets(self) -> dict[int, Link]:
        """The links to sheets."""
        return self.of("sheet")


def _in_cookie() -> list[str]:
    """The tokens of links in the cookie, latest first."""
    return list(dict.fromkeys(_TOKEN.findall(cookie(SEEN_COOKIE)[:4096])))[:MOST_READ]


def list_token() -> str:
    """The token of this phone's list in the book, or ""."""
    token = cookie(LIST_COOKIE)
    return token if _TOKEN.fullmatch(token) else ""


def this_phone() -> str:
    """An identifier for the current phone, "" if it has no list and no links yet.

    It is a hash of its list's token or else of its oldest link, and does not reveal them.
    """
    held = list_token() or next(reversed(_in_cookie()), "")
    return digest(held) if held else ""


def has_opened(token: str) -> bool:
    """Whether this link is among the latest that the current phone has opened."""
    return token in _in_cookie()


def give_list(response: Response) -> Response:
    """Give the current phone a list in the book, unless it has one."""
    keep_cookie(response, LIST_COOKIE, list_token() or secrets.token_urlsafe(16))
    return response


def opened() -> Opened:
    """The links that this phone has opened, from its cookie and its list."""
    lists = PhoneLinks(state().ledger)
    phone, tokens = list_token(), _in_cookie()
    listed = lists.of(phone) if phone else []
    found = [*lists.known(tokens), *listed]
    kinds: dict[str, dict[int, Link]] = {"sheet": {}}
    for link in (one.link for one in found if not one.withdrawn):
        links = kinds.setdefault(link.kind, {})
        known = links.get(link.document)
        if known is None or not known.allows(link.role):
            links[link.document] = link
    sheets = {one.link.document for one in found if one.link.kind == "sheet"}
    return Opened(kinds, len(sheets - kinds["sheet"].keys()), len(listed) >= ON_LIST)


def remember(response: Response, token: str) -> Response:
    """Add `token` to the links in this phone's cookie.

    If it is the latest already, the cookie is only renewed once for each start of the browser.
    """
    seen = _in_cookie()
    if seen[:1] == [token] and len(seen) <= IN_COOKIE and cookie(HOME_COOKIE):
        return response
    tokens = [token, *(other for other in seen if other != token)]
    if len(tokens) > NEARLY_FULL:
        # Given well before it is needed: two requests at once would make two lists.
        phone = list_token() or secrets.token_urlsafe(16)
        keep_cookie(response, LIST_COOKIE, phone)
        if len(tokens) > IN_COOKIE:
            stays = IN_COOKIE // 2
            with suppress(UnavailableError):  # the next request tries again
                PhoneLinks(state().ledger).add(phone, tokens[stays:], book().now(), ON_LIST)
                tokens = tokens[:stays]
    keep_cookie(response, SEEN_COOKIE, ".".join(tokens))
    return response


def add_to_list(token: str) -> None:
    """Add a link to this phone's list in the book, if it has one.

    So the phone has it even if the response, with its cookie, is lost.
    """
    if phone := list_token():
        with suppress(UnavailableError):
            PhoneLinks(state().ledger).add(phone, [token], book().now(), ON_LIST)


def seen_sheets(found: Opened | None = None) -> list[OpenedSheet]:
    """The sheets that this phone has opened, latest first, each with its strongest link.

    A sheet in the trash is included only for its host, and only while the trash lists it. Pass
    `found` if `opened()` has been called already.
    """
    links = (found or opened()).sheets
    away = {sheet: book().trash.of(sheet) for sheet in links}
    listed = [
        sheet
        for sheet, link in links.items()
        if (trashed := away[sheet]) is None or (link.role == "host" and trashed.listed)
    ]
    return [
        OpenedSheet(links[one.sheet].token, links[one.sheet].role, one, away[one.sheet])
        for one in book().summaries.of(listed)
    ]
