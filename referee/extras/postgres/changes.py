"""What PostgreSQL tells of changed sheets, so that a poll needs no question.

A process listens on one connection for the numbers of sheets (`LISTEN`). Each is short, and told
once a transaction; with a mere wake-up every process would have to ask which sheet it was. It
notifies itself over a second connection to prove that LISTEN works: behind a pool of connections
such as PgBouncer's it never hears that (on the same one it might, and miss all else), and after a
lost connection not until there is a new one. Then nothing is kept, and the database is asked again.
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
BETWEEN_SECONDS = 0.5  # two tellings
HEARD_SECONDS = 5.0  # within which it must be heard, or there is another connection
AGAIN_SECONDS = 0.5  # after a lost connection
MOST_KEPT = 10_000


class Changes:
    """What was read of sheets, until PostgreSQL tells that one of them has changed."""

    def __init__(self, connect: Callable[[], Connection[Any]]) -> None:
        """Listening starts with the first question for what is kept: workers are forked before."""
        self._connect = connect
        self._lock = threading.Lock()
        self._over: threading.Event | None = None  # of the thread that listens, if there is one
        self._moment = 0  # counts what was told
        self._changed = dict[int, int]()  # the sheets that were told of, and when
        self._kept: LRUCache[str, tuple[Collection[int | None], int, Any]] = LRUCache(MOST_KEPT)
        self._forgotten = 0  # the moment up to which nothing is known
        self._complete_at = float("-inf")  # by the clock: until then everything was heard

    def moment(self) -> int:
        """A moment before reading what is then kept."""
        with self._lock:
            return self._moment

    def keep(self, name: str, sheets: Collection[int | None], moment: int, found: Any) -> None:
        """Keep what was found of these sheets after this moment, under this name."""
        with self._lock:
            self._kept[name] = sheets, moment, found

    def kept(self, name: str) -> Any:
        """What is kept under this name; None if that may be older than `STALE_SECONDS`."""
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
        """Stop listening, until something is asked for again."""
        with self._lock:
            if self._over is not None:
                self._over.set()
                self._over = None

    # --- in the thread that listens

    def _listen(self, over: threading.Event) -> None:
        heard = True
        while not over.wait(0 if heard else AGAIN_SECONDS):
            try:
                with self._connect() as connection, self._connect() as telling:
                    connection.execute(f"LISTEN {CHANNEL}".encode())
                    with self._lock:  # what is told from now on is heard; before, nothing is known
                        self._moment += 1
                        self._forgotten = self._moment
                    while not over.is_set():
                        self._hear(connection, telling)
                        heard = True
            except psycopg.Error as error:
                if heard:
                    logging.getLogger(__name__).warning(
                        "Polls ask the database: %s", " ".join(str(error).split())
                    )
                heard = False

    def _hear(self, connection: Connection[Any], telling: Connection[Any]) -> None:
        """Note which sheets have changed, until it was heard what is told here and now."""
        own, told_at = uuid.uuid4().hex, time.monotonic()
        telling.execute("SELECT pg_notify(%s, %s)", (CHANNEL, own))
        heard = False
        while not heard:
            left = told_at + HEARD_SECONDS - time.monotonic()
            if left < 0:
                raise psycopg.OperationalError("what is told is not heard")
            for told in connection.notifies(timeout=left, stop_after=1):
                heard = heard or told.payload == own
                self._note(told.payload)
        with self._lock:
            self._complete_at = told_at
        for told in connection.notifies(timeout=BETWEEN_SECONDS):
            self._note(told.payload)

    def _note(self, payload: str) -> None:
        if payload.isdecimal() and len(payload) < 20:
            with self._lock:
                self._moment += 1
                if len(self._changed) >= MOST_KEPT:
                    self._changed.clear()
                    self._forgotten = self._moment
                self._changed[int(payload)] = self._moment
