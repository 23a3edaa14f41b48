"""The table of what everybody shares, in docs/performance.md, names limits and tests that exist."""

import re
from pathlib import Path

from referee.settings import Settings

ROOT = Path(__file__).parents[3]
DOCUMENT = (ROOT / "docs/performance.md").read_text(encoding="utf-8")


def rows() -> list[list[str]]:
    """The cells of the table of shared resources."""
    section = DOCUMENT.split("## What everybody shares\n")[1].split("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:]]


def test_every_row_names_its_limit_and_its_tests() -> None:
    """A limit is a constant of a module, or a setting; two rows have the limit of another one."""
    written = "".join(path.read_text("utf-8") for path in (ROOT / "tests").rglob("test_*.py"))
    for what, much, *_, tests in rows():
        for module, name in re.findall(r"`(\w+)\.(\w+)`", much):
            if module == "settings":
                assert name in Settings.__struct_fields__
            else:
                (file,) = (ROOT / "referee").rglob(f"{module}.py")
                assert re.search(rf"(?m)^{name}\b.* = ", file.read_text("utf-8")), what
        named = re.findall(r"`(test_\w+)`", tests)
        assert named, what
        assert not [name for name in named if f"def {name}(" not in written]
