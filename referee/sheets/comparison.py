"""What a correction would make of a sheet, before it is made.

Only what it can change is played again: a correction of an entry goes on from the state before that
entry. Other names or house rules stand in every state, so then all is played again.
"""

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from referee.rules.core import terms
from referee.rules.core.entries import Entry, Join, Replace
from referee.rules.core.ruling import IllegalEntry, MalformedEntry, RefereeError
from referee.rules.core.seating import name_faults
from referee.rules.core.shared_entries import reason_faults
from referee.rules.text import joined, say
from referee.sheets.files import (
    Course,
    Step,
    entries_in_force,
    entry_of,
    played,
    seat_table,
    table_settings,
)
from referee.sheets.history import (
    CHANGEABLE,
    Past,
    SettingsChange,
    SheetSettings,
    entry_touched,
    in_force,
    standing,
)
from referee.sheets.sheet import Change, Comparison, OpenSheet, plain, refused


def compare_entry(sheet: OpenSheet, change: Change) -> Comparison:
    """What a correction would make of the sheet.

    Raises `IllegalEntry` where there is nothing of that kind to change, where the amended entry
    breaks a rule, or where a later entry would then break one; `MalformedEntry` or `NotationError`
    where the amended entry cannot be read.
    """
    _check_change(sheet, change)
    before = sheet.course.before(change.target).state
    row = Past(
        seq=sheet.seq + 1,
        kind="void" if change.entry is None else "amend",
        at="",
        entry=None if change.entry is None else plain(sheet.game, change.entry, before),
        target=change.target,
        reason=change.reason,
    )
    history = (*sheet.history, row)
    touched = entry_touched(history, row)
    since = [fate for fate in in_force(history) if fate.play.seq >= touched]
    entries = [(fate.play.seq, entry_of(sheet.game, fate)) for fate in since]
    after = _played_anew(sheet.course.before(touched), entries, change.target)
    return Comparison(row, sheet.course, after)


def compare_settings(
    sheet: OpenSheet, becomes: SheetSettings, renamed: Mapping[str, str]
) -> Comparison:
    """What other names, seats, another first dealer or other house rules would make of the sheet.

    `renamed` maps old names to new, also those of players who came later. Raises `MalformedEntry`
    where these people cannot sit down so, `IllegalEntry` where an entry would then break a rule,
    or nothing changes.
    """
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
    others = other_names(renamed)
    faults = [fault for name in later if name in others for fault in name_faults([others[name]])]
    if faults:
        raise MalformedEntry(faults)
    if was == now and not others:
        raise refused("nothing-changes", say("It’s already like that."))
    change = SettingsChange(was, now, others)
    row = Past(sheet.seq + 1, "note", "", agreed=change)
    # As it was, but by the new names: only what the change does is to be told.
    before = _by_other_names(sheet.course, renamed)
    start = Course(sheet.game, sheet.game.start(table), ())
    entries = entries_in_force(sheet.game, (*sheet.history, row))
    # Another name breaks no rule, unless somebody who came later has it. Other seats or house
    # rules may break one. Then all is ruled on again.
    legal = before.start.table == table and not later
    after = start.followed_by(entries, legal) if legal else _played_anew(start, entries, 0)
    return Comparison(row, before, after)


def came_later(course: Course) -> tuple[str, ...]:
    """The names of those who joined or took a place, in order, if nobody began with that name."""
    names: list[str] = []
    for step in course.steps:
        if isinstance(step.entry, Join):
            names.append(step.entry.player)
        elif isinstance(step.entry, Replace):
            names.append(step.entry.by)
    began = course.start.table.players
    return tuple(name for name in dict.fromkeys(names) if name not in began)


def other_names(renamed: Mapping[str, str]) -> dict[str, str]:
    """Those of `renamed` whose names change."""
    return {old: new for old, new in renamed.items() if old != new}


def _played_anew(kept: Course, entries: Iterable[tuple[int, Entry]], target: int) -> Course:
    """`kept` with these entries, each ruled on; raises `IllegalEntry` for the first against a rule.

    Where that is another than the entry of row `target`, its deal is named.
    """
    steps: list[Step] = list(kept.steps)
    numbered = list(entries)
    try:
        for step in played(kept.game, kept.state, numbered, legal=False):
            steps.append(step)
    except IllegalEntry as error:
        error.entry = len(steps)
        if numbered[len(steps) - len(kept.steps)][0] == target:
            raise
        state = replace(kept, steps=tuple(steps)).state
        deal = terms.numbered(kept.game.deal_called, state.deal + state.finished)
        why = joined(fault.says for fault in error.faults)
        says = say("{deal} would then break a rule: {why}", deal=deal, why=why)
        later = refused("later-entry", says)
        later.entry = error.entry
        raise later from error
    except RefereeError as error:
        error.entry = len(steps)
        raise
    return replace(kept, steps=tuple(steps))


def _by_other_names(course: Course, renamed: Mapping[str, str]) -> Course:
    """The course with its players called otherwise at the table and in what each entry scored.

    For comparing scores; the entries and the reasons still have the old names.
    """
    steps = tuple(
        replace(
            step,
            lines=tuple(line.called(renamed) for line in step.lines),
            after=step.after.called(renamed),
        )
        for step in course.steps
    )
    return replace(course, start=course.start.called(renamed), steps=steps)


def _check_change(sheet: OpenSheet, change: Change) -> None:
    """Raise `IllegalEntry` where there is nothing of that kind to change, or for its reason."""
    found = list(reason_faults(change.reason))
    if found:
        raise IllegalEntry(found)
    stands = standing(sheet.history)
    target = next((row for row in sheet.history if row.seq == change.target), None)
    if target is None or target.seq not in stands:
        says = say("That deal isn’t on the sheet, or has already been removed.")
        raise refused("no-such-entry", says)
    if target.kind not in CHANGEABLE["void" if change.entry is None else "amend"]:
        raise refused("no-such-entry", say("Only a deal or its correction can be changed."))
