"""The places that list every game: documents, README and schema."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from referee.rules.core.entries import SHARED
from referee.rules.core.game import AnyGame


def unlisted(game: AnyGame, root: Path) -> Iterator[str]:
    """The places that do not list the game yet, one sentence each; files are below `root`."""
    yield from _rules_document(game, root)
    yield from _format_document(game, root)
    if f"**{_title(game)}**" not in " ".join(_text(root, "README.md").split()):
        yield "README.md does not name it: `--snapshot-update` does, from the registry."
    schema = _text(root, "docs/sheet.schema.json")
    if f'"{game.slug}"' not in schema:
        yield "docs/sheet.schema.json does not know it: make it anew, by `referee schema`."


def own_actions(game: AnyGame) -> list[str]:
    return [action for action, kind in game.entries.items() if kind.entry not in SHARED]


def _title(game: AnyGame) -> str:
    return str(getattr(game, "title", ""))


def _text(root: Path, name: str) -> str:
    path = root / name
    return path.read_text(encoding="utf-8") if path.is_file() else ""


# --- the documents


def below(document: str, heading: str) -> str | None:
    """The text below a heading (a pattern), up to the next of its level; None if missing."""
    found = re.search(rf"^(#+) {heading}", document, re.MULTILINE)
    if found is None:
        return None
    return re.split(rf"^#{{1,{len(found[1])}}} ", document[found.end() :], flags=re.MULTILINE)[0]


def _rows(part: str) -> dict[str, list[str]]:
    """A Markdown table as first cell -> other cells."""
    lines = [line.strip("|").split(" | ") for line in part.splitlines() if line.startswith("| `")]
    return {name.strip(" `"): [*map(str.strip, cells), ""] for name, *cells in lines}


def fields_told(part: str, name: str) -> list[str] | None:
    """The fields that the row of an entry or judge names in this part; None without a row."""
    row = _rows(part).get(name)
    return row and re.findall(r"`(\w+)`(?= [(\[]|,|$| as| of| in| before)", row[0])


def _options(game: AnyGame) -> dict[str, Any]:
    return {field.name: field.default for field in msgspec.structs.fields(game.house_rules)}


def _rules_document(game: AnyGame, root: Path) -> Iterator[str]:
    where = "docs/rules.md"
    part = below(_text(root, where), rf"\d+\. {re.escape(_title(game))}$")
    if part is None:
        yield f"{where} has no section on it."
        return
    if not re.search(
        rf"§\d+ {re.escape(_title(game))}(?!\w)", " ".join(_text(root, where).split())
    ):
        yield f"{where} does not have it in its contents."
    rows = _rows(below(part, "House rules$") or "")
    for name, default in _options(game).items():
        if name not in rows:
            yield f"{where} has no row for its house rule `{name}`, under “House rules”."
        elif default is not None and rows[name][1].strip("`") != str(default).lower():
            yield f"{where} has another default of its house rule `{name}`."
    for name in rows.keys() - _options(game).keys():
        yield f"{where} has a row for `{name}`, which is none of its house rules."


def _format_document(game: AnyGame, root: Path) -> Iterator[str]:
    where = "docs/sheet-format.md"
    document = _text(root, where)
    part = below(document, f"`{re.escape(game.slug)}`")
    if part is None:
        yield f"{where} has no section on it."
        return
    told = dict(re.findall(r"`(\w+)` \(`?([^;,)`]*)", " ".join(part.split("\n|", 1)[0].split())))
    for name, default in _options(game).items():
        if name not in told:
            yield f"{where} does not name its option `{name}`, with the default in brackets."
        elif default is not None and told[name] != json.dumps(default):
            yield f"{where} has another default of its option `{name}`."
    for name in told.keys() - _options(game).keys():
        yield f"{where} names `{name}`, which is none of its options."
    for action in own_actions(game):
        yield from _unnamed(part, action, f"entry “{action}”", _names(game.entries[action].entry))
    judges = below(document, f"Judges of `{re.escape(game.slug)}`") or ""
    for name, judge in game.judges.items():
        if name != "deal":
            yield from _unnamed(judges, name, f"judge “{name}”", _names(judge.question))


def _names(struct: type[msgspec.Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(struct)]


def _unnamed(part: str, name: str, what: str, fields: list[str]) -> Iterator[str]:
    """Fields that the documented row of an entry or judge lacks or has wrongly."""
    where, told = "docs/sheet-format.md", fields_told(part, name)
    if told is None:
        yield f"{where} has no row for its {what}."
        return
    for field in fields:
        if field not in told:
            yield f"{where} does not name the field `{field}` of its {what}."
    for field in told:
        if field not in fields:
            yield f"{where} names `{field}`, which is no field of its {what}."
