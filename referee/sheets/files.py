"""The score sheet file: reading it, playing it through, and the result it comes to.

`docs/sheet-format.md` is the contract. A sheet is read whole (`read_sheet`) before it is played
(`play_through`), so a file that cannot be read is told from one that breaks a rule.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from referee.rules.core.decoding import SHARED_RULES, decode
from referee.rules.core.entries import Entry, with_names
from referee.rules.core.game import Game
from referee.rules.core.lines import Line, change_by_player
from referee.rules.core.ruling import Fault, MalformedEntry, RefereeError
from referee.rules.core.table import NAME_LENGTH, State, Table
from referee.rules.registry import GAMES
from referee.sheets.history import Agreement, Fate, Past, as_agreed, in_force, row_faults

FILE_RULE = f"{SHARED_RULES}, the sheet file"
MOST_PLAYERS = 99


class SheetFile(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A sheet as it lies in a file, before its parts are understood."""

    referee: Literal[1]
    game: str
    players: Annotated[list[str], Meta(max_length=MOST_PLAYERS)]
    dealer: str | None = None
    options: dict[str, Any] = {}
    entries: list[Any] = []
    history: list[Past] | None = None


class Sheet(Struct, frozen=True):
    """A sheet that has been read: the game, who sits where, and what was entered."""

    game: Game[Any, Any]
    table: Table
    entries: tuple[Entry, ...]
    history: tuple[Past, ...] | None = None


class Scored(Struct, frozen=True):
    """An entry with what it did: the breakdown, and the state it led to."""

    entry: Entry
    lines: tuple[Line, ...]
    after: State


class Course(Struct, frozen=True):
    """A sheet played through: where it began, and every entry with what it did."""

    game: Game[Any, Any]
    start: State
    steps: tuple[Scored, ...]

    @property
    def state(self) -> State:
        """The sheet as it stands now."""
        return self.steps[-1].after if self.steps else self.start

    def followed_by(self, entries: Iterable[Entry], legal: bool = False) -> "Course":
        """The same with more entries. Raises as `play_through` does, unless they are `legal`."""
        play = self.game.carry_out if legal else self.game.apply
        state = self.state
        steps = list(self.steps)
        for entry in entries:
            try:
                state, lines = play(state, entry)
            except RefereeError as error:
                error.entry = len(steps)
                raise
            steps.append(Scored(entry, lines, state))
        return replace(self, steps=tuple(steps))


def read_sheet(text: str | bytes) -> Sheet:
    """The sheet in a JSON text. Raises `MalformedEntry`; its `entry` names the entry at fault."""
    try:
        value = msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        message = f"This is not a sheet file: it is not JSON ({error})."
        raise MalformedEntry([Fault("not-json", message, FILE_RULE)]) from None
    return sheet_from(value)


def sheet_from(value: Any) -> Sheet:
    """The sheet in a value of plain JSON types; raises `MalformedEntry` as `read_sheet` does."""
    file: SheetFile = decode(value, SheetFile, "sheet")
    game, table = seat_table(file.game, file.players, file.dealer, file.options)
    entries = tuple(_read_entry(game, index, entry) for index, entry in enumerate(file.entries))
    history = None
    if file.history is not None:
        history = _read_history(game, agreement(table), file.history, entries)
    return Sheet(game, table, entries, history)


def seat_table(
    slug: str, players: Sequence[str], dealer: str | None, options: Mapping[str, Any]
) -> tuple[Game[Any, Any], Table]:
    """The game called `slug` with `players` at its table, `dealer` (or the first named) dealing.

    Raises `MalformedEntry` with everything that is wrong with them.
    """
    if slug not in GAMES:
        message = f"There is no game “{slug[:40]}”. The games are {', '.join(GAMES)}."
        raise MalformedEntry([Fault("unknown-game", message, FILE_RULE)])
    game = GAMES[slug]
    faults = list(name_faults(players))
    house_rules = game.house_rules()
    try:
        house_rules = decode(dict(options), game.house_rules, "options")
    except MalformedEntry as error:
        faults.extend(error.faults)
    if dealer is not None and dealer not in players:
        message = f"The dealer “{dealer[:40]}” is not one of the players."
        faults.append(Fault("unknown-dealer", message, FILE_RULE))
    seat = players.index(dealer) if dealer in players else 0
    table = Table(tuple(players), seat, house_rules)
    faults.extend(game.table_faults(table))
    if faults:
        raise MalformedEntry(faults)
    return game, table


def name_faults(players: Sequence[str]) -> Iterable[Fault]:
    """What is wrong with the names: empty, too long, with line breaks, or the same twice."""
    seen: dict[str, str] = {}
    for name in players:
        plain = name.strip()
        length = len(name) if plain else 0
        if not 1 <= length <= NAME_LENGTH:
            message = f"A name has 1 to {NAME_LENGTH} characters; “{name[:40]}” has {length}."
            yield Fault("name-length", message, f"{SHARED_RULES}, players")
        if any(map(_cannot_be_seen, name)):
            message = f"The name “{plain[:40]}” has a character in it that cannot be seen."
            yield Fault("name-characters", message, f"{SHARED_RULES}, players")
        folded = unicodedata.normalize("NFC", plain).casefold()
        if folded in seen:
            message = f"Two players are called “{plain[:40]}”. Give one of them another name."
            yield Fault("name-twice", message, f"{SHARED_RULES}, players")
        seen[folded] = plain


def _cannot_be_seen(letter: str) -> bool:
    """Control characters, line breaks and the like; joiners stay, emoji are made with them."""
    if letter in "\u200c\u200d":
        return letter == "\u200c"
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")


def play_through(
    game: Game[Any, Any], table: Table, entries: Iterable[Entry], legal: bool = False
) -> Course:
    """Every entry in turn. Raises what `Game.apply` raises, its `entry` set to the index.

    Entries that are known to be `legal` are played without ruling on them again.
    """
    return Course(game, game.start(table), ()).followed_by(entries, legal)


def result(course: Course) -> dict[str, Any]:
    """What `referee score --json` prints of a sheet played through."""
    state = course.state
    players = state.table.players
    return {
        "game": course.game.slug,
        "entries": len(course.steps),
        "deal": state.deal,
        "dealer": state.name(state.dealer),
        "finished": state.finished,
        "winners": [state.name(seat) for seat in state.winners],
        "scores": dict(zip(players, state.scores, strict=True)),
        "pools": dict(state.pools),
        "lines": [
            {"entry": index, "scores": change_by_player(step.lines, players)}
            for index, step in enumerate(course.steps)
        ],
    }


def error_document(error: RefereeError) -> dict[str, Any]:
    """What `--json` prints where a sheet or a question is refused."""
    faults = [msgspec.to_builtins(fault) for fault in error.faults]
    return {"error": {"entry": error.entry, "faults": faults}}


def _read_entry(game: Game[Any, Any], index: int, value: Any) -> Entry:
    try:
        return game.read_entry(value)
    except MalformedEntry as error:
        error.entry = index
        raise


def entries_in_force(game: Game[Any, Any], history: Sequence[Past]) -> list[Entry]:
    """The entries that count, in order, their players called as they are called now."""
    return [entry_of(game, fate) for fate in in_force(history)]


def entry_of(game: Game[Any, Any], fate: Fate) -> Entry:
    """An entry as it stands, its players called as they are called now."""
    return with_names(game.read_entry(fate.last), fate.renames)


def agreement(table: Table) -> Agreement:
    """What a table has agreed on, as plain values."""
    players = list(table.players)
    return Agreement(players, players[table.dealer], msgspec.to_builtins(table.options))


def _read_history(
    game: Game[Any, Any], now: Agreement, history: Iterable[Past], entries: Sequence[Entry]
) -> tuple[Past, ...]:
    """The history, its entries written as the ledger keeps them.

    It must be in order, hold nothing but entries of the game, and come to the very `entries`.
    They are compared as they were read: as plain values a 1 would pass for `true`. It must also
    come to what is agreed `now`.
    """
    rows = tuple(history)
    faults = row_faults(rows)
    for row in (row for row in rows if row.by):
        faults.extend(f"row {row.seq}: {fault.message}" for fault in name_faults([row.by]))
    read: list[Past] = []
    for row in rows:
        try:
            entry = None if row.entry is None else msgspec.to_builtins(game.read_entry(row.entry))
            read.append(replace(row, entry=entry))
        except MalformedEntry as error:
            faults.append(f"row {row.seq} cannot be read ({error})")
    if not faults and entries_in_force(game, read) != list(entries):
        faults.append("it does not come to the entries of the sheet")
    if not faults and as_agreed(now, read) != now:
        faults.append("it does not come to the players and house rules of the sheet")
    if faults:
        message = f"The history cannot be right: {'; '.join(faults)}."
        raise MalformedEntry([Fault("history", message, FILE_RULE)])
    return tuple(read)
