"""Fuzzing itself: a corpus that grows by what does something new, and what becomes of a crash."""

import hashlib
import random
import signal
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Protocol

HANGS = 20.0  # seconds after which an input is said to hang
SEEDS = Path(__file__).parent / "corpus"


class Crash(AssertionError):
    """What must not happen, in words."""


class Part(Protocol):
    """One thing to be fuzzed."""

    name: str

    def seeds(self) -> Iterator[bytes]:
        """Inputs to begin with."""
        ...

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """Another input, made of one, perhaps with a piece of an `other`."""
        ...

    def running(self) -> AbstractContextManager[object]:
        """What must be set up while inputs are tried."""
        ...

    def tried(self, given: bytes) -> str:
        """What this input does, in a few words: two that do the same say the same.

        Raises `Crash` for what must not happen; any other exception is a crash as well.
        """
        ...


@dataclass
class Findings:
    """What fuzzing one part came to: inputs tried, of these new, and where each crash is kept."""

    part: str
    seed: int
    tried: int = 0
    corpus: int = 0
    seconds: float = 0.0
    said: Counter[str] = field(default_factory=Counter)
    crashes: dict[str, Path] = field(default_factory=dict)


class Corpus:
    """The inputs of one part that did something new, kept in a folder."""

    def __init__(self, part: Part, folder: Path) -> None:
        """The part's own seeds, those committed, and what earlier runs left in `folder`."""
        self._folder = folder / part.name
        self._folder.mkdir(parents=True, exist_ok=True)
        self._crashes = folder / "crashes"
        kept = [*(SEEDS / part.name).glob("*"), *self._folder.glob("*")]
        self.inputs = [*part.seeds(), *(path.read_bytes() for path in sorted(kept))]
        self._part = part

    def keep(self, given: bytes) -> None:
        """Add an input that did something new."""
        self.inputs.append(given)
        (self._folder / _name(given)).write_bytes(given)

    def keep_crash(self, given: bytes, words: str) -> Path:
        """Keep an input that crashed, with what happened beside it; returns where."""
        self._crashes.mkdir(parents=True, exist_ok=True)
        path = self._crashes / f"{self._part.name}-{_name(given)}"
        path.write_bytes(given)
        path.with_suffix(".txt").write_text(words, encoding="utf-8")
        return path


def fuzz(part: Part, folder: Path, seed: int, minutes: float = 0.0, least: int = 0) -> Findings:
    """Try inputs for so many `minutes`, and at least so many of them."""
    chance = random.Random(seed)
    corpus = Corpus(part, folder)
    found = Findings(part.name, seed)
    began = time.monotonic()
    with part.running():
        fresh = list(corpus.inputs)  # each is tried as it is before it is changed
        while fresh or found.tried < least or time.monotonic() < began + 60 * minutes:
            given = fresh.pop() if fresh else _next(part, corpus, chance)
            found.tried += 1
            try:
                with _alarm():
                    said = part.tried(given)
            except Exception as error:
                what = _where(error)
                if what not in found.crashes:
                    found.crashes[what] = corpus.keep_crash(given, traceback.format_exc())
                continue
            if said not in found.said and given not in corpus.inputs:
                corpus.keep(given)
            found.said[said] += 1
    found.corpus = len(corpus.inputs)
    found.seconds = round(time.monotonic() - began, 1)
    return found


def _next(part: Part, corpus: Corpus, chance: random.Random) -> bytes:
    given = chance.choice(corpus.inputs)
    for _ in range(chance.choice([1, 1, 2, 4])):
        given = part.changed(given, chance.choice(corpus.inputs), chance)
    return given


def _name(given: bytes) -> str:
    return hashlib.sha256(given).hexdigest()[:16]


def _where(error: Exception) -> str:
    """The same for two crashes in the same place."""
    if isinstance(error, Crash):
        return f"Crash: {error}"
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(last.filename).name}, {last.name}"


@contextmanager
def _alarm() -> Iterator[None]:
    """Interrupt what takes too long."""

    def ring(_: int, frame: FrameType | None) -> None:
        at = "" if frame is None else f" in {frame.f_code.co_qualname}"
        raise Crash(f"hangs{at}")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, HANGS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
