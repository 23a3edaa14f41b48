"""The databases themselves refuse to change or delete where a sheet belongs."""

import pytest

from referee.extras.clubs.members import Clubs
from referee.ledger.errors import LedgerError
from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT

ON_EITHER_ENGINE = True


@pytest.mark.parametrize(
    "statement", ["DELETE FROM club_sheets", "UPDATE club_sheets SET club = NULL"]
)
def test_no_statement_changes_or_deletes_a_row(ledger: Ledger, statement: str) -> None:
    ledger.create_all([NewSheet("{}", [("host", "h1")], AT)])
    ledger.create_all([NewSheet("{}", [("host", "h2")], AT, kind="club")])
    clubs = Clubs(ledger)
    clubs.put([1], 2, AT)
    before = clubs.history([1])
    with (
        pytest.raises(LedgerError, match="are kept for ever"),
        ledger.engine.writing() as writing,
    ):
        writing.execute(statement)
    assert clubs.history([1]) == before
