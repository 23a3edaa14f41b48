"""Receive request bodies whole, on the event loop: forms and files.

Bodies are kept in memory, never on a disk; what would not fit is refused.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial

# Documented names that the package does not mark as exported.
from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]
from msgspec import Struct

from referee.rules.text import Text, say
from referee.web.answers.errors import Refused

BODY_LIMIT = 64 * 1024  # of a form; the app answers that a larger one is too large
UPLOAD_LIMIT = 1024 * 1024  # larger forms are not read at all
BODY_SECONDS = 10.0

# Up to this size a body is not counted, so no form of this size is ever refused for lack of memory:
# there are no more of them than connections. An entry for ten players has some two kilobytes.
SMALL = 8 * 1024
MAX_HELD = 128 * 1024 * 1024  # of all larger bodies, until a thread takes them

SHEET_LIMIT = 4 * 1024 * 1024  # of a sheet's file; a full sheet has about one megabyte
WRONG_FILE = 4 * SHEET_LIMIT  # larger files are read up to here, to say that it is the wrong file
FILE_SECONDS = 30.0

NEVER_ARRIVED = say("The rest of the form never arrived. Send it again.")
TOO_MUCH = say("Too much is being sent at once. Try again in a minute.")


class Limits(Struct, frozen=True):
    """The limits for one kind of body: bytes, and `seconds` for each.

    A body of up to `kept` bytes is kept; of one of up to `read` bytes only its size is kept, and
    its `beginning`; a larger one is refused unread, with `too_large` as the reason.
    """

    kept: int
    read: int
    seconds: float
    too_large: Text = say("Too much at once.")
    beginning: int = 0


class _Held(Struct, eq=False):
    """A body in memory: its sender's address, its deadline, and the bytes that have arrived."""

    address: str
    deadline: asyncio.Timeout
    size: int = 0
    turned_away: bool = False


class Memory:
    """The memory for large bodies: when it is full, the address with most of it loses its oldest.

    Only what has arrived is counted, so announcing a large body keeps nobody out.
    """

    def __init__(self) -> None:
        """Start with all of it free."""
        self.free = MAX_HELD
        self._sizes = Counter[str]()  # by address
        self._bodies = dict[str, dict[_Held, None]]()  # likewise, the oldest first

    def count(self, body: _Held, size: int) -> None:
        """Count `size` more bytes of `body`; if that is too much, turn bodies away, maybe this."""
        body.size += size
        if body.turned_away or body.size <= SMALL:
            return
        mine = self._bodies.setdefault(body.address, {})
        more = size if body in mine else body.size
        mine[body] = None
        self._sizes[body.address] += more
        self.free -= more
        while self.free < 0:
            address, _ = self._sizes.most_common(1)[0]
            oldest = next(iter(self._bodies[address]))
            self.release(oldest)
            oldest.turned_away = True
            if not oldest.deadline.expired():
                oldest.deadline.reschedule(0)

    def release(self, body: _Held) -> None:
        """No longer count `body`."""
        mine = self._bodies.get(body.address, {})
        if body not in mine:
            return
        del mine[body]
        self.free += body.size
        self._sizes[body.address] -= body.size
        if not mine:
            del self._bodies[body.address], self._sizes[body.address]


class Bodies:
    """Receives the request bodies of one worker."""

    def __init__(self, form_seconds: float = BODY_SECONDS) -> None:
        """Forms have to arrive within `form_seconds`."""
        self.memory = Memory()
        self._forms = Limits(BODY_LIMIT, UPLOAD_LIMIT, form_seconds)

    @asynccontextmanager
    async def received(
        self, limits: Limits | None, address: str, scope: Scope, protocol: HTTPProtocol
    ) -> AsyncIterator[tuple[bytes, int, Callable[[], None]]]:
        """The whole body of a request from `address`, and its size.

        Without `limits` they are those of a form. The body is empty, or its beginning, if it is
        larger than is kept. Call the third value when a thread takes the body: until then the block
        is left with `Refused` if others need the memory. Raises `Refused`, too, if the body is
        larger than is read, late or incomplete.

        A Content-Length is required. When a connection breaks, RSGI ends the body as if it were
        complete, so only the length distinguishes a whole form from half of one. Chunked bodies,
        which browsers never send for forms, are therefore refused.
        """
        if "transfer-encoding" in scope.headers:
            raise Refused(411, say("This form doesn’t say how long it is. Send it again."))
        length = int(scope.headers.get("content-length") or 0)
        if length == 0:
            yield b"", 0, lambda: None
            return
        limits = limits or self._forms
        if length > limits.read:
            raise Refused(413, limits.too_large)
        keep = length if length <= limits.kept else limits.beginning
        deadline = asyncio.timeout(limits.seconds)
        body = _Held(address, deadline)
        try:
            async with deadline:
                whole = await self._whole(body, length, keep, protocol)
                deadline.reschedule(None)  # it may wait in line for as long as it takes
                yield whole, length, partial(self._take, body)
        except TimeoutError:
            if body.turned_away:
                raise Refused(503, TOO_MUCH) from None
            if deadline.expired():
                raise Refused(408, NEVER_ARRIVED) from None
            raise
        finally:
            self.memory.release(body)

    def _take(self, body: _Held) -> None:
        if body.turned_away:  # just now, before its deadline was noticed
            raise Refused(503, TOO_MUCH)
        self.memory.release(body)

    async def _whole(self, body: _Held, length: int, keep: int, protocol: HTTPProtocol) -> bytes:
        """The first `keep` bytes of a body of this `length`, once all have arrived.

        Raises `Refused` if they never do.
        """
        parts, size = list[bytes](), 0
        async for part in protocol:
            if size < keep:
                parts.append(part[: keep - size])
                self.memory.count(body, len(parts[-1]))
            size += len(part)
        if size < length:
            raise Refused(400, NEVER_ARRIVED)
        return b"".join(parts)
