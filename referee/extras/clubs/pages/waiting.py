"""The page of a large club that is still being counted: how far that is; it comes by itself."""

from flask import Response, abort, make_response

from referee.extras.clubs.counts import Progress
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.context import club_state
from referee.web.answers.pages import Shown, render

AGAIN_SECONDS = 2


class CountingPage(Shown, frozen=True):
    """How far a club is counted."""

    templates = ("clubs/counting.html",)
    club: OpenClub
    progress: Progress


def until_counted(club: OpenClub) -> None:
    """Answer how far it is while a club is counted for the first time since the start."""
    progress = club_state().clubs.counts.progress(club)
    if progress is not None:
        waiting: Response = make_response(render(CountingPage(club, progress)))
        waiting.headers["Refresh"] = str(AGAIN_SECONDS)
        abort(waiting)
