"""A form without a key: sent twice it counts once, and nobody else's is taken for it."""

import re
from collections.abc import Callable

from tests.support.phone import Phone

BEN = {"action": "adjust", "player": "Ben", "points": "1", "reason": "a card too many"}


def newest(phone: Phone) -> str:
    """The newest row of the sheet, as a form has it."""
    found = re.search(r'data-seq="([^"]+)"', phone.get().text)
    assert found is not None
    return found[1]


def test_the_same_form_twice_is_one_entry(host: Phone) -> None:
    """As when a page is loaded again, or an answer was lost."""
    host.get()  # brings the cookie
    sent = {**BEN, "after": newest(host)}
    assert [host.post("/entries", sent).status_code for _ in range(3)] == [303] * 3
    assert newest(host).startswith("1-")
    assert host.post("/entries", {**sent, "points": "2"}).status_code == 409


def test_the_same_words_of_two_phones_are_two(
    host: Phone, phone_with: Callable[[str], Phone]
) -> None:
    """Two people who saw the same row: the second is asked whether it is the same that is meant."""
    other = phone_with("score")
    host.get(), other.get()
    sent = {**BEN, "after": newest(host)}
    assert host.post("/entries", sent).status_code == 303
    assert other.post("/entries", sent).status_code == 409
    assert Phone(other.client, host.token).post("/entries", sent).status_code == 409
    assert newest(host).startswith("1-")


def test_the_same_form_later_is_another_entry(host: Phone) -> None:
    """It has seen another row."""
    for seq in range(3):
        assert host.post("/entries", {**BEN, "after": newest(host)}).status_code == 303
        assert newest(host).startswith(f"{seq + 1}-")


def test_all_that_is_changed_may_be_sent_twice(host: Phone) -> None:
    """A correction, what is removed, the next sheet: each counts once."""
    host.post("/entries", {**BEN, "after": newest(host)})
    for place, fields in (
        ("/entries/1", {**BEN, "points": "2", "sure": "yes"}),
        ("/entries/1/void", {"sure": "yes"}),
    ):
        sent = {**fields, "after": newest(host)}
        assert [host.post(place, sent).status_code for _ in range(2)] == [303] * 2
    assert newest(host).startswith("3-")
    again = [host.post("/again", {"seen": 0}) for _ in range(2)]
    assert len({answer.headers["Location"] for answer in again}) == 1
