"""What a sheet's page shows beside the pad: the last change, and how the game ended."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core import terms
from referee.rules.core.entries import SHARED, Entry
from referee.rules.core.ruling import IllegalEntry
from referee.rules.core.table import Standing
from referee.rules.settling import balances
from referee.rules.text import NOTHING, Signed, Text, listed, say, say_many
from referee.sheets.files import Step
from referee.sheets.history import HistoryRow, entry_touched
from referee.sheets.score_pad import PadRow
from referee.sheets.sheet import OpenSheet

#: What the last change did: to an entry, or else to names and house rules.
Done = Literal["recorded", "changed", "removed", "restored", "settings"]

MAX_BEST = 2  # if more deals were equally good, none is highlighted
HOUR = 60  # minutes
LONGEST = 12 * HOUR  # of a longer game, most was not spent playing


class Play(Struct, frozen=True):
    """An entry of an act, with all `players` who did the same in it: "Ann and Ben called".

    `step` is the entry as it was played; None if it does not count.
    """

    players: tuple[str, ...]
    entry: Entry
    step: Step | None


class LastChange(Struct, frozen=True):
    """The newest act of a sheet (`OpenSheet.acts`), for one line about it and for undoing it.

    `newest` is its last row, `before` the number of the row before its first, remarks not counted.
    `plays` are the entries that it made or changed, and `row` the row of the pad with the last of
    them, if that counts; `on_top` if nothing that counts comes after it. `deal_removed` is the
    number of the deal that it removed as a whole, 0 for a part of one. `told` is what the game's
    `told.html` shows about the deal that it ended, until the next one begins.
    """

    newest: HistoryRow
    before: int
    done: Done
    plays: tuple[Play, ...]
    on_top: bool
    row: PadRow | None
    deal_removed: int
    told: object | None

    @property
    def to_void(self) -> int:
        """The number of the row to void for undoing it; 0 if it cannot be undone."""
        return 0 if self.newest.kind == "note" else self.newest.seq


def last_change(sheet: OpenSheet) -> LastChange | None:
    """The last change of a sheet; None if there was none."""
    newest = next((row for row in reversed(sheet.history) if not row.remark), None)
    if newest is None:
        return None
    act = sheet.acts[newest.seq]
    earlier = (row.seq for row in reversed(sheet.history[: act[0].seq - 1]) if not row.remark)
    plays, play = plays_of(sheet, act), entry_touched(sheet.history, newest)
    step = sheet.step_at(play)
    row = next((row for row in sheet.pad.all_rows[::-1] if step in row.steps), None)
    state, told = sheet.state, None
    between_deals = not (state.begun or state.finished)
    if row and row.kind == "deal" and row is sheet.pad.rows[-1] and between_deals:
        ended = row.steps[-1]
        before = sheet.course.before(ended.seq).state
        told = sheet.game.pad.told(before, ended.entry, ended.lines)
    done: Done = "settings"
    match newest.kind:
        case "play":
            done = "recorded"
        case "amend":
            done = "changed"
        case "void" if step is None:
            done = "removed"
        case "void":
            voided = sheet.history[(newest.target or 0) - 1]
            done = "restored" if voided.kind == "void" else "changed"
    on_top = done in ("recorded", "restored") and step is sheet.course.steps[-1]
    removes = done == "removed" and len(act) == 1
    return LastChange(
        newest=newest,
        before=next(earlier, 0),
        done=done,
        plays=plays,
        on_top=on_top,
        row=row,
        deal_removed=whole_deal(sheet, play, plays[0].entry) if removes else 0,
        told=told,
    )


def plays_of(sheet: OpenSheet, act: Sequence[HistoryRow]) -> tuple[Play, ...]:
    """The entries that an act made, changed or removed, in order; equal ones are one `Play`."""
    found: list[tuple[object, list[str], Entry, Step | None]] = []
    for seq in sorted({entry_touched(sheet.history, row) for row in act} & sheet.fates.keys()):
        entry, step = sheet.entry_of(sheet.fates[seq]), sheet.step_at(seq)
        player = getattr(entry, "player", "")
        did = replace(entry, player="") if player else entry
        alike = (did, [line.reason for line in step.lines] if step else [])
        names = next((names for other, names, *_ in found if player and other == alike), None)
        if names is None:
            found.append((alike, [player], entry, step))
        else:
            names.append(player)
    return tuple(Play(tuple(names), entry, step) for _, names, entry, step in found)


def entered_first(sheet: OpenSheet, since: int) -> Text:
    """A sentence about what was written after row `since`, for a late phone: "Cy’s win was …".

    It names the latest deal, if any has ended since.
    """
    ended = [row for row in sheet.pad.rows if row.kind == "deal" and row.steps]
    deals = [row for row in ended if row.steps[-1].seq > since]
    if not deals:
        return say("something else was entered first.")
    row, called = deals[-1], sheet.game.deal_called
    gained = [player for player, cell in row.cells.items() if cell.points > 0]
    if len(gained) != 1 or sheet.game.goal.lowest_wins(sheet.state.table.options):
        return terms.of_deal(called, "entered first", number=row.deal)
    return terms.of_deal(called, "win entered first", player=gained[0], number=row.deal)


def whole_deal(sheet: OpenSheet, play: int, entry: Entry) -> int:
    """The number of the deal if the entry of row `play` is all of it, voided or not; else 0."""
    return 0 if sheet.course.before(play).state.begun else deal_ended(sheet, play, entry)


def deal_ended(sheet: OpenSheet, play: int, entry: Entry) -> int:
    """The number of the deal that the entry of row `play` ends, voided or not; else 0."""
    state = sheet.course.before(play).state
    if isinstance(entry, SHARED):
        return 0
    try:
        after, _ = sheet.game.apply(state, entry)
    except IllegalEntry:  # an earlier entry was changed since; this one had ended the deal
        return state.deal
    return state.deal if after.deal != state.deal or after.finished else 0


# --- the end


class Fact(Struct, frozen=True):
    """A fact about a game: its heading and its text."""

    about: Text
    says: Text


class Ending(Struct, frozen=True):
    """A game that is over, in words: by how much it was won, and facts about it.

    `places` are the standings, best first, equals sharing a rank; those who have left come last.
    `to_pay` names who has lost how many counters; empty in a game for points. `rivals` are the two
    whose games against each other are counted, the winner first, or nobody.
    """

    winners: tuple[str, ...]
    margin: Text
    places: tuple[Standing, ...]
    facts: tuple[Fact, ...]
    deals: Text
    lasted: Text
    to_pay: Text
    rivals: tuple[str, ...]


def ending_of(sheet: OpenSheet) -> Ending | None:
    """The ending of a sheet; None while its game goes on."""
    state, deals = sheet.state, [row for row in sheet.pad.rows if row.kind == "deal"]
    if not state.finished:
        return None
    winners, places = tuple(map(state.name, state.winners)), sheet.game.standings(state)
    others = [one for one in places if winners and one.rank and one.player not in winners]
    behind = tuple(one.player for one in others if one.rank == others[0].rank)
    rivals = (*winners, *behind)[:2]
    facts = _turning_point(sheet, winners)
    if len(deals) > 1 and (best := _best_deal(sheet, deals)):
        facts = (best, *facts)
    return Ending(
        winners=winners,
        margin=_margin(sheet, winners, behind),
        places=places,
        facts=facts,
        deals=terms.of_deal(sheet.game.deal_called, "how many", n=len({row.deal for row in deals})),
        lasted=lasted(sheet.begun, sheet.changed),
        to_pay=_debts(sheet),
        rivals=rivals if len(rivals) > 1 else (),
    )


def _margin(sheet: OpenSheet, winners: tuple[str, ...], behind: tuple[str, ...]) -> Text:
    if not winners:
        played = any(row.kind == "deal" for row in sheet.pad.rows)
        return NOTHING if played else say("Play stopped before anything was scored.")
    totals = sheet.state.totals
    own = totals[winners[0]]
    score = terms.amount(sheet.game.unit, own)
    if len(winners) > 1:
        return say("{amount} each", amount=score)
    ahead = abs(own - totals[behind[0]]) if behind else 0
    if not ahead:
        return score
    return say("{amount}, {n} ahead of {players}", amount=score, n=ahead, players=listed(behind))


def _debts(sheet: OpenSheet) -> Text:
    if not sheet.game.has_counters:
        return NOTHING
    course = sheet.course
    found = balances(sheet.game, course.start, course.state, (step.entry for step in course.steps))
    owed = sorted((one for one in found if one.net < 0), key=lambda one: one.net)
    each = [say("{player} {n}", player=one.player, n=-one.net) for one in owed]
    return say("{debts}", debts=listed(each)) if each else NOTHING


def _best_deal(sheet: OpenSheet, deals: list[PadRow]) -> Fact | None:
    """The deal that brought a player most; None if more than `MAX_BEST` were equally good."""
    lowest = sheet.game.goal.lowest_wins(sheet.state.table.options)
    found = [(cell.points, player, row) for row in deals for player, cell in row.cells.items()]
    if not found:
        return None
    most = (min if lowest else max)(points for points, _, _ in found)
    best = [(player, row.deal) for points, player, row in found if points == most]
    if len(best) > MAX_BEST:
        return None
    by_player: dict[str, list[int]] = {}
    for player, deal in best:
        by_player.setdefault(player, []).append(deal)
    called = sheet.game.deal_called
    whose = listed(
        terms.of_deal(called, "whose", n=len(which), player=name, numbers=listed(which))
        for name, which in by_player.items()
    )
    points = most if lowest else Signed(most)  # as on the pad
    heading = terms.of_deal(called, "best")
    return Fact(heading, say("{whose}: {points}", whose=whose, points=points))


def _turning_point(sheet: OpenSheet, winners: tuple[str, ...]) -> tuple[Fact, ...]:
    """The deal from which the only winner led alone to the end; empty if there is none."""
    after: dict[int, Mapping[str, int]] = {}  # the totals after each deal that was played out
    played = 0
    for row in sheet.pad.rows:
        if row.kind == "deal":
            played = row.deal
        if played:  # a penalty or a purchase counts with the deal before it
            after[played] = row.totals
    if len(winners) != 1 or len(after) < 2:
        return ()
    seated, lowest = (
        sheet.state.table.players,
        sheet.game.goal.lowest_wins(sheet.state.table.options),
    )
    since = None
    for deal, totals in reversed(after.items()):
        own = totals.get(winners[0])
        others = (totals.get(name) for name in seated if name != winners[0])
        if own is None or any(
            total is not None and (total <= own if lowest else total >= own) for total in others
        ):
            break
        since = deal
    if since is None:
        return ()
    if since == next(iter(after)):
        return (Fact(say("Turning point"), say("{player} led all the way", player=winners[0])),)
    # A winner who loses points here took no lead: the player ahead lost more.
    before = after[max(deal for deal in after if deal < since)]
    gained = after[since].get(winners[0], 0) - before.get(winners[0], 0)
    ahead = {name: before[name] for name in seated if name in before and name != winners[0]}
    leaders = [name for name, total in ahead.items() if total == max(ahead.values())]
    called = sheet.game.deal_called
    says = terms.of_deal(called, "takes the lead", player=winners[0], number=since)
    if leaders and gained < 0 and not lowest:
        says = terms.of_deal(
            called,
            "loses the lead",
            n=len(leaders),
            leaders=listed(leaders),
            player=winners[0],
            number=since,
        )
    return (Fact(say("Turning point"), says),)


def lasted(begun: str, ended: str) -> Text:
    """How long a game took; empty where `minutes_between` is 0."""
    minutes = minutes_between(begun, ended)
    if not minutes:
        return NOTHING
    if minutes < HOUR:
        return say_many("{n} minute", "{n} minutes", n=minutes)
    return say("{hours} h {minutes} min", hours=minutes // HOUR, minutes=minutes % HOUR)


def minutes_between(begun: str, ended: str) -> int:
    """How many minutes a game took; 0 for less than one, or more than `LONGEST`."""
    try:
        took = datetime.fromisoformat(ended) - datetime.fromisoformat(begun)
    except (ValueError, TypeError):  # an imported sheet brings its own times
        return 0
    minutes = int(took.total_seconds() // 60)
    return minutes if 0 < minutes <= LONGEST else 0
