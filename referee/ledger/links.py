"""Who holds which links: the hosts of a sheet, the lists of phones, codes that move such a list.

All but the hosts is a convenience: if it is lost, every link still works. The tokens of phones and
the codes are stored as digests: a copy of the book reveals neither whose list is whose nor a code.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal, get_args

import msgspec
from msgspec import Struct

from referee.ledger.store import Ledger, Link, Role, digest, link_row, withdraw_links

if TYPE_CHECKING:
    from sqlite_utils import Database

MAX_HOSTS = 20
MINUTES = 10  # for which a code can be used
MOST_WAITING = 200  # unused codes; beyond that, the oldest goes
SHORTLY = 0.1  # seconds: a page should not wait for another writer just for the phone's list


# --- hosts

#: The result of adding a host: added; added before by the same host; there are `MAX_HOSTS` already;
#: the name is another host's; the link of the host who asks was withdrawn.
Adding = Literal["added", "known", "full", "taken", "withdrawn"]

_RENEWED = """
SELECT new.token FROM links AS old JOIN links AS new USING (sheet, role, name)
WHERE old.digest = ? AND old.withdrawn IS NOT NULL AND new.renewal = ? AND new.withdrawn IS NULL
"""


class Host(Struct, frozen=True):
    """A host; `added_by` is the host who added them, None for the first or if that one is gone."""

    token: str
    name: str
    added_by: str | None


class Successor(Struct, frozen=True):
    """The host's replacement link; `Hosts.renewed` finds it again by the `key` of the form."""

    token: str
    key: str = ""


class Hosts:
    """The hosts of all sheets in one ledger, each with a link and a name of their own.

    The first host, who began the sheet, has the empty name. Any host can add and remove others.
    The code of a link is shown only to the host who added it; so removing a host also removes those
    whom they added, since they have seen their codes.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def of(self, sheet: int) -> list[Host]:
        """The hosts of `sheet`: the first one, and the others in the order in which they came."""
        with self._engine.reading() as db:
            rows = db.table("links").rows_where(
                "sheet = ? AND role = 'host' AND withdrawn IS NULL",
                [sheet],
                order_by="name != '', at, name",
                select="token, name, added_by",
            )
            return [Host(**row) for row in rows]

    def add(self, sheet: int, name: str, token: str, at: str, by: str) -> Adding:
        """Add a host called `name` with the link `token`; the host with the link `by` asks for it.

        Nothing is stored unless the result is "added".
        """
        with self._engine.changing() as db:
            hosts = self.of(sheet)
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

        Returns the link that the asking host has from now on: `by`, or `new` if theirs was among
        these. Returns None, with nothing done, if `by` itself was withdrawn before. Without a host
        called `name` nothing is done.
        """
        with self._engine.changing() as db:
            hosts = self.of(sheet)
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
        """The link that replaced `token` for the form with this `key`.

        None if there is none, or if it has been withdrawn since.
        """
        with self._engine.reading() as db:
            found = list(db.query(_RENEWED, (digest(token), digest(key))))
        return found[0]["token"] if found else None


def added_through(hosts: Sequence[Host], name: str) -> list[str]:
    """The host called `name`, and those whom they added, directly or by way of others."""
    found = [name]
    for one in found:  # grows while it is read
        found += (host.name for host in hosts if host.added_by == one and host.name not in found)
    return found


# --- what a phone has opened

_LISTED = """
SELECT token, sheet, role, withdrawn FROM phone_links JOIN links ON digest = link
WHERE phone = ? ORDER BY phone_links.at DESC, sheet DESC
"""
_DROP_OLDEST = """
DELETE FROM phone_links WHERE phone = :phone AND link NOT IN (
    SELECT link FROM phone_links JOIN links ON digest = link WHERE phone = :phone
    ORDER BY phone_links.at DESC, sheet DESC LIMIT :most
)
"""


class OpenedLink(Struct, frozen=True):
    """A link that a phone has opened; `withdrawn` says whether it no longer works."""

    link: Link
    withdrawn: bool


class PhoneLinks:
    """The lists of links of all phones, each found by the random token of its phone."""

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def known(self, tokens: Sequence[str]) -> list[OpenedLink]:
        """Those of `tokens` that are or were links of this book, in the same order."""
        digests = [digest(token) for token in tokens]
        with self._engine.reading() as db:
            return _with_digests(db, digests)

    def of(self, phone: str) -> list[OpenedLink]:
        """The list of the phone with this token, latest first."""
        with self._engine.reading() as db:
            return _opened(db.query(_LISTED, (digest(phone),)))

    def add(self, phone: str, tokens: Sequence[str], at: str, most: int) -> None:
        """Put these links on the list of a phone, which keeps the latest `most`.

        Links to no sheet of this book are left out; if none is left, nothing is written. Raises
        `InUseError` if another program is writing, after waiting only `SHORTLY`.
        """
        known = [digest(one.link.token) for one in self.known(tokens)]
        if known:
            with self._engine.changing(SHORTLY) as db:
                _put_on_list(db, phone, known, at, most)


def _put_on_list(db: "Database", phone: str, links: Iterable[str], at: str, most: int) -> None:
    owner = digest(phone)
    rows = ({"phone": owner, "link": link, "at": at} for link in links)
    db.table("phone_links").insert_all(rows, replace=True)
    db.execute(_DROP_OLDEST, {"phone": owner, "most": most})


def _with_digests(db: "Database", digests: Sequence[str]) -> list[OpenedLink]:
    """The links that have these digests, in the same order."""
    places = ", ".join("?" * len(digests))
    asked = f"SELECT digest, token, sheet, role, withdrawn FROM links WHERE digest IN ({places})"
    found = {row["digest"]: row for row in db.query(asked, digests)}
    return _opened(found[one] for one in digests if one in found)


def _opened(rows: Iterable[Mapping[str, Any]]) -> list[OpenedLink]:
    return [
        OpenedLink(Link(row["token"], row["sheet"], row["role"]), row["withdrawn"] is not None)
        for row in rows
        if row["role"] in get_args(Role)
    ]


# --- moving to another phone

_IN_TIME = "at > ? AND at < ?"


class Handover(Struct, frozen=True):
    """The links of a code that still work, and the name of the phone that offered them."""

    links: list[Link]
    name: str


class Handovers:
    """Codes that move links to another phone, good for `MINUTES`. Times are in ISO 8601, UTC.

    A clock that was set back by a month must not let a code live for a month: it is good for no
    more than `MINUTES` before the time of its offer, too.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def offer(self, code: str, tokens: Sequence[str], name: str, at: str) -> None:
        """Store these links under `code`; if there are too many unused codes, the oldest goes."""
        links = msgspec.json.encode([digest(token) for token in tokens]).decode()
        with self._engine.changing() as db:
            codes = db.table("handovers")
            codes.delete_where(f"NOT ({_IN_TIME})", _around(at))
            waiting = list(codes.rows_where("taken IS NULL", order_by="at", select="code"))
            if len(waiting) >= MOST_WAITING:
                codes.delete(waiting[0]["code"])
            codes.insert({"code": digest(code), "links": links, "name": name, "at": at})

    def find(self, code: str, at: str) -> Handover | None:
        """The handover under `code`; None if it was used or withdrawn, or has expired."""
        with self._engine.reading() as db:
            where = f"code = ? AND taken IS NULL AND {_IN_TIME}"
            found = list(db.table("handovers").rows_where(where, [digest(code), *_around(at)]))
            return _handover(db, found[0]) if found else None

    def withdraw(self, code: str) -> None:
        """Delete `code` if it is unused."""
        with self._engine.changing() as db:
            db.table("handovers").delete_where("code = ? AND taken IS NULL", [digest(code)])

    def take(self, code: str, key: str, phone: str, at: str, most: int) -> Handover | None:
        """Put the links under `code` on the list of `phone`, which keeps the latest `most`.

        Returns None, with nothing done, if `find` does. `key` is that of the form: if it is sent
        again, because the answer was lost, it gets the same answer.
        """
        with self._engine.changing() as db:
            codes, taken = db.table("handovers"), digest(key)
            where = f"code = ? AND (taken IS NULL OR taken = ?) AND {_IN_TIME}"
            found = list(codes.rows_where(where, [digest(code), taken, *_around(at)]))
            if not found:
                return None
            codes.update(digest(code), {"taken": taken})
            carried = _handover(db, found[0])
            _put_on_list(db, phone, (digest(link.token) for link in carried.links), at, most)
        return carried


def _handover(db: "Database", row: Mapping[str, Any]) -> Handover:
    found = _with_digests(db, msgspec.json.decode(row["links"], type=list[str]))
    return Handover([one.link for one in found if not one.withdrawn], row["name"])


def _around(at: str) -> tuple[str, str]:
    """The times between which a code must have been offered to be good at `at`."""
    now, waits = datetime.fromisoformat(at), timedelta(minutes=MINUTES)
    return (now - waits).isoformat(timespec="seconds"), (now + waits).isoformat(timespec="seconds")
