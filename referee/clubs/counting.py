"""The figures of a club as its sheets stand, and how they go on with what is written since."""

from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from typing import get_args

from msgspec import Struct

from referee.clubs.figures import Figures
from referee.clubs.games import PlayedGame, in_order
from referee.clubs.notes import AnyNote, Paid
from referee.clubs.records import RecordName
from referee.ledger.clubs import Stage
from referee.rules.registry import GAMES
from referee.rules.settling import Payment, payments


class Fallen(Struct, frozen=True):
    """A record that has just been broken: who holds it with what, and who held it before, when."""

    name: RecordName
    player: str
    figure: int
    before: str
    was: int
    at: str


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
        return sorted({int(game.ended[:4]) for game in self.figures.games if game.ended})[::-1]

    @cached_property
    def kinds(self) -> Counter[str]:
        """How many games of each kind count."""
        return Counter(game.kind for game in self.figures.games)

    @cached_property
    def order(self) -> dict[str, int]:
        """The place of everybody among those who ever played, from 0: the first came first."""
        return {person: place for place, person in enumerate(self.figures.seen)}

    def fallen(self, game: PlayedGame, deal: int) -> Fallen | None:
        """The record that `game`, whose last deal is `deal`, has just broken, if any.

        Of several it is the first in the order of `RecordName`.
        """
        broken = self.figures.broken(game)
        if game.counts:  # it has been counted
            held = self.figures.records.get(game.kind, {})
            broken = {
                name: (before, record)
                for name, (before, *after) in ((name, known[-2:]) for name, known in held.items())
                for record in after
                if record.sheet == game.sheet
            }
        for name in get_args(RecordName):
            before, record = broken.get(name, (None, None))
            if before and record and (game.finished or record.row == deal):
                player, other = map(self.figures.name, (record.person, before.person))
                return Fallen(name, player, record.figure, other, before.figure, before.at)
        return None

    @cached_property
    def unpaid(self) -> list[tuple[str, Payment]]:
        """Who still pays whom over all games for counters or chips, by persons, each with its unit.

        The games that are over count, and what was noted as paid.
        """
        nets: dict[str, Counter[str]] = {}
        for game in self.figures.games:
            if GAMES[game.slug].has_counters:
                for one in game.placed:
                    person = self.figures.people.of(one.name)
                    nets.setdefault(GAMES[game.slug].unit, Counter())[person] += one.points
        for note in self.notes:
            if isinstance(note, Paid):
                net = nets.setdefault(note.unit, Counter())
                net[self.figures.people.of(note.payer)] += note.amount
                net[self.figures.people.of(note.payee)] -= note.amount
        return [(unit, one) for unit, net in nets.items() for one in payments(net)]


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
    for game in in_order(fresh):
        found = found and found.going_on(game)
    return found
