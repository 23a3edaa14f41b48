"""The result of one sheet, small enough for a club of ten thousand (`docs/clubs.md`)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from referee.rules.core.entries import Leave, Stop
from referee.rules.core.game import AnyGame
from referee.rules.core.table import State, change_by_player
from referee.rules.letters import folded
from referee.rules.registry import GAMES
from referee.rules.settling import balances
from referee.sheets.files import Course, Sheet, entries_in_force
from referee.sheets.history import HistoryRow, remarks
from referee.sheets.score_pad import PadRow, ScorePad, score_pad_of
from referee.sheets.sheet import OpenSheet

#: A form of a name that is the same for all its spellings, by which people are identified.
person_of = lru_cache(maxsize=10_000)(folded)

#: The words for each feat of any game.
FEATS = {feat: words for game in GAMES.values() for feat, words in game.feats.called.items()}


class Contest(Struct, frozen=True):
    """Games that share their records: of one kind, and of one length by their house rules.

    The length is the score `target`, or the number of deals `agreed`; 0 for neither.
    """

    kind: str
    target: int = 0
    agreed: int = 0

    @property
    def once(self) -> bool:
        """Whether the game is over when everybody has dealt."""
        return not self.agreed and self._game.deals.once

    @property
    def _game(self) -> AnyGame:
        return GAMES[self.kind.partition(":")[0]]

    @property
    def has_counters(self) -> bool:
        """Whether these games are played for counters or chips."""
        return self._game.has_counters

    @property
    def length(self) -> str:
        """The length as in documents: "target 10", "deals 9"."""
        parts = (f"target {self.target}", self.target), (f"deals {self.agreed}", self.agreed)
        given = ", ".join(words for words, number in parts if number)
        return given or ("everybody deals" if self.once else "open end")


class Scored(Struct, frozen=True, array_like=True, gc=False):
    """Points, counters or chips of one deal, and the row of the sheet with which it began."""

    points: int
    row: int


class Result(Struct, frozen=True, omit_defaults=True, gc=False):
    """The result of a game for one of the names on its sheet.

    `place` is 0 while the game goes on, and for a player who handed over their seat: the game
    doesn't count for them, but their `deals` do. `points` are the final score, or the counters or
    chips won or lost. `best` and `worst` are deals; the fewest points are best where they win.
    `behind` is a winner's largest distance behind the leader. `feats` counts each feat. `out`: they
    lost their last chip, or were put out by the rules. `color`, from 1, is the player's on a sheet
    without a club; 0 in a file.
    """

    name: str
    place: int = 0
    points: int = 0
    seated: bool = True
    out: bool = False
    deals: int = 0
    best: Scored | None = None
    worst: Scored | None = None
    behind: Scored | None = None
    feats: dict[str, int] = {}
    color: int = 0


class PlayedGame(Struct, frozen=True, omit_defaults=True):
    """A sheet as a club counts it.

    `results` are of everybody seated, clockwise, then of those who have left, then of those who
    handed over their seat. `begun` and `ended` are in UTC (ISO 8601), empty where not known.
    `deals` is the number that were played to their end; `lowest`: fewest points win; `even`: each
    deal brings the same. How long it is, `target` and `agreed`, is as in `Contest`. `day` is the
    one on which it ended, in the club's time zone; `timed`: the time is its own, not that of the
    game before it. Both are set by `in_order`. `renamed` are changes of names as (old, new).
    """

    sheet: int
    slug: str
    results: tuple[Result, ...]
    called: str = ""
    begun: str = ""
    ended: str = ""
    finished: bool = False
    stopped: bool = False
    deals: int = 0
    lowest: bool = False
    even: bool = False
    target: int = 0
    agreed: int = 0
    day: str = ""
    timed: bool = True
    renamed: tuple[tuple[str, str], ...] = ()

    @property
    def key(self) -> str:
        """What the game counts as: its slug, with the name that the players gave to another."""
        return f"{self.slug}: {self.called}" if self.called else self.slug

    @property
    def kind(self) -> str:
        """The key without differences in capitals or blanks."""
        return person_of(self.key)

    @property
    def contest(self) -> Contest:
        """The games with which it shares records."""
        return Contest(self.kind, self.target, self.agreed)

    @property
    def may_be_quick(self) -> bool:
        """Whether the number of deals depends on play."""
        return bool(self.target) or not (self.agreed or self.contest.once)

    @property
    def at(self) -> str:
        """When it ended, in UTC; empty if not known."""
        return self.ended if self.timed else ""

    @property
    def counts(self) -> bool:
        """Whether it counts: it is over, and was not stopped before anybody scored."""
        return any(one.place == 1 for one in self.results)

    @property
    def winners(self) -> list[Result]:
        """Those who won."""
        return [one for one in self.results if one.place == 1]

    @property
    def seated(self) -> list[Result]:
        """Those who were seated at the end."""
        return [one for one in self.results if one.seated]

    @property
    def placed(self) -> list[Result]:
        """Those for whom the game counts."""
        return [one for one in self.results if one.place]


def game_of(sheet: OpenSheet) -> PlayedGame:
    """The result of an open sheet."""
    # An imported sheet was begun in this book after it was played.
    times = (_utc(sheet.begun), *(_utc(row.at) for row in sheet.history[:1]))
    begun = min(filter(None, times), default="")
    game = _game(sheet.id, sheet.course, sheet.pad, sheet.history, begun)
    colors = ((one, sheet.colors.get(one.name, 0)) for one in game.results)
    return replace(game, results=tuple(replace(one, color=color) for one, color in colors))


def game_in_file(number: int, sheet: Sheet) -> PlayedGame:
    """The result of a sheet in a file, with this number.

    Raises `IllegalEntry` or `NotationError` if an entry breaks a rule.
    """
    game, history = sheet.game, sheet.history
    numbered = list(enumerate(sheet.entries, start=1))
    if history is not None:
        numbered = entries_in_force(game, history)
    course = Course(game, game.start(sheet.table), ()).followed_by(numbered)
    begun = history[0].at if history else ""
    return _game(number, course, score_pad_of(course), history or (), begun)


def in_order(games: Iterable[PlayedGame], zone: tzinfo | None = None) -> list[PlayedGame]:
    """The games that count, by when they ended, then by number.

    A game whose end is unknown ended with the one numbered before it. Their days are in `zone`, or
    in this machine's time zone if that is None.
    """
    found, ended, day = list[PlayedGame](), "", ""
    for game in sorted(games, key=lambda game: game.sheet):
        if game.counts:
            if game.ended and game.ended != ended:
                ended, day = game.ended, day_of(game.ended, zone)
            found.append(replace(game, ended=ended, day=day, timed=bool(game.ended)))
    return sorted(found, key=lambda game: game.ended)


def day_of(at: str, zone: tzinfo | None) -> str:
    """The day of a time (ISO 8601) in this zone, by default this machine's; empty for no time."""
    try:
        return datetime.fromisoformat(at).astimezone(zone).date().isoformat()
    except (ValueError, OverflowError):
        return ""


def _game(
    number: int, course: Course, pad: ScorePad, history: Sequence[HistoryRow], begun: str
) -> PlayedGame:
    game, state, last = course.game, course.state, course.steps[-1] if course.steps else None
    title = remarks(history).get(("title", 0), "") if game.named_by_players else ""
    options = state.table.options
    lowest = game.goal.lowest_wins(options)
    ended = state.finished and last is not None
    return PlayedGame(
        sheet=number,
        slug=game.slug,
        results=tuple(_results(course, pad, lowest)),
        called=" ".join(title.split()),
        begun=_utc(begun),
        ended=_utc(history[last.seq - 1].at) if ended and last and history else "",
        finished=state.finished,
        stopped=ended and last is not None and isinstance(last.entry, Stop),
        deals=sum(row.kind == "deal" for row in pad.rows),
        lowest=lowest,
        even=game.deals.even(options),
        target=game.goal.target(options) or 0,
        agreed=game.deals.agreed(options) or 0,
        renamed=tuple(pair for row in history if row.agreed for pair in row.agreed.renamed.items()),
    )


def _results(course: Course, pad: ScorePad, lowest: bool) -> Iterator[Result]:
    """The results of everybody ever on the sheet, by the names under which they played."""
    game, state = course.game, course.state
    before: dict[int, State[Any]] = {}
    feats: dict[str, Counter[str]] = {}
    earlier = course.start
    for step in course.steps:
        before[step.seq] = earlier
        for player, feat in game.feats.of(earlier, step.entry, step.lines):
            feats.setdefault(person_of(player), Counter())[feat] += 1
        earlier = step.after
    deals: dict[str, list[Scored]] = {}
    names = {person_of(name): name for name in state.everybody}
    rows = [row for row in pad.rows if row.kind == "deal"]
    for row in rows:
        gained = change_by_player((*row.lines, *row.opening), row.totals)
        # The pad names a seat by its last holder; here each deal belongs to the player who played
        # it.
        then = before[row.steps[-1].seq].table.players
        for now, name in zip(row.seated, then, strict=True):
            deals.setdefault(person_of(name), []).append(Scored(gained[now], row.first))
            names.setdefault(person_of(name), name)
    fell = _fell(course, pad)
    places, points = _places(course, fell), state.totals
    if game.has_counters and state.finished:
        entries = (step.entry for step in course.steps)
        points = {one.player: one.net for one in balances(game, course.start, state, entries)}
    for person, name in names.items():
        own = deals.get(person, ())
        low = min(own, key=lambda deal: deal.points, default=None)
        high = max(own, key=lambda deal: deal.points, default=None)
        yield Result(
            name=name,
            place=places.get(name, 0),
            points=points.get(name, 0) if state.finished else 0,
            seated=name in state.table.players,
            out=name in fell,
            deals=len(own),
            best=low if lowest else high,
            worst=high if lowest else low,
            behind=_behind(rows, name, lowest) if places.get(name) == 1 else None,
            feats=dict(feats.get(person, {})),
        )


def _fell(course: Course, pad: ScorePad) -> dict[str, int]:
    """Players who lost their last chip or were put out by the rules, with the row of the pad.

    Without those who got chips later, or play again.
    """
    fell: dict[str, int] = {}
    was = course.start
    for at, row in enumerate(pad.rows):
        for step in row.steps:
            for name in step.after.everybody:
                if step.after.has_left(name) and not was.has_left(name):
                    if step.entry != Leave(name):
                        fell[name] = at
                elif was.has_left(name) and not step.after.has_left(name):
                    fell.pop(name, None)
            was = step.after
        for name, total in row.totals.items() if course.game.unit == "chip" else ():
            if total:
                fell.pop(name, None)
            else:
                fell.setdefault(name, at)
    return fell


def _places(course: Course, fell: Mapping[str, int]) -> dict[str, int]:
    """The place of everybody for whom the game counts; empty if nobody won.

    Behind those still in come those who `fell`, the last first, and then those who left of their
    own accord.
    """
    state = course.state
    winners = [state.name(seat) for seat in state.winners]
    if not winners:
        return {}
    ranks = {one.player: one.rank for one in course.game.standings(state)}

    def order(name: str) -> tuple[int, int]:
        """The sort key of a place, the least first."""
        if name in winners:
            return 0, 0
        if name in fell:
            return 2, -fell[name]
        return (3, 0) if ranks[name] is None else (1, ranks[name] or 0)

    everybody = sorted(map(order, state.everybody))
    return {name: 1 + everybody.index(order(name)) for name in state.everybody}


def _behind(rows: Iterable[PadRow], name: str, lowest: bool) -> Scored | None:
    """The largest distance of a player behind the leader after a deal; None if never behind."""
    most: Scored | None = None
    for row in rows:
        if name in row.seated:
            totals = [row.totals[other] for other in row.seated]
            distance = abs((min if lowest else max)(totals) - row.totals[name])
            if distance > (most.points if most else 0):
                most = Scored(distance, row.first)
    return most


def _utc(at: str) -> str:
    """A time in UTC, to the second, so that times compare as text; empty for an invalid one."""
    try:
        moment = datetime.fromisoformat(at)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return moment.astimezone(UTC).isoformat(timespec="seconds")
    except (ValueError, OverflowError):
        return ""


def game_title(key: str) -> str:
    """The title of a game by its key: "Nine Five Two", or the name the players gave it."""
    slug, _, called = key.partition(": ")
    return called or str(GAMES[slug].title)
