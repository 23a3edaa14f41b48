"""Mutation testing of the rules: change the code at random, and see whether a test fails.

    python -m tests.mutation 400 --seed 7                       # 400 changes, drawn at random
    python -m tests.mutation 50 referee/rules/core/table.py     # 50 in this module

mutmut makes the changes (mutants) in a copy of the program, as `[tool.mutmut]` says. Each is tried
here, in a process of its own, by the tests of the rules, until one fails: mutmut would run only the
tests that it has seen call a function, and so miss what is called on import or cached.
"""

import argparse
import difflib
import os
import random
import resource
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

from mutmut.mutation.file_mutation import MutatedFile, mutate_file_contents

ROOT = Path(__file__).parents[1]
MUTANTS = ROOT / "mutants"
CHOSEN = "MUTANT_UNDER_TEST"  # where mutmut's code looks up the current mutant

# The cases notice most and come first. The contract reads the rules' source, which has all mutants
# side by side.
PYTEST = [
    *(sys.executable, "-m", "pytest", "tests/rules/test_cases.py", "tests/rules"),
    *("--deselect", "tests/rules/test_contract.py", "-n0", "-x", "-p", "no:cacheprovider"),
    *("--hypothesis-profile=mutation", "--timeout=60"),
]
SECONDS = 900  # for all tests together, if none of them fails or hangs
MEMORY = 4 << 30


def copied(modules: Sequence[str]) -> dict[str, str]:
    """Copy the program with mutants in these modules of the rules (all: none named).

    Returns the change that each mutant makes, as a diff.
    """
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["mutmut"]
    shutil.rmtree(MUTANTS, ignore_errors=True)
    MUTANTS.mkdir()
    for name in ("pyproject.toml", *settings["source_paths"], *settings["also_copy"]):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, MUTANTS / name)
    changes: dict[str, str] = {}
    for path in sorted((MUTANTS / "referee").rglob("*.py")):
        name = path.relative_to(MUTANTS).as_posix()
        if any(fnmatch(name, pattern) for pattern in modules or settings["only_mutate"]):
            mutated = mutate_file_contents(name, path.read_text())
            path.write_text(mutated.code)
            module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            changes |= {f"{module}.{one}": change(mutated, one) for one in mutated.mutant_names}
    return changes


def change(mutated: MutatedFile, mutant: str) -> str:
    """The lines that a mutant changes, as a diff."""

    def lines(name: str) -> list[str]:
        span = mutated.line_span_by_function_name[name]
        text = mutated.code.splitlines()[span.start - 1 : span.end]
        return [line.replace(name, "") for line in text]

    original = mutant.rpartition("__mutmut_")[0] + "__mutmut_orig"
    diff = difflib.unified_diff(lines(original), lines(mutant), n=0, lineterm="")
    return "\n".join(line for line in diff if not line.startswith(("---", "+++", "@@")))


def survives(mutant: str) -> bool:
    """Whether all tests pass with this mutant; with "" nothing is changed."""
    try:
        ended = subprocess.run(
            PYTEST,
            cwd=MUTANTS,
            env={**os.environ, CHOSEN: mutant},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return False
    return ended.returncode == 0


def main() -> None:
    """Try a sample of the mutants, and print those that survive."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("number", type=int, nargs="?", default=100, help="how many to draw")
    parser.add_argument("modules", nargs="*", help="of which modules; all, if none is named")
    parser.add_argument("--seed", type=int, default=9)
    asked = parser.parse_args()
    os.chdir(ROOT)  # where mutmut looks for its settings
    changes = copied(asked.modules)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    if not survives(""):
        sys.exit("The tests fail without any change.")
    drawn = random.Random(asked.seed).sample(sorted(changes), min(asked.number, len(changes)))
    outcomes: Counter[bool] = Counter()
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for mutant, survived in zip(drawn, pool.map(survives, drawn), strict=True):
            outcomes[survived] += 1
            if survived:
                print(f"\n{mutant}\n{changes[mutant]}", flush=True)
    print(f"\n{len(changes)} mutants; of {len(drawn)}, {outcomes[True]} survived.")


if __name__ == "__main__":
    main()
