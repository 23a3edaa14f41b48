"""Decode a type for the first time in several threads at once, many times with new types."""

import sys
from threading import Barrier, Thread
from typing import Any

from msgspec import Struct, defstruct

from referee.rules.core.decoding import decode

TYPES, THREADS, FIELDS = 100, 8, 30


def new_type() -> type[Struct]:
    """A type that was never decoded, with another inside."""
    inner = defstruct("Inner", [(f"f{n}", dict[str, int | None], {}) for n in range(FIELDS)])
    return defstruct("Outer", [(f"g{n}", inner | None, None) for n in range(3)])


def main() -> None:
    """Print how many of the reads succeeded, over all types and threads."""
    sys.setswitchinterval(1e-6)
    read: list[Any] = []
    for _ in range(TYPES):
        wanted, go = new_type(), Barrier(THREADS)

        def first(wanted: type[Any] = wanted, go: Barrier = go) -> None:
            go.wait()
            read.append(decode({"g2": {f"f{FIELDS - 1}": {"a": 1}}}, wanted, "entry").g2)

        threads = [Thread(target=first) for _ in range(THREADS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print(sum(getattr(one, f"f{FIELDS - 1}") == {"a": 1} for one in read))


if __name__ == "__main__":
    main()
