"""A folder in memory, for books of which only the content matters: nobody waits for a disk."""

import os
import tempfile
from pathlib import Path

_MEMORY = Path("/dev/shm")  # on Linux; elsewhere it is an ordinary folder


def scratch() -> tempfile.TemporaryDirectory[str]:
    """A folder that is taken away again."""
    in_memory = _MEMORY.is_dir() and os.access(_MEMORY, os.W_OK)
    return tempfile.TemporaryDirectory(prefix="referee-", dir=_MEMORY if in_memory else None)
