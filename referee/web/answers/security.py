"""What every request and every answer goes through: our own hosts, our own forms, safe headers.

Cookies are what a phone remembers for us, and no script reads them. Where the pages are reached
over https, a cookie is sent over nothing else, and its name begins with `__Host-`, by which
browsers take it from this very host only. Over plain http there is no such thing; and cookies know
no ports, so another program on another port of the same host is sent ours.
"""

from collections.abc import Iterable
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.text import say
from referee.settings import is_host
from referee.web.answers.addresses import USUAL_PORT, is_local
from referee.web.answers.errors import REFUSED, Refused, answer_refused

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# Strict: a browser sends it along with requests from our own pages and from nowhere else.
HOME_COOKIE = "at-home"
KEPT_SECONDS = 400 * 86400  # browsers allow no more
MOST_FIELDS = 500

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' blob:",  # a phone shows the photo it has just taken
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
FILE_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NOT_STORED = {"Cache-Control": "no-store", "Vary": "HX-Request-Type, Cookie, Accept-Encoding"}
# On styles and pictures these would only be weight.
PAGE_HEADERS = {
    **FILE_HEADERS,
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    **NOT_STORED,
}
# On plain http browsers would not heed it, and say so on every page's console.
SECURE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
NOT_FOR_SEARCH_ENGINES = {"X-Robots-Tag": "noindex, nofollow"}


def install(app: Flask, public_url: str, listens_on: str) -> None:
    """Put these checks and headers around every view of `app`."""
    # Flask's documented place for what is wrapped round an app.
    app.wsgi_app = _Door(app.wsgi_app, public_url, listens_on)  # type: ignore[assignment]
    app.before_request(answer_refused)
    app.before_request(_refuse_too_many_fields)
    app.before_request(_refuse_cross_site)
    app.after_request(_know_the_phone)


class _Door:
    """A WSGI app that is asked by its own names only, and whose answers have safe headers.

    Where a public address is set, that is the name, besides those of the machine itself. Whoever
    makes a name of their own lead here then reads nothing by it, and no page is made with a name
    that came with the request. Without one nobody can tell which names phones in the house use.
    """

    def __init__(self, app: "WSGIApplication", public_url: str, listens_on: str) -> None:
        """`public_url` is "" where none is set; `listens_on` is the host of this machine."""
        self._app = app
        self._public = _plain(urlsplit(public_url).netloc, urlsplit(public_url).scheme)
        self._listens_on = listens_on.lower()
        self._url = public_url

    def __call__(
        self, asked: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Pass the request on; one for another host as a refused one."""
        host = str(asked.get("HTTP_HOST", ""))
        refused = self._refused(host, str(asked.get("SERVER_PROTOCOL", "")))
        if refused is not None:
            asked.setdefault(REFUSED, refused)
            asked.pop("HTTP_HOST", None)
        elif self._url.startswith("https:") and _plain(host, "https") == self._public:
            asked["wsgi.url_scheme"] = "https"  # a proxy speaks that for us

        def start(status: str, headers: list[tuple[str, str]], failed: Any = None) -> Any:
            there = {name.lower() for name, _ in headers}
            missing = [one for one in _headers(asked, status) if one[0].lower() not in there]
            return start_response(status, [*headers, *missing], failed)

        return self._app(asked, start)

    def _refused(self, host: str, protocol: str) -> Refused | None:
        """Why a request for `host` is not answered, None if it is."""
        if not host and protocol in ("HTTP/1", "HTTP/1.0"):  # which knew of no names yet
            return None
        if not is_host(host):
            return Refused(400, say("This request doesn’t say which host it is for."))
        name = urlsplit(f"//{host}").hostname or ""
        if not self._public or is_local(name) or name == self._listens_on:
            return None
        if self._public in (_plain(host, "http"), _plain(host, "https")):
            return None
        return Refused(421, say("The pages are at {address}. Open them there.", address=self._url))


def _plain(host: str, scheme: str) -> str:
    """A host with its port, without the one that is usual for `scheme`."""
    return host.lower().removesuffix(f":{USUAL_PORT.get(scheme)}")


def _headers(asked: "WSGIEnvironment", status: str) -> Iterable[tuple[str, str]]:
    """What every answer to this request says, unless it says something else there."""
    path = str(asked["PATH_INFO"])
    is_file = path.startswith("/static/") and not status.startswith("4")
    headers = FILE_HEADERS if is_file else PAGE_HEADERS
    if "HTTP_SEC_FETCH_SITE" in asked:  # said over https and on localhost only
        headers = headers | SECURE_HEADERS
    if path.startswith(("/s/", "/e/", "/move/")):
        headers = headers | NOT_FOR_SEARCH_ENGINES
    return headers.items()


def came_from_here() -> bool:
    """Whether a request that changes something was sent by one of our own pages.

    Browsers say so in Sec-Fetch-Site, but on plain http only in Origin; and since our pages ask
    for no referrer, an ordinary form's Origin reads "null" there, as it does from a stranger's
    sandbox. What tells these two apart is a cookie that browsers never send across sites. No
    Origin at all means no browser, and so nobody to be tricked.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    if origin is None:
        return True
    if origin == "null":
        return bool(cookie(HOME_COOKIE))
    return origin in (f"http://{request.host}", f"https://{request.host}")


def _refuse_too_many_fields() -> None:
    """A form of ours has some dozens; a thousand would only be there to make work.

    Of a form with a file the parts are counted as it is read.
    """
    fields = request.query_string.count(b"&")
    if request.method == "POST" and request.mimetype != "multipart/form-data":
        fields = max(fields, request.get_data().count(b"&"))
    if fields >= MOST_FIELDS:
        abort(413, str(say("This form has too many fields.")))


def _refuse_cross_site() -> None:
    if request.method not in ("GET", "HEAD", "OPTIONS") and not came_from_here():
        says = say("This was sent from another site. Open the sheet itself and try there.")
        abort(403, str(says))


def _know_the_phone(answer: Response) -> Response:
    if not cookie(HOME_COOKIE) and answer.mimetype == "text/html":
        keep_cookie(answer, HOME_COOKIE, token_urlsafe(9), seconds=None, same_site="Strict")
    return answer


def cookie(name: str) -> str:
    """What the phone that asks has under this name, "" where it has nothing."""
    return request.cookies.get(_named(name), "")


def keep_cookie(
    answer: AnyResponse,
    name: str,
    value: str,
    seconds: int | None = KEPT_SECONDS,
    same_site: Literal["Lax", "Strict"] = "Lax",
) -> None:
    """Let the phone that asks have `value` under this name; None: until its browser is closed."""
    answer.set_cookie(
        _named(name),
        value,
        max_age=seconds,
        secure=request.is_secure,
        samesite=same_site,
        httponly=True,
    )


def drop_cookie(answer: AnyResponse, name: str) -> None:
    """Let the phone that asks forget what it has under this name."""
    keep_cookie(answer, name, "", seconds=0)


def _named(name: str) -> str:
    return f"__Host-{name}" if request.is_secure else name
