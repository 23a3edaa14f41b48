"""What the pages of a sheet show, and what their forms write to."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import render_template, url_for
from msgspec import Struct

from referee.ledger.chain import Mark, read_mark
from referee.ledger.store import Row
from referee.rules.core.entries import SHARED
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.text import NOTHING, Text, say
from referee.sheets.account import Cell
from referee.sheets.files import entry_of
from referee.sheets.sheet import OpenSheet
from referee.web.context import asks_for_a_part, phone_name
from referee.web.forms.decode import Form, entry_from, form_fault
from referee.web.forms.fields import described
from referee.web.serving.gateway import tag_of
from referee.web.view.result import ending_of
from referee.web.view.score_pad import last_change, shown

SHEET, MORE, RECORD = "sheet/sheet.html", "sheet/more.html", "sheet/record.html"
MAX_SHOWN = 20  # removed entries on the sheet's own page, which every phone is sent after each
#: Entries whose forms stand on the page behind "More".
SHARED_ACTIONS = tuple(kind.__struct_config__.tag for kind in SHARED)


class FormTarget(Struct, frozen=True):
    """What the forms on a page write to: where they are sent, and which rows they have seen.

    `preview_at` says what a form would do while it is filled in. `button` replaces the words on the
    buttons; `asks_why` adds a line for the reason of a correction. `only` is the kind of entry that
    is corrected, empty where all kinds are offered; `plain` forms load a page of their own.
    """

    record_at: str
    preview_at: str
    mark: Mark
    game: AnyGame
    faults: Sequence[Fault] = ()
    button: Text = NOTHING
    asks_why: bool = False
    why: str = ""
    only: str = ""
    plain: bool = False


class SentForm(Struct, frozen=True):
    """A form as it was sent: what is wrong with it, and what was written in the meantime."""

    form: Form = msgspec.field(default_factory=Form)
    faults: Sequence[Fault] = ()
    between: Sequence[Row] = ()


def entry_sent(sent: Form, sheet: OpenSheet, players: Sequence[str]) -> dict[str, Any]:
    """The entry that a form makes; raises `MalformedEntry` for a form of another game.

    `players` are those seated at the point of the sheet for which it was filled in.
    """
    kind = sheet.game.entries.get(sent.get("action", ""))
    if kind is None:
        says = say("This form doesn’t belong to this game. Load the sheet again.")
        raise MalformedEntry([form_fault("unknown-action", says)])
    return entry_from(sent, kind.entry, players)


def rows_seen(sent: Form) -> Mark:
    """The newest row that a form has seen; raises `MalformedEntry`."""
    mark = read_mark(sent.get("after", ""))
    if mark is None:
        says = say("This form doesn’t say which deals it has seen. Load the sheet again.")
        raise MalformedEntry([form_fault("after", says)])
    return mark


def to_send_again(sent: Form) -> list[tuple[str, str]]:
    """The fields of a form that is confirmed on another page, which sends the other two anew."""
    return [(name, value) for name, value in sent.items(multi=True) if name not in ("after", "key")]


def sheet_page(
    token: str, sheet: OpenSheet, sent: SentForm, template: str | None = None, **more: object
) -> str:
    """The page that has the form that was sent, with that form as it was.

    That is the sheet with its drawer, or without script the page that the form stood on.
    """
    if template is None:
        template = _page_with(sent.form)
    page = {
        **seen(token, sheet),
        "form": sent.form,
        "target": plain_target(token, sheet, sent.faults),
        "faults": sent.faults,
        "between": [(row, sheet.step_at(row.seq)) for row in sent.between],
        "phone": phone_name(),
        "house_rules": described(sheet.table.options, len(sheet.table.players)),
    }
    return render_template(template, **page | more)


def _page_with(form: Form) -> str:
    if form.get("action") in SHARED_ACTIONS:
        return MORE
    return SHEET if asks_for_a_part() or "action" not in form else RECORD


def plain_target(token: str, sheet: OpenSheet, faults: Sequence[Fault] = ()) -> FormTarget:
    """The target of forms that record entries."""
    return FormTarget(
        record_at=url_for("record.record", token=token),
        preview_at=url_for("record.preview", token=token),
        mark=sheet.mark,
        game=sheet.game,
        faults=faults,
    )


def seen(token: str, sheet: OpenSheet, most: int | None = MAX_SHOWN) -> dict[str, Any]:
    """What every page of a sheet shows, with what was removed last, or all where `most` is None."""
    gone = [fate for fate in reversed(sheet.fates.values()) if fate.voided is not None]
    pad = shown(sheet, everything=most is None)
    return {
        "token": token,
        "sheet": sheet,
        "game": sheet.game,
        "table": sheet.course.state.table,
        "state": sheet.course.state,
        "board": sheet.game.board(sheet.course.state),
        "tag": tag_of(sheet.role, sheet.mark),
        "gone": [(fate, entry_of(sheet.game, fate)) for fate in gone[:most]],
        "more_gone": len(gone[most:]) if most else 0,
        "pad": pad,
        "last": last_change(sheet),
        "ending": ending_of(sheet),
    }


def so_far(sheet: OpenSheet, entry: Mapping[str, Any]) -> dict[str, Cell]:
    """What an entry would bring by the hands it has, by player, while others are missing."""
    lines = sheet.game.scores_so_far(sheet.course.state, sheet.game.read_entry(entry))
    told = {player for line in lines for player, points in line.gains if points}
    cells = sheet.pad.cells_with(lines, over=True)
    return {player: cell for player, cell in cells.items() if player in told and cell.points}


def more_page(token: str, sheet: OpenSheet, **more: object) -> str:
    """The page behind "More", with whatever a form of another part has to say on it."""
    return sheet_page(token, sheet, SentForm(), MORE, **more)
