"""What the pages of seats need: the seats of the current app, and which phone this is."""

import re

from flask import current_app

from referee.extras.seats.book import SeatBook
from referee.ledger.store import digest
from referee.web.answers.security import cookie

#: The key of the seats in `Flask.extensions`.
EXTENSION = "seats"
COOKIE = "seat"
NAME_COOKIE = "seat-of"  # whose seat this phone took last: offered again at the next table
_TOKEN = re.compile(r"[\w-]{16,64}", re.ASCII)


def seat_book() -> SeatBook:
    """The seats of the current app."""
    found: SeatBook = current_app.extensions[EXTENSION]
    return found


def phone_token() -> str:
    """The token of this phone, by which its seats are known; "" if it has taken none yet."""
    token = cookie(COOKIE)
    return token if _TOKEN.fullmatch(token) else ""


def phone_digest() -> str:
    """The digest by which the book knows this phone, or ""."""
    return digest(phone_token()) if phone_token() else ""
