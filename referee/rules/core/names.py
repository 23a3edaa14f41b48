"""Names of players: what cannot be one, and which are the same to the eye."""

import unicodedata
from collections.abc import Iterable, Sequence

from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import NAME_LENGTH
from referee.rules.text import say


def name_faults(players: Sequence[str]) -> Iterable[Fault]:
    """What is wrong with the names: empty, too long, with line breaks, or the same twice."""
    seen: dict[str, str] = {}
    for name in players:
        plain = name.strip()
        length = len(name) if plain else 0
        if not 1 <= length <= NAME_LENGTH:
            says = say(
                "A name has 1 to {most} characters; “{name}” has {length}.",
                most=NAME_LENGTH,
                name=name[:40],
                length=length,
            )
            yield shared_fault("name-length", says, "players")
        if any(map(_cannot_be_seen, name)):
            says = say("The name “{name}” has an invisible character in it.", name=plain[:40])
            yield shared_fault("name-characters", says, "players")
        folded = unicodedata.normalize("NFC", plain).casefold()
        if folded in seen:
            says = say(
                "Two players are called “{name}”. Give one of them another name.", name=plain[:40]
            )
            yield shared_fault("name-twice", says, "players")
        seen[folded] = plain


def _cannot_be_seen(letter: str) -> bool:
    """Control characters, line breaks and the like; joiners stay, emoji are made with them."""
    if letter in "\u200c\u200d":
        return letter == "\u200c"
    return unicodedata.category(letter) in ("Cc", "Cf", "Cs", "Zl", "Zp")
