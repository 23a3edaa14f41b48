"""Photos read in a process of their own, so that nobody who asks for something else waits for them.

Python computes one thing at a time, and a photo takes it half a second. The process is begun with
the first photo and reads one at a time; it gives way to everybody else, sees nothing but photos,
keeps none, and ends when none has come for a while. What it says is a line of JSON a photo: should
a picture ever get the better of a decoder, it can do no more than lie about cards.
"""

import os
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.vision.found import READING_SECONDS, Reading, Unreadable, UnreadablePhoto

IDLE_SECONDS = 300.0  # from one deal to the next, mostly
ENDING_SECONDS = 1.0  # for a process that has said its last word
MOST_MEMORY = 2_000_000_000  # bytes; the largest photo takes half of it
NICENESS = 10
_PROGRAM = Path(__file__).parents[2]


class Asked(Struct):
    """What stands before a photo: how many bytes it has, and how it is to be read."""

    size: int
    packs: int
    suits: bool


class Answered(Struct):
    """What was read of it, or why nothing."""

    reading: Reading | None = None
    refused: Unreadable | None = None


_ANSWERS = msgspec.json.Decoder(Answered)  # made here: not by several threads at once


class NoReadingError(Exception):
    """The photo ended the process that read it; nothing is known of its cards."""


class NoReaderError(NoReadingError):
    """There was no process to read it, or none that was done in time: no photo is to blame."""


class ReadingProcess:
    """A process that reads photos, begun when the first one comes."""

    def __init__(self, seconds: float = READING_SECONDS) -> None:
        """Nobody waits longer than `seconds` for a photo; the process ends by itself in time."""
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._broken = False  # whether the last process could not go on, whatever the photo
        self._alone = threading.Lock()

    def read(self, photo: bytes, *, packs: int = 1, suits: bool = False) -> Reading:
        """As `reading.read`. Raises `UnreadablePhoto` too, `NoReadingError` and `NoReaderError`."""
        asked = msgspec.json.encode(Asked(len(photo), packs, suits)) + b"\n" + photo
        with self._alone:
            # The process that read the last photo may have ended at this very moment.
            line = self._ask(asked) or self._ask(asked)
            broken = self._broken
        if not line:
            raise NoReaderError if broken else NoReadingError
        answered = _ANSWERS.decode(line)
        if answered.refused:
            raise UnreadablePhoto(answered.refused)
        if answered.reading is None:
            raise NoReadingError
        return answered.reading

    def close(self) -> None:
        """End the process, if there is one."""
        with self._alone:
            self._end()

    def _ask(self, asked: bytes) -> bytes:
        """The line that answers, empty where the process has ended. Raises `NoReaderError`."""
        try:
            process = self._process = self._process or _begin()
        except OSError:  # the machine has no room for another one
            raise NoReaderError from None
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def end_it() -> None:
            late.set()
            process.kill()

        patience = threading.Timer(self._seconds, end_it)
        patience.daemon = True
        patience.start()
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:  # nobody reads it any more
            line = b""
        finally:
            patience.cancel()
        if not line.endswith(b"\n"):
            with suppress(subprocess.TimeoutExpired):
                process.wait(ENDING_SECONDS)
            # So Python ends where it can't go on; a decoder that fails is ended by a signal.
            self._broken = process.poll() == 1
            self._end()
            line = b""
        if late.is_set():
            raise NoReaderError
        return line

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.communicate()


def _begin() -> subprocess.Popen[bytes]:
    paths = [str(_PROGRAM), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "referee.vision.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"},
    )


# --- in that process


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
