"""The camera's screens, to look at."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.browser.screens import House, Screen

PARTS: dict[str, str] = {}


def screens(_: "House") -> "list[Screen]":
    """The page on which a photo is chosen."""
    from tests.browser.screens import Screen  # noqa: PLC0415 - which finds this module first

    return [Screen("photo", "/referee/multiple-9/discard?hand=K&tap=cards:photo")]
