"""The score sheet file: reading it, playing it through, and its result.

`docs/sheet-format.md` is the contract. A sheet is read whole (`read_sheet`) before it is played
(`play_through`), to distinguish a file that cannot be read from one that breaks a rule.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.ledger.store import Draft, NewSheet, Role
from referee.rules.core.decoding import decode
from referee.rules.core.entries import Entry, players_named, with_names
from referee.rules.core.game import AnyGame
from referee.rules.core.ruling import MalformedEntry, NotationError, RefereeError, shared_fault
from referee.rules.core.seating import name_faults
from referee.rules.core.table import Line, State, Table, change_by_player
from referee.rules.documents import given_twice, keys_given_twice
from referee.rules.letters import unseen
from referee.rules.registry import GAMES
from referee.rules.text import Text, joined, listed, quoted, say, say_many
from referee.sheets.history import (
    Fate,
    HistoryRow,
    SheetSettings,
    chained,
    hash_faults,
    head_of,
    in_force,
    keys_of,
    row_body,
    row_faults,
    settings_now,
)

MAX_PLAYERS = 99


class SheetFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The fields of a sheet file, before their values are read."""

    referee: Literal[1]
    game: str
    players: Annotated[list[str], Meta(max_length=MAX_PLAYERS)]
    dealer: str | None = None
    options: dict[str, Any] = {}
    entries: list[Any] = []
    history: list[HistoryRow] | None = None


class Sheet(Struct, frozen=True):
    """A sheet that has been read: the game, its settings, and what was entered."""

    game: AnyGame
    table: Table[Any]
    entries: tuple[Entry, ...]
    history: tuple[HistoryRow, ...] | None = None


class Step(Struct, frozen=True):
    """An entry with its result: the breakdown, and the state after it; `seq` is its row, from 1."""

    seq: int
    entry: Entry
    lines: tuple[Line, ...]
    after: State[Any]


class Course(Struct, frozen=True):
    """A sheet played through: its first state, and a step for every entry."""

    game: AnyGame
    start: State[Any]
    steps: tuple[Step, ...]

    @property
    def state(self) -> State[Any]:
        """The state after the last step."""
        return self.steps[-1].after if self.steps else self.start

    def extends(self, other: "Course") -> bool:
        """Whether this course is `other`, perhaps with more steps."""
        played = len(other.steps)
        if self.start is not other.start or played > len(self.steps):
            return False
        return not played or self.steps[played - 1] is other.steps[-1]

    def before(self, seq: int) -> "Course":
        """The course before the entry of row `seq`: a checkpoint, as states never change."""
        place = bisect_left(self.steps, seq, key=lambda step: step.seq)
        return self if place == len(self.steps) else replace(self, steps=self.steps[:place])

    def followed_by(self, numbered: Iterable[tuple[int, Entry]], legal: bool = False) -> "Course":
        """The course with more entries and their rows; ruled on, unless they are `legal`.

        Raises as `play_through` does.
        """
        steps, state = list(self.steps), self.state
        play = self.game.carry_out if legal else self.game.apply
        try:
            for seq, entry in numbered:
                state, lines = play(state, entry)
                steps.append(Step(seq, entry, lines, state))
        except RefereeError as error:
            error.entry = len(steps)
            raise
        return replace(self, steps=tuple(steps))


def read_sheet(text: str | bytes, most_rows: int | None = None) -> Sheet:
    """Read a sheet in JSON. Raises `MalformedEntry`; its `entry` is the index of the one at fault.

    A file with more than `most_rows` entries or rows of history is refused before it is read.
    """
    try:
        value = msgspec.json.decode(text)
        twice = keys_given_twice(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as fault:
        says = say("This isn’t a sheet file: it isn’t JSON ({why}).", why=str(fault))
        raise MalformedEntry([shared_fault("not-json", says, "file")]) from None
    if not twice:
        return sheet_from(value, most_rows)
    # Faults of the file come before those of its first entry at fault.
    of_file = [place for place in twice if place[0] != "entries" or len(place) < 3]
    entry = None if of_file else twice[0][1]
    blamed = of_file or [place[2:] for place in twice if place[1] == entry]
    error = MalformedEntry(shared_fault("key-twice", given_twice(at), "file") for at in blamed)
    error.entry = entry if isinstance(entry, int) else None
    raise error


def sheet_from(value: Any, most_rows: int | None = None) -> Sheet:
    """Read a sheet from a value of plain JSON types; raises as `read_sheet` does."""
    file = decode(value, SheetFile, "sheet")
    rows = max(len(file.entries), len(file.history or ()))
    if most_rows is not None and rows > most_rows:
        says = say_many(
            "This sheet has {n} row; at most {most} fit in here.",
            "This sheet has {n} rows; at most {most} fit in here.",
            n=rows,
            most=most_rows,
        )
        raise MalformedEntry([shared_fault("sheet-full", says, "file")])
    game, table = seat_table(file.game, file.players, file.dealer, file.options)
    entries = _read_entries(game, table, file.entries)
    history = None
    if file.history is not None:
        history = _read_history(game, table, file.history, entries)
    return Sheet(game, table, entries, history)


def seat_table(
    slug: str, players: Sequence[str], dealer: str | None, options: Mapping[str, Any]
) -> tuple[AnyGame, Table[Any]]:
    """The game `slug`, and its table with `players`; `dealer`, or the first of them, deals.

    Raises `MalformedEntry` with all faults.
    """
    if slug not in GAMES:
        says = say(
            "There’s no game called “{slug}”. The games are {games}.",
            slug=quoted(slug),
            games=listed(GAMES),
        )
        raise MalformedEntry([shared_fault("unknown-game", says, "file")])
    game = GAMES[slug]
    faults = list(name_faults(players))
    house_rules = game.house_rules()
    try:
        house_rules = decode(dict(options), game.house_rules, "options")
    except MalformedEntry as error:
        faults.extend(error.faults)
    if dealer is not None and dealer not in players:
        says = say("The dealer “{name}” isn’t one of the players.", name=quoted(dealer))
        faults.append(shared_fault("unknown-dealer", says, "file"))
    seat = players.index(dealer) if dealer in players else 0
    table = Table(tuple(players), seat, house_rules)
    faults.extend(game.table_faults(table))
    if faults:
        raise MalformedEntry(faults)
    return game, table


def play_through(game: AnyGame, table: Table[Any], entries: Iterable[Entry]) -> Course:
    """Rule on and play all entries. Raises as `Game.apply` does, with the index as `entry`."""
    return Course(game, game.start(table), ()).followed_by(enumerate(entries, start=1))


def result(course: Course) -> dict[str, Any]:
    """The result of a sheet, as `referee score --json` prints it."""
    state = course.state
    return {
        "game": course.game.slug,
        "entries": len(course.steps),
        "deal": state.deal,
        "dealer": state.dealer_name,
        "finished": state.finished,
        "winners": [state.name(seat) for seat in state.winners],
        "scores": state.totals,
        "left": [gone.name for gone in state.left],
        "pools": dict(state.pools),
        "lines": [
            {"entry": index, "scores": change_by_player(step.lines, step.after.everybody)}
            for index, step in enumerate(course.steps)
        ],
    }


def _read_entries(game: AnyGame, table: Table[Any], values: Sequence[Any]) -> tuple[Entry, ...]:
    """The entries of a file; raises `MalformedEntry` for the first that cannot be read.

    If those before it are legal, the error also names the rules that this one breaks.
    """
    entries: list[Entry] = []
    for value in values:
        try:
            entries.append(game.read_entry(value))
        except MalformedEntry as unread:
            error = unread
            try:
                game.read_entry(value, play_through(game, table, entries).state)
            except MalformedEntry as with_rules:
                error = with_rules
            except RefereeError:
                pass  # one before it is illegal, so the state here is not known
            error.entry = len(entries)
            raise error from None
    return tuple(entries)


def entries_in_force(
    game: AnyGame, history: Sequence[HistoryRow], since: int = 0
) -> list[tuple[int, Entry]]:
    """The entries that count from row `since` on, with their rows and the current names."""
    counted = (fate for fate in in_force(history) if fate.play.seq >= since)
    return [(fate.play.seq, entry_of(game, fate)) for fate in counted]


def entry_of(game: AnyGame, fate: Fate) -> Entry:
    """An entry as it is now, with the players' current names."""
    return with_names(game.read_entry(fate.last), fate.renamed)


def table_settings(table: Table[Any]) -> SheetSettings:
    """The settings of a sheet at this table, as plain values."""
    players = list(table.players)
    return SheetSettings(players, players[table.dealer], msgspec.to_builtins(table.options))


def text_faults(game: AnyGame, table: Table[Any], rows: Sequence[HistoryRow]) -> Iterator[Text]:
    """Faults for unreadable cards in entries that no longer count but are still shown."""
    start = game.start(table)
    counted = {(fate.amended or (fate.play,))[-1].seq for fate in in_force(rows)}
    for row in rows:
        if row.entry is None or row.seq in counted:
            continue
        entry = game.read_entry(row.entry)
        strangers = [name for name in players_named(entry) if name not in table.players]
        known = [name for name in table.players if name not in players_named(entry)]
        seated = dict(zip(strangers, known, strict=False))  # whose entry it is makes no difference
        try:
            game.check(start, with_names(entry, seated))
        except NotationError as error:
            why = joined(fault.says for fault in error.faults if fault.section == "cards")
            yield say("row {row} can’t be read ({why})", row=row.seq, why=why)


def _read_history(
    game: AnyGame, table: Table[Any], history: Iterable[HistoryRow], entries: Sequence[Entry]
) -> tuple[HistoryRow, ...]:
    """Read the history, its entries as the ledger writes them; raises `MalformedEntry`.

    It must be in order, hold only entries of the game, and lead to exactly these `entries` and the
    settings of `table`. Entries are compared once read: as plain values, 1 would equal `true`.
    """
    now = table_settings(table)
    rows = tuple(history)
    faults = row_faults(rows)
    for row in rows:
        faults += [
            say("row {row} can’t be read ({why})", row=row.seq, why=fault.says)
            for fault in (name_faults([row.by]) if row.by else ())
        ]
        texts = _texts_in(msgspec.to_builtins(replace(row, entry=None)))
        # Whitespace of any kind separates cards, so entries recorded with it can be read.
        entered = (" ".join(text.split()) for text in _texts_in(row.entry))
        if any(map(unseen, (*texts, *entered))):
            says = say("row {row} has an invisible character in it", row=row.seq)
            faults.append(says)
    read: list[HistoryRow] = []
    for row in rows:
        try:
            entry = None if row.entry is None else msgspec.to_builtins(game.read_entry(row.entry))
            read.append(replace(row, entry=entry))
        except MalformedEntry as error:
            faults.append(say("row {row} can’t be read ({why})", row=row.seq, why=str(error)))
    if not faults:
        faults += hash_faults(head_of(game.slug, now, rows), rows)
        faults += text_faults(game, table, read)
    if not faults and [entry for _, entry in entries_in_force(game, read)] != list(entries):
        faults.append(say("it doesn’t lead to the entries on the sheet"))
    if not faults and settings_now(now, read) != now:
        faults.append(say("it doesn’t lead to the players and house rules on the sheet"))
    if faults:
        says = say("The history can’t be right: {faults}.", faults="; ".join(map(str, faults)))
        raise MalformedEntry([shared_fault("history", says, "file")])
    return tuple(read)


def _texts_in(value: Any) -> Iterator[str]:
    """All the text in a value of plain JSON types, however deep, names of fields included."""
    waiting = [value]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            waiting += [*value, *value.values()]
        elif isinstance(value, list):
            waiting += value


def hashes_of(sheet: Sheet) -> list[str]:
    """The hashes of the rows of a sheet; the last of them stands for all of the rows."""
    history = sheet.history or ()
    head = head_of(sheet.game.slug, table_settings(sheet.table), history)
    return [made for _, made in chained(head.text(), history)]


def as_new(sheet: Sheet, links: Sequence[tuple[Role, str]], at: str) -> NewSheet:
    """A sheet read from a file, ready to be stored with these links and this time.

    Without a history of its own it gets one, as if its entries had been recorded just now. Raises
    `IllegalEntry` or `NotationError` if an entry breaks a rule.
    """
    play_through(sheet.game, sheet.table, sheet.entries)
    history = sheet.history
    if history is None:
        history = tuple(
            HistoryRow(seq, "play", at, msgspec.to_builtins(entry))
            for seq, entry in enumerate(sheet.entries, start=1)
        )
    drafts = [
        Draft(row.kind, row_body(row), key, "host", row.at, row.target, row.by)
        for row, key in _keyed(sheet.game, history)
    ]
    head = head_of(sheet.game.slug, table_settings(sheet.table), history)
    return NewSheet(head.text(), links, at, drafts)


def _keyed(game: AnyGame, history: Iterable[HistoryRow]) -> Iterator[tuple[HistoryRow, str]]:
    """Yield the rows of a file, each with a key for the ledger (`keys_of`).

    A file doesn’t say which rows one form wrote, so that is inferred. If forms of the game can
    record the turns of several players, what one phone wrote in one second is taken as one form:
    the same action by several players, once each, or voids of rows of one form.
    """
    forms: dict[int, str] = {}
    for _, rows in groupby(history, lambda row: (row.kind, row.at, row.by)):
        act = [*rows]
        one_form = False
        if game.turns.several and act[0].kind == "play":
            entries = [row.entry or {} for row in act]
            once_each = len({one.get("player") for one in entries}) == len(act)
            one_form = once_each and len({one.get("action") for one in entries}) == 1
        elif game.turns.several and act[0].kind == "void":
            one_form = len({forms.get(row.target or 0) for row in act}) == 1
        for part in [act] if one_form else [[row] for row in act]:
            form = f"imported-{part[0].seq}"
            forms |= {row.seq: form for row in part}
            yield from zip(part, keys_of(form, len(part)), strict=True)
