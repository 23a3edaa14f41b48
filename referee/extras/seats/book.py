"""The seats in one ledger: storing what happens there, and recording deals from it."""

from collections.abc import Mapping, Sequence
from functools import partial

import msgspec
from msgspec.structs import replace

from referee.extras.seats.figures import Clash, Score, at_odds, clash_of, named_in, wrong
from referee.extras.seats.gathering import (
    Deal,
    Move,
    Part,
    What,
    counts_since,
    deal_of,
    ending_of,
    entries_of,
    kind_of,
    merged,
)
from referee.extras.seats.table import AtTable, table_of
from referee.ledger.chain import Mark
from referee.ledger.errors import MovedOnError
from referee.ledger.store import Link, add_row, digest, lock_of, new_token
from referee.rules.core.entries import SHARED, Entry
from referee.rules.core.ruling import Fault, IllegalEntry, RefereeError, shared_fault
from referee.rules.text import Text, say
from referee.sheets.book import Book, FormView
from referee.sheets.files import Step
from referee.sheets.news import LastChange, last_change
from referee.sheets.sheet import OpenSheet
from referee.web.answers.errors import Refused
from referee.web.forms.decode import as_form, entry_sent, form_fault
from referee.web.forms.taps import Form

MOST_MOVES = 100  # by one phone in one deal
LONGEST = 2000  # characters of a figure, as JSON
OURS = "·"  # in the keys of our own moves, but in none of a form
TRIES = 5  # at recording a deal while others write on its sheet

_MOVES = """
SELECT id, deal, seen, player, what, form, phone, "by", withdrawn IS NULL, role
FROM seat_moves LEFT JOIN links ON links.digest = seat_moves.link
WHERE seat_moves.sheet = ? AND (
    deal >= ? OR what IN ('sits', 'leaves', 'asks', 'objects')
) ORDER BY id
"""
_BY_ONE = "SELECT count(*) FROM seat_moves WHERE sheet = ? AND deal = ? AND phone = ?"
_NEWEST = "SELECT max(id) FROM seat_moves WHERE sheet = ? AND deal >= ?"
_SINCE = "SELECT 1 FROM seat_moves WHERE sheet = ? AND deal >= ? AND player = ? AND id > ?"
_NEWEST_ROW = "SELECT max(seq) FROM entries WHERE sheet = ?"
_KNOWN = "SELECT id FROM seat_moves WHERE sheet = ? AND key = ?"


class SeatBook:
    """The seats of all sheets in one ledger, and the deals that are gathered from them."""

    def __init__(self, book: Book) -> None:
        self._book, self._ledger = book, book.ledger
        #: By sheet, the newest row and move at which its deal was found not to be ready.
        self._waits: dict[int, tuple[Mark, int | None]] = {}

    def at_table(self, sheet: OpenSheet) -> AtTable:
        """The seats of a sheet as they are now."""
        playing = deal_of(sheet)
        since = playing if playing >= 0 else sheet.seq + 1
        return table_of(sheet, self._ledger.engine.read(_MOVES, sheet.id, since))

    def gathered_in(self, sheet: OpenSheet, ending: Step, row: int = 0) -> Deal:
        """What was gathered of the deal that this step ended, before `row` or before it counts."""
        rows = sheet.rows[: (row or counts_since(sheet, ending)) - 1]
        return self.at_table(sheet.updated(course=sheet.course.before(ending.seq), rows=rows)).deal

    # --- what happens at a seat

    def note(self, link: Link, move: Move, key: str, after: int | None = None) -> bool:
        """Store what happened at a seat; False if a move with this `key` is stored already.

        Raises `MovedOnError` for a figure if a row was written since it was judged, or its seat has
        a move after the one numbered `after`; `IllegalEntry` if it is too long, or for a phone with
        too many moves in one deal.
        """
        form = msgspec.json.encode(move.part).decode()
        with self._ledger.engine.writing(lock_of(link.document)) as writing:
            if writing.execute(_KNOWN, (link.document, digest(key))).fetchone():
                return False
            if move.what in ("in", "out"):
                newest = writing.execute(_NEWEST_ROW, (link.document,)).fetchone()[0] or 0
                since = (link.document, move.deal, move.player, after or 0)
                if newest > move.seen or writing.execute(_SINCE, since).fetchone():
                    raise MovedOnError(newest)
            made = writing.execute(_BY_ONE, (link.document, move.deal, move.phone)).fetchone()
            if (move.phone and made[0] >= MOST_MOVES) or len(form) > LONGEST:
                says = say("That’s too much. Ask whoever keeps score to enter it.")
                raise IllegalEntry([shared_fault("seat-full", says, "sharing")])
            values = {
                "sheet": link.document,
                "deal": move.deal,
                "seen": move.seen,
                "player": move.player,
                "what": move.what,
                "form": form,
                "phone": move.phone,
                "link": digest(link.token),
                '"by"': move.by,
                "key": digest(key),
                "at": self._book.now(),
            }
            add_row(writing, "seat_moves", values)
        return True

    def knows(self, link: Link, key: str) -> bool:
        """Whether a move with this `key` is stored."""
        return bool(self._ledger.engine.read(_KNOWN, link.document, digest(key)))

    def go_on(self, link: Link, following: Link, host: str) -> None:
        """Give all who have seats the same ones at the next table.

        The `host` is the phone that has begun the `following` sheet.
        """
        play = self._ledger.link(self._book.hosting.links(following)["play"]) or following
        seated = self._book.open(following).state.table.players
        for player, phone in self.at_table(self._book.open(link)).taken.phones.items():
            if player in seated:
                move = Move(0, 0, player, "sits", phone=phone)
                self.note(following if phone == host else play, move, f"follows{OURS}{player}")

    def renewed(self, link: Link) -> None:
        """Note that phones with an older link have lost their seats, if any were ever taken."""
        if self._ledger.engine.read(_NEWEST, link.document, 0) != [(None,)]:
            self.note(link, Move(0, 0, "", "renews"), new_token())

    # --- from figures to a deal

    def faults(self, sheet: OpenSheet, *entered: Mapping[str, Part]) -> Sequence[Fault]:
        """What the game finds wrong or missing in the entries that these parts make, in turn."""
        steps: list[Step] = []
        try:
            for parts in entered:
                for entry in entries_of(parts, sheet):
                    steps = [self._book.preview(sheet, entry, steps)]
        except RefereeError as error:
            return error.faults
        return ()

    def own_faults(self, at: AtTable, player: str, part: Part) -> Sequence[Fault]:
        """What is wrong with one player's part, judged with what others have called.

        An incomplete hand is a fault, too, as is none where one is due. Entries that one person
        records for the whole table are left to scorekeepers.
        """
        kind = kind_of(at.sheet, part.action)
        if kind is None:
            return [form_fault("not-of-a-seat", say("Ask whoever keeps score to enter that."))]
        calls = at.deal.called_by(player).items()
        called = {one: part for one, part in calls if one not in at.deal.changing}
        apart = called and part.action not in [one.action for one in called.values()]
        if apart and part.called and not part.has_hand:  # made before the deal was called over
            return wrong(self.faults(at.sheet, {player: part}, called))
        if called and wrong(self.faults(at.sheet, Deal({**called, player: part}).called_by(""))):
            called = {}  # callers who contradict one another are asked, once this is in
        found = self.faults(at.sheet, called | {player: part})
        begun = [one for one in found if one.lacks == "more" and player in named_in(one.says)]
        return [*wrong(found), *begun]

    def own_score(
        self, at: AtTable, player: str, part: Part, *, last: bool = False
    ) -> Score | None:
        """What a player’s figure brings or costs, given what was called; None if unknown yet.

        For the `last` one whose number is what all others leave, theirs are given, too.
        """
        sheet, given = at.sheet, at.deal.parts if last else at.deal.called_by(player)
        try:
            values = entries_of({**given, player: part}, sheet)[-1]
            if last:
                lines = self._book.preview(sheet, values).lines
            else:
                lines = sheet.game.scores_so_far(sheet.state, sheet.game.read_entry(values))
        except (RefereeError, IndexError):
            return None
        cell = sheet.pad.cells_with(lines, over=False).get(player)
        if cell is None:
            return None
        own = [line for line in lines if line.player == player and line.points]
        to, why = (own[0].to, own[0].reason) if len(own) == 1 else ("", cell.small)
        return Score(cell.points, to, why)

    def clash(self, at: AtTable, player: str = "") -> Clash | None:
        """Why those who had to count again still can’t all be right; None if they can.

        It is as a `player` among them may see it, which is nothing about the hands of others alone;
        or else a scorekeeper, once all have answered.
        """
        deal = at.deal
        if not (player or at.undecided):
            return None
        parts = {one: deal.parts[one] for one in deal.claims if one in deal.parts}
        found = wrong(self.faults(at.sheet, deal.called_by("") | parts)) if parts else []
        if player:
            others = {one for one, part in parts.items() if part.has_hand} - {player}
            about = [(fault, named_in(fault.says)) for fault in found]
            found = [fault for fault, named in about if player in named or not named & others]
        return clash_of(at.sheet, parts, found, player) if found else None

    def missing(self, at: AtTable) -> Sequence[Text]:
        """What has yet to be said, such as who went out, once all figures are in."""
        if at.deal.held and not (at.due or at.deal.claims):
            by = at.sheet.rows[at.deal.held - 1].by or say("Whoever keeps score")
            again = say("It’s recorded again once one of you sends theirs again.")
            return [say("{by} took it back.", by=by), again]
        found = self.faults(at.sheet, at.deal.parts) if not at.due else ()
        return [fault.says for fault in found if fault.lacks]

    def recorded_otherwise(self, sheet: OpenSheet, player: str, part: Part, deal: int) -> bool:
        """Whether a deal was recorded with another call or score than a player’s part would make.

        The same cards can be written in several ways. Nothing differs from a deal that is void.
        """
        ending = ending_of(sheet, deal)
        if ending is None or isinstance(ending.entry, SHARED):
            return False
        told = msgspec.to_builtins(ending.entry)
        calls = [told.get(name) for name in part.called]
        named = [one for call in calls for one in (call if isinstance(call, list) else [call])]
        if calls and player not in named:
            return True
        before = sheet.updated(course=sheet.course.before(ending.seq))
        try:
            form = self.mended(sheet, player, part, ending)
            entry = entry_sent(form, before, before.state.table.players)
            mended = self._book.preview(before, entry).after
        except RefereeError:
            return True
        return bool(mended.all_scores != ending.after.all_scores)

    def left_out(self, sheet: OpenSheet, player: str, phone: str, deal: int) -> Form | None:
        """The form with the figure this phone sent for a player, if another one was recorded."""
        ending = ending_of(sheet, deal)
        if ending is None or sheet.rows[counts_since(sheet, ending) - 1].role == "play":
            return None
        gathered = self.gathered_in(sheet, ending)
        part, is_own = gathered.parts.get(player), gathered.phones.get(player) == phone != ""
        if part is None or not (is_own and self.recorded_otherwise(sheet, player, part, deal)):
            return None
        seated = sheet.course.before(ending.seq).state.table.players
        form = merged({player: part}, seated)
        form["seat_of"], form["deal"], form["seat"] = player, str(deal), str(seated.index(player))
        return form

    def mended(self, sheet: OpenSheet, player: str, part: Part, ending: Step) -> Form:
        """The form of the entry that ended a deal, with a player’s part replaced.

        The part is as they wrote it, even if it can’t be read. Other callers stay.
        """
        told = msgspec.to_builtins(ending.entry)
        seated = sheet.course.before(ending.seq).state.table.players
        form = as_form(told, type(ending.entry), seated)
        mine: dict[str, Form] = {}  # by field, or by its place for this player
        for name, values in merged({player: part}, seated).lists():
            mine.setdefault(_place(name), Form()).setlist(name, values)
        for place, fields in mine.items():
            is_blank = not any(text for _, text in fields.items(multi=True))
            if is_blank or isinstance(told.get(place), list):
                continue
            for name in [name for name in form if _place(name) == place]:
                del form[name]
            form.update(fields)
        return form

    def called(self, sheet: OpenSheet, parts: Mapping[str, Part]) -> Entry | None:
        """The entry that is called in these parts; None if none is, or it can’t be read."""
        calls = Deal(parts).called_by("")
        if not calls:
            return None
        try:
            (values,) = entries_of(calls, sheet)
            return sheet.game.read_entry(values)
        except RefereeError:
            return None

    def take_back(self, link: Link, at: AtTable, move: Move, seen: Mark) -> None:
        """Take back the last deal; raises as `Book.undo` does, and `Refused` the second time.

        Does nothing unless it is `undoable`.
        """
        sheet, newest = at.sheet, undoable(at, last_change(at.sheet))
        if not newest:
            return
        before = sheet.updated(course=sheet.course.before(sheet.acts[newest][0].seq))
        deal = deal_of(before) if deal_of(sheet) in (newest, -1) else f"row {newest}"
        once = f"undone{OURS}{deal} {move.player}"
        if self.knows(link, once):
            raise Refused(409, say("You took it back once. Now only whoever keeps score can."))
        self._book.undo(replace(link, role="score", by=link.by or move.player), seen)
        self.note(link, move, once)

    def record_at_once(
        self, link: Link, sheet: OpenSheet, player: str, part: Part, key: str
    ) -> bool:
        """Record a player’s entry that needs nobody else's part and does not end the deal.

        Returns False, having done nothing, for a hand, or if it would end the deal.
        """
        try:
            (entry,) = entries_of({player: part}, sheet)
            after = self._book.preview(sheet, entry).after
        except RefereeError:
            return False
        if part.has_hand or after.finished or after.deal != sheet.state.deal:
            return False
        self._book.record_all(FormView(replace(link, role="play"), sheet, sheet), [entry], key)
        return True

    def settle(self, link: Link) -> bool:
        """Record the deal once all figures are in and agree; ask those in conflict to count again.

        Returns whether it was recorded. The entry is appended only if the sheet and the figures are
        still as they were when they were gathered. So it is recorded exactly once, even if several
        phones complete the deal at the same moment, and never with a figure that has changed since.

        Until something changes it rules on the figures only once: otherwise the time for answering
        the other phones would depend on figures that they don't know.
        """
        for _ in range(TRIES):
            sheet = self._book.open(link)
            at = self.at_table(sheet)
            now = (sheet.mark, at.newest)
            not_yet = at.deal.held or at.deal.changing
            if not at.deal.parts or not_yet or self._waits.get(sheet.id) == now:
                return False
            if found := self.faults(sheet, at.deal.parts):
                self._ask(link, at, agree=not wrong(found))
            if found or not at.deal.parts.keys() >= {*at.showing}:
                self._waits[sheet.id] = now
                return False
            entries = entries_of(at.deal.parts, sheet)
            try:
                seen = FormView(replace(link, role="play"), sheet, sheet)
                precondition = partial(self._is_newest, at)
                self._book.record_all(seen, entries, f"seats {sheet.mark}", precondition)
            except MovedOnError:
                continue
            return True
        return False

    def _is_newest(self, at: AtTable) -> bool:
        """Whether nothing has happened at the seats since, in that deal."""
        return self._ledger.engine.read(_NEWEST, at.sheet.id, at.number) == [(at.newest,)]

    def _ask(self, link: Link, at: AtTable, *, agree: bool) -> None:
        """Ask those whose figures contradict one another to count again, unless asked before.

        Those who had been asked, and are no longer at odds with anybody, stand by theirs.
        """
        odd = [] if agree else at_odds(at.deal.parts, lambda some: self.faults(at.sheet, some))
        asks: list[tuple[str, What]] = [(one, "asked") for one in odd if one not in at.deal.claims]
        asks += [(one, "stands") for one in at.asking if one not in odd]
        for player, what in asks:
            self.note(link, at.move(player, what), f"{what}{OURS}{at.newest} {player}")


def recorded_at_seats(sheet: OpenSheet, last: LastChange) -> bool:
    """Whether the `last` change of a sheet was recorded from its seats."""
    return last.done == "recorded" and sheet.rows[last.newest.seq - 1].role == "play"


def undoable(at: AtTable, last: LastChange | None) -> int:
    """The row of the `last` change, if it was recorded from the seats and is no bet; else 0.

    Not if it ended a deal and somebody is in with the next: figures would be lost.
    """
    newest = last.newest.seq if last and recorded_at_seats(at.sheet, last) else 0
    kept = at.deal.begun if deal_of(at.sheet) in (newest, -1) else at.sheet.game.hole.cards
    return 0 if kept else newest


def _place(field: str) -> str:
    """What a field of a form is part of: "hands.2" for "hands.2.plain"."""
    return ".".join(field.split(".")[:2])
