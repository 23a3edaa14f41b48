"""The form of a sheet file as a JSON Schema (draft 2020-12), made from the types that read it.

It cannot express which cards there are or what a rule allows: `referee score` checks that.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from referee.rules.core.entries import SHARED
from referee.rules.core.game import AnyGame
from referee.rules.core.seating import NAME_LENGTH
from referee.rules.registry import GAMES
from referee.sheets.files import SheetFile
from referee.sheets.history import NOTE_PARTS, ROW_PARTS, HistoryRow

Schema = dict[str, Any]

DIALECT = "https://json-schema.org/draft/2020-12/schema"
#: Keywords that map names, which are no keywords themselves, to schemas.
_NAMED = ("properties", "$defs")


def sheet_schema(games: Iterable[AnyGame] = tuple(GAMES.values())) -> Schema:
    """The schema of a sheet of any of these games; `game` selects the options and entries."""
    games = tuple(games)
    file, row = _file_schema(), _row_schema()
    file["properties"]["game"] = {"enum": [game.slug for game in games]}
    kinds = dict.fromkeys(kind.entry for game in games for kind in game.entries.values())
    shared, definitions = _schemas((kind for kind in kinds if kind in SHARED), "#/$defs/")
    return {
        "$schema": DIALECT,
        "title": "A score sheet of Referee",
        "description": "docs/sheet-format.md says what the fields mean.",
        **file,
        "allOf": [
            {
                "if": {"properties": {"game": {"const": game.slug}}},
                "then": {"$ref": f"#/$defs/{game.slug}"},
            }
            for game in games
        ],
        "$defs": {
            **definitions,
            **row,
            **{game.slug: _game_schema(game, shared) for game in games},
        },
    }


def _file_schema() -> Schema:
    """The schema of a file, with the limits of names, which the type leaves to the program."""
    file = _schemas([SheetFile], "#/$defs/")[1]["SheetFile"]
    del file["description"]
    name = {"type": "string", "pattern": r"\S", "maxLength": NAME_LENGTH}
    file["properties"]["players"] |= {"items": name, "minItems": 1, "uniqueItems": True}
    return file


def _row_schema() -> dict[str, Schema]:
    definitions = _schemas([HistoryRow], "#/$defs/")[1]
    note = [_holding({other: other == part for other in NOTE_PARTS}) for part in NOTE_PARTS]
    definitions["HistoryRow"]["allOf"] = [
        {"if": {"properties": {"kind": {"const": kind}}}, "then": then}
        for kind, then in (
            *((kind, _holding(parts)) for kind, parts in ROW_PARTS.items()),
            ("note", {"oneOf": note}),
        )
    ]
    return definitions


def _holding(parts: Mapping[str, bool]) -> Schema:
    """A schema that requires the parts marked true, and forbids the others."""
    null = {"type": "null"}
    return {
        "required": [part for part, there in parts.items() if there],
        "properties": {part: {"not": null} if there else null for part, there in parts.items()},
    }


def _game_schema(game: AnyGame, shared: Sequence[Schema]) -> Schema:
    here = f"#/$defs/{game.slug}/$defs/"
    own = [kind.entry for kind in game.entries.values() if kind.entry not in SHARED]
    (options, *entries), definitions = _schemas([game.house_rules, *own], here)
    entry = {"$ref": f"{here}entry"}
    row = {"properties": {"entry": {"anyOf": [entry, {"type": "null"}]}}}
    return {
        "title": str(game.title),
        "properties": {
            "options": options,
            "entries": {"items": entry},
            "history": {"items": row},
        },
        "$defs": {"entry": {"anyOf": [*entries, *shared]}, **definitions},
    }


def _schemas(
    types: Iterable[type[msgspec.Struct]], where: str
) -> tuple[list[Schema], dict[str, Schema]]:
    """References to these types, below the path `where`, and their definitions by name."""
    references, found = msgspec.json.schema_components(types, ref_template=where + "{name}")
    return list(references), {name: _tidy(schema) for name, schema in found.items()}


def _tidy(schema: Any, depth: int = 0) -> Any:
    """A schema without the words that pages show beside a field.

    A definition itself (`depth` 0) keeps the first paragraph of its description.
    """
    if isinstance(schema, list):
        return [_tidy(each, depth + 1) for each in schema]
    if not isinstance(schema, dict):
        return schema
    tidied: Schema = {}
    for keyword, value in schema.items():
        if keyword in _NAMED:
            tidied[keyword] = {name: _tidy(each, depth + 1) for name, each in value.items()}
        elif keyword == "description" and depth == 0:
            tidied[keyword] = " ".join(value.partition("\n\n")[0].split())
        elif keyword in ("default", "enum"):
            tidied[keyword] = value
        elif keyword not in ("title", "description"):
            tidied[keyword] = _tidy(value, depth + 1)
    for keyword in ("required", "propertyNames"):  # these say nothing if empty
        if not tidied.get(keyword, True):
            del tidied[keyword]
    return tidied
