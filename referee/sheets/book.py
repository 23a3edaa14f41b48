"""The score sheets of this house: open one, record on it, undo, share it, take it out or in.

Everything a screen shows of a sheet is computed from its rows in the ledger (`OpenSheet`).
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from referee.ledger.chain import Mark, first_hash
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Draft, Glance, Ledger, Link, Role
from referee.rules.core.entries import Entry
from referee.rules.text import say
from referee.sheets.files import Sheet, Step, play_through, seat_table, table_settings
from referee.sheets.history import (
    Past,
    SettingsChange,
    SheetSettings,
    settings_at_start,
    settings_now,
)
from referee.sheets.permission import ROLES, check_key, not_allowed, require
from referee.sheets.sheet import (
    Change,
    Comparison,
    Head,
    OpenSheet,
    check_change,
    corrected,
    course_of,
    grown,
    past_of,
    plain,
    refused,
    row_body,
    with_step,
)
from referee.sheets.sheet_cache import SheetCache
from referee.sheets.trash import Trash

MAX_ROWS = 2000


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_token(mark: str = "") -> str:
    """An unguessable token: 128 random bits, fit for an address and for a command line.

    It begins with the `mark` of the machine that has the sheet, where machines have marks.
    """
    while (token := secrets.token_urlsafe(16)).startswith("-"):
        pass
    return f"{mark}-{token}" if mark else token


class Book:
    """All the sheets in one ledger."""

    def __init__(
        self,
        ledger: Ledger,
        now: Callable[[], str] = _now,
        most_rows: int = MAX_ROWS,
        mark: str = "",
    ) -> None:
        """`now` gives the time to note, in ISO 8601; no sheet grows beyond `most_rows`.

        The links of sheets begun here start with `mark`.
        """
        self._ledger = ledger
        self.now = now
        self._most_rows = most_rows
        self._cache = SheetCache()
        self._mark = mark
        self.trash = Trash(ledger, now)

    def new_token(self) -> str:
        """A token for a link to a sheet or an evening of this book."""
        return new_token(self._mark)

    def new_links(self) -> list[tuple[Role, str]]:
        """A role with its token for each of the links of a new sheet."""
        return [(role, self.new_token()) for role in ROLES]

    # --- opening

    def begin(
        self, slug: str, players: Sequence[str], dealer: str | None, options: Mapping[str, Any]
    ) -> Link:
        """A new sheet; returns its host link. Raises `MalformedEntry` with all that is wrong."""
        game, table = seat_table(slug, players, dealer, options)
        begun = table_settings(table)
        return self._create(Head(game.slug, begun.players, begun.dealer, begun.options))

    def find(self, token: str) -> Link | None:
        """The link with this token, unless there is none or it was withdrawn."""
        return self._ledger.link(token)

    def glance(self, token: str) -> Glance | None:
        """What the link with this token leads to, without reading the sheet; None as `find`."""
        return self._ledger.glance(token)

    def open(self, link: Link) -> OpenSheet:
        """The sheet that `link` leads to, played through."""
        known = self._cache.get(link.sheet)
        sheet = self._go_on(known) if known else None
        if sheet is None:
            sheet = self._read(link)
        if sheet is not known and sheet.rows:
            self._cache.put(sheet)
        return sheet if sheet.role == link.role else replace(sheet, role=link.role)

    def _go_on(self, known: OpenSheet) -> OpenSheet | None:
        """The cached sheet with what was written since; None where more is needed.

        Its newest row is read again: another book in the place of this one would have another.
        """
        rows = self._ledger.rows(known.id, after=known.seq - 1)
        return grown(known, rows[1:]) if rows[:1] == [known.rows[-1]] else None

    def ruled_on(self, sheet: int) -> OpenSheet:
        """Sheet number `sheet` from its first row on, every entry ruled on again.

        Raises what `Game.apply` raises for one that breaks a rule, its `entry` set to the index.
        """
        return self._read(Link("", sheet, "host"), legal=False)

    def _read(self, link: Link, legal: bool = True) -> OpenSheet:
        """The sheet that `link` leads to, from its first row on."""
        found = self._ledger.head(link.sheet)
        assert found is not None, "a link leads to a sheet: the database sees to that"
        begun = msgspec.json.decode(found[0], type=Head)
        rows = tuple(self._ledger.rows(link.sheet))
        history = tuple(past_of(row) for row in rows)
        now = settings_now(begun.settings, history)
        head = Head(begun.game, now.players, now.dealer, now.options)
        game, table = seat_table(head.game, head.players, head.dealer, head.options)
        course = course_of(game, table, history, legal)
        start = first_hash(found[0])
        return OpenSheet(link.sheet, link.role, head, found[1], start, table, rows, history, course)

    def all_links(self) -> list[Link]:
        """A host link to every sheet, for the owner of the machine."""
        links = []
        for sheet in self._ledger.sheets():
            tokens = self._ledger.links(sheet)
            links.append(Link(tokens["host"], sheet, "host"))
        return links

    # --- writing

    def preview(self, sheet: OpenSheet, value: Mapping[str, Any]) -> Step:
        """What `record` would do, without doing it; raises what `record` raises for the entry."""
        entry = sheet.game.read_entry(value)
        after, lines = sheet.game.apply(sheet.course.state, entry)
        return Step(sheet.seq + 1, entry, lines, after)

    def record(
        self,
        link: Link,
        value: Mapping[str, Any],
        after: Mark | int,
        key: str,
        opened: OpenSheet | None = None,
    ) -> int:
        """Write an entry on the sheet; `after` is the newest row the writer has seen.

        A mark stands for that row in one past of the sheet only, a number for whatever it holds.
        `opened` is the sheet, where it has just been opened with this link. `key` names this very
        entry: the same key twice is one entry and the same answer, its `seq`. Raises
        `MovedOnError` where the sheet has grown, or where the key was used for something else
        (an answer was lost, and the writer changed the entry since); `MalformedEntry` or
        `NotationError` where the entry cannot be read, `IllegalEntry` where it breaks a rule.
        In all these cases nothing is stored.
        """
        sheet, written = self._to_write_on(link, after, key, opened)
        if written is not None:
            entry = plain(sheet.game, value)
            return _the_same(sheet, written, written.kind == "play" and written.entry == entry)
        step = self.preview(sheet, value)
        draft = Draft("play", _body(step.entry), key, link.role, self.now(), by=link.by)
        row = self._ledger.append(link.sheet, after, [draft])
        # Whoever opens it next need not play it again. Should the ledger hold another row there,
        # the cached sheet does not fit it and is dropped (`_go_on`).
        self._cache.put(with_step(sheet, row, step))
        return row.seq

    def undo(self, link: Link, after: Mark | int, key: str) -> int:
        """Void the last entry that counts; it stays in the ledger. Raises as `record` does."""
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
            seq = after if isinstance(after, int) else after.seq
            return _the_same(sheet, written, written.kind == "void" and written.seq == seq + 1)
        if not sheet.course.steps:
            raise refused("nothing-to-undo", say("There’s nothing to undo."))
        draft = Draft("void", "{}", key, link.role, self.now(), sheet.course.steps[-1].seq, link.by)
        return self._ledger.append(link.sheet, after, [draft]).seq

    # --- corrections

    def compare(self, sheet: OpenSheet, change: Change) -> Comparison:
        """What a correction would make of the sheet, without making it.

        Raises `IllegalEntry` where there is nothing of that kind to change, where the amended
        entry breaks a rule, or where a later entry would then break one; `MalformedEntry` or
        `NotationError` where the amended entry cannot be read.
        """
        check_change(sheet, change)
        row = Past(
            seq=sheet.seq + 1,
            kind="void" if change.entry is None else "amend",
            at=self.now(),
            entry=None if change.entry is None else plain(sheet.game, change.entry),
            target=change.target,
            reason=change.reason,
        )
        history = (*sheet.history, row)
        course = corrected(sheet.game, sheet.table, history, change.target)
        return Comparison(row, sheet.course, course)

    def correct(self, link: Link, change: Change, after: Mark | int, key: str) -> int:
        """Write a correction on the sheet; raises as `record` and `compare` do."""
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
            entry = None if change.entry is None else plain(sheet.game, change.entry)
            said = (written.target, written.entry, written.reason)
            same = written.kind != "play" and said == (change.target, entry, change.reason)
            return _the_same(sheet, written, same)
        row = self.compare(sheet, change).row
        draft = Draft(row.kind, row_body(row), key, link.role, row.at, row.target, link.by)
        return self._ledger.append(link.sheet, after, [draft]).seq

    def compare_settings(
        self, sheet: OpenSheet, becomes: SheetSettings, renamed: Mapping[str, str]
    ) -> Comparison:
        """What it would change to set names, seats, first dealer and house rules anew.

        `renamed` maps old names to new. Raises `MalformedEntry` where these people cannot sit
        down so, `IllegalEntry` where an entry would then break a rule, or nothing changes.
        """
        _, table = seat_table(sheet.game.slug, becomes.players, becomes.dealer, becomes.options)
        was, now = table_settings(sheet.table), table_settings(table)
        if sorted(renamed.get(name, name) for name in was.players) != sorted(now.players):
            says = say("Nobody can join or leave once a sheet has begun.")
            raise refused("other-players", says)
        if was == now:
            raise refused("nothing-changes", say("It’s already like that."))
        change = SettingsChange(was, now, {old: new for old, new in renamed.items() if old != new})
        row = Past(sheet.seq + 1, "note", self.now(), agreed=change)
        history = (*sheet.history, row)
        # As it was, but by the new names: only what the change does is to be told.
        players = tuple(renamed.get(name, name) for name in was.players)
        before = course_of(sheet.game, replace(sheet.table, players=players), history)
        after = corrected(sheet.game, table, history, 0)
        return Comparison(row, before, after)

    def change_settings(
        self,
        link: Link,
        becomes: SheetSettings,
        renamed: Mapping[str, str],
        after: Mark | int,
        key: str,
    ) -> int:
        """Write new settings on the sheet; raises as `record` and `compare_settings`."""
        sheet, written = self._to_write_on(link, after, key)
        if written is not None:
            _, table = seat_table(sheet.game.slug, becomes.players, becomes.dealer, becomes.options)
            same = written.agreed is not None and written.agreed.becomes == table_settings(table)
            return _the_same(sheet, written, same)
        row = self.compare_settings(sheet, becomes, renamed).row
        draft = Draft("note", row_body(row), key, link.role, row.at, by=link.by)
        return self._ledger.append(link.sheet, after, [draft]).seq

    # --- sharing

    def links(self, link: Link) -> dict[Role, str]:
        """The tokens this link's holder may hand on: those that allow no more than it does."""
        allowed = ROLES[: ROLES.index(link.role) + 1]
        tokens = self._ledger.links(link.sheet)
        return {role: tokens[role] for role in allowed if role in tokens}

    def renew(self, link: Link, role: Role) -> Link:
        """Withdraw the link of `role` and make it anew; returns the new one.

        Only a host may, for the host's own link too: whoever else holds that is host no more.
        Raises `IllegalEntry` for another link, or where this one was withdrawn meanwhile.
        """
        require(link, "host")
        token = self.new_token()
        if not self._ledger.renew_link(link.sheet, role, token, self.now(), link.token):
            raise not_allowed("host")
        return Link(token, link.sheet, role)

    # --- files

    def export(self, sheet: OpenSheet) -> dict[str, Any]:
        """The sheet as a file, with its history (`docs/sheet-format.md`)."""
        return {
            "referee": 1,
            "game": sheet.head.game,
            "players": sheet.head.players,
            "dealer": sheet.head.dealer,
            "options": sheet.head.options,
            "entries": [msgspec.to_builtins(step.entry) for step in sheet.course.steps],
            "history": [msgspec.to_builtins(row) for row in sheet.history],
        }

    def take_in(self, sheet: Sheet) -> Link:
        """Keep a sheet read from a file, with its history if it has one; returns its host link.

        Raises `IllegalEntry` or `NotationError` where an entry breaks a rule.
        """
        play_through(sheet.game, sheet.table, sheet.entries)
        history = sheet.history
        if history is None:
            history = tuple(
                Past(seq, "play", self.now(), msgspec.to_builtins(entry))
                for seq, entry in enumerate(sheet.entries, start=1)
            )
        drafts = [
            Draft(
                row.kind, row_body(row), f"imported-{row.seq}", "host", row.at, row.target, row.by
            )
            for row in history
        ]
        begun = settings_at_start(table_settings(sheet.table), history)
        return self._create(
            Head(sheet.game.slug, begun.players, begun.dealer, begun.options), drafts
        )

    # --- inside

    def _create(self, head: Head, drafts: Sequence[Draft] = ()) -> Link:
        links = self.new_links()
        sheet = self._ledger.create(head.text(), links, self.now(), drafts)
        return Link(dict(links)["host"], sheet, "host")

    def _to_write_on(
        self, link: Link, after: Mark | int, key: str, opened: OpenSheet | None = None
    ) -> tuple[OpenSheet, Past | None]:
        """The sheet as its writer knows it, or the row on it that has this very key.

        Both are looked up in one reading of the sheet: a form that was sent twice at the same
        moment must not be told that somebody else has written in the meantime.
        """
        require(link, "score")
        check_key(key)
        sheet = opened or self.open(link)
        known = next((row.seq for row in sheet.rows if row.key == key), None)
        written = None if known is None else sheet.history[known - 1]
        seen = Mark(after) if isinstance(after, int) else after
        if written is None and not seen.stands_for(sheet.seq, sheet.hash):
            raise MovedOnError(sheet.seq)
        if written is None and sheet.seq >= self._most_rows:
            says = say("This sheet is full: it has {rows} rows. Start a new one.", rows=sheet.seq)
            raise refused("sheet-full", says)
        return sheet, written


def _the_same(sheet: OpenSheet, written: Past, same: bool) -> int:
    """Where a row is `written` whose key a form has brought again, if it says the `same`.

    Raises `MovedOnError` where the form has been changed since: what it says now is not stored.
    """
    if not same:
        raise MovedOnError(sheet.seq)
    return written.seq


def _body(entry: Entry) -> str:
    return msgspec.json.encode(entry).decode()
