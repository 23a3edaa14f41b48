"""What the phone that asks knows: the sheets it has opened, in a cookie."""

import re

from msgspec import Struct
from werkzeug.wrappers import Response

from referee.ledger.store import Link, Role
from referee.sheets.permission import ROLES
from referee.sheets.summary import Summary
from referee.sheets.trash import Trashed
from referee.web.context import book
from referee.web.http.cookies import cookie, keep_cookie

SEEN_COOKIE = "sheets"
MAX_SHEETS = 24
_TOKEN = re.compile(r"[\w-]+", re.ASCII)


class Seen(Struct, frozen=True):
    """A sheet this phone has opened, what its link allows, and how it is in the trash if it is."""

    token: str
    role: Role
    summary: Summary
    trashed: Trashed | None = None


def seen_tokens() -> list[str]:
    """The tokens of the sheets this phone has opened, latest first."""
    tokens = _TOKEN.findall(cookie(SEEN_COOKIE)[: MAX_SHEETS * 64])
    return list(dict.fromkeys(tokens))[:MAX_SHEETS]


def opened_here() -> set[int]:
    """The numbers of the sheets to which this phone has a link that still works."""
    links = (book().find(token) for token in seen_tokens())
    return {link.sheet for link in links if link is not None}


def remember(response: Response, token: str) -> Response:
    """Note on this phone that it has opened the sheet behind `token`."""
    tokens = [token, *(other for other in seen_tokens() if other != token)][:MAX_SHEETS]
    keep_cookie(response, SEEN_COOKIE, ".".join(tokens))
    return response


def seen_sheets() -> list[Seen]:
    """The sheets this phone has opened, latest first, each once by its strongest link."""
    best: dict[int, Link] = {}
    trashed: dict[int, Trashed | None] = {}
    for token in seen_tokens():
        link = book().find(token)
        if link is None:
            continue
        trashed[link.sheet] = away = book().trash.of(link.sheet)
        if away is not None and (link.role != "host" or not away.listed):
            continue
        known = best.get(link.sheet)
        if known is None or ROLES.index(link.role) > ROLES.index(known.role):
            best[link.sheet] = link
    return [
        Seen(best[one.sheet].token, best[one.sheet].role, one, trashed[one.sheet])
        for one in book().summaries.of(best)
    ]
