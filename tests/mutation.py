"""Mutation testing of the rules: change the code at random, and see whether a test fails.

    python -m tests.mutation 400 --seed 7                     # 400 changes, drawn at random
    python -m tests.mutation 50 --of 'referee.rules.cards.*'  # 50 in these modules

mutmut makes the changes (mutants), as `[tool.mutmut]` says. They are tried here, because mutmut
runs only the tests that it has seen call a function. Functions called on import or cached are
called before any test, or only by the first one, so their mutants would wrongly survive. Here
every test runs that could fail:

- Each mutant is tried in its own process, forked after the tests were collected and before any
  ran. A mutant of a function that is called until then (mostly on import) is tried in a process
  that imports the rules again, by all tests.
- The others are tried by the tests that call the function, the quickest first, then by the rest of
  their files. The calls are recorded once (`mutants/reach.json`), with every cache emptied before
  each file.
- A test that takes far too long counts as failed.

Each result is appended to `mutants/results.jsonl` as a line of JSON. Mutants that change only the
words of a sentence are left out: golden files check every sentence.
"""

import argparse
import ast
import difflib
import gc
import json
import os
import random
import re
import resource
import shutil
import signal
import sys
import time
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from cProfile import Profile
from dataclasses import dataclass
from fnmatch import fnmatch
from functools import cache, partial
from pathlib import Path
from typing import Protocol, cast

import pytest
from hypothesis import Phase, settings
from mutmut.mutation.file_mutation import mutate_file_contents

ROOT = Path(__file__).resolve().parent.parent
MUTANTS = ROOT / "mutants"
REACH = MUTANTS / "reach.json"
RESULTS = MUTANTS / "results.jsonl"
CHOSEN = "MUTANT_UNDER_TEST"  # where mutmut's code looks up the current mutant

# The contract reads the rules' source, which has all mutants side by side.
PYTEST = [
    *("tests/rules", "--deselect", "tests/rules/test_contract.py", "-n0", "-q"),
    *("-p", "no:cacheprovider", "--hypothesis-profile=mutation"),
]

SAYING = re.compile(r"say|say_many|typed|listed|refused|Source|\w*fault")  # what takes words
SECONDS_MORE, TIMES_LONGER = 20, 10  # of a test's usual CPU time
MEMORY = 4 << 30
BROKEN = os.EX_SOFTWARE  # exit code if the harness failed, not the rules

#: What to do with the collected tests; its return value is the process's exit code.
Then = Callable[[list[pytest.Item]], int]


# --- the mutants


def make_mutants() -> None:
    """Copy all that the tests need to `mutants/`, with mutants in each module of the rules."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        chosen = tomllib.load(file)["tool"]["mutmut"]
    shutil.rmtree(MUTANTS, ignore_errors=True)
    MUTANTS.mkdir()
    for name in ("pyproject.toml", *chosen["source_paths"], *chosen["also_copy"]):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, MUTANTS / name)
    for module in sorted((MUTANTS / "referee").rglob("*.py")):
        path = str(module.relative_to(MUTANTS))
        if any(fnmatch(path, pattern) for pattern in chosen["only_mutate"]):
            module.write_text(mutate_file_contents(path, module.read_text()).code)


def mutants_of_logic() -> dict[str, str]:
    """The mutants that change more than the words of a sentence, as name -> diff."""
    found = {}
    for path in sorted((MUTANTS / "referee" / "rules").rglob("*.py")):
        nodes = ast.walk(ast.parse(path.read_text()))
        functions = {node.name: node for node in nodes if isinstance(node, ast.FunctionDef)}
        for name, mutant in functions.items():
            original = functions.get(function_of(name) + "__mutmut_orig")
            if original and mutant is not original and changes_logic(original, mutant):
                found[f"{module_name(path, MUTANTS)}.{name}"] = change(original, mutant)
    return found


def change(original: ast.FunctionDef, mutant: ast.FunctionDef) -> str:
    """The changed lines as a diff."""
    before, after = ast.unparse(original).splitlines()[1:], ast.unparse(mutant).splitlines()[1:]
    lines = difflib.unified_diff(before, after, n=0, lineterm="")
    return "\n".join(line for line in lines if not line.startswith(("---", "+++", "@@")))


def module_name(path: Path, folder: Path) -> str:
    """The module's dotted name: `referee/rules/letters.py` is `referee.rules.letters`."""
    return ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(".__init__")


def function_of(mutant: str) -> str:
    """The mangled name of the function of a mutant."""
    return mutant.rpartition("__mutmut_")[0]


def changes_logic(original: ast.FunctionDef, mutant: ast.FunctionDef) -> bool:
    """Whether the first difference lies outside the words of a sentence."""
    mutant.name = original.name
    return next(_differences(original, mutant, in_words=False), False)


def _differences(one: object, other: object, in_words: bool) -> Iterator[bool]:
    """Yield for each difference of two pieces of code whether it is one of logic."""
    if type(one) is not type(other):
        yield not in_words
    elif isinstance(one, ast.AST):
        in_words = in_words or (isinstance(one, ast.Call) and _says(one))
        for field in one._fields:
            yield from _differences(getattr(one, field), getattr(other, field), in_words)
    elif isinstance(one, list) and isinstance(other, list):
        if len(one) != len(other):
            yield not in_words
        for mine, its in zip(one, other, strict=False):
            yield from _differences(mine, its, in_words)
    elif one != other:
        yield not in_words


def _says(call: ast.Call) -> bool:
    called = call.func
    name = called.id if isinstance(called, ast.Name) else getattr(called, "attr", "")
    return bool(SAYING.fullmatch(name))


# --- which tests can notice


@dataclass(frozen=True)
class Reach:
    """The functions called before any test; each test's seconds and functions called."""

    at_first: frozenset[str]
    by_test: dict[str, tuple[float, frozenset[str]]]

    def tests(self, function: str) -> list[str]:
        """The tests that can notice a change of a function, the likeliest and quickest first.

        Includes all tests of a file in which one calls it: they may use its cached result.
        """
        calling = {test for test, (_, functions) in self.by_test.items() if function in functions}
        files = {_file(test) for test in calling}
        everybody = function in self.at_first
        able = [test for test in self.by_test if everybody or _file(test) in files]
        return sorted(able, key=lambda test: (test not in calling, self.by_test[test][0]))


def _file(test: str) -> str:
    return test.partition("::")[0]


def look_up_reach() -> int:
    """Run every unchanged test once and record its calls in `REACH`; call in a child process."""
    on_import = Profile()
    on_import.enable()
    return with_tests(ROOT, partial(_write_reach, on_import))


def _write_reach(on_import: Profile, tests: list[pytest.Item]) -> int:
    on_import.disable()
    caches, by_test, file = _cached_functions(), {}, ""
    for test in tests:
        if _file(test.nodeid) != file:
            file = _file(test.nodeid)
            for cached in caches:
                cached.cache_clear()
        profile, began = Profile(), time.process_time()
        profile.enable()
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=None)
        profile.disable()
        by_test[test.nodeid] = (time.process_time() - began, sorted(_called(profile)))
    REACH.write_text(json.dumps([sorted(_called(on_import)), by_test], indent=1))
    return min(1, tests[0].session.testsfailed)


def read_reach() -> Reach:
    """Read what `look_up_reach` recorded."""
    at_first, by_test = json.loads(REACH.read_text())
    calls = {test: (seconds, frozenset(names)) for test, (seconds, names) in by_test.items()}
    return Reach(frozenset(at_first), calls)


class Clearable(Protocol):
    """A function wrapped by `functools.cache`."""

    def cache_clear(self) -> None:
        """Empty the cache."""


def _cached_functions() -> list[Clearable]:
    kind = type(cache(lambda: None))
    return [cast("Clearable", thing) for thing in gc.get_objects() if isinstance(thing, kind)]


def _called(profile: Profile) -> set[str]:
    """The mangled names of the rules' functions called during a profile."""
    found = set()
    for entry in profile.getstats():
        code = entry.code
        if not isinstance(code, str) and Path(code.co_filename).is_relative_to(ROOT / "referee"):
            *of_class, name = code.co_qualname.partition(".<locals>")[0].split(".")
            mangled = f"xǁ{of_class[-1]}ǁ{name}" if of_class else f"x_{name}"
            found.add(f"{module_name(Path(code.co_filename), ROOT)}.{mangled}")
    return found


# --- trying them


class Collected:
    """A pytest plug-in that hands the collected tests to `then` instead of running them."""

    def __init__(self, then: Then) -> None:
        self.then = then

    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """Call `then` with the tests and end the process."""
        os._exit(self.then(session.items))


def with_tests(folder: Path, then: Then) -> int:
    """Collect the tests in a folder and call `then` with them; call in a process of its own."""
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    for name in [name for name in sys.modules if name.partition(".")[0] in ("referee", "tests")]:
        del sys.modules[name]
    return int(pytest.main(PYTEST, plugins=[Collected(then)]))


def in_child(work: Callable[[], int]) -> int:
    """Run `work` silently in a forked process; returns its exit code, negative for a signal."""
    child = os.fork()
    if child == 0:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        code = BROKEN
        try:
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def run_until_one_fails(mutant: str, reach: Reach, tests: list[pytest.Item]) -> int:
    """Activate a mutant in this process and run its tests: 1 as soon as one fails, else 0."""
    os.environ[CHOSEN] = mutant
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    by_name = {test.nodeid: test for test in tests}
    for name in reach.tests(function_of(mutant)):
        test = by_name[name]
        signal.setitimer(signal.ITIMER_PROF, SECONDS_MORE + TIMES_LONGER * reach.by_test[name][0])
        test.config.hook.pytest_runtest_protocol(item=test, nextitem=None)
        if test.session.testsfailed:
            return 1
    return 0


def write_down(mutant: str, attempt: Callable[[], int]) -> None:
    """Try a mutant, and append the outcome to the results."""
    began = time.monotonic()
    code = in_child(attempt)
    if code == BROKEN:
        sys.exit(f"{mutant} could not be tried.")
    outcome = "survived" if code == 0 else "killed" if code > 0 else f"killed by signal {-code}"
    line = {"mutant": mutant, "outcome": outcome, "seconds": round(time.monotonic() - began, 1)}
    with RESULTS.open("a") as file:
        file.write(json.dumps(line) + "\n")


def try_all(mutants: list[str]) -> None:
    """Try each mutant; those of functions called on import come last."""
    if not REACH.exists() and in_child(look_up_reach):
        sys.exit("The tests fail without any change, or cannot be collected.")
    reach = read_reach()
    at_first = [mutant for mutant in mutants if function_of(mutant) in reach.at_first]

    def one_after_another(tests: list[pytest.Item]) -> int:
        for mutant in mutants:
            if mutant not in at_first:
                write_down(mutant, partial(run_until_one_fails, mutant, reach, tests))
        return 0

    if in_child(partial(with_tests, MUTANTS, one_after_another)):
        sys.exit("The rules could not be tried with their mutants beside them.")
    for mutant in at_first:
        os.environ[CHOSEN] = mutant
        write_down(
            mutant, partial(with_tests, MUTANTS, partial(run_until_one_fails, mutant, reach))
        )


def main() -> None:
    """Try a sample of the mutants, and print the outcomes."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("number", type=int, nargs="?", default=100, help="how many to draw")
    parser.add_argument("--seed", type=int, default=9)
    parser.add_argument(
        "--of", default="*", help="of which mutants, such as 'referee.rules.core.*'"
    )
    asked = parser.parse_args()
    os.chdir(ROOT)  # where mutmut looks for its settings
    make_mutants()
    changes = mutants_of_logic()
    mutants = [name for name in sorted(changes) if fnmatch(name, asked.of)]
    print(f"{len(mutants)} mutants of logic", flush=True)
    random.Random(asked.seed).shuffle(mutants)
    os.environ[CHOSEN] = ""
    # Only failure counts: no need to shrink examples.
    phases = [Phase.explicit, Phase.generate]
    settings.register_profile(
        "mutation", derandomize=True, deadline=None, database=None, phases=phases
    )
    RESULTS.unlink(missing_ok=True)
    try_all(mutants[: asked.number])
    results = [json.loads(line) for line in RESULTS.read_text().splitlines()]
    for result in results:
        if result["outcome"] == "survived":
            print(f"\n{result['mutant']}\n{changes[result['mutant']]}")
    print("\n", *Counter(result["outcome"] for result in results).most_common())


if __name__ == "__main__":
    main()
