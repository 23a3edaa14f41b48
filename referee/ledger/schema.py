"""The tables, and how a database of an older version is brought up to date.

Sheets and entries are only ever added to: triggers refuse to change or delete a row, so what
was written on a sheet stays written. Links are the exception: one can be withdrawn. What `ends`
and `tallies` are for is said in `writing`. `phone_links` is what phones list and `handovers`
what one hands to another, no part of the record: their rows come and go, and nothing is proved by
them.
"""

import hashlib
import sqlite3

from referee.ledger.errors import NewerError

# A link is looked up by its digest, so that no lookup takes longer for a nearly right token.
_TABLES = """
CREATE TABLE sheets (
    id INTEGER PRIMARY KEY,
    head TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE entries (
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    kind TEXT NOT NULL CHECK (kind IN ('play', 'amend', 'void', 'note')),
    target INTEGER,
    body TEXT NOT NULL,
    key TEXT NOT NULL,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    "by" TEXT NOT NULL,
    hash TEXT NOT NULL,
    seal TEXT NOT NULL,
    PRIMARY KEY (sheet, seq),
    UNIQUE (sheet, key),
    FOREIGN KEY (sheet, target) REFERENCES entries (sheet, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    token TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    role TEXT NOT NULL CHECK (role IN ('view', 'score', 'host')),
    at TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '' CHECK (name = '' OR role = 'host'),
    added_by TEXT,
    renewal TEXT,
    withdrawn TEXT
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX links_in_use ON links (sheet, role, name) WHERE withdrawn IS NULL;

CREATE TABLE evenings (
    id INTEGER PRIMARY KEY,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE evening_sheets (
    evening INTEGER NOT NULL REFERENCES evenings (id),
    place INTEGER NOT NULL CHECK (place > 0),
    sheet INTEGER NOT NULL UNIQUE REFERENCES sheets (id),
    key TEXT NOT NULL,
    PRIMARY KEY (evening, place),
    UNIQUE (evening, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE evening_links (
    token TEXT NOT NULL PRIMARY KEY,
    evening INTEGER NOT NULL REFERENCES evenings (id),
    at TEXT NOT NULL,
    withdrawn TEXT
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX evening_links_in_use ON evening_links (evening) WHERE withdrawn IS NULL;

CREATE TABLE trash (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    what TEXT NOT NULL CHECK (what IN ('put', 'taken')),
    at TEXT NOT NULL
) STRICT;

CREATE INDEX trash_by_sheet ON trash (sheet);

CREATE TABLE phone_links (
    phone TEXT NOT NULL,
    link TEXT NOT NULL REFERENCES links (digest),
    at TEXT NOT NULL,
    PRIMARY KEY (phone, link)
) STRICT, WITHOUT ROWID;

CREATE TABLE handovers (
    code TEXT NOT NULL PRIMARY KEY,
    links TEXT NOT NULL,
    name TEXT NOT NULL,
    at TEXT NOT NULL,
    taken TEXT
) STRICT, WITHOUT ROWID;
"""

_APPEND_ONLY = """
CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE (ABORT, '{table} are kept for ever'); END;
"""


def _m001_tables(connection: sqlite3.Connection) -> None:
    """Sheets with their entries and links, evenings, the trash, what phones list and hand over."""
    # Not executescript: it would commit the transaction that the migration runs in.
    for statement in _TABLES.split(";"):
        connection.execute(statement)
    for table in ("sheets", "entries", "evenings", "evening_sheets", "trash"):
        for verb in ("update", "delete"):
            connection.execute(_APPEND_ONLY.format(table=table, verb=verb))


#: What brings a database from version 0, an empty one, to 1, from there to 2, and so on. The
#: version stands in its header, as SQLite's `user_version`.
_MIGRATIONS = (_m001_tables,)
VERSION = len(_MIGRATIONS)


def digest(token: str) -> str:
    """What a link is looked up by: the SHA-256 of its token, in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def version_of(connection: sqlite3.Connection) -> int:
    """How many migrations a database has had; `NewerError` where we do not know them all."""
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise NewerError
    return max(version, 0)  # less than none was never written by us


def bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Apply the migrations that a database lacks; `NewerError` where it has some of the future.

    Several programs may open a fresh file at once: the first to hold the write lock makes the
    tables, the others wait for it and then find nothing left to do.
    """
    if version_of(connection) == VERSION:
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        migrate(connection, version_of(connection))
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def migrate(connection: sqlite3.Connection, since: int = 0, until: int = VERSION) -> None:
    """Bring a database of version `since` to version `until`, within the caller's transaction."""
    for migration in _MIGRATIONS[since:until]:
        migration(connection)
    connection.execute(f"PRAGMA user_version = {until}")
