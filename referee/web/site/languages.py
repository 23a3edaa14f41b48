"""The language of each phone, as its browser asks or as chosen, and the letters on its cards."""

from collections.abc import Collection

from flask import Blueprint, abort, request
from werkzeug.wrappers import Response as AnyResponse

from referee.rules.language import ENGLISH, Language, language, languages
from referee.rules.text import say
from referee.web.answers.pages import Shown, render
from referee.web.answers.security import cookie, keep_cookie
from referee.web.context import (
    LANGUAGE_COOKIE,
    LETTERS_COOKIE,
    language_asked_for,
    onward,
    settings,
)
from referee.web.forms.decks import DECKS
from referee.web.serving.routes import declares

blueprint = Blueprint("languages", __name__)


class LanguagePage(Shown, frozen=True):
    """The languages to choose from: which one was `chosen` here, and what the phone `asks` for.

    Both are tags; `chosen` is "" for the phone's own. `unread`: there are catalogs that no person
    has read. `decks` are the letters of jack, queen and king to choose from. `token` leads back to
    a sheet.
    """

    templates = ("site/languages.html",)
    offered: list[Language]
    chosen: str
    asks: str
    unread: bool
    decks: Collection[str]
    token: str


@blueprint.get("/language")
def show() -> str:
    """The languages and the letters to choose from."""
    offered, chosen = [language(tag) for tag in languages()], cookie(LANGUAGE_COOKIE)
    if chosen not in languages():  # there was a catalog for it
        chosen = ""
    accepts = request.headers.get("Accept-Language", "")
    asks = language_asked_for(accepts) or settings().language or ENGLISH
    unread = any(one.is_unread for one in offered)
    token = request.args.get("sheet", "")
    return render(LanguagePage(offered, chosen, asks, unread, DECKS.values(), token))


@blueprint.post("/language")
@declares(writes=False)
def choose() -> AnyResponse:
    """Set the language of this phone or its letters, and go back to a sheet’s More, or home."""
    tag, sheet = request.form.get("language", ""), request.form.get("sheet", "")
    letters = request.form.get("letters", "")
    if (tag and tag not in languages()) or (letters and letters not in DECKS.values()):
        abort(422, str(say("Choose one of the languages on the page.")))
    answer = onward("sheet.more", token=sheet) if sheet else onward("home.show")
    if letters:
        keep_cookie(answer, LETTERS_COOKIE, letters)
    else:
        keep_cookie(answer, LANGUAGE_COOKIE, tag)
    return answer
