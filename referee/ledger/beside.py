"""The files that a book consists of, and where they lie."""

import os
from pathlib import Path

LOG = "-wal"
BESIDE = ("", LOG, "-shm", "-journal")


def followed(path: Path) -> Path:
    """Where `path` leads if it is a symbolic link: what belongs to a book lies beside that."""
    try:
        return path.resolve() if path.is_symlink() else path
    except (OSError, RuntimeError, ValueError):  # a link to itself: who opens it will be told
        return path


def is_blank(path: Path) -> bool:
    """Whether there is no ledger at `path`: no file, or one that is empty."""
    return not path.is_file() or not path.stat().st_size


def has_log(path: Path) -> bool:
    """Whether there is anything in the log of the ledger at `path`."""
    return not is_blank(Path(f"{path}{LOG}"))


def numbers(path: Path, *ends: str) -> tuple[int, ...]:
    """What tells the book and its log (or what has these `ends`) from other files of their names.

    Raises `OSError` where one is not there.
    """
    return tuple(os.stat(f"{path}{end}").st_ino for end in ends or ("", LOG))
