"""What was acknowledged is kept, once, whoever writes at the same time and whatever is killed."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.support.campaign import often
from tests.support.evening import (
    PHONES,
    Phone,
    bad_evening,
    begin_sheets,
    on_the_sheets,
    verified,
)
from tests.support.server import Server

KILLS = often(20, 200)
EACH = 40


def test_kills_lose_nothing(tmp_path: Path) -> None:
    """Eight phones write, the server is killed again and again: all that was acknowledged is there.

    No entry is there twice, also none whose answer was lost and which was sent again.
    """
    came_to = bad_evening(tmp_path, KILLS)
    print(came_to)
    assert (came_to.lost, came_to.twice, came_to.strange) == ((), (), ())
    assert came_to.recorded > KILLS, "the phones got to write between the kills"
    assert came_to.unanswered > KILLS, "the kills met phones that were writing"
    assert came_to.untold == 0, "who was refused was told why"
    checked = verified(tmp_path)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "is intact: 4 sheets" in checked.stdout


def test_eight_phones_on_one_sheet_lose_nothing(tmp_path: Path) -> None:
    """Forty entries each, all at once: every one is kept once, every refusal gives its reason."""
    (token,) = begin_sheets(tmp_path, 1)
    server = Server(tmp_path)
    phones = [Phone(f"p{number}", token) for number in range(PHONES)]
    never = threading.Event()
    try:
        with ThreadPoolExecutor(PHONES) as pool:
            list(pool.map(lambda phone: phone.write(server.address, never, EACH), phones))
    finally:
        server.stop()
    print("told to look again:", sum(phone.told for phone in phones))
    assert [phone.unanswered for phone in phones] == [0] * PHONES
    assert [phone.untold for phone in phones] == [0] * PHONES
    assert sum(phone.told for phone in phones) > 0, "they did get into one another's way"
    sent = {f"{phone.name}-{number}" for phone in phones for number in range(1, EACH + 1)}
    there = on_the_sheets(tmp_path)
    assert set(there) == sent
    assert set(there.values()) == {1}
    assert verified(tmp_path).returncode == 0
