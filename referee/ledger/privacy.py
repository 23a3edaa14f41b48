"""Who may read the book: its owner alone, whatever the program was started with.

A book holds the links of all sheets. What this program makes beside it is 0600 in a folder of
0700, and is made so again when the book is opened. Elsewhere than on POSIX the rights of the
folder hold for what is in it, and nothing is done here.
"""

import os
import stat
from contextlib import suppress
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
BACKUPS = "backups"  # the folder beside a book that its backups are put in

_POSIX = os.name == "posix"
_OTHERS = stat.S_IRWXG | stat.S_IRWXO
_ALSO_OURS = ("referee.toml", ".gitignore", "lost+found")


def make_folder(path: Path) -> None:
    """Make the folder `path`, and those above it that are missing; raises `OSError`."""
    if path.is_dir():
        return
    make_folder(path.parent)
    path.mkdir(exist_ok=True)
    if _POSIX:
        path.chmod(FOLDER)  # and not what is left of it under the umask


def make_file(path: Path) -> None:
    """Make the file `path`, empty, unless it is there; raises `OSError`.

    SQLite gives the files beside a database the rights that the database has.
    """
    with suppress(FileExistsError):
        handle = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE)
        try:
            if _POSIX:
                os.fchmod(handle, FILE)
        finally:
            os.close(handle)


def close_to_others(book: Path) -> None:
    """Take from others the rights to the book, to all that lies beside it, and to its folder.

    A folder that holds anything besides is left as it is, since it was not made for the book: a
    home folder, say. What belongs to somebody else is too (`open_to_others`). Raises `OSError`
    where the folder cannot be read.
    """
    for path in open_to_others(book):
        with suppress(FileNotFoundError, PermissionError):  # a log that was just done with
            path.chmod(stat.S_IMODE(path.stat().st_mode) & ~_OTHERS)


def open_to_others(book: Path) -> list[Path]:
    """What lies beside the book, and is its own, that others have rights to; raises `OSError`.

    That is the book, its log, what was put aside, copies that broke off, and its backups.
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
