"""Corrections: amend, void or restore an entry, after seeing what that changes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import msgspec
from flask import Blueprint, Response, abort, request, url_for
from msgspec import Struct
from msgspec.structs import replace
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link
from referee.rules.core.entries import REASON_LENGTH, Entry
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError
from referee.rules.core.terms import numbered
from referee.rules.text import Text, listed, say, say_many, say_number
from referee.sheets.comparison import Change, Comparison, NewSettings, compared
from referee.sheets.files import Course
from referee.sheets.history import Fate, entry_touched
from referee.sheets.news import whole_deal
from referee.sheets.score_pad import score_pad_of
from referee.sheets.sheet import OpenSheet, as_of
from referee.web.answers.pages import Shown, render
from referee.web.context import asks_for_a_part, book, onward, sheet_to_write, writer
from referee.web.extras import page_of_key
from referee.web.forms.decode import as_form, entry_sent, form_fault, way_told
from referee.web.forms.sent import key_of, rows_seen
from referee.web.forms.taps import Form, tapped
from referee.web.serving.routes import LONG, declares
from referee.web.sheet.page import FormTarget, OnSheet, Sent, moved_on_fault, on_sheet
from referee.web.sheet.record import field_on_sheet
from referee.web.view.pad import row_title

blueprint = Blueprint("corrections", __name__, url_prefix="/s/<token>/entries/<int:seq>")

Answer = str | AnyResponse | tuple[str | AnyResponse, int]


class Difference(Struct, frozen=True):
    """One change made by a correction: what changes, and its value before and after."""

    what: Text
    before: Text
    after: Text


class CorrectionPage(Shown, frozen=True):
    """An entry in the form it was recorded with, or why it cannot be removed.

    `on` is the sheet as it was before the entry in row `seq`, which has this `fate`.
    """

    templates = ("sheet/correct.html", "sheet/correct_form.html")
    on: OnSheet
    sent: Sent
    target: FormTarget
    seq: int
    fate: Fate
    entry: Entry
    to_remove: Sequence[Fault]
    is_whole_deal: bool


class DifferencePage(Shown, frozen=True):
    """What a change of an entry or of names would do, and the form `sent` once more to make it."""

    templates = ("sheet/difference.html",)
    token: str
    sheet: OpenSheet
    sent: Sequence[tuple[str, str]]
    again_at: str
    change: Change | None
    renamed: Mapping[str, str]
    differences: Sequence[Difference]


class ComparedPage(Shown, frozen=True):
    """What a correction would change, or why it cannot be made, beside its form."""

    templates = ("sheet/_compared.html",)
    differences: Sequence[Difference] = ()
    faults: Sequence[Fault] = ()


@blueprint.get("")
def show(token: str, seq: int) -> Answer:
    """The entry with a form to correct it: a page, or for a script the content of the drawer."""
    _, sheet = sheet_to_write(token)
    return _page(token, sheet, seq, Form())


@blueprint.post("")
@declares(LONG)
def amend(token: str, seq: int) -> Answer:
    """Show what amending the entry would change; with `sure`, amend it."""
    link, sheet = sheet_to_write(token)
    sent = request.form
    if page := page_of_key(sent, partial(field_on_sheet, sheet, request.path, sent, seq=seq)):
        return page
    with_tap = tapped(sent)
    if with_tap is not None:
        return _page(token, sheet, seq, with_tap)

    def change_in(sheet: OpenSheet) -> Change:
        # Read with the names and seats that the form has seen: it may be a repeated request.
        course = as_of(sheet, rows_seen(sent).seq).course if "sure" in sent else sheet.course
        entry = entry_sent(sent, sheet, course.before(seq).state.table.players)
        return Change(seq, entry, _why(sent))

    return change_if_sure(
        link, sent, change_in, lambda now, faults: _page(token, now, seq, sent, faults)
    )


@blueprint.post("/preview")
@declares(LONG, writes=False)
def preview(token: str, seq: int) -> str:
    """What amending the entry would change, shown while filling in; nothing is stored."""
    _, sheet = sheet_to_write(token)
    try:
        seated = sheet.course.before(seq).state.table.players
        change = Change(seq, entry_sent(request.form, sheet, seated))
        comparison = compared(sheet, change)
    except RefereeError as error:
        return render(ComparedPage(faults=error.faults))
    return render(ComparedPage(list(differences(comparison))))


@blueprint.post("/void")
@declares(LONG)
def void(token: str, seq: int) -> Answer:
    """Show what voiding (or restoring) this row would change; with `sure`, do it."""
    link = writer(token)
    sent = request.form
    return change_if_sure(
        link,
        sent,
        lambda _: Change(seq, None, _why(sent)),
        lambda now, faults: _page(token, now, seq, sent, faults),
    )


def _why(sent: Form) -> str:
    why = sent.get("why", "").strip()
    if len(why) > REASON_LENGTH:
        says = say_many(
            "The reason has {n} character; {most} are enough.",
            "The reason has {n} characters; {most} are enough.",
            n=len(why),
            most=REASON_LENGTH,
        )
        raise MalformedEntry([form_fault("reason-length", says)])
    return why


def change_if_sure(
    link: Link,
    sent: Form,
    change_in: Callable[[OpenSheet], Change | NewSettings],
    page: Callable[[OpenSheet, Sequence[Fault]], str | AnyResponse],
) -> Answer:
    """Show what a change would do to the sheet; with `sure` in the form, make it.

    `change_in` reads the change from the form, for the sheet as it is now. If it cannot be made,
    the answer is the `page` with its form and the faults.
    """
    sheet = book().open(link)
    try:
        change = change_in(sheet)
        if "sure" in sent:
            book().correct(link, change, rows_seen(sent), key_of(sent))
            return onward("sheet.show", token=link.token)
        comparison = compared(sheet, change)
    except RefereeError as error:
        return page(book().open(link), error.faults), 422
    except MovedOnError:
        now = book().open(link)
        return page(now, [moved_on_fault(now, rows_seen(sent), say("Not changed"))]), 409
    shown = DifferencePage(
        link.token,
        sheet,
        # These two are of the page that was left: the new one has its own.
        sent=[field for field in sent.items(multi=True) if field[0] not in ("after", "key")],
        again_at=request.path,
        change=change if isinstance(change, Change) else None,
        renamed=change.changed_names if isinstance(change, NewSettings) else {},
        differences=list(differences(comparison)),
    )
    return render(shown)


def _page(
    token: str, sheet: OpenSheet, seq: int, sent: Form, faults: Sequence[Fault] = ()
) -> Response:
    """The page of an entry, with the `faults` of its form or of voiding one of its rows."""
    removes = request.endpoint == "corrections.void"
    if removes and 0 < seq <= len(sheet.history):
        seq = entry_touched(sheet.history, sheet.history[seq - 1])
    fate = sheet.fates.get(seq)
    if fate is None and faults:  # the row is no entry but a change of settings
        abort(422, " ".join(str(fault.says) for fault in faults))
    if fate is None:
        abort(404, str(say("That deal isn’t on this sheet.")))
    if asks_for_a_part() and fate.voided:  # the drawer has only what can be corrected
        return Response(headers={"HX-Redirect": url_for("corrections.show", token=token, seq=seq)})
    entry = sheet.entry_of(fate)
    before = sheet.course.before(seq).state
    board = sheet.game.board(before)
    in_drawer = asks_for_a_part()
    plain = msgspec.to_builtins(entry)
    form = as_form(plain, type(entry), before.table.players)
    form["how"] = way_told(plain)
    late = next((fault.says for fault in faults if fault.code == "moved-on"), None)
    in_form = () if removes or late else faults
    target = FormTarget(
        record_at=url_for("corrections.amend", token=token, seq=seq),
        preview_at=url_for("corrections.preview", token=token, seq=seq),
        mark=sheet.mark,
        faults=in_form,
        button=say("Show what this changes"),
        why=request.form.get("why", ""),
        only=form["action"],
        plain=not in_drawer,
    )
    shown = CorrectionPage(
        replace(on_sheet(token, sheet), state=before, table=before.table, board=board),
        Sent(sent if "action" in sent else form, in_form, late),
        target,
        seq,
        fate,
        entry,
        to_remove=faults if removes else (),
        is_whole_deal=whole_deal(sheet, seq, entry) > 0,
    )
    answer = Response(render(shown, "sheet/correct_form.html" if in_drawer else ""))
    if in_drawer:
        answer.headers |= {"HX-Retarget": "#drawer", "HX-Reswap": "innerHTML"}
    return answer


def differences(comparison: Comparison) -> Iterator[Difference]:
    """All changes made by a correction: scores of deals, then totals, pools, the end, places."""
    before, after = comparison.before, comparison.after
    rows_before, rows_after = _rows(before), _rows(after)
    for key in sorted({*rows_before, *rows_after}):
        scored, scores = rows_before.get(key, {}), rows_after.get(key, {})
        for player, *points in _changed(scored, scores, absent=0):
            yield Difference(say("{deal}, {player}", deal=key[-1], player=player), *points)
    was, becomes = before.state, after.state
    for player, *total in _changed(was.totals, becomes.totals):
        yield Difference(say("{player}’s total", player=player), *total)
    for pool, words in after.game.counters.pools.items():
        if was.pools[pool] != becomes.pools[pool]:
            what = say("In the {pool}", pool=words)
            yield Difference(what, say_number(was.pools[pool]), say_number(becomes.pools[pool]))
    if was.deal != becomes.deal:
        called = after.game.deal_called
        yield Difference(say("Now"), numbered(called, was.deal), numbered(called, becomes.deal))
    if (was.finished, was.winners) != (becomes.finished, becomes.winners):
        yield Difference(say("The game"), _end(before), _end(after))
    for player, *place in _changed(_places(before), _places(after)):
        yield Difference(say("{player}’s place", player=player), *place)


def _changed(
    before: Mapping[str, int], after: Mapping[str, int], absent: int | None = None
) -> Iterator[tuple[str, Text, Text]]:
    """The players whose number changed, with both in words; a missing one counts as `absent`."""
    for player in dict.fromkeys((*after, *before)):
        if before.get(player, absent) != after.get(player, absent):
            was, becomes = (
                say_number(numbers[player]) if player in numbers else say("nothing")
                for numbers in (before, after)
            )
            yield player, was, becomes


def _rows(course: Course) -> dict[tuple[int, int, str], dict[str, int]]:
    """The points by player in each row, by its deal, its entry if between deals, and its title."""
    pad, called = score_pad_of(course), course.game.deal_called
    found: dict[tuple[int, int, str], dict[str, int]] = {}
    for row in pad.all_rows:
        key = (row.deal, 0, str(numbered(called, row.deal)))
        if row.kind == "between":
            key = (row.deal, row.seq, str(row_title(row) or say("Players")))
        if row.kind != "void":
            found[key] = {player: cell.points for player, cell in row.cells.items()}
    return found


def _places(course: Course) -> dict[str, int]:
    board = course.game.board(course.state)
    return {one.player: one.rank for one in board.standings if one.rank is not None}


def _end(course: Course) -> Text:
    state = course.state
    if not state.finished:
        return say("goes on")
    if not state.winners:
        return say("stopped, nobody has won")
    return say("won by {players}", players=listed(state.name(seat) for seat in state.winners))
