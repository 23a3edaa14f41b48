"""After a power loss the book opens, is sound, and has all that was acknowledged."""

import itertools
import random
from pathlib import Path

import pytest

from tests.reliability.power_loss import Disk, Evening, check_images
from tests.reliability.watched_disk import COMPILER, Event
from tests.support.campaign import SEED, usual_or_nightly

IMAGES, EVERY = usual_or_nightly(100, 2000), usual_or_nightly(11, 1)  # one image in this many

needs_a_compiler = pytest.mark.skipif(COMPILER is None, reason="no C compiler is installed")


@needs_a_compiler
def test_no_loss_of_power_loses_an_entry() -> None:
    """Every image opens and verifies, with exactly the acknowledged entries."""
    found = check_images(SEED, IMAGES, EVERY)
    print(found)
    assert not found.faults, "\n".join(found.faults)
    assert found.images.total() >= IMAGES
    assert min(found.images.values()) > IMAGES / 100, "the disk lost its writes in every manner"
    assert found.acknowledged >= 28


@needs_a_compiler
def test_a_program_that_did_not_wait_for_the_disk_would_be_found(tmp_path: Path) -> None:
    """Without syncs the same evening loses acknowledged entries."""
    evening = Evening(tmp_path, careless=True)
    images = itertools.islice(evening.images(random.Random(SEED)), 0, None, EVERY)
    lost = "holds neither what was acknowledged, nor that and what was just being written"
    assert any(evening.fault(image, acknowledged) == lost for manner, image, acknowledged in images)


def images_of(*happened: Event) -> dict[str, dict[str, bytes]]:
    """The files after these events if all unsynced data is kept, and if it is dropped."""
    disk = Disk()
    for event in happened:
        disk.apply(event)
    return {manner: disk.image(manner, random.Random(9)) for manner in ("kept", "dropped")}


CREATED, SYNCED = Event("create", "a"), Event("sync", "a")
FIRST, SECOND = Event("write", "a", 0, b"one"), Event("write", "a", 3, b"two")


@pytest.mark.parametrize(
    ("happened", "kept", "dropped"),
    [
        ([CREATED, FIRST], {"a": b"one"}, {}),
        ([CREATED, FIRST, SYNCED, SECOND], {"a": b"onetwo"}, {"a": b"one"}),
        ([CREATED, FIRST, Event("sync", "folder")], {"a": b"one"}, {"a": b""}),
        ([CREATED, FIRST, SYNCED, Event("truncate", "a", 1)], {"a": b"o"}, {"a": b"one"}),
        ([CREATED, SYNCED, Event("remove", "a")], {}, {"a": b""}),
        ([CREATED, SYNCED, Event("rename", "a", 0, b"b")], {"b": b""}, {"a": b""}),
    ],
)
def test_unsynced_data_may_be_lost(
    happened: list[Event], kept: dict[str, bytes], dropped: dict[str, bytes]
) -> None:
    """A file's sync keeps its content and name, a folder's sync its names."""
    assert images_of(*happened) == {"kept": kept, "dropped": dropped}


def test_a_write_is_torn_between_sectors() -> None:
    """Of four sectors each may be written or not, but none in part."""
    disk = Disk()
    for event in (CREATED, SYNCED, Event("write", "a", 0, b"x" * 2048)):
        disk.apply(event)
    seen = {disk.image("torn", random.Random(seed))["a"] for seed in range(200)}
    sectors = {content[place : place + 512] for content in seen for place in (0, 512, 1024, 1536)}
    assert sectors == {b"x" * 512, bytes(512), b""}
    assert len(seen) == 16
