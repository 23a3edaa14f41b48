"""How much of what could go on for ever is tried at each run of the tests."""

import os
from typing import TypeVar

CAMPAIGN = "REFEREE_CAMPAIGN"  # set by `python -m tests.nightly`


Extent = TypeVar("Extent")


def often(usual: Extent, campaign: Extent) -> Extent:
    """`usual`, or `campaign` where a night is spent on it."""
    return campaign if CAMPAIGN in os.environ else usual
