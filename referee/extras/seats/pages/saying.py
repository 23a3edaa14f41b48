"""Forms from a seat: a player's own figure of a deal, and entries for the whole table."""

from collections.abc import Sequence
from functools import partial

from flask import abort, request
from msgspec.structs import replace

from referee.extras.seats.gathering import NOTHING, Part, What, counted, ending_of, kind_of, part_of
from referee.extras.seats.pages.context import phone_digest, seat_book
from referee.extras.seats.pages.here import (
    Answer,
    Here,
    blueprint,
    form_key,
    here,
    move_of,
    note,
    note_once,
    seated,
)
from referee.extras.seats.pages.seat import late_page, pad
from referee.ledger.chain import read_mark
from referee.ledger.errors import MovedOnError
from referee.rules.core.ruling import Fault
from referee.rules.text import say
from referee.sheets.hosting import require
from referee.web.context import onward
from referee.web.extras import page_of_key
from referee.web.forms.decode import form_fault
from referee.web.forms.taps import Form, tapped
from referee.web.sheet.record import field_on_sheet

TAKEN_BACK = say("Something was undone since you opened this page. Check it again.")


@blueprint.post("/hand")
def hand(token: str) -> Answer:
    """Enter a player’s hand."""
    now, sent = seated(token), request.form
    if "tap" in sent and now.plays:
        found = page_of_key(sent, partial(field_on_sheet, now.sheet, request.path, sent))
        return found or pad(token, now, tapped(sent))
    if answer := _known(token, now, sent):
        return answer
    part = part_of(sent, now.sheet, now.player)
    if faults := _faults(now, sent, part):
        figure = now.at.deal.parts.get(now.player)
        if now.player in now.mine and figure and figure.action == part.action:
            note_once(now, now.player, "changes", phone_digest())
        return pad(token, seated(token), sent, faults), 422
    if seat_book().record_at_once(now.link, now.sheet, now.player, part, form_key()):
        goes_on = now.sheet.game.hole.cards and now.mine
        return onward(".show" if goes_on else "sheet.show", token=token)
    try:
        note(now, move_of(now, "out" if part.called else "in", part))
    except MovedOnError:  # at this moment
        return hand(token)
    return _settled(token, now)


def _known(token: str, now: Here, sent: Form) -> Answer | None:
    """The answer to a form that was sent before, or comes too late; None for any other."""
    of_other_deal = sent.get("deal") != str(now.at.number)
    recorded = any(row.key == sent.get("key") for row in now.sheet.rows)
    if recorded or seat_book().knows(now.link, form_key()):
        done = of_other_deal or recorded
        return onward("sheet.show", token=token) if done else _settled(token, now)
    part, deal = part_of(sent, now.sheet, now.player), sent.get("deal", 0, int)
    seen = read_mark(sent.get("after", ""))
    if not of_other_deal or _still_counts(now, deal, seen.seq if seen else 0):
        return None
    if ending_of(now.sheet, deal) is None:
        # By a lower target, say, while this deal was played.
        if now.sheet.state.finished or not now.plays:
            return onward("sheet.show", token=token)
        return pad(token, now, sent, [form_fault("moved-on", TAKEN_BACK)]), 422
    if not seat_book().recorded_otherwise(now.sheet, now.player, part, deal):
        return onward("sheet.show", token=token)
    return late_page(token, now, sent), 409


def _still_counts(now: Here, deal: int, seen: int) -> bool:
    """Whether a figure for `deal`, from a page that showed the row `seen`, is for the present one.

    That may have another number since, as an earlier deal was removed.
    """
    figure = replace(now.at.move(now.player, "in"), deal=deal, seen=seen)
    return now.at.number >= 0 and any(counted(now.sheet, [figure], {}))


def _faults(now: Here, sent: Form, part: Part) -> Sequence[Fault]:
    """What is wrong with a player’s part by itself, or with sending it now."""
    is_blank = not (part.called or part.has_hand)
    if is_blank and kind_of(now.sheet, part.action):
        return [form_fault("hand-blank", say("Nothing is entered yet."))]
    resumed = str(now.at.deal.resumed)
    if sent.get("over", resumed) != resumed and not part.called:  # it went on after all
        return [form_fault("moved-on", TAKEN_BACK)]
    swapped = sent.get("seat_of") in {*now.sheet.state.table.players} - {now.player}
    if swapped or (not part.has_hand and now.moved_on(sent.get("after", ""))):
        says = say("Something was recorded since you opened this page. Check it again.")
        return [form_fault("moved-on", says)]
    player, deal, by = now.player, now.at.deal, now.at.deal.by.get(now.player)
    if by is not None and player not in now.mine:
        if not by and player not in deal.changing:
            return [form_fault("own-is-in", say("{player} has entered theirs.", player=player))]
        arrived = deal.arrived.get(player, 0)
        if sent.get("arrived", arrived, int) != arrived:
            says = say("Entered meanwhile by {by}. Send again to replace it.", by=by or player)
            return [form_fault("other-is-in", says)]
    return seat_book().own_faults(now.at, now.player, part)


@blueprint.post("/<any(playing, stands, changes, looked):what>")
def says(token: str, what: What) -> Answer:
    """Note that a player still plays, stands by a figure, counts again, or has only looked."""
    now, asked = seated(token), {name: request.form.get(name) for name in ("call", "deal")}
    leaves_it = asked["call"] == "no" and now.at.deal.called_by(now.player)  # to another who called
    if now.is_played:
        note(now, move_of(now, "playing" if leaves_it else what))
    if what == "changes" and not (leaves_it and seat_book().settle(now.link)):
        return onward(".show", token=token, player=now.player, change="yes", **asked)
    settled = _settled(token, now)  # a call that is withdrawn may have been in the way
    return settled if what in ("stands", "looked") else onward("sheet.show", token=token)


@blueprint.post("/goes-on")
def goes_on(token: str) -> Answer:
    """Say that the deal goes on after all: for the player who ended it, and for scorekeepers."""
    now = here(token)
    if not (now.link.allows("score") or now.at.deal.ended_by(now.player)):
        abort(403, str(say("Only whoever ended it, or keeps score, can do that.")))
    if now.is_played:
        note(now, move_of(now, "goes-on"))
    return onward("sheet.show", token=token)


@blueprint.post("/now")
def record_now(token: str) -> Answer:
    """Ask everybody for their figures, or record a deal that is held back: for scorekeepers."""
    now = here(token)
    require(now.link, "score")
    if now.is_played and not ("over" in request.form and now.at.deal.begun):
        note(now, move_of(now, "now" if now.at.deal.begun else "over"))
    return _settled(token, now)


@blueprint.post("/undo")
def undo(token: str) -> Answer:
    """Take back the deal that was just recorded, once per seat and deal; all figures stay."""
    now = seated(token)
    seen = read_mark(request.form.get("after", "")) or now.sheet.mark
    seat_book().take_back(now.link, now.at, move_of(now, "undone"), seen)
    return onward(".show", token=token, player=now.player, deal=here(token).at.number)


@blueprint.post("/objects")
def objects(token: str) -> Answer:
    """Tell the scorekeepers that a deal was recorded with another figure than this player’s."""
    now, sent = seated(token), request.form
    part = part_of(sent, now.sheet, now.player)
    asked = sent.get("deal", -1, int)
    deal = asked if 0 <= asked <= now.sheet.seq else now.at.number
    note(now, replace(move_of(now, "objects", part), deal=deal))
    return onward("sheet.show", token=token)


@blueprint.post("/let-stand")
def let_stand(token: str) -> Answer:
    """Let a deal stand as it was recorded, though a player objects, who may have left since."""
    now, sent = here(token), request.form
    require(now.link, "score")
    if said := now.at.objections.get((sent.get("player", ""), sent.get("deal", 0, int))):
        note(now, replace(said, seen=now.sheet.seq, part=NOTHING))
    return onward("sheet.show", token=token)


def _settled(token: str, now: Here) -> Answer:
    """Record the deal if possible; go on to the sheet, or to what a seat here waits for."""
    own = next((one for one in (now.player, *now.at.deal.parts) if one in now.mine), "")
    due = [one for one in now.at.due if one in now.mine and one != now.player]
    if seat_book().settle(now.link) or not own:
        return onward("sheet.show", token=token)
    return onward(".show", token=token, player=None if due else own, deal=now.at.number)
