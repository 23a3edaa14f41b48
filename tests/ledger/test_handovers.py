"""What a code carries from phone to phone: in the book only as digests, and sound beside it."""

from pathlib import Path

import pytest

from referee.ledger.backup import faults
from referee.ledger.phones import Handovers, PhoneLinks
from referee.ledger.store import Ledger

AT, LATER = "2026-01-02T03:04:00+00:00", "2026-01-02T03:14:00+00:00"


@pytest.fixture
def ledger(tmp_path: Path) -> Ledger:
    """A ledger of four sheets, the host links to which are h1, h2, and so on."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    for number in range(1, 5):
        ledger.create("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT)
    return ledger


def test_a_list_takes_them_in_and_has_an_end(ledger: Ledger) -> None:
    """What is brought joins what is there; where that is too much, the oldest makes room."""
    lists, handovers = PhoneLinks(ledger), Handovers(ledger)
    lists.add("phone", ["v1", "v2"], "2026-01-01T00:00:00+00:00", 9)
    handovers.offer("code", ["h3", "h4", "nothing"], "Ann’s", AT)
    found = handovers.take("code", "key", "phone", AT, 3)
    assert found is not None
    assert [link.token for link in found.links] == ["h3", "h4"]
    assert found.name == "Ann’s"
    assert {one.link.token for one in lists.of("phone")} == {"h4", "h3", "v2"}


def test_what_it_was_used_for_cannot_be_withdrawn(ledger: Ledger) -> None:
    """And a code that nobody knows does nothing."""
    handovers = Handovers(ledger)
    handovers.offer("code", ["h1"], "", AT)
    handovers.withdraw("another")
    assert handovers.take("another", "key", "phone", AT, 9) is None
    assert handovers.take("code", "key", "phone", AT, 9) is not None
    handovers.withdraw("code")
    assert handovers.take("code", "key", "phone", AT, 9) is not None, "the same form once more"
    assert handovers.take("code", "other key", "phone", AT, 9) is None
    assert handovers.take("code", "key", "phone", LATER, 9) is None


def test_the_book_is_as_sound_as_before(ledger: Ledger) -> None:
    """A code that waits is no part of the record, and none is in the file."""
    Handovers(ledger).offer("the code itself", ["h1"], "", AT)
    path = ledger.path
    ledger.close()
    files = [path, *path.parent.glob(f"{path.name}-*")]
    assert not any(b"the code itself" in file.read_bytes() for file in files)
    assert not list(faults(path))
