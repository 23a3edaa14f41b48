"""Comparing a sheet with and without a correction, before that is written.

Only what the correction can change is played again: a corrected entry and what follows it. New
names or house rules are part of every state, so with them all is.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core import terms
from referee.rules.core.entries import Entry, Join, Reason, Replace
from referee.rules.core.ruling import IllegalEntry, MalformedEntry
from referee.rules.core.seating import name_faults
from referee.rules.core.shared_entries import reason_faults
from referee.rules.text import joined, say
from referee.sheets.files import Course, entries_in_force, seat_table, table_settings
from referee.sheets.history import (
    CHANGEABLE,
    HistoryRow,
    SettingsChange,
    SheetSettings,
    entry_touched,
    rows_in_force,
)
from referee.sheets.sheet import OpenSheet, refused


class Change(Struct, frozen=True):
    """A correction: row `target` gets another `entry`, or is voided if that is None.

    Voiding an amendment or a void takes that one back, and with a void all that was voided by the
    same act (`OpenSheet.acts`): an undone betting round comes back whole.
    """

    target: int
    entry: Mapping[str, Any] | None = None
    reason: Reason = ""


class NewSettings(Struct, frozen=True):
    """New names, seats, first dealer or house rules; `renamed` maps old names to new.

    Players who came later can be renamed, too.
    """

    becomes: SheetSettings
    renamed: Mapping[str, str]

    @property
    def changed_names(self) -> dict[str, str]:
        """The part of `renamed` in which names change."""
        return {old: new for old, new in self.renamed.items() if old != new}


class Comparison(Struct, frozen=True):
    """A sheet before and after a correction, played through; `rows` are what would be written."""

    rows: tuple[HistoryRow, ...]
    before: Course
    after: Course


def compared(sheet: OpenSheet, change: Change | NewSettings) -> Comparison:
    """Compare the sheet with and without a correction.

    Raises `IllegalEntry` if there is nothing of that kind to change, or if the amended entry or a
    later one would break a rule; `MalformedEntry` or `NotationError` for what cannot be read.
    """
    if isinstance(change, NewSettings):
        return _with_settings(sheet, change)
    _check_change(sheet, change)
    if change.entry is not None:
        before = sheet.course.before(change.target).state
        entry = msgspec.to_builtins(sheet.game.read_entry(change.entry, before))
        rows = [HistoryRow(sheet.seq + 1, "amend", "", entry, change.target, change.reason)]
    else:
        targets = [change.target]
        if sheet.history[change.target - 1].kind == "void":
            in_force = rows_in_force(sheet.history)
            targets = [row.seq for row in sheet.acts[change.target][::-1] if row.seq in in_force]
        rows = [
            HistoryRow(sheet.seq + n, "void", "", None, target, change.reason)
            for n, target in enumerate(targets, 1)
        ]
    history = (*sheet.history, *rows)
    touched = min(entry_touched(history, row) for row in rows)
    entries = entries_in_force(sheet.game, history, since=touched)
    after = _ruled_on_again(sheet.course.before(touched), entries, change.target)
    return Comparison(tuple(rows), sheet.course, after)


def _with_settings(sheet: OpenSheet, change: NewSettings) -> Comparison:
    becomes, renamed, changed = change.becomes, change.renamed, change.changed_names
    _, table = seat_table(sheet.game.slug, becomes.players, becomes.dealer, becomes.options)
    was, now = table_settings(sheet.table), table_settings(table)
    later = came_later(sheet.course)
    same = sorted(renamed.get(name, name) for name in was.players) == sorted(now.players)
    if not same or not renamed.keys() <= {*was.players, *later}:
        says = say(
            "Names and seats can change here, but not who plays: joining and leaving are entered "
            "on the sheet."
        )
        raise refused("other-players", says)
    faults = [fault for name in later if name in changed for fault in name_faults([changed[name]])]
    if faults:
        raise MalformedEntry(faults)
    if was == now and not changed:
        raise refused("nothing-changes", say("Nothing would change."))
    row = HistoryRow(sheet.seq + 1, "note", "", agreed=SettingsChange(was, now, changed))
    # Both courses have the new names, so that they differ only in scores.
    before = _renamed(sheet.course, renamed)
    start = Course(sheet.game, sheet.game.start(table), ())
    entries = entries_in_force(sheet.game, (*sheet.history, row))
    # New seats, house rules, or a new name for somebody who came later may break a rule: then all
    # is ruled on again.
    if before.start.table == table and not later:
        return Comparison((row,), before, start.followed_by(entries, legal=True))
    return Comparison((row,), before, _ruled_on_again(start, entries, 0))


def came_later(course: Course) -> tuple[str, ...]:
    """The names of players who joined or took a place, in order, without those of the start."""
    names: list[str] = []
    for step in course.steps:
        if isinstance(step.entry, Join):
            names.append(step.entry.player)
        elif isinstance(step.entry, Replace):
            names.append(step.entry.by)
    began = course.start.table.players
    return tuple(name for name in dict.fromkeys(names) if name not in began)


def _ruled_on_again(kept: Course, entries: Sequence[tuple[int, Entry]], target: int) -> Course:
    """`kept` with these entries; raises `IllegalEntry` for the first that breaks a rule."""
    try:
        return kept.followed_by(entries)
    except IllegalEntry as error:
        place = (error.entry or 0) - len(kept.steps)
        if entries[place][0] == target:
            raise
        state = kept.followed_by(entries[:place], legal=True).state
        deal = terms.numbered(kept.game.deal_called, state.deal + state.finished)
        why = joined(fault.says for fault in error.faults)
        says = say("{deal} would then break a rule: {why}", deal=deal, why=why)
        later = refused("later-entry", says)
        later.entry = error.entry
        raise later from error


def _renamed(course: Course, names: Mapping[str, str]) -> Course:
    """The course with players renamed at the table and in scores, though not in reasons."""
    steps = tuple(
        replace(
            step,
            lines=tuple(line.renamed(names) for line in step.lines),
            after=step.after.renamed(names),
        )
        for step in course.steps
    )
    return replace(course, start=course.start.renamed(names), steps=steps)


def _check_change(sheet: OpenSheet, change: Change) -> None:
    """Raise `IllegalEntry` if there is nothing of that kind to change, or its reason has faults."""
    found = list(reason_faults(change.reason))
    if found:
        raise IllegalEntry(found)
    target = next((row for row in sheet.history if row.seq == change.target), None)
    if target is None or target.seq not in rows_in_force(sheet.history):
        says = say("That deal isn’t on the sheet, or has already been removed.")
        raise refused("no-such-entry", says)
    if target.kind not in CHANGEABLE["void" if change.entry is None else "amend"]:
        raise refused("no-such-entry", say("Only a deal or its correction can be changed."))
