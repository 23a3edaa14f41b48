"""Scores by seat: counting lines, and who is best."""

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from referee.rules.core.lines import Line, change_by_player
from referee.rules.core.table import State

S = TypeVar("S", bound=State[Any])


def scored(state: S, lines: Iterable[Line]) -> S:
    """`state` with the points of `lines` added to the scores."""
    change = change_by_player(lines, state.table.players)
    scores = tuple(
        score + points for score, points in zip(state.scores, change.values(), strict=True)
    )
    return replace(state, scores=scores)


def first_past(scores: Sequence[int], target: int) -> tuple[int, ...]:
    """The seat that has reached `target` with the highest score; empty where two are level."""
    best = max(scores)
    leaders = tuple(seat for seat, score in enumerate(scores) if score == best)
    return leaders if best >= target and len(leaders) == 1 else ()


def best_scores(scores: Sequence[int], *, lowest: bool = False) -> tuple[int, ...]:
    """The seats that share the best score."""
    best = min(scores) if lowest else max(scores)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
