"""The forms of the program as a client without a browser sends them: the one place that knows them.

A sheet is looked at through its file, which is a public contract, so that no page is read but for
the links on the page that shares them.
"""

import http.client
import json
import re
import time
from collections.abc import Sequence
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
    """What came back, and when; `status` 0 where nothing did."""

    status: int = 0
    led_to: str = ""
    body: bytes = b""
    told: float = LOST


class Exchange:
    """A request that has been sent, on a connection of its own, and may be answered."""

    def __init__(self, address: str, path: str, fields: Fields | None = None, by: str = "") -> None:
        """Send a form with these `fields`, or ask for the page; the phone calls itself `by`."""
        place = urlsplit(address)
        self.asked = time.monotonic()
        self._connection = http.client.HTTPConnection(place.hostname or "", place.port, SECONDS)
        headers = {"Cookie": f"phone={by}"} if by else {}
        with suppress(*NO_ANSWER):  # a server that is gone gives no answer, which is told below
            if fields is None:
                self._connection.request("GET", path, headers=headers)
            else:
                headers["Content-Type"] = "application/x-www-form-urlencoded"
                self._connection.request("POST", path, urlencode(fields), headers)

    def answer(self) -> Answer:
        """Wait for the answer, if the request could be sent."""
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
        """Hang up without having heard it."""
        self._connection.close()
        return Answer()


@dataclass(frozen=True)
class View:
    """A sheet as a client knows it: its history, and its settings now."""

    history: tuple[dict[str, Any], ...]
    players: tuple[str, ...]
    dealer: str
    options: dict[str, Any]

    @property
    def after(self) -> int:
        """The newest row."""
        return len(self.history)


def view_of(file: bytes) -> View:
    """What a downloaded sheet shows."""
    sheet = json.loads(file)
    return View(tuple(sheet["history"]), tuple(sheet["players"]), sheet["dealer"], sheet["options"])


def last_seen(view: View) -> str:
    """What the field `after` says of the newest row: its number, and the beginning of its hash.

    The number alone will do as well, where the file of the sheet does not tell the hash.
    """
    hash_ = view.history[-1].get("hash", "") if view.history else ""
    return f"{view.after}-{hash_[:MARK_LENGTH]}" if hash_ else str(view.after)


def path_of(wish: Wish) -> str:
    """Where the form is sent to, below the address of the sheet."""
    paths = {"play": "/entries", "restore": "/trash/out", "note": "/settings"}
    if wish.target is None:
        return paths.get(wish.kind, f"/{wish.kind}")
    return f"/entries/{wish.target}" + ("/void" if wish.kind == "void" else "")


def fields_of(wish: Wish, key: str, view: View) -> Fields:
    """The fields of the form, as its page would have made them from this `view` of the sheet."""
    sent = [("after", last_seen(view)), ("key", key)]
    if wish.entry is not None:
        sent += _entry_fields(wish.entry, view.players)
    if wish.kind in ("amend", "void"):
        sent += [("sure", "1"), ("why", wish.reason)]
    if wish.becomes is not None:
        sent += [("sure", "1"), *_settings_fields(wish, view)]
    if wish.kind == "links":
        sent.append(("role", wish.role))
    if wish.kind == "again":
        sent.append(("seen", str(wish.seen)))
    return sent


def _entry_fields(entry: dict[str, Any], players: Sequence[str]) -> Fields:
    sent = []
    for name, value in entry.items():
        if isinstance(value, dict):
            sent += [(f"{name}.{players.index(who)}", str(held)) for who, held in value.items()]
        else:
            sent.append((name, str(value)))
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
    """The link that an answer led to, "" where it led to none."""
    found = re.search(r"/s/([\w-]+)", led_to)
    return found[1] if found else ""


def shared_link(address: str, token: str, role: str) -> tuple[str, float, float]:
    """The link of `role` as a host’s page shows it, and from when to when it was asked for.

    It is "" where the page does not show it.
    """
    exchange = Exchange(address, f"/s/{token}/share?code={role}")
    answer = exchange.answer()
    found = re.search(rb"https?://[^\"'<\s]+/s/([\w-]+)[\"'<]", answer.body)
    return (found[1].decode() if found else "", exchange.asked, answer.told)
