"""By which names the program goes: a request for another host is not for us.

Where a public address is set, that is the name, besides those of the machine itself. Whoever makes
a name of their own lead here then reads nothing by it, and no page is made with a name that came
with the request. Without a public address nobody can tell which names phones in the house use.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from referee.rules.text import say
from referee.settings import is_host
from referee.web.answers.addresses import USUAL_PORT, is_local
from referee.web.answers.errors import REFUSED, Refused

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIApplication, WSGIEnvironment


class OwnHosts:
    """A WSGI app that is asked by its own names only."""

    def __init__(self, app: "WSGIApplication", public_url: str, listens_on: str) -> None:
        """`public_url` is "" where none is set; `listens_on` is the host of this machine."""
        self._app = app
        self._public = _plain(urlsplit(public_url).netloc, urlsplit(public_url).scheme)
        self._is_https = public_url.startswith("https:")
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
        elif self._is_https and _plain(host, "https") == self._public:
            asked["wsgi.url_scheme"] = "https"  # a proxy speaks that for us
        return self._app(asked, start_response)

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
