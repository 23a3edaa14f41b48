"""The tables of cases and the example sheets, one file a game."""

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases"
#: A whole sheet of each game, by its slug.
EXAMPLES: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text(encoding="utf-8"))["sheet"]
    for path in sorted(CASES.with_name("examples").glob("*.json"))
}


def cases_of(slug: str, kind: str) -> Iterator[dict[str, Any]]:
    """The cases of this kind of the game with this slug.

    A "check" is a judge's ruling, a "page" what it shows; a "sheet" is one with its scores; of the
    drawer there are a "preview", what is "told" afterwards, and what it "asks" by a house rule.
    Empty if the game has no table yet: tests must be collected all the same.
    """
    path = CASES / f"{slug}.toml"
    if path.is_file():
        yield from tomllib.loads(path.read_text()).get(kind, [])


def deal_of(slug: str) -> dict[str, Any]:
    """A deal of this game for any number of players, as its cases describe it.

    Its `entry` is won by "winner" and lost by "others"; with its `options` no game ends early.
    """
    deal: dict[str, Any] = tomllib.loads((CASES / f"{slug}.toml").read_text())["deal"]
    return deal


def sheet_file(slug: str, case: dict[str, Any]) -> dict[str, Any]:
    file = {
        "referee": 1,
        "game": slug,
        "players": case["players"],
        "options": case.get("options", {}),
        "entries": case.get("entries", []),
    }
    return file | ({"dealer": case["dealer"]} if "dealer" in case else {})
