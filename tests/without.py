"""Check that the base needs no extra: `python -m tests.without [NAME …] [--quick]`.

In a copy of the tree each extra's folders are deleted, and then those of all, or only of those
named. Types, layers and tests are checked there, and a served deal must not mention what is
missing. `--quick` is for a machine that has run all other tests: few are run with one extra gone,
and those that see every page only with all of them gone.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from referee.extras import names
from tests.support.named import naming

ROOT = Path(__file__).parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "instance")
EACH = (
    *("tests/test_extras.py", "tests/test_settings.py", "tests/commands/test_check.py"),
    *("tests/commands/test_files.py", "tests/commands/test_places.py"),
    "tests/ledger/test_tables_of_extras.py",
)
ALL = (
    *("tests/test_program.py", "tests/test_styles.py", "tests/web/forms"),
    *("tests/web/test_routes.py", "tests/web/test_template_types.py"),
)
#: The documents name code of extras.
OF_DOCUMENTS = (
    "--deselect=tests/test_documents.py::test_what_documents_name_in_the_code_exists",
    "--deselect=tests/test_documents.py::test_the_modules_that_documents_name_exist",
)


def check_without(gone: Sequence[str], quick: bool) -> None:
    """Check the base without these extras; raises `CalledProcessError` or `AssertionError`."""
    print(f"== Without {', '.join(gone)}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "referee"
        shutil.copytree(ROOT, copy, ignore=LEFT_OUT)
        if (cache := ROOT / ".mypy_cache").is_dir():  # most of it is still valid
            shutil.copytree(cache, copy / ".mypy_cache")
        for name in gone:
            shutil.rmtree(copy / "referee" / "extras" / name)
            shutil.rmtree(copy / "tests" / "extras" / name)
        _run(copy, "-m", "mypy", "--python-executable", sys.executable)
        _run(copy, "-c", "from importlinter.cli import lint_imports_command as lint; lint()")
        tests: tuple[str, ...] = ("-m", "not browser", *OF_DOCUMENTS)
        if quick:  # without workers, each of which would collect tests for a second
            tests = "-n0", *EACH, *(ALL if set(gone) == set(names()) else ())
        _run(copy, "-m", "pytest", *tests)
        said: dict[str, str] = json.loads(_run(copy, "-m", "tests.support.first_deal", told=True))
    for name in gone:
        found = naming(import_module(f"tests.extras.{name}.test_not_named").NAMES, said.items())
        assert not found, found
    print(f"== A deal was played, and {len(said)} pages and texts name none of them.", flush=True)


def _run(copy: Path, *arguments: str, told: bool = False) -> str:
    """Run Python in the copy; returns its output if it is to be `told`, else prints it."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    command = [sys.executable, *arguments]
    ended = subprocess.run(
        command, cwd=copy, env=environment, check=True, text=True,
        stdout=subprocess.PIPE if told else None,
    )  # fmt: skip
    return ended.stdout or ""


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tests.without")
    parser.add_argument("names", nargs="*", choices=[*names(), []], metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="types, layers, and a few tests")
    asked = parser.parse_args()
    alone = [(name,) for name in names()]
    for those in [tuple(asked.names)] if asked.names else dict.fromkeys([*alone, names()]):
        check_without(those, asked.quick)
