"""What could go on for ever: properties with fresh examples, kills, losses of power, random keys.

`python -m tests.nightly 60` goes on for an hour, and ends the round that it is in. It stops at the
first failure: hypothesis prints how to have the failing example again, and the seed of the random
sheets is printed here.
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
    """Run the properties for as many minutes as the first argument says."""
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
