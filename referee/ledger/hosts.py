"""Who may do everything with a sheet: each host has a link of their own, and a name on it.

The first host, who began the sheet, has the empty name. Any host can add another and remove any
other. The code of a link is shown to nobody but the host who added it; so whoever is removed takes
along those whom they added, since they have seen their codes.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from referee.ledger.errors import translated
from referee.ledger.store import Ledger, digest, link_row, withdraw_links

if TYPE_CHECKING:
    from sqlite_utils import Database

MAX_HOSTS = 20

#: What came of adding a host: there is one more now; this host has added one of that name before;
#: there are as many as can be; the name is another's; whoever asks is no host anymore.
Adding = Literal["added", "known", "full", "taken", "withdrawn"]

_RENEWED = """
SELECT CAST(new.token AS BLOB) AS token
FROM links AS old JOIN links AS new USING (sheet, role, name)
WHERE old.digest = ? AND old.withdrawn IS NOT NULL AND new.renewal = ? AND new.withdrawn IS NULL
"""


class Host(Struct, frozen=True):
    """A host of a sheet with their link; `added_by` is the name of the host who added them.

    That is None for the first host, and for one whose adder was removed.
    """

    token: str
    name: str
    added_by: str | None


class Successor(Struct, frozen=True):
    """What takes the place of the link of a host who has it made anew.

    By the `key` of the form, "" where there is none, `Hosts.renewed` finds it again.
    """

    token: str
    key: str = ""


class Hosts:
    """The hosts of all sheets in one ledger."""

    def __init__(self, ledger: Ledger) -> None:
        """Their links lie in the same database as the sheets of `ledger`."""
        self._ledger = ledger

    def of(self, sheet: int) -> list[Host]:
        """The hosts of `sheet`: the first one, and the others in the order in which they came."""
        with translated(self._ledger.path):
            return _hosts(self._ledger.reading(), sheet)

    def add(self, sheet: int, name: str, token: str, at: str, by: str) -> Adding:
        """Make `token` the link of a host of this name, added with the link `by`.

        Returns what came of it; but for "added", nothing was done.
        """
        with self._ledger.changing() as db:
            hosts = _hosts(db, sheet)
            adder = next((host for host in hosts if host.token == by), None)
            known = next((host for host in hosts if host.name == name), None)
            if adder is None:
                return "withdrawn"
            if known is not None:
                return "known" if known.added_by == adder.name else "taken"
            if len(hosts) >= MAX_HOSTS:
                return "full"
            named = {"name": name, "added_by": adder.name}
            db.table("links").insert(link_row(sheet, "host", token, at) | named)
        return "added"

    def remove(self, sheet: int, name: str, at: str, by: str, new: Successor) -> str | None:
        """Withdraw the link of the host called `name`, and of those added through them.

        Returns what is the link of the host who asks from now on: `by`, or `new` where theirs is
        among these. Where there is no such host nothing is done. None, and nothing done, where
        `by` was withdrawn itself.
        """
        with self._ledger.changing() as db:
            hosts = _hosts(db, sheet)
            mine = next((host for host in hosts if host.token == by), None)
            if mine is None:
                return None
            if name not in (host.name for host in hosts):
                return by
            gone = added_through(hosts, name)
            for one in gone:
                withdraw_links(db.conn, at, sheet, "role = 'host' AND name = ?", one)
            if mine.name not in gone:
                return by
            adder = mine.added_by if mine.added_by not in gone else None
            renewal = digest(new.key) if new.key else None
            named = {"name": mine.name, "added_by": adder, "renewal": renewal}
            db.table("links").insert(link_row(sheet, "host", new.token, at) | named)
        return new.token

    def renewed(self, token: str, key: str) -> str | None:
        """The link that took the place of `token` when the form with this `key` asked for it.

        None where there is none, or where it has been withdrawn since.
        """
        with translated(self._ledger.path):
            found = list(self._ledger.reading().query(_RENEWED, (digest(token), digest(key))))
        return _text(found[0]["token"]) if found else None


def added_through(hosts: Sequence[Host], name: str) -> list[str]:
    """The host called `name`, and those whom they added, directly or by way of others."""
    found = [name]
    for one in found:  # grows while it is read
        found += (host.name for host in hosts if host.added_by == one and host.name not in found)
    return found


def _hosts(db: "Database", sheet: int) -> list[Host]:
    """The hosts of `sheet`, the first one first; what is damaged is read as far as it goes."""
    rows = db.table("links").rows_where(
        "sheet = ? AND role = 'host' AND withdrawn IS NULL",
        [sheet],
        order_by="name != '', at, name",
        select="CAST(token AS BLOB) AS token, CAST(name AS BLOB) AS name, "
        "CAST(added_by AS BLOB) AS added_by",
    )
    return [
        Host(_text(row["token"]) or "", _text(row["name"]) or "", _text(row["added_by"]))
        for row in rows
    ]


def _text(column: bytes | None) -> str | None:
    return None if column is None else column.decode("utf-8", "replace")
