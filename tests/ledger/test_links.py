"""Lists of phones, codes that move them, and the next sheet of an evening, beyond what pages do.

`tests/web/site/test_moving.py` and `test_evenings.py` there have the rest.
"""

from contextlib import closing

import pytest

from referee.ledger.errors import LedgerError, MovedOnError
from referee.ledger.evenings import Evenings
from referee.ledger.links import Handovers, PhoneLinks
from referee.ledger.store import Ledger, Link, NewSheet
from tests.support.at_once import at_once
from tests.support.books import AT

ON_EITHER_ENGINE = True
LATER = "2026-01-02T03:14:05+00:00"


@pytest.mark.parametrize("token", ["", "nobody", "' OR 1=1 --", "\0", "v1 "])
def test_only_the_exact_token_opens_a_sheet(ledger: Ledger, token: str) -> None:
    """And of those only one that has not been withdrawn; a token in use is not given again."""
    assert ledger.link(token) is None
    ledger.renew_link(1, "view", "v5", AT)
    assert ledger.link("v1") is None
    assert ledger.link("v5") == Link("v5", 1, "view")
    with pytest.raises(LedgerError):
        ledger.renew_link(1, "view", "v2", AT)
    assert ledger.links(1) == {"view": "v5", "host": "h1"}


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger of four sheets, the links to which are v1 and h1, v2 and h2, and so on."""
    for number in range(1, 5):
        ledger.create_all([NewSheet("{}", [("view", f"v{number}"), ("host", f"h{number}")], AT)])
    return ledger


def tokens(lists: PhoneLinks, phone: str = "phone") -> list[str]:
    return [one.link.token for one in lists.of(phone)]


def test_a_list_is_the_phones_own(ledger: Ledger) -> None:
    """A list has the latest link first, each once; a full one drops its oldest, no other does."""
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


def test_what_a_code_was_used_for_cannot_be_withdrawn(ledger: Ledger) -> None:
    """A used code cannot be withdrawn, and an unknown one does nothing."""
    handovers = Handovers(ledger)
    handovers.offer("code", ["h1"], "", AT)
    handovers.withdraw("another")
    assert handovers.take("another", "key", "phone", AT, 9) is None
    assert handovers.take("code", "key", "phone", AT, 9) is not None
    handovers.withdraw("code")
    assert handovers.take("code", "key", "phone", AT, 9) is not None, "the same form once more"
    assert handovers.take("code", "other key", "phone", AT, 9) is None
    assert handovers.take("code", "key", "phone", LATER, 9) is None


def following(key: str) -> tuple[NewSheet, str]:
    """A new sheet whose host link is named after the form's key."""
    return NewSheet("{}", [("host", f"host-{key}"), ("view", f"view-{key}")], AT), key


def test_only_one_of_many_begins_the_next_sheet(ledger: Ledger) -> None:
    """Of eight phones at once only one begins a sheet; each retry gets the same answer."""
    evenings = Evenings(ledger)

    def begin(writer: int) -> int | None:
        with closing(ledger):
            try:
                return evenings.begin_next(1, 0, *following(f"key-{writer}"))[0]
            except MovedOnError:
                return None

    begun = at_once(begin)
    assert at_once(begin) == begun
    assert [sheet for sheet in begun if sheet is not None] == [5]
    assert evenings.sheets(evenings.evening_of(5)) == [1, 5]


def test_a_host_link_handed_on(ledger: Ledger) -> None:
    """A sheet's first host link is not revealed once it has been replaced."""
    evenings = Evenings(ledger)
    assert evenings.begin_next(1, 0, *following("a")) == (5, "host-a")
    ledger.renew_link(5, "host", "handed-on", AT)  # within the second it was begun
    assert evenings.begin_next(1, 0, *following("a")) == (5, None)
