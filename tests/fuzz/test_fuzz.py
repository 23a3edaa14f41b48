"""A short run of each part; and that a crash would be seen, kept, and can be had again."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.fuzz import engine
from tests.fuzz.__main__ import PARTS, report
from tests.fuzz.engine import Crash, Part, fuzz

SEED = 1881
INPUTS = {"files": 300, "histories": 150, "databases": 60, "headers": 100, "forms": 30}


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.name)
def test_nothing_crashes(part: Part, tmp_path: Path) -> None:
    """No traceback, no 500, no hang, nothing accepted that is unsound."""
    found = fuzz(part, tmp_path, SEED, least=INPUTS[part.name])
    assert not found.crashes, report(found)
    assert found.tried >= INPUTS[part.name]
    assert len(found.said) > 4, "the inputs did different things"


class Planted:
    """A part that crashes on an exclamation mark, and hangs on a question mark."""

    name = "planted"

    def seeds(self) -> Iterator[bytes]:
        """Neither."""
        yield b"a"

    def changed(self, one: bytes, other: bytes, chance: random.Random) -> bytes:
        """A letter more, sometimes one of those."""
        return (one + chance.choice([b"a", b"!", b"?"]))[-4:]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Nothing to set up."""
        yield

    def tried(self, given: bytes) -> str:
        """How long it is; or what must not happen."""
        if b"!" in given:
            raise Crash("an exclamation mark")
        while b"?" in given:
            time.sleep(1)  # the hang itself, which the alarm ends
        return str(len(given))


def test_a_crash_is_seen_and_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each kind once, with the input that led to it; the corpus grows by what is new."""
    monkeypatch.setattr(engine, "HANGS", 0.05)
    found = fuzz(Planted(), tmp_path, SEED, least=40)
    assert set(found.crashes) == {"Crash: an exclamation mark", "Crash: hangs in Planted.tried"}
    for what, path in found.crashes.items():
        assert (b"!" if "exclamation" in what else b"?") in path.read_bytes()
        assert "Crash" in path.with_suffix(".txt").read_text(encoding="utf-8")
    kept = [path.read_bytes() for path in (tmp_path / "planted").iterdir()]
    assert sorted(map(len, kept)) == [2, 3, 4]
    again = fuzz(Planted(), tmp_path, SEED)
    assert again.tried == 1 + len(kept), "what was kept is tried again"
