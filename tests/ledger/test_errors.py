"""What the database reports is told as what it means for the book, and when it is shown."""

import gettext
import sqlite3

import pytest
from babel import Locale

from referee.ledger.errors import (
    DamagedError,
    InUseError,
    LedgerError,
    MovedOnError,
    UnavailableError,
    translated,
)
from referee.rules.text import Language, speaking

MEANINGS = {
    sqlite3.SQLITE_BUSY: InUseError,
    sqlite3.SQLITE_BUSY_SNAPSHOT: InUseError,
    sqlite3.SQLITE_LOCKED: InUseError,
    sqlite3.SQLITE_PROTOCOL: InUseError,
    sqlite3.SQLITE_FULL: UnavailableError,
    sqlite3.SQLITE_READONLY: UnavailableError,
    sqlite3.SQLITE_CANTOPEN: UnavailableError,
    sqlite3.SQLITE_IOERR_READ: UnavailableError,
    sqlite3.SQLITE_PERM: UnavailableError,
    sqlite3.SQLITE_CORRUPT: DamagedError,
    sqlite3.SQLITE_NOTADB: DamagedError,
    sqlite3.SQLITE_CONSTRAINT: LedgerError,
}


@pytest.mark.parametrize("code", MEANINGS)
def test_what_the_database_reports_means_one_thing(code: int) -> None:
    """A program goes by the class, a person reads a sentence that names the file."""
    reported = sqlite3.OperationalError("what SQLite says")
    reported.sqlite_errorcode = code
    with pytest.raises(LedgerError) as told, translated("book.sqlite"):
        raise reported
    assert type(told.value) is MEANINGS[code]
    assert "book.sqlite" in str(told.value)
    assert str(told.value).endswith(".")


def test_a_complaint_that_cannot_be_read_is_one_of_damage() -> None:
    """It quotes the letters it is about, as far as Python can make letters of them."""
    with pytest.raises(DamagedError, match=r"book\.sqlite is damaged"), translated("book.sqlite"):
        b"near \xf4".decode()


class Shouted(gettext.NullTranslations):
    """A language in which everything is shouted."""

    def gettext(self, message: str) -> str:
        """The message in capitals."""
        return message.upper()


def test_an_error_is_said_in_the_language_it_is_shown_in() -> None:
    """It is raised in no language: whoever shows it chooses."""
    error = MovedOnError(3)
    said = str(error)
    with speaking(Language(Locale("en"), Shouted())):
        assert str(error) == said.upper() != said
