"""The hash chain of a sheet: every row holds the hash of the row before it, and its own.

The hash of a row stands for the whole past of the sheet up to there. `docs/sheet-format.md` says
how another program computes it. It protects against accidents, damage and old copies, not against
forgers: whoever can write the file can write all of it anew.
"""

import hashlib
import re
from typing import Any

import msgspec
from msgspec import Struct

HASH_LENGTH = 32  # hexadecimal digits of a SHA-256: no two pasts have the same 128 bits by chance
MARK_LENGTH = 12  # of these a form sends back, compared only with those of the same row

_MARK = re.compile(rf"(\d{{1,9}})(?:-([0-9a-f]{{{MARK_LENGTH}}}))?", re.ASCII)


class Said(Struct, frozen=True):
    """What row `seq` of a sheet says, whoever wrote it in which book; `body` is JSON text."""

    seq: int
    kind: str
    target: int | None
    at: str
    by: str
    body: str


class Mark(Struct, frozen=True):
    """The newest row that somebody has seen: its number, and the beginning of its hash.

    `hash` is empty where only the number is known. The mark of a sheet without rows has number 0
    and the hash with which its chain begins. As text it reads `12-3fa9c01b2d4e`.
    """

    seq: int
    hash: str = ""

    def __str__(self) -> str:
        return f"{self.seq}-{self.hash}" if self.hash else str(self.seq)

    def stands_for(self, seq: int, hash_: str) -> bool:
        """Whether row `seq` with this hash is the one that was seen."""
        return self.seq == seq and hash_.startswith(self.hash)


def mark_of(seq: int, hash_: str) -> Mark:
    """The mark of row `seq`, which has this hash."""
    return Mark(seq, hash_[:MARK_LENGTH])


def read_mark(text: str) -> Mark | None:
    """The mark that a text stands for; None where it stands for none."""
    found = _MARK.fullmatch(text)
    return None if found is None else Mark(int(found[1]), found[2] or "")


def first_hash(head: str) -> str:
    """The hash with which the chain of a sheet begins; `head` is what it was begun with, JSON."""
    return _hash(msgspec.json.decode(head))


def row_hash(before: str, said: Said) -> str:
    """The hash of a row that says this; `before` is that of the row before it.

    The order in which a body names things does not matter.
    """
    content = msgspec.json.decode(said.body)
    return _hash([before, said.seq, said.kind, said.target, said.at, said.by, content])


def seal(hash_: str, key: str, role: str, body: str) -> str:
    """What holds together the rest of a row: the letters of its body, which form, which role.

    These do not leave the book, so they are not in the hash, which an exported sheet carries.
    """
    return _hash([hash_, key, role, body])


def _hash(value: Any) -> str:
    text = msgspec.json.encode(value, order="sorted")
    return hashlib.sha256(text).hexdigest()[:HASH_LENGTH]
