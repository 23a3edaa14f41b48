"""What clubs keep in the book: which sheets belong to which club."""

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
    left_rows INTEGER NOT NULL DEFAULT 0,
    came_rows INTEGER NOT NULL DEFAULT 0,
    at TEXT NOT NULL
) STRICT;

CREATE INDEX club_of_sheet ON club_sheets (sheet, id);
CREATE INDEX sheets_of_club ON club_sheets (club);
CREATE INDEX sheets_of_move ON club_sheets (move);
""",
    within=("club_sheets", "club"),
)
