"""Seats on the pages: each phone's own pad, and what the pages of a sheet show of them."""

from flask import Blueprint, Flask

from referee.settings import Settings
from referee.web.extras import WebPart

blueprint = Blueprint("extra_seats", __name__, template_folder="templates")


class SeatPart(WebPart, frozen=True):
    """What seats add to the pages."""

    def install(self, app: Flask, settings: Settings) -> None:
        """Add the pages of seats to `app`."""
        app.register_blueprint(blueprint)


PART = SeatPart()
