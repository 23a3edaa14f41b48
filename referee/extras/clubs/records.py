"""The records of each game, such as the highest deal or the quickest win (`docs/clubs.md`)."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from referee.extras.clubs.games import Contest, PlayedGame, Result
from referee.extras.clubs.notes import People
from referee.rules.text import Text, say

RecordName = Literal[
    "highest_deal", "lowest_winning_total", "greatest_comeback", "longest_streak", "quickest_win"
]
_CALLED: Mapping[RecordName, Text] = {
    "highest_deal": say("Highest deal"),
    "lowest_winning_total": say("Lowest winning total"),
    "greatest_comeback": say("Greatest comeback"),
    "longest_streak": say("Longest streak"),
    "quickest_win": say("Quickest win"),
}
#: Won counters and chips are no total: the stack that somebody ends with is larger.
_CALLED_FOR_COUNTERS = {**_CALLED, "lowest_winning_total": say("Smallest win")}
#: The records in which a lower figure is better.
FEWEST = ("lowest_winning_total", "quickest_win")
SHORTEST_STREAK = 2


class Record(Struct, frozen=True, omit_defaults=True):
    """A record: its holder, its `figure`, and since when.

    It was set on `sheet`, in the deal whose first row is `row`; 0 for a record of a whole game.
    """

    person: str
    figure: int
    sheet: int
    row: int = 0
    at: str = ""

    def beats(self, name: RecordName, other: "Record") -> bool:
        """Whether it is better than another one; of equals the earlier stays."""
        return self.figure < other.figure if name in FEWEST else self.figure > other.figure


def called(contest: Contest) -> Mapping[RecordName, Text]:
    """The name of each record in a contest."""
    return _CALLED_FOR_COUNTERS if contest.has_counters else _CALLED


def offers(
    people: People, game: PlayedGame, streaks: Mapping[tuple[Contest, str], int]
) -> dict[RecordName, Record]:
    """A game's best figure for each record, whether or not it beats the record.

    `streaks` has each person's wins in a row in a contest before it. An unfinished game only has
    figures for deals.
    """
    best: dict[RecordName, Record] = {}
    for name, result, figure, row in _offered(people, game, streaks):
        made = Record(people.of(result.name), figure, game.sheet, row, game.at)
        known = best.setdefault(name, made)
        if made.beats(name, known) or (figure == known.figure and row < known.row):
            best[name] = made
    return best


def _offered(
    people: People, game: PlayedGame, streaks: Mapping[tuple[Contest, str], int]
) -> Iterator[tuple[RecordName, Result, int, int]]:
    """Yield (record, person, figure, row) for all figures of a game.

    A figure that the house rules fix is left out.
    """
    for result in () if game.even else game.results:
        if highest := result.worst if game.lowest else result.best:
            yield "highest_deal", result, highest.points, highest.row
    for winner in game.winners:
        streak = streaks.get((game.contest, people.of(winner.name)), 0) + 1
        if streak >= SHORTEST_STREAK:
            yield "longest_streak", winner, streak, 0
        if game.stopped or not game.deals:
            continue
        if not (game.even and game.target):
            yield "lowest_winning_total", winner, winner.points, 0
        if game.may_be_quick:
            yield "quickest_win", winner, game.deals, 0
        if winner.behind:
            yield "greatest_comeback", winner, winner.behind.points, winner.behind.row
