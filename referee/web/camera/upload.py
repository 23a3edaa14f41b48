"""A photo as a form sends it: in memory from end to end, never in a file."""

from io import BytesIO
from typing import IO

from flask import abort, request
from werkzeug.formparser import FormDataParser

from referee.rules.text import say
from referee.web.forms.decode import Form
from referee.web.http.bodies import BODY_LIMIT, PHOTO_LIMIT
from referee.web.http.security import MOST_FIELDS


def sends_photo() -> bool:
    """Whether the request at hand is a form that may have a photo in it."""
    return request.mimetype == "multipart/form-data"


def photo_sent() -> tuple[Form, bytes]:
    """What was filled in, and the photo; that is empty where none was chosen.

    Answers 413 where the photo or the form is too large, and 400 where it isn't a form at all.
    """
    request.max_content_length = PHOTO_LIMIT
    parser = FormDataParser(
        stream_factory=_in_memory,
        max_form_memory_size=BODY_LIMIT,
        max_content_length=PHOTO_LIMIT,
        max_form_parts=MOST_FIELDS,
        silent=False,
    )
    try:
        _, form, files = parser.parse(
            request.stream, request.mimetype, request.content_length, request.mimetype_params
        )
    except ValueError:
        abort(400, str(say("The photo didn’t arrive in one piece. Send it again.")))
    photo = files.get("photo")
    return Form(form), photo.read() if photo else b""


def _in_memory(*_: object, **__: object) -> IO[bytes]:
    """Where a part of the form goes, however large; Werkzeug would put a large one into a file."""
    return BytesIO()
