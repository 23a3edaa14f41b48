"""The pages of one seat, on its phone: the player's own pad, and how far the others are."""

from collections.abc import Sequence

from flask import Response, request, url_for

from referee.extras.seats.figures import Clash, Hand, Score, hand_in, wrong
from referee.extras.seats.gathering import Part, counts_since, ending_of, merged, part_of
from referee.extras.seats.pages.context import phone_digest, seat_book
from referee.extras.seats.pages.here import Answer, Here, blueprint, here, note_once, seated
from referee.extras.seats.pages.taking import pick_page
from referee.extras.seats.table import AtTable
from referee.rules.core import terms
from referee.rules.core.entries import Abandon, Entry
from referee.rules.core.ruling import Fault
from referee.rules.text import Text, say
from referee.sheets.score_pad import PadRow
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.context import onward
from referee.web.forms.decode import UNANSWERED
from referee.web.forms.fields import OwnPart
from referee.web.forms.taps import Form
from referee.web.phone import remember
from referee.web.serving.routes import POLLED, declares
from referee.web.sheet.page import FormTarget, OnSheet, Sent, on_sheet


class SeatPage(Shown, frozen=True):
    """A seat whose figure has been entered, or that has to count again, until the deal is recorded.

    `called` is the entry that was called, `part` what this phone sent, `hand` what the player
    holds, and `score` its gain or cost. A `clash` says why figures conflict, to players who are
    `asked`, and once all stand by theirs to scorekeepers. `missing` says what is awaited of all.
    """

    templates = ("seats/seat.html", "seats/felt.html")
    on: OnSheet
    at: AtTable
    player: str
    mine: Sequence[str]
    called: Entry | None
    part: Part | None
    hand: Hand
    score: Score | None
    asked: bool
    clash: Clash | None
    missing: Sequence[Text]
    tag: str


class OwnPreview(Shown, frozen=True):
    """A player’s `hand` with its gain or cost, and what they have `called`; or its own faults."""

    templates = ("seats/preview.html",)
    sheet: OpenSheet
    player: str
    mine: Sequence[str]
    faults: Sequence[Fault]
    called: Entry | None
    hand: Hand
    score: Score | None
    left: int | None


class LatePage(Shown, frozen=True):
    """The deal was recorded (`by` whom) with a figure other than this player's.

    What they had `written` is in the form that was `sent`; the `row` has what counts. `was_in`:
    their figure had come in before that.
    """

    templates = ("seats/late.html",)
    on: OnSheet
    player: str
    sent: Form
    written: str
    row: PadRow | None
    by: str
    was_in: bool


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


@blueprint.get("")
@declares(writes=True)
def show(token: str) -> Answer:
    """The page of this phone's seat: choosing one, its pad, or what it waits for."""
    now = here(token)
    if claim := _told_otherwise(now):
        return late_page(token, now, claim, was_in=True)
    if not now.player or request.args.get("pick"):
        return remember(Response(pick_page(token, now)), token)
    goes_on = "deal" in request.args and not now.at.deal.begun
    if now.at.number < 0 or not now.plays or not now.is_played or goes_on:
        return onward("sheet.show", token=token)
    if now.player in now.at.deal.parts and not request.args.get("change"):
        if seat_book().settle(now.link):  # as in `felt`, which no phone without script asks for
            return onward("sheet.show", token=token)
        return _waiting(token, now)
    was_away = now.at.deal.last.get(now.player) == "away"
    if now.player in now.mine and (was_away or phone_digest() not in now.at.deal.opened):
        note_once(now, now.player, "opens", phone_digest())
    return pad(token, now)


@blueprint.post("/away")
def away(token: str) -> Answer:
    """Note which phones have not opened their pads: players who are in have waited long enough."""
    now = seated(token)
    for player, status in now.at.statuses.items() if now.player in now.at.deal.parts else ():
        if status == "counting" and now.at.taken.phones[player] not in now.at.deal.opened:
            note_once(now, player, "away")
    return "", 204


@blueprint.get("/open")
@declares(POLLED)
def still_open(token: str) -> Answer:
    """What others have said, for a pad that is being filled in; or that the deal was recorded.

    Redirects to the sheet if the deal goes on after all or the turn has passed; otherwise replaces
    only what stands above the form.
    """
    now, after = here(token), request.args.get("after", "")
    goes_on = "begun" in request.args and now.is_played and not now.at.deal.begun
    if goes_on or now.moved_on(after) or (now.is_played and not now.plays):
        return Response(headers={"HX-Redirect": url_for("sheet.show", token=token)})
    became = _became(now)
    known = str(became) if became else pad(token, now, template="seats/meanwhile.html")
    return Response(known, headers={"HX-PTag": now.glance.tag})


def _became(now: Here) -> Text | None:
    """What became of the deal for which this page was opened; None while it is being played."""
    sheet, deal = now.sheet, request.args.get("deal", now.at.number, int)
    ending = ending_of(sheet, deal)
    number = sheet.course.before(ending.seq if ending else deal).state.deal
    named = terms.numbered(sheet.game.deal_called, number)
    if ending and isinstance(ending.entry, Abandon):
        return say("{deal} is void.", deal=named)
    if ending or sheet.state.finished:
        return say("Already recorded. Go back to see it.")
    return None if now.is_played else say("{deal} was removed.", deal=named)


def _told_otherwise(now: Here) -> Form | None:
    """The form with this phone’s figure, if its deal was recorded with another."""
    deal = request.args.get("deal", -1, int)
    return seat_book().left_out(now.sheet, now.player, phone_digest(), deal)


@blueprint.post("/preview")
@declares(writes=False)
def preview(token: str) -> str:
    """What the player’s figure scores, with what was called."""
    now = seated(token)
    part = part_of(request.form, now.sheet, now.player)
    found = wrong(seat_book().own_faults(now.at, now.player, part))
    faults = [fault for fault in found if fault.code != UNANSWERED]
    known = part.has_hand and not found
    hand, left = hand_in(now.sheet, now.player, part), now.left
    last = left is not None and hand.number == left
    score = seat_book().own_score(now.at, now.player, part, last=last) if known else None
    calls = now.at.deal.called_by(now.player) | {now.player: part}
    called = seat_book().called(now.sheet, calls) if part.called else None
    rest = left if last else None
    page = OwnPreview(now.sheet, now.player, now.mine, faults, called, hand, score, rest)
    return render(page)


@blueprint.get("/felt")
@declares(POLLED, writes=True)
def felt(token: str) -> Answer:
    """The live part of a seat’s page, or its pad; leads to the sheet once the deal is recorded."""
    now, sheet = here(token), url_for("sheet.show", token=token)
    if not now.plays or not now.is_played or now.at.number < 0:
        differs = url_for(".show", token=token, player=now.player, deal=request.args.get("deal"))
        return Response(headers={"HX-Redirect": differs if _told_otherwise(now) else sheet})
    deal, is_pad = now.at.deal, "pad" in request.args
    waits = now.player in deal.parts and not (is_pad and now.player in deal.changing)
    if waits == is_pad:  # another page is due
        own = url_for(".show", token=token, player=now.player, deal=now.at.number)
        return Response(headers={"HX-Redirect": own})
    if waits and seat_book().settle(now.link):  # the phone that had to do it may be gone
        return Response(headers={"HX-Redirect": sheet})
    page = _waiting(token, now, "seats/felt.html") if waits else pad(token, now)
    return Response(page, headers={"HX-PTag": now.glance.tag})


def pad(
    token: str,
    now: Here,
    sent: Form | None = None,
    faults: Sequence[Fault] = (),
    template: str = "seats/pad.html",
) -> str:
    """The page of the player’s own pad, or a part of it."""
    at = url_for(".show", token=token, player=now.player)
    is_mine, is_in = now.player in now.mine, now.player in now.at.deal.parts
    part = part_of(sent, now.sheet, now.player) if sent else now.figure
    renumbered = merged({now.player: part} if part else {}, now.sheet.state.table.players)
    form = Form([*Form(sent).items(multi=True), *renumbered.items(multi=True)])
    calls = request.values.get("call", "yes" if now.player in now.at.deal.out else "") == "yes"
    parts = {one: its for one, its in now.at.deal.parts.items() if calls or one != now.player}
    called = seat_book().called(now.sheet, parts)
    own = OwnPart(
        now.player,
        now.sheet.state.table.players.index(now.player),
        now.at.number,
        calls,
        "" if calls else f"{at}&call=yes&change=yes",  # not seen once another has called
        str(now.at.deal.resumed) if now.at.deal.begun else "",
        now.left if part is None else None,
        for_other=not is_mine,
        red_nine_gone=getattr(called, "red_nine", False),
        shared=len(now.mine) > 1,
    )
    has_total = any(kind.total is not None for kind in now.sheet.game.entries.values())
    playing = now.at.deal.begun and is_mine and not is_in and not now.at.showing
    looks = now.player in now.at.deal.changing
    says = url_for(".says", token=token, what="looked" if looks else "playing")
    back_at = says if playing or looks else url_for("sheet.show", token=token)
    to, preview_at = url_for(".hand", token=token), url_for(".preview", token=token)
    page = PadPage(
        on_sheet(token, now.sheet),
        now.at,
        own,
        Sent(form, faults),
        FormTarget(to, preview_at, now.sheet.mark, faults),
        back_at=at if is_mine and is_in and not looks else back_at,
        tag=now.glance.tag,
        playing=playing,
        uncall_at=f"{at}&call=no&change=yes" if calls else "",
        called=called,
        may_be_last=part is None and own.left is None and has_total,
    )
    return render(page, template)


def late_page(token: str, now: Here, sent: Form, *, was_in: bool = False) -> str:
    """The page for a figure that came after its deal was recorded with another."""
    sheet, written = now.sheet, part_of(sent, now.sheet, now.player).written
    step = ending_of(sheet, sent.get("deal", 0, int))
    row = next((one for one in sheet.pad.rows if step in one.steps), None)
    by = sheet.rows[counts_since(sheet, step) - 1].by if step else ""
    return render(LatePage(on_sheet(token, sheet), now.player, sent, written, row, by, was_in))


def _waiting(token: str, now: Here, template: str = "seats/seat.html") -> str:
    """The page of a seat whose figure is in, or its live part."""
    seats, part = seat_book(), now.figure
    asked = now.player in now.at.asking and now.player in now.mine
    clash = seats.clash(now.at) if now.link.allows("score") else None
    if part and asked:  # once: else they could learn a hand by trying figures
        clash = seats.clash(now.at, now.player)
        asked = clash is not None
    on, called = on_sheet(token, now.sheet), seats.called(now.sheet, now.at.deal.parts)
    hand = hand_in(now.sheet, now.player, part) if part else Hand()
    score = seats.own_score(now.at, now.player, part) if part and part.has_hand else None
    own, missing, tag = (called, part, hand, score), seats.missing(now.at), now.glance.tag
    page = SeatPage(on, now.at, now.player, now.mine, *own, asked, clash, missing, tag)
    return render(page, template)
