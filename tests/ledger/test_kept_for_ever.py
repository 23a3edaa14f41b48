"""The databases themselves refuse to change or delete what was written."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from referee.ledger.chain import Mark
from referee.ledger.errors import LedgerError
from referee.ledger.evenings import Evenings
from referee.ledger.links import Handovers, PhoneLinks, renew_link
from referee.ledger.store import Ledger, NewSheet
from tests.support.books import AT, play

ON_EITHER_ENGINE = True
KEPT = ("sheets", "entries", "evenings", "evening_sheets", "trash")


@pytest.fixture
def ledger(ledger: Ledger) -> Ledger:
    """A ledger with an evening of two sheets; the first has plays `a` and `b`, and is trashed."""
    fill(ledger)
    return ledger


def fill(ledger: Ledger) -> None:
    """Use everything once that a ledger can do."""
    ledger.create_all([NewSheet("{}", [("host", "h"), ("view", "v")], AT, [play("a")])])
    ledger.append(1, Mark(1), [play("b")])
    evenings = Evenings(ledger)
    evenings.begin_next(1, 0, NewSheet("{}", [("host", "h2")], AT), "key")
    evenings.token(1, "evening", AT)
    evenings.part(1, [2], AT)
    evenings.join([1, 2], AT)
    evenings.leave_apart([1, 2], AT)
    ledger.note_trash(1, "put", AT)
    renew_link(ledger, 1, ("view", "v2"), AT)
    PhoneLinks(ledger).add("phone", ["h", "h2"], AT, 1)
    Handovers(ledger).offer("code", ["h"], "", AT)
    assert Handovers(ledger).take("code", "key", "phone", AT, 1) is not None


def kept(ledger: Ledger) -> list[list[Any]]:
    return [ledger.engine.read(f"SELECT * FROM {table} ORDER BY 1, 2") for table in KEPT]


def insert(values: str) -> str:
    return f"INSERT INTO entries VALUES {values}"


UPSERT = insert("(1, 2, 'play', NULL, '{}', 'c', 'host', '', '', '', '')") + (
    " ON CONFLICT (sheet, seq) DO UPDATE SET body = 'x'"
)


@pytest.mark.parametrize(
    "statement",
    [
        *(f"DELETE FROM {table}" for table in reversed(KEPT)),
        *(f"UPDATE {table} SET at = ''" for table in ("sheets", "entries", "evenings", "trash")),
        "UPDATE evening_sheets SET evening = NULL",
        "UPDATE entries SET seq = 9 WHERE seq = 2",
        UPSERT,
    ],
)
def test_no_statement_changes_or_deletes_a_row(ledger: Ledger, statement: str) -> None:
    """Not even an upsert, in any thread."""
    before = kept(ledger)

    def refused() -> None:
        with (
            closing(ledger),
            pytest.raises(LedgerError, match="are kept for ever"),
            ledger.engine.writing() as writing,
        ):
            writing.execute(statement)

    refused()
    with ThreadPoolExecutor(1) as other:
        other.submit(refused).result()
    assert kept(ledger) == before


@pytest.mark.parametrize(
    "statement",
    [
        "REPLACE INTO sheets (id, kind, head, at) VALUES (1, 'sheet', '{}', '')",
        "REPLACE INTO entries VALUES (1, 2, 'play', NULL, '{}', 'z', 'host', '', '', '', '')",
        "REPLACE INTO entries VALUES (1, 3, 'play', NULL, '{}', 'a', 'host', '', '', '', '')",
    ],
)
def test_no_statement_of_sqlite_replaces_a_row(tmp_path: Path, statement: str) -> None:
    """REPLACE deletes a row without firing triggers, by default."""
    with closing(Ledger(tmp_path / "book.sqlite")) as ledger:
        fill(ledger)
        before = kept(ledger)
        with (
            pytest.raises(LedgerError, match="are kept for ever"),
            ledger.engine.writing() as writing,
        ):
            writing.execute(statement)
        assert kept(ledger) == before


@pytest.mark.parametrize(
    "values",
    [
        "(1, 3, 'rub out', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 0, 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 3, 'void', 9, '{}', 'c', 'host', '', '', '', '')",
        "(9, 1, 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 'three', 'play', NULL, '{}', 'c', 'host', '', '', '', '')",
        "(1, 3, 'play', NULL, NULL, 'c', 'host', '', '', '', '')",
    ],
    ids=["kind", "seq", "target", "sheet", "type", "body"],
)
def test_the_database_itself_refuses_nonsense(ledger: Ledger, values: str) -> None:
    """A row with an unknown kind, or a missing target, sheet or body, is not stored."""
    before = kept(ledger)
    with pytest.raises(LedgerError), ledger.engine.writing() as writing:
        writing.execute(insert(values))
    assert kept(ledger) == before
