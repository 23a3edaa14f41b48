"""Reading plain JSON values into structs, whole, or with a fault for each unreadable field."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from threading import Lock
from typing import Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Struct, inspect

from referee.rules.core.asking import NEW_PLAYER, READ, Asked, FieldType, fields_in, words_of
from referee.rules.core.entries import SomeByPlayer, SomeOfAList
from referee.rules.core.ruling import Fault, MalformedEntry, shared_fault
from referee.rules.text import BEYOND_COUNTING, NOTHING, Text, listed, quoted, say, say_many, typed

T = TypeVar("T")

#: Returns the fault of naming this player in an entry; None for a player of the sheet.
NameFault = Callable[[str], Fault | None]

_OR_NOTHING = inspect.NoneType | inspect.AnyType  # null is a value of these
_UNREAD: Any = object()  # stands for a value that cannot be read
_NOT_AS_WRITTEN = say("This can’t be read as it is written.")

_KNOWN: set[type[Any]] = set()
_ONE_AT_A_TIME = Lock()


def inspected(into: type[T]) -> type[T]:
    """Return `into` once msgspec has inspected it; call this for any type read in threads.

    A thread that reads a type which another is inspecting for the first time crashes the process.
    """
    if into not in _KNOWN:
        with _ONE_AT_A_TIME:
            msgspec.json.Decoder(into)
        _KNOWN.add(into)
    return into


def decode(value: Any, into: type[T], what: str, *, strict: bool = True) -> T:
    """Read `value`, of plain JSON types, as `into`; raises `MalformedEntry` with all faults.

    `what` is read, such as "entry" or "sheet", is the section of `SHARED_SECTIONS` that they cite.
    """
    try:
        return msgspec.convert(value, inspected(into), strict=strict)
    except msgspec.ValidationError:
        reader = FieldReader(what, strict=strict)
        fields = reader.fields(value, into)
        if not reader.faults:
            reader.make(into, fields)
        raise MalformedEntry(reader.faults) from None


class Refused(Struct, frozen=True):
    """In place of a value that could not be read from a form; `fault` says why."""

    fault: Fault


class _Place(NamedTuple):
    """The place of a value: the words for it, the player it belongs to, what is expected."""

    words: Text = NOTHING
    player: str = ""
    wanted: Text = NOTHING

    @property
    def first(self) -> Text:
        """The words at the start of a sentence; a player's name stays as it is written."""
        return self.words if self.player else say("{words:C}", words=self.words)


_NOWHERE = _Place()


class FieldReader:
    """Reads a struct field by field and collects its faults.

    Unless `strict`, numbers and truth values may be text. With `name_fault`, players' names are
    checked as well. `bad_notation` says whether a text was no card.
    """

    def __init__(
        self, what: str, *, strict: bool = True, name_fault: NameFault | None = None
    ) -> None:
        self._what = what
        self._strict = strict
        self._name_fault = name_fault
        self._faults: list[Fault] = []
        self.bad_notation = False

    @property
    def faults(self) -> list[Fault]:
        """All faults, each once, in the order of the fields."""
        return list(dict.fromkeys(self._faults))

    def fields(self, value: Any, struct: Any) -> dict[str, Any]:
        """The readable fields of `struct` by name, with defaults for those left out."""
        if not isinstance(value, Mapping):
            self._refuse(say("Write this as fields with names, in braces."))
            return {}
        return dict(self._fields(value, struct, _NOWHERE))

    def make(
        self, struct: Callable[..., Any], fields: Mapping[str, Any], place: _Place = _NOWHERE
    ) -> Any:
        """Make a struct of `fields`; if it raises `ValueError`, that becomes a fault."""
        try:
            return struct(**fields)
        except ValueError as error:
            reason = error.args[0] if error.args else None
            why = reason if isinstance(reason, Text) else _NOT_AS_WRITTEN
            named = say("{place}: {why}", place=place.first, why=why)
            return self._refuse(named if place.words else why)

    def _refuse(self, says: Text) -> Any:
        self._faults.append(shared_fault(f"unreadable-{self._what}", says, self._what))
        return _UNREAD

    def _fields(
        self, value: Mapping[Any, Any], struct: type[Struct], place: _Place
    ) -> Iterator[tuple[str, Any]]:
        fields, config = fields_in(struct), struct.__struct_config__
        names = {field.encode_name for field, _ in fields} | {config.tag_field}
        for name in value if config.forbid_unknown_fields else ():
            if name not in names:
                self._refuse(_unknown_field(quoted(str(name)), place.words))
        for field, kinds in fields:
            words = words_of(field, kinds, place.player)
            given = value.get(field.encode_name, _UNREAD)
            may_be_null = any(isinstance(kind.plain, _OR_NOTHING) for kind in kinds)
            if given is None and field.required and not may_be_null:
                given = _UNREAD
            if given is not _UNREAD:
                read = self._value(given, kinds, _Place(words, place.player))
                if read is not _UNREAD:
                    yield field.name, read
            elif field.required:
                code = "field-missing" if self._what == "entry" else f"unreadable-{self._what}"
                self._faults.append(shared_fault(code, _missing(words), self._what).lacking("more"))
            elif field.default_factory is not msgspec.NODEFAULT:
                yield field.name, field.default_factory()
            else:
                yield field.name, field.default

    def _value(self, given: Any, kinds: Iterable[FieldType], place: _Place) -> Any:
        """Read a value as the first of these types whose form it has; `_UNREAD` if as none."""
        if isinstance(given, Refused):
            self._faults.append(given.fault)
            return _UNREAD
        for kind in kinds:
            value = _formed(given, kind.plain, self._strict)
            if value is not _UNREAD:
                return self._inside(value, kind, place)
        some = (kind for kind in kinds if not isinstance(kind.plain, inspect.NoneType))
        any_of = listed(dict.fromkeys(map(_in_words, some)), "or")
        return self._refuse(_not_wanted(place, place.wanted or say("{kinds}", kinds=any_of), given))

    def _inside(self, given: Any, kind: FieldType, place: _Place) -> Any:  # noqa: PLR0911 - a line a type
        """Read the content of a value that has the form of its type."""
        match kind.plain:
            case inspect.IntType(ge=int(least)) if given < least:
                words = say("a number of at least {n}", n=least)
                return self._refuse(_not_wanted(place, words, given))
            case inspect.IntType(le=int(most)) if given > most:
                words = say("a number of at most {n}", n=most)
                return self._refuse(_not_wanted(place, words, given))
            case inspect.StrType(max_length=most) | inspect.ListType(max_length=most) if (
                most is not None and len(given) > most
            ):
                return self._refuse(_too_long(place.first, given, most))
            case inspect.StrType(pattern=str(pattern)) if not re.search(pattern, given):
                says = say("{place}: {why}", place=place.first, why=_NOT_AS_WRITTEN)
                return self._refuse(says)
            case inspect.StrType():
                return self._text(given, kind, place)
            case inspect.StructType(cls=struct):
                before = len(self._faults)
                fields = dict(self._fields(given, struct, place))
                wrong = len(self._faults) > before
                return _UNREAD if wrong else self.make(struct, fields, place)
            case inspect.DictType():
                return self._by_player(given, kind, place)
            case inspect.ListType():
                values = [self._value(each, kind.held, place) for each in given]
                read = [each for each in values if each is not _UNREAD]
                return read if len(read) == len(given) else SomeOfAList(read)
        return given

    def _by_player(self, given: Mapping[Any, Any], kind: FieldType, place: _Place) -> Any:
        asked = kind.asked or Asked(place.words)
        read, unread = {}, []
        for name, held in given.items():
            player = quoted(str(name)) if kind.keys[0].is_player else ""
            at = _Place(asked.named(player), player, asked.wanted)
            named = self._value(name, kind.keys, place) is not _UNREAD
            value = self._value(held, kind.held, at)
            if named and value is not _UNREAD:
                read[name] = value
            else:
                unread.append(str(name))
        return SomeByPlayer(read, unread) if unread else read

    def _text(self, given: str, kind: FieldType, place: _Place) -> Any:
        if kind.is_player and self._name_fault and (fault := self._name_fault(given)):
            self._faults.append(fault)
            return _UNREAD
        found = list(kind.metadata[READ](given, place.words)) if READ in kind.metadata else []
        self._faults += found
        self.bad_notation = self.bad_notation or bool(found)
        return _UNREAD if found else given


_PLAIN: Mapping[type, Any] = {
    inspect.NoneType: None,
    inspect.IntType: int,
    inspect.BoolType: bool,
    inspect.StrType: str,
}


def _formed(given: Any, wanted: inspect.Type, strict: bool) -> Any:
    """`given` if it has the outer form of the `wanted` type, else `_UNREAD`."""
    match wanted:
        case inspect.StructType(tag=str(tag), tag_field=str(field)):
            return given if isinstance(given, Mapping) and given.get(field) == tag else _UNREAD
        case inspect.StructType() | inspect.DictType():
            return given if isinstance(given, Mapping) else _UNREAD
        case inspect.ListType():
            return given if isinstance(given, list | tuple) else _UNREAD
        case inspect.LiteralType(values=values):
            plain: Any = Literal[tuple(values)]
        case _:
            plain = _PLAIN.get(type(wanted), Any)
    try:
        return msgspec.convert(given, plain, strict=strict)
    except msgspec.ValidationError:
        return _UNREAD


# --- in words


def _is_question(words: Text) -> bool:
    return words.template.endswith("?")


def _missing(field: Text) -> Text:
    if _is_question(field):
        return say("Still missing: {field}", field=field)
    return say("Still missing: {field}.", field=field)


def _unknown_field(name: str, place: Text) -> Text:
    if place:
        return say("“{field}” doesn’t belong in {place}. Leave it out.", field=name, place=place)
    return say("“{field}” doesn’t belong here. Leave it out.", field=name)


def _not_wanted(place: _Place, wanted: Text, value: Any) -> Text:
    """A sentence asking for what is `wanted` instead of `value`, which is quoted where possible."""
    words, given = place.first, _quoted(value)
    if _is_question(place.words):
        if given:
            return say(
                "{asked} Enter {wanted}, not {given}.", asked=words, wanted=wanted, given=given
            )
        return say("{asked} Enter {wanted}.", asked=words, wanted=wanted)
    if given:
        return say("{place}: enter {wanted}, not {given}.", place=words, wanted=wanted, given=given)
    return say("{place}: enter {wanted}.", place=words, wanted=wanted)


def _too_long(place: Text, given: str | list[Any], most: int) -> Text:
    if isinstance(given, str):
        return say_many(
            "{place}: write at most {n} character, not {given}.",
            "{place}: write at most {n} characters, not {given}.",
            n=most,
            place=place,
            given=len(given),
        )
    many = len(given)
    return say("{place}: enter {most} at most, not {given}.", place=place, most=most, given=many)


def _quoted(given: Any) -> Text:
    """The given value in quotes or as a number; `NOTHING` if it is nested or too large."""
    if isinstance(given, str):
        return say("“{text}”", text=quoted(given)) if given else NOTHING
    if isinstance(given, bool):
        return say("“true”") if given else say("“false”")
    if isinstance(given, int):
        return say("{number}", number=given) if abs(given) < BEYOND_COUNTING else NOTHING
    return typed(f"{given:.6g}") if isinstance(given, float) else NOTHING


_TYPES: Mapping[type, Text] = {
    inspect.IntType: say("a whole number"),
    inspect.BoolType: say("true or false"),
    inspect.DictType: say("each player’s, by name"),
    inspect.ListType: say("a list"),
    inspect.StructType: say("fields with names, in braces"),
}


def _in_words(kind: FieldType) -> Text:
    if kind.asked and kind.asked.wanted and not isinstance(kind.plain, inspect.DictType):
        return kind.asked.wanted
    if kind.is_player or kind.title == NEW_PLAYER:
        return say("a player’s name")
    if READ in kind.metadata:
        return say("cards in one line, separated by spaces")
    if isinstance(kind.plain, inspect.LiteralType):
        choices = [say("“{choice}”", choice=str(each)) for each in kind.plain.values if each != ""]
        return say("{choices}", choices=listed(choices, "or"))
    return _TYPES.get(type(kind.plain), say("text"))
