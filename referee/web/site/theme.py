"""Light, dark, or as the phone has it: how the pages look on the phone that asks."""

from flask import Blueprint, abort, request
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.text import Text, say
from referee.web.answers.security import cookie, drop_cookie, keep_cookie
from referee.web.context import onward

blueprint = Blueprint("theme", __name__)

THEME_COOKIE = "theme"


class Theme(Struct, frozen=True):
    """A look: what it is called, and the colours of the page's edge by day and by night."""

    slug: str
    title: Text
    scheme: str
    edges: tuple[tuple[str, str], ...]


LIGHT, DARK = "#f6f0e1", "#0c1512"
THEMES = (
    Theme("light", say("Light"), "light", (("all", LIGHT),)),
    Theme("dark", say("Dark"), "dark", (("all", DARK),)),
    Theme(
        "auto",
        say("Auto"),
        "light dark",
        (("(prefers-color-scheme: light)", LIGHT), ("(prefers-color-scheme: dark)", DARK)),
    ),
)
AUTO = THEMES[-1]


def chosen() -> Theme:
    """The look this phone has chosen; unless it did, the phone's own."""
    return _named(cookie(THEME_COOKIE)) or AUTO


def _named(slug: str) -> Theme | None:
    return next((theme for theme in THEMES if theme.slug == slug), None)


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {"theme": chosen(), "themes": THEMES}


@blueprint.post("/theme")
def choose() -> AnyResponse:
    """Look like this from now on, and go back to where that was asked: home, or a sheet's More."""
    theme = _named(request.form.get("theme", ""))
    if theme is None:
        abort(422, str(say("Choose how the pages look: light, dark, or auto.")))
    sheet = request.form.get("sheet", "")
    page, where = ("sheet.more", {"token": sheet}) if sheet else ("home.show", {})
    answer = onward(page, _anchor="theme", **where)
    if theme is AUTO:
        drop_cookie(answer, THEME_COOKIE)
    else:
        keep_cookie(answer, THEME_COOKIE, theme.slug)
    return answer
