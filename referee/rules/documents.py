"""Faults and rulings as documents: the plain JSON values of `docs/sheet-format.md`."""

from collections.abc import Iterable
from typing import Any

from referee.rules.core.ruling import SHARED_SECTIONS, Fault, RefereeError, Ruling
from referee.rules.registry import GAMES
from referee.rules.text import Text, say


def rule_name(game: str, section: str) -> Text:
    """The name of a section of the rules of the game with this slug, "" for every game's.

    As faults carry it in a document: "Nine Five Two, scoring". A section without a heading, which
    the tests of the games find, must not cost anybody the ruling: then the name is the game's.
    """
    title = GAMES[game].title if game else say("Every game")
    heading = (GAMES[game].sections if game else SHARED_SECTIONS).get(section)
    return say("{game}, {section}", game=title, section=heading) if heading else title


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
