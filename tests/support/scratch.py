"""A folder in memory, for books of which only the content matters: nobody waits for a disk."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest import mock

_MEMORY = Path("/dev/shm")  # on Linux; elsewhere it is an ordinary folder


@contextmanager
def scratch() -> Iterator[str]:
    """A folder that is taken away again; what the program makes for a while lies in memory, too."""
    in_memory = _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)
    place = str(_MEMORY) if in_memory else None
    with (
        tempfile.TemporaryDirectory(prefix="referee-", dir=place) as folder,
        mock.patch.object(tempfile, "tempdir", place or tempfile.tempdir),
    ):
        yield folder
