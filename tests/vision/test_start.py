"""The camera costs nothing until a photo comes."""

import subprocess
import sys

import pytest

START = "import referee.cli, referee.web.app, referee.web.serving.server"


@pytest.mark.parametrize(
    ("before", "unwanted"),
    [
        ("", ("referee.vision.reading", "referee.commands.photos")),
        # Others look for them as they start; nothing here may rely on that.
        ("import sys; sys.modules.update(numpy=None, PIL=None); ", ("numpy.linalg", "PIL.Image")),
    ],
    ids=["installed", "not installed"],
)
def test_pages_and_commands_start_without_the_camera(
    before: str, unwanted: tuple[str, ...]
) -> None:
    """Whether its libraries are there or not."""
    asking = f"import sys; print([name for name in {unwanted!r} if name in sys.modules])"
    started = subprocess.run(
        [sys.executable, "-c", f"{before}{START}; {asking}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (started.stdout, started.stderr) == ("[]\n", "")
