"""Clubs on the web: their own pages, and what they add to other pages."""

from collections.abc import Collection, Hashable, Sequence
from types import ModuleType

from flask import Blueprint, Flask, url_for

from referee.extras.clubs.book import ClubBook
from referee.extras.clubs.members import Clubs
from referee.extras.clubs.moving import Moving
from referee.extras.clubs.notes import ZONE_LENGTH
from referee.extras.clubs.opened import OpenClub
from referee.extras.clubs.pages import changes, club, moving, people, room, taking_out
from referee.extras.clubs.pages.context import EXTENSION, ClubState, club_state
from referee.ledger.store import Glance, Link
from referee.rules.text import Text, say_many
from referee.settings import Settings
from referee.sheets.sheet import OpenSheet
from referee.web.answers.errors import RateLimit
from referee.web.context import book, state
from referee.web.extras import About, Around, BegunIn, Document, WebPart
from referee.web.forms.taps import Form
from referee.web.phone import Opened, OpenedSheet

PAGES: tuple[ModuleType, ...] = (club, people, room, taking_out)
LATELY = 6  # of the latest games; home offers the club of the first that is in one

blueprint = Blueprint("extra_clubs", __name__, template_folder="templates")


def _club_of_form(form: Form) -> Link | None:
    """The link to the club in which a form begins a game; None if it may not."""
    token = form.get("club", "")
    link = book().ledger.link(token) if token else None
    return link if link and link.kind == "club" and link.allows("score") else None


def about(link: Link) -> About:
    """A club’s title, when it was begun, and its page to go back to."""
    club = club_state().clubs.open(link)
    return About(club.name, club.begun, url_for("club.people", token=link.token))


def played_in(seen: list[OpenedSheet], known: Opened) -> OpenClub | None:
    """The club of a game played lately that this phone can open, else the one it opened last."""
    latest_first = sorted(seen, key=lambda one: one.summary.changed, reverse=True)
    clubs = (club_state().clubs.of(one.summary.sheet) for one in latest_first[:LATELY])
    numbers = (*(club for club in clubs if club in known.of("club")), *reversed(known.of("club")))
    links = (known.of("club")[club] for club in numbers if club and book().trash.of(club) is None)
    return next(map(club_state().clubs.open, links), None)


def too_many_clubs(minutes: int) -> Text:
    """The sentence for a phone that may begin no more clubs for `minutes`."""
    return say_many(
        "Too many clubs were begun here in the past hour. Try again in a minute.",
        "Too many clubs were begun here in the past hour. Try again in {n} minutes.",
        n=minutes,
    )


class ClubPages(WebPart, frozen=True):
    """What clubs add to the web pages."""

    def install(self, app: Flask, settings: Settings) -> None:
        """Add the pages of clubs to `app`."""
        ledger, sheets = state(app).ledger, state(app).book
        clubs = ClubBook(ledger, sheets)
        limit = RateLimit(settings.sheets_an_hour, too_many_clubs)
        app.extensions[EXTENSION] = ClubState(clubs, Moving(ledger, sheets, clubs), limit)
        app.jinja_env.globals |= {"club_played_in": played_in, "ZONE_LENGTH": ZONE_LENGTH}
        own = dict.fromkeys(page.blueprint for page in PAGES)  # some share one
        for each in (blueprint, *own, changes.index_blueprint, moving.sheet_blueprint):
            app.register_blueprint(each)

    def around(self, sheet: OpenSheet) -> Around:
        """The colors of a sheet’s players in its club, and the record just broken."""
        counts = club_state().clubs.counts
        return Around(counts.colors(sheet), counts.fallen(sheet))

    def stage(self, glance: Glance) -> Hashable:
        """The stage of a sheet’s club, if it has one."""
        club = glance.within.get("clubs")
        return club and (club.document, club_state().clubs.counts.stage_on_sheets(club.document))

    def begun_in(self, form: Form) -> BegunIn | None:
        """The club in which a form begins a game, if any."""
        link = _club_of_form(form)
        if link is None:
            return None
        clubs, token = club_state().clubs, link.token
        back = url_for("club.show", token=token)
        return BegunIn(clubs.open(link).name, back, clubs.names(link), {"club": token})

    def begun(self, form: Form, sheet: Link) -> None:
        """Put a new sheet in the club of its form."""
        if link := _club_of_form(form):
            club_state().clubs.put(link, [sheet])

    def hidden(self, own: Collection[int], sheets: Sequence[int]) -> set[int]:
        """The sheets of an evening that were taken out of the club that the visitor came from.

        Otherwise a viewer of that club could reach them through the evening.
        """
        history = Clubs(state().ledger).history(sheets)
        clubs = {sheet: known[-1].club if known else None for sheet, known in history.items()}
        theirs = {clubs[sheet] for sheet in own if sheet in clubs}

        def was_taken_out(sheet: int) -> bool:
            left = {one.club for one in history[sheet]} - {None, clubs[sheet]}
            return theirs <= left and not left.isdisjoint(clubs.values())

        return set(filter(was_taken_out, sheets))

    def put_away(self, document: Link) -> None:
        """Take a sheet that goes to the trash out of its club, if anything was paid for it."""
        if document.kind == "sheet":
            club_state().moving.put_away(document.document)

    def restored(self, document: Link) -> None:
        """Return a sheet from the trash to the club that `put_away` took it out of."""
        if document.kind == "sheet":
            club_state().moving.restore(document.document)


PART = ClubPages(
    places={
        "above-board": "clubs/fallen.html",
        "after-evening": "clubs/after_evening.html",
        "bar": "clubs/bar.html",
        "below-doors": "clubs/home.html",
        "below-evening": "clubs/below_evening.html",
        "below-pad": "clubs/held.html",
        "more": "clubs/more.html",
    },
    documents=(Document("club", "c", "club.show", "clubs.index", "clubs/_document.html", about),),
)
