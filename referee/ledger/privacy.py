"""File permissions: only its owner may read the book, whatever the umask is.

A book holds the links of all sheets. This program makes its files 0600 in a folder of 0700, and
makes them so again when the book is opened. On systems other than POSIX nothing is done here: files
have the permissions of their folder.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
BACKUPS = "backups"  # the folder beside a book for its backups

_POSIX = os.name == "posix"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_ALSO_OURS = ("referee.toml", ".gitignore", "lost+found")


def make_folder(path: Path) -> None:
    """Make the folder `path` and its missing parents; raises `OSError`."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    if _POSIX:
        path.chmod(FOLDER)  # whatever the umask is


def make_file(path: Path) -> None:
    """Make an empty file `path` unless it exists; raises `OSError`.

    SQLite gives the files beside a database the same permissions.
    """
    with suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE)
        try:
            if _POSIX:
                os.fchmod(handle, FILE)
        finally:
            os.close(handle)


def close_to_others(book: Path) -> None:
    """Remove other users' permissions from the book, its other files, and its folder.

    A folder that holds anything else, a home folder say, is left as it is, since it was not made
    for the book. So are files of another owner. Raises `OSError` if the folder cannot be read.
    """
    for path in open_to_others(book):
        with suppress(FileNotFoundError, PermissionError):  # a log that was just deleted
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


def open_to_others(book: Path) -> list[Path]:
    """The book's files that other users have permissions for; raises `OSError`.

    They are the book, its log, books set aside, unfinished copies, backups, and their folders.
    """
    if not _POSIX:
        return []
    names = (book.name, f"{book.stem}-", f".{book.stem}")
    beside, backups = list(book.parent.iterdir()), book.parent / BACKUPS
    ours = [path for path in beside if path.is_file() and path.name.startswith(names)]
    if backups.is_dir():
        ours += [path for path in backups.iterdir() if path.name.startswith(names)]
        ours.append(backups)
    if all(path in ours or path.name in _ALSO_OURS for path in beside):
        ours.append(book.parent)
    return [path for path in ours if path.exists() and path.stat().st_mode & _OTHERS]
