"""The figures of a club at one moment, and updating them when games have ended since."""

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
from referee.extras.clubs.notes import AnyNote, Brought, Paid, People, zone_of
from referee.extras.clubs.records import RECORDS, RecordName
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, payments
from referee.rules.text import Text
from referee.sheets.history import COLORS, TONES


class Fallen(Struct, frozen=True):
    """A record that has just been broken: its new holder and figure, and the one before.

    It was broken in the deal that begins with `row`, 0 for a record of a whole game. `others` are
    the other records of this game, each with holder, figure and date. `club` is the club's name,
    empty if not known.
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
        """The name of each record."""
        return RECORDS


class Settling(Struct, frozen=True):
    """The settling of a period’s games for counters or chips (`unit`), by person.

    `nets` is what each won or lost, `payments` are those still due. A payment is noted for the
    `days` from the first of the games to the last. `elsewhere`: a payment noted before also covers
    other days, so nothing can be settled for these alone.
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
        """The number of games in each contest."""
        return Counter(game.contest for game in self.figures.games)

    @cached_property
    def colors(self) -> dict[str, int]:
        """The color of every person, from 1: the first sheet's players have the first, by seat."""
        people = self.figures.people
        results = (sorted(game.results, key=attrgetter("color")) for game in self.games)
        came = dict.fromkeys(people.of(one.name) for some in results for one in some)
        everybody = dict.fromkeys((*came, *people.noted))
        return {person: place % TONES + 1 for place, person in enumerate(everybody)}

    def colors_on(self, sheet: Mapping[str, int]) -> dict[str, int]:
        """The colors of a sheet's players; `colors` are those that it has without a club.

        Each has their own in the club. Of two with the same one, the later gets a free one.
        """
        own = {name: self.colors.get(self.figures.people.of(name), 0) for name in sheet}
        found: dict[str, int] = {}
        for name, color in own.items():
            taken = {*found.values(), *(own.values() if color in found.values() else ())}
            free = (one for one in range(1, COLORS + 1) if one not in taken)
            found[name] = color if color and color not in taken else next(free, color or 1)
        return found

    def fallen(self, game: PlayedGame, deal: int) -> Fallen | None:
        """The record that `game` has just broken, with its last deal `deal` or by its end, if any.

        Of several the first in the order of `RecordName`.
        """
        broken, held = self.figures.broken(game), self.figures.records.get(game.contest, {})
        if game.counts:  # it is over, and in the figures
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


class Accounts(Struct, frozen=True, dict=True):
    """What these games leave to pay after what was paid, by these notes."""

    games: Sequence[PlayedGame]
    notes: Sequence[AnyNote]
    people: People

    @cached_property
    def won(self) -> dict[str, dict[str, Counter[str]]]:
        """What everybody won or lost on each day, in counters and in chips, the latest day last."""
        found: dict[str, dict[str, Counter[str]]] = {}
        for game in self.games:
            if GAMES[game.slug].has_counters:
                days = found.setdefault(GAMES[game.slug].unit, {})
                day = days.setdefault(game.day, Counter())
                for one in game.placed:
                    day[self.people.of(one.name)] += one.points
        for note in self.notes:
            if isinstance(note, Brought):
                day = found.setdefault(note.unit, {}).setdefault(note.day, Counter())
                for name, points in note.won.items():
                    day[self.people.of(name)] += points
        return {unit: dict(sorted(days.items())) for unit, days in found.items()}

    def asks_for(self, note: Paid, period: Period | None) -> bool:
        """Whether this much is due between these two: for a period, or over all games if None."""
        due = self.settling if period is None else self.settling_of(period)
        both = self.people.of(note.payer), self.people.of(note.payee)
        return any(
            (one.payer, one.payee) == both and one.amount >= note.amount
            for settling in due
            if settling.unit == note.unit
            for one in settling.payments
        )

    @cached_property
    def settling(self) -> list[Settling]:
        """The settlings of all games for counters, and of all for chips."""
        paid = (note.unit for note in self.notes if isinstance(note, Paid))
        return [self._settling(unit, ALWAYS) for unit in dict.fromkeys((*self.won, *paid))]

    def settling_of(self, period: Period) -> list[Settling]:
        """The settlings of a period's games.

        They ask for nothing if nobody owes anything over all games, or if a payment was for days of
        this period and for others: then only both together can be settled.
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
    """The figures updated with games that have ended since; None if all must be counted again.

    That is so if a counted game has changed or left the club, or if a merge doesn't hold, as any
    sheet may change that.
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
