"""What every request and every answer goes through: limits, same-site posts only, safe headers."""

from secrets import token_urlsafe

from flask import Flask, Response, abort, request

from referee.rules.text import say
from referee.web.answers.cookies import cookie, keep_cookie
from referee.web.answers.errors import answer_refused

# Strict: a browser sends it along with requests from our own pages and from nowhere else.
HOME_COOKIE = "at-home"
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
HEADERS = FILE_HEADERS | {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}
# On plain http browsers would not heed it, and say so on every page's console.
SECURE_HEADERS = {"Cross-Origin-Opener-Policy": "same-origin"}
NOT_FOR_SEARCH_ENGINES = {"X-Robots-Tag": "noindex, nofollow"}
NOT_STORED = {"Cache-Control": "no-store", "Vary": "HX-Request-Type, Cookie"}
_PAGE_HEADERS = HEADERS | NOT_STORED  # on styles and pictures the rest would only be weight


def install(app: Flask) -> None:
    """Put these checks and headers around every view of `app`."""
    app.before_request(answer_refused)
    app.before_request(_refuse_too_many_fields)
    app.before_request(_refuse_cross_site)
    app.after_request(_headers)


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


def _headers(response: Response) -> Response:
    page = request.endpoint != "static"
    headers = _PAGE_HEADERS if page else FILE_HEADERS
    if "Sec-Fetch-Site" in request.headers:  # said over https and on localhost only
        headers = headers | SECURE_HEADERS
    if request.path.startswith(("/s/", "/e/", "/move/")):
        headers = headers | NOT_FOR_SEARCH_ENGINES
    there = {name.lower() for name, _ in response.headers}  # to look for each would take longer
    response.headers.extend([one for one in headers.items() if one[0].lower() not in there])
    if page:
        if NOT_STORED["Vary"] not in response.headers["Vary"]:
            response.vary.update(NOT_STORED["Vary"].split(", "))
        if not cookie(HOME_COOKIE) and response.mimetype == "text/html":
            keep_cookie(response, HOME_COOKIE, token_urlsafe(9), seconds=None, same_site="Strict")
    return response
