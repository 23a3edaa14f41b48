"""Pages for what goes wrong: each says what happened and what to do."""

import traceback

from flask import Flask, current_app, render_template, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from referee.ledger.errors import LedgerError, UnavailableError
from referee.rules.core.ruling import RefereeError

WORDS = {
    400: ("That could not be read", "Go back and try once more."),
    403: ("Not with this link", "Ask whoever shared the sheet for a link that can score."),
    404: ("Nothing here", "Check the address, or scan the code again."),
    405: ("That cannot be done this way", "Go back to the sheet and use its buttons."),
    409: ("The sheet has moved on", "Look at what came in between, then decide."),
    413: ("Too much at once", "Shorten what you typed; an entry needs very little."),
    422: ("That does not fit", "Change what is named below and send it again."),
    429: ("Too many new sheets", "Nothing is lost: the sheets you have go on as before."),
    500: ("Something broke in here", "Nothing you entered before is lost. Go back and try again."),
    503: ("The score book cannot be reached", "Nothing is lost. Wait a moment and try again."),
}


_PASSED_ON = ("Allow", "Retry-After")


def install(app: Flask) -> None:
    """Give `app` its error pages."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(LedgerError, _ledger_error)
    app.register_error_handler(RefereeError, _unplayable)
    app.register_error_handler(Exception, _unexpected)


def _page(status: int, said: str | None = None) -> tuple[str, int]:
    title, remedy = WORDS.get(status, WORDS[400])
    if request_ctx.url_adapter is None:  # no address to link to: the request named no sound host
        return f"{title}. {remedy}\n", status
    return render_template(
        "site/error.html", status=status, title=title, said=said, remedy=remedy
    ), status


def _http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if status < 400 or error.response is not None:
        return error.get_response()
    ours = error.description if error.description != type(error).description else None
    allowed = [header for header in error.get_headers() if header[0] in _PASSED_ON]
    return (*_page(status, ours), allowed)


def _ledger_error(error: LedgerError) -> tuple[str, int]:
    status = 503 if isinstance(error, UnavailableError) else 500
    return _page(status, str(error))


def _unplayable(error: RefereeError) -> tuple[str, int]:
    """A sheet that was kept when the rules or the program were others."""
    return _page(500, f"This sheet cannot be played through any more: {error}")


def _unexpected(error: Exception) -> tuple[str, int]:
    # The path is not logged: a sheet's link is a secret, and it is part of the path.
    trace = "".join(traceback.format_exception(error))
    current_app.logger.error("%s %s failed\n%s", request.method, request.url_rule, trace)
    return _page(500)
