"""Run the benchmarks and print a table: our figure, the yardstick's, the ratio, the target.

Each topic is a module beside this one with `rows(short: bool) -> Iterator[Row]`. Extras have such
modules among their tests, and others with options of their own, as in `python -m benchmarks NAME`.
"""

import os
import platform
import re
import sqlite3
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path

import click

from benchmarks.rows import MISSED, Row, as_markdown, as_text

#: The packages of extras with further topics.
OF_EXTRAS = tuple(
    f"tests.extras.{folder.parent.name}.benchmarks"
    for folder in Path(__file__).parents[1].glob("tests/extras/*/benchmarks")
)
TOPICS = (
    "rulings",
    "seven_cards",
    "pages",
    "calls",
    "growth",
    "chain",
    "phones",
    "fairness",
    "taps",
    *(topic for package in OF_EXTRAS for topic in import_module(package).TOPICS),
)
#: Topics that a short run skips: without a target, or covered by another topic or a test.
LEFT_OUT_IF_SHORT = (
    *("calls", "phones", "fairness", "taps"),
    *(topic for package in OF_EXTRAS for topic in import_module(package).LEFT_OUT_IF_SHORT),
)
#: Topics that other programs don’t disturb: they count, or measure in processor time.
UNDISTURBED = (
    *("rulings", "seven_cards", "calls", "taps"),
    *(topic for package in OF_EXTRAS for topic in import_module(package).UNDISTURBED),
)
PACKAGES = ("Flask", "Granian", "phevaluator", "treys")
MARK = "<!-- {} -->"


@click.command()
@click.argument("topics", nargs=-1, type=click.Choice(TOPICS), metavar="[TOPIC]…")
@click.option(
    "--short", is_flag=True, help="Small samples; only ratios count, with room; exit 1 on a miss."
)
@click.option(
    "--beside/--alone",
    default=None,
    help="Only what other programs don’t disturb, or only the rest.  [default: both]",
)
@click.option(
    "--write",
    "page",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Write the tables for which this page has marks between them.",
)
def main(topics: tuple[str, ...], short: bool, beside: bool | None, page: Path | None) -> None:
    """Measure each TOPIC, or all of them if none is named."""
    missed = False
    click.echo(_machine())
    asked = topics or (one for one in TOPICS if not short or one not in LEFT_OUT_IF_SHORT)
    for topic in (one for one in asked if beside in (None, one in UNDISTURBED)):
        rows: list[Row] = list(import_module(_module(topic)).rows(short))
        click.echo("\n".join(["", topic, *as_text(rows, short)]))
        missed |= any(row.verdict(short) == MISSED for row in rows)
        if page:
            _write(page, "machine", [_machine() + "."])
            _write(page, topic, as_markdown(rows, short))
    if short and missed:
        sys.exit(1)


def _module(topic: str) -> str:
    """The name of the module of a topic, "" if there is none."""
    names = (f"{one}.{topic.replace('-', '_')}" for one in ("benchmarks", *OF_EXTRAS))
    return next((name for name in names if find_spec(name)), "")


def _machine() -> str:
    """The machine, and the versions of what the program and the yardsticks are built on."""
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
    """The name of the processor if Linux gives it, else its kind."""
    about = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.+)", about.read_text()) if about.exists() else None
    return named[1] if named else platform.machine()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "is not installed"


def _write(page: Path, topic: str, lines: Iterable[str]) -> None:
    """Replace the text between the marks of `topic`; a page without them doesn't report it."""
    begin, end = MARK.format(topic), MARK.format(f"end of {topic}")
    before, found, rest = page.read_text(encoding="utf-8").partition(begin)
    if found:
        after = rest.partition(end)[2]
        page.write_text("\n".join([before + begin, *lines, end + after]), encoding="utf-8")


if __name__ == "__main__":
    own = sys.argv[1] if sys.argv[1:] and sys.argv[1] not in TOPICS else ""
    if _module(own):
        import_module(_module(own)).main(sys.argv[2:])
    else:
        main()
