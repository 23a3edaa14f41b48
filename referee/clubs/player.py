"""A person of a club: what their page shows, each figure with the sheets that it rests on."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from referee.clubs.figures import ALWAYS, Appearance, Duel, Figures, Period
from referee.clubs.games import Scored
from referee.clubs.ratings import RATED_FROM, Rating

#: From how many games a nemesis and a favorite table are told, and how many make the form.
NEMESIS_FROM, TABLE_FROM, FORM = 5, 3, 5


class Figure(Struct, frozen=True):
    """A figure with the numbers of the sheets that it rests on, the oldest first."""

    value: float
    sheets: tuple[int, ...]


class DealFigure(Struct, frozen=True):
    """A deal: what it brought, of which game (its key), and where it is written."""

    points: int
    key: str
    sheet: int
    row: int
    at: str


class OfGame(Struct, frozen=True):
    """A person’s games of one kind: how many, won how many, and the points or what was won."""

    games: Figure
    wins: Figure
    points: Figure


class Course(Struct, frozen=True):
    """A moment in a person’s course: the sheet, its end, their place, form, and rating after it.

    The form is the average place over this and up to four games before it.
    """

    sheet: int
    at: str
    place: int
    of: int
    form: float
    rating: Rating


class TableFigure(Struct, frozen=True):
    """The games of a person with the same opponents: how many, and won how many."""

    opponents: tuple[str, ...]
    games: Figure
    wins: Figure


class Player(Struct, frozen=True):
    """What the page of a person shows.

    `games` and `wins` count; `places` has the sheets by place; `by_game` what there is of each
    game, by its key. `streak` and `best_streak` are wins in a row, now and at most. `deals` is how
    many they played to the end, `best` and `worst` of them by what they brought (in games that
    the fewest points win, cost). `feats` counts each feat. `rating` is None below `RATED_FROM`
    games of the club.
    """

    person: str
    games: Figure
    wins: Figure
    places: Mapping[int, tuple[int, ...]]
    average: float
    by_game: Mapping[str, OfGame]
    course: tuple[Course, ...]
    streak: Figure
    best_streak: Figure
    deals: Figure
    best: DealFigure | None
    worst: DealFigure | None
    feats: Mapping[str, Figure]
    nemesis: Duel | None
    best_table: TableFigure | None
    rating: Rating | None

    @property
    def share(self) -> float:
        """The share of games that was won; 0 of none."""
        return self.wins.value / self.games.value if self.games.value else 0.0

    @property
    def last_five(self) -> tuple[tuple[int, int], ...]:
        """The last five places, each with its sheet."""
        return tuple((one.place, one.sheet) for one in self.course[-5:])


def player(figures: Figures, person: str, period: Period = ALWAYS) -> Player:
    """The figures of a person in a period; raises `KeyError` for somebody who never played."""
    known = figures.seen[person]
    every = known[period.within(known)]
    own = [one for one in every if one.result.place]
    places: dict[int, list[int]] = {}
    kinds: dict[str, list[Appearance]] = {}
    for one in own:
        places.setdefault(one.result.place, []).append(one.game.sheet)
        kinds.setdefault(figures.keys[one.game.kind], []).append(one)
    feats = Counter[str]()
    for one in every:
        feats.update(one.result.feats)
    streak, best_streak = _streaks(own)
    return Player(
        person=person,
        games=_number(own),
        wins=_number(own, _won),
        places={place: tuple(places[place]) for place in sorted(places)},
        average=sum(one.result.place for one in own) / len(own) if own else 0.0,
        by_game={
            key: OfGame(
                _number(of_kind),
                _number(of_kind, _won),
                Figure(sum(one.result.points for one in of_kind), _sheets(of_kind)),
            )
            for key, of_kind in kinds.items()
        },
        course=tuple(_course(own)),
        streak=streak,
        best_streak=best_streak,
        deals=Figure(
            sum(one.result.deals for one in every),
            _sheets(one for one in every if one.result.deals),
        ),
        best=_deal(figures, every, lambda one: one.result.best),
        worst=_deal(figures, every, lambda one: one.result.worst, worst=True),
        feats={
            feat: Figure(number, _sheets(one for one in every if feat in one.result.feats))
            for feat, number in feats.items()
        },
        nemesis=_nemesis(figures, person, own, period),
        best_table=_best_table(figures, own),
        rating=every[-1].rating if every and every[-1].games >= RATED_FROM else None,
    )


def _won(one: Appearance) -> bool:
    return one.result.place == 1


def _sheets(games: Iterable[Appearance]) -> tuple[int, ...]:
    return tuple(one.game.sheet for one in games)


def _number(
    games: Iterable[Appearance], counts: Callable[[Appearance], bool] = lambda one: True
) -> Figure:
    """How many of the games count, and which."""
    sheets = _sheets(one for one in games if counts(one))
    return Figure(len(sheets), sheets)


def _course(own: Sequence[Appearance]) -> Iterable[Course]:
    for number, one in enumerate(own, start=1):
        recent = own[max(0, number - FORM) : number]
        form = sum(each.result.place for each in recent) / len(recent)
        game = one.game
        yield Course(game.sheet, game.ended, one.result.place, len(game.placed), form, one.rating)


def _streaks(own: Sequence[Appearance]) -> tuple[Figure, Figure]:
    """The wins in a row up to the last game, and the most there were; of equals the earliest."""
    now, best = list[Appearance](), list[Appearance]()
    for one in own:
        now = [*now, one] if _won(one) else []
        best = now if len(now) > len(best) else best
    return _number(now), _number(best)


def _deal(
    figures: Figures,
    every: Iterable[Appearance],
    which: Callable[[Appearance], Scored | None],
    *,
    worst: bool = False,
) -> DealFigure | None:
    """The best or the worst deal; of equals the earliest. Points are bad where the fewest win."""
    found: tuple[int, DealFigure] | None = None
    for one in every:
        deal, game = which(one), one.game
        if deal is None:
            continue
        worth = deal.points * (-1 if game.lowest is not worst else 1)
        if found is None or worth > found[0]:
            key = figures.keys[game.kind]
            found = worth, DealFigure(deal.points, key, game.sheet, deal.row, game.ended)
    return found[1] if found else None


def _nemesis(
    figures: Figures, person: str, own: Iterable[Appearance], period: Period
) -> Duel | None:
    """The games against whom a person loses to most: with the smallest share, below a half.

    Of equals the one with more games against each other counts, then who was met first.
    """
    met = dict.fromkeys(
        figures.people.of(rival.name)
        for one in own
        if one.result.seated
        for rival in one.game.seated
        if rival is not one.result
    )
    duels = [figures.duel(person, other, period) for other in met]
    bad = [duel for duel in duels if duel.games >= NEMESIS_FROM and duel.share < 1 / 2]
    return min(bad, key=lambda duel: (duel.share, -duel.games), default=None)


def _best_table(figures: Figures, own: Iterable[Appearance]) -> TableFigure | None:
    """The opponents against whom a person wins most, by the share of wins; None without a win.

    Of equals the one with more games counts, then which was met first.
    """
    tables: dict[frozenset[str], list[Appearance]] = {}
    for one in own:
        if one.result.seated:
            others = {figures.people.of(rival.name) for rival in one.game.seated}
            others.discard(figures.people.of(one.result.name))
            tables.setdefault(frozenset(others), []).append(one)
    found = [
        TableFigure(tuple(sorted(others)), _number(games), _number(games, _won))
        for others, games in tables.items()
        if others and len(games) >= TABLE_FROM and any(map(_won, games))
    ]
    return max(
        found,
        key=lambda table: (table.wins.value / table.games.value, table.games.value),
        default=None,
    )
