"""The themes: how all pages look on a phone.

A new theme is one more of `THEMES`, and a block with its colors in `static/css/tokens.css`.
"""

from msgspec import Struct

from referee.rules.text import Text, say
from referee.web.answers.security import cookie

THEME_COOKIE = "theme"


class Theme(Struct, frozen=True):
    """A theme: its title, its color scheme, and the browser's theme colors by media query."""

    slug: str
    title: Text
    scheme: str
    edges: tuple[tuple[str, str], ...]


LIGHT, DARK = "#f6f0e1", "#0c1512"
AUTO = Theme(
    "auto",
    say("Auto"),
    "light dark",
    (("(prefers-color-scheme: light)", LIGHT), ("(prefers-color-scheme: dark)", DARK)),
)
THEMES = {
    "light": Theme("light", say("Light"), "light", (("all", LIGHT),)),
    "dark": Theme("dark", say("Dark"), "dark", (("all", DARK),)),
    "auto": AUTO,
}


def theme_chosen() -> Theme:
    """The theme chosen on this phone, by default the phone's own."""
    return THEMES.get(cookie(THEME_COOKIE), AUTO)
