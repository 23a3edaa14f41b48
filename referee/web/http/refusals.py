"""Requests that are refused before anybody looks at what they ask for; each has its page."""

from flask import request
from werkzeug.exceptions import HTTPException

from referee.rules.text import Text

REFUSED = "referee.refused"  # in the WSGI environment


class Refused(Exception):
    """A request that is not taken: the status to answer with, and a sentence that says why."""

    def __init__(self, status: int, says: Text) -> None:
        self.status = status
        self.says = says
        super().__init__(says)


class _Answered(HTTPException):
    """A status that Werkzeug may not know."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(str(refused.says))
        self.code = refused.status


def answer_refused() -> None:
    """Answer the request at hand with its page, if it has been refused."""
    refused = request.environ.get(REFUSED)
    if refused is not None:
        raise _Answered(refused)
