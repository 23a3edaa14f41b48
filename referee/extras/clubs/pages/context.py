"""The state of clubs that views get from the app."""

from flask import Flask, current_app
from msgspec import Struct

from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.moving import Moving
from referee.web.answers.errors import RateLimit

#: The key of the state in `Flask.extensions`.
EXTENSION = "clubs"


class ClubState(Struct, frozen=True):
    """The clubs of an app, made once and shared by all requests."""

    clubs: ClubBook
    moving: Moving
    new_clubs: RateLimit


def club_state(app: Flask | None = None) -> ClubState:
    """The clubs of `app`, by default of the current app."""
    found: ClubState = (app or current_app).extensions[EXTENSION]
    return found
