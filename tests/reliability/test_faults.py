"""A disk fault at any call is reported in a sentence, changes nothing, and a retry works."""

import re
from pathlib import Path

import pytest

from tests.reliability import watched_disk
from tests.reliability.faults import FAULTS, OPERATIONS
from tests.support.books import scratch
from tests.support.campaign import usual_or_nightly

EVERY = usual_or_nightly(40, 1)  # calls
SLOW = usual_or_nightly(["restore"], [])  # as long as all others together
LINE = re.compile(r"^(.+), ([a-z ]+): (\d+) calls$", re.MULTILINE)


@pytest.mark.skipif(watched_disk.COMPILER is None, reason="no C compiler is installed")
def test_a_fault_at_any_call_is_reported_and_does_no_harm() -> None:
    """With a broken disk, a full one, or a locked book."""
    tried = [name for name in OPERATIONS if name not in SLOW]
    with scratch() as folder:
        printed = watched_disk.run("tests.reliability.faults", Path(folder), str(EVERY), *tried)
    assert "WRONG" not in printed, printed
    calls = {(name, fault): int(number) for name, fault, number in LINE.findall(printed)}
    assert calls.keys() == {(name, fault) for name in tried for fault in FAULTS}
    for name in ("begin", "record", "undo", "trash"):
        assert all(calls[name, fault] for fault in FAULTS), f"{name} met every kind of fault"
