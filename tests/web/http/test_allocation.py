"""What is free goes back to the system, where the C library can be told."""

import platform
import re
from pathlib import Path

import pytest

from referee.web.http.allocation import give_back, share_one_arena

PIECE, PIECES = 60_000, 500  # too small for the C library to ask the system for each


TOLD = Path("/proc/self/smaps_rollup")


def held() -> int:
    """The memory of this process, in bytes."""
    told = TOLD.read_text(encoding="ascii")
    return int(re.findall(r"Rss:\s+(\d+) kB", told)[0]) * 1024


@pytest.mark.skipif(not TOLD.exists(), reason="this kernel doesn't tell how much is held")
@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library can't be told")
def test_what_lies_free_below_something_in_use_is_given_back() -> None:
    """Of itself the C library only gives back what lies free at the end."""
    share_one_arena()
    pieces = [bytearray(PIECE) for _ in range(PIECES)]
    in_use = pieces.pop()
    pieces.clear()
    before = held()
    give_back()
    assert before - held() > PIECE * PIECES / 2
    assert len(in_use) == PIECE
