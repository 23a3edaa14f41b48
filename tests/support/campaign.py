"""How much open-ended tests try, and by which chance: `python -m tests.nightly` sets both."""

import os
from typing import TypeVar

CAMPAIGN = "REFEREE_CAMPAIGN"
SEED = int(os.environ.get("REFEREE_RANDOM_SEED", "9"))

Extent = TypeVar("Extent")


def often(usual: Extent, campaign: Extent) -> Extent:
    """`campaign` in a nightly run, `usual` otherwise."""
    return campaign if CAMPAIGN in os.environ else usual
