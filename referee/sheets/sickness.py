"""A sheet that cannot be played through, and what is left to say of it.

It may have been written when the rules or the program were others, or the disk may have lost a part
of it. Such a sheet is told from every other fault, so that it stays alone: it is shown as it was
written, can be exported and put in the trash, and disturbs nobody.
"""

from referee.ledger.errors import LedgerError
from referee.rules.core.ruling import RefereeError
from referee.rules.text import Text, say, typed


class SickSheetError(LedgerError):
    """Sheet number `sheet` cannot be played through; `why` says what stands in the way."""

    def __init__(self, sheet: int, error: Exception) -> None:
        self.sheet = sheet
        self.why = _why(error)
        super().__init__(say("This sheet can’t be played through: {why}", why=self.why))


def _why(error: Exception) -> Text:
    if isinstance(error, RefereeError | LedgerError):
        return typed(str(error))
    return say("a row of it isn’t as Referee writes it ({kind}).", kind=type(error).__name__)
