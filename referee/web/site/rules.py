"""The rules pages."""

import re

from flask import Blueprint, render_template, request, url_for

from referee.rules.core.game import AnyGame
from referee.rules.registry import GAMES
from referee.web.context import book, game_or_404

blueprint = Blueprint("rules", __name__)

#: A place in this program: browsers take "//" and "/\\" for another host, and skip blanks.
_OWN_PLACE = re.compile(r"/(?![/\\])[^\x00-\x20\\]*")


@blueprint.get("/rules")
def index() -> str:
    """The games, each with the way to its rules."""
    return render_template("site/all_rules.html", games=GAMES.values())


@blueprint.get("/rules/<slug>")
def show(slug: str) -> str:
    """The rules of a game, in our words."""
    game = game_or_404(slug)
    token = request.args.get("sheet", "")
    link = book().find(token) if token else None
    token = token if link else ""
    return render_template("site/rules.html", game=game, token=token, back=_way_back(game, token))


def _way_back(game: AnyGame, token: str) -> str:
    """Where the reader came from, if that is a page of ours; else the sheet, or the questions."""
    came_from = request.args.get("back", "")
    if _OWN_PLACE.fullmatch(came_from):
        return came_from
    if token:
        return url_for("sheet.more", token=token)
    return url_for("referee.questions", slug=game.slug)
