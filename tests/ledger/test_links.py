"""Lists of phones, and codes that move them; `tests/web/site/test_moving.py` has the rest."""

import pytest

from referee.ledger.errors import LedgerError
from referee.ledger.links import Handovers, PhoneLinks, renew_link
from referee.ledger.store import Ledger, Link, NewSheet
from tests.support.books import AT

ON_EITHER_ENGINE = True
LATER = "2026-01-02T03:14:05+00:00"


@pytest.mark.parametrize("token", ["", "nobody", "' OR 1=1 --", "\0", "v1 "])
def test_only_the_exact_token_opens_a_sheet(ledger: Ledger, token: str) -> None:
    """Unless it was withdrawn; a token in use can't be stored again."""
    assert ledger.link(token) is None
    renew_link(ledger, 1, ("view", "v5"), AT)
    assert ledger.link("v1") is None
    assert ledger.link("v5") == Link("v5", 1, "view")
    with pytest.raises(LedgerError):
        renew_link(ledger, 1, ("view", "v2"), AT)
    assert ledger.links(1) == {"view": "v5", "host": "h1"}


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger of four sheets, the links to which are v1 and h1, v2 and h2, and so on."""
    for number in range(1, 5):
        ledger.create_all([NewSheet("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT)])
    return ledger


def tokens(lists: PhoneLinks, phone: str = "phone") -> list[str]:
    return [one.link.token for one in lists.of(phone)]


def test_every_phone_has_a_list_of_its_own(ledger: Ledger) -> None:
    """The latest link is first, each is there once, and a full list drops its oldest."""
    lists = PhoneLinks(ledger)
    lists.add("another", ["v4"], "2026-01-01T00:00:00+00:00", 3)
    lists.add("phone", ["v1", "h2"], "2026-01-01T00:00:01+00:00", 3)
    lists.add("phone", ["v3", "nothing", "v1"], "2026-01-01T00:00:02+00:00", 3)
    assert tokens(lists) == ["v3", "v1", "h2"]
    Handovers(ledger).offer("code", ["h4"], "", AT)
    assert Handovers(ledger).take("code", "key", "phone", AT, 3) is not None
    assert tokens(lists) == ["h4", "v3", "v1"]
    assert tokens(lists, "another") == ["v4"]
    phones = ledger.engine.read("SELECT phone FROM phone_links")
    assert len(phones) == 4
    assert not {("another",), ("phone",)} & set(phones), "they are found by a digest"


def test_a_used_code_cannot_be_withdrawn(ledger: Ledger) -> None:
    """Withdrawing an unknown one does nothing."""
    handovers = Handovers(ledger)
    handovers.offer("code", ["h1"], "", AT)
    handovers.withdraw("another")
    assert handovers.take("another", "key", "phone", AT, 9) is None
    assert handovers.take("code", "key", "phone", AT, 9) is not None
    handovers.withdraw("code")
    assert handovers.take("code", "key", "phone", AT, 9) is not None, "the same form once more"
    assert handovers.take("code", "other key", "phone", AT, 9) is None
    assert handovers.take("code", "key", "phone", LATER, 9) is None
