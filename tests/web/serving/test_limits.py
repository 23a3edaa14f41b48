"""Every limit on a shared resource is in the document's table, with a test that exhausts it.

A limit is known by its name: a constant with MOST, MAX, FEW, HELD, LIMIT, THREADS, WAITING, or ROOM
in it, or a setting per hour. Limits with other names are not found.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from referee.settings import Settings

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs/performance.md").read_text(encoding="utf-8")
A_LIMIT = re.compile(r"_?(MOST|MAX|FEW)(_\w+)?|\w+_(LIMIT|HELD)|THREADS|WAITING|ROOM")

SHARED_WITH_NOBODY = {
    "of one request": {
        "bodies.BODY_LIMIT", "bodies.PHOTO_LIMIT", "bodies.SHEET_LIMIT", "bodies.UPLOAD_LIMIT",
        "found.MOST_BYTES", "found.MOST_PIXELS", "drawer.MAX_ROWS", "new.MAX_ROWS",
        "security.MOST_FIELDS", "server.HEADER_LIMIT", "corners.MOST_CORNERS",
        "summaries.MAX_PLAYED",
    },
    "of one page": {
        "chart.MAX_DEALS", "chart.MAX_DOTS", "chart.MAX_DRAWN", "chart.MAX_SCORES",
        "integrity.MAX_FAULTS", "new.MAX_NAMES_OFFERED", "page.MAX_SHOWN", "news.MAX_BEST",
        "pad.MAX_ACROSS", "pad.MAX_ROWS", "pad.MAX_TURNED", "sick.MAX_SHOWN",
    },
    "of one sheet or evening, for whoever has its link": {
        "book.MAX_ROWS", "book.ROOM", "evening.MAX_SHEETS", "files.MAX_PLAYERS", "links.MAX_HOSTS",
    },
    "of one phone": {"phone.MOST_READ"},
    "of the machine": {"house_name.MOST_NAMES", "settings._MOST_PORTS", "process.MOST_MEMORY"},
    "beyond it nobody is refused anything": {"links._MOST_OF_ALL"},
}  # fmt: skip


def names_set(module: ast.Module) -> Iterator[str]:
    """The names that a module assigns."""
    for line in module.body:
        targets = line.targets if isinstance(line, ast.Assign) else []
        if isinstance(line, ast.AnnAssign):
            targets = [line.target]
        for target in targets:
            places = target.elts if isinstance(target, ast.Tuple) else [target]
            yield from (place.id for place in places if isinstance(place, ast.Name))


def limits() -> set[str]:
    """All limits outside the rules of games, as `module.NAME`."""
    found = {f"settings.{name}" for name in Settings.__struct_fields__ if name.endswith("_an_hour")}
    for path in (ROOT / "referee").rglob("*.py"):
        if "rules" not in path.parts:
            names = names_set(ast.parse(path.read_text(encoding="utf-8")))
            found |= {f"{path.stem}.{name}" for name in names if A_LIMIT.fullmatch(name)}
    return found


def rows() -> list[list[str]]:
    """The cells of the table of shared resources."""
    section = DOCUMENT.split("## What everybody shares\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_limit_on_what_is_shared_is_in_the_table() -> None:
    """Each limit has a row, or is listed as not shared."""
    in_table = {name for _, much, *_ in rows() for name in re.findall(r"`(\w+\.\w+)`", much)}
    alone = set[str]().union(*SHARED_WITH_NOBODY.values())
    assert limits() == in_table | alone
    assert not in_table & alone


def test_every_row_names_its_tests() -> None:
    """The tests that the rows name exist."""
    written = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for what, *_, tests in rows():
        named = re.findall(r"`(test_\w+)`", tests)
        assert named, what
        assert not [name for name in named if f"def {name}(" not in written]
