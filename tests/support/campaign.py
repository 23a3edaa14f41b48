"""How many examples open-ended tests try, and their seed: `python -m tests.nightly` sets both."""

import os
from typing import TypeVar

CAMPAIGN = "REFEREE_CAMPAIGN"
SEED = int(os.environ.get("REFEREE_RANDOM_SEED", "9"))

Extent = TypeVar("Extent")


def often(usual: Extent, campaign: Extent) -> Extent:
    """`campaign` in a nightly run, else `usual`."""
    return campaign if CAMPAIGN in os.environ else usual
