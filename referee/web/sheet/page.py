"""What the pages of a sheet show: the sheet itself, its forms and their targets."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from flask import url_for
from msgspec import Struct, field
from msgspec.structs import replace

from referee.ledger.chain import Mark
from referee.ledger.store import Glance
from referee.rules.core.entries import SHARED
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import Fault
from referee.rules.core.table import Board, State, Table
from referee.rules.text import NOTHING, Text, say
from referee.sheets.history import HistoryRow
from referee.sheets.news import (
    Ending,
    LastChange,
    Play,
    ending_of,
    entered_first,
    last_change,
    plays_of,
)
from referee.sheets.score_pad import PadRow
from referee.sheets.sheet import OpenSheet
from referee.web.answers.pages import Shown, render
from referee.web.context import book, phone_name, state
from referee.web.extras import Star, around_sheet
from referee.web.forms.decode import form_fault
from referee.web.forms.fields import Described, described
from referee.web.forms.taps import Form
from referee.web.view.pad import ShownPad, shown

SHEET, LIVE = "sheet/sheet.html", "sheet/live.html"
RECORD, DRAWER = "sheet/record.html", "sheet/form_only.html"
MAX_SHOWN = 20  # of what was removed on the sheet's page, which each phone loads after each entry
# How late after a change a page may be opened and still offer Undo, as some networks are slow. How
# long it then stays is `undo-stays` in `sheet.css`.
JUST_MADE = timedelta(seconds=15)
#: Entries whose forms are on the page behind "More".
SHARED_ACTIONS = tuple(kind.__struct_config__.tag for kind in SHARED)
#: Acts (`OpenSheet.acts`), each with the entries that it recorded, changed or removed.
Acts = Sequence[tuple[Sequence[HistoryRow], Sequence[Play]]]


class FormTarget(Struct, frozen=True):
    """The target of the forms on a page: where they are sent, and the newest row they have seen.

    `preview_at` is the address of the preview while a form is filled in. For a correction `button`
    replaces the text of the buttons, `why` is its reason, and `only` the kind of entry, "" if all
    kinds are offered; `plain` forms load a page of their own.
    """

    record_at: str
    preview_at: str
    mark: Mark
    faults: Sequence[Fault] = ()
    button: Text = NOTHING
    why: str = ""
    only: str = ""
    plain: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether the entry that is corrected is of a kind that every game has."""
        return self.only in SHARED_ACTIONS


class OnSheet(Shown, frozen=True):
    """A sheet with its pad; `state`, `table` and `board` may be those before a corrected entry.

    `colors` are the players’, from 1; `star` is a highlight in the last deal.
    """

    token: str
    sheet: OpenSheet
    game: AnyGame
    table: Table[Any]
    state: State[Any]
    board: Board
    pad: ShownPad
    colors: Mapping[str, int]
    last: LastChange | None
    star: Star | None


class Removed(Shown, frozen=True):
    """The acts that were removed, the latest first, and how many more there are than are shown."""

    gone: Acts
    more_gone: int


class Sent(Shown, frozen=True):
    """A form as it was sent, and why it was refused: faults, or because it came too `late`.

    `between` is what was recorded since the form was made.
    """

    form: Form = field(default_factory=Form)
    faults: Sequence[Fault] = ()
    late: Text | None = None
    between: Acts = ()


class SheetPage(Shown, frozen=True):
    """The sheet’s page, its live part, and its drawer; `tag` is that of the board.

    `in_evening` is the sheet's place in its evening, and how many sheets that has; or 0 and 0.
    `noted` is the newest row that each extra has about the sheet. `just_made`: the last change is
    still shown. `scorer` is the name of the phone that recorded the newest entry, "" if unknown.
    """

    templates = (SHEET, LIVE, RECORD, DRAWER)
    on: OnSheet
    removed: Removed
    sent: Sent
    target: FormTarget
    tag: str
    noted: Mapping[str, int]
    in_evening: tuple[int, int]
    just_made: bool
    ending: Ending | None
    scorer: str


class MorePage(Shown, frozen=True):
    """The page behind “More”; `in_evening` as on `SheetPage`.

    `phone_faults` are those of the name typed for this `phone`.
    """

    templates = ("sheet/more.html",)
    on: OnSheet
    sent: Sent
    target: FormTarget
    house_rules: Sequence[Described]
    in_evening: tuple[int, int]
    phone: str
    phone_faults: Sequence[Fault]


def moved_on_fault(sheet: OpenSheet, seen: Mark, refused: Text) -> Fault:
    """The fault that something was `refused` because of rows that came after `seen`."""
    says = say("{refused}: {what}", refused=refused, what=entered_first(sheet, seen.seq))
    if sheet.rows_since(seen) is None:
        says = say(
            "{refused}: the score book was replaced by an earlier copy, and deals that you had "
            "seen are gone. Check the sheet. Is this still right?",
            refused=refused,
        )
    return form_fault("moved-on", says)


def sheet_page(
    glance: Glance,
    sheet: OpenSheet,
    template: str,
    sent: Sent | None = None,
    *,
    just_made: bool | None = None,
) -> str:
    """A page of the sheet with the drawer of its forms, as `sent` or empty.

    The `glance` is from before the sheet was opened: with the tag of a later one, a poll would miss
    what was written in between.
    """
    token, glance = glance.link.token, replace(glance, mark=sheet.mark)
    sent = sent or Sent()
    page = SheetPage(
        on_sheet(token, sheet),
        removed(sheet),
        sent,
        _target(token, sheet, sent),
        tag=glance.tag,
        noted=glance.noted,
        in_evening=(0, 0) if glance.evening is None else state().evenings.place(sheet.id),
        just_made=is_just_made(sheet.changed) if just_made is None else just_made,
        ending=ending_of(sheet),
        scorer=next(
            (row.by for row in reversed(sheet.history) if row.by and row.kind == "play"), ""
        ),
    )
    return render(page, template)


def more_page(
    token: str,
    sheet: OpenSheet,
    sent: Sent | None = None,
    *,
    phone: str | None = None,
    phone_faults: Sequence[Fault] = (),
) -> str:
    """The page behind "More", with a form or a name for the `phone` as it was sent."""
    sent = sent or Sent()
    page = MorePage(
        on_sheet(token, sheet),
        sent,
        _target(token, sheet, sent),
        house_rules=described(sheet.table.options, len(sheet.table.players)),
        in_evening=state().evenings.place(sheet.id),
        phone=phone_name() if phone is None else phone,
        phone_faults=phone_faults,
    )
    return render(page)


def _target(token: str, sheet: OpenSheet, sent: Sent) -> FormTarget:
    return FormTarget(
        record_at=url_for("record.record", token=token),
        preview_at=url_for("record.preview", token=token),
        mark=sheet.mark,
        faults=sent.faults,
    )


def on_sheet(token: str, sheet: OpenSheet, rows: Sequence[PadRow] | None = None) -> OnSheet:
    """What pages show of a sheet, with these `rows` of its pad, by default the latest."""
    around = around_sheet(sheet)
    return OnSheet(
        token,
        sheet,
        sheet.game,
        sheet.state.table,
        sheet.state,
        sheet.board,
        pad=shown(sheet, around.colors, rows),
        colors=around.colors,
        last=last_change(sheet),
        star=around.star,
    )


def removed(sheet: OpenSheet, most: int | None = MAX_SHOWN) -> Removed:
    """The acts that were removed: the latest `most`, or all of them."""
    removals = [fate.voided.seq for fate in reversed(sheet.fates.values()) if fate.voided]
    gone = list({sheet.acts[seq][0].seq: sheet.acts[seq] for seq in removals}.values())
    told = [(act, plays_of(sheet, act)) for act in gone[:most]]
    return Removed(told, len(gone) - len(told))


def is_just_made(at: str) -> bool:
    """Whether a page opened now still shows the change made at this time (ISO 8601)."""
    now = book().now()
    return (datetime.fromisoformat(now) - JUST_MADE).isoformat() <= at <= now
