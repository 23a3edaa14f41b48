"""The benchmarks of the base and all extras are in one list; exact ones are held here."""

from benchmarks import calls
from benchmarks.__main__ import LEFT_OUT_IF_SHORT, TOPICS
from benchmarks.rows import MISSED


def test_every_topic_is_listed_once() -> None:
    """Also those that a short run leaves out."""
    assert len(set(TOPICS)) == len(TOPICS)
    assert set(LEFT_OUT_IF_SHORT) < set(TOPICS)


def test_no_more_is_called_than_allowed() -> None:
    """These figures are counted, not timed, so no slow machine is to blame."""
    assert not [row for row in calls.rows(short=True) if row.verdict(short=True) == MISSED]
