"""Reading a struct field by field: whatever can be read, and a fault for all that cannot.

Faults name fields in the words that stand beside their types (`asking`), and the player whose they
are. This is slower than reading a struct as a whole, and done only where that has failed.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct, inspect

from referee.rules.core.asking import ASKED, NEW_PLAYER, PLAYER, READ, Asked, FaultsInText
from referee.rules.core.partly_read import SomeByPlayer, SomeOfAList
from referee.rules.core.ruling import Fault, shared_fault
from referee.rules.core.unreadable import (
    SHOWN,
    beyond,
    missing,
    no_choice,
    no_fields,
    not_wanted,
    one_of,
    too_long,
    too_many,
    unknown_field,
    wanted_in_words,
)
from referee.rules.text import NOTHING, Text, say, typed

What = Literal["entry", "question", "options", "sheet"]

#: Why somebody cannot be named in an entry, or None for a player of the sheet.
Stranger = Callable[[str], Fault | None]

_UNREAD: Any = object()  # instead of a value that cannot be read


class Refused(Struct, frozen=True):
    """Stands for a value that a form could not make out; `fault` says why."""

    fault: Fault


class _Place(NamedTuple):
    """Where a value stands: the words for it, the player whose it is, and what is wanted there."""

    words: Text = NOTHING
    player: str = ""
    wanted: Text = NOTHING

    @property
    def first(self) -> Text:
        """The words as a sentence begins with them; a name stays as it is written."""
        return self.words if self.player else say("{words:C}", words=self.words)


class _Beside(Struct):
    """What stands beside a type: its words, what it is, how its text is read."""

    asked: Asked | None = None
    title: str = ""
    read: FaultsInText | None = None


class FieldReader:
    """Reads a struct and collects what is wrong with it.

    Where it is not `strict`, numbers and truth values may be text. With `stranger`, players are
    looked up as well. `bad_notation` says whether a text was no card.
    """

    def __init__(
        self, what: What, *, strict: bool = True, stranger: Stranger | None = None
    ) -> None:
        self._what = what
        self._strict = strict
        self._stranger = stranger
        self._faults: list[Fault] = []
        self.bad_notation = False

    @property
    def faults(self) -> list[Fault]:
        """Everything that is wrong, each once, in the order of the fields."""
        return list(dict.fromkeys(self._faults))

    def fields(self, value: Any, struct: Any) -> dict[str, Any]:
        """The fields of `struct` that could be read, those left out with their defaults."""
        if not isinstance(value, Mapping):
            self._refuse(no_fields())
            return {}
        return dict(self._fields(value, _struct_info(struct), _Place()))

    def _refuse(self, says: Text, code: str = "") -> Any:
        self._faults.append(shared_fault(code or f"unreadable-{self._what}", says, self._what))
        return _UNREAD

    def _fields(
        self, value: Mapping[Any, Any], wanted: inspect.StructType, place: _Place
    ) -> Iterator[tuple[str, Any]]:
        """Each field of the struct in this `place` with its value, where that can be read."""
        known = {field.encode_name for field in wanted.fields} | {wanted.tag_field}
        for name in value:
            if wanted.forbid_unknown_fields and name not in known:
                self._refuse(unknown_field(name, place.words))
        for field in wanted.fields:
            words = words_of(field, place.player)
            if field.encode_name in value and not _left_out(value[field.encode_name], field):
                at = _Place(words, place.player)
                read = self._value(value[field.encode_name], field.type, at)
                if read is not _UNREAD:
                    yield field.name, read
            elif field.required:
                self._refuse(missing(words), "field-missing" if self._what == "entry" else "")
            else:
                yield field.name, _default(field)

    def _value(  # noqa: PLR0911 - a line a type
        self, given: Any, wanted: inspect.Type, place: _Place
    ) -> Any:
        """One value as the type that is wanted there, or `_UNREAD`."""
        if isinstance(given, Refused):
            self._faults.append(given.fault)
            return _UNREAD
        plain, beside = _taken_apart(wanted)
        if isinstance(plain, inspect.UnionType):
            return self._one_of(given, plain, place)
        if not _fits(given, plain, self._strict):
            return self._refuse(not_wanted(place.first, _wanted(plain, beside, place), given))
        match plain:
            case inspect.StructType():
                return self._struct(given, plain, place)
            case inspect.DictType():
                return self._by_player(given, plain, beside, place)
            case inspect.ListType():
                return self._list(given, plain, place)
            case inspect.LiteralType(values=values):
                if any(given == value or self._as_text(given, value) for value in values):
                    return given
                return self._refuse(no_choice(place.first, values, given))
            case inspect.IntType():
                says = beyond(place.first, plain, msgspec.convert(given, int, strict=False))
                return self._refuse(says) if says else given
            case inspect.StrType():
                return self._text(given, plain, beside, place)
            case _:
                return given

    def _as_text(self, given: Any, value: Any) -> bool:
        return not self._strict and str(given).strip() == str(value)

    def _one_of(self, given: Any, wanted: inspect.UnionType, place: _Place) -> Any:
        """A value of one of several types: the one that it looks like."""
        types = [each for each in wanted.types if not isinstance(each, inspect.NoneType)]
        if given is None and len(types) < len(wanted.types):
            return None
        fitting = [each for each in types if _fits(given, _taken_apart(each)[0], self._strict)]
        if fitting or len(types) == 1:
            return self._value(given, (fitting or types)[0], place)
        if isinstance(given, Refused):
            return self._value(given, types[0], place)
        plain = [_taken_apart(each)[0] for each in types]
        return self._refuse(not_wanted(place.first, place.wanted or one_of(plain), given))

    def _struct(self, given: Mapping[Any, Any], wanted: inspect.StructType, place: _Place) -> Any:
        before = len(self._faults)
        fields = dict(self._fields(given, wanted, place))
        if len(self._faults) > before:
            return _UNREAD
        try:
            return wanted.cls(**fields)
        except ValueError as error:  # a sentence, for values that don't go together
            return self._refuse(say("{place}: {why}", place=place.first, why=error.args[0]))

    def _by_player(
        self, given: Mapping[Any, Any], wanted: inspect.DictType, beside: _Beside, place: _Place
    ) -> Any:
        names_player = _taken_apart(wanted.key_type)[1].title == PLAYER
        asked = beside.asked or Asked(place.words)
        read, unread = {}, []
        for name, held in given.items():
            player = str(name)[:SHOWN] if names_player else ""
            at = _Place(asked.named(player), player, asked.wanted)
            known = self._value(name, wanted.key_type, place) is not _UNREAD
            value = self._value(held, wanted.value_type, at)
            if known and value is not _UNREAD:
                read[name] = value
            else:
                unread.append(str(name))
        return SomeByPlayer(read, unread) if unread else read

    def _list(self, given: list[Any], wanted: inspect.ListType, place: _Place) -> Any:
        if wanted.max_length is not None and len(given) > wanted.max_length:
            return self._refuse(too_many(place.first, wanted.max_length, len(given)))
        inside = place._replace(wanted=NOTHING)
        values = [self._value(each, wanted.item_type, inside) for each in given]
        read = [each for each in values if each is not _UNREAD]
        return read if len(read) == len(given) else SomeOfAList(read)

    def _text(self, given: str, wanted: inspect.StrType, beside: _Beside, place: _Place) -> Any:
        if wanted.max_length is not None and len(given) > wanted.max_length:
            return self._refuse(too_long(place.first, wanted.max_length, len(given)))
        if beside.title == PLAYER and self._stranger and (fault := self._stranger(given)):
            self._faults.append(fault)
            return _UNREAD
        found = list(beside.read(given, place.words)) if beside.read else []
        self._faults += found
        self.bad_notation = self.bad_notation or bool(found)
        return _UNREAD if found else given


@cache  # finding out takes longer than reading
def _struct_info(struct: Any) -> inspect.StructType:
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info


def words_of(field: inspect.Field, player: str = "") -> Text:
    """What a field is called where people are asked for it, that of a `player` if it has one."""
    asked = _taken_apart(field.type)[1].asked
    return asked.named(player) if asked else typed(field.encode_name.replace("_", " "))


def _taken_apart(wanted: inspect.Type) -> tuple[inspect.Type, _Beside]:
    """A type without what stands beside it, and that."""
    beside = _Beside()
    while isinstance(wanted, inspect.Metadata):
        extra = wanted.extra or {}
        beside.asked = beside.asked or extra.get(ASKED)
        beside.read = beside.read or extra.get(READ)
        beside.title = beside.title or (wanted.extra_json_schema or {}).get("title", "")
        wanted = wanted.type
    return wanted, beside


def _left_out(given: Any, field: inspect.Field) -> bool:
    """Whether nothing is given for a field that needs something: then it is missing."""
    if given is not None or not field.required:
        return False
    plain, _ = _taken_apart(field.type)
    types = plain.types if isinstance(plain, inspect.UnionType) else (plain,)
    return not any(isinstance(each, inspect.NoneType | inspect.AnyType) for each in types)


def _default(field: inspect.Field) -> Any:
    if field.default_factory is not msgspec.NODEFAULT:
        return field.default_factory()
    return field.default


def _wanted(plain: inspect.Type, beside: _Beside, place: _Place) -> Text:
    """What is wanted of a value in this place, in words."""
    if place.wanted:
        return place.wanted
    if beside.asked and beside.asked.wanted and not isinstance(plain, inspect.DictType):
        return beside.asked.wanted
    if beside.title in (PLAYER, NEW_PLAYER):
        return say("a player’s name")
    if beside.read:
        return say("cards in one line, separated by spaces")
    return wanted_in_words(plain)


#: What a value has to be for each type, to be looked at more closely then.
_FORMS: Mapping[type[inspect.Type], Any] = {
    inspect.StructType: Mapping,
    inspect.DictType: Mapping,
    inspect.ListType: list | tuple,
    inspect.LiteralType: str | int,
    inspect.NoneType: type(None),
}
_PLAIN: Mapping[type[inspect.Type], type] = {
    inspect.IntType: int,
    inspect.BoolType: bool,
    inspect.FloatType: float,
    inspect.StrType: str,
}


def _fits(given: Any, wanted: inspect.Type, strict: bool) -> bool:
    """Whether a value has the form of a type, whatever stands in it."""
    form = _FORMS.get(type(wanted))
    if form is not None:
        return isinstance(given, form) and not isinstance(given, bool)
    plain = _PLAIN.get(type(wanted))
    if plain is None:
        return True
    try:
        msgspec.convert(given, plain, strict=strict)
    except msgspec.ValidationError:
        return False
    return True
