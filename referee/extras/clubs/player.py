"""The figures of one person of a club.

Most are lists of the appearances that they count, so that a page can link to the sheets.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from msgspec import Struct

from referee.extras.clubs.figures import ALWAYS, Appearance, Duel, Figures, Period
from referee.extras.clubs.games import Scored
from referee.extras.clubs.ratings import RATED_FROM, Rating

#: The fewest games for a nemesis and for a best table, and the number of games for the form.
NEMESIS_FROM, TABLE_FROM, FORM = 5, 3, 5

Games = list[Appearance]


class Player(Struct, frozen=True, dict=True):
    """A person in a period; `every` appearance includes handed-over seats."""

    figures: Figures
    person: str
    period: Period
    every: Sequence[Appearance]

    @property
    def name(self) -> str:
        """Their name."""
        return self.figures.name(self.person)

    @cached_property
    def games(self) -> Games:
        """The games that count for them."""
        return [one for one in self.every if one.result.place]

    @property
    def wins(self) -> Games:
        """The games that they won."""
        return [one for one in self.games if one.won]

    @property
    def average(self) -> float:
        """The average place; 0 without a game."""
        return sum(one.result.place for one in self.games) / max(1, len(self.games))

    @property
    def places(self) -> dict[int, Games]:
        """Their games by place, first places first."""
        taken = sorted({one.result.place for one in self.games})
        return {place: [one for one in self.games if one.result.place == place] for place in taken}

    @property
    def by_game(self) -> dict[str, Games]:
        """Their games by the key of the game, as last written."""
        found: dict[str, Games] = {}
        for one in self.games:
            found.setdefault(self.figures.keys[one.game.kind], []).append(one)
        return found

    @property
    def form(self) -> list[float]:
        """The average place over each of their games and up to four before it."""
        places = [one.result.place for one in self.games]
        recent = [places[max(0, end - FORM) : end] for end in range(1, len(places) + 1)]
        return [sum(some) / len(some) for some in recent]

    @property
    def rating(self) -> Rating | None:
        """Their rating at the end of the period; None below `RATED_FROM` games of the club."""
        last = self.every[-1] if self.every else None
        return last.rating if last and last.games >= RATED_FROM else None

    @property
    def streak(self) -> Games:
        """The wins in a row up to their last game."""
        return self._streaks[-1] if self._streaks else []

    @property
    def best_streak(self) -> Games:
        """The most wins in a row; of equals the earliest."""
        return max(self._streaks, key=len, default=[])

    @cached_property
    def _streaks(self) -> list[Games]:
        """All streaks of wins, the current one last."""
        found = [Games()]
        for one in self.games:
            if one.won:
                found[-1].append(one)
            else:
                found.append([])
        return found

    @property
    def deals(self) -> int:
        """The number of deals that they played to the end."""
        return sum(one.result.deals for one in self.every)

    @property
    def best(self) -> Appearance | None:
        """The game of their best deal, its `result.best`; of equals the earliest.

        Where the fewest points win, 45 points are worth −45.
        """
        with_deals = [one for one in self.every if one.result.deals]
        return max(with_deals, key=lambda one: one.worth(one.result.best), default=None)

    @property
    def worst(self) -> Appearance | None:
        """The game of their worst deal, its `result.worst`; of equals the earliest."""
        with_deals = [one for one in self.every if one.result.deals]
        return min(with_deals, key=lambda one: one.worth(one.result.worst), default=None)

    @property
    def feats(self) -> dict[str, Games]:
        """The games with each feat; `result.feats` has how often."""
        found: dict[str, Games] = {}
        for one in self.every:
            for feat in one.result.feats:
                found.setdefault(feat, []).append(one)
        return found

    @cached_property
    def duels(self) -> dict[str, Duel]:
        """Their games against everybody they met, in the order they met."""
        return self.figures.duels(self.person, self.period)

    @property
    def nemesis(self) -> Duel | None:
        """The games against their nemesis: the smallest share of wins, below half.

        Of equals the one with more games, then the one met first.
        """
        often = (duel for duel in self.duels.values() if duel.games >= NEMESIS_FROM)
        bad = [duel for duel in often if duel.share < 1 / 2]
        return min(bad, key=lambda duel: (duel.share, -duel.games), default=None)

    @property
    def best_table(self) -> tuple[list[str], Games]:
        """The opponents with the largest share of wins, and the games; nobody if below half.

        Of equals those with more games, then those met first.
        """
        of = self.figures.people.of
        tables: dict[frozenset[str], Games] = {}
        for played in self.games:
            others = frozenset(of(one.name) for one in played.seated_together) - {self.person}
            tables.setdefault(others, []).append(played)
        often = {
            others: some for others, some in tables.items() if others and len(some) >= TABLE_FROM
        }
        best = max(
            often, key=lambda others: _share_and_number(often[others]), default=frozenset[str]()
        )
        if not best or _share_and_number(often[best])[0] < 1 / 2:
            return [], []
        return [rival for rival in self.duels if rival in best], often[best]

    def document(self) -> dict[str, Any]:
        """The document of `referee club FILE player NAME --json`: figures, each with its sheets."""
        nemesis, (opponents, at_best_table) = self.nemesis, self.best_table
        return {
            "player": self.name,
            "games": _sheets(self.games),
            "wins": _sheets(self.wins),
            "places": {str(place): _sheets(games) for place, games in self.places.items()},
            "average": round(self.average, 4),
            "rating": self.rating and [round(number, 4) for number in self.rating],
            "by_game": {
                key: {
                    "games": _sheets(games),
                    "wins": _sheets(one for one in games if one.won),
                    "points": sum(one.result.points for one in games),
                }
                for key, games in self.by_game.items()
            },
            "form": [round(form, 4) for form in self.form],
            "streak": _sheets(self.streak),
            "best_streak": _sheets(self.best_streak),
            "deals": self.deals,
            "best": self.best and self._deal(self.best, self.best.result.best),
            "worst": self.worst and self._deal(self.worst, self.worst.result.worst),
            "feats": {
                feat: {"times": times_of(feat, games), "sheets": _sheets(games)}
                for feat, games in self.feats.items()
            },
            "nemesis": nemesis
            and {
                "player": self.figures.name(nemesis.other),
                "won": nemesis.won,
                "lost": nemesis.lost,
                "level": nemesis.level,
            },
            "best_table": {
                "players": list(map(self.figures.name, opponents)),
                "games": _sheets(at_best_table),
                "wins": _sheets(one for one in at_best_table if one.won),
            },
        }

    def _deal(self, one: Appearance, deal: Scored | None) -> dict[str, Any]:
        scored = deal or Scored(0, 0)
        return {
            "game": self.figures.keys[one.game.kind],
            "sheet": one.game.sheet,
            "points": scored.points,
            "row": scored.row,
        }


def times_of(feat: str, games: Games) -> int:
    """How often somebody did a feat in these games."""
    return sum(one.result.feats.get(feat, 0) for one in games)


def _sheets(games: Iterable[Appearance]) -> list[int]:
    return [one.game.sheet for one in games]


def player(figures: Figures, person: str, period: Period = ALWAYS) -> Player:
    """The figures of a person in a period, even if they haven't played."""
    known = figures.seen.get(person, ())
    return Player(figures, person, period, known[period.within(known)])


def _share_and_number(games: Games) -> tuple[float, int]:
    return sum(one.won for one in games) / len(games), len(games)
