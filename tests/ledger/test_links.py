"""Phones' lists of links and codes to move them are in the book as digests only."""

from contextlib import closing

import pytest

from referee.ledger.backup import faults
from referee.ledger.links import Handovers, PhoneLinks
from referee.ledger.store import Ledger
from tests.support.books import AT as NOW

AT = "2026-01-02T03:04:0{}+00:00"
LATER = "2026-01-02T03:14:05+00:00"


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger of four sheets, the links to which are v1 and h1, v2 and h2, and so on."""
    for number in range(1, 5):
        ledger.create("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT.format(0))
    return ledger


def tokens(lists: PhoneLinks, phone: str = "phone") -> list[str]:
    """The tokens on a phone's list."""
    return [one.link.token for one in lists.of(phone)]


def test_a_list_is_the_phones_own(ledger: Ledger) -> None:
    """A list has the latest link first, each once, and no unknown tokens."""
    lists = PhoneLinks(ledger)
    lists.add("phone", ["v1", "h2"], AT.format(1), 9)
    lists.add("phone", ["v3", "nothing", "v1"], AT.format(2), 9)
    assert tokens(lists) == ["v3", "v1", "h2"]
    assert tokens(lists, "another") == []
    assert [one.link.role for one in lists.of("phone")] == ["view", "view", "host"]


def test_the_oldest_go_first(ledger: Ledger) -> None:
    """A full list drops its oldest link; other lists lose nothing."""
    lists = PhoneLinks(ledger)
    lists.add("another", ["v4"], AT.format(0), 2)
    lists.add("phone", ["v1", "v2"], AT.format(1), 2)
    lists.add("phone", ["v3"], AT.format(2), 2)
    assert tokens(lists) == ["v3", "v2"]
    assert tokens(lists, "another") == ["v4"]


def test_a_withdrawn_link_is_told_apart(ledger: Ledger) -> None:
    """A withdrawn link is listed as opened and as no longer valid."""
    lists = PhoneLinks(ledger)
    lists.add("phone", ["v1", "v2"], AT.format(1), 9)
    ledger.renew_link(1, "view", "new", AT.format(2))
    assert {one.link.token: one.withdrawn for one in lists.of("phone")} == {"v1": True, "v2": False}
    assert [one.link.token for one in lists.known(["v2", "nothing", "v1"])] == ["v2", "v1"]


def test_a_list_takes_in_what_is_brought(ledger: Ledger) -> None:
    """Moved links join the list; if it is too long, the oldest are dropped."""
    lists, handovers = PhoneLinks(ledger), Handovers(ledger)
    lists.add("phone", ["v1", "v2"], "2026-01-01T00:00:00+00:00", 9)
    handovers.offer("code", ["h3", "h4", "nothing"], "Ann’s", NOW)
    found = handovers.take("code", "key", "phone", NOW, 3)
    assert found is not None
    assert [link.token for link in found.links] == ["h3", "h4"]
    assert found.name == "Ann’s"
    assert set(tokens(lists)) == {"h4", "h3", "v2"}


def test_what_it_was_used_for_cannot_be_withdrawn(ledger: Ledger) -> None:
    """A used code cannot be withdrawn, and an unknown one does nothing."""
    handovers = Handovers(ledger)
    handovers.offer("code", ["h1"], "", NOW)
    handovers.withdraw("another")
    assert handovers.take("another", "key", "phone", NOW, 9) is None
    assert handovers.take("code", "key", "phone", NOW, 9) is not None
    handovers.withdraw("code")
    assert handovers.take("code", "key", "phone", NOW, 9) is not None, "the same form once more"
    assert handovers.take("code", "other key", "phone", NOW, 9) is None
    assert handovers.take("code", "key", "phone", LATER, 9) is None


def test_neither_phone_nor_code_is_in_the_book(ledger: Ledger) -> None:
    """The book has no phone's token and no code in clear, and stays sound."""
    PhoneLinks(ledger).add("the phone's token", ["v1"], AT.format(1), 9)
    Handovers(ledger).offer("the code itself", ["h1"], "", NOW)
    path = ledger.path
    ledger.close()
    content = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
    assert b"the phone's token" not in content
    assert b"the code itself" not in content
    assert not faults(path)
    with closing(Ledger(path)) as again:
        assert tokens(PhoneLinks(again), "the phone's token") == ["v1"]
