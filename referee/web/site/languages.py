"""The language of each phone: as its browser asks, or as chosen on it."""

from contextlib import ExitStack

from flask import Blueprint, abort, g, request
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.text import Language, language, languages, say, speaking
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import cookie, keep_cookie
from referee.web.context import onward, state
from referee.web.serving.gateway import writes_nothing

COOKIE = "language"

blueprint = Blueprint("languages", __name__)


class LanguagePage(Shown, frozen=True):
    """The languages to choose from: which one was `chosen` here, and what the phone `asks` for.

    Both are tags; `chosen` is "" for the phone's own. `token` leads back to a sheet.
    """

    templates = ("site/languages.html",)
    offered: list[Language]
    chosen: str
    asks: str
    token: str


@blueprint.before_app_request
def _speak() -> None:
    """Answer in the language of the phone."""
    if len(languages()) > 1:
        g.speaking = ExitStack()
        g.speaking.enter_context(speaking(language(_chosen() or _asked_for())))


@blueprint.teardown_app_request
def _spoken(_: BaseException | None) -> None:
    if "speaking" in g:
        g.pop("speaking").close()


@blueprint.app_context_processor
def _for_templates() -> dict[str, object]:
    return {"other_languages": len(languages()) > 1}


def _chosen() -> str:
    """The tag of the language chosen on this phone, if there still is a catalogue for it."""
    tag = cookie(COOKIE)
    return tag if tag in languages() else ""


def _asked_for() -> str:
    """The tag of the language that this phone asks for; the one of the settings if we lack it."""
    return request.accept_languages.best_match(languages()) or state().settings.language


@blueprint.get("/language")
def show() -> str:
    """The languages to choose from."""
    offered = [language(tag) for tag in languages()]
    return render(LanguagePage(offered, _chosen(), _asked_for(), request.args.get("sheet", "")))


@blueprint.post("/language")
@writes_nothing
def choose() -> AnyResponse:
    """Set the language of this phone, and go back to a sheet’s More, or home."""
    tag, sheet = request.form.get("language", ""), request.form.get("sheet", "")
    if tag and tag not in languages():
        abort(422, str(say("Choose one of the languages on the page.")))
    answer = onward("sheet.more", token=sheet) if sheet else onward("home.show")
    keep_cookie(answer, COOKIE, tag)
    return answer
