"""The tables of the ledger, and facts read from the statements that make them (a schema).

All statements are in SQLite's dialect, those of extras too, and each database translates them. The
book stores those of extras (table `extras`, column `made`), so that it can be checked, copied and
moved with all its rows even if an extra is deleted.

The rows of a table are never changed, with one exception: a link can be withdrawn, so tables of
links have the column `withdrawn`. Rows of `phone_links` (the lists of phones) and `handovers`
(codes that move a list) can be deleted; these two are not part of the record.
"""

import re
from collections.abc import Iterable, Mapping

from referee.ledger.engine import Writing
from referee.ledger.errors import DamagedError
from referee.rules.text import say

#: The schema of the base. A link is looked up by its digest, so that no lookup takes longer for a
#: nearly right token.
SCHEMA = """
CREATE TABLE sheets (
    id INTEGER PRIMARY KEY,
    kind TEXT NOT NULL,
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
    role TEXT NOT NULL CHECK (role IN ('view', 'play', 'score', 'host')),
    at TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '' CHECK (name = '' OR role = 'host'),
    added_by TEXT,
    renewed_by TEXT,
    withdrawn TEXT
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX links_in_use ON links (sheet, role, name) WHERE withdrawn IS NULL;
CREATE INDEX links_of_sheet ON links (sheet, role);

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

CREATE TABLE trash (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    what TEXT NOT NULL CHECK (what IN ('put', 'taken')),
    at TEXT NOT NULL
) STRICT;

CREATE INDEX trash_by_sheet ON trash (sheet);

CREATE TABLE extras (
    name TEXT NOT NULL PRIMARY KEY,
    kind TEXT NOT NULL,
    made TEXT NOT NULL
) STRICT, WITHOUT ROWID;

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

_DELETABLE = ("phone_links", "handovers")
_NAMES = r'\("?\w+"?(?:, "?\w+"?)*\)'
_IS = r"\w+ (?:= '\w*'|> \d+|IS NULL|IN \('\w*'(?:, '\w*')*\))"
_REFERS = rf"REFERENCES \w+ {_NAMES}"
_TABLE_LINE = (
    r'"?\w+"? (?:INTEGER|TEXT)(?: NOT NULL)?(?: PRIMARY KEY)?(?: UNIQUE)?'
    rf"(?: DEFAULT (?:'\w*'|\d+))?(?: {_REFERS})?(?: CHECK \({_IS}(?: OR {_IS})?\))?"
    rf"|(?:PRIMARY KEY|UNIQUE) {_NAMES}|FOREIGN KEY {_NAMES} {_REFERS}"
)
#: Statements that compute nothing, as queries and expressions would.
_HARMLESS = re.compile(
    rf"CREATE TABLE \w+ \(\n(?: +(?:{_TABLE_LINE}),?\n)+\)(?: STRICT)?(?:, WITHOUT ROWID)?"
    rf"|CREATE (?:UNIQUE )?INDEX \w+ ON \w+ {_NAMES}(?: WHERE {_IS})?"
)
_TABLE = re.compile(r"CREATE TABLE (\w+) \(\n(.*?)\n\)", re.DOTALL)
_COLUMN = re.compile(r"""^ +("?\w+"?) (?:INTEGER|TEXT)""", re.MULTILINE)
_ONE_OF = re.compile(r"^ +(\w+) TEXT .*CHECK \(\1 IN \((.*)\)\)", re.MULTILINE)


def statements(schema: str) -> list[str]:
    """The statements of a schema; raises `DamagedError` for one that does more than make a table.

    The schema may come from a book that somebody else has sent.
    """
    found = [one.strip() for one in schema.split(";") if one.strip()]
    for one in found:
        if not _HARMLESS.fullmatch(one):
            says = say(
                "This book’s list of tables has a statement that Referee won’t run: {statement}",
                statement=one,
            )
            raise DamagedError(says)
    return found


def columns(schema: str) -> dict[str, str]:
    """The columns of each table, separated by commas, the key first.

    In the order in which they are made, so that no table refers to a later one.
    """
    return {table: ", ".join(_COLUMN.findall(lines)) for table, lines in _TABLE.findall(schema)}


def choices(schema: str) -> Iterable[tuple[str, str, list[str]]]:
    """Yield (table, column, words) for each column that holds one of a few words."""
    for table, lines in _TABLE.findall(schema):
        for column, words in _ONE_OF.findall(lines):
            yield table, column, re.findall(r"'(\w+)'", words)


def link_tables(tables: Mapping[str, str]) -> list[str]:
    """The tables of links, among these with their columns."""
    return [table for table, columns in tables.items() if "withdrawn" in columns.split(", ")]


def append_only(tables: Mapping[str, str]) -> list[str]:
    """The tables whose rows are never changed, among these with their columns."""
    others = (*_DELETABLE, *link_tables(tables))
    return [table for table in tables if table not in others]


#: The columns of each table of the base.
TABLES = columns(SCHEMA)


# --- in SQLite

_TRIGGER = """
CREATE TRIGGER {table}_refuse_{verb} BEFORE {verb} ON {table}
BEGIN SELECT RAISE (ABORT, '{table} are kept for ever'); END;
"""


def make_tables(writing: Writing, schema: str) -> None:
    """Make the tables of a schema in SQLite, and the triggers that keep their rows unchanged."""
    for statement in statements(schema):
        writing.execute(statement)
    for table in append_only(columns(schema)):
        for verb in ("update", "delete"):
            writing.execute(_TRIGGER.format(table=table, verb=verb))
