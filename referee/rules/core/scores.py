"""Scores by seat: counting lines, and who is best."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from referee.rules.core.lines import Line, change_by_player
from referee.rules.core.table import State

S = TypeVar("S", bound=State[Any])


def scored(state: S, lines: Iterable[Line]) -> S:
    """`state` with the points of `lines` added to the scores; they name players of its table."""
    change = change_by_player(lines, state.table.players)
    scores = tuple(
        score + points for score, points in zip(state.scores, change.values(), strict=True)
    )
    return replace(state, scores=scores)


def first_past(scores: Sequence[int], target: int) -> tuple[int, ...]:
    """The one seat that has reached `target` with the highest score.

    Empty where nobody has reached it, and where several are level at the top.
    """
    leaders = best_scores(scores)
    return leaders if max(scores) >= target and len(leaders) == 1 else ()


def best_scores(scores: Sequence[int], *, lowest: bool = False) -> tuple[int, ...]:
    """The seats that share the best score: the highest, or with `lowest` the lowest."""
    best = min(scores) if lowest else max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
