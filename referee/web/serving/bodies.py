"""The bodies of requests, received whole on the event loop: forms, photos, and sheets' files.

Nothing of them is ever on a disk: what is larger than memory has room for is refused.
"""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

# Its documented names, which it does not mark as exported.
from granian.rsgi import HTTPProtocol, Scope  # type: ignore[attr-defined]
from msgspec import Struct

from referee.rules.text import Text, say
from referee.vision.found import MOST_BYTES, REFUSALS
from referee.web.answers.errors import Refused

#: What a route says of itself to those who receive what is asked and have it answered.
Kind = Literal["plain", "polled", "long", "file", "photo"]

BODY_LIMIT = 64 * 1024  # of a form; beyond it the app answers that it is too large
UPLOAD_LIMIT = 1024 * 1024  # beyond this nothing more is read
BODY_SECONDS = 10.0
MAX_HELD = 64 * 1024 * 1024  # of all forms and files on their way; of photos as much again

SHEET_LIMIT = 4 * 1024 * 1024  # of a sheet's file: one that is full has about one megabyte
WRONG_FILE = 4 * SHEET_LIMIT  # so much is read on, to say that it is the wrong file
FILE_SECONDS = 30.0

PHOTO_LIMIT = MOST_BYTES + BODY_LIMIT  # of a photo, with the form that it is for
# To arrive whole over a weak network; how long it may be read stands in `vision/found`.
PHOTO_SECONDS = 60.0

NEVER_ARRIVED = say("The rest of the form never arrived. Send it again.")


class _Room:
    """Memory for what is on its way: a sender may take as much as they leave for others.

    So whoever holds much is refused, and whoever comes with little gets in.
    """

    def __init__(self) -> None:
        self.free = MAX_HELD
        self._held = Counter[str]()

    @contextmanager
    def taken(self, address: str, size: int) -> Iterator[None]:
        """So many bytes are for `address` in here; raises `Refused` where it holds too many."""
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
    """What holds for bodies of one kind: bytes and `seconds` for one, `room` for all.

    Up to `kept` bytes it is kept; up to `read` it is read to its end, but only its size is kept;
    beyond that it is refused unread, in the words of `too_large`.
    """

    kept: int
    read: int
    seconds: float
    room: _Room
    too_large: Text


class Bodies:
    """The bodies that one worker receives."""

    def __init__(self, form_seconds: float = BODY_SECONDS) -> None:
        """A form has to be there in `form_seconds`."""
        too_much, too_large = say("Too much at once."), REFUSALS["too-large"]
        forms, photos = _Room(), _Room()  # no entry gives way to a photo
        self._forms = _Limits(BODY_LIMIT, UPLOAD_LIMIT, form_seconds, forms, too_much)
        self._larger: dict[Kind, _Limits] = {
            "file": _Limits(SHEET_LIMIT, WRONG_FILE, FILE_SECONDS, forms, too_much),
            "photo": _Limits(PHOTO_LIMIT, PHOTO_LIMIT, PHOTO_SECONDS, photos, too_large),
        }

    async def receive(self, kind: Kind, scope: Scope, protocol: HTTPProtocol) -> tuple[bytes, int]:
        """The whole body of a request for this kind of route, and its size.

        There is no more than its size where that is beyond what a form may have. Raises `Refused`
        where it is far too large, late or cut off, or its sender has too many.

        It has to say how long it is. When a connection ends in the middle, RSGI ends the body as
        if that were all, so the length alone tells a whole form from half of one; and of a body
        in chunks, which no browser sends for a form, nobody could tell.
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
