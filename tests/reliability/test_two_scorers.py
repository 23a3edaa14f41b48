"""Two scorers at once, in a real browser each: no deal twice, none lost, every figure right."""

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.reliability.two_scorers import GAMES, play
from tests.support.campaign import SEED, often


def test_two_scorers_keep_one_sheet(tmp_path: Path) -> None:
    """Some games by chance, and each night all of them: what is on paper is on the pad."""
    slugs = random.Random(SEED).sample(sorted(GAMES), len(GAMES))
    evening = play(often(2, 45), SEED, tmp_path, slugs)
    with ThreadPoolExecutor(1) as own:  # the browser of other tests has a loop in this thread
        assert own.submit(asyncio.run, evening).result() == []
