"""Concurrent clients that do everything a sheet allows, and log it."""

import itertools
import random
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.reliability.exchange import (
    Answer,
    Exchange,
    View,
    fields_of,
    path_of,
    shared_link,
    token_in,
    view_of,
)
from tests.reliability.log import Attempt, Log, Reading, Token, Wish

ROWS = 250  # a sheet with this many is not written on anymore
IN_PLAY = 6  # sheets written on at the same time
PAGES = (
    *("", "/board", "/form", "/log", "/more", "/share", "/settings", "/standings.csv", "/evening"),
)

#: The weight of each action; voids take any row, also voids (which restores) and notes.
WISHES = {
    "play": 40, "undo": 9, "amend": 12, "void": 14, "note": 12,
    "links": 3, "trash": 1, "again": 2, "read": 14, "page": 10,
}  # fmt: skip

#: How a form is sent, with the weight of each.
MANNERS = {
    "once": 50,
    "stale": 6,  # from a page that was loaded a while ago
    "twice at once": 8,
    "changed at once": 10,  # the same key with other content
    "lost, then again": 14,
    "lost, then changed": 6,
    "lost": 4,
}


@dataclass
class TableSheet:
    """A sheet in play: its number in the run, its current links, and the last views of it."""

    number: int
    tokens: dict[str, Token]
    views: list[View] = field(default_factory=list)
    evening: int = 0


@dataclass
class Shared:
    """What all clients of a run share: the server's address, the sheets, the log.

    The run ends after `forms` forms. If the server is killed now and then, clients wait until it is
    `up` again, and renew no links: if the answer were lost, so would be the new link.
    """

    address: str
    sheets: list[TableSheet]
    forms: int = sys.maxsize
    kills: int = 0
    up: threading.Event = field(default_factory=threading.Event)
    log: Log = field(default_factory=Log)
    # No sheet may reach its target, however many points are made in a long run.
    numbers: "itertools.count[int]" = field(default_factory=lambda: itertools.count(100_000))
    lock: threading.Lock = field(default_factory=threading.Lock)


class Client:
    """A client that reads a sheet, pauses, and sends a form; its choices follow from its seed."""

    def __init__(self, shared: Shared, seed: int) -> None:
        self._shared = shared
        self._random = random.Random(seed)

    def run(self, stop: threading.Event) -> None:
        """Act until `stop` is set or enough forms were sent."""
        while not stop.is_set() and len(self._shared.log.attempts) < self._shared.forms:
            self.step()
            time.sleep(self._random.uniform(0, 0.01))  # a person thinking, not a wait

    def step(self) -> None:
        """Do one thing with one of the sheets."""
        self._shared.up.wait()
        sheet = self._random.choice(self._shared.sheets[-IN_PLAY:])
        token = self._random.choice(list(sheet.tokens.values()))
        what = self._drawn(WISHES | {"links": 0} if self._shared.kills else WISHES)
        if what == "page":
            self._look(token)
            return
        view = self._read(sheet, token)
        if view is None:
            self._regain_access(sheet, token)
            return
        if what == "read" or token.role == "view":
            return
        if what in ("links", "trash"):
            if token.role == "host":
                self._renew(sheet, token) if what == "links" else self._trash(sheet, token)
        elif what == "again" or view.after >= ROWS:
            self._play_again(sheet, token)
        else:
            self._write(sheet, token, what)

    def _drawn(self, weights: dict[str, int]) -> str:
        return self._random.choices(list(weights), list(weights.values()))[0]

    # --- looking

    def _look(self, token: Token) -> None:
        """Open a page, so that the server caches it."""
        page = self._random.choice(PAGES)
        answer = Exchange(self._shared.address, f"/s/{token.text}{page}").answer()
        if answer.status not in (200, 303, 403, 404, *([0] if self._shared.kills else [])):
            self._shared.log.surprises.append(f"{answer.status} for GET {page or '/s/…'}")

    def _read(self, sheet: TableSheet, token: Token) -> View | None:
        exchange = Exchange(self._shared.address, f"/s/{token.text}/sheet.json")
        answer = exchange.answer()
        view = view_of(answer.body) if answer.status == 200 else None
        history = view.history if view else ()
        self._shared.log.readings.append(
            Reading(sheet.number, token, exchange.asked, answer.at, answer.status, history)
        )
        if view is not None:
            sheet.views = [*sheet.views[-4:], view]
        return view

    # --- writing on the sheet

    def _write(self, sheet: TableSheet, token: Token, what: str) -> None:
        manner = self._drawn(MANNERS)
        views = sheet.views
        view = self._random.choice(views) if manner == "stale" else views[-1]
        wish = self._wish(what, view)
        if wish is None:
            return
        key = f"k{next(self._shared.numbers)}"
        other = self._wish("play", view)
        assert other is not None
        match manner:
            case "twice at once":
                self._send(sheet, token, [(wish, key), (wish, key)], view)
            case "changed at once":
                both = [(wish, key), (other, key)]
                self._random.shuffle(both)
                self._send(sheet, token, both, view)
            case "lost, then again" | "lost, then changed":
                self._send(sheet, token, [(wish, key)], view, read_answer=False)
                if self._random.random() < 0.5:
                    self._read(sheet, token)
                again = wish if manner == "lost, then again" else other
                self._send(sheet, token, [(again, key)], view)
            case _:
                read_answer = manner != "lost"
                (answer,) = self._send(sheet, token, [(wish, key)], view, read_answer=read_answer)
                if read_answer and not answer.status:  # the server was killed
                    self._shared.up.wait()
                    self._send(sheet, token, [(wish, key)], view)

    def _send(
        self,
        sheet: TableSheet,
        token: Token,
        forms: Sequence[tuple[Wish, str]],
        view: View,
        *,
        read_answer: bool = True,
    ) -> list[Answer]:
        """Send all forms before reading the first answer; log and return the answers."""
        sent = []
        for wish, key in forms:
            by = f"a{next(self._shared.numbers)}"
            path = f"/s/{token.text}{path_of(wish)}"
            fields = fields_of(wish, key, view)
            sent.append((wish, key, by, Exchange(self._shared.address, path, fields, by)))
        answers = []
        for wish, key, by, exchange in sent:
            answer = exchange.answer() if read_answer else exchange.lose()
            answers.append(answer)
            self._shared.log.attempts.append(
                Attempt(
                    by=by,
                    table=sheet.number,
                    token=token,
                    wish=wish,
                    key=f"undo {view.after}" if wish.kind == "undo" else key,  # made by the book
                    after=view.after,
                    asked=exchange.asked,
                    answered=answer.at,
                    status=answer.status,
                    led_to=answer.led_to,
                )
            )
        return answers

    def _wish(self, what: str, view: View) -> Wish | None:
        """A form of this kind that makes sense for this view; None if there is none.

        Voids take any recent row: an entry, a correction, a void, or one that cannot be voided.
        """
        reason = f"w{next(self._shared.numbers)}"
        match what:
            case "play":
                return Wish("play", self._entry(view))
            case "amend":
                plays = [row["seq"] for row in view.history if row["kind"] == "play"][-12:]
                entry = self._entry(view)
                return Wish("amend", entry, self._random.choice(plays), reason) if plays else None
            case "void":
                rows = [row["seq"] for row in view.history[-12:]]
                return Wish("void", None, self._random.choice(rows), reason) if rows else None
            case "note":
                return self._note(view)
        return Wish("undo")

    def _entry(self, view: View) -> dict[str, Any]:
        number = next(self._shared.numbers)
        if self._random.random() < 0.5:
            points = {name: number % 1000 + place for place, name in enumerate(view.players)}
            return {"action": "deal", "points": points}
        player = self._random.choice(view.players)
        return {"action": "adjust", "player": player, "points": 1, "reason": f"r{number}"}

    def _note(self, view: View) -> Wish:
        """Change the settings: a name, a house rule, the first dealer or the seats."""
        number = next(self._shared.numbers)
        players = list(view.players)
        renamed: dict[str, str] = {}
        if self._random.random() < 0.7:
            place = self._random.randrange(len(players))
            renamed = {players[place]: f"P{number}"}
            players[place] = f"P{number}"
        if self._random.random() < 0.3:
            self._random.shuffle(players)
        options = {**view.options, "target": 500_000 + number}
        becomes = {"players": players, "dealer": self._random.choice(players), "options": options}
        return Wish("note", becomes=becomes, renamed=renamed)

    # --- around the sheet

    def _renew(self, sheet: TableSheet, token: Token) -> None:
        role = self._random.choice(["view", "score", "score", "host"])
        wish, begun = Wish("links", role=role), time.monotonic()
        (answer,) = self._send(sheet, token, [(wish, "")], sheet.views[-1])
        if answer.status == 303 and role == "host":
            new = Token(token_in(answer.led_to), role, begun, answer.at)
            sheet.tokens = {**sheet.tokens, role: new}
        elif answer.status == 303:
            self._ask_for_link(sheet, role)

    def _ask_for_link(self, sheet: TableSheet, role: str) -> None:
        found = shared_link(self._shared.address, sheet.tokens["host"].text, role)
        if found[0]:
            sheet.tokens = {**sheet.tokens, role: Token(found[0], role, *found[1:])}

    def _regain_access(self, sheet: TableSheet, token: Token) -> None:
        """Take the sheet out of the trash, or get the renewed link from the host."""
        if self._random.random() < 0.5 and sheet.views:
            host = sheet.tokens["host"]
            self._send(sheet, host, [(Wish("restore"), "")], sheet.views[-1])
        elif token.role != "host":
            self._ask_for_link(sheet, token.role)

    def _trash(self, sheet: TableSheet, token: Token) -> None:
        """Put the sheet in the trash and take it out again, while others write."""
        view = sheet.views[-1]
        self._send(sheet, token, [(Wish("trash"), "")], view)
        self._send(sheet, sheet.tokens["host"], [(Wish("restore"), "")], view)

    def _play_again(self, sheet: TableSheet, token: Token) -> None:
        seen = self._random.choice([sheet.evening, sheet.evening, 0, 1])
        wish, key = Wish("again", seen=seen), f"k{next(self._shared.numbers)}"
        forms = [(wish, key)] * self._random.choice([1, 1, 2])
        read_answer = self._random.random() < 0.8
        begun = time.monotonic()
        answers = self._send(sheet, token, forms, sheet.views[-1], read_answer=read_answer)
        for led_to in {answer.led_to for answer in answers if answer.status == 303}:
            if not led_to.endswith("/next"):
                sheet.evening = seen + 1 if seen else 2
                token = Token(token_in(led_to), "host", begun, time.monotonic())
                with self._shared.lock:
                    number = len(self._shared.sheets)
                    self._shared.sheets.append(TableSheet(number, {"host": token}))
