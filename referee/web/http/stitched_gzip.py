"""Texts that are compressed once and filled in for every reader.

A page is the same for everybody but for the keys of its forms. What lies between the keys is
compressed when the page is made; a key goes in as it is, as a block of DEFLATE that is stored
(RFC 1951, 3.2.4). All of it is one ordinary gzip stream (RFC 1952).

The key is not compressed, so the length of an answer tells nothing about it.
"""

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence

LEVEL = 6  # only once a page
WINDOW = 32 * 1024  # as far back as DEFLATE can refer
_RAW = -zlib.MAX_WBITS  # without a header: that belongs to the whole

_HEAD = (
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"  # no name, no time, from no system in particular
)
_LAST = b"\x01\x00\x00\xff\xff"  # a stored block of no bytes that ends the stream


class Stitched:
    """A text with gaps of one size, which are filled in whenever it is sent."""

    def __init__(self, parts: Sequence[bytes], gap: int) -> None:
        """What stands before, between and after the gaps, each of `gap` bytes.

        No part may hold a zero byte; no text does.
        """
        self._parts = parts
        self._gap = gap
        self._zipped = list(_compressed(parts, gap))

    @property
    def gaps(self) -> int:
        """How many there are to fill."""
        return len(self._parts) - 1

    @property
    def size(self) -> int:
        """The bytes it takes in memory, both as it is and compressed."""
        return sum(map(len, self._parts)) + sum(map(len, self._zipped))

    def plain(self, fills: Iterable[bytes]) -> bytes:
        """The text with `fills` in its gaps."""
        return b"".join(_between(self._parts, fills))

    def zipped(self, fills: Sequence[bytes]) -> bytes:
        """The same text as a gzip stream."""
        stored = []
        for fill in fills:
            assert len(fill) == self._gap, "what follows refers back over it"
            stored.append(struct.pack("<BHH", 0, self._gap, self._gap ^ 0xFFFF) + fill)
        check = size = 0
        for piece in _between(self._parts, fills):
            check = zlib.crc32(piece, check)
            size += len(piece)
        tail = struct.pack("<LL", check, size & 0xFFFFFFFF)
        return b"".join((_HEAD, *_between(self._zipped, stored), _LAST, tail))


def _between(parts: Sequence[bytes], fills: Iterable[bytes]) -> Iterator[bytes]:
    yield parts[0]
    for part, fill in zip(parts[1:], fills, strict=True):
        yield fill
        yield part


def _compressed(parts: Sequence[bytes], gap: int) -> Iterator[bytes]:
    """Each part as DEFLATE blocks that end on a whole byte.

    A part may refer to those before it. A gap stands there as zeros, which no part holds, so that
    nothing refers to what is filled in.
    """
    before = b""
    for part in parts:
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, _RAW, zdict=before)
        yield packer.compress(part) + packer.flush(zlib.Z_SYNC_FLUSH)
        before = (before + part + bytes(gap))[-WINDOW:]
