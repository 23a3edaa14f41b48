"""Find names of extras in the base, which must not have any."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
OF_THE_BASE = ("referee", "templates", "static", "tests", "benchmarks")
SUFFIXES = (".py", ".html", ".js", ".css", ".toml", ".txt", ".json", ".md", "")
#: Its optional dependencies may name extras.
DEPENDENCIES = re.compile(
    r"^\[project\.optional-dependencies\]$.*?^(?=\[)", re.DOTALL | re.MULTILINE
)


def texts_of_the_base() -> Iterator[tuple[str, str]]:
    """The text of every file of the base, without dependencies and documents."""
    paths = [path for folder in OF_THE_BASE for path in (ROOT / folder).rglob("*")]
    for path in sorted(
        [*paths, ROOT / "pyproject.toml", ROOT / "CONTRIBUTING.md", ROOT / ".ci/run"]
    ):
        name = path.relative_to(ROOT).as_posix()
        of_an_extra = name.startswith(("referee/extras/", "tests/extras/")) and name.count("/") > 2
        is_text = path.is_file() and path.suffix in SUFFIXES and "/vendor/" not in name
        if is_text and not of_an_extra:
            yield name, DEPENDENCIES.sub("", path.read_text(encoding="utf-8"))


def lines_naming(names: re.Pattern[str], texts: Iterable[tuple[str, str]]) -> list[str]:
    """The lines, or names of files, with one of these `names`."""
    return [
        f"{name}: {line.strip()[:120]}"
        for name, text in texts
        for line in (name, *text.splitlines())
        if names.search(line)
    ]
