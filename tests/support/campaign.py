"""How much open-ended tests try: little in a usual run, more in a nightly campaign."""

import os
from typing import TypeVar

CAMPAIGN = "REFEREE_CAMPAIGN"  # set by `python -m tests.nightly`


Extent = TypeVar("Extent")


def often(usual: Extent, campaign: Extent) -> Extent:
    """`campaign` in a nightly run, `usual` otherwise."""
    return campaign if CAMPAIGN in os.environ else usual
