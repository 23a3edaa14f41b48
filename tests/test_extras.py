"""The base finds its extras; any may be missing."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from referee import extras
from referee.commands.extras import Commands

ROOT = Path(__file__).parents[1]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty folder in place of that of the extras."""
    monkeypatch.setattr(extras, "__path__", [str(tmp_path)])
    extras.names.cache_clear()
    yield tmp_path
    extras.names.cache_clear()


def test_without_extras_nothing_is_added(folder: Path) -> None:
    """Nor is a folder that only has Python's cache of a deleted one."""
    (folder / "deleted" / "__pycache__").mkdir(parents=True)
    assert extras.names() == ()
    assert list(extras.parts("commands", Commands)) == []
    assert extras.folders("static") == {}


def test_an_extra_adds_what_it_has(folder: Path) -> None:
    """By its modules and folders; missing ones are fine."""
    for name in ("second", "first"):
        (folder / name).mkdir()
        (folder / name / "__init__.py").touch()
    (folder / "second" / "static").mkdir()
    assert extras.names() == ("first", "second")
    assert extras.folders("static") == {"second": folder / "second" / "static"}
    assert list(extras.parts("commands", Commands)) == []


def test_a_part_of_another_kind_is_refused(folder: Path) -> None:
    (folder / "odd").mkdir()
    (folder / "odd" / "__init__.py").touch()
    (folder / "odd" / "commands.py").write_text("PART = 'a command'")
    with pytest.raises(TypeError, match=r"extras\.odd\.commands\.PART should be a Commands"):
        list(extras.parts("commands", Commands))


@pytest.mark.parametrize("part", ["referee", "tests"])
def test_no_extra_names_another(part: str) -> None:
    """Neither in its code nor in its tests, so each can be deleted alone."""
    for name in extras.names():
        for path in (ROOT / part / "extras" / name).rglob("*.py"):
            named = set(re.findall(r"\bextras\.(\w+)", path.read_text(encoding="utf-8")))
            assert not named & {*extras.names()} - {name}, path
