"""What clients asked for and what they were told, with the time of each: a recorded history."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

#: What a form asks for. The first five write a row on the sheet, the others change what is
#: around it: its links, the trash, the next sheet of the evening.
Kind = Literal["play", "undo", "amend", "void", "note", "links", "trash", "restore", "again"]
ON_THE_SHEET = ("play", "undo", "amend", "void", "note")

LOST = math.inf  # when an answer comes that never came


@dataclass(frozen=True)
class Wish:
    """What one form asks for; two forms that ask for the same are equal.

    A play and an amendment have an `entry`, written as in a sheet file; an amendment and a void
    the row they `target` and a `reason`. A note has the settings that the sheet `becomes` and the
    people who are `renamed`. `role` is whose link is renewed, `seen` the sheets of the evening
    that are known to whoever plays again.
    """

    kind: Kind
    entry: dict[str, Any] | None = None
    target: int | None = None
    reason: str = ""
    becomes: dict[str, Any] | None = None
    renamed: dict[str, str] = field(default_factory=dict)
    role: str = ""
    seen: int = 0


@dataclass(frozen=True)
class Token:
    """A link to a sheet, and when it was asked for and told: it was in use at some moment then."""

    text: str
    role: str
    asked: float
    told: float


@dataclass(frozen=True)
class Attempt:
    """A form that was sent once: between `asked` and `told` it was carried out, or refused.

    The phone that sent it called itself `by`, a name of its own, so that a row says which attempt
    wrote it. `table` is the sheet, by its place in the run; `after` the newest row the form had
    seen. Where the answer was lost `status` is 0 and `told` is `LOST`. `led_to` is the address that
    the answer led to.
    """

    by: str
    table: int
    token: Token
    wish: Wish
    key: str
    after: int
    asked: float
    told: float
    status: int
    led_to: str = ""

    @property
    def acknowledged(self) -> bool:
        """Whether the sender was told that it was carried out."""
        return self.status == 303

    @property
    def refused(self) -> bool:
        """Whether the sender was told that it was not."""
        return self.status not in (0, 303)


@dataclass(frozen=True)
class Reading:
    """A sheet's file as it was downloaded between `asked` and `told`."""

    table: int
    token: Token
    asked: float
    told: float
    status: int
    history: tuple[dict[str, Any], ...] = ()


@dataclass
class Log:
    """Everything that happened in a run; lists are only added to, from any thread."""

    attempts: list[Attempt] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    surprises: list[str] = field(default_factory=list)
