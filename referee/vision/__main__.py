"""The process in which photos are read: see `process`, which begins it and talks to it."""

import os
import signal
import sys
import threading
from contextlib import suppress

import msgspec

from referee.vision.limits import READING_SECONDS, UnreadablePhoto
from referee.vision.process import Answered, Asked

IDLE_SECONDS = 300.0  # from one deal to the next, mostly
MOST_MEMORY = 2_000_000_000  # bytes; the largest photo takes half of it
NICENESS = 10


def main(seconds: float = READING_SECONDS) -> None:
    """Answer each photo on standard input, until there are no more, or none for a while.

    One that takes longer than `seconds` ends the process, whether or not anybody still waits.
    """
    _give_way()
    # Only now: what takes room counts against the limit.
    from referee.vision.reading import read  # noqa: PLC0415

    photos, answers = sys.stdin.buffer, sys.stdout.buffer
    while True:
        idle = threading.Timer(IDLE_SECONDS, os._exit, (0,))
        idle.daemon = True
        idle.start()
        line = photos.readline()
        idle.cancel()
        if not line:
            return
        asked = msgspec.json.decode(line, type=Asked)
        _end_in(seconds)
        try:
            reading = read(photos.read(asked.size), packs=asked.packs, suits=asked.suits)
            answered = Answered(reading=reading)
        except UnreadablePhoto as error:
            answered = Answered(refused=error.code)
        except MemoryError:  # another process begins with all of it
            return
        with suppress(BrokenPipeError):  # whoever asked has ended, and so does the input
            answers.write(msgspec.json.encode(answered) + b"\n")
            answers.flush()
        _end_in(0)


def _give_way() -> None:
    """Let everybody else compute first, and take no more memory than a photo may need."""
    if sys.platform == "win32":
        return
    import resource  # noqa: PLC0415 - there is none on Windows

    os.nice(NICENESS)
    with suppress(OSError, ValueError):  # the system knows no such limit, or has a lower one
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))


def _end_in(seconds: float) -> None:
    """Have the system end this process then, or never where that is 0.

    Whoever began it does so as well, unless they are gone. A thread could not: it would wait for a
    decoder that never returns.
    """
    if hasattr(signal, "setitimer"):  # not on Windows
        signal.setitimer(signal.ITIMER_REAL, seconds)


if __name__ == "__main__":
    main()
