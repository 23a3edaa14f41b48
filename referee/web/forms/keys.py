"""The keys of forms: what is sent twice counts once.

A script makes a key for each entry, on the phone. A form without one has a key that follows from
who sent it and what stands in it, the rows that it had seen among that: the same form once more is
the same entry, and there is no other, since each row is seen as the newest one once.
"""

import hashlib
import secrets

import msgspec
from flask import request

from referee.web.answers.security import HOME_COOKIE, cookie
from referee.web.forms.decode import Form


def new_key() -> str:
    """A key for a form that may be sent with the same content for another purpose later."""
    return secrets.token_urlsafe(12)


def key_of(sent: Form) -> str:
    """The key of a form that says which rows, or sheets, it had seen."""
    said = sent.get("key", "")
    if said:
        return said
    fields = [field for field in sent.items(multi=True) if field[0] != "key"]
    told = msgspec.json.encode((cookie(HOME_COOKIE), request.path, fields))
    return hashlib.sha256(told).hexdigest()[:32]
