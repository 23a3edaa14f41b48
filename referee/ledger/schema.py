"""The tables, and how a database of an older version is brought up to date.

Sheets and entries are only ever added to: triggers refuse to change or delete a row, so what
was written on a sheet stays written. Links are the exception: one can be withdrawn. What `ends`
and `tallies` are for is said in `writing`. `phone_links` is what phones list, no part of the
record: its rows come and go, and nothing is proved by them.
"""

import hashlib
import sqlite3

from sqlite_utils import Database, Migrations

from referee.ledger import tallies
from referee.ledger.errors import NewerError

MIGRATIONS = Migrations("referee")

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

CREATE TABLE ends (
    sheet INTEGER PRIMARY KEY REFERENCES sheets (id),
    rows INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT;

CREATE TABLE tallies (
    name TEXT NOT NULL PRIMARY KEY,
    changes INTEGER NOT NULL,
    sum TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    token TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL UNIQUE,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    role TEXT NOT NULL CHECK (role IN ('view', 'score', 'host')),
    at TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '' CHECK (name = '' OR role = 'host'),
    added_by TEXT,
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
"""

_APPEND_ONLY = """
CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE (ABORT, '{table} are kept for ever'); END;
"""


@MIGRATIONS()
def m001_tables(db: Database) -> None:
    """Sheets with their entries and links, evenings, the trash, what phones list."""
    _run(db, _TABLES)
    for table in ("sheets", "entries", "evenings", "evening_sheets", "trash"):
        for verb in ("update", "delete"):
            _run(db, _APPEND_ONLY.format(table=table, verb=verb), whole=True)


def digest(token: str) -> str:
    """What a link is looked up by: the SHA-256 of its token, in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def refuse_newer(db: Database) -> None:
    """Raise `NewerError` where `db` has had migrations that we do not know."""
    ours = {migration.name for migration in MIGRATIONS.pending(Database(memory=True))}
    if applied_names(db) - ours:
        raise NewerError


def applied_names(db: Database) -> set[str]:
    """The migrations that `db` has had; raises `sqlite3.DatabaseError` where nobody can tell."""
    try:
        return {migration.name for migration in MIGRATIONS.applied(db)}
    except LookupError as error:  # a column of sqlite-utils' own table has another name
        raise sqlite3.DatabaseError(f"the table of migrations lacks {error}") from error


def bring_up_to_date(db: Database) -> None:
    """Apply the migrations that `db` lacks; `NewerError` where it has some we do not know.

    Several programs may open a fresh file at once: the first to hold the write lock makes the
    tables, the others wait for it and then find nothing left to do.
    """
    refuse_newer(db)
    if not MIGRATIONS.pending(db):
        return
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        MIGRATIONS.apply(db)
        tallies.count_anew(db.conn, "_sqlite_migrations")
        db.conn.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


def _run(db: Database, script: str, *, whole: bool = False) -> None:
    # Not executescript: it would commit the transaction that the migration runs in.
    for statement in [script] if whole else script.split(";"):
        if statement.strip():
            db.conn.execute(statement)
