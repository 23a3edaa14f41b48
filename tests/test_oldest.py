"""The oldest dependencies that pip is told of."""

from tests.oldest import oldest


def test_every_dependency_has_an_oldest_version() -> None:
    """Those with a part of their own named in brackets, too."""
    found = dict(line.split("==") for line in oldest())
    assert found["flask"] == "3.1"
    assert all(version.replace(".", "").isdigit() for version in found.values())
