"""Seats on the web: the pages of each phone's own pad, and what a sheet's pages show of them."""

from collections.abc import Hashable, Mapping

from flask import Flask, url_for

from referee.extras.seats.book import SeatBook, recorded_at_seats, undoable
from referee.extras.seats.figures import hand_in
from referee.extras.seats.gathering import Move, ending_of, ends_alone
from referee.extras.seats.pages import here, saying, seat, taking
from referee.extras.seats.pages.context import EXTENSION, phone_digest, seat_book
from referee.ledger.store import Glance, Link
from referee.settings import Settings
from referee.sheets.news import LastChange
from referee.sheets.sheet import OpenSheet
from referee.web.context import state
from referee.web.extras import WebPart
from referee.web.forms.taps import Form

PAGES = (saying, seat, taking)  # their routes
AWAY_AFTER = 20  # seconds that a phone which is in waits for others to open their pads


def corrected(sheet: OpenSheet, player: str, move: Move) -> tuple[int, int, Form] | None:
    """The deal that a player objects to, its row, and the form that makes it as they say.

    The form is empty if a scorekeeper has to decide: several may have made the call, or the deal
    ended in another way. None if nothing differs, or not anymore.
    """
    ending, part = ending_of(sheet, move.deal), move.part
    differs = seat_book().recorded_otherwise(sheet, player, part, move.deal)
    if ending is None or ending.seq > move.seen or not differs:  # or recorded anew since
        return None
    deal = next(row.deal for row in sheet.pad.rows if ending in row.steps)
    kind = type(ending.entry)
    alike = part.action == kind.__struct_config__.tag and not (part.called and not ends_alone(kind))
    return deal, ending.seq, seat_book().mended(sheet, player, part, ending) if alike else Form()


def tells_deal(sheet: OpenSheet, last: LastChange | None) -> bool:
    """Whether the last change is a deal recorded from the seats, shown until the next one begins.

    Not if the game shows it itself, nor to viewers.
    """
    row = last.row if last and recorded_at_seats(sheet, last) and not last.told else None
    over = sheet.role == "view" or sheet.state.begun or sheet.state.finished
    return row is not None and row.kind == "deal" and not over


class SeatPart(WebPart, frozen=True):
    """What seats add to the pages."""

    def install(self, app: Flask, settings: Settings) -> None:
        """Add the pages of seats to `app`."""
        app.extensions[EXTENSION] = seats = SeatBook(state(app).book)
        app.jinja_env.globals |= {
            "at_table": seats.at_table,
            "called_in": seats.called,
            "clash_at": seats.clash,
            "corrected": corrected,
            "ends_alone": ends_alone,
            "gathered_in": seats.gathered_in,
            "hand_of": hand_in,
            "missing_at": seats.missing,
            "tells_deal": tells_deal,
            "undoable": undoable,
            "AWAY_AFTER": AWAY_AFTER,
        }
        app.register_blueprint(here.blueprint)

    def entrance(self, glance: Glance) -> str:
        """Which seat is yours? For a phone that comes by a link to play, and has none yet."""
        if glance.link.role != "play":
            return ""
        at = seat_book().at_table(state().book.open(glance.link, glance.mark))
        return "" if at.sheet.state.finished or at.taken.of(phone_digest()) else "seats.show"

    def followed(self, sheet: Link, following: Link) -> None:
        """All go on to the next game in their seats."""
        seat_book().go_on(sheet, following, phone_digest())

    def renewed(self, sheet: Link) -> None:
        """Boards show that phones with the old link have no seats."""
        seat_book().renewed(sheet)

    def own_pages(self, token: str, sheet: OpenSheet) -> Mapping[str, str]:
        """The pads of all who have a phone of their own."""
        phones = seat_book().at_table(sheet).taken.phones
        return {player: url_for("seats.show", token=token, player=player) for player in phones}

    def open_hands(self, sheet: OpenSheet) -> Mapping[str, str]:
        """What has been shown or mucked at a showdown."""
        return seat_book().at_table(sheet).shown

    def stage(self, glance: Glance) -> Hashable:
        """The newest move at a sheet’s seats."""
        return glance.noted.get("seats", 0)


PART = SeatPart(
    places={
        "above-board": "seats/gathering.html",
        "above-live": "seats/me_here.html",
        "below-deal": "seats/claims.html",
        "dock": "seats/dock.html",
        "seats-fixed": "seats/seats_fixed.html",
    }
)
