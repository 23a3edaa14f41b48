"""The pad on a phone: one player's part of the game's form for a deal."""

from collections.abc import Mapping, Sequence

from referee.rules.core.entries import Entry
from referee.rules.core.ruling import Fault
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown
from referee.web.forms.fields import OwnPart
from referee.web.forms.taps import Form
from referee.web.sheet.page import FormTarget, OnSheet, Sent, on_sheet


class Asks(Shown, frozen=True):
    """What a phone asks its player for: their `own` part of the form of this deal.

    The form goes to `record_at` with the fields of the game's form about this seat, with
    `own.calls` also those about how the deal ended, `seat_of` (the player) and `deal`; a key tapped
    without script goes there too, as `tap`. While being filled in, the form goes to `preview_at`.
    `called` is the entry that was called, without figures; `arrived` are the players whose figures
    are in. `uncall_at` withdraws what this player called. The way back is `back_at`: a form that
    says “still playing” if `playing`, a link otherwise. While nothing is asked, and at a showdown,
    at which it `shows`, the page polls, with the board’s `tag`; the hands `shown` are public.
    """

    own: OwnPart
    record_at: str
    preview_at: str
    back_at: str
    tag: str = ""
    playing: bool = False
    uncall_at: str = ""
    called: Entry | None = None
    arrived: Sequence[str] = ()
    shows: bool = False
    may_be_last: bool = False
    shown: Mapping[str, str] = {}


class PadPage(Shown, frozen=True):
    """The page on which a player's own part of the form is filled in, or what is known there."""

    templates = ("seats/pad.html", "seats/known.html")
    on: OnSheet
    asks: Asks
    sent: Sent
    target: FormTarget


def pad_of(
    token: str, sheet: OpenSheet, asks: Asks, sent: Form | None, faults: Sequence[Fault] = ()
) -> PadPage:
    """The page that `asks` a player for their own part, as `sent` or empty."""
    target = FormTarget(asks.record_at, asks.preview_at, sheet.mark, faults)
    return PadPage(on_sheet(token, sheet), asks, Sent(sent or Form(), faults), target)
