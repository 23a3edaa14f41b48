"""What can be put right in a book that an earlier version, or another program, made unsound."""

from collections.abc import Callable, Iterator

import msgspec

from referee.ledger.store import Draft, Ledger
from referee.rules.text import Text, say
from referee.sheets.history import CHANGEABLE, standing
from referee.sheets.sheet import past_of


def bring_back_notes(ledger: Ledger, now: Callable[[], str]) -> Iterator[Text]:
    """Take back whatever voids a change of names or house rules; says so, sheet by sheet.

    Such a void changed nothing, since what a table agrees on is only changed by agreeing anew, but
    it left a history that cannot be right. Nothing is erased: it is voided itself. A sheet that
    cannot be read is left as it is.
    """
    for sheet in ledger.sheets():
        try:
            rows = [past_of(row) for row in ledger.rows(sheet)]
        except (msgspec.MsgspecError, ValueError, RecursionError):
            continue
        kinds, stands = {row.seq: row.kind for row in rows}, standing(rows)
        wrong = [
            row
            for row in rows
            if row.kind == "void"
            and row.seq in stands
            and kinds.get(row.target or 0, "void") not in CHANGEABLE["void"]
        ]
        for row in wrong:
            key = f"mended-{row.seq}"
            draft = Draft("void", "{}", key, "host", now(), row.seq)
            ledger.append(sheet, ledger.newest(sheet), [draft])
            yield say(
                "Sheet {sheet}: row {row}, which could not remove row {target}, is removed.",
                sheet=str(sheet),
                row=row.seq,
                target=row.target or 0,
            )
