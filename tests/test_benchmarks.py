"""The benchmarks of the base and of all extras are listed in one place."""

from benchmarks.__main__ import LEFT_OUT_IF_SHORT, TOPICS


def test_every_topic_is_listed_once() -> None:
    """Also those that a short run leaves out."""
    assert len(set(TOPICS)) == len(TOPICS)
    assert set(LEFT_OUT_IF_SHORT) < set(TOPICS)
