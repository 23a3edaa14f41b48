"""Checks on every request and headers on every response: host, origin of forms, safe headers.

No script can read our cookies. Over https they are sent over nothing else, and their names begin
with `__Host-`, so that browsers accept them from this host only. Plain http has no such protection;
and cookies ignore ports, so programs on other ports of the same host receive ours.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache, partial
from secrets import token_urlsafe
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request
from werkzeug.sansio.http import parse_cookie
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.text import Text, say
from referee.settings import is_host
from referee.web.answers.addresses import USUAL_PORT, is_local
from referee.web.answers.errors import REFUSED, answer_refused

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment

# SameSite=Strict: browsers send it only with requests from our own pages.
HOME_COOKIE = "at-home"
_COOKIE_NAME = {True: "__Host-{}", False: "{}"}  # over https, and over http
KEPT_SECONDS = 400 * 86400  # browsers allow no more

POLICY = "; ".join(  # `_Door` adds where pictures come from
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
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
# Not on style sheets and pictures, which do not need them.
PAGE_HEADERS = {
    **FILE_HEADERS,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
    **NOT_STORED,
}
# On plain http browsers ignore them, and log a warning for every page.
HTTPS_HEADERS = {"Strict-Transport-Security": "max-age=31536000"}
SECURE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
HEALTH = "/health"
NOT_FOR_SEARCH_ENGINES = {"X-Robots-Tag": "noindex, nofollow"}
#: Where addresses begin that are secret links, beside those of documents.
_LINKED = ("/e/", "/move/")


def install(
    app: Flask, public_url: str, listens_on: str, documents: Iterable[str], pictures: str = ""
) -> None:
    """Apply these checks and headers to every view of `app`.

    `documents` are the places of pages behind a link: "s" for "/s/…". Pages show `pictures` from
    there as well as from our own host: "blob:", say.
    """
    # Flask's documented way to wrap an app in middleware.
    door = _Door(app.wsgi_app, public_url, listens_on, documents, pictures)
    app.wsgi_app = door  # type: ignore[method-assign]
    app.before_request(_refuse)
    app.after_request(_give_home_cookie)


class _Door:
    """WSGI middleware: checks the Host header, recognizes https behind a proxy, adds safe headers.

    If a public address is set, only its host and those of this machine are accepted. That prevents
    DNS rebinding, and links on a page to a host that the request made up. Without a public address
    any host is accepted, as phones in the house may use any name.
    """

    def __init__(
        self,
        app: "WSGIApplication",
        public_url: str,
        listens_on: str,
        documents: Iterable[str],
        pictures: str,
    ) -> None:
        """`public_url` may be ""; `listens_on` is this machine's own host."""
        self._app = app
        self._linked = (*(f"/{at}/" for at in documents), *_LINKED)
        self._public = _plain(urlsplit(public_url).netloc, urlsplit(public_url).scheme)
        self._listens_on = listens_on.lower()
        self._url = public_url
        policy = f"{POLICY}; img-src 'self' {pictures}".strip()
        self._safe_pages = {**PAGE_HEADERS, "Content-Security-Policy": policy}

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        """Pass the request to the app, marked as refused if it is for another host."""
        host = str(environ.get("HTTP_HOST", ""))
        refused = self._refused(host, str(environ.get("SERVER_PROTOCOL", "")))
        if refused is not None:
            if environ["PATH_INFO"] != HEALTH:  # monitoring may ask by any name
                environ.setdefault(REFUSED, refused)
            environ.pop("HTTP_HOST", None)
        elif self._url.startswith("https:") and _plain(host, "https") == self._public:
            environ["wsgi.url_scheme"] = "https"  # a proxy in front handles TLS
        return self._app(environ, partial(self._start_safely, environ, start_response))

    def _start_safely(
        self,
        environ: "WSGIEnvironment",
        start_response: "StartResponse",
        status: str,
        headers: list[tuple[str, str]],
        *error: Any,
    ) -> Any:
        """Start the response, with the safe headers that the view has not set."""
        is_file = environ["PATH_INFO"].startswith("/static/") and status < "4"
        safe = FILE_HEADERS if is_file else self._safe_pages
        if environ["wsgi.url_scheme"] == "https":
            safe = safe | HTTPS_HEADERS
        if "HTTP_SEC_FETCH_SITE" in environ:  # browsers send it over https and to localhost only
            safe = safe | SECURE_HEADERS
        if environ["PATH_INFO"].startswith(self._linked):
            safe = safe | NOT_FOR_SEARCH_ENGINES
        named = dict(headers)
        missing = [header for header in safe.items() if header[0] not in named]
        return start_response(status, [*headers, *missing], *error)

    def _refused(self, host: str, protocol: str) -> tuple[int, Text] | None:
        """The status and reason with which a request for `host` is refused, or None."""
        if not host and protocol in ("HTTP/1", "HTTP/1.0"):  # these have no Host header
            return None
        if not is_host(host):
            return 400, say("This request doesn’t say which host it is for.")
        if not self._public or self._public in (_plain(host, "http"), _plain(host, "https")):
            return None
        name = urlsplit(f"//{host}").hostname or ""
        if is_local(name) or name == self._listens_on:
            return None
        return 421, say("Referee is at {address}. Open it there.", address=self._url)


def _plain(host: str, scheme: str) -> str:
    """The host in lower case, without its port if that is the default for `scheme`."""
    return host.lower().removesuffix(f":{USUAL_PORT.get(scheme)}")


def host_asked() -> str:
    """The host that the current request was sent to, which Werkzeug may not know: xn--0, my_pi."""
    return _plain(request.environ.get("HTTP_HOST") or request.host, request.scheme)


def came_from_here() -> bool:
    """Whether a request that changes something was sent by one of our own pages.

    Browsers say so in Sec-Fetch-Site, but over plain http only in Origin; and since our pages set
    no-referrer, the Origin of an ordinary form is then "null", as it is from another site's
    sandboxed frame. A cookie that browsers never send across sites distinguishes these two. A
    request without Origin comes from no browser, so nobody has been tricked into sending it.
    """
    site = request.environ.get("HTTP_SEC_FETCH_SITE")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.environ.get("HTTP_ORIGIN")
    if origin is None:
        return True
    if origin == "null":
        return bool(cookie(HOME_COOKIE))
    return origin in (f"http://{host_asked()}", f"https://{host_asked()}")


def _refuse() -> None:
    if REFUSED in request.environ:
        answer_refused()
    if request.method not in ("GET", "HEAD", "OPTIONS") and not came_from_here():
        says = say("This was sent from another site. Open Referee itself and try there.")
        abort(403, str(says))


def _give_home_cookie(answer: Response) -> Response:
    if not cookie(HOME_COOKIE) and answer.mimetype == "text/html":
        keep_cookie(answer, HOME_COOKIE, token_urlsafe(9), seconds=None, same_site="Strict")
    return answer


def cookie(name: str) -> str:
    """The value of the cookie `name` in the current request, or ""."""
    sent = request.environ
    called = _COOKIE_NAME[sent["wsgi.url_scheme"] == "https"].format(name)
    return _cookies(sent.get("HTTP_COOKIE", "")).get(called, "")


@lru_cache(16)  # each request asks for several; a few of them, as anybody may send 32 KB
def _cookies(header: str) -> Mapping[str, str]:
    return parse_cookie(header).to_dict()


def keep_cookie(
    answer: AnyResponse,
    name: str,
    value: str,
    seconds: int | None = KEPT_SECONDS,
    same_site: Literal["Lax", "Strict"] = "Lax",
) -> None:
    """Set the cookie `name` for `seconds`, or with None until the browser is closed."""
    answer.set_cookie(
        _COOKIE_NAME[request.is_secure].format(name),
        value,
        max_age=seconds,
        secure=request.is_secure,
        samesite=same_site,
        httponly=True,
    )
