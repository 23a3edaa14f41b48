"""`python -m tests.fuzz --minutes 10 --corpus FOLDER`: fuzz all parts, or those that are named.

Prints what each came to. What did something new is kept in FOLDER, and whatever crashed in
FOLDER/crashes; `--again FILE` tries such a file once more.
"""

import argparse
import secrets
import sys
from pathlib import Path

from tests.fuzz.databases import Databases
from tests.fuzz.engine import Findings, Part, fuzz
from tests.fuzz.forms import Forms
from tests.fuzz.sheets import Files, Histories
from tests.fuzz.wire import Headers

PARTS: tuple[Part, ...] = (Files(), Histories(), Databases(), Headers(), Forms())


def report(found: Findings) -> str:
    """What a part came to, in a few lines."""
    lines = [
        f"{found.part}: {found.tried} inputs in {found.seconds} s, seed {found.seed}; "
        f"{found.corpus} kept, {len(found.said)} different answers, {len(found.crashes)} crashes"
    ]
    lines += [f"  {times:>7}  {said[:110]}" for said, times in found.said.most_common(5)]
    lines += [f"  CRASH {what}: {path}" for what, path in found.crashes.items()]
    return "\n".join(lines)


def main() -> int:
    """Fuzz as the command line asks; 1 where anything crashed."""
    said = argparse.ArgumentParser(description=__doc__)
    said.add_argument("parts", nargs="*", metavar="PART", help=", ".join(p.name for p in PARTS))
    said.add_argument("--minutes", type=float, default=10, help="for each part")
    said.add_argument("--inputs", type=int, default=0, help="at least so many for each part")
    said.add_argument("--corpus", type=Path, default=Path("fuzz-corpus"), metavar="FOLDER")
    said.add_argument("--seed", type=int, default=secrets.randbelow(10**6))
    said.add_argument("--again", type=Path, metavar="FILE", help="try only this input")
    given = said.parse_args()
    unknown = set(given.parts) - {part.name for part in PARTS}
    if unknown:
        said.error(f"there is no part {', '.join(sorted(unknown))}")
    chosen = [part for part in PARTS if not given.parts or part.name in given.parts]
    if given.again is not None:
        for part in (part for part in chosen if given.again.name.startswith(part.name)):
            with part.running():
                print(part.tried(given.again.read_bytes()))
        return 0
    crashes = 0
    for part in chosen:
        found = fuzz(part, given.corpus, given.seed, given.minutes, given.inputs)
        print(report(found), flush=True)
        crashes += len(found.crashes)
    return 1 if crashes else 0


if __name__ == "__main__":
    sys.exit(main())
