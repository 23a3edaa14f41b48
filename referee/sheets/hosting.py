"""Who may do what with a sheet: what links allow, its hosts, and the trash, which only they use."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.ledger.links import Host, Hosts, Successor, renew_link
from referee.ledger.store import ROLES, Ledger, Link, Role, new_token, token_of_form
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, shared_fault
from referee.rules.core.seating import name_faults
from referee.rules.text import say

TRASH_DAYS = 30  # after which a sheet in the trash is no longer listed
_LONG_BEFORE = datetime(2020, 1, 1, tzinfo=UTC)  # before any sheet was begun

_ONLY = {
    "view": say("This link doesn’t lead here."),
    "play": say("This link is for viewing: it has no seat at the table."),
    "score": say("This link is for viewing: it can’t change anything."),
    "host": say("Only the host can do that."),
}


class NotAllowed(IllegalEntry):
    """Something that needs a link with more rights, those of `role`."""

    def __init__(self, role: Role) -> None:
        super().__init__([shared_fault(f"{role}-only", _ONLY[role], "sharing")])


def require(link: Link | None, role: Role) -> Link:
    """Return `link`; raises `NotAllowed` unless there is one that allows what `role` does."""
    if link is None or not link.allows(role):
        raise NotAllowed(role)
    return link


class Hosting:
    """The hosts of every sheet in one ledger; a host who asks is identified by their own link."""

    def __init__(self, ledger: Ledger, now: Callable[[], str]) -> None:
        self._ledger = ledger
        self._hosts = Hosts(ledger)
        self._now = now

    def of(self, link: Link) -> list[Host]:
        """All hosts of the sheet, the first one first; raises `IllegalEntry` for other links."""
        require(link, "host")
        return self._hosts.of(link.document)

    def own(self, link: Link) -> Host:
        """The host whose link this is; raises `IllegalEntry` if it is no host's anymore."""
        found = next((host for host in self.of(link) if host.token == link.token), None)
        if found is None:
            raise NotAllowed("host")
        return found

    def add(self, link: Link, name: str) -> None:
        """Make a link for another host, who can be removed by this name.

        If this host has already added one of that name, nothing is done. Raises `MalformedEntry`
        if it cannot be a name or is another host's, `IllegalEntry` for a link that may not, or if
        there are `MAX_HOSTS` already.
        """
        require(link, "host")
        if faults := list(name_faults([name])):
            raise MalformedEntry(faults)
        match self._hosts.add(link.document, name, new_token(), self._now(), link.token):
            case "withdrawn":
                raise NotAllowed("host")
            case "taken":
                says = say(
                    "There’s a host called “{name}” already. Choose another name.", name=name
                )
                raise MalformedEntry([shared_fault("host-twice", says, "sharing")])
            case "full":
                says = say("No more hosts can be added. Remove one first.")
                raise IllegalEntry([shared_fault("hosts", says, "sharing")])

    def remove(self, link: Link, name: str, key: str) -> Link:
        """Withdraw the link of the host called `name`, and of those added through them.

        Returns the link of the host who asks: a new one if theirs was among these. It is no error
        if there is no such host. Raises `IllegalEntry` for a link that may not. `key` is that of
        the form: if the answer is lost, `renewed` finds the new link by it.
        """
        require(link, "host")
        new = Successor(new_token(), key)
        token = self._hosts.remove(link.document, name, self._now(), link.token, new)
        if token is None:
            raise NotAllowed("host")
        return replace(link, token=token)

    def renewed(self, token: str, key: str) -> Link | None:
        """The link that replaced the one with this `token` for the form with this `key`."""
        new = self._hosts.renewed(token, key)
        return None if new is None else self._ledger.link(new)

    def links(self, link: Link) -> dict[Role, str]:
        """The tokens of links that allow less than this one, and its own, by role."""
        less = ROLES[: ROLES.index(link.role)]
        tokens = self._ledger.links(link.document)
        return {role: tokens[role] for role in less if role in tokens} | {link.role: link.token}

    def renew(self, link: Link, role: Literal["view", "play", "score"], key: str = "") -> Link:
        """Replace the link of `role`, once for a `key`; raises `IllegalEntry` as `add` does."""
        require(link, "host")
        token = token_of_form(key, f"{link.token} {role}")
        if not renew_link(self._ledger, link.document, (role, token), self._now(), link.token):
            raise NotAllowed("host")
        return Link(token, link.document, role)


class Trashed(Struct, frozen=True):
    """A sheet in the trash: since when (ISO 8601), and whether it is still listed for its host."""

    at: str
    listed: bool


class Trash:
    """The trash of a ledger: a host may put a sheet in it, and restore it at any time.

    Nothing is erased. Restoring has no time limit, since a clock that was wrong for an evening
    could make it expire at once.
    """

    def __init__(self, ledger: Ledger, now: Callable[[], str]) -> None:
        """`now` returns the time in ISO 8601."""
        self._ledger = ledger
        self._now = now

    def of(self, sheet: int) -> Trashed | None:
        """Since when the sheet with this number is in the trash; None if it isn't.

        It is listed for `TRASH_DAYS`; and longer if what was noted is no time, or was noted by a
        machine without a battery, whose clock begins in 1970.
        """
        at = self._ledger.trashed(sheet)
        if at is None:
            return None
        try:
            put, now = datetime.fromisoformat(at), datetime.fromisoformat(self._now())
            return Trashed(at, put <= _LONG_BEFORE or now - put < timedelta(days=TRASH_DAYS))
        except (ValueError, TypeError):  # damaged, or without its zone
            return Trashed(at, listed=True)

    def put(self, link: Link) -> None:
        """Move the sheet to the trash; raises `IllegalEntry` for a link that is not the host's.

        The time noted is no earlier than the beginning of the latest sheet: by a slow clock, the
        sheet would seem to have been in the trash for long once that clock is set right.
        """
        require(link, "host")
        self._ledger.note_trash(link.document, "put", max(self._now(), self._ledger.last_begun()))

    def take_out(self, link: Link) -> None:
        """Take the sheet out; raises `IllegalEntry` for a link that is not the host's."""
        require(link, "host")
        self._ledger.note_trash(link.document, "taken", self._now())
