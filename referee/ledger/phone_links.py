"""Which links a phone has opened: the part of its list that its cookie has no room for.

The phone holds a random token, and here stands only its digest; so a copy of the book tells nobody
whose list is whose. It is a convenience: where it is lost, every link still works.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from referee.ledger.errors import translated
from referee.ledger.schema import digest
from referee.ledger.store import Ledger, Link, Role

_FOUND = """
SELECT CAST(token AS BLOB), sheet, role, links.withdrawn IS NOT NULL FROM {source}
WHERE role IN ('view', 'score', 'host') AND {which}
"""
_AMONG = _FOUND.format(
    source="json_each(?) AS asked JOIN links ON links.digest = asked.value",
    which="1 ORDER BY asked.key",
)
_LISTED = _FOUND.format(
    source="phone_links JOIN links ON links.digest = phone_links.link",
    which="phone = ? ORDER BY phone_links.at DESC, sheet DESC",
)
DROP_OLDEST = """
DELETE FROM phone_links WHERE phone = ?1 AND link NOT IN (
    SELECT link FROM phone_links JOIN links ON digest = link WHERE phone = ?1
    ORDER BY phone_links.at DESC, sheet DESC LIMIT ?2
)
"""


class OpenedLink(Struct, frozen=True):
    """A link that a phone has opened at some time; `withdrawn` since, or in use."""

    link: Link
    withdrawn: bool


class PhoneLinks:
    """The lists of all phones in one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        """They lie in the same database as the sheets of `ledger`."""
        self._ledger = ledger

    def known(self, tokens: Sequence[str]) -> list[OpenedLink]:
        """Those of `tokens` that are or were links of this book, in the same order."""
        return self.with_digests([digest(token) for token in tokens])

    def with_digests(self, digests: Sequence[str]) -> list[OpenedLink]:
        """As `known`, by the digests of the tokens."""
        return self._found(_AMONG, msgspec.json.encode(digests).decode())

    def of(self, phone: str) -> list[OpenedLink]:
        """The list of the phone that holds this token, latest first."""
        return self._found(_LISTED, digest(phone))

    def _found(self, query: str, asked: str) -> list[OpenedLink]:
        with translated(self._ledger.path):
            found = self._ledger._connection.execute(query, (asked,)).fetchall()
        return [
            OpenedLink(Link(token.decode("utf-8", "replace"), sheet, _role(role)), bool(withdrawn))
            for token, sheet, role, withdrawn in found
        ]

    def add(self, phone: str, tokens: Sequence[str], at: str, most: int) -> None:
        """Put these links on the list of the phone with this token, which then has `most` at most.

        What leads to no sheet of this book is left out; where nothing is left, nothing is written.
        """
        known = [digest(one.link.token) for one in self.known(tokens)]
        if not known:
            return
        owner = digest(phone)
        with self._ledger._writing() as writing:
            for link in known:
                writing.execute(
                    "INSERT OR REPLACE INTO phone_links (phone, link, at) VALUES (?, ?, ?)",
                    (owner, link, at),
                )
            writing.execute(DROP_OLDEST, (owner, most))


def _role(text: str) -> Role:
    return "host" if text == "host" else "score" if text == "score" else "view"
