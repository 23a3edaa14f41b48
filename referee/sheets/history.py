"""The history of a sheet: which entries count, and which were amended or voided.

Nothing is ever erased. A row may void an earlier one, and be voided itself, which brings the
earlier one back; an amendment changes the content of an entry and keeps its place in the order.
"""

from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct

from referee.ledger.chain import HASH_LENGTH, HashedPart, first_hash, row_hash
from referee.ledger.store import Kind
from referee.rules.core.entries import Reason
from referee.rules.core.seating import NAME_LENGTH
from referee.rules.text import Text, say

HASH = f"^[0-9a-f]{{{HASH_LENGTH}}}$"

#: The fields that a row of each kind must hold (true), and those that it must leave out (false).
ROW_PARTS: Mapping[str, Mapping[str, bool]] = {
    "play": {"entry": True, "target": False, "agreed": False, "remark": False},
    "amend": {"entry": True, "target": True, "agreed": False, "remark": False},
    "void": {"target": True, "entry": False, "agreed": False, "remark": False},
    "note": {"entry": False, "target": False},
}
#: A note holds exactly one of these.
NOTE_PARTS = ("agreed", "remark")
TITLE_LENGTH, REMARK_LENGTH = 40, 200
TONES = 12  # colors that can be distinguished; see tokens.css
COLORS = 16  # with dashes and dots for the others; the most that any game seats


class SheetSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Who sits where (clockwise), who dealt first, and the house rules of a sheet."""

    players: list[str]
    dealer: str
    options: dict[str, Any]


class SettingsChange(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A change of settings: as they were, as they are, and new names (old to new)."""

    was: SheetSettings
    becomes: SheetSettings
    renamed: dict[str, str] = {}


class Remark(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A line of text about the game: its title, a note on the sheet, or one on a deal.

    That deal begins with the entry of row `row`. A later remark about the same thing replaces it;
    an empty one removes it.
    """

    about: Literal["title", "sheet", "deal"]
    text: Annotated[str, Meta(max_length=REMARK_LENGTH)]
    row: Annotated[int, Meta(ge=0)] = 0


#: Separates the key of a form from a number in the keys of its further rows.
KEY_SEPARATOR = "→"
#: Begins the key of an undo, and none of a form: its rows are otherwise like those of a removal.
UNDO = "undo·"


class HistoryRow(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One row of a sheet's history: what was written when.

    A play and an amendment hold an `entry`; an amendment and a void name the row they change as
    `target`, and may say why. A note holds the change of settings that was `agreed`, or a `remark`.
    `by` is the name of the phone that wrote the row, `hash` that of the sheet's chain up to it.
    """

    seq: Annotated[int, Meta(ge=1)]
    kind: Kind
    at: Annotated[str, Meta(max_length=40)]
    entry: dict[str, Any] | None = None
    target: int | None = None
    reason: Reason = ""
    agreed: SettingsChange | None = None
    remark: Remark | None = None
    by: Annotated[str, Meta(max_length=NAME_LENGTH)] = ""
    hash: Annotated[str, Meta(pattern=HASH)] = ""


def keys_of(form: str, rows: int) -> list[str]:
    """The keys of the rows that one form writes: "key", "key→0", "key→1"."""
    return [form, *(f"{form}{KEY_SEPARATOR}{n}" for n in range(rows - 1))]


def row_body(row: HistoryRow) -> str:
    """The body of a row for the ledger, as JSON text: all but its writer, time and target."""
    if row.kind == "play":
        return msgspec.json.encode(row.entry).decode()
    parts = {"entry": row.entry, "reason": row.reason, "agreed": row.agreed, "remark": row.remark}
    return msgspec.json.encode({part: held for part, held in parts.items() if held}).decode()


class Fate(Struct, frozen=True):
    """An entry and its corrections: `last` is the content that counts, or the last it had.

    `voided` is the row that voided it, if any; `amended` are the amendments in force. `last` has
    the players' names of when it was written; `renamed` maps those that changed to current ones.
    """

    play: HistoryRow
    last: dict[str, Any]
    voided: HistoryRow | None
    amended: tuple[HistoryRow, ...]
    renamed: Mapping[str, str] = {}


#: Which kinds of rows each kind may amend or void.
CHANGEABLE: Mapping[str, tuple[str, ...]] = {
    "amend": ("play",),
    "void": ("play", "amend", "void"),
    "play": (),
    "note": (),
}


def rows_in_force(rows: Sequence[Any]) -> set[int]:
    """The numbers of the rows in force, those that no row in force voids."""
    found = {row.seq for row in rows}
    for row in reversed(rows):  # a row is voided by a later one
        if row.kind == "void" and row.seq in found and row.target is not None:
            found.discard(row.target)
    return found


def entry_touched(rows: Sequence[HistoryRow], row: HistoryRow) -> int:
    """The number of the entry that `row`, one of `rows`, makes, amends, voids or restores."""
    while row.target is not None and row.target < row.seq:
        row = rows[row.target - 1]
    return row.seq


def _renames(rows: Sequence[HistoryRow]) -> tuple[list[int], list[dict[str, str]]]:
    """The numbers of rows that renamed players, and maps from earlier to current names.

    There is a map of the names before each of these rows, and one of the current names, empty.
    """
    changes = [(row.seq, row.agreed.renamed) for row in rows if row.agreed and row.agreed.renamed]
    current: dict[str, str] = {}
    maps = [current]
    for _, renamed in reversed(changes):
        new = set(renamed.values())
        kept = {name: last for name, last in current.items() if name not in new}
        current = kept | {old: current.get(name, name) for old, name in renamed.items()}
        maps.append(current)
    return [seq for seq, _ in changes], maps[::-1]


def fates(rows: Sequence[HistoryRow]) -> list[Fate]:
    """Every entry ever made with its corrections, in the order in which they were made."""
    in_force = rows_in_force(rows)
    amended: dict[int, list[HistoryRow]] = {}
    voided: dict[int, HistoryRow] = {}
    for row in rows:
        if row.seq in in_force and row.target is not None:
            if row.kind == "amend":
                amended.setdefault(row.target, []).append(row)
            else:
                voided[row.target] = row
    renamed_at, current_names = _renames(rows)
    found = []
    for play in (row for row in rows if row.kind == "play"):
        changes = tuple(amended.get(play.seq, ()))
        last = changes[-1] if changes else play
        renamed = current_names[bisect_right(renamed_at, last.seq)]
        found.append(Fate(play, last.entry or {}, voided.get(play.seq), changes, renamed))
    return found


def in_force(rows: Sequence[HistoryRow]) -> list[Fate]:
    """The entries that count, in the order in which they were made."""
    return [fate for fate in fates(rows) if fate.voided is None]


def settings_at_start(now: SheetSettings, rows: Sequence[HistoryRow]) -> SheetSettings:
    """The settings with which the sheet was begun, given the current ones."""
    return next((row.agreed.was for row in rows if row.agreed), now)


def remarks(rows: Sequence[HistoryRow]) -> dict[tuple[str, int], str]:
    """The remarks in force, by subject and the row they are about."""
    written = {(row.remark.about, row.remark.row): row.remark.text for row in rows if row.remark}
    return {about: text for about, text in written.items() if text}


def settings_now(begun: SheetSettings, rows: Sequence[HistoryRow]) -> SheetSettings:
    """The current settings, given those with which the sheet was `begun`."""
    return next((row.agreed.becomes for row in reversed(rows) if row.agreed), begun)


def row_faults(rows: Sequence[HistoryRow]) -> list[Text]:
    """The faults of a history, a clause each: numbers, targets, rows that lack a part."""
    faults: list[Text] = []
    kinds = {row.seq: row.kind for row in rows}
    settings: SheetSettings | None = None
    before: set[int] = set()  # the rows in force before this one
    at_end = rows_in_force(rows)  # a change that was not allowed is no fault once voided
    for place, row in enumerate(rows, start=1):
        if row.seq != place:
            faults.append(say("row {row} has the number {seq}", row=place, seq=row.seq))
        parts = ROW_PARTS[row.kind]
        held = [part for part in NOTE_PARTS if getattr(row, part) is not None]
        if (row.kind == "note" and len(held) != 1) or any(
            (getattr(row, part) is not None) != there for part, there in parts.items()
        ):
            faults.append(say("row {row} doesn’t hold what a row of its kind holds", row=place))
        elif row.target is not None and (
            row.target not in before
            or (kinds[row.target] not in CHANGEABLE[row.kind] and row.seq in at_end)
        ):
            faults.append(say("row {row} can’t change row {target}", row=place, target=row.target))
        elif row.agreed is not None:
            if settings not in (None, row.agreed.was):
                faults.append(
                    say(
                        "row {row} doesn’t follow from the players and house rules before it",
                        row=place,
                    )
                )
            settings = row.agreed.becomes
        if row.kind == "void" and row.target in before:
            before.remove(row.target)
            if kinds[row.target] == "void":  # it restores what that one voided, and so on
                before = rows_in_force(rows[:place])
        before.add(row.seq)
    return faults


# --- the hashes that the rows of an exported sheet carry


class Head(Struct, frozen=True):
    """The game and the settings with which a sheet was begun, as the ledger stores them."""

    game: str
    players: list[str]
    dealer: str
    options: dict[str, Any]

    @classmethod
    def of(cls, game: str, settings: SheetSettings) -> "Head":
        """The head of a sheet of this game with these settings."""
        return cls(game, settings.players, settings.dealer, settings.options)

    @property
    def settings(self) -> SheetSettings:
        """The settings, without the game, which cannot change."""
        return SheetSettings(self.players, self.dealer, self.options)

    def text(self) -> str:
        """The head as JSON text, as the ledger stores it."""
        return msgspec.json.encode(self).decode()


def head_of(game: str, now: SheetSettings, rows: Sequence[HistoryRow]) -> Head:
    """The head of the sheet with these rows, given its current settings."""
    return Head.of(game, settings_at_start(now, rows))


def chained(
    head: str, rows: Iterable[Any], body: Callable[[Any], str] = row_body
) -> Iterator[tuple[Any, str]]:
    """Yield each row of a sheet with this head (JSON text), and the hash of the chain up to it.

    For documents of another kind, `body` returns the content of a row as JSON text.
    """
    before = first_hash(head)
    for row in rows:
        part = HashedPart(row.seq, row.kind, row.target, row.at, row.by, body(row))
        made = row_hash(before, part)
        yield row, made
        before = row.hash or made


def hash_faults(head: Head, rows: Sequence[HistoryRow]) -> Iterator[Text]:
    """Faults for rows with a wrong hash; a row without any is not checked."""
    for row, made in chained(head.text(), rows):
        if row.hash not in ("", made):
            yield say("row {row} isn’t what was written, or doesn’t follow", row=row.seq)


# --- colors


def colors_of(now: SheetSettings, history: Sequence[HistoryRow]) -> dict[str, int]:
    """The color, from 1, of everybody ever named on a sheet, given its current settings.

    It follows from the history, which only grows, so it never changes. The style sheet has the
    tones and, in the chart, the dashes. A player who takes over a place takes over its color; one
    who joins gets a color that nobody had before, or nobody who is still at the table.
    """
    began = enumerate(settings_at_start(now, history).players)
    colors = {name: place % COLORS + 1 for place, name in began}
    gone: set[str] = set()
    for row in history:
        if row.agreed:
            renamed = row.agreed.renamed
            colors = {renamed.get(name, name): color for name, color in colors.items()}
            gone = {renamed.get(name, name) for name in gone}
        entry = row.entry or {}
        name = entry.get("player", "")
        match entry.get("action"):
            case "leave":
                gone.add(name)
            case "join":
                held = {colors[other] for other in colors if other not in {name, *gone}}
                if colors.get(name) in (None, *held):  # new here, or it went with the place
                    colors[name] = _free(set(colors.values()), held)
                gone.discard(name)
            case "replace" if name in colors:
                colors.setdefault(entry["by"], colors[name])
                gone.add(name)
    return colors


def _free(had: Collection[int], held: Collection[int]) -> int:
    """A color that nobody has had, or else nobody still seated has; 1 if there is none."""
    tones, rest = range(1, TONES + 1), range(TONES + 1, COLORS + 1)
    wanted = (*(c for c in tones if c not in had), *(c for c in tones if c not in held))
    return next(iter((*wanted, *(c for c in rest if c not in held), 1)))
