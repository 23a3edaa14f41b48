"""The oldest dependencies, for pip."""

from tests.oldest import oldest


def test_every_dependency_has_an_oldest_version() -> None:
    """Also those with an extra in brackets."""
    found = dict(line.split("==") for line in oldest())
    assert found["flask"] == "3.1"
    assert all(version.replace(".", "").isdigit() for version in found.values())
