"""The pad on a phone: one player's part of the game's form for a deal."""

from referee.extras.seats.table import AtTable
from referee.rules.core.entries import Entry
from referee.web.answers.pages import Shown
from referee.web.forms.fields import OwnPart
from referee.web.sheet.page import FormTarget, OnSheet, Sent


class PadPage(Shown, frozen=True):
    """The page on which a player fills in their `own` part of the form, or what is known there.

    The form goes to the `target` with the fields of the game's form about this seat, with
    `own.calls` also those about how the deal ended, `seat_of` (the player) and `deal`; a key tapped
    without script goes there too, as `tap`.
    `called` is the entry that was called, without figures. `uncall_at` withdraws what this player
    called. The way back is `back_at`: a form that says “still playing” if `playing`, a link
    otherwise. While nothing is asked, and at a showdown, the page polls, with the board’s `tag`.
    """

    templates = ("seats/pad.html", "seats/meanwhile.html")
    on: OnSheet
    at: AtTable
    own: OwnPart
    sent: Sent
    target: FormTarget
    back_at: str
    tag: str = ""
    playing: bool = False
    uncall_at: str = ""
    called: Entry | None = None
    may_be_last: bool = False
