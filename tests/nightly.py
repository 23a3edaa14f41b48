"""Open-ended tests: properties with fresh examples, kills, power losses, random keys.

`python -m tests.nightly 60` first tests the base without its extras, then starts rounds for an
hour, and finishes the last; 0 only collects all tests, those of a day as well. It stops at the
first failure: hypothesis prints how to reproduce the example, and each round prints the seed of all
other chance.
"""

import os
import secrets
import subprocess
import sys
import time

from tests.support.campaign import CAMPAIGN

TESTS = (
    "tests/rules", "tests/sheets", "tests/extras", "tests/fuzz", "tests/reliability",
    "tests/commands/test_anything.py", "tests/web/serving/test_fairness.py",
    "tests/browser/test_languages.py", "tests/browser/test_names.py",
    "tests/browser/test_number_keys.py", "tests/browser/test_phones.py",
    "tests/browser/test_questions.py", "tests/browser/test_screens.py",
    "tests/browser/test_steps_due.py", "tests/browser/test_two_scorers.py",
    "tests/browser/test_undo.py",
)  # fmt: skip
PYTEST = (sys.executable, "-m", "pytest", "--hypothesis-profile=nightly", "--timeout=3600", *TESTS)
WITHOUT = (sys.executable, "-m", "tests.without")


def main() -> int:
    """Run rounds for the number of minutes in the first argument."""
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 30
    if not minutes:
        collects = (*PYTEST, "tests", "--collect-only", "-qq", "-n0")
        return subprocess.run(collects, check=False).returncode
    if ended := subprocess.run(WITHOUT, check=False).returncode:
        return ended
    until = time.monotonic() + 60 * minutes
    rounds = 0
    while time.monotonic() < until:
        seed = secrets.randbelow(10**9)
        rounds += 1
        print(f"Round {rounds}: REFEREE_RANDOM_SEED={seed}", flush=True)
        chance = {CAMPAIGN: "yes", "REFEREE_RANDOM_SEED": str(seed)}
        if ended := subprocess.run(PYTEST, check=False, env={**os.environ, **chance}).returncode:
            return ended
    print(f"{rounds} rounds, no failure.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
