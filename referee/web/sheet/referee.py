"""Ask the referee at a sheet: by its house rules, and about its players."""

from flask import Blueprint, render_template

from referee.web.camera.pages import Page
from referee.web.context import sheet_of
from referee.web.serving.gateway import takes_photo
from referee.web.site.referee import photo_page, ruling_page

blueprint = Blueprint("sheet_referee", __name__, url_prefix="/s/<token>/referee")


@blueprint.get("")
def questions(token: str) -> str:
    """Which question about the game on this sheet?"""
    sheet = sheet_of(token)
    return render_template("site/referee/questions.html", game=sheet.game, sheet=sheet, token=token)


@blueprint.get("/<judge>")
def ask(token: str, judge: str) -> str:
    """The question with its form, and the ruling on what is filled in so far."""
    sheet = sheet_of(token)
    return ruling_page(sheet.game, judge, sheet, token)


@blueprint.post("/<judge>/photo")
@takes_photo
def photo(token: str, judge: str) -> Page:
    """The cards of a photo, on their way into the question."""
    sheet = sheet_of(token)
    return photo_page(sheet.game, judge, sheet)
