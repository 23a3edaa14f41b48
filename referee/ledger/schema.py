"""The tables, and how a database of an older version is brought up to date.

Sheets and entries are only ever added to: triggers refuse to change or delete a row, so what
was written on a sheet stays written. Links are the exception: one can be withdrawn.
"""

import hashlib

from sqlite_utils import Database, Migrations

from referee.ledger.errors import NewerError

MIGRATIONS = Migrations("referee")

_FIRST_TABLES = """
CREATE TABLE sheets (
    id INTEGER PRIMARY KEY,
    head TEXT NOT NULL,
    at TEXT NOT NULL
) STRICT;

CREATE TABLE entries (
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    seq INTEGER NOT NULL CHECK (seq > 0),
    kind TEXT NOT NULL CHECK (kind IN ('play', 'amend', 'void', 'note', 'finish', 'reopen')),
    target INTEGER,
    body TEXT NOT NULL,
    key TEXT NOT NULL,
    role TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (sheet, seq),
    UNIQUE (sheet, key),
    FOREIGN KEY (sheet, target) REFERENCES entries (sheet, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE links (
    token TEXT NOT NULL PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    role TEXT NOT NULL CHECK (role IN ('view', 'score', 'host')),
    at TEXT NOT NULL,
    withdrawn TEXT
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX links_in_use ON links (sheet, role) WHERE withdrawn IS NULL;
"""

_APPEND_ONLY = """
CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE (ABORT, '{table} are kept for ever'); END;
"""


@MIGRATIONS()
def m001_sheets_entries_links(db: Database) -> None:
    """The first tables."""
    _run(db, _FIRST_TABLES)
    for table in ("sheets", "entries"):
        for verb in ("update", "delete"):
            _run(db, _APPEND_ONLY.format(table=table, verb=verb), whole=True)


@MIGRATIONS()
def m002_entered_by(db: Database) -> None:
    """Who entered a row: the name that the writing phone gave itself, NULL where it has none."""
    _run(db, 'ALTER TABLE entries ADD COLUMN "by" TEXT')


_EVENINGS = """
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
"""

# Who is turned away from a sheet must not look on by way of its evening.
_EVENING_LINK_GOES_TOO = """
CREATE TRIGGER links_withdrawn_with_the_evenings AFTER UPDATE OF withdrawn ON links
WHEN NEW.withdrawn IS NOT NULL
BEGIN
    UPDATE evening_links SET withdrawn = NEW.withdrawn
    WHERE withdrawn IS NULL
    AND evening IN (SELECT evening FROM evening_sheets WHERE sheet = NEW.sheet);
END;
"""


@MIGRATIONS()
def m003_evenings(db: Database) -> None:
    """Sheets that were played one after another, and a link to look at them together."""
    _run(db, _EVENINGS)
    for table in ("evenings", "evening_sheets"):
        for verb in ("update", "delete"):
            _run(db, _APPEND_ONLY.format(table=table, verb=verb), whole=True)
    _run(db, _EVENING_LINK_GOES_TOO, whole=True)


_DIGESTS_KEPT = """
CREATE TRIGGER links_need_a_digest BEFORE INSERT ON links WHEN NEW.digest IS NULL
BEGIN SELECT RAISE (ABORT, 'a link is looked up by its digest'); END;
"""


@MIGRATIONS()
def m004_links_by_digest(db: Database) -> None:
    """Links are looked up by a digest, so that no lookup takes longer for a nearly right token."""
    _run(db, "ALTER TABLE links ADD COLUMN digest TEXT")
    for (token,) in db.conn.execute("SELECT token FROM links").fetchall():
        db.conn.execute("UPDATE links SET digest = ? WHERE token = ?", (digest(token), token))
    _run(db, "CREATE UNIQUE INDEX links_by_digest ON links (digest)")
    _run(db, _DIGESTS_KEPT, whole=True)


_BIN = """
CREATE TABLE bin (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    what TEXT NOT NULL CHECK (what IN ('put', 'taken')),
    at TEXT NOT NULL
) STRICT;

CREATE INDEX bin_by_sheet ON bin (sheet);
"""


@MIGRATIONS()
def m005_bin(db: Database) -> None:
    """When sheets were put in the bin and taken out of it."""
    _run(db, _BIN)
    for verb in ("update", "delete"):
        _run(db, _APPEND_ONLY.format(table="bin", verb=verb), whole=True)


def digest(token: str) -> str:
    """What a link is looked up by: the SHA-256 of its token, in hexadecimal."""
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def bring_up_to_date(db: Database) -> None:
    """Apply the migrations that `db` lacks; `NewerError` where it has some we do not know.

    Several programs may open a fresh file at once: the first to hold the write lock makes the
    tables, the others wait for it and then find nothing left to do.
    """
    ours = {migration.name for migration in MIGRATIONS.pending(Database(memory=True))}
    unknown = {applied.name for applied in MIGRATIONS.applied(db)} - ours
    if unknown:
        message = "This database was written by a newer version of Referee. Update the program."
        raise NewerError(message)
    if not MIGRATIONS.pending(db):
        return
    db.conn.execute("BEGIN IMMEDIATE")
    try:
        MIGRATIONS.apply(db)
        db.conn.execute("COMMIT")
    except BaseException:
        db.rollback()
        raise


def _run(db: Database, script: str, *, whole: bool = False) -> None:
    # Not executescript: it would commit the transaction that the migration runs in.
    for statement in [script] if whole else script.split(";"):
        if statement.strip():
            db.conn.execute(statement)
