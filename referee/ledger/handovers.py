"""What one phone hands to another: its links, behind a code that works once and not for long.

Whoever has the code has every right that the links give, so here stands only its digest, beside
those of the links: a copy of the book tells nobody a code.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

import msgspec
from msgspec import Struct

from referee.ledger.errors import translated
from referee.ledger.phone_links import DROP_OLDEST, PhoneLinks
from referee.ledger.schema import digest
from referee.ledger.store import Ledger, Link

MINUTES = 10  # for which a code can be used
MOST_WAITING = 200  # codes that nobody has used yet; with more, whoever has most loses one

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
        with self._ledger._writing() as writing:
            writing.execute(f"DELETE FROM handovers WHERE NOT ({_IN_TIME})", _around(at))
            waiting = writing.execute(_MOST_OF_ALL).fetchall()
            if len(waiting) >= MOST_WAITING:
                writing.execute("DELETE FROM handovers WHERE code = ?", waiting[0])
            writing.execute(
                "INSERT INTO handovers (code, links, name, at) VALUES (?, ?, ?, ?)",
                (digest(code), links, name, at),
            )

    def find(self, code: str, at: str) -> Handover | None:
        """What `code` carries; None where it was used or withdrawn, or its time is over."""
        with translated(self._ledger.path):
            found = self._ledger._connection.execute(
                "SELECT links, name FROM handovers "
                f"WHERE code = ? AND taken IS NULL AND {_IN_TIME}",
                (digest(code), *_around(at)),
            ).fetchone()
        return None if found is None else self._handover(*found)

    def withdraw(self, code: str) -> None:
        """Let `code` carry nothing any more; what it was used for stays."""
        with self._ledger._writing() as writing:
            writing.execute(
                "DELETE FROM handovers WHERE code = ? AND taken IS NULL", (digest(code),)
            )

    def take(self, code: str, key: str, phone: str, at: str, most: int) -> Handover | None:
        """Put what `code` carries on the list of `phone`, which then has `most` links at most.

        None as `find` says, and then nothing is done. `key` is that of the form: whoever sends the
        very same one again, because the answer was lost, gets the same answer.
        """
        with self._ledger._writing() as writing:
            found = writing.execute(_TAKE, (digest(code), digest(key), *_around(at))).fetchone()
            if found is None:
                return None
            owner = digest(phone)
            writing.execute(_LIST, (owner, at, found[0]))
            writing.execute(DROP_OLDEST, (owner, most))
        return self._handover(*found)

    def _handover(self, links: str, name: str) -> Handover:
        found = PhoneLinks(self._ledger).with_digests(msgspec.json.decode(links, type=list[str]))
        return Handover([one.link for one in found if not one.withdrawn], name)


def _around(at: str) -> tuple[str, str]:
    """When a code must have been offered for it to be in time: not before, and not after."""
    now, waits = datetime.fromisoformat(at), timedelta(minutes=MINUTES)
    return (now - waits).isoformat(timespec="seconds"), (now + waits).isoformat(timespec="seconds")
