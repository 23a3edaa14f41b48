"""What a phone has opened, as the book lists it: behind a digest, latest first, with an end."""

from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.backup import faults
from referee.ledger.phones import PhoneLinks
from referee.ledger.store import Ledger

AT = "2026-01-02T03:04:0{}+00:00"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger of four sheets, the links to which are v1 and h1, v2 and h2, and so on."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    for number in range(1, 5):
        ledger.create("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT.format(0))
    return ledger


def tokens(lists: PhoneLinks, phone: str = "phone") -> list[str]:
    """What is on a phone's list."""
    return [one.link.token for one in lists.of(phone)]


def test_a_list_is_the_phones_own(ledger: Ledger) -> None:
    """Latest first, each link once, and nothing that leads to no sheet."""
    lists = PhoneLinks(ledger)
    lists.add("phone", ["v1", "h2"], AT.format(1), 9)
    lists.add("phone", ["v3", "nothing", "v1"], AT.format(2), 9)
    assert tokens(lists) == ["v3", "v1", "h2"]
    assert tokens(lists, "another") == []
    assert [one.link.role for one in lists.of("phone")] == ["view", "view", "host"]


def test_the_oldest_go_first(ledger: Ledger) -> None:
    """Where a list is full, what was put there longest ago makes room; others lose nothing."""
    lists = PhoneLinks(ledger)
    lists.add("another", ["v4"], AT.format(0), 2)
    lists.add("phone", ["v1", "v2"], AT.format(1), 2)
    lists.add("phone", ["v3"], AT.format(2), 2)
    assert tokens(lists) == ["v3", "v2"]
    assert tokens(lists, "another") == ["v4"]


def test_a_withdrawn_link_is_told_apart(ledger: Ledger) -> None:
    """It is known that it was opened, and that it opens nothing any more."""
    lists = PhoneLinks(ledger)
    lists.add("phone", ["v1", "v2"], AT.format(1), 9)
    ledger.renew_link(1, "view", "new", AT.format(2))
    assert {one.link.token: one.withdrawn for one in lists.of("phone")} == {"v1": True, "v2": False}
    assert [one.link.token for one in lists.known(["v2", "nothing", "v1"])] == ["v2", "v1"]


def test_the_token_is_in_no_book(ledger: Ledger) -> None:
    """Who reads a copy of the book learns nobody's token, and the book is as sound as before."""
    PhoneLinks(ledger).add("the phone's token", ["v1"], AT.format(1), 9)
    path = ledger.path
    ledger.close()
    files = [path, *path.parent.glob(f"{path.name}-*")]
    assert not any(b"the phone's token" in file.read_bytes() for file in files)
    assert not list(faults(path))
    with closing(Ledger(path)) as again:
        assert tokens(PhoneLinks(again), "the phone's token") == ["v1"]
