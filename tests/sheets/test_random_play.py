"""Random entries in all games: each is refused in words or sound, and all can be undone.

`REFEREE_RANDOM_SEED` plays other ones.
"""

from referee.rules.core.game import AnyGame
from referee.rules.registry import GAMES
from referee.web.forms.fields import fields_of
from tests.support.campaign import SEED, usual_or_nightly
from tests.support.random_play import play

ENTRIES = usual_or_nightly(10_000, 1_000_000)


def entries_of(game: AnyGame) -> set[str]:
    """Everything that can be recorded in a game."""
    no_bank = set() if game.has_counters else {"buy"}
    always_as_many = len(game.seats(game.house_rules())) == 1
    return set(game.entries) - no_bank - ({"join", "leave"} if always_as_many else set())


def house_rules_of(game: AnyGame) -> set[str]:
    """The house rules of a game, and each choice that is not the default, as they are counted."""
    found = set()
    for field in fields_of(game.house_rules):
        chosen = {value for value, _ in field.choices if not value.isdecimal()} - {field.default}
        found |= {f"{field.name} {value}" for value in chosen} or {field.name}
    return found


def test_random_entries() -> None:
    """Only refusals with words; counters are conserved; undoing leads back to the start."""
    found = play(ENTRIES, seed=SEED)
    assert found["entries"] >= ENTRIES
    for game in GAMES.values():
        came = {action for action in entries_of(game) if found[f"{game.slug}: {action}"]}
        assert came == entries_of(game), game.slug
        agreed = {rule for rule in house_rules_of(game) if found[f"{game.slug} with {rule}"]}
        assert agreed == house_rules_of(game), game.slug
    for kind in ("IllegalEntry", "MalformedEntry", "NotationError"):
        assert found[f"refused: {kind}"] > ENTRIES / 500, kind
    for kind in ("amend", "void"):
        assert found[f"corrected: {kind}"] > ENTRIES / 200, kind
        assert found[f"correction refused: {kind}"] > ENTRIES / 200, kind
