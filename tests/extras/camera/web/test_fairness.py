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
    House,
    Houses,
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
def houses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Houses]:
    """Houses without a limit of photos."""
    made = Houses(tmp_path_factory.mktemp("house"), "photos_an_hour = 100000\n")
    yield made
    for house in made.values():
        house.stop()


@pytest.fixture(params=WAYS)
def house(request: pytest.FixtureRequest, houses: Houses) -> House:
    """A house reached directly or through nginx."""
    return houses[request.param]


def photographs(house: House, caller: str) -> int:
    return house.soon(caller, f"{house.other}/referee/hand/photo", CARD, PARTS, READS)


def test_unfinished_photos_keep_nobody_out(house: House) -> None:
    """While a client holds back the ends of many, a stranger's requests are answered."""
    check_held_back(house, (PHOTO_AT, b"a" * 16_777_000, 19_000_000, PARTS, 12))
    assert photographs(house, ATTACKER) == 200


def test_a_photo_arrives_beside_unfinished_requests(house: House) -> None:
    at, sent, size, kind, number = HELD_BACK["sheets’ files"]
    with house.attacked_with([house.raw(at, sent, size, kind)] * number):
        for stranger in (ATTACKER, SOMEBODY):
            assert photographs(house, stranger) == 200
    assert house.memory() < MOST_MEMORY


def test_a_flood_of_photos_keeps_nobody_waiting(house: House) -> None:
    """During it entries, pages and photos from the same address are answered."""
    with house.attacked_with([house.raw(PHOTO_AT, CARD, kind=PARTS)] * 200):
        for _ in range(3):
            assert house.records(ATTACKER) == 303
        assert house.soon(ATTACKER, house.other) == 200
        assert house.soon(ATTACKER, f"{house.other}/log", seconds=LATER) == 200
        assert photographs(house, ATTACKER) == 200


@pytest.mark.parametrize(
    ("house", "flood"), by_turns(["one log", "entries", "large files"]), indirect=["house"]
)
def test_a_photo_is_read_during_a_flood(house: House, flood: str) -> None:
    """In a nightly run each, directly and behind nginx."""
    with house.attacked_with(FLOODS[flood](house)):
        assert photographs(house, ATTACKER) == 200
