"""Thousands of open connections, of which a few have something to say.

Waitress parses, serves and answers; what is done here is only what it does not for a hall full of
phones that ask every two seconds whether there is anything new:

- It asks every connection before every wait what it waits for. Here the system remembers that
  (epoll, kqueue), and a connection is asked again when it was heard, or when a thread served it.
- It hands every request to a thread and is told when it has been served. What is answered in no
  time is answered at once instead: to change threads takes longer than the answer.
- It hangs up after an answer without a body.
"""

import selectors
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.task import WSGITask

READ, WRITE = selectors.EVENT_READ, selectors.EVENT_WRITE
LONGEST_WAIT = 1.0  # seconds; Waitress's own
ROUND = 5.0  # seconds after which all are asked, for Waitress marks from afar who was silent


class HoldsTheLine(WSGITask):  # type: ignore[misc]
    """Waitress's way to answer a request, but that it does not hang up after a 304.

    Waitress closes the connection after every answer that gives no length. One that has no body
    ends with its head and needs none; and a 304 is what a live board gets every two seconds.
    """

    def set_close_on_finish(self) -> None:
        """Hang up after this answer, unless it is such a one and the other side wants to go on."""
        wants = self.request.headers.get("CONNECTION", "").lower()
        if self.has_body or self.version != "1.1" or wants == "close":
            super().set_close_on_finish()


class Connection(HTTPChannel):  # type: ignore[misc]
    """A connection as Waitress has it, of which is known by which thread it is being served."""

    task_class = HoldsTheLine

    def service(self) -> None:
        """Answer the request that came first; called by a thread, or at once."""
        self._map.served_here.connection = self
        super().service()

    def handle_close(self) -> None:
        """Close it; a thread leaves that to the loop.

        Waitress closes it in a thread where it cannot ask there for the rest of the next request.
        Its number would be free then, and another's a moment later, while the loop still watches.
        """
        if self._map.is_here():
            super().handle_close()
        else:
            self.will_close = True


class Connections(dict[int, Any]):
    """Waitress's map of all that is open, by file number, to be given to its `create_server`.

    What Waitress puts in is watched from then on; what it takes out is forgotten while the number
    is still its own.
    """

    def __init__(self, at_once: Callable[[Any], bool]) -> None:
        """Nothing is open yet. `at_once` says of a request whether its answer takes no time."""
        super().__init__()
        self._at_once = at_once
        self._selector = selectors.DefaultSelector()
        self._changed: deque[int] = deque()  # those that may wait for something else now
        self._ready: list[Connection] = []  # those to be answered at once
        self._thread = 0
        self.served_here = threading.local()

    def __setitem__(self, number: int, one: Any) -> None:
        super().__setitem__(number, one)
        self._watch(number, READ)

    def __delitem__(self, number: int) -> None:
        super().__delitem__(number)
        self._watch(number, 0)

    def attend(self) -> None:
        """Let everything open read and write when it can, until nothing is."""
        self._thread = threading.get_ident()
        listening = [one for one in self.values() if one.accepting]
        for server in listening:
            server.channel_class = Connection
            server.add_task = self._add_task
            server.pull_trigger = self._pull_trigger
        next_round = 0.0
        while self:
            if time.monotonic() >= next_round:
                next_round = time.monotonic() + ROUND
                self._changed.extend(self)
            for server in listening:
                self._ask(server._fileno)
            while self._changed:
                self._ask(self._changed.popleft())
            for key, events in self._selector.select(LONGEST_WAIT):
                self._hear(key.fd, events)

    def is_here(self) -> bool:
        """Whether this is the thread of the loop."""
        return threading.get_ident() == self._thread

    # --- in place of the methods of Waitress's server

    def _add_task(self, connection: Any) -> None:
        """A request has come, or the one before it has been answered."""
        if self.is_here() and self._takes_no_time(connection.requests[0]):
            self._ready.append(connection)  # which is still being read
        else:
            connection.server.task_dispatcher.add_task(connection)

    def _pull_trigger(self) -> None:
        """The connection that is served here may wait for something else now."""
        connection = self.served_here.connection
        self._changed.append(connection._fileno)
        if not self.is_here():
            connection.server.trigger.pull_trigger()

    def _takes_no_time(self, request: Any) -> bool:
        try:
            return self._at_once(request)
        except Exception:  # a thread meets it too, and has a page for it
            return False

    # --- watching

    def _ask(self, number: int) -> None:
        """Watch this one for what it waits for now.

        While it is being served that is nothing. It is left as it is then, since soon it will be
        readable again; should it be heard meanwhile, `_hear` turns away.
        """
        one = self.get(number)
        wanted = _wanted(one) if one is not None else 0
        if wanted:
            self._watch(number, wanted)

    def _hear(self, number: int, events: int) -> None:
        one = self.get(number)
        if one is None:  # closed by another that was heard in this turn
            return
        events &= _wanted(one)
        if not events:
            self._watch(number, 0)
        if events & READ:
            wasyncore.read(one)
        if events & WRITE:
            wasyncore.write(one)
            self._changed.append(number)
        while self._ready:
            _serve(self._ready.pop())

    def _watch(self, number: int, events: int) -> None:
        """Have the system watch this one for these events, or not at all."""
        known = self._selector.get_map().get(number)
        if known is None:
            if events:
                self._selector.register(number, events)
        elif not events:
            self._selector.unregister(number)
        elif known.events != events:
            self._selector.modify(number, events)


def _serve(connection: Connection) -> None:
    """Answer at once; what goes wrong ends this connection and not the loop."""
    try:
        connection.service()
    except Exception:  # Waitress's threads go on after one too
        connection.handle_error()


def _wanted(one: Any) -> int:
    """What it waits for, as it says itself."""
    wanted = READ if one.readable() else 0
    return wanted | WRITE if not one.accepting and one.writable() else wanted
