"""The pad on a phone: the game's own form for a deal, with the part of one player and no other."""

from collections.abc import Sequence

from referee.rules.core.entries import Entry
from referee.rules.core.ruling import Fault
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.forms.fields import OwnPart
from referee.web.forms.taps import Form
from referee.web.sheet.page import FormTarget, OnSheet, Sent, on_sheet


class Asks(Shown, frozen=True):
    """What a phone asks its player for: their `own` part of the form of this deal.

    It is sent to `record_at`: the fields of the game's form that are about this seat, with
    `own.calls` those about how the deal ended, too, `seat_of`, which is the player, and `deal`. A
    key that was tapped without script comes there as well, as `tap`. While it is filled in the form
    is sent to `preview_at`. `called` is an entry with nothing but what was called of how the deal
    ended; those who have `arrived` are in. At `uncall_at` whoever called says that they didn’t. The
    way back is `back_at`; with `playing` a form is sent there, from whoever is not done yet. A
    scorekeeper enters it `for_other`s. Where nothing is asked yet, the page looks again, by the
    board’s `tag`.
    """

    own: OwnPart
    record_at: str
    preview_at: str
    back_at: str
    tag: str = ""
    playing: bool = False
    for_other: bool = False
    uncall_at: str = ""
    called: Entry | None = None
    arrived: Sequence[str] = ()


class PadPage(Shown, frozen=True):
    """The page on which a player's own part of the form is filled in."""

    templates = ("seats/pad.html",)
    on: OnSheet
    asks: Asks
    sent: Sent
    target: FormTarget


def pad_of(
    token: str,
    sheet: OpenSheet,
    asks: Asks,
    sent: Form | None = None,
    faults: Sequence[Fault] = (),
) -> str:
    """The page that `asks` a player for their own part, as `sent` or empty."""
    page = PadPage(
        on_sheet(token, sheet),
        asks,
        Sent(Form() if sent is None else sent, faults),
        FormTarget(asks.record_at, asks.preview_at, sheet.mark, faults),
    )
    return render(page)
