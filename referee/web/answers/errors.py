"""Error pages, which say what happened and what to do, and the rate limits.

The number of sheets a phone may start in an hour is limited, so that one phone does not fill the
book by accident. A program that invents a cookie for each request counts as another phone each
time: limiting those is up to a proxy in front (docs/deploy).
"""

import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http import HTTPStatus

from flask import Flask, current_app, request
from flask.globals import request_ctx
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, TooManyRequests

from referee.ledger.errors import LedgerError, MovedOnError, UnavailableError
from referee.rules.core.ruling import RefereeError
from referee.rules.text import Text, say, say_many
from referee.sheets.hosting import NotAllowed
from referee.web.answers.pages import Shown, render

#: By status: what happened, and what to do about it.
WORDS = {
    400: (say("That couldn’t be read"), say("Go back and try again.")),
    403: (say("Not with this link"), say("Ask whoever shared it for one that can do more.")),
    404: (say("Nothing here"), say("Check the address, or scan the code again.")),
    405: (say("That can’t be done this way"), say("Go back and use the buttons there.")),
    408: (say("That took too long"), say("Go back and send it again.")),
    409: (say("Something has changed"), say("Go back and see what’s new, then decide.")),
    411: (say("That couldn’t be read"), say("Go back and send it again.")),
    413: (say("Too much at once"), say("Shorten what you typed, or send a smaller file.")),
    421: (say("Not at this address"), say("The links to your sheets work there as they do here.")),
    422: (say("That doesn’t fit"), say("Go back, change it, and send it again.")),
    429: (say("Too many for now"), say("Nothing is lost: the sheets you have still work.")),
    500: (say("Something broke"), say("Nothing you recorded is lost. Go back and try again.")),
    503: (say("Too busy just now"), say("Nothing is lost. Wait a moment and try again.")),
}
BOOK_AWAY = (
    say("The score book can’t be reached"),
    say("Nothing is lost. Wait a moment and try again."),
)

#: Headers of an error that are sent to the browser.
_PASSED_ON = ("Allow", "Content-Range", "Retry-After")

REFUSED = "referee.refused"  # in the WSGI environment: the status and sentence of a `Refused`


class ErrorPage(Shown, frozen=True):
    """What happened, why, in a sentence `said` by what failed, and what to do, if anything.

    `sheet` is the token of a sheet to go back to, or "".
    """

    templates = ("site/error.html",)
    status: int
    title: Text
    said: str | Text | None
    remedy: Text | None
    sheet: str


class Refused(HTTPException):
    """A request that is refused: the status of the response, and a sentence that says why."""

    def __init__(self, status: int, says: Text) -> None:
        self.code, self.says = status, says
        super().__init__()


def answer_refused() -> None:
    """Raise `Refused`, if the gateway or host check refused the current request."""
    refused: tuple[int, Text] | None = request.environ.get(REFUSED)
    if refused is not None:
        raise Refused(*refused)


def install(app: Flask) -> None:
    """Register the error pages of `app`."""
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(LedgerError, _ledger_error)
    app.register_error_handler(RefereeError, _referee_error)
    app.register_error_handler(Exception, _unexpected)


def _page(
    status: int, said: str | Text | None = None, words: tuple[Text, Text] | None = None
) -> tuple[str, int]:
    title, remedy = words or WORDS.get(status, WORDS[500 if status >= 500 else 400])
    if request_ctx.url_adapter is None:  # no address to link to: the request named no valid host
        return f"{title}. {remedy}\n", status
    on_sheet = status in (403, 409) and request.path.startswith("/s/")
    sheet = (request.view_args or {}).get("token", "") if on_sheet else ""
    # Looking again doesn't help where a sentence says why there is nothing.
    helps = None if said and status == HTTPStatus.NOT_FOUND else remedy
    return render(ErrorPage(status, title, said, helps, sheet)), status


def _http_error(error: HTTPException) -> ResponseReturnValue:
    status = error.code or 500
    if status < 400 or error.response is not None:
        return error.get_response()
    ours = error.description if error.description != type(error).description else None
    says = error.says if isinstance(error, Refused) else ours
    allowed = [header for header in error.get_headers() if header[0] in _PASSED_ON]
    return (*_page(status, says), allowed)


def _ledger_error(error: LedgerError) -> tuple[str, int]:
    if isinstance(error, UnavailableError):
        return _page(503, str(error), BOOK_AWAY)
    return _page(409 if isinstance(error, MovedOnError) else 500, str(error))


def _referee_error(error: RefereeError) -> tuple[str, int]:
    """The page for an error that a view has no page for."""
    return _page(403 if isinstance(error, NotAllowed) else 422, str(error))


def _unexpected(error: Exception) -> tuple[str, int]:
    # The path is not logged: a sheet's link is a secret, and it is part of the path.
    trace = "".join(traceback.format_exception(error))
    current_app.logger.error("%s %s failed\n%s", request.method, request.url_rule, trace)
    return _page(500)


# --- rate limits

HOUR = 3600


class RateLimit:
    """Limit actions per phone within any hour; each process counts by itself."""

    def __init__(
        self,
        most: int,
        says: Callable[[int], Text],
        clock: Callable[[], float] = time.monotonic,
        *,
        failures_count: bool = False,
    ) -> None:
        """`says` makes a sentence from the minutes to wait; `clock` is a monotonic clock.

        An action that fails doesn't count, unless `failures_count` as they cost as much.
        """
        self._most, self._says, self._clock = most, says, clock
        self._failures_count = failures_count
        self._lock = threading.Lock()
        self._done = deque[tuple[float, str]]()  # the oldest first

    @contextmanager
    def one_more(self, phone: str) -> Iterator[None]:
        """Count the action in this block; answers 429 if `phone` is over the limit.

        It counts from its beginning, so that many at once don't pass together. Phones without a
        cookie that identifies them ("") are counted by their address.
        """
        sender = phone or request.remote_addr or ""
        with self._lock:
            now = self._clock()
            over = now - HOUR
            while self._done and self._done[0][0] <= over:
                self._done.popleft()
            mine = [at for at, one in self._done if one == sender]
            if len(mine) >= self._most:
                wait = int(mine[0] - over)
                raise TooManyRequests(str(self._says(wait // 60 + 1)), retry_after=wait + 1)
            self._done.append((now, sender))
        try:
            yield
        except Exception:
            if not self._failures_count:
                with self._lock, suppress(ValueError):  # it was an hour ago
                    self._done.remove((now, sender))
            raise


def too_many_sheets(minutes: int) -> Text:
    """The sentence for a phone that may start no more sheets for `minutes`."""
    return say_many(
        "Too many sheets were started here in the past hour. Try again in a minute.",
        "Too many sheets were started here in the past hour. Try again in {n} minutes.",
        n=minutes,
    )
