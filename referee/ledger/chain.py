"""The hash chain of a sheet: the hash of a row covers its content and the hash of the row before.

So it stands for all rows up to there; `docs/sheet-format.md` says how another program computes it.
It protects against accidents, damage and old copies, not against forgers: anybody who can write the
file can recompute the whole chain.
"""

import hashlib
import re
from typing import Any

import msgspec
from msgspec import Struct

HASH_LENGTH = 32  # hexadecimal digits of a SHA-256: 128 bits, which don't collide by chance
MARK_LENGTH = 12  # of these in a mark, which is compared only with the hash of the same row

_MARK = re.compile(rf"(\d{{1,9}})(?:-([0-9a-f]{{{MARK_LENGTH}}}))?", re.ASCII)


class HashedPart(Struct, frozen=True):
    """The part of row `seq` that its hash covers, and that is exported; `body` is JSON text."""

    seq: int
    kind: str
    target: int | None
    at: str
    by: str
    body: str


class Mark(Struct, frozen=True):
    """The newest row that a writer has seen: its number, 0 for none, and the beginning of its hash.

    `hash` is empty if only the number is known. As text a mark reads `12-3fa9c01b2d4e`.
    """

    seq: int
    hash: str = ""

    def __str__(self) -> str:
        return f"{self.seq}-{self.hash}" if self.hash else str(self.seq)

    def stands_for(self, seq: int, hash_: str) -> bool:
        """Whether row `seq` with this hash is the one that was seen."""
        return self.seq == seq and hash_.startswith(self.hash)


def mark_of(seq: int, hash_: str) -> Mark:
    """The mark of row `seq` with this hash."""
    return Mark(seq, hash_[:MARK_LENGTH])


def read_mark(text: str) -> Mark | None:
    """Parse the text of a mark; None if it isn't one."""
    found = _MARK.fullmatch(text)
    return None if found is None else Mark(int(found[1]), found[2] or "")


def first_hash(head: str) -> str:
    """The first hash of a sheet's chain, before any row; `head` is its head as JSON text."""
    return _hash(msgspec.json.decode(head))


def row_hash(before: str, row: HashedPart) -> str:
    """The hash of a row and of the hash `before`; the order of keys in its body does not matter."""
    content = msgspec.json.decode(row.body)
    return _hash([before, row.seq, row.kind, row.target, row.at, row.by, content])


def seal(hash_: str, key: str, role: str, body: str) -> str:
    """The hash of what `row_hash` leaves out: the exact text of a row's body, its key, its role.

    These are not exported, so they cannot be part of the hash that is.
    """
    return _hash([hash_, key, role, body])


def _hash(value: Any) -> str:
    text = msgspec.json.encode(value, order="sorted")
    return hashlib.sha256(text).hexdigest()[:HASH_LENGTH]
