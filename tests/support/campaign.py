"""How many examples open-ended tests try, and their seed: `python -m tests.nightly` sets both."""

import os
from typing import TypeVar

CAMPAIGN = "REFEREE_CAMPAIGN"
SEED = int(os.environ.get("REFEREE_RANDOM_SEED", "9"))

Extent = TypeVar("Extent")


def usual_or_nightly(usual: Extent, nightly: Extent) -> Extent:
    """The extent of an open-ended test: `nightly` in a nightly run, else `usual`."""
    return nightly if CAMPAIGN in os.environ else usual
