"""The figures of a club as its sheets stand, and how they go on with what is written since."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import get_args

from msgspec import Struct
from msgspec.structs import replace

from referee.extras.clubs.figures import ALWAYS, Figures, Period
from referee.extras.clubs.games import Contest, PlayedGame, in_order
from referee.extras.clubs.members import Stage
from referee.extras.clubs.notes import AnyNote, Paid, People, zone_of
from referee.extras.clubs.records import RECORDS, RecordName
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, payments
from referee.rules.text import Text
from referee.sheets.history import COLOURS, TONES


class Fallen(Struct, frozen=True):
    """A record that has just been broken: who holds it with what, and who held it before, when.

    It was broken in the deal that begins with `row`, 0 if it is no matter of one deal. `others` are
    the other records of this game, who holds each, its figure, and since when. `club` is what that
    is called, empty where it isn’t known.
    """

    name: RecordName
    player: str
    figure: int
    before: str
    was: int
    at: str
    row: int = 0
    others: tuple[tuple[RecordName, str, int, str], ...] = ()
    club: str = ""

    @property
    def called(self) -> Mapping[RecordName, Text]:
        """What each record is called."""
        return RECORDS


class Settling(Struct, frozen=True):
    """The settling of a period’s games for counters or chips, whichever `unit` is, by persons.

    `nets` are what the games brought, `payments` what is still to pay for them. A payment is noted
    for the `days` from the first of the games to the last. `elsewhere`: a payment also covers other
    days, so nothing is to be paid for these alone.
    """

    unit: str
    nets: Mapping[str, int]
    payments: tuple[Payment, ...]
    days: Period
    elsewhere: bool


class Counted(Struct, frozen=True, dict=True):
    """The figures of a club at one stage, with these `notes` in force.

    `sheets` has the mark of each of its sheets, and its game, None if it cannot be played.
    """

    stage: Stage
    notes: list[AnyNote]
    sheets: dict[int, tuple[str, PlayedGame | None]]
    figures: Figures

    @cached_property
    def games(self) -> list[PlayedGame]:
        """The games of the sheets that can be played, in the order in which they were begun."""
        return [game for _, game in self.sheets.values() if game]

    @cached_property
    def years(self) -> list[int]:
        """The years in which games that count have ended, the latest first."""
        return sorted({int(game.day[:4]) for game in self.figures.games if game.day})[::-1]

    @cached_property
    def contests(self) -> Counter[Contest]:
        """How many games count towards the same records."""
        return Counter(game.contest for game in self.figures.games)

    @cached_property
    def colours(self) -> dict[str, int]:
        """The colour of every person, from 1: the first sheet's players have the first, by seat."""
        people = self.figures.people
        results = (sorted(game.results, key=attrgetter("colour")) for game in self.games)
        came = dict.fromkeys(people.of(one.name) for some in results for one in some)
        everybody = dict.fromkeys((*came, *people.noted))
        return {person: place % TONES + 1 for place, person in enumerate(everybody)}

    def colours_on(self, sheet: Mapping[str, int]) -> dict[str, int]:
        """The colours of a sheet's players, given those it would have in no club.

        They are the persons' own. Of two who have the same one, the later gets one that is free.
        """
        own = {name: self.colours.get(self.figures.people.of(name), 0) for name in sheet}
        found: dict[str, int] = {}
        for name, colour in own.items():
            taken = {*found.values(), *(own.values() if colour in found.values() else ())}
            free = (one for one in range(1, COLOURS + 1) if one not in taken)
            found[name] = colour if colour and colour not in taken else next(free, colour or 1)
        return found

    def fallen(self, game: PlayedGame, deal: int) -> Fallen | None:
        """The record that `game`, whose last deal is `deal`, has just broken, if any.

        Of several it is the first in the order of `RecordName`.
        """
        broken, held = self.figures.broken(game), self.figures.records.get(game.contest, {})
        if game.counts:  # it has been counted
            broken = {
                name: (before, record)
                for name, (before, *after) in ((name, known[-2:]) for name, known in held.items())
                for record in after
                if record.sheet == game.sheet
            }
        for name in get_args(RecordName):
            before, record = broken.get(name, (None, None))
            if before and record and (game.finished or record.row == deal):
                others = tuple(
                    (other, self.figures.name(last.person), last.figure, last.at)
                    for other, (*_, last) in held.items()
                    if other != name
                )
                player, was = map(self.figures.name, (record.person, before.person))
                old = was, before.figure, before.at
                return Fallen(name, player, record.figure, *old, record.row, others)
        return None

    @cached_property
    def accounts(self) -> "Accounts":
        """What its games leave to pay, if none was paid for in another club."""
        return Accounts(self.figures.games, self.notes, self.figures.people)


class Accounts(Struct, frozen=True, dict=True):
    """What these games leave to pay after what was paid, by these notes."""

    games: Sequence[PlayedGame]
    notes: Sequence[AnyNote]
    people: People

    @cached_property
    def won(self) -> dict[str, dict[str, Counter[str]]]:
        """What everybody won or lost in counters, and in chips, day by day, the latest last."""
        found: dict[str, dict[str, Counter[str]]] = {}
        for game in self.games:
            if GAMES[game.slug].has_counters:
                days = found.setdefault(GAMES[game.slug].unit, {})
                day = days.setdefault(game.day, Counter())
                for one in game.placed:
                    day[self.people.of(one.name)] += one.points
        return found

    @cached_property
    def settling(self) -> list[Settling]:
        """What all games for counters, and those for chips, leave to pay."""
        paid = (note.unit for note in self.notes if isinstance(note, Paid))
        return [self._settling(unit, ALWAYS) for unit in dict.fromkeys((*self.won, *paid))]

    def settling_of(self, period: Period) -> list[Settling]:
        """What the games of a period leave to pay.

        Nothing, if nobody owes anything over all games, or if something was paid for days of this
        period and for others: what is left of that can only be settled with these.
        """
        found = []
        for whole in self.settling:
            part = self._settling(whole.unit, period)
            apart = bool(part.payments) and (part.elsewhere or not whole.payments)
            payments = () if apart else part.payments
            found.append(replace(part, payments=payments, elsewhere=apart))
        return found

    def _settling(self, unit: str, period: Period) -> Settling:
        played = self.won.get(unit, {})
        days = [day for day in played if period.includes(day)]
        nets, beyond = Counter[str](), False
        for day in days:
            nets.update(played[day])
        owed = nets.copy()
        for note in self.notes:
            if isinstance(note, Paid) and note.unit == unit:
                of = Period(note.since, note.until)
                if period.covers(of):
                    owed[self.people.of(note.payer)] += note.amount
                    owed[self.people.of(note.payee)] -= note.amount
                beyond = beyond or (period.overlaps(of) and not period.covers(of))
        span = Period(days[0], days[-1]) if days else period
        return Settling(unit, nets, payments(owed), span, beyond)


def gone_on(kept: Counted, sheets: Mapping[int, tuple[str, PlayedGame | None]]) -> Figures | None:
    """The figures with the games that have ended since; None if all must be counted again.

    That is so if a game that was counted has changed, or is none of the club's any more; and where
    a merge doesn't hold, which any sheet may change.
    """
    if kept.figures.people.apart:
        return None
    counts = {game.sheet for game in kept.figures.games}
    was = {sheet: game for sheet, (_, game) in kept.sheets.items()}
    if any(sheet not in sheets or sheets[sheet][1] is not was[sheet] for sheet in counts):
        return None
    fresh = [game for sheet, (_, game) in sheets.items() if game and game is not was.get(sheet)]
    if not all(kept.figures.people.fit(game) for game in fresh):
        return None
    found: Figures | None = kept.figures
    for game in in_order(fresh, zone_of(kept.notes)):
        found = found and found.going_on(game)
    return found
