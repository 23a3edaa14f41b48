"""The page shown while a large club is counted; it reloads itself until that is done."""

from flask import Response, abort, make_response

from referee.extras.clubs.counts import Progress
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages.context import club_state
from referee.web.answers.pages import Shown, render

AGAIN_SECONDS = 2


class CountingPage(Shown, frozen=True):
    """The progress of counting a club."""

    templates = ("clubs/counting.html",)
    club: OpenClub
    progress: Progress


def until_counted(club: OpenClub) -> None:
    """Answer with the progress while a club is counted for the first time since the start."""
    progress = club_state().clubs.counts.progress(club)
    if progress is not None:
        waiting: Response = make_response(render(CountingPage(club, progress)))
        waiting.headers["Refresh"] = str(AGAIN_SECONDS)
        abort(waiting)
