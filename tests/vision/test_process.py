"""Photos read in a process of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from referee.vision.limits import UnreadablePhoto
from referee.vision.process import NoReadingError, ReadingProcess

SINGLE = (Path(__file__).parent / "photos" / "single.jpg").read_bytes()


@pytest.fixture
def camera() -> Iterator[ReadingProcess]:
    """One that has not been asked for anything yet."""
    process = ReadingProcess()
    yield process
    process.close()


def test_photos_one_after_another(camera: ReadingProcess) -> None:
    """A card, what is none, and another card although the process was killed in between."""
    assert [card.text for card in camera.read(SINGLE, suits=True).cards] == ["6D"]
    with pytest.raises(UnreadablePhoto) as refused:
        camera.read(b"six of diamonds")
    assert refused.value.code == "no-photo"
    process = camera._process
    assert process is not None
    process.kill()
    assert len(camera.read(SINGLE).cards) == 1


def test_what_takes_too_long_is_ended() -> None:
    """Whoever asked is told; the next photo has a process of its own."""
    hasty = ReadingProcess(seconds=0.01)
    with pytest.raises(NoReadingError):
        hasty.read(SINGLE)
    assert hasty._process is None
