"""How much of what could go on for ever is tried at each run of the tests."""

import os

CAMPAIGN = "REFEREE_CAMPAIGN"  # set by `python -m tests.nightly`


def often(usual: int, campaign: int) -> int:
    """`usual`, or `campaign` where a night is spent on it."""
    return campaign if CAMPAIGN in os.environ else usual
