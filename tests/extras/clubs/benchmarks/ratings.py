"""How well ratings predict who places ahead of whom in simulated seasons, from the past alone.

The loss of a forecast is −ln of the probability it gave to the outcome: 0.693 for a coin, less is
better. Every pair of people in every game is forecast from the ratings before that game. Of the
betas that lose within a thousandth of the least, the largest is taken, as it moves people least: it
is in `referee/extras/clubs/ratings.py`, with the reasons in `docs/clubs.md`.
"""

import random
import statistics
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import exp, log, sqrt
from typing import Any

from openskill.models import BradleyTerryFull, PlackettLuce

from benchmarks.rows import Aim, Row
from referee.extras.clubs import ratings

#: Each season: how many people, how many of them at a table, how many games, and by how much they
#: differ in strength, where chance is 1. Cards are mostly chance; what nobody knows is how much.
SEASONS = [
    (people, seats, games, spread)
    for people, seats, games in ((5, (3, 5), 60), (8, (3, 6), 120), (14, (4, 8), 200))
    for spread in (0.25, 0.5, 1.0, 1.5)
]
REPEATED = 5  # seasons of each kind
ROOM = 0.001
BETAS = (25 / 6, 6.25, 25 / 3, 10.0, 12.5, 15.0, 18.75, 25.0)
EVENS = 8  # of a point of strength, how finely games tell people apart: so there are ties

Game = tuple[tuple[int, ...], list[int]]
Model = BradleyTerryFull | PlackettLuce


def season(kind: int, seed: int) -> list[Game]:
    """A simulated season: who sat at each table, and their places. Form drifts a little."""
    people, (least, most), games, spread = SEASONS[kind]
    chance = random.Random(1_000 * kind + seed)
    strength = [chance.gauss(0, spread) for _ in range(people)]
    found = []
    for _ in range(games):
        strength = [one + chance.gauss(0, spread / 40) for one in strength]
        table = tuple(chance.sample(range(people), chance.randint(least, min(most, people))))
        score = [round(EVENS * (strength[one] + chance.gauss(0, 1))) for one in table]
        found.append((table, [1 + sum(other > one for other in score) for one in score]))
    return found


def losses(model: Model, games: Sequence[Game]) -> Iterator[float]:
    """The loss for each pair in these games; a tie is half of each."""
    known: dict[int, tuple[float, float]] = {}
    for table, places in games:
        before = [known.get(one, (model.mu, model.sigma)) for one in table]
        for at, other in combinations(range(len(table)), 2):
            (mu, sigma), (its_mu, its_sigma) = before[at], before[other]
            c = sqrt(sigma**2 + its_sigma**2 + 2 * model.beta**2)
            ahead = 1 / (1 + exp((its_mu - mu) / c))
            won = (places[at] < places[other]) + (places[at] == places[other]) / 2
            yield -(won * log(ahead) + (1 - won) * log(1 - ahead))
        teams: list[Any] = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
        after: Any = model.rate(teams, ranks=[float(place) for place in places])
        known |= {one: (new.mu, new.sigma) for one, (new,) in zip(table, after, strict=True)}


def loss(model: Model, repeated: int) -> float:
    """The mean loss over all seasons, each kind counting the same."""
    return statistics.mean(
        statistics.mean(
            statistics.mean(losses(model, season(kind, seed))) for seed in range(repeated)
        )
        for kind in range(len(SEASONS))
    )


def moved(model: Model) -> float:
    """By how much the winner of a first game of six goes up."""
    teams: list[Any] = [[model.rating()] for _ in range(6)]
    return float(model.rate(teams, ranks=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0])[0][0].mu - model.mu)


def rows(short: bool) -> Iterator[Row]:
    """Full pairing with each beta, beside Plackett–Luce; ours is to be among the best."""
    repeated = 1 if short else REPEATED
    yardstick = loss(PlackettLuce(), repeated)
    found = {beta: loss(BradleyTerryFull(beta=beta), repeated) for beta in BETAS}
    for beta, ours in found.items():
        model = BradleyTerryFull(beta=beta)
        chosen = beta == ratings.BETA
        yield Row(
            f"Bradley–Terry, full pairing, beta {beta:.2f}" + (" (ours)" if chosen else ""),
            f"{ours:.4f}",
            f"{yardstick:.4f}",
            f"{moved(model):.1f} up",
            Aim(round(min(found.values()) + ROOM, 4)) if chosen else None,
            ours,
        )
