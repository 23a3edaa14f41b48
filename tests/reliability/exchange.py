"""Requests of a client without a browser; the only place here that knows the program's forms.

Sheets are read through their files, a public contract; the only page that is parsed is the share
page, for its links.
"""

import http.client
import json
import re
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

from referee.ledger.chain import MARK_LENGTH
from tests.reliability.log import LOST, Wish

Fields = list[tuple[str, str]]

NO_ANSWER = (OSError, http.client.HTTPException)
SECONDS = 30  # that an answer may take


@dataclass(frozen=True)
class Answer:
    """An answer, and when it had arrived; `status` is 0 if none came."""

    status: int = 0
    led_to: str = ""
    body: bytes = b""
    at: float = LOST


class Exchange:
    """A request sent on its own connection, whose answer is still to be read."""

    def __init__(self, address: str, path: str, fields: Fields | None = None, by: str = "") -> None:
        """POST a form with these `fields`, or GET the page; `by` is the phone's name."""
        place = urlsplit(address)
        self.asked = time.monotonic()
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port, SECONDS)
        headers = {"Cookie": f"phone={by}"} if by else {}
        with suppress(*NO_ANSWER):  # if the server is gone, `answer` says so
            if fields is None:
                self._connection.request("GET", path, headers=headers)
            else:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                self._connection.request("POST", path, urlencode(fields), headers)

    def answer(self) -> Answer:
        """Wait for the answer; an empty `Answer` if none comes."""
        if self._connection.sock is None:
            return Answer()
        try:
            response = self._connection.getresponse()
            body = response.read()
            led_to = response.headers.get("Location", "")
            return Answer(response.status, led_to, body, time.monotonic())
        except NO_ANSWER:
            return Answer()
        finally:
            self._connection.close()

    def lose(self) -> Answer:
        """Close the connection without reading the answer."""
        self._connection.close()
        return Answer()


@dataclass(frozen=True)
class View:
    """A client's view of a sheet: its history and current settings."""

    history: tuple[dict[str, Any], ...]
    players: tuple[str, ...]
    dealer: str
    options: dict[str, Any]

    @property
    def after(self) -> int:
        """The number of the newest row."""
        return len(self.history)


def view_of(file: bytes) -> View:
    """The view of a downloaded sheet file."""
    sheet = json.loads(file)
    return View(tuple(sheet["history"]), tuple(sheet["players"]), sheet["dealer"], sheet["options"])


def path_of(wish: Wish) -> str:
    """The path of the form, relative to the sheet's."""
    paths = {"play": "/entries", "restore": "/trash/out", "note": "/settings"}
    if wish.target is None:
        return paths.get(wish.kind, f"/{wish.kind}")
    return f"/entries/{wish.target}" + ("/void" if wish.kind == "void" else "")


def fields_of(wish: Wish, key: str, view: View) -> Fields:
    """The form's fields as a page with this `view` of the sheet would send them."""
    mark = view.history[-1].get("hash", "")[:MARK_LENGTH] if view.history else ""
    sent = [("after", f"{view.after}-{mark}" if mark else str(view.after)), ("key", key)]
    for name, value in (wish.entry or {}).items():
        if isinstance(value, dict):
            places = {f"{name}.{view.players.index(who)}": held for who, held in value.items()}
            sent += [(place, str(held)) for place, held in places.items()]
        else:
            sent.append((name, str(value)))
    if wish.kind in ("amend", "void"):
        sent += [("sure", "1"), ("why", wish.reason)]
    if wish.becomes is not None:
        sent += [("sure", "1"), *_settings_fields(wish, view)]
    if wish.kind == "links":
        sent.append(("role", wish.role))
    if wish.kind == "again":
        sent.append(("seen", str(wish.seen)))
    return sent


def _settings_fields(wish: Wish, view: View) -> Fields:
    becomes = wish.becomes or {}
    was = {wish.renamed.get(old, old): old for old in view.players}
    sent = [("name", name) for name in becomes["players"]]
    sent += [("was", was[name]) for name in becomes["players"]]
    sent.append(("dealer", str(becomes["players"].index(becomes["dealer"]))))
    for name, value in becomes["options"].items():
        sent.append((name, str(value).lower() if isinstance(value, bool) else str(value)))
    return sent


def token_in(led_to: str) -> str:
    """The sheet token in a redirect; "" if there is none."""
    found = re.search(r"/s/([\w-]+)", led_to)
    return found[1] if found else ""


def shared_link(address: str, token: str, role: str) -> tuple[str, float, float]:
    """The token of `role` on the host's share page, and the times of request and answer.

    The token is "" if the page does not show it.
    """
    exchange = Exchange(address, f"/s/{token}/share?code={role}")
    answer = exchange.answer()
    found = re.search(rb"https?://[^\"'<\s]+/s/([\w-]+)[\"'<]", answer.body)
    return (found[1].decode() if found else "", exchange.asked, answer.at)
