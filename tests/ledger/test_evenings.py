"""Sheets of one evening stay in order, whichever client begins the next."""

from concurrent.futures import ThreadPoolExecutor

from referee.ledger.errors import MovedOnError
from referee.ledger.evenings import Evenings
from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT


def following(key: str) -> tuple[NewSheet, str]:
    """A new sheet whose host link is named after the form's key."""
    return NewSheet("{}", [("host", f"host-{key}"), ("view", f"view-{key}")], AT), key


def test_an_evening_grows(ledger: Ledger) -> None:
    """The second sheet creates the evening with the first; the third joins from either."""
    evenings = Evenings(ledger)
    first = ledger.create("{}", [("host", "h")], AT)
    assert evenings.evening_of(first) is None
    second, _ = evenings.begin_next(first, 0, *following("a"))
    third, host = evenings.begin_next(first, 2, *following("b"))
    assert evenings.sheets(evenings.evening_of(third)) == [first, second, third]
    assert host == "host-b"


def test_only_one_of_many_begins_the_next_sheet(ledger: Ledger) -> None:
    """Of eight phones at once only one begins a sheet; each retry gets the same answer."""
    evenings = Evenings(ledger)
    first = ledger.create("{}", [("host", "h")], AT)

    def begin(key: str) -> int | None:
        try:
            return evenings.begin_next(first, 0, *following(key))[0]
        except MovedOnError:
            return None
        finally:
            ledger.close()

    keys = [f"key-{number}" for number in range(8)]
    with ThreadPoolExecutor(8) as pool:
        begun = list(pool.map(begin, keys))
        assert list(pool.map(begin, keys)) == begun
    assert len([sheet for sheet in begun if sheet is not None]) == 1
    assert len(ledger.sheets()) == 2


def test_the_link_of_an_evening(ledger: Ledger) -> None:
    """An evening has one link, until a link of one of its sheets is withdrawn."""
    evenings = Evenings(ledger)
    first = ledger.create("{}", [("host", "h")], AT)
    second, _ = evenings.begin_next(first, 0, *following("a"))
    evening = evenings.evening_of(second)
    assert evening is not None
    assert evenings.token(evening, "one", AT) == evenings.token(evening, "two", AT) == "one"
    assert evenings.with_token("one") == evening
    ledger.renew_link(second, "view", "fresh", AT)
    assert evenings.with_token("one") is None
    assert evenings.token(evening, "three", AT) == "three"


def test_a_host_link_handed_on(ledger: Ledger) -> None:
    """A sheet's first host link is not revealed once it has been replaced."""
    evenings = Evenings(ledger)
    first = ledger.create("{}", [("host", "h")], AT)
    begun, host = evenings.begin_next(first, 0, *following("a"))
    assert host == "host-a"
    ledger.renew_link(begun, "host", "handed-on", AT)  # within the second it was begun
    assert evenings.begin_next(first, 0, *following("a")) == (begun, None)
