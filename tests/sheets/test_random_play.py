"""Random entries over all games: each a ruling or a line, nothing lost, and all can be undone.

`REFEREE_RANDOM_ENTRIES` plays another number of them, `REFEREE_RANDOM_SEED` other ones.
"""

import os

from referee.rules.registry import GAMES
from tests.support.random_play import play

SEED = int(os.environ.get("REFEREE_RANDOM_SEED", "9"))
ENTRIES = int(os.environ.get("REFEREE_RANDOM_ENTRIES", "100000"))


def test_random_entries() -> None:
    """No error but a refusal with words; counters are conserved; undoing leads back."""
    found = play(ENTRIES, seed=SEED)
    assert found["entries"] >= ENTRIES
    for game in GAMES.values():
        assert found[f"{game.slug}: recorded"] > ENTRIES / 200, game.slug
    for kind in ("IllegalEntry", "MalformedEntry", "NotationError"):
        assert found[f"refused: {kind}"] > ENTRIES / 100, kind
