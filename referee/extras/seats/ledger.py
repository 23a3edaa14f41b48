"""The table of seats: who sits where, and the figures that wait for the others.

A waiting figure is not an entry of its sheet, so nothing that shows, exports or verifies a sheet
can reveal it.
"""

from referee.ledger.extras import LedgerPart

PART = LedgerPart(
    name="seats",
    noted="seat_moves",
    plays=True,
    tables="""
CREATE TABLE seat_moves (
    id INTEGER PRIMARY KEY,
    sheet INTEGER NOT NULL REFERENCES sheets (id),
    deal INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    player TEXT NOT NULL,
    what TEXT NOT NULL,
    form TEXT NOT NULL DEFAULT '',
    phone TEXT NOT NULL DEFAULT '',
    link TEXT NOT NULL DEFAULT '',
    "by" TEXT NOT NULL DEFAULT '',
    key TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (sheet, key)
) STRICT;

CREATE INDEX moves_of_sheet ON seat_moves (sheet, id);
CREATE INDEX moves_of_deal ON seat_moves (sheet, deal);
""",
)
