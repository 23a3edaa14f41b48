"""Home: a new sheet, the referee, and the sheets this phone has seen."""

from flask import Blueprint, render_template

from referee.web.phone import seen_sheets

blueprint = Blueprint("home", __name__)


@blueprint.get("/")
def show() -> str:
    """A new sheet, the referee, and the sheets this phone has seen."""
    return render_template("site/home.html", seen=seen_sheets())
