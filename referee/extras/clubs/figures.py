"""The figures of a club, counted game by game, as `docs/clubs.md` says.

Adding a game at the end gives the same as counting all of them. Persons are identified as by
`People`, and called by their name as last written.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Any

from msgspec import Struct

from referee.extras.clubs.games import Contest, PlayedGame, Result, Scored, in_order, person_of
from referee.extras.clubs.notes import AnyNote, People, people_of, zone_of
from referee.extras.clubs.ratings import RATED_FROM, Rating, rated, unrated
from referee.extras.clubs.records import Record, RecordName, offers
from referee.extras.clubs.season_table import LATEST, TABLE_SORTS, TableRow, ranked

#: The most points on the course of a season.
COURSE = 100


class Appearance(Struct, frozen=True, gc=False):
    """A person’s game: its `result`, their `rating` after it, and their running totals.

    These are games that count, wins, the sum of `places`, and points for places (`scored`).
    """

    game: PlayedGame
    result: Result
    rating: Rating
    games: int = 0
    wins: int = 0
    places: int = 0
    scored: int = 0

    @property
    def won(self) -> bool:
        """Whether the person won it."""
        return self.result.place == 1

    @property
    def seated_together(self) -> list[Result]:
        """Everybody seated at the end, if the person was: these played against each other."""
        return self.game.seated if self.result.seated else []

    def worth(self, deal: Scored | None) -> int:
        """A deal's value compared with other games: negative points where the fewest win."""
        points = deal.points if deal else 0
        return -points if self.game.lowest else points


class Period(Struct, frozen=True):
    """From one day to another, both included (ISO 8601); empty for no limit."""

    since: str = ""
    until: str = ""

    def holds(self, game: PlayedGame) -> bool:
        """Whether a game ended in this period."""
        return self.includes(game.day)

    def includes(self, day: str) -> bool:
        """Whether a day is in this period; an unknown day is before all others."""
        return self.since <= day and not "" < self.until < day

    def covers(self, other: "Period") -> bool:
        """Whether this period includes all of another."""
        ends = not self.until or "" < other.until <= self.until
        return self.since <= other.since and ends

    def overlaps(self, other: "Period") -> bool:
        """Whether this and another period have days in common."""
        return not ("" < self.until < other.since or "" < other.until < self.since)

    def within(self, games: Sequence[Appearance]) -> slice:
        """The part of a person’s games that ended in this period."""
        first = bisect_left(games, self.since, key=_day) if self.since else 0
        return slice(first, bisect_right(games, self.until, key=_day) if self.until else len(games))


ALWAYS = Period()


def year(number: int) -> Period:
    """The period of a calendar year."""
    return Period(f"{number:04}-01-01", f"{number:04}-12-31")


def _day(one: Appearance) -> str:
    return one.game.day


def _moment(game: PlayedGame) -> tuple[str, int]:
    """The sort key of games."""
    return game.ended, game.sheet


def _until(games: Sequence[Appearance], last: tuple[str, int], part: slice) -> int:
    """The index behind the last of a person’s games up to this moment."""
    return bisect_right(games, last, part.start, part.stop, key=lambda one: _moment(one.game))


class Duel(Struct, frozen=True):
    """The sheets of two people’s games against each other, by whether `one` placed better."""

    one: str
    other: str
    won: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    level: tuple[int, ...] = ()

    @property
    def counts(self) -> tuple[int, int, int]:
        """The numbers of games won, lost, and level."""
        return len(self.won), len(self.lost), len(self.level)

    @property
    def games(self) -> int:
        """The number of games."""
        return sum(self.counts)

    @property
    def share(self) -> float:
        """The share that `one` won, ties counting half."""
        return (len(self.won) + len(self.level) / 2) / self.games


class Figures(Struct, frozen=True, dict=True):
    """Everything counted so far; immutable, `followed_by` gives figures with more games.

    `games` are those that count, in order; `seen` has each person’s appearances; `called` the names
    of persons and `keys` those of games, as last written. `records` has those of each contest, the
    current holder last; `streaks` the wins in a row, by contest and person.
    """

    people: People = People()
    games: tuple[PlayedGame, ...] = ()
    seen: Mapping[str, Sequence[Appearance]] = {}
    called: Mapping[str, str] = {}
    keys: Mapping[str, str] = {}
    records: Mapping[Contest, Mapping[RecordName, tuple[Record, ...]]] = {}
    streaks: Mapping[tuple[Contest, str], int] = {}

    def name(self, person: str) -> str:
        """The name of a person."""
        return self.called.get(person) or " ".join(self.people.written.get(person, person).split())

    def followed_by(self, games: Sequence[PlayedGame]) -> "Figures":
        """The figures with more games that count, all ended after those counted before."""
        seen = {person: list(known) for person, known in self.seen.items()}
        called, keys, streaks = dict(self.called), dict(self.keys), dict(self.streaks)
        records = {contest: dict(known) for contest, known in self.records.items()}
        for game in games:
            contest = game.contest
            keys[game.kind] = game.key
            for name, record in offers(self.people, game, streaks).items():
                held = records.setdefault(contest, {}).get(name, ())
                if not held or record.beats(name, held[-1]):
                    records[contest][name] = (*held, record)
            persons = [self.people.of(one.name) for one in game.results]
            for person, appearance in zip(persons, _appearances(persons, seen, game), strict=True):
                written = appearance.result.name
                seen.setdefault(person, []).append(appearance)
                if person_of(written) == person:
                    called[person] = " ".join(written.split())
                if appearance.result.place:
                    won = streaks.get((contest, person), 0) + 1
                    streaks[contest, person] = won if appearance.won else 0
        return Figures(self.people, (*self.games, *games), seen, called, keys, records, streaks)

    def with_game(self, game: PlayedGame) -> "Figures | None":
        """The figures with one more game; None if all must be counted again.

        That is so if it ended before one already counted, or shows a merged person to be two.
        """
        if not self.people.are_distinct_on(game):
            return None
        if not game.counts:
            return self
        last = self.games[-1] if self.games else None
        if last and _moment(game) <= _moment(last):
            return None
        return self.followed_by([game])

    def broken(self, game: PlayedGame) -> dict[RecordName, tuple[Record, Record]]:
        """The records that a game not counted yet breaks, each with the record before.

        The game may still go on. The first of its kind breaks none.
        """
        known = self.records.get(game.contest, {})
        offered = offers(self.people, game, self.streaks).items()
        return {
            name: (known[name][-1], record)
            for name, record in offered
            if name in known and record.beats(name, known[name][-1])
        }

    # --- season tables, and two people

    def table(self, period: Period, by: str) -> list[TableRow]:
        """The season table of a period as it is shown, sorted by one of `TABLE_SORTS`."""
        return sorted(self.ranking(period), key=TABLE_SORTS[by].key)

    def ranking(self, period: Period = ALWAYS) -> list[TableRow]:
        """Everybody’s row of a period except guests’, the leader first."""
        rows = (
            self._row(person, period.within(known))
            for person, known in self.seen.items()
            if self.people.status(person) != "guest"
        )
        return ranked(row for row in rows if row)

    def course(
        self, people: Sequence[str], period: Period = ALWAYS
    ) -> dict[int, list[TableRow | None]]:
        """The season table's rows over a period, by the number of games that were over.

        For these `people`, at `COURSE` moments at most, the last included; None before somebody's
        first game.
        """
        games = [game for game in self.games if period.holds(game)]
        parts = [period.within(self.seen[person]) for person in people]
        step = -(-len(games) // COURSE) or 1
        found = {}
        for number in range(len(games), 0, -step):
            last = _moment(games[number - 1])
            found[number] = [
                self._row(person, slice(part.start, _until(self.seen[person], last, part)))
                for person, part in zip(people, parts, strict=True)
            ]
        return dict(reversed(found.items()))

    def _row(self, person: str, part: slice) -> TableRow | None:
        """A person’s row for this part of their games; None if none counts for them."""
        if part.start >= part.stop:
            return None
        known = self.seen[person]
        last, before = known[part.stop - 1], known[part.start - 1] if part.start else None
        games, wins, places, scored = (
            getattr(last, total) - (getattr(before, total) if before else 0)
            for total in ("games", "wins", "places", "scored")
        )
        if not games:
            return None
        backwards = (known[place] for place in reversed(range(part.start, part.stop)))
        placed = (one for one in backwards if one.result.place)
        return TableRow(
            person=person,
            games=games,
            wins=wins,
            average=places / games,
            points=scored,
            rating=last.rating if last.games >= RATED_FROM else None,
            last=tuple((one.result.place, one.game.sheet) for one in islice(placed, LATEST))[::-1],
        )

    def duels(self, one: str, period: Period = ALWAYS, kind: str = "") -> dict[str, Duel]:
        """A person’s games against everybody they met in a period, in order of meeting.

        With `kind` only those of one kind of game. The result is cached.
        """
        asked = one, period, kind
        if asked not in self._duels:
            self._duels[asked] = self._counted_duels(one, period, kind)
        return self._duels[asked]

    @cached_property
    def _duels(self) -> dict[tuple[str, Period, str], dict[str, Duel]]:
        return {}

    def _counted_duels(self, one: str, period: Period, kind: str) -> dict[str, Duel]:
        found: dict[str, tuple[list[int], list[int], list[int]]] = {}
        known = self.seen.get(one, ())
        for played in known[period.within(known)]:
            own, game = played.result, played.game
            for rival in played.seated_together if kind in ("", game.kind) else ():
                if rival is not own:
                    person = self.people.of(rival.name)
                    which = (own.place > rival.place) + 2 * (own.place == rival.place)
                    found.setdefault(person, ([], [], []))[which].append(game.sheet)
        return {other: Duel(one, other, *map(tuple, sheets)) for other, sheets in found.items()}

    def duel(self, one: str, other: str, period: Period = ALWAYS, kind: str = "") -> Duel:
        """Two people’s games against each other, in a period; of one `kind` if that is given."""
        return self.duels(one, period, kind).get(other, Duel(one, other))

    def document(self) -> dict[str, Any]:
        """The figures as `referee club --json` prints them."""
        return {
            "players": {self.name(person): self._player(person) for person in self.seen},
            "head_to_head": {
                self.name(one): {
                    self.name(other): list(duel.counts) for other, duel in self.duels(one).items()
                }
                for one in self.seen
            },
            "records": self.records_document(),
        }

    def records_document(self) -> dict[str, dict[str, Any]]:
        """The records of each game, and of each length it was played to."""
        found: dict[str, dict[str, Any]] = {}
        for contest, records in self.records.items():
            found.setdefault(self.keys[contest.kind], {})[contest.length] = {
                name: self.record_document(contest, name, held[-1])
                for name, held in records.items()
            }
        return found

    def rests_on(self, contest: Contest, name: RecordName, record: Record) -> list[int]:
        """The sheets of a record; the last is the one on which it was set."""
        if name != "longest_streak":
            return [record.sheet]
        own = [one for one in self.seen[record.person] if one.result.place]
        sheets = [one.game.sheet for one in own if one.game.contest == contest]
        end = sheets.index(record.sheet) + 1
        return sheets[end - record.figure : end]

    def record_document(self, contest: Contest, name: RecordName, record: Record) -> dict[str, Any]:
        """A record as a document: its holder, figure and sheets."""
        return {
            "player": self.name(record.person),
            "figure": record.figure,
            "sheet": record.sheet,
            "row": record.row or None,
            "at": record.at or None,
            "sheets": self.rests_on(contest, name, record),
        }

    def _player(self, person: str) -> dict[str, Any]:
        own = [one for one in self.seen[person] if one.result.place]
        places = Counter(one.result.place for one in own)
        points = Counter[str]()
        for one in own:
            points[self.keys[one.game.kind]] += one.result.points
        return {
            "games": len(own),
            "wins": places[1],
            "places": {str(place): places[place] for place in sorted(places)},
            "points": dict(points),
            "rating": [round(number, 4) for number in self.seen[person][-1].rating],
        }


def counted(games: Iterable[PlayedGame], notes: Iterable[AnyNote] = ()) -> Figures:
    """The figures of a club, given all its sheets in any order, unfinished ones too."""
    known, noted = list(games), list(notes)
    return Figures(people_of(noted, known)).followed_by(in_order(known, zone_of(noted)))


# --- game by game


def _appearances(
    persons: Sequence[str], seen: Mapping[str, Sequence[Appearance]], game: PlayedGame
) -> list[Appearance]:
    """The appearances in a game of these `persons`, in the order of its results."""
    results = game.results
    last = [known[-1] if (known := seen.get(person)) else None for person in persons]
    ratings = [one.rating if one else unrated() for one in last]
    stayed = [at for at, one in enumerate(results) if (one.seated or one.out) and one.place]
    after = rated([ratings[at] for at in stayed], [results[at].place for at in stayed])
    for at, rating in zip(stayed, after, strict=True):
        ratings[at] = rating
    places = [one.place for one in results]
    return [
        Appearance(
            game=game,
            result=one,
            rating=rating,
            games=(before.games if before else 0) + bool(one.place),
            wins=(before.wins if before else 0) + (one.place == 1),
            places=(before.places if before else 0) + one.place,
            scored=(before.scored if before else 0)
            + (1 + sum(place > one.place for place in places) if one.place else 0),
        )
        for one, before, rating in zip(results, last, ratings, strict=True)
    ]
