"""The oldest versions that `pyproject.toml` allows, for pip: `python -m tests.oldest`.

Of what the program needs to run; the newest are what everybody gets who installs it today.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def oldest() -> Iterator[str]:
    """A line for each, such as `flask==3.1`."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    for needed in (*project["dependencies"], *project["optional-dependencies"]["camera"]):
        name, version = re.fullmatch(r"([\w-]+)>=([\d.]+),<\d+", needed).groups()  # type: ignore[union-attr]
        yield f"{name}=={version}"


if __name__ == "__main__":
    print(*oldest(), sep="\n")
