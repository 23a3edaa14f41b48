"""Open-ended tests: properties with fresh examples, kills, power losses, random keys.

`python -m tests.nightly 60` starts rounds for an hour, and finishes the last. It stops at the
first failure: hypothesis prints how to reproduce the example, and each round prints the seed of
its random sheets.
"""

import os
import secrets
import subprocess
import sys
import time

from tests.support.campaign import CAMPAIGN

PROPERTIES = ("tests/rules", "tests/sheets", "tests/fuzz", "tests/commands/test_anything.py")
CAMPAIGNS = (
    "tests/reliability",
    "tests/browser/test_camera.py",
    "tests/browser/test_due.py",
    "tests/browser/test_felt.py",
    "tests/browser/test_number_keys.py",
    "tests/browser/test_screens.py",
    "tests/browser/test_undo.py",
)


def main() -> int:
    """Run rounds for as many minutes as the first argument says."""
    until = time.monotonic() + 60 * float(sys.argv[1] if len(sys.argv) > 1 else "30")
    rounds = 0
    while time.monotonic() < until:
        seed = secrets.randbelow(10**9)
        print(f"Round {rounds + 1}: REFEREE_RANDOM_SEED={seed}", flush=True)
        command = [
            sys.executable,
            "-m",
            "pytest",
            "--hypothesis-profile=nightly",
            *PROPERTIES,
            *CAMPAIGNS,
        ]
        ended = subprocess.run(
            [*command, "--timeout=3600"],
            check=False,
            env={**os.environ, CAMPAIGN: "yes", "REFEREE_RANDOM_SEED": str(seed)},
        )
        if ended.returncode:
            return ended.returncode
        rounds += 1
    print(f"{rounds} rounds, no failure.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
