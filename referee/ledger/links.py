"""Who holds which links: hosts, the lists of phones, and codes that move such a list.

Phones and codes are stored as digests: a copy of the book does not reveal whose list is whose.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, get_args

from msgspec import Struct, json

from referee.ledger.engine import Engine, Writing
from referee.ledger.store import Ledger, Link, Role, add_row, digest, link_row, lock_of

MAX_HOSTS = 20
CODE_MINUTES = 10  # for which a code can be used
MAX_WAITING = 200  # unused codes; beyond that, the phone with most of them loses its oldest
SHORTLY = 0.1  # seconds: a page should not wait for another writer just for the phone's list


# --- the link of a role


def renew_link(
    ledger: Ledger, sheet: int, new: tuple[Role, str], at: str, by: str | None = None
) -> bool:
    """Replace all links of a role by the `new` one, a (role, token).

    Returns False, with nothing done, if `by`, the link of the host who asks, was withdrawn. The
    same `new` one a second time changes nothing, even if it was withdrawn since. `Hosts` can renew
    or withdraw the link of a single host.
    """
    role, token = new
    with ledger.engine.writing(lock_of(sheet)) as writing:
        if by is not None and ledger.link(by) is None:
            return False
        known = "SELECT 1 FROM links WHERE digest = ? AND sheet = ? AND role = ?"
        if not ledger.engine.read(known, digest(token), sheet, role):
            _withdraw(writing, at, sheet, "role = ?", role)
            add_row(writing, "links", link_row(sheet, role, token, at))
    return True


def was_renewed(ledger: Ledger, sheet: int, role: Role) -> bool:
    """Whether a link of this role was ever withdrawn, perhaps to turn somebody away."""
    query = "SELECT 1 FROM links WHERE sheet = ? AND role = ? AND withdrawn IS NOT NULL"
    return bool(ledger.engine.read(query, sheet, role))


def _withdraw(writing: Writing, at: str, sheet: int, where: str, *values: str) -> None:
    """Withdraw the links of `sheet` for which `where` holds, and those of all its evenings.

    Otherwise people turned away from a sheet could still see it through its evening, or through an
    evening that has become part of that one.
    """
    now = "SET withdrawn = ? WHERE withdrawn IS NULL"
    writing.execute(f"UPDATE links {now} AND sheet = ? AND {where}", (at, sheet, *values))
    evening = "evening IN (SELECT evening FROM evening_sheets WHERE sheet = ?)"
    writing.execute(f"UPDATE evening_links {now} AND {evening}", (at, sheet))


# --- hosts

#: The result of adding a host: added; added before by the same host; there are `MAX_HOSTS` already;
#: the name is another host's; the link of the host who asks was withdrawn.
Adding = Literal["added", "known", "full", "taken", "withdrawn"]

_HOSTS = """
SELECT token, name, added_by FROM links
WHERE sheet = ? AND role = 'host' AND withdrawn IS NULL ORDER BY name != '', at, name
"""
_RENEWED = """
SELECT new.token FROM links AS old JOIN links AS new USING (sheet, role, name)
WHERE old.digest = ? AND old.withdrawn IS NOT NULL AND new.renewed_by = ? AND new.withdrawn IS NULL
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

    The first host, who began the sheet, has the empty name. The code of a link is shown only to the
    host who added it; so removing a host also removes the hosts they added.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def of(self, sheet: int) -> list[Host]:
        """The hosts of `sheet`: the first one, and the others in the order in which they came."""
        return [Host(*row) for row in self._engine.read(_HOSTS, sheet)]

    def add(self, sheet: int, name: str, token: str, at: str, by: str) -> Adding:
        """Add a host with the link `token` for the host with the link `by`, or say why not."""
        with self._engine.writing(lock_of(sheet)) as writing:
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
            add_row(writing, "links", link_row(sheet, "host", token, at) | named)
        return "added"

    def remove(self, sheet: int, name: str, at: str, by: str, new: Successor) -> str | None:
        """Withdraw the link of the host called `name`, and of those added through them.

        Returns the link that the asking host has from now on: `by`, or `new` if theirs was among
        these. Returns None, with nothing done, if `by` itself was withdrawn before. Without a host
        called `name` nothing is done.
        """
        with self._engine.writing(lock_of(sheet)) as writing:
            hosts = self.of(sheet)
            mine = next((host for host in hosts if host.token == by), None)
            if mine is None:
                return None
            if name not in (host.name for host in hosts):
                return by
            gone = added_through(hosts, name)
            for one in gone:
                _withdraw(writing, at, sheet, "role = 'host' AND name = ?", one)
            if mine.name not in gone:
                return by
            adder = mine.added_by if mine.added_by not in gone else None
            renewal = digest(new.key) if new.key else None
            named = {"name": mine.name, "added_by": adder, "renewed_by": renewal}
            add_row(writing, "links", link_row(sheet, "host", new.token, at) | named)
        return new.token

    def renewed(self, token: str, key: str) -> str | None:
        """The link in force that replaced `token` for the form with this `key`, if any."""
        found = self._engine.read(_RENEWED, digest(token), digest(key))
        return found[0][0] if found else None


def added_through(hosts: Sequence[Host], name: str) -> list[str]:
    """The names of a host and of all hosts whom they added, directly or through others."""
    found = [name]
    for one in found:  # grows while it is read
        found += (host.name for host in hosts if host.added_by == one and host.name not in found)
    return found


# --- what a phone has opened

_LISTED = """
SELECT token, sheet, role, withdrawn, kind
FROM phone_links JOIN links ON digest = link JOIN sheets ON id = sheet
WHERE phone = ? ORDER BY phone_links.at DESC, sheet DESC
"""
_PUT = """
INSERT INTO phone_links (phone, link, at) VALUES (?, ?, ?)
ON CONFLICT (phone, link) DO UPDATE SET at = excluded.at
"""
_DROP_OLDEST = """
DELETE FROM phone_links WHERE phone = ? AND link NOT IN (
    SELECT link FROM phone_links JOIN links ON digest = link WHERE phone = ?
    ORDER BY phone_links.at DESC, sheet DESC LIMIT ?
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
        """The links of this book with these tokens, withdrawn ones too, in the same order."""
        return _with_digests(self._engine, [digest(token) for token in tokens])

    def of(self, phone: str) -> list[OpenedLink]:
        """The list of the phone with this token, latest first."""
        return _opened(self._engine.read(_LISTED, digest(phone)))

    def add(self, phone: str, tokens: Sequence[str], at: str, most: int) -> None:
        """Put these links, if they are of this book, on a phone's list of the latest `most`.

        Raises `InUseError` if another program is writing, after waiting only `SHORTLY`.
        """
        known = [digest(one.link.token) for one in self.known(tokens)]
        if known:
            with self._engine.writing(f"phone {digest(phone)}", wait=SHORTLY) as writing:
                _put_on_list(writing, phone, known, at, most)


def _put_on_list(writing: Writing, phone: str, links: Iterable[str], at: str, most: int) -> None:
    owner = digest(phone)
    for link in sorted(links):  # in one order: two transactions must not wait for one another
        writing.execute(_PUT, (owner, link, at))
    writing.execute(_DROP_OLDEST, (owner, owner, most))


def _with_digests(engine: Engine, digests: Sequence[str]) -> list[OpenedLink]:
    """The links that have these digests, in the same order."""
    if not digests:
        return []
    places = ", ".join("?" * len(digests))
    asked = (
        "SELECT token, sheet, role, withdrawn, kind, digest FROM links JOIN sheets ON id = sheet "
        f"WHERE digest IN ({places})"
    )
    found = {row[5]: row for row in engine.read(asked, *digests)}
    return _opened(found[one] for one in digests if one in found)


def _opened(rows: Iterable[Sequence[Any]]) -> list[OpenedLink]:
    return [
        OpenedLink(Link(token, sheet, role, kind=kind), withdrawn is not None)
        for token, sheet, role, withdrawn, kind, *_ in rows
        if role in get_args(Role)
    ]


# --- moving to another phone

_CODES = "handovers"  # the lock of all codes
_OFFERED = "SELECT links, name FROM handovers WHERE code = ?"
_IN_TIME = "at > ? AND at < ?"


class Handover(Struct, frozen=True):
    """The links of a code that still work, and the name of the phone that offered them."""

    links: list[Link]
    name: str

    @property
    def games(self) -> list[Link]:
        """The links that lead to sheets."""
        return [link for link in self.links if link.kind == "sheet"]


class Handovers:
    """Codes that move links to another phone, valid for `CODE_MINUTES`. Times: ISO 8601, UTC.

    After the clock was set back, a code is also valid for `CODE_MINUTES` before its offer, but not
    earlier: otherwise that would extend its life.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._engine = ledger.engine

    def offer(self, code: str, tokens: Sequence[str], name: str, at: str) -> None:
        """Store these links under `code`; if there are too many unused codes, delete one.

        It is the oldest one of the phone that has the most. Codes are taken to be of one phone if
        the rarest of their links is the same: the other links may be in the codes of many phones,
        and a phone chooses which of its links it sends.
        """
        links = json.encode([digest(token) for token in tokens]).decode()
        with self._engine.writing(_CODES) as writing:
            writing.execute(f"DELETE FROM handovers WHERE NOT ({_IN_TIME})", _around(at))
            query = "SELECT code, links FROM handovers WHERE taken IS NULL ORDER BY at, code"
            waiting = {one: json.decode(sent) for one, sent in writing.execute(query).fetchall()}
            if len(waiting) >= MAX_WAITING:
                times = Counter(link for sent in waiting.values() for link in sent)
                most = max(waiting, key=lambda one: min(times[link] for link in waiting[one]))
                writing.execute("DELETE FROM handovers WHERE code = ?", (most,))
            offered = {"code": digest(code), "links": links, "name": name, "at": at}
            add_row(writing, "handovers", offered)

    def find(self, code: str, at: str) -> Handover | None:
        """The handover under `code`; None if it was used or withdrawn, or has expired."""
        query = f"{_OFFERED} AND taken IS NULL AND {_IN_TIME}"
        return self._handover(self._engine.read(query, digest(code), *_around(at)))

    def withdraw(self, code: str) -> None:
        """Delete `code` if it is unused."""
        with self._engine.writing(_CODES) as writing:
            unused = "DELETE FROM handovers WHERE code = ? AND taken IS NULL"
            writing.execute(unused, (digest(code),))

    def take(self, code: str, key: str, phone: str, at: str, most: int) -> Handover | None:
        """Put the links under `code` on the list of `phone`, which keeps the latest `most`.

        Returns None, with nothing done, if `find` does. `key` is that of the form: if it is sent
        again, because the answer was lost, it gets the same answer.
        """
        with self._engine.writing(_CODES) as writing:
            taken = digest(key)
            query = f"{_OFFERED} AND (taken IS NULL OR taken = ?) AND {_IN_TIME}"
            carried = self._handover(self._engine.read(query, digest(code), taken, *_around(at)))
            if carried is not None:
                writing.execute(
                    "UPDATE handovers SET taken = ? WHERE code = ?", (taken, digest(code))
                )
                links = (digest(link.token) for link in carried.links)
                _put_on_list(writing, phone, links, at, most)
        return carried

    def _handover(self, rows: Sequence[tuple[str, str]]) -> Handover | None:
        if not rows:
            return None
        links, name = rows[0]
        found = _with_digests(self._engine, json.decode(links, type=list[str]))
        return Handover([one.link for one in found if not one.withdrawn], name)


def _around(at: str) -> tuple[str, str]:
    """The times between which a code must have been offered to be valid at `at`."""
    now, life = datetime.fromisoformat(at), timedelta(minutes=CODE_MINUTES)
    return (now - life).isoformat(timespec="seconds"), (now + life).isoformat(timespec="seconds")
