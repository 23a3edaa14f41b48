"""The nightly run has all tests that try more in it than by day."""

from pathlib import Path

from tests.nightly import TESTS
from tests.support.campaign import usual_or_nightly

ROOT = Path(__file__).parents[1]
EXTENDED = usual_or_nightly.__name__


def test_every_test_that_is_extended_at_night_is_run_then() -> None:
    """By its own name, or by that of its folder."""
    run = [ROOT / one for one in TESTS]
    assert all(one.exists() for one in run)
    extended = [
        path
        for path in (ROOT / "tests").rglob("test_*.py")
        if f"{EXTENDED}(" in path.read_text(encoding="utf-8")
    ]
    assert extended
    left_out = [path for path in extended if not {path, *path.parents} & {*run}]
    assert left_out == []
