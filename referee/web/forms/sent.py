"""A form as received: its idempotency key, the rows it has seen, and its files.

A script on the phone makes a key for each entry. For a form without one the key is a hash of its
sender and its fields, including the newest row it has seen: the same form sent again has the same
key, and no other form does, since each row is the newest only once.

Files are kept in memory, and never written to a disk.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from io import BytesIO
from typing import Any

import msgspec
from flask import Request, request
from werkzeug.datastructures import FileStorage, ImmutableMultiDict, MultiDict
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from referee.ledger.chain import Mark, read_mark
from referee.rules.core.ruling import MalformedEntry
from referee.rules.text import say
from referee.web.answers.security import HOME_COOKIE, cookie
from referee.web.forms.decks import in_our_letters
from referee.web.forms.decode import form_fault
from referee.web.forms.taps import Form
from referee.web.serving.bodies import BODY_LIMIT

KEY_LENGTH = 64
SEARCH_LENGTH = 100
MOST_PARTS = 500  # of a form with a file; ours have some dozens
LETTERS = ":letters"  # behind the name of a field for cards: see decks.py


class Fields(ImmutableMultiDict[str, Any]):
    """The fields of a form or an address, with all cards in our own letters."""

    def __init__(self, sent: Iterable[tuple[str, Any]] = ()) -> None:
        fields = MultiDict[str, Any](sent)
        for name in tuple(fields):
            if not name.endswith(LETTERS):
                continue
            letters, field = str(fields.pop(name)), name.removesuffix(LETTERS)
            for text in fields.poplist(field):
                fields.add(field, in_our_letters(text, letters))
        super().__init__(fields)


class CardRequest(Request):
    """A request whose fields have all cards in our own letters."""

    parameter_storage_class = Fields


def new_key() -> str:
    """A random key, for a form whose content may be sent again later as a new request."""
    return secrets.token_urlsafe(12)


def key_of(sent: Form) -> str:
    """The form's own key, else a hash of it; the form must name the rows or sheets it has seen.

    Raises `MalformedEntry` for a text that can't be a key.
    """
    if key := sent.get("key", ""):
        if len(key) > KEY_LENGTH or not (key.isascii() and key.isprintable()):
            says = say("A form’s key has 1 to {most} plain characters.", most=KEY_LENGTH)
            raise MalformedEntry([form_fault("key", says)])
        return key
    fields = [field for field in sent.items(multi=True) if field[0] != "key"]
    content = msgspec.json.encode((cookie(HOME_COOKIE), request.path, fields))
    return hashlib.sha256(content).hexdigest()[:32]


def rows_seen(sent: Form) -> Mark:
    """The newest row that a form has seen; raises `MalformedEntry` if it does not say."""
    mark = read_mark(sent.get("after", ""))
    if mark is None:
        says = say("This page is incomplete. Load the sheet again.")
        raise MalformedEntry([form_fault("after", says)])
    return mark


def searched_for() -> str:
    """The words of a search, from `q` in the address; "" for none."""
    return " ".join(request.args.get("q", "")[:SEARCH_LENGTH].split())


def sends_file() -> bool:
    """Whether the current request is a form that may contain a file."""
    return request.mimetype == "multipart/form-data"


def parts_sent(limit: int) -> tuple[Form, Mapping[str, FileStorage]]:
    """The fields and the files of the current request, which may have `limit` bytes in all.

    Raises `RequestEntityTooLarge` if they are too large, and `ValueError` if it is no valid form.
    """
    request.max_content_length = limit
    # Not Werkzeug's own limit for text fields: it applies that to buffered data of files as well.
    parser = FormDataParser(
        # In memory, however large: Werkzeug would put a large file on disk.
        stream_factory=lambda *_, **__: BytesIO(),
        max_content_length=limit,
        max_form_parts=MOST_PARTS,
        silent=False,
        cls=Fields,
    )
    _, form, files = parser.parse(
        request.stream, request.mimetype, request.content_length, request.mimetype_params
    )
    if sum(len((name + text).encode()) for name, text in form.items(multi=True)) > BODY_LIMIT:
        raise RequestEntityTooLarge
    return Form(form), files


def fields_before_file() -> Form:
    """The fields before the file of a request that is too large to be kept.

    Raises `ValueError` if it is no valid form.
    """
    end = f"\r\n--{request.mimetype_params.get('boundary', '')}--\r\n".encode()
    beginning = BytesIO(request.environ["wsgi.input"].read(BODY_LIMIT) + end)
    parser = FormDataParser(max_form_parts=MOST_PARTS, silent=False, cls=Fields)
    return Form(parser.parse(beginning, request.mimetype, None, request.mimetype_params)[1])
