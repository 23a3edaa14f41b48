"""Fixtures for the tests of commands: an instance folder and a book."""

from pathlib import Path

import pytest

from tests.support.command_line import PINK, SHEET, as_line, run


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An instance folder of its own for every test."""
    folder = tmp_path / "instance"
    monkeypatch.setenv("REFEREE_INSTANCE", str(folder))
    return folder


@pytest.fixture
def database(instance: Path) -> Path:
    """A closed book with two sheets."""
    run("import", "-", given=as_line(SHEET) + as_line(PINK))
    return instance / "referee.sqlite"
