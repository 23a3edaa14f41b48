"""Check that the base needs no extra: `python -m tests.without [NAME …] [--quick]`.

In a copy of the tree each extra's folders are deleted, and then those of all, or only of those
named. Types, layers and the tests of what extras add to are checked there, and a served deal must
not mention what is missing. With all extras gone, or only those named, all tests of the base that
need no browser are run as well. With `--quick` this is the only copy, and these are only those that
see every page: `tests.test_extras` sees that no extra names another. The nightly run does all.
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
from tests.support.extra_names import lines_naming

ROOT = Path(__file__).parents[1]
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "instance")
#: Tests of what extras add to; without workers, each of which would collect them for a second.
EACH = (
    *("-n0", "tests/test_extras.py", "tests/test_settings.py", "tests/commands/test_check.py"),
    *("tests/commands/test_files.py", "tests/commands/test_places.py"),
    "tests/ledger/test_tables_of_extras.py",
)
#: And those that see every page.
QUICK = (
    *EACH,
    *("tests/test_program.py", "tests/test_styles.py", "tests/web/forms"),
    *("tests/web/test_routes.py", "tests/web/test_template_types.py"),
)
#: All tests without a browser, except that the documents name code of extras.
WHOLE = (
    *("-m", "not browser"),
    "--deselect=tests/test_documents.py::test_what_documents_name_in_the_code_exists",
)


def check_without(gone: Sequence[str], tests: Sequence[str]) -> None:
    """Check the base without these extras, also by these tests, which are arguments of pytest.

    Raises `CalledProcessError` or `AssertionError`.
    """
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
        _run(copy, "-m", "pytest", *tests)
        said: dict[str, str] = json.loads(
            _run(copy, "-m", "tests.support.first_deal", captured=True)
        )
    for name in gone:
        found = lines_naming(
            import_module(f"tests.extras.{name}.test_not_named").NAMES, said.items()
        )
        assert not found, found
    print(f"== A deal was played, and {len(said)} pages and texts name none of them.", flush=True)


def _run(copy: Path, *arguments: str, captured: bool = False) -> str:
    """Run Python in the copy; returns its output if it is to be `captured`, else prints it."""
    environment = {**os.environ, "PYTHONPATH": str(copy)}
    command = [sys.executable, *arguments]
    ended = subprocess.run(
        command, cwd=copy, env=environment, check=True, text=True,
        stdout=subprocess.PIPE if captured else None,
    )  # fmt: skip
    return ended.stdout or ""


if __name__ == "__main__":
    parser = ArgumentParser(prog="python -m tests.without")
    parser.add_argument("names", nargs="*", choices=[*names(), []], metavar="NAME")
    parser.add_argument("--quick", action="store_true", help="only without all, and with few tests")
    asked = parser.parse_args()
    for name in () if asked.names or asked.quick else names():
        check_without([name], EACH)
    check_without(asked.names or names(), QUICK if asked.quick else WHOLE)
