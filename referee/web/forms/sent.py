"""A form as it comes: the key by which it counts once, and the files in it.

A script makes a key for each entry, on the phone. A form without one has a key that follows from
who sent it and what stands in it, the rows that it had seen among that: the same form once more is
the same entry, and there is no other, since each row is seen as the newest one once.

Files stay in memory from end to end, and never lie on a disk.
"""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from io import BytesIO

import msgspec
from flask import request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from referee.ledger.errors import MovedOnError
from referee.rules.core.ruling import Fault, RefereeError
from referee.rules.text import Text
from referee.web.answers.security import HOME_COOKIE, MOST_FIELDS, cookie
from referee.web.forms.decode import form_fault
from referee.web.forms.taps import Form
from referee.web.serving.bodies import BODY_LIMIT


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


def refused(error: MovedOnError | RefereeError, moved_on: Text) -> tuple[Sequence[Fault], int]:
    """What is said beside a form that was refused, and the status of the page.

    `moved_on` says that somebody else has written on the sheet in the meantime.
    """
    if isinstance(error, MovedOnError):
        return (form_fault("moved-on", moved_on),), 409
    return error.faults, 422


def sends_file() -> bool:
    """Whether the request at hand is a form that may have a file in it."""
    return request.mimetype == "multipart/form-data"


def parts_sent(limit: int) -> tuple[Form, Mapping[str, FileStorage]]:
    """What was filled in, and the files that came with it, of `limit` bytes in all.

    Raises `RequestEntityTooLarge` where anything of it is too large, and `ValueError` where it
    isn't a form at all.
    """
    request.max_content_length = limit
    # Werkzeug has a limit for what is typed, too, but holds it against files as well: what it has
    # read and not yet passed on counts, whichever part that is of.
    parser = FormDataParser(
        # Where a part goes, however large: Werkzeug would put a large one into a file.
        stream_factory=lambda *_, **__: BytesIO(),
        max_content_length=limit,
        max_form_parts=MOST_FIELDS,
        silent=False,
    )
    _, form, files = parser.parse(
        request.stream, request.mimetype, request.content_length, request.mimetype_params
    )
    if sum(len((name + text).encode()) for name, text in form.items(multi=True)) > BODY_LIMIT:
        raise RequestEntityTooLarge
    return Form(form), files
