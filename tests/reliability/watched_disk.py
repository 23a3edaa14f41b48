"""Run a module on a disk that logs writes and can fail: `disk.c`, compiled and preloaded."""

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SOURCE = Path(__file__).with_name("disk.c")
COMPILER = shutil.which("cc")
ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Event:
    """A change of the disk or an acknowledgement: the kind (`what`) and the file.

    `number` is the offset of a write or the new length after a truncation; `data` the bytes written
    or the new name. For an acknowledgement `path` is the thing acknowledged.
    """

    what: str
    path: str
    number: int = 0
    data: bytes = b""


def run(module: str, folder: Path, *more: str, log: Path | None = None) -> str:
    """Run a module of the tests on a watched disk; returns what it printed. Needs a C compiler.

    Its arguments are the watched `folder` and `more`; changes of the disk are written to `log`.
    """
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as place:
        library = f"{place}/disk.so"
        flags = ["-shared", "-fPIC", "-O1", "-Wall", "-Werror"]
        compiling = [COMPILER, *flags, "-o", library, str(SOURCE), "-ldl", "-lpthread"]
        subprocess.run(compiling, check=True)
        watched = {"LD_PRELOAD": library, "REFEREE_DISK": str(folder)}
        if log is not None:
            watched["REFEREE_DISK_LOG"] = str(log)
        ended = subprocess.run(
            [sys.executable, "-m", module, str(folder), *more],
            check=False,
            cwd=ROOT,
            env=os.environ | watched,
            capture_output=True,
            text=True,
        )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


def acknowledge(what: str) -> None:
    """Write an acknowledgement to the disk's log."""
    log = os.open(os.environ["REFEREE_DISK_LOG"], os.O_WRONLY | os.O_APPEND)
    os.write(log, f"acknowledged\t{what}\t0\t0\n".encode())
    os.close(log)


def events(log: Path) -> list[Event]:
    """The events of a log, in order."""
    content, place, found = log.read_bytes(), 0, []
    while place < len(content):
        end = content.index(b"\n", place)
        what, path, number, length = content[place:end].decode().split("\t")
        place = end + 1 + int(length)
        found.append(Event(what, path, int(number), content[end + 1 : place]))
    return found
