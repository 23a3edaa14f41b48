"""How strong people are: Bradley–Terry by Weng and Lin (2011), from the openskill library."""

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from openskill.models import BradleyTerryFull

#: A rating: the strength that fits somebody’s games best, and how uncertain that is.
Rating = tuple[float, float]

RATED_FROM = 5  # games; with fewer no rating is shown
POINTS = 60  # that a page shows for one of a rating
#: How much chance there is in a game, beside a strength of 25 ± 25/3: what predicted simulated
#: seasons best (`tests/extras/clubs/benchmarks/ratings.py`).
BETA = 12.5


@cache
def _model() -> "BradleyTerryFull":
    # Imported here so that no other command waits for it.
    from openskill.models import BradleyTerryFull  # noqa: PLC0415

    return BradleyTerryFull(beta=BETA)


def unrated() -> Rating:
    """The rating of somebody before their first game."""
    return _model().mu, _model().sigma


def rated(before: Sequence[Rating], places: Sequence[int]) -> list[Rating]:
    """The ratings after a game of people with these ratings `before`, in these places from 1.

    Equals share a place, and gain the same. With fewer than two people nothing changes.
    """
    if len(before) < 2:
        return list(before)
    model = _model()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    after = model.rate(teams, ranks=[float(place) for place in places])
    return [(one.mu, one.sigma) for (one,) in after]


def shown(rating: Rating) -> tuple[int, int]:
    """A rating and its uncertainty in the points that a page shows: 1560 ± 60."""
    return round(POINTS * rating[0]), round(POINTS * rating[1])
