"""Golden files: the texts that people read, one file each in `tests/snapshots`.

A test fails on a different text and shows the difference; `pytest --snapshot-update` writes
the new one. Read it aloud before committing it.
"""

from pathlib import Path

from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode
from syrupy.location import PyTestLocation

FOLDER = Path(__file__).parent.parent / "snapshots"


class GoldenText(SingleFileSnapshotExtension):
    """A text file for each snapshot, under the name that the test gives."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(FOLDER)

    @classmethod
    def get_snapshot_name(cls, *, test_location: PyTestLocation, index: object = 0) -> str:
        return str(index)


class Readme(GoldenText):
    """The README, which names every game."""

    file_extension = "md"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(FOLDER.parents[1])


class ExampleFile(GoldenText):
    """The example sheet of a game, in `tests/examples`."""

    file_extension = "json"

    @classmethod
    def dirname(cls, *, test_location: PyTestLocation) -> str:
        return str(FOLDER.with_name("examples"))
