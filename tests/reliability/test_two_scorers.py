"""Two scorers at once, in a real browser each: no deal twice, none lost, every figure right."""

import random
from pathlib import Path

from tests.reliability.two_scorers import GAMES, play
from tests.support.campaign import SEED, often
from tests.support.event_loop import run_apart


def test_two_scorers_keep_one_sheet(tmp_path: Path) -> None:
    """Some games by chance, and each night all of them: what is on paper is on the pad."""
    slugs = random.Random(SEED).sample(sorted(GAMES), len(GAMES))
    evening = play(often(2, 45), SEED, tmp_path, slugs)
    assert run_apart(evening) == []
