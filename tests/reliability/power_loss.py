"""Check what a disk may hold after a power loss at any moment of a short evening.

The model: data written before a file's last sync is on the disk. Of later data each sector of 512
bytes may be there or not, in any order, or be garbled. A new name is there once its file or folder
was synced; of later renames and removals, some of the last ones may be lost.
"""

import hashlib
import itertools
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from referee.ledger.store import Ledger
from referee.settings import DATABASE
from referee.sheets.history import UNDO
from tests.reliability import watched_disk
from tests.reliability.watched_disk import Event, events
from tests.support.books import contents, scratch
from tests.support.command_line import run

SECTOR = 512
MANNERS = ("dropped", "kept", "torn", "torn", "torn", "garbled", "garbled")

Image = dict[str, bytes]


@dataclass
class File:
    """A file: its synced content, and the events since."""

    safe: bytes = b""
    since: list[Event] = field(default_factory=list)


@dataclass
class Disk:
    """A disk at one moment: what is synced, and what may be lost."""

    names: dict[str, File] = field(default_factory=dict)
    safe_names: dict[str, File] = field(default_factory=dict)
    since: list[Event] = field(default_factory=list)  # changes of names

    def apply(self, event: Event) -> None:
        """Apply an event."""
        if event.what in ("write", "truncate"):
            self.names[event.path].since.append(event)
        elif event.what != "sync":
            _rename(self.names, event)
            self.since.append(event)
        elif event.path in self.names:
            self._sync(event.path)
        else:  # the folder
            self.safe_names, self.since = dict(self.names), []

    def _sync(self, path: str) -> None:
        file = self.names[path]
        file.safe, file.since = _written(file.safe, file.since), []
        self.safe_names[path] = file
        self.since = [one for one in self.since if (one.what, one.path) != ("create", path)]

    def image(self, manner: str, chance: random.Random) -> Image:
        """The files after a power loss; `manner` says what happened to unsynced data."""
        lost = {"dropped": len(self.since), "kept": 0}.get(manner)
        if lost is None:
            lost = chance.randint(0, len(self.since))
        if lost == 0:
            names = self.names
        else:
            names = dict(self.safe_names)
            for event in self.since[:-lost]:
                _rename(names, event, self.names)
        return {path: _after(file, manner, chance) for path, file in names.items()}


def _rename(names: dict[str, File], event: Event, known: dict[str, File] | None = None) -> None:
    match event.what:
        case "create":
            names[event.path] = (known or {}).get(event.path) or File()
        case "rename":
            names[event.data.decode()] = names.pop(event.path, File())
        case "remove":
            names.pop(event.path, None)


def _written(content: bytes, since: list[Event]) -> bytes:
    after = bytearray(content)
    for event in since:
        if event.what == "truncate":
            del after[event.number :]
            after.extend(bytes(event.number - len(after)))
        else:
            after.extend(bytes(max(0, event.number - len(after))))
            after[event.number : event.number + len(event.data)] = event.data
    return bytes(after)


def _after(file: File, manner: str, chance: random.Random) -> bytes:
    if manner in ("dropped", "kept"):
        return _written(file.safe, file.since if manner == "kept" else [])
    pieces = [piece for event in file.since for piece in _sectors(event)]
    some = [piece for piece in pieces if chance.random() < 0.6]
    if chance.random() < 0.5:
        chance.shuffle(some)
    if manner == "garbled" and some:
        place = chance.randrange(len(some))
        hit = some[place]
        some[place] = Event(hit.what, hit.path, hit.number, chance.randbytes(len(hit.data)))
    return _written(file.safe, some)


def _sectors(event: Event) -> Iterator[Event]:
    if event.what == "truncate":
        yield event
        return
    start = event.number
    while start < event.number + len(event.data):
        end = min((start // SECTOR + 1) * SECTOR, event.number + len(event.data))
        data = event.data[start - event.number : end - event.number]
        yield Event("write", event.path, start, data)
        start = end


# --- checking images


@dataclass
class Findings:
    """The number of images checked of each kind, and the faults found."""

    images: Counter[str] = field(default_factory=Counter)
    acknowledged: int = 0
    faults: list[str] = field(default_factory=list)


class Evening:
    """A recorded evening, with the book's contents after each acknowledgement."""

    def __init__(self, folder: Path, *, careless: bool = False) -> None:
        """Record it in this folder; a `careless` program does not sync."""
        disk, log = folder / "disk", folder / "log"
        disk.mkdir()
        more = ["careless"] if careless else []
        watched_disk.run("tests.reliability.short_evening", disk, *more, log=log)
        self.events = events(log)
        self._image_folder = folder / "image"
        self._image_folder.mkdir()
        self._prefix = f"{disk}/"
        self.states = list(self._states())

    def _states(self) -> Iterator[object]:
        """The contents of the book at the beginning and after each acknowledgement."""
        disk = Disk()
        yield {}
        for event in self.events:
            if event.what != "acknowledged":
                disk.apply(event)
                continue
            self._write_image(disk.image("kept", random.Random()))
            state = contents(self._image_folder / DATABASE)
            if "-" in event.path or UNDO in event.path:  # the key of a row
                assert event.path.encode() in [row[5] for row in state["entries"]], event
            yield state

    def images(self, chance: random.Random) -> Iterator[tuple[str, Image, int]]:
        """Yield (manner, image, number of acknowledgements) after every event."""
        disk, acknowledged = Disk(), 0
        for event in self.events:
            if event.what == "acknowledged":
                acknowledged += 1
                continue
            disk.apply(event)
            for manner in MANNERS:
                yield manner, disk.image(manner, chance), acknowledged

    def fault(self, image: Image, acknowledged: int) -> str | None:
        """The fault of an image after this many `acknowledged` changes; None if it is sound."""
        self._write_image(image)
        try:
            Ledger(self._image_folder / DATABASE).close()
        except Exception as error:  # any error at all
            return f"does not open: {error!r}"
        verified = run("verify", "--instance", str(self._image_folder))
        if verified.exit_code:
            return f"is not sound: {verified.stdout}"
        state = contents(self._image_folder / DATABASE)
        if acknowledged == 0:
            return None  # nothing was promised yet
        if state not in self.states[acknowledged : acknowledged + 2]:
            return "holds neither what was acknowledged, nor that and what was just being written"
        return None

    def _write_image(self, image: Image) -> None:
        for path in self._image_folder.iterdir():
            path.unlink()
        for name, content in image.items():
            (self._image_folder / name.removeprefix(self._prefix)).write_bytes(content)


def check_images(seed: int, least: int, every: int) -> Findings:
    """Check at least `least` distinct images of one evening, one in `every`.

    There are images after each write, truncation, sync and change of names.
    """
    found = Findings()
    with scratch() as folder:
        evening = Evening(Path(folder))
        found.acknowledged = len(evening.states) - 1
        seen: set[bytes] = set()
        while found.images.total() < least:
            images = evening.images(random.Random(seed))
            for manner, image, acknowledged in itertools.islice(images, seed % every, None, every):
                name = hashlib.sha256(repr((acknowledged, sorted(image.items()))).encode()).digest()
                if name in seen:
                    continue
                seen.add(name)
                found.images[manner] += 1
                if fault := evening.fault(image, acknowledged):
                    found.faults.append(
                        f"seed {seed}, {manner}, {acknowledged} acknowledged: {fault}"
                    )
            seed += 1
    return found
