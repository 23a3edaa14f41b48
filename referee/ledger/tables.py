"""The tables of the ledger, and its migrations, by sqlite-utils.

Sheets and entries are append-only: triggers refuse to change or delete a row, so what was written
on a sheet stays written. Links are the exception: one can be withdrawn. `phone_links` (the lists of
phones) and `handovers` (codes that move a list) are no part of the record: their rows come and go.

sqlite-utils imports NumPy if that is installed, so to keep the start fast this module is imported
only when there is something to migrate.
"""

import sqlite3

from sqlite_utils import Database, Migrations

# A link is looked up by its digest, so that no lookup takes longer for a nearly right token.
_TABLES = """
CREATE TABLE sheets (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('sheet', 'club')),
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

CREATE INDEX clubs ON sheets (id) WHERE kind = 'club';

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
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    evening INTEGER REFERENCES evenings (id),
    how TEXT NOT NULL CHECK (how IN ('begun', 'joined', 'apart')),
    key TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX evening_sheets_by_sheet ON evening_sheets (sheet);
CREATE INDEX evening_sheets_by_evening ON evening_sheets (evening);

CREATE TABLE evening_links (
    token TEXT NOT NULL PRIMARY KEY,
    evening INTEGER NOT NULL REFERENCES evenings (id),
    at TEXT NOT NULL,
    withdrawn TEXT
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX evening_links_in_use ON evening_links (evening) WHERE withdrawn IS NULL;

CREATE TABLE club_sheets (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    club INTEGER REFERENCES sheets (id),
    move TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL
) STRICT;

CREATE INDEX club_of_sheet ON club_sheets (sheet, id);
CREATE INDEX sheets_of_club ON club_sheets (club);

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

_migrations = Migrations("referee")


@_migrations()
def m001_tables(db: Database) -> None:
    """Create all tables, and the triggers that keep the record append-only."""
    db.executescript(_TABLES)
    for table in ("sheets", "entries", "evenings", "evening_sheets", "club_sheets", "trash"):
        for verb in ("update", "delete"):
            db.execute(_APPEND_ONLY.format(table=table, verb=verb))


def migrate(connection: sqlite3.Connection) -> None:
    """Apply the missing migrations, within the caller's transaction."""
    _migrations.apply(Database(connection, execute_plugins=False))
