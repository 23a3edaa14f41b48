"""The fields of a form, derived from the struct that it fills in.

House rules and the judges' questions are structs; their fields' types and `Meta` (title,
description, choices, card pad) determine the controls, so that a new game needs no new form.
"""

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Meta, Struct

from referee.rules.core.asking import ASKED, CARD_KEYS, PEOPLE, PLACES, Asked, CardKeys, InARow
from referee.rules.core.table import Options
from referee.rules.text import NOTHING, Text, number, say, typed

Kind = Literal["cards", "number", "choice", "select", "switch", "text", "people", "places"]


class Field(Struct, frozen=True):
    """One field of a form; `usual` is the default in words, if it is computed.

    A house rule shows its `hint` beside the control, its `description` behind a button.

    A field of kind "people" has a row per person; `holds` is what a row holds: "cards", "turn",
    "number", "tick" or "dealer". In one of kind "places", any of the `places` can be ticked. One
    that is `moot` changes no result; one that is `aside` is rarely used.
    """

    name: str
    kind: Kind
    label: Text
    description: Text
    default: Any
    required: bool
    hint: Text = NOTHING
    usual: Text = NOTHING
    pad: CardKeys | None = None
    choices: tuple[tuple[str, Text], ...] = ()
    least: int | None = None
    most: int | None = None
    holds: InARow | None = None
    places: tuple[Text, ...] = ()
    moot: bool = False
    stated: Text = NOTHING
    aside: bool = False


def fields_of(struct: type[Struct]) -> list[Field]:
    """The fields of `struct` in its order, but required fields first."""
    hints = get_type_hints(struct, include_extras=True)
    found = [_field(info, hints[info.name]) for info in msgspec.structs.fields(struct)]
    return sorted(found, key=lambda field: not field.required)


def asked_for(fields: list[Field], form: Mapping[str, str]) -> list[Field]:
    """The fields to show in a form; moot ones only if they differ from their default."""
    return [
        field
        for field in fields
        if not field.moot or form.get(field.name, "") not in ("", str(field.default).lower())
    ]


class Described(Struct, frozen=True):
    """The label and the value of a field, in words."""

    label: Text
    value: Text | str


def described(options: Options, players: int) -> list[Described]:
    """House rules in words; computed defaults are shown with their value for `players`."""
    found = []
    worked_out = options.in_words(players)
    for field in fields_of(type(options)):
        value = worked_out.get(field.name, getattr(options, field.name))
        if field.moot and value == field.default:
            continue
        found.append(Described(field.stated or field.label, _value_in_words(field, value)))
    return found


def _value_in_words(field: Field, value: Any) -> Text | str:
    if value is None:
        return field.usual
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, int) and not field.choices:
        return number(value)
    return value if isinstance(value, Text) else dict(field.choices).get(str(value), str(value))


def _field(info: msgspec.structs.FieldInfo, hint: Any) -> Field:
    base, metas = _taken_apart(hint)
    extra = {key: value for meta in metas for key, value in (meta.extra or {}).items()}
    asked: Asked = extra.get(ASKED) or Asked(typed(info.name.replace("_", " ").capitalize()))
    least = next((meta.ge for meta in metas if isinstance(meta.ge, int)), asked.least)
    return Field(
        name=info.name,
        kind=_kind(base, asked, extra),
        label=asked.title,
        description=asked.about,
        default=None if info.required else info.default,
        required=info.required,
        hint=asked.hint,
        usual=asked.usual,
        pad=extra.get(CARD_KEYS),
        choices=_choices(base, asked),
        least=least,
        most=asked.most,
        holds=extra.get(PEOPLE),
        places=extra.get(PLACES, ()),
        moot=asked.moot,
        stated=asked.stated,
        aside=asked.aside,
    )


def _taken_apart(hint: Any) -> tuple[Any, list[Meta]]:
    """The plain type in a hint, without `Annotated` and `None`, and every `Meta` in it."""
    metas: list[Meta] = []
    while True:
        if get_origin(hint) is Annotated:
            hint, *more = get_args(hint)
            metas.extend(meta for meta in more if isinstance(meta, Meta))
        elif get_origin(hint) in (Union, UnionType):
            hint = next(arg for arg in get_args(hint) if arg is not type(None))
        else:
            return hint, metas


def _kind(base: Any, asked: Asked, extra: dict[str, Any]) -> Kind:
    if get_origin(base) is Literal:
        return "choice"
    if PEOPLE in extra or PLACES in extra:
        return "people" if PEOPLE in extra else "places"
    if base is str and asked.choices:
        return "select"
    if base is bool:
        return "switch"
    if base is int:
        return "number"
    return "cards" if CARD_KEYS in extra else "text"


def _choices(base: Any, asked: Asked) -> tuple[tuple[str, Text], ...]:
    values = get_args(base) if get_origin(base) is Literal else asked.choices
    return tuple((str(value), asked.choices.get(value, typed(str(value)))) for value in values)
