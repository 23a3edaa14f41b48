"""What every request and every answer goes through: same-site posts only, and safe headers."""

from collections.abc import Mapping

from flask import Flask, Response, abort, request

# Strict: a browser sends it along with requests from our own pages and from nowhere else.
HOME_COOKIE = "at-home"

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
NOT_FOR_SEARCH_ENGINES = {"X-Robots-Tag": "noindex, nofollow"}
NOT_STORED = {"Cache-Control": "no-store", "Vary": "HX-Request-Type"}


def install(app: Flask) -> None:
    """Put the guard in front of every view of `app`."""
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
        return HOME_COOKIE in request.cookies
    return origin in (f"http://{request.host}", f"https://{request.host}")


def _refuse_cross_site() -> None:
    if request.method not in ("GET", "HEAD", "OPTIONS") and not came_from_here():
        abort(403, "This was sent from another site. Open the sheet itself and try there.")


def _headers(response: Response) -> Response:
    page = request.endpoint != "static"
    _add_missing(
        response,
        HEADERS
        | (NOT_FOR_SEARCH_ENGINES if request.path.startswith("/s/") else {})
        | (NOT_STORED if page else {}),
    )
    if page:
        if response.headers["Vary"] != NOT_STORED["Vary"]:
            response.vary.add(NOT_STORED["Vary"])
        if HOME_COOKIE not in request.cookies and response.mimetype == "text/html":
            response.set_cookie(HOME_COOKIE, "1", samesite="Strict", httponly=True)
    return response


def _add_missing(response: Response, headers: Mapping[str, str]) -> None:
    """Add those of `headers` that the view has not set; looking for each would take longer."""
    there = {name.lower() for name, _ in response.headers}
    response.headers.extend(
        [(name, value) for name, value in headers.items() if name.lower() not in there]
    )
