"""Recording: record an entry, preview it, or undo it."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from flask import Blueprint, Response, request
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.chain import Mark, read_mark
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link
from referee.rules.core.ruling import Fault, IllegalEntry, RefereeError
from referee.rules.core.table import change_by_player
from referee.rules.text import Printed, Text, say
from referee.sheets.files import Step
from referee.sheets.news import plays_of
from referee.sheets.score_pad import Cell
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.context import (
    asks_for_a_part,
    book,
    glance_at,
    onward,
    sheet_to_write,
    writer,
)
from referee.web.extras import (
    CardsField,
    around_sheet,
    open_hands,
    own_pages,
    pad_or_400,
    page_of_key,
)
from referee.web.forms.decode import (
    entries_sent,
    form_fault,
    is_of_several,
    keys_of,
    reseated,
)
from referee.web.forms.sent import key_of, rows_seen
from referee.web.forms.taps import EVERY, Form, is_mucked, tapped
from referee.web.serving.routes import declares
from referee.web.sheet.page import (
    RECORD,
    SHARED_ACTIONS,
    SHEET,
    Sent,
    more_page,
    moved_on_fault,
    sheet_page,
)

blueprint = Blueprint("record", __name__, url_prefix="/s/<token>")

Answer = str | tuple[str, int] | Response | AnyResponse


class PreviewPage(Shown, frozen=True):
    """What an `entry` would do; its last step is `scored`: cells and chips by player.

    For an entry that cannot be recorded yet, its faults, or the scores of its hands `so_far`. Where
    the fewest points win, `zeros` are the players who scored 0.
    """

    templates = ("sheet/preview.html",)
    sheet: OpenSheet
    form: Form
    entry: Mapping[str, Any]
    scored: Step | None = None
    faults: Sequence[Fault] = ()
    so_far: Mapping[str, Cell] = {}
    cells: Mapping[str, Cell] = {}
    zeros: Collection[str] = ()
    change: Mapping[str, int] = {}
    reasons: Sequence[Text] = ()
    winners: Sequence[str] = ()


@blueprint.post("/entries")
def record(token: str) -> Answer:
    """Record an entry; or after a tap on a card pad, show the form again."""
    link, sheet = sheet_to_write(token)
    sent = request.form
    if "tap" in sent:
        return _with_tap(token, sheet, sent)
    sheets = book()
    try:
        seen = sheets.seen_by(link, rows_seen(sent), sheet)
        with seen.judged():
            entries = entries_sent(sent, seen.sheet)
        agreed = partial(_agreed_on_phones, token, seen.sheet, sent, entries)
        try:
            sheets.record_all(seen, entries, key_of(sent), agreed)
        except IllegalEntry:
            agreed()  # say first that a hand was shown: filling it in may mend the rest
            raise
    except (RefereeError, MovedOnError) as error:
        return _not_written(token, link, sent, error)
    return onward("sheet.show", token=token)


@blueprint.post("/undo")
def undo(token: str) -> Answer:
    """Void the last entry."""
    link, sent = writer(token), request.form
    try:
        book().undo(link, rows_seen(sent))
    except (RefereeError, MovedOnError) as error:
        return _not_written(token, link, sent, error)
    return onward("sheet.show", token=token)


def _agreed_on_phones(
    token: str, sheet: OpenSheet, sent: Form, entries: Sequence[Mapping[str, Any]]
) -> bool:
    """Return True; raises `IllegalEntry` if the entries contradict players' own phones.

    A hand shown there can't be mucked, and the form of a street takes no turn of a player who has a
    seat.
    """
    faults = []
    hands = [hand for entry in entries if isinstance(hand := entry.get("hands"), dict)]
    shown = open_hands(sheet) if hands and sheet.game.hole.cards else {}
    for player, cards in shown.items():
        if is_mucked(str(hands[0].get(player, ""))) and not is_mucked(cards):
            says = say(
                "{player} has shown {cards}, so can’t muck. It’s filled in now: check it again.",
                player=player,
                cards=Printed(cards),
            )
            faults.append(form_fault("lies-open", says))
    apart = own_pages(token, sheet) if is_of_several(sent, sheet) else {}
    for player in [entry["player"] for entry in entries if entry.get("player") in apart]:
        says = say("{player} acts on their own phone now: check it again.", player=player)
        faults.append(form_fault("acts-apart", says))
    if faults:
        raise IllegalEntry(faults)
    return True


def _with_tap(token: str, sheet: OpenSheet, sent: Form) -> Answer:
    """The form after a tap on one of its keys."""
    if page := page_of_key(sent, partial(field_on_sheet, sheet, request.path, sent)):
        return page
    # What was recorded since the form was made is shown, and the form fitted to it.
    seen = read_mark(sent.get("after", "")) or sheet.mark
    return _page_with(token, sheet, _since(sheet, seen, tapped(sent) or sent))


def _not_written(token: str, link: Link, sent: Form, error: RefereeError | MovedOnError) -> Answer:
    """The sheet with the form that was refused, and why; without a form if that was an undo.

    If the sheet has moved on, it shows the rows in between, and the form ready to be sent again.
    """
    sheet, form = book().open(link), sent if "action" in sent else Form()
    if isinstance(error, RefereeError):
        return _page_with(token, sheet, Sent(form, error.faults)), 422
    seen = rows_seen(sent)
    fault = moved_on_fault(sheet, seen, say("Not recorded") if form else say("Not undone"))
    after = _since(sheet, seen, form)
    shared = form.get("action") in SHARED_ACTIONS
    after = replace(after, faults=[fault]) if shared else replace(after, late=fault.says)
    return _page_with(token, sheet, after), 409


def _since(sheet: OpenSheet, seen: Mark, form: Form) -> Sent:
    """The rows written since a form was made, and the form for those who are seated now."""
    rows = [row for row in sheet.rows_since(seen) or () if not sheet.history[row.seq - 1].remark]
    unseen = {row.seq for row in rows}
    then = [step.after for step in sheet.course.steps if step.seq not in unseen]
    seated = (then[-1] if then else sheet.course.start).table.players
    acts = {sheet.acts[row.seq][0].seq: sheet.acts[row.seq] for row in rows}.values()
    between = [(act, plays_of(sheet, act)) for act in acts]
    return Sent(reseated(form, seated, sheet.course.state.table.players), between=between)


def _page_with(token: str, sheet: OpenSheet, sent: Sent) -> str:
    """The sheet with its drawer and the form as filled in; without script the form's own page."""
    if sent.form.get("action") in SHARED_ACTIONS:
        return more_page(token, sheet, sent)
    template = SHEET if asks_for_a_part() or "action" not in sent.form else RECORD
    return sheet_page(glance_at(token), sheet, template, sent)


@blueprint.post("/preview")
@declares(writes=False)
def preview(token: str) -> Answer:
    """What an entry would do in the deal that its form is for, or what is wrong with it."""
    link, sheet = sheet_to_write(token)
    sent = request.form
    entry: Mapping[str, Any] = {}
    steps: list[Step] = []
    try:
        with suppress(MovedOnError):  # as recording will say
            after = read_mark(sent.get("after", "")) or sheet.mark
            sheet = book().seen_by(link, after, sheet).sheet
        for entry in entries_sent(sent, sheet):
            steps.append(book().preview(sheet, entry, steps))
    except RefereeError as error:
        # What is only missing so far is no fault until the entry is recorded.
        found = _so_far(sheet, entry) if isinstance(error, IllegalEntry) else {}
        wrong = [fault for fault in error.faults if not found and not fault.lacks]
        return render(PreviewPage(sheet, sent, entry, faults=wrong, so_far=found))
    scored, own = steps[-1], [line for one in steps for line in one.lines if not line.opens]
    over = scored.after.finished or scored.after.deal != sheet.course.state.deal
    change = change_by_player(own, scored.after.everybody)
    cells, zeros = sheet.pad.cells_with(own, over=over), set[str]()
    if sheet.game.goal.lowest_wins(sheet.table.options):
        # Only a line that scores has a reason: whoever went out has a note.
        zeros = {line.player for line in own if line.reason and not change[line.player]}
    page = PreviewPage(
        sheet,
        sent,
        entry,
        scored,
        cells={
            player: cells.get(player, Cell()) for player in change if player in {*cells, *zeros}
        },
        zeros=zeros,
        change={player: points for player, points in change.items() if points},
        reasons=[line.reason for line in own if line.points],
        winners=[scored.after.name(seat) for seat in scored.after.winners],
    )
    return render(page)


def _so_far(sheet: OpenSheet, entry: Mapping[str, Any]) -> dict[str, Cell]:
    """The scores by player from the hands in an incomplete entry, while others are missing."""
    lines = sheet.game.scores_so_far(sheet.state, sheet.game.read_entry(entry))
    told = {player for line in lines for player, points in line.gains if points}
    cells = sheet.pad.cells_with(lines, over=True)
    return {player: cell for player, cell in cells.items() if player in told and cell.points}


def field_on_sheet(
    sheet: OpenSheet, form_at: str, sent: Form, name: str, *, seq: int = 0
) -> CardsField:
    """The field for cards with this `name` in the form of an entry, or of a correction of `seq`."""
    game = sheet.game
    table = sheet.course.before(seq).state.table if seq else sheet.table
    kind = game.entries.get(sent.get("action", ""))
    hands, _, every = name.rpartition(".")
    seats = {
        seat: player
        for seat, player in enumerate(table.players)
        # Whoever went out has no hand, though without script its field is there.
        if every == EVERY and f"{hands}.{seat}" in sent and player not in sent.getlist("player")
    }
    colors = around_sheet(sheet).colors if seats else {}
    return CardsField(
        form_at=form_at,
        name=name,
        pad=pad_or_400(keys_of(name, kind.entry) if kind else None),
        title=game.title,
        packs=game.deals.packs(table.options, len(table.players)),
        sent=sent,
        lying=game.pad.lying_open(sheet.course.state),
        seats=seats,
        players={player: colors.get(player, 1) for player in table.players} if seats else {},
    )
