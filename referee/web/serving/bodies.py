"""Receive request bodies whole, on the event loop: forms, photos, and sheets' files.

Bodies are kept in memory, never on a disk; what would not fit is refused.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

# Documented names that the package does not mark as exported.
from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]
from msgspec import Struct

from referee.rules.text import Text, say
from referee.vision.found import MOST_BYTES, REFUSALS
from referee.web.answers.errors import Refused

#: The kind of a route: decides on the limits of its bodies and on its threads.
Kind = Literal["plain", "polled", "long", "file", "photo"]

BODY_LIMIT = 64 * 1024  # of a form; the app answers that a larger one is too large
UPLOAD_LIMIT = 1024 * 1024  # larger forms are not read at all
BODY_SECONDS = 10.0
MAX_HELD = 64 * 1024 * 1024  # of all forms and files being received; the same again for photos

SHEET_LIMIT = 4 * 1024 * 1024  # of a sheet's file; a full sheet has about one megabyte
WRONG_FILE = 4 * SHEET_LIMIT  # larger files are read up to here, to say that it is the wrong file
FILE_SECONDS = 30.0

PHOTO_LIMIT = MOST_BYTES + BODY_LIMIT  # of a photo together with its form
# For the upload of an original over a weak network; the limit for reading is in `vision/found`.
PHOTO_SECONDS = 60.0

NEVER_ARRIVED = say("The rest of the form never arrived. Send it again.")


class _Room:
    """A memory budget for bodies being received: no sender may use more than it leaves free.

    So a sender who uses much is refused while others with small bodies are not.
    """

    def __init__(self) -> None:
        self.free = MAX_HELD
        self._held = Counter[str]()

    @contextmanager
    def taken(self, address: str, size: int) -> Iterator[None]:
        """Reserve `size` bytes for `address` in this block; raises `Refused` if too many."""
        if self._held[address] + size > self.free:
            raise Refused(503, say("Too much is being sent at once. Try again in a minute."))
        self.free -= size
        self._held[address] += size
        try:
            yield
        finally:
            self.free += size
            self._held[address] -= size
            if not self._held[address]:
                del self._held[address]


class _Limits(Struct, frozen=True):
    """The limits for one kind of body: bytes and `seconds` for each, `room` for all together.

    A body of up to `kept` bytes is kept; one of up to `read` bytes is read, but only its size is
    kept; a larger one is refused unread, with `too_large` as the reason.
    """

    kept: int
    read: int
    seconds: float
    room: _Room
    too_large: Text


class Bodies:
    """Receives the request bodies of one worker."""

    def __init__(self, form_seconds: float = BODY_SECONDS) -> None:
        """Forms have to arrive within `form_seconds`."""
        too_much, too_large = say("Too much at once."), REFUSALS["too-large"]
        forms, photos = _Room(), _Room()  # separate, so that photos never displace entries
        self._forms = _Limits(BODY_LIMIT, UPLOAD_LIMIT, form_seconds, forms, too_much)
        self._larger: dict[Kind, _Limits] = {
            "file": _Limits(SHEET_LIMIT, WRONG_FILE, FILE_SECONDS, forms, too_much),
            "photo": _Limits(PHOTO_LIMIT, PHOTO_LIMIT, PHOTO_SECONDS, photos, too_large),
        }

    async def receive(self, kind: Kind, scope: Scope, protocol: HTTPProtocol) -> tuple[bytes, int]:
        """The whole body of a request to this kind of route, and its size.

        The body is empty if it is larger than is kept. Raises `Refused` if it is larger than is
        read, late or incomplete, or if its sender uses too much memory.

        A Content-Length is required. When a connection breaks, RSGI ends the body as if it were
        complete, so only the length tells a whole form from half of one. Chunked bodies, which
        browsers never send for forms, are therefore refused.
        """
        if "transfer-encoding" in scope.headers:
            raise Refused(411, say("This form doesn’t say how long it is. Send it again."))
        said = int(scope.headers.get("content-length") or 0)
        if said == 0:
            return b"", 0
        limits = self._larger.get(kind, self._forms)
        if said > limits.read:
            raise Refused(413, limits.too_large)
        kept = said if said <= limits.kept else 0
        parts, size = list[bytes](), 0
        with limits.room.taken(scope.client.rpartition(":")[0], kept):
            try:
                async with asyncio.timeout(limits.seconds):
                    async for part in protocol:
                        size += len(part)
                        parts += [part] if kept else []
            except TimeoutError:
                raise Refused(408, NEVER_ARRIVED) from None
        if size < said:
            raise Refused(400, NEVER_ARRIVED)
        return b"".join(parts), said
