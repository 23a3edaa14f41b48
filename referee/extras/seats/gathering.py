"""A deal gathered from several phones: whose figures are in, and which conflict.

Each phone fills in its own part of the drawer's form (`Part`). Merged, the parts make the form that
a single phone would have sent (`merged`), and the game rules on that. Whatever happens at a seat is
stored as a `Move`, and the state of the deal is computed from the moves (`gathered`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Literal

from msgspec import Struct, inspect

from referee.rules.core.asking import fields_in
from referee.rules.core.entries import SHARED, Abandon, Entry
from referee.rules.core.ruling import IllegalEntry
from referee.rules.text import listed, say, say_many
from referee.sheets.files import Step
from referee.sheets.history import Fate, entry_touched
from referee.sheets.news import deal_ended
from referee.sheets.sheet import OpenSheet
from referee.web.forms.decode import entries_sent, form_fault
from referee.web.forms.taps import Form

#: What happens at a seat, or to a deal from there.
What = Literal[
    "sits",  # a phone takes the seat
    "leaves",  # the phone hands it back, or a scorekeeper frees it
    "asks",  # a phone asks a scorekeeper to let somebody new join
    "opens",  # a phone opens its pad
    "away",  # a phone has not opened its pad, though others have waited for a while
    "out",  # its player called how the deal ended; their figure, if they have one, is in
    "playing",  # they are still playing: a figure of theirs is withdrawn
    "in",  # their figure is in
    "asked",  # they are asked to count again
    "stands",  # they stand by their figure
    "changes",  # their figure is being changed, by them or a scorekeeper, or a change was refused
    "looked",  # they looked at their figure again, and left it as it was
    "goes-on",  # the deal isn't over after all: all figures are withdrawn
    "over",  # a scorekeeper asks everybody for their figures
    "now",  # a scorekeeper lets a deal that is held back be recorded
    "undone",  # they took back the deal that was recorded
    "renews",  # a link was renewed: the phones that had taken seats by it have none
    "objects",  # they disagree with the deal that was recorded
]
OWN = "@"  # in a `Part`, the player's name, and their seat's number in the names of fields


class Part(Struct, frozen=True):
    """One player's part of a form for `action`: the fields for their hand, and what they called.

    `OWN` stands for their seat and their name in both, as these may change before parts are merged.
    """

    action: str = ""
    hand: Mapping[str, Sequence[str]] = {}
    called: Mapping[str, Sequence[str]] = {}

    @property
    def written(self) -> str:
        """What was filled in for the hand, as its player wrote it: "3 (a red nine)"."""
        texts = [text for name, values in self.hand.items() if ":" not in name for text in values]
        asked = [values[-1] for name, values in self.hand.items() if name.endswith(":red_nines")]
        counts = [int(number) for number in asked if number in {*"01234"}]
        nines = ", ".join(
            str(say_many("a red nine", "{n} red nines", n=n) if n else say("no red nine"))
            for n in counts
        )
        said = ", ".join(text for text in texts if text.strip())
        return f"{said} ({nines})" if said and nines else said or nines

    @property
    def has_hand(self) -> bool:
        """Whether anything was filled in for the hand; that it has no red nine isn't enough."""
        given = [texts for name, texts in self.hand.items() if ":" not in name or texts != ["0"]]
        return any(text.strip() for texts in given for text in texts)


NOTHING = Part()


def kind_of(sheet: OpenSheet, action: str) -> type[Entry] | None:
    """The type of entry that `action` makes, if each player may enter their own part; else None."""
    kind = sheet.game.entries.get(action)
    return kind.entry if kind and not kind.for_all and kind.entry not in SHARED else None


def _naming(entry: type[Entry]) -> list[str]:
    """The fields of an entry that name players: first the one for who ended the deal, or acts."""
    return [
        one.name
        for one, kinds in fields_in(entry)
        if any(kind.is_player or any(held.is_player for held in kind.held) for kind in kinds)
    ]


def ends_alone(entry: type[Entry]) -> bool:
    """Whether only one player can have ended the deal."""
    return not any(
        [one.name] == _naming(entry)[:1] and isinstance(kind.plain, inspect.ListType)
        for one, kinds in fields_in(entry)
        for kind in kinds
    )


def part_of(form: Form, sheet: OpenSheet, player: str) -> Part:
    """`player`’s part of a form: fields about others are dropped.

    So are the fields about how the deal ended, unless they name `player` as who ended it. The form
    has the number that their `seat` had when it was made: somebody may have joined or left since.
    """
    seated, entry = sheet.state.table.players, kind_of(sheet, form.get("action", ""))
    own = {player, form.get("seat_of") or player}  # maybe a former name
    others, seat = {*seated} - own, form.get("seat") or str([*seated, player].index(player))
    asked = set(entry.__struct_fields__) if entry else set[str]()
    naming = _naming(entry) if entry else []
    hand: dict[str, Sequence[str]] = {}
    called: dict[str, Sequence[str]] = {}
    for name, sent in form.lists():
        values = [value.strip() for value in sent]
        kind, dot, rest = name.partition(".")
        number, more, part = rest.partition(".")
        if dot and number == seat:
            hand[f"{kind}.{OWN}{more}{part}"] = values
        elif name in asked and (name not in naming or others.isdisjoint(values)):
            called[name] = [OWN if value in own else value for value in values]
    ended = any(OWN in called.get(name, ()) for name in naming[:1])
    return Part(form.get("action", ""), hand, called if ended else {})


def merged(parts: Mapping[str, Part], seated: Sequence[str]) -> Form:
    """The form that a single phone would have sent for these parts, by player."""
    form = Form()
    for player, part in parts.items():
        if player not in seated:
            continue
        if part.called or "action" not in form:
            form["action"] = part.action
        for name, values in part.hand.items():
            form.setlist(name.replace(OWN, str(seated.index(player)), 1), list(values))
        for name, values in part.called.items():
            for value in values:
                form.add(name, player if value == OWN else value)
    return form


def entries_of(parts: Mapping[str, Part], sheet: OpenSheet) -> list[Mapping[str, Any]]:
    """The entries that these parts make; raises `IllegalEntry` if what was called can't all be.

    That is if somebody else has called as well where only one can have ended the deal, or if
    several disagree about how it ended.
    """
    calls = {player: part for player, part in parts.items() if part.called}
    kinds = [kind_of(sheet, part.action) for part in calls.values()]
    if len(calls) > 1 and any(kind and ends_alone(kind) for kind in kinds):
        says = say(
            "Only one of {players} can have ended it. Whoever didn’t has to take that back.",
            players=listed(calls),
        )
        raise IllegalEntry([form_fault("called-twice", says)])
    for one, other in combinations([part.called for part in calls.values()], 2):
        both = one.keys() & other.keys()
        if any(one[name] != other[name] and OWN not in one[name] for name in both):
            says = say("{players} disagree about how it ended.", players=listed(calls))
            raise IllegalEntry([form_fault("called-otherwise", says)])
    return entries_sent(merged(parts, sheet.state.table.players), sheet)


class Move(Struct, frozen=True):
    """Something that happened at a `player`’s seat during a deal.

    `deal` is the row that ended the deal before it, `seen` the newest row of the sheet at the time.
    `phone` is a digest, "" if a scorekeeper did it, whose name is in `by`. Names are current ones.
    `number` is its place among all moves, 0 until it is stored.
    """

    deal: int
    seen: int
    player: str
    what: What
    part: Part = NOTHING
    phone: str = ""
    by: str = ""
    number: int = 0


def _endings(sheet: OpenSheet) -> Iterator[Step]:
    """The steps that ended a deal, the newest first."""
    course = sheet.course
    for place in range(len(course.steps) - 1, -1, -1):
        step = course.steps[place]
        before = course.steps[place - 1].after if place else course.start
        ends = step.after.deal != before.deal or step.after.finished
        if ends or isinstance(step.entry, Abandon):
            yield step


def deal_of(sheet: OpenSheet) -> int:
    """The deal that is being played, as the row that ended the one before it; -1 if none is."""
    return -1 if sheet.state.finished else next((step.seq for step in _endings(sheet)), 0)


def ending_of(sheet: OpenSheet, deal: int) -> Step | None:
    """The step that ended this deal; None if it hasn’t, or the one before was taken back."""
    later = None
    for step in _endings(sheet):
        if step.seq == deal:
            return later
        later = step
    return None if deal else later


def showing_in(sheet: OpenSheet) -> list[str]:
    """Those who show their hands now, or muck, in the order of play."""
    return [sheet.state.name(seat) for seat in sheet.game.hole.shows(sheet.state)]


def counts_since(sheet: OpenSheet, ending: Step) -> int:
    """The row since which this deal counts: its own, or the newest one that brought it back."""
    touching = (row for row in sheet.history if entry_touched(sheet.history, row) == ending.seq)
    return max(row.seq for row in touching if row.kind != "amend")


def _removed(sheet: OpenSheet) -> dict[int, Fate]:
    """The entries since the last deal that were removed, by the row, of this sheet, that did so."""
    deal, kept = deal_of(sheet), sheet.fates.values()
    gone = {one.voided.seq: one for one in kept if one.voided and one.play.seq > deal}
    return {row: one for row, one in gone.items() if row <= sheet.seq}


def _since(move: Move, removals: Mapping[int, Fate]) -> list[int]:
    """The rows that took back the deal of this move after it was made."""
    return [row for row, one in removals.items() if row > move.seen and one.play.seq > move.deal]


def counted(sheet: OpenSheet, moves: Sequence[Move], removals: dict[int, Fate]) -> Iterator[Move]:
    """The moves in the deal that is being played, without those that were taken back.

    A deal that was undone is entered again: its figures count, unless they have been corrected, or
    the next deal had begun, as nobody knows then for which of the two they are. If one was removed,
    its figures go with it. What a recorded deal's players were asked is settled; and if it needed
    nobody's hand, it goes on once it is taken back, without its calls.
    """
    deal, still_in = deal_of(sheet), showing_in(sheet) or sheet.board.in_play
    figures = [move for move in moves if move.deal >= deal and move.what in ("out", "in")]
    begun = max([deal, *(move.deal for move in figures)])
    hands = any(move.part.has_hand for move in figures if _since(move, removals))
    undone = {row: one.play.seq for row, one in _removed(sheet).items() if sheet.is_undo(row)}
    gone = {row for row, one in removals.items() if row not in undone or one.amended}
    for move in moves:
        since = _since(move, removals)
        for_all = move.what in ("over", "now", "goes-on")  # a scorekeeper needs no seat for these
        if (
            deal <= move.deal <= begun <= move.seen
            and not any(row > move.seen and play <= move.deal for row, play in undone.items())
            and gone.isdisjoint(since)
            and not (since and (move.what in ("asked", "changes") or not hands))
            and (for_all or move.player in still_in)
        ):
            yield move


class Deal(Struct, frozen=True):
    """A deal as far as it is gathered from the seats.

    `parts` are the figures received, by player, the newest last, and `sent` also those withdrawn;
    only the phone that sent one (`phones`) may show it again. If it hands the seat back, the figure
    goes with it. `by`: who entered it for that player, if another did. `replaced`: players for whom
    that was done again. `arrived` is the move by which a figure came. `last` is what each player
    did last, of "in", "out", "playing", "asked", "stands" and "away". `opened` are the phones that
    have opened their pads. `claims` are the first figures of all who have been asked to
    count again. `changing` are those whose figures are being changed, with the scorekeeper who does
    it; meanwhile nothing is recorded. `over`: a scorekeeper has asked everybody for their figures.
    `resumed` is how often it went on after all. `held` is the row that took a deal back, if nothing
    was said since: then it isn't recorded automatically, even once all figures are in. 0 if there
    is none.
    """

    parts: Mapping[str, Part] = {}
    sent: Mapping[str, Part] = {}
    phones: Mapping[str, str] = {}
    by: Mapping[str, str] = {}
    replaced: frozenset[str] = frozenset()
    arrived: Mapping[str, int] = {}
    last: Mapping[str, What] = {}
    opened: frozenset[str] = frozenset()
    claims: Mapping[str, Part] = {}
    changing: Mapping[str, str] = {}
    over: bool = False
    resumed: int = 0
    held: int = 0

    def called_by(self, player: str) -> dict[str, Part]:
        """The parts of all but `player` who have called how the deal ended, without their hands."""
        return {
            other: Part(one.action, {}, one.called)
            for other, one in self.parts.items()
            if one.called and other != player
        }

    @property
    def begun(self) -> bool:
        """Whether figures are being gathered: somebody has sent theirs, or all have been asked."""
        return self.over or bool(self.parts)

    @property
    def out(self) -> list[str]:
        """Those who have called how it ended."""
        return [player for player, part in self.parts.items() if part.called]

    def ended_by(self, player: str) -> bool:
        """Whether it was this player who said that it is over."""
        return player in self.out if self.out else player in [*self.parts][:1]


def gathered(sheet: OpenSheet, moves: Sequence[Move]) -> Deal:
    """The state of the deal that is being played, from the moves at the seats, oldest first."""
    removals = {  # of whole deals
        row: one
        for row, one in _removed(sheet).items()
        if deal_ended(sheet, one.play.seq, sheet.entry_of(one))
    }
    latest = {
        move.player: move
        for move in moves
        if move.what == "leaves" or (move.deal >= deal_of(sheet) and move.what in ("out", "in"))
    }
    parts, claims = dict[str, Part](), dict[str, Part]()
    phones, by, last = dict[str, str](), dict[str, str](), dict[str, What]()
    opened, changing, replaced = set[str](), dict[str, str](), set[str]()
    over, resumed, newest = False, 0, Move(0, 0, "", "over")
    for move in counted(sheet, moves, removals):
        player, what = move.player, move.what
        by_other = move.by or ("" if move.phone else str(say("the scorer")))
        if what in ("out", "in"):
            again = player in parts and by[player] and by_other
            (replaced.add if again else replaced.discard)(player)
            parts.pop(player, None)
            parts[player], phones[player] = move.part, move.phone
            by[player] = by_other
        elif what == "playing" or (what == "leaves" and move.phone == phones.get(player) != ""):
            parts.pop(player, None)
        elif what == "goes-on":
            parts, claims, opened, resumed = {}, {}, set(), resumed + 1
        elif what == "opens":
            opened.add(move.phone)
            last = {one: did for one, did in last.items() if (one, did) != (player, "away")}
        elif what == "asked":
            claims[player] = parts.get(player, NOTHING)
        elif what == "changes" and not (by_other and player in changing):
            changing[player] = by_other
        looked = what == "looked" and (not by_other or changing.get(player))
        if looked or what in ("out", "in", "playing", "stands"):
            changing.pop(player, None)
        if what in ("now", "goes-on"):
            changing, last = {}, {one: did for one, did in last.items() if did == "away"}
        elif what in ("out", "in", "playing", "asked", "stands", "away"):
            last[player] = what
        if what in ("out", "in", "stands", "now", "over"):
            newest = move
        over = what == "over" or (over and what != "goes-on")
    sent = {player: move for player, move in latest.items() if move.what != "leaves"}
    return Deal(
        parts=parts,
        sent={player: move.part for player, move in sent.items()},
        phones={player: move.phone for player, move in sent.items()},
        by={player: by[player] for player in parts},
        replaced=frozenset(replaced.intersection(parts)),
        arrived={player: move.number for player, move in sent.items() if player in parts},
        last=last,
        opened=frozenset(opened),
        claims=claims,
        changing={player: by for player, by in changing.items() if player in parts},
        over=over,
        resumed=resumed,
        held=max(_since(newest, removals), default=0),
    )
