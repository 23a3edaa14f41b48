"""What clubs keep in the book: which sheets belong to which."""

from referee.ledger.extras import LedgerPart

PART = LedgerPart(
    name="clubs",
    kind="club",
    tables="""
CREATE INDEX clubs ON sheets (id) WHERE kind = 'club';

CREATE TABLE club_sheets (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    club INTEGER REFERENCES sheets (id),
    move TEXT NOT NULL DEFAULT '',
    at TEXT NOT NULL
) STRICT;

CREATE INDEX club_of_sheet ON club_sheets (sheet, id);
CREATE INDEX sheets_of_club ON club_sheets (club);
""",
    inside=("club_sheets", "club"),
)
