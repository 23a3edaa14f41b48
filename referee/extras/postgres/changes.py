"""A cache that PostgreSQL invalidates by NOTIFY, so that a poll needs no query.

A process listens on one connection (`LISTEN`) for the numbers of changed sheets. It notifies itself
over a second connection to prove that LISTEN works: behind a pooler such as PgBouncer this does not
arrive (over the same connection it might, though others would not), and after a lost connection it
arrives only over a new one. Until it does, nothing is cached, and the database is queried.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Collection
from typing import Any

import psycopg
from cachetools import LRUCache
from psycopg import Connection

from referee.ledger.engine import STALE_SECONDS

CHANNEL = "referee"
BETWEEN_SECONDS = 0.5  # between two notifications to itself
ARRIVAL_SECONDS = 5.0  # within which one must arrive, or the connection is replaced
AGAIN_SECONDS = 0.5  # until the next try after a lost connection
MOST_KEPT = 10_000


class Changes:
    """Values read from sheets, kept until PostgreSQL reports a change of one of them."""

    def __init__(self, connect: Callable[[], Connection[Any]]) -> None:
        """Listening starts with the first call of `kept`, as workers are forked before that."""
        self._connect = connect
        self._lock = threading.Lock()
        self._over: threading.Event | None = None  # ends the thread that listens, if there is one
        self._moment = 0  # counts notifications
        self._changed = dict[int, int]()  # the moment of each sheet's last notification
        self._kept: LRUCache[str, tuple[Collection[int | None], int, Any]] = LRUCache(MOST_KEPT)
        self._forgotten = 0  # the moment up to which notifications may be missing
        self._complete_at = float("-inf")  # the time up to which every notification was received

    def moment(self) -> int:
        """A counter, to be read before the values that are then kept."""
        with self._lock:
            return self._moment

    def keep(self, name: str, sheets: Collection[int | None], moment: int, found: Any) -> None:
        """Keep what was read from these sheets after this `moment`, under this name."""
        with self._lock:
            self._kept[name] = sheets, moment, found

    def kept(self, name: str) -> Any:
        """The value kept under this name; None if it may be older than `STALE_SECONDS`."""
        with self._lock:
            if self._over is None:
                self._over = threading.Event()
                threading.Thread(target=self._listen, args=(self._over,), daemon=True).start()
            if time.monotonic() - self._complete_at > STALE_SECONDS:
                return None
            sheets, moment, found = self._kept.get(name, ((), -1, None))
            changed = (self._changed.get(sheet or 0, 0) for sheet in sheets)
            if moment < max((self._forgotten, *changed)):
                return None
            return found

    def stop(self) -> None:
        """Stop listening, until `kept` is called again."""
        with self._lock:
            if self._over is not None:
                self._over.set()
                self._over = None

    # --- in the thread that listens

    def _listen(self, over: threading.Event) -> None:
        connected = True
        while not over.wait(0 if connected else AGAIN_SECONDS):
            try:
                with self._connect() as listener, self._connect() as sender:
                    listener.execute(f"LISTEN {CHANNEL}".encode())
                    with self._lock:  # from here on notifications arrive; before, some may be lost
                        self._moment += 1
                        self._forgotten = self._moment
                    while not over.is_set():
                        self._receive(listener, sender)
                        connected = True
            except psycopg.Error as error:
                if connected:
                    logging.getLogger(__name__).warning(
                        "Polls ask the database: %s", " ".join(str(error).split())
                    )
                connected = False

    def _receive(self, listener: Connection[Any], sender: Connection[Any]) -> None:
        """Note changed sheets until our own notification has arrived, and a little longer."""
        own, sent_at = uuid.uuid4().hex, time.monotonic()
        sender.execute("SELECT pg_notify(%s, %s)", (CHANNEL, own))
        arrived = False
        while not arrived:
            left = sent_at + ARRIVAL_SECONDS - time.monotonic()
            if left < 0:
                says = f"LISTEN delivered no notification within {ARRIVAL_SECONDS:g} s"
                raise psycopg.OperationalError(says)
            for notification in listener.notifies(timeout=left, stop_after=1):
                arrived = arrived or notification.payload == own
                self._note(notification.payload)
        with self._lock:
            self._complete_at = sent_at
        for notification in listener.notifies(timeout=BETWEEN_SECONDS):
            self._note(notification.payload)

    def _note(self, payload: str) -> None:
        if payload.isdecimal() and len(payload) < 20:
            with self._lock:
                self._moment += 1
                if len(self._changed) >= MOST_KEPT:
                    self._changed.clear()
                    self._forgotten = self._moment
                self._changed[int(payload)] = self._moment
