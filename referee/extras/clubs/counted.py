"""The games of a club at one moment with their figures, updated when more have ended."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from operator import attrgetter
from typing import get_args

from msgspec import Struct

from referee.extras.clubs.figures import Figures
from referee.extras.clubs.games import Contest, PlayedGame, in_order
from referee.extras.clubs.members import Stage
from referee.extras.clubs.notes import AnyNote, zone_of
from referee.extras.clubs.records import Record, RecordName, called
from referee.rules.text import Text
from referee.sheets.history import COLORS, TONES


class Fallen(Struct, frozen=True):
    """A record that has just been broken: its new holder and figure, and the one before.

    It was broken in the deal that begins with `row`, 0 for a record of a whole game. `others` are
    the other records of this game, each with holder, figure and date. `club` is the club's name,
    empty if not known.
    """

    contest: Contest
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
        return called(self.contest)


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

    def colors_on_sheet(self, players: Iterable[str]) -> dict[str, int]:
        """The colors of these players of one sheet: their own in the club.

        Of two with the same one, the later gets a free one.
        """
        own = {name: self.colors.get(self.figures.people.of(name), 0) for name in players}
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
        held = self.figures.records.get(game.contest, {})
        broken: Mapping[RecordName, Sequence[Record]]
        if game.counts:  # it is over, and in the figures
            latest = {name: known[-2:] for name, known in held.items() if len(known) > 1}
            broken = {name: two for name, two in latest.items() if two[-1].sheet == game.sheet}
        else:
            broken = self.figures.broken(game)
        for name in get_args(RecordName):
            before, record = broken.get(name, (None, None))
            if before and record and (game.finished or record.row == deal):
                return Fallen(
                    game.contest,
                    name,
                    player=self.figures.name(record.person),
                    figure=record.figure,
                    before=self.figures.name(before.person),
                    was=before.figure,
                    at=before.at,
                    row=record.row,
                    others=tuple(
                        (other, self.figures.name(last.person), last.figure, last.at)
                        for other, (*_, last) in held.items()
                        if other != name
                    ),
                )
        return None


def updated_figures(
    kept: Counted, sheets: Mapping[int, tuple[str, PlayedGame | None]]
) -> Figures | None:
    """The figures with the games that have ended since; None if all must be counted again.

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
    if not all(kept.figures.people.are_distinct_on(game) for game in fresh):
        return None
    found: Figures | None = kept.figures
    for game in in_order(fresh, zone_of(kept.notes)):
        found = found and found.with_game(game)
    return found
