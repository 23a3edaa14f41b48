"""Faults and rulings as documents: the plain JSON values of `docs/sheet-format.md`."""

from collections.abc import Iterable
from typing import Any

from referee.rules.core.ruling import SHARED_SECTIONS, Fault, RefereeError, Ruling
from referee.rules.registry import GAMES
from referee.rules.text import Text, say


def rule_name(game: str, section: str) -> Text:
    """The name of a section of the rules of the game with this slug, "" for every game's.

    As faults carry it in a document: "Nine Five Two, scoring".
    """
    if not game:
        return say("Every game, {section}", section=SHARED_SECTIONS[section])
    found = GAMES[game]
    return say("{game}, {section}", game=found.title, section=found.sections[section])


def fault_document(fault: Fault) -> dict[str, str]:
    """A fault as it stands in a document."""
    rule = str(rule_name(fault.game, fault.section))
    return {"code": fault.code, "message": fault.message, "rule": rule}


def ruling_document(ruling: Ruling) -> dict[str, Any]:
    """A ruling as `referee check --json` prints it."""
    return {
        "legal": ruling.legal,
        "faults": _all(ruling.faults),
        "detail": dict(ruling.detail),
    }


def error_document(error: RefereeError) -> dict[str, Any]:
    """What `--json` prints where a sheet or a question is refused."""
    return {"error": {"entry": error.entry, "faults": _all(error.faults)}}


def _all(faults: Iterable[Fault]) -> list[dict[str, str]]:
    return [fault_document(fault) for fault in faults]
