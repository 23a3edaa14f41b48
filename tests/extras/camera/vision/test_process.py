"""Reading photos in a process of its own, which starts with the first photo."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import pytest

from referee.extras.camera.vision import process
from referee.extras.camera.vision.found import UnreadablePhoto
from referee.extras.camera.vision.process import NoReaderError, NoReadingError, ReadingProcess

START = "import referee.cli, referee.web.app, referee.web.serving.server"
SINGLE = (Path(__file__).parents[1] / "photos" / "single.jpg").read_bytes()


@pytest.fixture
def camera() -> Iterator[ReadingProcess]:
    """A reading process that has not started yet."""
    camera = ReadingProcess()
    yield camera
    camera.close()


def test_photos_are_read_one_after_another(camera: ReadingProcess) -> None:
    """Also after a file that is no photo, and after the process was killed."""
    assert [card.text for card in camera.read(SINGLE, suits=True).cards] == ["6D"]
    with pytest.raises(UnreadablePhoto) as refused:
        camera.read(b"six of diamonds")
    assert refused.value.code == "no-photo"
    reader = camera._process
    assert reader is not None
    reader.kill()
    assert len(camera.read(SINGLE).cards) == 1


def test_a_reading_that_takes_too_long_is_stopped() -> None:
    """It is an error; the next photo gets a new process."""
    hasty = ReadingProcess(seconds=0.01)
    with pytest.raises(NoReaderError):
        hasty.read(SINGLE)
    assert hasty._process is None


@pytest.mark.skipif(sys.platform == "win32", reason="no process is stopped there")
def test_a_process_killed_in_the_middle_of_a_photo(camera: ReadingProcess) -> None:
    """Its photo is read by a new process, and so is that of a phone that waits.

    The process is stopped first (SIGSTOP), so that it is killed before it answers.
    """
    assert len(camera.read(SINGLE).cards) == 1
    first = camera._process
    assert first is not None
    os.kill(first.pid, signal.SIGSTOP)
    with ThreadPoolExecutor(2) as phones:
        waiting = [phones.submit(camera.read, SINGLE) for _ in range(2)]
        first.kill()
        assert [len(one.result(timeout=60).cards) for one in waiting] == [1, 1]
    assert camera._process is not first


def test_a_photo_that_crashes_every_process_is_given_up(
    camera: ReadingProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As for lack of memory: it is tried twice, and the next photo is read."""
    begin = process._begin
    begun: list[subprocess.Popen[bytes]] = []

    def without_memory() -> subprocess.Popen[bytes]:
        begun.append(begin())
        if len(begun) < 3:
            begun[-1].kill()
        return begun[-1]

    monkeypatch.setattr(process, "_begin", without_memory)
    with pytest.raises(NoReadingError) as told:
        camera.read(SINGLE)
    assert not isinstance(told.value, NoReaderError)  # the photo is to blame
    assert len(camera.read(SINGLE).cards) == 1
    assert len(begun) == 3


@pytest.mark.parametrize("program", [[sys.executable, "-c", "import no_library"], ["no program"]])
def test_a_machine_that_cannot_read(
    camera: ReadingProcess, monkeypatch: pytest.MonkeyPatch, program: list[str]
) -> None:
    """With a damaged library, or if no process can start, the photo is not blamed."""
    begin = partial(subprocess.Popen, program, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(process, "_begin", begin)
        with pytest.raises(NoReaderError):
            camera.read(SINGLE)
    assert len(camera.read(SINGLE).cards) == 1


@pytest.mark.parametrize(
    ("before", "unwanted"),
    [
        ("", ("referee.extras.camera.vision.reading",)),
        # Another module may import these first; this must not rely on that.
        ("import sys; sys.modules.update(numpy=None, PIL=None); ", ("numpy.linalg", "PIL.Image")),
    ],
    ids=["installed", "not installed"],
)
def test_pages_and_commands_start_without_the_camera(
    before: str, unwanted: tuple[str, ...]
) -> None:
    """With its libraries or without."""
    asking = f"import sys; print([name for name in {unwanted!r} if name in sys.modules])"
    started = subprocess.run(
        [sys.executable, "-c", f"{before}{START}; {asking}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (started.stdout, started.stderr) == ("[]\n", "")


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
@pytest.mark.parametrize(
    "reads",
    ["referee.extras.camera.vision.reading", "tests.extras.camera.benchmarks.camera_grids"],
)
def test_numpy_keeps_to_one_thread(reads: str) -> None:
    """With several threads on a busy machine, a photo takes four times as long."""
    counting = f"import os, {reads}; print(len(os.listdir('/proc/self/task')))"
    counted = subprocess.run(
        [sys.executable, "-c", counting],
        env={name: set_to for name, set_to in os.environ.items() if "THREADS" not in name},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert counted.stdout == "1\n"
