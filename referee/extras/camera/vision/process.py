"""Read photos in a separate process, so that other requests do not wait for them.

Python runs one thread at a time, and a photo occupies it for half a second. The process starts with
the first photo and reads one at a time, at low priority; it keeps no photo, and exits after some
idle time. It replies with one line of JSON per photo, so a picture that exploits a decoder can do
no more than make it report wrong cards.
"""

import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import msgspec
from msgspec import Struct

from referee.extras.camera.settings import READING_SECONDS
from referee.extras.camera.vision.found import Reading, Unreadable, UnreadablePhoto

IDLE_SECONDS = 300.0  # usually enough from one deal to the next
ENDING_SECONDS = 1.0  # to wait for a process that has closed its output
NICENESS = 10
_PROGRAM = Path(__file__).parents[4]


class Asked(Struct):
    """The header sent before a photo: its size in bytes, and how to read it.

    `hands` is into how many hands the cards are grouped, 0 for a single group.
    """

    size: int
    packs: int
    suits: bool
    hands: int


#: The reply to a photo: the reading, one for each hand, or why it was refused.
Answer = tuple[Reading, ...] | Unreadable
_ANSWERS = msgspec.json.Decoder(Answer)  # here, so that threads do not build it concurrently


class NoReadingError(Exception):
    """The reading process crashed on this photo, so there is no reading."""


class NoReaderError(NoReadingError):
    """No process could read the photo, or none in time; the photo is not to blame."""


class ReadingProcess:
    """A process that reads photos, started with the first one."""

    def __init__(self, seconds: float = READING_SECONDS) -> None:
        """Wait at most `seconds` for each photo."""
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._broken = False  # whether the last process failed regardless of the photo
        self._lock = threading.Lock()

    def read(self, photo: bytes, *, packs: int = 1, suits: bool = False) -> Reading:
        """As `reading.read`. Raises `UnreadablePhoto`, `NoReadingError` and `NoReaderError`."""
        [reading] = self._read(photo, Asked(len(photo), packs, suits, 0))
        return reading

    def read_hands(
        self, photo: bytes, count: int, *, packs: int = 1, suits: bool = False
    ) -> tuple[Reading, ...]:
        """As `reading.read_hands`; raises like `read`."""
        return self._read(photo, Asked(len(photo), packs, suits, count))

    def _read(self, photo: bytes, how: Asked) -> tuple[Reading, ...]:
        asked = msgspec.json.encode(how) + b"\n" + photo
        with self._lock:
            # Try twice: the process from the last photo may have exited just now.
            line = self._ask(asked) or self._ask(asked)
            broken = self._broken
        if not line:
            raise NoReaderError if broken else NoReadingError
        answer: Answer = _ANSWERS.decode(line)
        if isinstance(answer, str):
            raise UnreadablePhoto(answer)
        return answer

    def close(self) -> None:
        """Stop the process, if there is one."""
        with self._lock:
            self._end()

    def _ask(self, asked: bytes) -> bytes:
        """The reply line, empty if the process has exited. Raises `NoReaderError`."""
        try:
            process = self._process = self._process or _begin()
        except OSError:  # the machine cannot start another process
            raise NoReaderError from None
        assert process.stdin is not None
        assert process.stdout is not None
        late = threading.Event()

        def give_up() -> None:
            late.set()
            process.kill()

        timer = threading.Timer(self._seconds, give_up)
        timer.daemon = True
        timer.start()
        try:
            process.stdin.write(asked)
            process.stdin.flush()
            line = process.stdout.readline()
        except OSError:  # the process has exited
            line = b""
        finally:
            timer.cancel()
        if not line.endswith(b"\n"):
            with suppress(subprocess.TimeoutExpired):
                process.wait(ENDING_SECONDS)
            # Python exits with 1 on an exception; a decoder that crashes is killed by a signal.
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
        [sys.executable, "-P", "-m", "referee.extras.camera.vision.process"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
    )


# --- inside the reading process


def main() -> None:
    """Reply to each photo on standard input, until it is closed or `IDLE_SECONDS` pass."""
    if sys.platform != "win32":
        os.nice(NICENESS)
    from referee.extras.camera.vision.reading import read, read_hands  # noqa: PLC0415

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
        photo, packs, suits = photos.read(asked.size), asked.packs, asked.suits
        try:
            answer: Answer = (
                read_hands(photo, asked.hands, packs=packs, suits=suits)
                if asked.hands
                else (read(photo, packs=packs, suits=suits),)
            )
        except UnreadablePhoto as error:
            answer = error.code
        with suppress(BrokenPipeError):  # the parent has exited, so the input ends as well
            answers.write(msgspec.json.encode(answer) + b"\n")
            answers.flush()


if __name__ == "__main__":
    main()
