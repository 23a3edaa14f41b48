"""Names of players: what cannot be one, and which are the same to the eye."""

from collections.abc import Iterable, Sequence

from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.table import NAME_LENGTH
from referee.rules.letters import folded, unseen
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
        if unseen(name):
            says = say(
                "The name “{name}” has an invisible character in it. Type it again.",
                name=plain[:40],
            )
            yield shared_fault("name-characters", says, "players")
        same = folded(name)
        if same in seen:
            says = say(
                "Two players are called “{name}”. Give one of them another name.", name=plain[:40]
            )
            yield shared_fault("name-twice", says, "players")
        seen[same] = plain
