"""Who owes whom in a club, over all games or those of a period, after what was paid."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from referee.extras.clubs.figures import ALWAYS, Period
from referee.extras.clubs.games import PlayedGame
from referee.extras.clubs.notes import AnyNote, Brought, Paid, People
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, payments


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


class Accounts(Struct, frozen=True, dict=True):
    """What is due for these games, less the payments in these notes."""

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
        due = self.settlings if period is None else self.settlings_of(period)
        both = self.people.of(note.payer), self.people.of(note.payee)
        return any(
            (one.payer, one.payee) == both and one.amount >= note.amount
            for settling in due
            if settling.unit == note.unit
            for one in settling.payments
        )

    @cached_property
    def settlings(self) -> list[Settling]:
        """The settlings of all games for counters, and of all for chips."""
        paid = (note.unit for note in self.notes if isinstance(note, Paid))
        return [self._settling(unit, ALWAYS) for unit in dict.fromkeys((*self.won, *paid))]

    def settlings_of(self, period: Period) -> list[Settling]:
        """The settlings of a period's games.

        They ask for nothing if nobody owes anything over all games, or if a payment was for days of
        this period and for others: then only both together can be settled.
        """
        found = []
        for whole in self.settlings:
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
                paid_for = Period(note.since, note.until)
                if period.covers(paid_for):
                    owed[self.people.of(note.payer)] += note.amount
                    owed[self.people.of(note.payee)] -= note.amount
                elif period.overlaps(paid_for):
                    beyond = True
        span = Period(days[0], days[-1]) if days else period
        return Settling(unit, nets, payments(owed), span, beyond)
