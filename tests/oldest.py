"""The oldest dependencies that `pyproject.toml` allows, for pip: `python -m tests.oldest`.

Only those that the program and its extras need to run; an ordinary install tests the newest.
"""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from referee.extras import names

PROJECT = Path(__file__).parents[1] / "pyproject.toml"


def oldest() -> Iterator[str]:
    """Yield a requirement for each, such as `flask==3.1`."""
    project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    of_extras = (needed for name in names() for needed in optional.get(name, ()))
    for needed in (*project["dependencies"], *of_extras):
        name, version = re.fullmatch(r"([\w-]+)(?:\[\w+\])?>=([\d.]+),<[\d.]+", needed).groups()  # type: ignore[union-attr]
        yield f"{name}=={version}"


if __name__ == "__main__":
    print(*oldest(), sep="\n")
