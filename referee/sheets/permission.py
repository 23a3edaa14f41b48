"""Who may do what with a sheet, and what the key of a form may be."""

from referee.ledger.store import Link, Role
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, shared_fault
from referee.rules.text import say

#: What links allow, each of them what the one before allows and more.
ROLES: tuple[Role, ...] = ("view", "score", "host")
KEY_LENGTH = 64

_ONLY = {
    "view": say("This link doesn’t lead to a sheet."),
    "score": say("This link can view the sheet, but not change it."),
    "host": say("Only the host of a sheet can do that."),
}


def allows(link: Link, role: Role) -> bool:
    """Whether the holder of `link` may do what `role` may."""
    return ROLES.index(link.role) >= ROLES.index(role)


def require(link: Link, role: Role) -> None:
    """Raise `IllegalEntry` unless the holder of `link` may do what `role` may."""
    if not allows(link, role):
        raise not_allowed(role)


def not_allowed(role: Role) -> IllegalEntry:
    """What is said to somebody whose link does not allow what `role` may do."""
    return IllegalEntry([shared_fault(f"{role}-only", _ONLY[role], "sharing")])


def check_key(key: str) -> None:
    """Raise `MalformedEntry` for a text that cannot be the key of a form."""
    if not (1 <= len(key) <= KEY_LENGTH and key.isascii() and key.isprintable()):
        says = say("A form’s key has 1 to {most} plain characters.", most=KEY_LENGTH)
        raise MalformedEntry([shared_fault("key", says, "file")])
