"""What a form asks for, read off the struct that it fills in.

House rules and the judges' questions are structs; their fields' types and `Meta` (title,
description, choices, card pad) say how each is asked for, so that a new game needs no new form.
"""

from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from referee.rules.core.table import Options

Kind = Literal["cards", "number", "choice", "select", "switch", "text", "people"]


class Field(Struct, frozen=True):
    """One field of a form. `usual` is the default in words, where it is worked out.

    A field of kind "people" is asked for in a row a person; `holds` is what stands in the row:
    "cards", "number", "tick" or "dealer".
    """

    name: str
    kind: Kind
    label: str
    description: str
    default: Any
    required: bool
    usual: str = ""
    pad: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: int | None = None
    most: int | None = None
    holds: str = ""


def fields_of(struct: type[Struct]) -> list[Field]:
    """The fields of `struct` in their order, those that must be filled in first."""
    hints = get_type_hints(struct, include_extras=True)
    found = [_field(info, hints[info.name]) for info in msgspec.structs.fields(struct)]
    return sorted(found, key=lambda field: not field.required)


class Described(Struct, frozen=True):
    """A field that has been filled in, in words."""

    label: str
    value: str


def described(options: Options, players: int) -> list[Described]:
    """House rules in words, those left to a worked-out default as what that comes to."""
    found = []
    worked_out = options.in_words(players)
    for field in fields_of(type(options)):
        value = worked_out.get(field.name, getattr(options, field.name))
        if isinstance(value, bool):
            words = "yes" if value else "no"
        else:
            words = dict(field.choices).get(str(value), str(value))
        found.append(Described(field.label, field.usual if value is None else words))
    return found


def _field(info: msgspec.structs.FieldInfo, hint: Any) -> Field:
    base, metas = _taken_apart(hint)
    extra = {key: value for meta in metas for key, value in (meta.extra or {}).items()}
    kind, choices = _kind(base, extra)
    return Field(
        name=info.name,
        kind=kind,
        label=next((meta.title for meta in reversed(metas) if meta.title), _as_words(info.name)),
        description=next((meta.description for meta in metas if meta.description), ""),
        default=None if info.required else info.default,
        required=info.required,
        usual=extra.get("usual", ""),
        pad=extra.get("pad", ""),
        choices=choices,
        least=next((meta.ge for meta in metas if isinstance(meta.ge, int)), extra.get("least")),
        most=extra.get("most"),
        holds=extra.get("people", ""),
    )


def _taken_apart(hint: Any) -> tuple[Any, list[Meta]]:
    """The plain type in a hint and every `Meta` on the way to it; an optional type is its type."""
    metas: list[Meta] = []
    while True:
        if get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            metas.extend(meta for meta in more if isinstance(meta, Meta))
        elif get_origin(hint) in (Union, UnionType):
            hint = next(arg for arg in get_args(hint) if arg is not type(None))
        else:
            return hint, metas


def _kind(base: Any, extra: dict[str, Any]) -> tuple[Kind, tuple[tuple[str, str], ...]]:
    if get_origin(base) is Literal:
        words = extra.get("choices", {})
        return "choice", tuple(
            (str(value), words.get(value, str(value))) for value in get_args(base)
        )
    if "people" in extra:
        return "people", ()
    if base is str and "choices" in extra:
        return "select", tuple(extra["choices"].items())
    if base is bool:
        return "switch", ()
    if base is int:
        return "number", ()
    return ("cards" if "pad" in extra else "text"), ()


def _as_words(name: str) -> str:
    return name.replace("_", " ").capitalize()
