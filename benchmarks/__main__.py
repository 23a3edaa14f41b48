"""Run the benchmarks and print a table: our figure, the yardstick's, the ratio, the target.

Each topic is a module beside this one with `rows(short: bool) -> Iterator[Row]`.
"""

import os
import platform
import re
import sqlite3
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import click

from benchmarks.rows import MISSED, Row, as_markdown, as_text

TOPICS = (
    "rulings",
    "seven_cards",
    "pages",
    "growth",
    "clubs",
    "ratings",
    "chain",
    "engines",
    "phones",
    "fairness",
    "taps",
    "photos",
)
#: Topics in which a short run could miss nothing, or nothing that the one with photos could not.
LEFT_OUT_IF_SHORT = ("engines", "phones", "fairness", "taps")
PACKAGES = ("Flask", "Granian", "phevaluator", "treys")
OF_THE_CAMERA = (
    "camera",
    "camera-taps",
    "camera-grids",
    "camera-blur",
)  # which have options of their own
MARK = "<!-- {} -->"


@click.command()
@click.argument("topics", nargs=-1, type=click.Choice(TOPICS), metavar="[TOPIC]…")
@click.option(
    "--short", is_flag=True, help="Small samples; only ratios count, with room; exit 1 on a miss."
)
@click.option(
    "--write",
    "page",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Write the tables for which this page has marks between them.",
)
def main(topics: tuple[str, ...], short: bool, page: Path | None) -> None:
    """Measure each TOPIC (all of them where none is named)."""
    missed = False
    click.echo(_machine())
    for topic in topics or (one for one in TOPICS if not short or one not in LEFT_OUT_IF_SHORT):
        rows: list[Row] = list(import_module(f"benchmarks.{topic}").rows(short))
        click.echo("\n".join(["", topic, *as_text(rows, short)]))
        missed |= any(row.verdict(short) == MISSED for row in rows)
        if page:
            _write(page, "machine", [_machine() + "."])
            _write(page, topic, as_markdown(rows, short))
    if short and missed:
        sys.exit(1)


def _machine() -> str:
    """The machine, the program's own footing, and the versions of the yardsticks."""
    cores = f"{os.cpu_count()} cores ({_processor()})"
    packages = (f"{name} {_version(name)}" for name in PACKAGES)
    return ", ".join(
        [
            f"{platform.system()} on {cores}",
            f"Python {platform.python_version()}",
            f"SQLite {sqlite3.sqlite_version}",
            *packages,
        ]
    )


def _processor() -> str:
    """Its name, where Linux tells it, otherwise its kind."""
    about = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", about.read_text()) if about.exists() else None
    return named[1] if named else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"


def _write(page: Path, topic: str, lines: Iterable[str]) -> None:
    """Replace what stands between the marks of `topic`; a page without them doesn't report it."""
    begin, end = MARK.format(topic), MARK.format(f"end of {topic}")
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    if found:
        after = rest.partition(end)[2]
        page.write_text("\n".join([before + begin, *lines, end + after]), encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in OF_THE_CAMERA:
        import_module(f"benchmarks.{sys.argv[1].replace('-', '_')}").main(sys.argv[2:])
    else:
        main()
