"""The tables of cases, one file a game, with its example sheet."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent.parent / "cases"


@cache
def tables_of(slug: str) -> dict[str, Any]:
    """All tables of a game's cases; empty if there is no file yet, so that tests are collected.

    A list of cases for each kind: a "check" is a judge's ruling, a "page" what it shows, a "sheet"
    one with its scores, a "preview" what the drawer says while it is filled in, "told" the sentence
    about it afterwards, "asks" a question that depends on a house rule.

    A "wrong" entry has several faults: unknown players, text that is no card, missing and wrong
    fields, broken rules. All come in one answer, and the case has all of its sentences. `error` is
    the kind: the entry is "malformed", has "no card", or is "against a rule". By default Ann, Ben,
    and Cat play (with Dan and Eve where a game needs more) by the usual house rules, and nothing
    was entered before.

    A "rule" is one of the sources in our words, and where the program has it: `page`, a section of
    the rules page and words in it; `case`, the `from` of a ruling; `deal`, words on the card that
    says what to deal first.

    Single tables: `beyond` has the sections and judges that answer what no source asks. The `entry`
    of a `deal` is won by "winner" and lost by "others", however many these are; with its `options`
    no game ends early. The `example` is a whole sheet, with a `note` on it, and its `result`.

    For tests in a browser: a deal `filled_in` without scripts by `radio`, `fill` or one `tap` on a
    name, and its `scores`; how the `usual` deal is tapped, by `steps` as `Thumb.follow` takes them,
    and the `taps` allowed. `numbers` describe the number keys of a game, if it has any: the `steps`
    that open them, who is `asked`, the `keys` (`number_taps.Pad`), and the `field` of the entry, or
    the `part` of its hands, that has the numbers. Those in `fine` replace an impossible hand that
    random taps have made.
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
