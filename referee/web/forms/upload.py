"""A file as a form sends it: in memory from end to end, never on a disk."""

from collections.abc import Mapping
from io import BytesIO
from typing import IO

from flask import request
from werkzeug.datastructures import FileStorage
from werkzeug.exceptions import RequestEntityTooLarge
from werkzeug.formparser import FormDataParser

from referee.web.answers.security import MOST_FIELDS
from referee.web.forms.decode import Form
from referee.web.serving.bodies import BODY_LIMIT


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
        stream_factory=_in_memory,
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


def _in_memory(*_: object, **__: object) -> IO[bytes]:
    """Where a part of the form goes, however large; Werkzeug would put a large one into a file."""
    return BytesIO()
