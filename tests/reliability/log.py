"""The recorded history of a run: requests and answers with their times."""

import math
from dataclasses import dataclass, field
from typing import Any, Literal

#: What a form asks for. The first five write a row on the sheet; the others change its links,
#: the trash, or begin the next sheet of the evening.
Kind = Literal["play", "undo", "amend", "void", "note", "links", "trash", "restore", "again"]
ON_THE_SHEET = ("play", "undo", "amend", "void", "note")

LOST = math.inf  # the time of an answer that never came


@dataclass(frozen=True)
class Wish:
    """What one form asks for; comparable.

    A play and an amendment have an `entry`, written as in a sheet file; an amendment and a void
    the row they `target` and a `reason`. A note has the settings that the sheet `becomes` and the
    people who are `renamed`. `role` is the role whose link is renewed, `seen` the number of the
    evening's sheets that the client knows when it plays again.
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
    """A sheet's link; it came into use at some moment between `asked` and `answered`."""

    text: str
    role: str
    asked: float
    answered: float


@dataclass(frozen=True)
class Attempt:
    """A form that was sent once, and carried out or refused between `asked` and `answered`.

    `by` is a phone name used only once, so that a row shows which attempt wrote it. `table` is the
    sheet's number in the run, `after` the newest row the form had seen. If the answer was lost,
    `status` is 0 and `answered` is `LOST`. `led_to` is the address of the redirect.
    """

    by: str
    table: int
    token: Token
    wish: Wish
    key: str
    after: int
    asked: float
    answered: float
    status: int
    led_to: str = ""

    @property
    def acknowledged(self) -> bool:
        """Whether the answer said that it was carried out."""
        return self.status == 303

    @property
    def refused(self) -> bool:
        """Whether the answer said that it was not."""
        return self.status not in (0, 303)


@dataclass(frozen=True)
class Reading:
    """A sheet's file as it was downloaded between `asked` and `answered`."""

    table: int
    token: Token
    asked: float
    answered: float
    status: int
    history: tuple[dict[str, Any], ...] = ()


@dataclass
class Log:
    """Everything that happened in a run; any thread may append to the lists."""

    attempts: list[Attempt] = field(default_factory=list)
    readings: list[Reading] = field(default_factory=list)
    surprises: list[str] = field(default_factory=list)
