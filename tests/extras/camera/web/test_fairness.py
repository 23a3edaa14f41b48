"""Many photos keep no other client waiting, and a photo is read during other attacks."""

from collections.abc import Iterator

import pytest

from tests.extras.camera import drawn
from tests.support.server import PARTS, form_with
from tests.web.serving.test_fairness import (
    ATTACKER,
    FLOODS,
    HELD_BACK,
    LATER,
    MOST_MEMORY,
    SOMEBODY,
    WAYS,
    Target,
    Targets,
    by_turns,
    check_held_back,
    pytestmark,
)

__all__ = ["pytestmark"]  # of the addresses that these tests call from

CARD = form_with(
    drawn.saved(drawn.row(["9H"]).resize((350, 525))), "photo", **{"photo.for": "hand"}
)
READS = 50  # seconds within which a photo is read, on a machine with other work
PHOTO_AT = "/referee/nine-five-two/follow/photo"


@pytest.fixture(scope="module")
def targets(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Targets]:
    """Targets without a limit of photos."""
    made = Targets(tmp_path_factory.mktemp("target"), "photos_an_hour = 100000\n")
    yield made
    for target in made.values():
        target.stop()


@pytest.fixture(params=WAYS)
def target(request: pytest.FixtureRequest, targets: Targets) -> Target:
    """A target reached directly or through nginx."""
    return targets[request.param]


def photographs(target: Target, caller: str) -> int:
    return target.soon(caller, f"{target.other}/referee/hand/photo", CARD, PARTS, READS)


def test_unfinished_photos_keep_nobody_out(target: Target) -> None:
    """While a client holds back the ends of many, a stranger's requests are answered."""
    check_held_back(target, (PHOTO_AT, b"a" * 16_777_000, 19_000_000, PARTS, 12))
    assert photographs(target, ATTACKER) == 200


def test_a_photo_arrives_beside_unfinished_requests(target: Target) -> None:
    at, sent, size, kind, number = HELD_BACK["sheets’ files"]
    with target.attacked_with([target.raw(at, sent, size, kind)] * number):
        for stranger in (ATTACKER, SOMEBODY):
            assert photographs(target, stranger) == 200
    assert target.memory() < MOST_MEMORY


def test_a_flood_of_photos_keeps_nobody_waiting(target: Target) -> None:
    """During it entries, pages and photos from the same address are answered."""
    with target.attacked_with([target.raw(PHOTO_AT, CARD, kind=PARTS)] * 200):
        for _ in range(3):
            assert target.records(ATTACKER) == 303
        assert target.soon(ATTACKER, target.other) == 200
        assert target.soon(ATTACKER, f"{target.other}/log", seconds=LATER) == 200
        assert photographs(target, ATTACKER) == 200


@pytest.mark.parametrize(
    ("target", "flood"), by_turns(["one log", "entries", "large files"]), indirect=["target"]
)
def test_a_photo_is_read_during_a_flood(target: Target, flood: str) -> None:
    """In a nightly run each, directly and behind nginx."""
    with target.attacked_with(FLOODS[flood](target)):
        assert photographs(target, ATTACKER) == 200
