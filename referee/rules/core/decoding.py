"""Reading values of plain JSON types into structs, and saying what cannot be read.

A struct is read as a whole. Only where that fails it is read again field by field (`FieldReader`),
for everything that is wrong with it, and for the fields that can be read all the same.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, inspect

from referee.rules.core.asking import ASKED, NEW_PLAYER, PLAYER, READ, Asked, FaultsInText
from referee.rules.core.half_read import SomeByPlayer, SomeOfAList
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.core.unreadable import (
    SHOWN,
    beyond_limits,
    in_words,
    missing,
    not_wanted,
    one_of,
    unknown_field,
)
from referee.rules.text import NOTHING, Text, say, typed

T = TypeVar("T")
What = Literal["entry", "question", "options", "sheet"]

#: Why somebody cannot be named in an entry, or None for a player of the sheet.
Stranger = Callable[[str], Fault | None]

_UNREAD: Any = object()  # instead of a value that cannot be read

_KNOWN: set[type[Any]] = set()
_ONE_AT_A_TIME = Lock()


def known(into: type[T]) -> type[T]:
    """`into`, once msgspec has all that it needs to know of it: for any type read in threads.

    It looks into a type when that is first read. Another thread that reads the same type meanwhile
    finds half of it, and the process dies of that.
    """
    if into not in _KNOWN:
        with _ONE_AT_A_TIME:
            msgspec.json.Decoder(into)
        _KNOWN.add(into)
    return into


def decode(value: Any, into: type[T], what: What, *, strict: bool = True) -> T:
    """`value`, made of plain JSON types, as the type `into`; raises `MalformedEntry`.

    `what` is being read: the section of the rules that a fault names.
    """
    try:
        return msgspec.convert(value, known(into), strict=strict)
    except msgspec.ValidationError as error:
        reader = FieldReader(what, strict=strict)
        reader.fields(value, into)
        raise MalformedEntry(reader.faults or [_refused_whole(error, what)]) from None


def _refused_whole(error: msgspec.ValidationError, what: What) -> Fault:
    """Why values that can be read one by one were refused: they don't go together.

    The struct raised a `ValueError` of a text, in which the decoder has wrapped its own.
    """
    cause = error.__cause__
    said = cause.args[0] if isinstance(cause, ValueError) and cause.args else None
    says = said if isinstance(said, Text) else say("This can’t be read as it is written.")
    return shared_fault(f"unreadable-{what}", says, what)


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


class _Kind(NamedTuple):
    """A type apart from what stands beside it: its words, its title, how its text is read."""

    plain: inspect.Type
    asked: Asked | None = None
    title: str = ""
    read: FaultsInText | None = None

    @property
    def wanted(self) -> Text:
        """What can stand where this type is wanted."""
        if self.asked and self.asked.wanted and not isinstance(self.plain, inspect.DictType):
            return self.asked.wanted
        if self.title in (PLAYER, NEW_PLAYER):
            return say("a player’s name")
        if self.read:
            return say("cards in one line, separated by spaces")
        return in_words(self.plain)


class FieldReader:
    """Reads a struct field by field and collects what is wrong with it.

    Faults name a field in the words beside its type (`asking`), and the player whose it is. Where
    it is not `strict`, numbers and truth values may be text. With `stranger`, players are looked up
    as well. `bad_notation` says whether a text was no card.
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
            self._refuse(say("Write this as fields with names, in braces."))
            return {}
        return dict(self._fields(value, _struct_info(struct), _Place()))

    def _refuse(self, says: Text) -> Any:
        self._faults.append(shared_fault(f"unreadable-{self._what}", says, self._what))
        return _UNREAD

    def _missing(self, field: Text) -> None:
        code = "field-missing" if self._what == "entry" else f"unreadable-{self._what}"
        self._faults.append(shared_fault(code, missing(field), self._what).lacking("more"))

    def _fields(
        self, value: Mapping[Any, Any], wanted: inspect.StructType, place: _Place
    ) -> Iterator[tuple[str, Any]]:
        """Each field of the struct in this `place` with its value, where that can be read."""
        names = {field.encode_name for field in wanted.fields} | {wanted.tag_field}
        for name in value:
            if wanted.forbid_unknown_fields and name not in names:
                self._refuse(unknown_field(name, place.words))
        for field in wanted.fields:
            words, given = words_of(field, place.player), value.get(field.encode_name, _UNREAD)
            if given is not _UNREAD and not _left_out(given, field):
                read = self._value(given, field.type, _Place(words, place.player))
                if read is not _UNREAD:
                    yield field.name, read
            elif field.required:
                self._missing(words)
            elif field.default_factory is not msgspec.NODEFAULT:
                yield field.name, field.default_factory()
            else:
                yield field.name, field.default

    def _value(self, given: Any, wanted: inspect.Type, place: _Place) -> Any:
        """One value as the type that is wanted there, or `_UNREAD`.

        Of several types it is read as the first whose form it has.
        """
        if isinstance(given, Refused):
            self._faults.append(given.fault)
            return _UNREAD
        kinds = _kinds(wanted)
        for kind in kinds:
            value = _formed(given, kind.plain, self._strict)
            if value is not _UNREAD:
                return self._inside(value, kind, place)
        kinds = [kind for kind in kinds if not isinstance(kind.plain, inspect.NoneType)]
        words = kinds[0].wanted if len(kinds) == 1 else one_of(kind.plain for kind in kinds)
        return self._refuse(not_wanted(place.first, place.wanted or words, given))

    def _inside(self, given: Any, kind: _Kind, place: _Place) -> Any:
        """A value that has the form of its type, where what stands in it can be read."""
        if says := beyond_limits(place.first, kind.plain, given):
            return self._refuse(says)
        match kind.plain:
            case inspect.StructType() as struct:
                return self._struct(given, struct, place)
            case inspect.DictType() as by_player:
                return self._by_player(given, by_player, kind.asked or Asked(place.words), place)
            case inspect.ListType() as several:
                inside = place._replace(wanted=NOTHING)
                values = [self._value(each, several.item_type, inside) for each in given]
                read = [each for each in values if each is not _UNREAD]
                return read if len(read) == len(given) else SomeOfAList(read)
            case inspect.StrType():
                return self._text(given, kind, place)
        return given

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
        self, given: Mapping[Any, Any], wanted: inspect.DictType, asked: Asked, place: _Place
    ) -> Any:
        names_player = _kinds(wanted.key_type)[0].title == PLAYER
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

    def _text(self, given: str, kind: _Kind, place: _Place) -> Any:
        if kind.title == PLAYER and self._stranger and (fault := self._stranger(given)):
            self._faults.append(fault)
            return _UNREAD
        found = list(kind.read(given, place.words)) if kind.read else []
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
    asked = _apart(field.type).asked
    return asked.named(player) if asked else typed(field.encode_name.replace("_", " "))


def _apart(wanted: inspect.Type) -> _Kind:
    """A type and what stands beside it, the outermost first."""
    asked, title, read = None, "", None
    while isinstance(wanted, inspect.Metadata):
        extra = wanted.extra or {}
        asked, read = asked or extra.get(ASKED), read or extra.get(READ)
        title = title or (wanted.extra_json_schema or {}).get("title", "")
        wanted = wanted.type
    return _Kind(wanted, asked, title, read)


def _kinds(wanted: inspect.Type) -> list[_Kind]:
    """The type, or each of several of which any will do."""
    kind = _apart(wanted)
    if isinstance(kind.plain, inspect.UnionType):
        return [_apart(one) for one in kind.plain.types]
    return [kind]


def _left_out(given: Any, field: inspect.Field) -> bool:
    """Whether nothing is given for a field that needs something: then it is missing."""
    if given is not None or not field.required:
        return False
    plain = (kind.plain for kind in _kinds(field.type))
    return not any(isinstance(each, inspect.NoneType | inspect.AnyType) for each in plain)


#: What a value is for each type, whatever stands in it.
_FORMS: Mapping[type[inspect.Type], Any] = {
    inspect.StructType: Mapping,
    inspect.DictType: Mapping,
    inspect.ListType: list | tuple,
    inspect.NoneType: type(None),
}
_PLAIN: Mapping[type[inspect.Type], type] = {
    inspect.IntType: int,
    inspect.BoolType: bool,
    inspect.FloatType: float,
    inspect.StrType: str,
}


def _formed(given: Any, wanted: inspect.Type, strict: bool) -> Any:
    """`given` in the form of a type, whatever stands in it; `_UNREAD` where it has another."""
    if isinstance(wanted, inspect.LiteralType):
        plain = isinstance(given, str | int) and not isinstance(given, bool)
        as_text = not strict and str(given).strip() in map(str, wanted.values)
        return given if plain and (given in wanted.values or as_text) else _UNREAD
    if form := _FORMS.get(type(wanted)):
        return given if isinstance(given, form) else _UNREAD
    try:
        return msgspec.convert(given, _PLAIN.get(type(wanted), Any), strict=strict)
    except msgspec.ValidationError:
        return _UNREAD
