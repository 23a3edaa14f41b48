"""A deal gathered from several phones: who is in, and whose figures can't be true together.

Each phone fills in its own part of the drawer's form. Put together the parts are the form that one
phone would have sent, and the game rules on that: `Part`, `merged`. What happened at the seats is
kept as moves, of which the state of the deal follows: `gathered`.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from msgspec import Struct, field, inspect

from referee.rules.core.asking import fields_in
from referee.rules.core.entries import SHARED, Abandon, Entry
from referee.rules.core.ruling import Fault
from referee.sheets.sheet import OpenSheet
from referee.web.forms.taps import Form

#: What happens at a seat: a phone takes it or hands it back; its player goes out, is still playing,
#: is in with a figure, has to count again, or stands by it; a scorekeeper has the others count,
#: too, or records what is held back; somebody took the deal back, or does not agree with it.
What = Literal[
    "sits",
    "leaves",
    "out",
    "playing",
    "in",
    "asked",
    "stands",
    "says",
    "over",
    "now",
    "undone",
    "objects",
]
OWN = "@"  # stands for the number of a player's seat in the names of fields, and for their name


class Part(Struct, frozen=True):
    """One player's part of a form for `action`: the fields for their hand, and what they called.

    Their seat and their name are `OWN` in both, as people may move and be renamed meanwhile.
    """

    action: str = ""
    hand: Mapping[str, Sequence[str]] = {}
    called: Mapping[str, Sequence[str]] = {}

    @property
    def written(self) -> str:
        """What was filled in for the hand, as its player wrote it."""
        return ", ".join(text for values in self.hand.values() for text in values if text.strip())

    @property
    def has_hand(self) -> bool:
        """Whether anything was filled in for the hand."""
        return any(text.strip() for values in self.hand.values() for text in values)


def kind_of(sheet: OpenSheet, action: str) -> type[Entry] | None:
    """The type of an entry of which each player may enter their own part; None for any other."""
    kind = sheet.game.entries.get(action)
    return kind.entry if kind and not kind.for_all and kind.entry not in SHARED else None


def _who(entry: type[Entry]) -> str:
    """The field of an entry for whoever ended the deal, or does something; "" if it has none."""
    for one, kinds in fields_in(entry):
        if any(kind.is_player or any(held.is_player for held in kind.held) for kind in kinds):
            return one.name
    return ""


def ends_alone(entry: type[Entry]) -> bool:
    """Whether it can be only one player who ended the deal."""
    return not any(
        one.name == _who(entry) and isinstance(kind.plain, inspect.ListType)
        for one, kinds in fields_in(entry)
        for kind in kinds
    )


def part_of(form: Form, sheet: OpenSheet, player: str) -> Part:
    """The part of a form that is `player`’s; nothing is taken of what it says of others.

    How the deal ended is said by whoever it names: without their own name it says nothing.
    """
    seated, entry = sheet.state.table.players, kind_of(sheet, form.get("action", ""))
    others = {*seated} - {player}
    asked = set(entry.__struct_fields__) if entry else set[str]()
    hand: dict[str, Sequence[str]] = {}
    called: dict[str, Sequence[str]] = {}
    for name, sent in form.lists():
        values = [value.strip() for value in sent]
        kind, dot, rest = name.partition(".")
        number, more, part = rest.partition(".")
        if dot and number == str(seated.index(player)):
            hand[f"{kind}.{OWN}{more}{part}"] = values
        elif name in asked and others.isdisjoint(values):
            called[name] = [OWN if value == player else value for value in values]
    names_own = entry is not None and OWN in called.get(_who(entry), ())
    return Part(form.get("action", ""), hand, called if names_own else {})


def merged(parts: Mapping[str, Part], seated: Sequence[str]) -> Form:
    """The form that one phone would have sent for all of these parts, by player."""
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


class Move(Struct, frozen=True):
    """Something that happened at the seat of a `player`, in a deal: the newest is the last.

    The deal is named by the row that ended the one before it. `seen` is the newest row of the sheet
    then. `phone` is a digest, "" where a scorekeeper did it, whose name is `by`.
    """

    id: int
    deal: int
    seen: int
    player: str
    what: What
    part: Part = field(default_factory=Part)
    phone: str = ""
    by: str = ""


def deal_of(sheet: OpenSheet) -> int:
    """The deal that is being played, named by the row that ended the one before; -1 for none."""
    if sheet.state.finished:
        return -1
    course = sheet.course
    for place in range(len(course.steps) - 1, -1, -1):
        step = course.steps[place]
        before = course.steps[place - 1].after if place else course.start
        if step.after.deal != before.deal or isinstance(step.entry, Abandon):
            return step.seq
    return 0


def taken_back(sheet: OpenSheet) -> int:
    """The newest row that voids another, 0 if there is none."""
    return next((row.seq for row in reversed(sheet.history) if row.kind == "void"), 0)


class Deal(Struct, frozen=True):
    """A deal as far as it is gathered from the seats.

    `parts` are the figures that are in, by player, `phones` those that sent them, which alone may
    show them again, and `by` the scorekeepers who entered them for others. `playing` are those who
    say that it isn't over, `asking` those who have to count again, and `asked` all who had to.
    `over`: everybody is to enter theirs. `fresh`: the newest figure came in after the newest row
    that took something back.
    """

    parts: Mapping[str, Part] = {}
    phones: Mapping[str, str] = {}
    by: Mapping[str, str] = {}
    out: Sequence[str] = ()
    playing: frozenset[str] = frozenset()
    asking: frozenset[str] = frozenset()
    asked: frozenset[str] = frozenset()
    over: bool = False
    fresh: bool = False

    def called_by(self, player: str) -> dict[str, Part]:
        """What all but `player` have called, without their hands."""
        return {
            other: Part(one.action, {}, one.called)
            for other, one in self.parts.items()
            if one.called and other != player
        }

    @property
    def begun(self) -> bool:
        """Whether anybody has said anything of this deal's end."""
        return self.over or bool(self.parts)

    @property
    def held(self) -> bool:
        """Whether it may not be recorded yet by itself, even with all figures in."""
        return bool(self.playing) or not self.fresh


def gathered(sheet: OpenSheet, moves: Iterable[Move], now: Callable[[Move], str]) -> Deal:
    """The deal that is being played, by what happened at the seats, oldest first.

    `now` is the current name of the player of a move.
    """
    deal = deal_of(sheet)
    parts: dict[str, Part] = {}
    phones: dict[str, str] = {}
    by: dict[str, str] = {}
    playing, asking, asked = set[str](), set[str](), set[str]()
    over, newest = False, 0
    for move in moves:
        player = now(move)
        for_all = move.what in ("over", "now")  # a scorekeeper needs no seat for these
        if move.deal != deal or not (for_all or player in sheet.state.table.players):
            continue
        match move.what:
            case "out" | "in":
                parts.pop(player, None)  # the newest stands last
                parts[player], phones[player] = move.part, move.phone
                by[player] = move.by
                playing.discard(player)
                asking.discard(player)
            case "playing":
                parts.pop(player, None)
                playing.add(player)
            case "asked":
                asking.add(player)
                asked.add(player)
            case "stands":
                asking.discard(player)
            case "now":
                playing.clear()
                asking.clear()
            case "over":
                over = True
            case _:
                continue
        if move.what not in ("asked", "playing"):
            newest = move.seen
    return Deal(
        parts,
        phones,
        by,
        [player for player, part in parts.items() if part.called],
        frozenset(playing),
        frozenset(asking),
        frozenset(asked),
        over,
        newest >= taken_back(sheet),
    )


def at_odds(
    parts: Mapping[str, Part], faults_in: Callable[[Mapping[str, Part]], Sequence[Fault]]
) -> list[str]:
    """The players whose figures can't be true together: all of the smallest groups of them.

    `faults_in` has the game rule on some of the parts. What everybody has called is public, and
    belongs to each group.
    """
    calls = Deal(parts).called_by("")
    with_hands = [player for player, one in parts.items() if one.has_hand]
    for many in range(1, len(with_hands) + 1):
        found = [
            group
            for group in combinations(with_hands, many)
            if wrong(faults_in(calls | {player: parts[player] for player in group}))
        ]
        if found:
            return [player for player in parts if any(player in group for group in found)]
    return [player for player, one in parts.items() if one.called]


def wrong(faults: Iterable[Fault]) -> list[Fault]:
    """The faults of what is there, without what is only missing yet."""
    return [fault for fault in faults if not fault.lacks]
