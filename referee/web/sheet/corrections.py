"""Corrections: amend an entry, take it out or bring it back, after seeing what that changes."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from flask import Blueprint, abort, render_template, request, url_for
from msgspec import Struct
from werkzeug.wrappers import Response as AnyResponse

from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError
from referee.sheets.files import Course, entry_of, result
from referee.sheets.sheet import Change, Comparison, OpenSheet
from referee.web.context import book, onward, sheet_of, writer
from referee.web.forms.decode import FORM_RULE, Form, as_form
from referee.web.sheet.page import FormTarget, entry_sent, rows_seen, seen
from referee.web.view.filters import number

blueprint = Blueprint("corrections", __name__, url_prefix="/s/<token>/entries/<int:seq>")

WHY_LENGTH = 200
Answer = str | tuple[str, int] | AnyResponse


class Difference(Struct, frozen=True):
    """One thing that a correction changes: what it is, and its value before and after."""

    what: str
    before: str
    after: str


@blueprint.get("")
def show(token: str, seq: int) -> Answer:
    """The entry with a form that can change it."""
    writer(token)
    sheet = sheet_of(token)
    return _page(token, sheet, seq, Form())


@blueprint.post("")
def amend(token: str, seq: int) -> Answer:
    """Show what another content would change; with `sure`, save it."""
    link = writer(token)
    sent = Form(request.form)
    sheet = book().open(link)
    try:
        change = Change(seq, entry_sent(sent, sheet), _why(sent))
    except MalformedEntry as error:
        return _page(token, sheet, seq, sent, error.faults), 422
    return _change(token, link, change, sent)


@blueprint.post("/void")
def void(token: str, seq: int) -> Answer:
    """Show what it would change to take this row out (or back); with `sure`, do it."""
    link = writer(token)
    sent = Form(request.form)
    try:
        change = Change(seq, None, _why(sent))
    except MalformedEntry as error:
        return _page(token, book().open(link), seq, sent, error.faults), 422
    return _change(token, link, change, sent)


def _why(sent: Form) -> str:
    why = sent.get("why", "").strip()
    if len(why) > WHY_LENGTH:
        message = f"The reason has {len(why)} characters; {WHY_LENGTH} are enough."
        raise MalformedEntry([Fault("reason-length", message, FORM_RULE)])
    return why


def _change(token: str, link: Link, change: Change, sent: Form) -> Answer:
    sheet = book().open(link)
    try:
        if "sure" in sent:
            book().correct(link, change, rows_seen(sent), sent.get("key", ""))
            return onward("sheet.show", token=token)
        comparison = book().compare(sheet, change)
    except MovedOnError:
        message = "Nothing was changed: the sheet has moved on. Look at the difference once more."
        fault = Fault("moved-on", message, FORM_RULE)
        return _page(token, book().open(link), change.target, sent, (fault,)), 409
    except RefereeError as error:
        return _page(token, sheet, change.target, sent, error.faults), 422
    return render_template(
        "sheet/difference.html",
        **seen(token, sheet),
        change=change,
        sent=[(name, value) for name, value in sent.items(multi=True) if name not in _OURS],
        again_at=request.path,
        target=_target(token, sheet, change.target),
        differences=list(differences(comparison)),
    )


_OURS = ("after", "key")  # the page that shows the difference sends these anew


def _page(token: str, sheet: OpenSheet, seq: int, sent: Form, faults: Sequence[Fault] = ()) -> str:
    fate = sheet.fates.get(seq)
    if fate is None:
        abort(404, "There is no such entry on this sheet.")
    entry = entry_of(sheet.game, fate)
    page = seen(token, sheet)
    if fate.voided is None:
        place = sheet.numbers.index(seq)
        before = sheet.course.steps[place - 1].after if place else sheet.course.start
        page |= {"state": before, "board": sheet.game.board(before)}
    return render_template(
        "sheet/correct.html",
        **page,
        seq=seq,
        fate=fate,
        entry=entry,
        form=sent if "action" in sent else as_form(msgspec.to_builtins(entry), sheet.table.players),
        faults=faults,
        target=_target(token, sheet, seq, faults),
    )


def _target(token: str, sheet: OpenSheet, seq: int, faults: Sequence[Fault] = ()) -> FormTarget:
    return FormTarget(
        record_at=url_for("corrections.amend", token=token, seq=seq),
        preview_at="",
        seq=sheet.seq,
        game=sheet.game,
        faults=faults,
        button="Show what this changes",
        asks_why=True,
        why=request.form.get("why", ""),
    )


def differences(comparison: Comparison) -> Iterable[Difference]:
    """Everything a correction changes: each entry's scores, then totals, places, pools, the end."""
    before, after = comparison.before, comparison.after
    yield from _entry_differences(comparison)
    yield from _result_differences(result(before), result(after))
    places_before, places_after = _places(before), _places(after)
    for player, place in places_after.items():
        if places_before[player] != place:
            yield Difference(f"{player}’s place", _ordinal(places_before[player]), _ordinal(place))


def _entry_differences(comparison: Comparison) -> Iterable[Difference]:
    lines_before = _lines(comparison.before, comparison.numbers_before)
    lines_after = _lines(comparison.after, comparison.numbers_after)
    for count, seq in enumerate(sorted({*lines_before, *lines_after}), start=1):
        was, becomes = lines_before.get(seq, {}), lines_after.get(seq, {})
        for player in dict.fromkeys((*was, *becomes)):
            if was.get(player, 0) != becomes.get(player, 0):
                yield Difference(
                    f"Entry {count}, {player}",
                    _or_nothing(was, player),
                    _or_nothing(becomes, player),
                )


def _result_differences(was: dict[str, Any], becomes: dict[str, Any]) -> Iterable[Difference]:
    for what, words in (("scores", "{} in all"), ("pools", "in the {} pool")):
        for name, amount in becomes[what].items():
            if was[what].get(name) != amount:
                label = words.format(name.replace("_", " "))
                yield Difference(label, number(was[what].get(name, 0)), number(amount))
    if was["deal"] != becomes["deal"]:
        yield Difference("Deal in progress", str(was["deal"]), str(becomes["deal"]))
    if (was["finished"], was["winners"]) != (becomes["finished"], becomes["winners"]):
        yield Difference("The game", _end(was), _end(becomes))


def _lines(course: Course, numbers: Sequence[int]) -> dict[int, dict[str, int]]:
    lines = result(course)["lines"]
    return {seq: line["scores"] for seq, line in zip(numbers, lines, strict=True)}


def _or_nothing(scores: dict[str, int], player: str) -> str:
    return number(scores[player]) if player in scores else "nothing"


def _places(course: Course) -> dict[str, int]:
    board = course.game.board(course.state)
    return {standing.player: standing.rank for standing in board.standings}


def _ordinal(place: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place if place < 20 else place % 10, "th")
    return f"{place}{ending}"


def _end(found: dict[str, Any]) -> str:
    if not found["finished"]:
        return "goes on"
    return f"won by {' and '.join(found['winners'])}"
