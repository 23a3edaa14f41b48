"""Colorado Nines: columns, packs and the sheet."""

from itertools import combinations_with_replacement, permutations
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from referee.rules.cards.cards import JOKER, RANKS, Card
from referee.rules.games.colorado_nines import GAME
from referee.rules.games.colorado_nines.grids import column_points
from referee.sheets.files import result
from tests.support.some_deals import played

NAMES = ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal")
PACK = [*RANKS * 4, JOKER, JOKER]
ALL_COLUMNS = list(combinations_with_replacement((*RANKS, JOKER), 3))


def written(ranks: list[str]) -> str:
    return " | ".join(" ".join(ranks[at : at + 3]) for at in (0, 3, 6))


rounds = st.integers(2, 8).flatmap(
    lambda players: st.permutations(PACK * -(-players // 3)).map(
        lambda pack: [pack[9 * seat : 9 * seat + 9] for seat in range(players)]
    )
)
rules = st.fixed_dictionaries(
    {"ace": st.sampled_from([0, 1, 10, 15]), "two_jokers": st.sampled_from(["count", "wild"])}
)


def test_every_column() -> None:
    """All 560 columns: the order does not matter, and only a set or a completed pair counts 0."""
    for ranks in ALL_COLUMNS:
        for two_jokers in ("count", "wild"):
            found = {
                column_points([Card(rank) for rank in order], 1, two_jokers)
                for order in permutations(ranks)
            }
            assert len(found) == 1
            plain = [rank for rank in ranks if rank != JOKER]
            jokers = 3 - len(plain)
            alike = len(set(plain)) <= 1
            wild = jokers != 2 or two_jokers == "wild"
            assert (found == {0}) == (alike and wild)
            if jokers and not (alike and wild):
                assert found.pop() // 50 == jokers


@settings(max_examples=100, deadline=None)
@given(rounds, rules, st.randoms(use_true_random=False))
def test_cards_and_points_score_alike(
    grids: list[list[str]], options: dict[str, Any], random: Any
) -> None:
    """Any grid from the packs is accepted, and scores what the judge says."""
    names = NAMES[: len(grids)]
    by_cards = {name: written(grid) for name, grid in zip(names, grids, strict=True)}
    points = {}
    for name, columns in by_cards.items():
        ruling = GAME.judges["grid"].answer({"columns": columns, **options})
        assert ruling.legal
        points[name] = sum(ruling.detail["columns"])
        shuffled = columns.split(" | ")
        random.shuffle(shuffled)
        again = GAME.judges["grid"].answer({"columns": "|".join(shuffled), **options})
        assert again.detail["points"] == ruling.detail["points"] == points[name]
    entries = [{"action": "grids", "grids": grids} for grids in (by_cards, points)]
    found = result(played(GAME.slug, names, *entries, **options))
    assert [line["scores"] for line in found["lines"]] == [points, points]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(*[st.integers(0, 18)] * 3), min_size=1, max_size=9))
def test_the_fewest_points_win_and_ties_share(points: list[tuple[int, ...]]) -> None:
    """After the last round all who share the lowest total have won, and not before."""
    names = NAMES[:3]
    entries = [{"action": "grids", "grids": dict(zip(names, row, strict=True))} for row in points]
    course = played(GAME.slug, names, *entries, rounds=len(points))
    assert not any(step.after.finished for step in course.steps[:-1])
    found = result(course)
    lowest = min(found["scores"].values())
    assert found["finished"]
    assert found["winners"] == [name for name in names if found["scores"][name] == lowest]


@settings(max_examples=100, deadline=None)
@given(st.permutations(PACK), st.integers(0, 9))
def test_a_growing_grid_is_counted_as_far_as_it_goes(pack: list[str], number: int) -> None:
    """Every part of a grid has points; only the whole grid has no fault."""
    columns = written(pack[:number])
    ruling = GAME.judges["grid"].answer({"columns": columns})
    assert len(ruling.detail["columns"]) == 3
    assert ruling.legal == (number == 9)
