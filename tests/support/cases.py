"""The tables of cases, one file a game, with its example sheet."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases"


@cache
def tables_of(slug: str) -> dict[str, Any]:
    """All that the cases of a game have; empty if it has none yet, as tests are collected then too.

    A list of cases for each kind: a "check" is a judge's ruling, a "page" what it shows; a "sheet"
    is one with its scores; of the drawer there are a "preview", what is "told" afterwards, and what
    it "asks" by a house rule.

    A "wrong" entry has several things wrong: unknown players, text that is no card, missing and
    wrong fields, and broken rules come together in one answer, and all that the referee says of it
    is there in full. `error` is what the error is: an entry that is "malformed", "no card" in it,
    or "against a rule". What is not said: Ann, Ben, and Cat play (with Dan and Eve where a game
    needs more), by the usual house rules, and nothing was entered before.

    A "rule" is one of the sources, in a few words of our own, and where the program has it: `page`,
    a section of the rules page and words in it; `case`, what a ruling is `from`; `deal`, words on
    the deal card of a first deal.

    Single tables: `beyond` has the sections and judges that answer what no source asks. The `entry`
    of a `deal` is won by "winner" and lost by "others", however many these are; with its `options`
    no game ends early. The `example` is a whole sheet, with a `note` on it, and its `result`.

    With a phone in hand: a deal `filled_in` without scripts by `radio`, `fill` or one `tap` on a
    name, and its `scores`; how the `usual` deal is tapped, by `steps` as `Thumb.follow` knows them,
    and the `taps` allowed. `numbers` are a model of the number keys, for games that have any: the
    `steps` that lead to them, who is `asked`, the `keys` with their ways (`number_taps.Pad`), and
    the `field` of the entry, or the `part` of its hands, that has the numbers. Those in `fine` are
    entered where keys tapped at random have made an impossible hand.
    """
    path = CASES / f"{slug}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def cases_of(slug: str, kind: str) -> list[dict[str, Any]]:
    """The cases of this kind of the game with this slug."""
    cases: list[dict[str, Any]] = tables_of(slug).get(kind, [])
    return cases


def sheet_file(slug: str, case: dict[str, Any]) -> dict[str, Any]:
    file = {
        "referee": 1,
        "game": slug,
        "players": case["players"],
        "options": case.get("options", {}),
        "entries": case.get("entries", []),
    }
    return file | ({"dealer": case["dealer"]} if "dealer" in case else {})


#: A whole sheet of each game, by its slug.
EXAMPLES: dict[str, dict[str, Any]] = {
    path.stem: sheet_file(path.stem, tables_of(path.stem)["example"])
    for path in sorted(CASES.glob("*.toml"))
    if "example" in tables_of(path.stem)
}
