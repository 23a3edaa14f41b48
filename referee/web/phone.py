"""What the phone that asks knows: the sheets it has opened.

The latest links lie in a cookie, which holds a dozen or two: reading it costs nothing, and a phone
of one evening leaves no trace in the book. Where there are more, the older ones go on a list in
the book, which is found by a random token in a cookie of its own.
"""

import re
import secrets

from msgspec import Struct
from werkzeug.wrappers import Response

from referee.ledger.errors import UnavailableError
from referee.ledger.links import OpenedLink, PhoneLinks
from referee.ledger.store import Link, Role, digest
from referee.sheets.hosting import ROLES, Trashed
from referee.sheets.summaries import Summary
from referee.web.answers.security import cookie, keep_cookie
from referee.web.context import book, state

SEEN_COOKIE = "sheets"
LIST_COOKIE = "list"
IN_COOKIE = 24  # links; with more, all but the latest half go on the list in the book
MOST_READ = 100  # links in the cookie, which has so many only while the book can't be written
NEARLY_FULL = 8  # links in the cookie, from which on the phone has a list of its own
ON_LIST = 600  # links; where there are more, the oldest are dropped, and home says so
_TOKEN = re.compile(r"[\w-]{1,64}", re.ASCII)


class Seen(Struct, frozen=True):
    """A sheet this phone has opened, what its link allows, and how it is in the trash if it is."""

    token: str
    role: Role
    summary: Summary
    trashed: Trashed | None = None


class Opened(Struct, frozen=True):
    """What this phone has opened: its strongest link to each sheet, by the sheet's number.

    `turned_away` is from how many sheets, the links to which were all renewed since; the list is
    `full` where older links may have been dropped.
    """

    links: dict[int, Link]
    turned_away: int
    full: bool


def _in_cookie() -> list[str]:
    """The tokens in the cookie, latest first."""
    return list(dict.fromkeys(_TOKEN.findall(cookie(SEEN_COOKIE)[:4096])))[:MOST_READ]


def list_token() -> str:
    """The token of this phone's list in the book, "" where it has none."""
    token = cookie(LIST_COOKIE)
    return token if _TOKEN.fullmatch(token) else ""


def this_phone() -> str:
    """What stands for the phone that asks, "" for one that holds nothing of this house yet.

    Its list if it has one, else its oldest link: no secret of either can be made of this.
    """
    held = list_token() or next(reversed(_in_cookie()), "")
    return digest(held) if held else ""


def give_list(response: Response) -> Response:
    """See to it that the phone that asks has a list of its own in the book."""
    keep_cookie(response, LIST_COOKIE, list_token() or secrets.token_urlsafe(16))
    return response


def opened() -> Opened:
    """What this phone has opened."""
    lists = PhoneLinks(state().ledger)
    phone = list_token()
    listed = lists.of(phone) if phone else []
    return _strongest([*lists.known(_in_cookie()), *listed], len(listed) >= ON_LIST)


def _strongest(found: list[OpenedLink], full: bool) -> Opened:
    links: dict[int, Link] = {}
    for link in (one.link for one in found if not one.withdrawn):
        known = links.get(link.sheet)
        if known is None or ROLES.index(link.role) > ROLES.index(known.role):
            links[link.sheet] = link
    return Opened(links, len({one.link.sheet for one in found} - links.keys()), full)


def opened_here() -> dict[int, Link]:
    """The strongest link of this phone to each sheet that it has a link to which still works."""
    return opened().links


def remember(response: Response, token: str) -> Response:
    """Note on this phone that it has opened the sheet behind `token`."""
    tokens = [token, *(other for other in _in_cookie() if other != token)]
    if len(tokens) > NEARLY_FULL:
        # Made well before it is needed: two made at once would be two lists.
        phone = list_token() or secrets.token_urlsafe(16)
        keep_cookie(response, LIST_COOKIE, phone)
        if len(tokens) > IN_COOKIE:
            tokens = _oldest_on_list(phone, tokens)
    keep_cookie(response, SEEN_COOKIE, ".".join(tokens))
    return response


def _oldest_on_list(phone: str, tokens: list[str]) -> list[str]:
    """Put the older half of `tokens` on the phone's list; returns what stays in its cookie."""
    stays = IN_COOKIE // 2
    try:
        PhoneLinks(state().ledger).add(phone, tokens[stays:], book().now(), ON_LIST)
    except UnavailableError:
        return tokens  # the page that was asked for comes all the same; the next one tries again
    return tokens[:stays]


def seen_sheets(found: Opened | None = None) -> list[Seen]:
    """The sheets this phone has opened, the last opened first, each by its strongest link.

    One in the trash is there for its host alone, and for as long as it is listed. `found` is what
    the phone has opened, where that is known already.
    """
    links = (found or opened()).links
    away = {sheet: book().trash.of(sheet) for sheet in links}
    listed = [
        sheet
        for sheet, link in links.items()
        if (trashed := away[sheet]) is None or (link.role == "host" and trashed.listed)
    ]
    return [
        Seen(links[one.sheet].token, links[one.sheet].role, one, away[one.sheet])
        for one in book().summaries.of(listed)
    ]
