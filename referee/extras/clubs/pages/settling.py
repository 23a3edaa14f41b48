"""Settling up in a club: who pays whom for a day, a year or all time, and noting payments."""

from collections.abc import Sequence
from datetime import date
from typing import Literal

from flask import abort, request
from werkzeug.wrappers import Response as AnyResponse

from referee.extras.clubs.figures import ALWAYS, Period
from referee.extras.clubs.notes import Paid
from referee.extras.clubs.pages.club import MOST_LISTED
from referee.extras.clubs.pages.context import club_state
from referee.extras.clubs.pages.view import (
    ClubView,
    OfClub,
    ToPay,
    asked_period,
    blueprint,
    club_view_in,
    of_club,
)
from referee.ledger.errors import MovedOnError
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError
from referee.rules.text import say
from referee.web.answers.pages import Shown, render
from referee.web.context import onward, writer
from referee.web.forms.decode import form_fault
from referee.web.forms.money import money_typed
from referee.web.forms.sent import key_of, new_key
from referee.web.forms.taps import Form
from referee.web.serving.routes import LONG, declares
from referee.web.view.filters import written_day

DIGITS = 16  # of an amount at most
DAYS = 6  # the last days, each with a key
YEARS = 4
#: The parameters that the page's address keeps when a payment is noted on it.
KEPT = ("from", "to", "year", "rate", "sign")


class SettlePage(Shown, frozen=True):
    """The settling of a period; the form has its days as typed, with `wrong` if invalid.

    Keys choose one of the `years` or `days`, and keep the `rate`.
    """

    templates = ("clubs/settle.html",)
    of: OfClub
    to_pay: ToPay
    since: str
    until: str
    days: Sequence[tuple[str, str]]
    years: Sequence[str]
    rate: dict[str, str]
    wrong: Sequence[Fault]
    faults: Sequence[Fault]


@blueprint.get("/settle")
@declares(LONG)
def settle(token: str) -> str | tuple[str, int]:
    """Who still pays whom for a period; with `rate` and `sign` also in money."""
    return _page(token)


def _page(token: str, noted: Sequence[Fault] = (), status: int = 200) -> str | tuple[str, int]:
    """The page of the address's period, with the faults of a refused note."""
    wrong, when, money = tuple[Fault, ...](), (ALWAYS, dict[str, str]()), money_typed()
    try:
        when = asked_period()
    except MalformedEntry as error:
        wrong = error.faults
    view = club_view_in(token, *when)
    accounts = club_state().clubs.counts.accounts(view.club)
    days = sorted({day for played in accounts.won.values() for day in played if day})[::-1]
    rate = {name: text for name, text in money.typed.items() if text}
    faults = (*noted, *wrong, *money.faults)
    page = SettlePage(
        of_club(token, view),
        ToPay(
            settlings=() if wrong else accounts.settlings_of(view.period),
            paid=() if wrong else _paid(view)[::-1][:MOST_LISTED],
            key=new_key(),
            money=money,
            asked=view.dates | rate,
        ),
        since=request.args.get("from", view.period.since),
        until=request.args.get("to", view.period.until),
        days=[(day, written_day(date.fromisoformat(day))) for day in days[:DAYS]],
        years=sorted({day[:4] for day in days})[::-1][:YEARS],
        rate=rate,
        wrong=wrong,
        faults=faults,
    )
    return (render(page), status if noted else 422) if faults else render(page)


def _paid(view: ClubView) -> list[tuple[int, Paid]]:
    """The payments noted for the period, or for days of it."""
    return [
        (seq, note)
        for seq, note in view.club.paid
        if view.period.covers(Period(note.since, note.until))
    ]


@blueprint.post("/paid")
@declares(LONG)
def paid(token: str) -> AnyResponse | str | tuple[str, int]:
    """Note a payment for the days that the form names."""
    link, sent = writer(token), request.form
    amount, rows = _whole(sent.get("amount", "")), _whole(sent.get("seen", ""))
    if not amount:
        abort(422, str(say("This form doesn’t say how much was paid. Load the club again.")))
    payer, payee, since, until = (
        sent.get(name, "").strip() for name in ("payer", "payee", "since", "until")
    )
    unit: Literal["chip", "counter"] = "chip" if sent.get("unit") == "chip" else "counter"
    note = Paid(payer, payee, amount, unit, since, until)
    try:
        period = asked_period()[0] if "settle" in request.args else None
        club_state().clubs.note(link, note, key_of(Form(sent)), rows, period)
    except RefereeError as error:
        return _page(token, error.faults, 422)
    except MovedOnError:
        says = say("Meanwhile something else was noted. See what’s still to pay, and tap again.")
        return _page(token, [form_fault("moved-on", says)], 409)
    return back(token)


def _whole(text: str) -> int | None:
    """The whole number in a form's text; None if it is none."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= DIGITS else None


def back(token: str) -> AnyResponse:
    """A redirect to the page on which a payment was noted: that of a period, or the club’s."""
    kept = {name: request.args[name] for name in KEPT if request.args.get(name)}
    return onward("club.settle" if "settle" in request.args else "club.show", token=token, **kept)
