"""What the book keeps for phones: the links that each has opened, and codes for moving them.

A phone's cookie has no room for all of its links. The phone holds a random token, and here stands
only its digest; a code that takes the links to another phone is kept as a digest too. So a copy of
the book tells nobody whose list is whose, nor a code. All of it is a convenience: where it is lost,
every link still works.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from referee.ledger.errors import translated
from referee.ledger.store import Ledger, Link, Role, digest

MINUTES = 10  # for which a code can be used
MOST_WAITING = 200  # codes that nobody has used yet; with more, whoever has most loses one

_FOUND = """
SELECT CAST(token AS BLOB) AS token, sheet, role, links.withdrawn IS NOT NULL AS gone FROM {source}
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
_DROP_OLDEST = """
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
            found = list(self._ledger.reading().query(query, (asked,)))
        return [
            OpenedLink(
                Link(row["token"].decode("utf-8", "replace"), row["sheet"], _role(row["role"])),
                bool(row["gone"]),
            )
            for row in found
        ]

    def add(self, phone: str, tokens: Sequence[str], at: str, most: int) -> None:
        """Put these links on the list of the phone with this token, which then has `most` at most.

        What leads to no sheet of this book is left out; where nothing is left, nothing is written.
        """
        known = [digest(one.link.token) for one in self.known(tokens)]
        if not known:
            return
        owner = digest(phone)
        with self._ledger.changing() as db:
            rows = ({"phone": owner, "link": link, "at": at} for link in known)
            db.table("phone_links").insert_all(rows, replace=True)
            db.execute(_DROP_OLDEST, (owner, most))


def _role(text: str) -> Role:
    return "host" if text == "host" else "score" if text == "score" else "view"


_IN_TIME = "at > ? AND at < ?"
# A phone is told by the sheet that its first link leads to, however often that link is renewed.
_MOST_OF_ALL = """
SELECT code FROM (
    SELECT code, handovers.at, count(*) OVER (PARTITION BY sheet) AS waiting
    FROM handovers LEFT JOIN links ON digest = json_extract(links, '$[0]') WHERE taken IS NULL
) ORDER BY waiting DESC, at
"""
_TAKE = f"""
UPDATE handovers SET taken = ?2 WHERE code = ?1 AND coalesce(taken, ?2) = ?2 AND {_IN_TIME}
RETURNING links, name
"""
_LIST = """
INSERT OR REPLACE INTO phone_links (phone, link, at)
SELECT ?1, digest, ?2 FROM json_each(?3) AS carried JOIN links ON digest = carried.value
WHERE withdrawn IS NULL
"""


class Handover(Struct, frozen=True):
    """The links that a code carries and that still work, and how their phone calls itself."""

    links: list[Link]
    name: str


class Handovers:
    """The codes that wait in one ledger, each for `MINUTES`. Times are in ISO 8601, UTC.

    By a clock that was set since, they end as many minutes before they were offered, too: one that
    was set back by a month must not let a code live for a month.
    """

    def __init__(self, ledger: Ledger) -> None:
        """They lie in the same database as the sheets of `ledger`."""
        self._ledger = ledger

    def offer(self, code: str, tokens: Sequence[str], name: str, at: str) -> None:
        """Let `code` carry these links from now on.

        Where too many codes wait then, the oldest goes of whichever phone has most of them; of
        those of one second, any.
        """
        links = msgspec.json.encode([digest(token) for token in tokens]).decode()
        with self._ledger.changing() as db:
            codes = db.table("handovers")
            codes.delete_where(f"NOT ({_IN_TIME})", _around(at))
            waiting = list(db.query(_MOST_OF_ALL))
            if len(waiting) >= MOST_WAITING:
                codes.delete(waiting[0]["code"])
            codes.insert({"code": digest(code), "links": links, "name": name, "at": at})

    def find(self, code: str, at: str) -> Handover | None:
        """What `code` carries; None where it was used or withdrawn, or its time is over."""
        where = f"code = ? AND taken IS NULL AND {_IN_TIME}"
        with translated(self._ledger.path):
            codes = self._ledger.reading().table("handovers")
            found = list(codes.rows_where(where, [digest(code), *_around(at)]))
        return self._handover(found[0]["links"], found[0]["name"]) if found else None

    def withdraw(self, code: str) -> None:
        """Let `code` carry nothing any more; what it was used for stays."""
        with self._ledger.changing() as db:
            db.table("handovers").delete_where("code = ? AND taken IS NULL", [digest(code)])

    def take(self, code: str, key: str, phone: str, at: str, most: int) -> Handover | None:
        """Put what `code` carries on the list of `phone`, which then has `most` links at most.

        None as `find` says, and then nothing is done. `key` is that of the form: whoever sends the
        very same one again, because the answer was lost, gets the same answer.
        """
        with self._ledger.changing() as db:
            found = list(db.query(_TAKE, (digest(code), digest(key), *_around(at))))
            if not found:
                return None
            owner = digest(phone)
            db.execute(_LIST, (owner, at, found[0]["links"]))
            db.execute(_DROP_OLDEST, (owner, most))
        return self._handover(found[0]["links"], found[0]["name"])

    def _handover(self, links: str, name: str) -> Handover:
        found = PhoneLinks(self._ledger).with_digests(msgspec.json.decode(links, type=list[str]))
        return Handover([one.link for one in found if not one.withdrawn], name)


def _around(at: str) -> tuple[str, str]:
    """When a code must have been offered for it to be in time: not before, and not after."""
    now, waits = datetime.fromisoformat(at), timedelta(minutes=MINUTES)
    return (now - waits).isoformat(timespec="seconds"), (now + waits).isoformat(timespec="seconds")
