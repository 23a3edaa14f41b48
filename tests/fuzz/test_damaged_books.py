"""Databases with flipped bits: `verify` finds every change of a record; no page breaks."""

import re
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from referee.ledger.errors import LedgerError
from referee.rules.core.ruling import RefereeError
from referee.settings import DATABASE, Settings
from referee.web.app import create_app
from tests.fuzz.sound import fuzzed
from tests.fuzz.whole_book import COMMANDS, change_cell, columns_of, whole_book
from tests.support.books import contents
from tests.support.campaign import SEED, usual_or_nightly
from tests.support.command_line import run
from tests.support.logged_errors import unexpected_errors


@dataclass(repr=False)
class Written:
    """A book with rows in every table: its bytes, its verifiable records, its links."""

    content: bytes
    recorded: list[Any]
    tokens: list[str]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A book of four short sheets: with corrections, renewed links, an evening, and the trash."""
    path, tokens = whole_book(tmp_path_factory.mktemp("whole"))
    return Written(path.read_bytes(), recorded(path), tokens)


def recorded(path: Path) -> list[Any]:
    """The records that `verify` protects: rows, the heads of sheets, and links."""
    rows = "SELECT * FROM entries", "SELECT id, head FROM sheets"
    links = "SELECT token, digest, sheet FROM links ORDER BY token"
    with closing(sqlite3.connect(path)) as connection:
        connection.text_factory = bytes
        return [connection.execute(query).fetchall() for query in (*rows, links)]


Flips = list[tuple[int, int, bool]]
#: Bits to flip, mostly one: (byte, bit, whether the byte may be a zero one).
FLIPS = st.lists(
    st.tuples(st.integers(0, 10**6), st.integers(0, 7), st.booleans()), min_size=1, max_size=3
)


def flipped(written: Written, folder: Path, flips: Flips, cut: int = 0) -> Path:
    """Write the book with these bits flipped and `cut` bytes cut off its end; returns its path."""
    content = bytearray(written.content)
    full = [place for place, byte in enumerate(content) if byte]
    for byte, bit, anywhere in flips:
        place = byte % len(content) if anywhere else full[byte % len(full)]
        content[place] ^= 1 << bit
    for path in folder.iterdir():
        path.unlink()
    (folder / DATABASE).write_bytes(content[: len(content) - cut % len(content)])
    return folder / DATABASE


@fuzzed(50)
@given(flips=FLIPS, cut=st.just(0) | st.integers(0, 10**6))
@example(flips=[], cut=1024)
@example(flips=[(18, 2, True)], cut=0)
def test_verify_finds_every_change(written: Written, folder: Path, flips: Flips, cut: int) -> None:
    """With flipped bits or a truncated file it fails, unless no record was changed."""
    book = flipped(written, folder, flips, cut)
    said = run("verify", str(book), "--instance", str(folder))
    assert said.exit_code in (0, 1)
    assert said.exit_code or recorded(book) == written.recorded


def filled(command: list[str], folder: Path) -> list[str]:
    return [word.format(folder=folder) for word in command]


def not_covered() -> set[tuple[str, str]]:
    """The columns in which another value can’t be noticed (docs/reliability.md)."""
    text = Path("docs/reliability.md").read_text(encoding="utf-8")
    rows = re.findall(r"^  \| `(\w+)` \| (.*) \|$", text, re.MULTILINE)
    return {(table, column) for table, named in rows for column in re.findall(r"`(\w+)`", named)}


def test_there_are_rows_in_every_table(written: Written, folder: Path) -> None:
    """So every column can be changed, and each that the document names is one."""
    book = flipped(written, folder, [])
    held, columns = contents(book), columns_of(book)
    tables = {table for table, _ in columns}
    assert [table for table in tables if not held[table]] == []
    assert {one for one in not_covered() if one[0] in tables} <= set(columns)


@pytest.mark.parametrize("seed", range(SEED, SEED + usual_or_nightly(1, 40)))
def test_every_column_is_checked_or_named(written: Written, folder: Path, seed: int) -> None:
    """Another value in any cell is reported by `verify`, or the document names its column."""
    random, missed = Random(seed), []
    for table, column in columns_of(flipped(written, folder, [])):
        if (table, column) not in not_covered():
            book = flipped(written, folder, [])
            changed = change_cell(book, table, column, random)
            said = run("verify", str(book), "--instance", str(folder))
            if said.exit_code != 1:
                missed.append((table, column, *changed))
    assert missed == []


@fuzzed(12)
@given(seed=st.integers(0, 2**32))
def test_no_command_breaks_on_another_value(written: Written, folder: Path, seed: int) -> None:
    """In any cell of any table."""
    book, random = flipped(written, folder, []), Random(seed)
    change_cell(book, *random.choice(columns_of(book)), random)
    for command in COMMANDS:
        run(*filled(command, folder), "--instance", str(folder))


@fuzzed(5)
@given(flips=FLIPS)
def test_no_command_breaks_on_a_damaged_book(written: Written, folder: Path, flips: Flips) -> None:
    """Each says in a sentence what is wrong."""
    for command in COMMANDS:
        flipped(written, folder, flips)
        run(*filled(command, folder), "--instance", str(folder))


@fuzzed(5)
@given(flips=FLIPS)
def test_pages_of_a_damaged_book_are_answered(written: Written, folder: Path, flips: Flips) -> None:
    """Perhaps by one that says what is wrong; no error is logged."""
    flipped(written, folder, flips)
    try:
        app = create_app(Settings(instance=folder))
    except (LedgerError, RefereeError):
        return  # reported when the program starts
    unexpected, client = unexpected_errors(app), app.test_client()
    for token in written.tokens:
        client.get(f"/s/{token}")
    client.set_cookie("sheets", ".".join(written.tokens))
    client.get("/")
    assert not unexpected
