"""What the tests of the commands share: a place of their own."""

from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance folder of its own for every test."""
    folder = tmp_path / "instance"
    monkeypatch.setenv("REFEREE_INSTANCE", str(folder))
    return folder
