"""The hash chain of a sheet: every changed, removed or swapped row is found."""

import hashlib
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from referee.ledger.chain import Mark, first_hash, read_mark
from referee.ledger.evenings import Evenings
from referee.ledger.integrity import faults
from referee.ledger.links import renew_link
from referee.ledger.store import Draft, Ledger, NewSheet
from tests.support.books import AT

HEAD = '{"game":"any","players":["Ann","Ben"]}'


def draft(number: int) -> Draft:
    return Draft(
        "play", f'{{"points":{number},"name":"Ann"}}', f"key-{number}", "score", AT, by="A"
    )


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """A closed book: an evening of two sheets with five rows each, and a withdrawn link."""
    path = tmp_path / "referee.sqlite"
    with closing(Ledger(path)) as ledger:
        following = NewSheet(HEAD, [("view", "v2"), ("host", "h2")], AT)
        (first,) = ledger.create_all([NewSheet(HEAD, [("view", "v"), ("host", "h")], AT)])
        evenings = Evenings(ledger)
        second, _ = evenings.begin_next(first, 0, following, "again")
        evenings.token(1, "evening", AT)
        for sheet in (first, second):
            ledger.append(sheet, Mark(0), [draft(number) for number in range(1, 6)])
        renew_link(ledger, first, ("view", "v3"), AT)
        ledger.note_trash(second, "put", AT)
    assert faults(path) == []
    return path


def change(book: Path, *statements: str) -> list[str]:
    """Change a book past its triggers; returns the faults found."""
    with closing(sqlite3.connect(book)) as raw, raw:
        made = dict(raw.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"))
        for name in made:
            raw.execute(f"DROP TRIGGER {name}")
        for statement in statements:
            raw.execute(statement)
        for sql in made.values():
            raw.execute(sql)
    return [str(fault) for fault in faults(book)]


def test_the_hash_is_as_documented(tmp_path: Path) -> None:
    """32 digits of SHA-256 over the previous hash and the row."""
    ledger = Ledger(tmp_path / "referee.sqlite")
    ledger.create_all([NewSheet(HEAD, [("host", "h")], AT)])
    row = ledger.append(1, Mark(0), [draft(1)])
    ledger.close()

    def hashed(value: object) -> str:
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:32]

    before = hashed(json.loads(HEAD))
    assert before == first_hash(HEAD)
    assert row.hash == hashed([before, 1, "play", None, AT, "A", json.loads(row.body)])


@pytest.mark.parametrize(
    "changed",
    [
        "body = replace(body, '3', '4')",
        """body = '{"name":"Ann","points":3}'""",
        "body = '{'",
        f"body = '{'[' * 99999}'",
        "body = CAST(x'fffe' AS TEXT)",
        "at = '2026-01-02T03:04:06+00:00'",
        "key = 'other'",
        "role = 'host'",
        """"by" = 'B'""",
        "kind = 'note'",
        "target = 1",
    ],
    ids=lambda changed: changed[:30],
)
def test_a_changed_row_is_named(book: Path, changed: str) -> None:
    """With its sheet, and no other row is, whatever was changed in it."""
    found = change(book, f"UPDATE entries SET {changed} WHERE sheet = 1 AND seq = 3")
    assert found == ["Sheet 1: row 3 isn’t as it was written."]


def test_swapped_and_removed_rows_are_named(book: Path) -> None:
    """As changed, or as not followed by the next."""
    swapped = [
        f"UPDATE entries SET body = '{draft(one).body}', key = 'swapped-{one}' "
        f"WHERE sheet = 1 AND seq = {other}"
        for one, other in ((2, 4), (4, 2))
    ]
    found = change(book, *swapped)
    assert found == [f"Sheet 1: row {row} isn’t as it was written." for row in (2, 4)]
    found = change(
        book,
        "DELETE FROM entries WHERE sheet = 2 AND seq = 3",
        "UPDATE entries SET seq = seq - 1 WHERE sheet = 2 AND seq > 3",
    )
    assert "Sheet 2: row 3 isn’t as it was written." in found


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        (
            "UPDATE sheets SET head = replace(head, 'Ann', 'Eve') WHERE id = 1",
            "Sheet 1: row 1 isn’t as it was written.",
        ),
        ("UPDATE links SET digest = 'd' WHERE token = 'v3'", "A link of sheet 1 can’t be found"),
        ("DELETE FROM links WHERE role = 'host' AND sheet = 2", "Sheet 2 has no host link."),
        (
            "INSERT INTO links (token, sheet, role, at, digest) VALUES ('x', 9, 'view', '', 'd')",
            "A row of links belongs to a row of sheets that isn’t there.",
        ),
        (
            "UPDATE entries SET seq = 300 WHERE sheet = 1 AND seq = 5",
            "Sheet 1 has 5 rows, but its newest is row 300.",
        ),
        ("DROP INDEX links_in_use", "The index links_in_use is missing."),
        ("CREATE VIEW mine AS SELECT 1", "The view mine doesn’t belong in a score book."),
        ("ALTER TABLE trash ADD mine TEXT", "The table trash isn’t as Referee makes it."),
    ],
)
def test_damage_beside_the_rows_is_found(book: Path, statement: str, told: str) -> None:
    """A changed head, a dangling reference, a missing table or index, and a foreign one."""
    assert any(fault.startswith(told) for fault in change(book, statement))


# --- marks


NO_MARKS = ("", "12-", "12-3fa9", "12-3FA9C01B2D4E", "12-3fa9c01b2d4e0", "1234567890", "١٢", "1\n")


def test_a_mark_is_a_row_number_with_or_without_a_hash() -> None:
    """Our forms have the beginning of the hash; any other text is no mark."""
    for mark in (Mark(12), Mark(12, "3fa9c01b2d4e")):
        assert read_mark(str(mark)) == mark
    assert [read_mark(text) for text in NO_MARKS] == [None] * len(NO_MARKS)
