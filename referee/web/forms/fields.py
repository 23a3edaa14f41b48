"""The fields of a form, derived from the struct that it fills in.

House rules and the judges' questions are structs; their fields' types and `Meta` (title,
description, choices, card pad) determine the controls, so that a new game needs no new form.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct, inspect

from referee.rules.core.asking import (
    CARD_KEYS,
    PEOPLE,
    PLACES,
    Asked,
    CardKeys,
    FieldType,
    InARow,
    fields_in,
)
from referee.rules.core.table import Options
from referee.rules.text import Text, number, say, typed
from referee.web.forms.decode import as_sent

Kind = Literal["cards", "number", "choice", "select", "switch", "text", "people", "places"]


class Field(Struct, frozen=True):
    """A field of a form; `asked` has its words.

    A house rule shows its `hint` beside the control, and what it is `about` behind a button.

    A field of kind "people" has a row for each person; `holds` is the content of a row: "cards",
    "turn", "number", "tick" or "dealer". In one of kind "places", any of the `places` can be
    ticked.
    """

    name: str
    kind: Kind
    asked: Asked
    default: Any
    required: bool
    pad: CardKeys | None = None
    choices: tuple[tuple[str, Text], ...] = ()
    least: int | None = None
    holds: InARow | None = None
    places: tuple[Text, ...] = ()


class Also(Struct, frozen=True):
    """A second answer in the same tap as a name ("on a red nine"): a yes-or-no field of the entry.

    `said` is the sentence for both answers, with {name} for the player, as in `WhoField`. `own` is
    the question to that player.
    """

    name: str
    words: str
    said: str
    own: str = ""


class WhoField(Struct, frozen=True):
    """The question who did something, in a form that records an entry, and its answer in words.

    At first the `chosen` name is checked, and so are those `named`, which other fields imply;
    `among` are the players who can be chosen, None for all. A tapped name shows `mark`, and if a
    tap records it, each shows its `effect`. `keeps`: the named player still has a hand to
    enter, so don't jump to the next question; `may_keep`: it depends on another answer. `own` is
    the question to the player themselves.
    """

    name: str
    legend: str
    said: str
    also: Also | None = None
    kind: Literal["radio", "checkbox"] = "radio"
    mark: str = ""
    chosen: str | None = ""
    among: Sequence[str] | None = None
    named: Sequence[str] = ()
    keeps: bool = False
    may_keep: bool = False
    effect: str = ""
    own: str = ""


class NumberField(Struct, frozen=True):
    """A number in a form that records an entry.

    `keys` are "whole" for one tap a number, from `least` to `most`, or "digits" for any number;
    after this many `digits` the next one goes to the next hand. Up to `red_nines` can be added, as
    in "25 + 9♦". A form for winnings and losses gives them the `sign` 1 and -1; `posted` is what a
    player who did not win has lost already. `small` is shown below the label, which is `own` on the
    phone of the player.
    """

    name: str
    label: str
    keys: Literal["whole", "digits"] = "digits"
    least: int = 0
    most: int | None = None
    digits: int = 0
    red_nines: int = 0
    sign: int = 0
    posted: int = 0
    negative: bool = False
    small: str | Text = ""
    look: str = ""
    own: str = ""


class OwnPart(Struct, frozen=True):
    """The part of a game's form that one `player` fills in: their own hand in `deal`.

    `calls`: this player ended the deal and says how; `call_at`: where they can claim it. `over` is
    what the form notes about its end, "" before that: afterwards no last turns can begin. `left` is
    what all others leave of a number whose sum is fixed, if that is known. `for_other`: a
    scorekeeper fills it in for them. `red_nine_gone`: somebody went out on one, so nobody holds it.
    `shared`: it is one of several players on this phone.
    """

    player: str
    seat: int
    deal: int
    calls: bool = False
    call_at: str = ""
    over: str = ""
    left: int | None = None
    for_other: bool = False
    red_nine_gone: bool = False
    shared: bool = False

    @property
    def you(self) -> bool:
        """Whether the phone is this player’s alone, so that sentences say “you”."""
        return not (self.for_other or self.shared)


def fields_of(struct: type[Struct]) -> list[Field]:
    """The fields of `struct` in its order, but required fields first."""
    found = []
    for info, kinds in fields_in(struct):
        wanted = next(kind for kind in kinds if not isinstance(kind.plain, inspect.NoneType))
        found.append(_field(info, wanted))
    return sorted(found, key=lambda field: not field.required)


def asked_for(fields: list[Field], form: Mapping[str, str]) -> list[Field]:
    """The fields to show in a form; moot ones only if they differ from their default."""
    return [
        field
        for field in fields
        if not field.asked.moot or form.get(field.name, "") not in ("", as_sent(field.default))
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
        if field.asked.moot and value == field.default:
            continue
        found.append(
            Described(field.asked.stated or field.asked.title, _value_in_words(field, value))
        )
    return found


def _value_in_words(field: Field, value: Any) -> Text | str:
    if value is None:
        return field.asked.usual
    if isinstance(value, bool):
        return say("yes") if value else say("no")
    if isinstance(value, int) and not field.choices:
        return number(value)
    return value if isinstance(value, Text) else dict(field.choices).get(str(value), str(value))


def _field(info: inspect.Field, wanted: FieldType) -> Field:
    asked = wanted.asked or Asked(typed(info.name.replace("_", " ").capitalize()))
    kind: Kind = "text"
    values: tuple[Any, ...] = tuple(asked.choices)
    least = asked.least
    match wanted.plain:
        case inspect.LiteralType(values=literal):
            kind = "choice"
            values += tuple(value for value in literal if value not in values)
        case _ if PEOPLE in wanted.metadata or PLACES in wanted.metadata:
            kind = "people" if PEOPLE in wanted.metadata else "places"
        case inspect.StrType() if values:
            kind = "select"
        case inspect.BoolType():
            kind = "switch"
        case inspect.IntType(ge=fewest):
            kind, least = "number", least if fewest is None else fewest
        case _ if CARD_KEYS in wanted.metadata:
            kind = "cards"
    return Field(
        name=info.name,
        kind=kind,
        asked=asked,
        default=None if info.required else info.default,
        required=info.required,
        pad=wanted.metadata.get(CARD_KEYS),
        choices=tuple(
            (str(value), asked.choices.get(value, typed(str(value)))) for value in values
        ),
        least=least,
        holds=wanted.metadata.get(PEOPLE),
        places=wanted.metadata.get(PLACES, ()),
    )
