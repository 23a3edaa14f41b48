"""The properties once more with fresh examples, again and again until the time is over.

`python -m tests.nightly 60` spends an hour on it. It stops at the first failure: hypothesis prints
how to have the failing example again, and the seed of the random sheets is printed here.
"""

import os
import secrets
import subprocess
import sys
import time

PROPERTIES = ("tests/rules", "tests/sheets", "tests/commands/test_anything.py")


def main() -> int:
    """Run the properties for as many minutes as the first argument says."""
    until = time.monotonic() + 60 * float(sys.argv[1] if len(sys.argv) > 1 else "30")
    rounds = 0
    while time.monotonic() < until:
        seed = secrets.randbelow(10**9)
        print(f"Round {rounds + 1}: REFEREE_RANDOM_SEED={seed}", flush=True)
        command = [sys.executable, "-m", "pytest", "--hypothesis-profile=nightly", *PROPERTIES]
        ended = subprocess.run(
            command, check=False, env={**os.environ, "REFEREE_RANDOM_SEED": str(seed)}
        )
        if ended.returncode:
            return ended.returncode
        rounds += 1
    print(f"{rounds} rounds, no failure.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
