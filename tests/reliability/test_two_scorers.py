"""Two scorers of one sheet, each in a real browser: no deal twice or lost, every figure right."""

import random
from pathlib import Path

from tests.reliability.two_scorers import GAMES, play
from tests.support.campaign import SEED, usual_or_nightly
from tests.support.event_loop import run_apart


def test_two_scorers_keep_one_sheet(tmp_path: Path) -> None:
    """Some games by chance, in the nightly run all: the pad equals the paper model."""
    slugs = random.Random(SEED).sample(sorted(GAMES), len(GAMES))
    evening = play(usual_or_nightly(2, 45), SEED, tmp_path, slugs)
    assert run_apart(evening) == []
