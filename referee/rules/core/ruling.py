"""What the referee says: faults, rulings, and the three ways an entry can fail.

A ruling is a value. Everything that can be wrong with a text or an entry comes back as
`Fault`s, all of them at once, so that nobody has to repair a form one complaint at a time.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec


class Fault(msgspec.Struct, frozen=True):
    """One thing that is wrong.

    `code` is stable and meant for programs, `message` is a sentence for a person, and `rule`
    names the game and the section of its rules that says so ("Multiple 9, discards").
    """

    code: str
    message: str
    rule: str


#: Makes a fault of a code, a message and the anchor of a section of the rules: `Game.fault`.
MakeFault = Callable[[str, str, str], Fault]


class Ruling(msgspec.Struct, frozen=True):
    """The answer to a question at the table.

    `detail` holds what the judge found, in the shape `sheet-format.md` gives for that judge;
    `says` holds the same for people, a sentence each.
    """

    faults: tuple[Fault, ...] = ()
    detail: Mapping[str, Any] = {}
    says: tuple[str, ...] = ()

    @property
    def legal(self) -> bool:
        """True where no rule is broken, and where there was nothing to rule on."""
        return not self.faults

    def document(self) -> dict[str, Any]:
        """The ruling as `referee check --json` prints it."""
        return {
            "legal": self.legal,
            "faults": [msgspec.to_builtins(fault) for fault in self.faults],
            "detail": dict(self.detail),
        }


class RefereeError(Exception):
    """Something the referee cannot accept; `faults` says everything that is wrong with it.

    `entry` is the index of the entry to blame, where a whole sheet is read and one is.
    """

    entry: int | None = None

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__(" ".join(fault.message for fault in self.faults))


class NotationError(RefereeError):
    """Text that is no card."""


class MalformedEntry(RefereeError):
    """An entry, a question or a sheet that cannot be read."""


class IllegalEntry(RefereeError):
    """An entry that can be read, but breaks a rule."""
