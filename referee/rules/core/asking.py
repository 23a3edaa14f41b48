"""What stands beside the type of a field: its words, the keys of its card pad, how it is read.

House rules, entries and the judges' questions are structs; these values stand in the `Meta` of
their fields, so that a page can ask for a new game's fields without knowing the game.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cache
from typing import Any, Literal, NamedTuple, ParamSpec

from msgspec import Meta, Struct, inspect

from referee.rules.core.ruling import Fault
from referee.rules.text import NOTHING, Text, typed

#: The keys of `Meta.extra` under which these values stand.
ASKED, CARD_KEYS, PEOPLE, READ = "asked", "pad", "people", "read"
RED_NINES = "red nines"  # `RedNines`: in which other number of a hand they are written
PLACES = "places"  # the names of places, of which any may be ticked, numbered from 1 in a square
#: The titles of texts that are the name of a player: of the sheet, or new on it.
PLAYER, NEW_PLAYER = "player", "new player"

#: What stands under `READ`: everything in a text that is no card (or suit), as faults that say in
#: whose cards, or in what else, it stands.
FaultsInText = Callable[[str, Text], Iterable[Fault]]

#: What a row a person holds: somebody's cards, a number, a tick, or the mark of the dealer. A row
#: may also be a turn, with the cards laid in it: then the same person can have several.
InARow = Literal["cards", "turn", "number", "tick", "dealer"]


class Asked(Struct, frozen=True):
    """A field in words.

    `about` says what it settles, of a house rule why it can differ, and `hint` what to enter;
    `usual` what it comes to where it is left empty; `choices` are the words for its values. A
    number to be counted up and down has a `least` and a `most`. `of` names what a field holds for
    one player ("Ben’s tricks"), and `wanted` says what can stand in it, where its type does not.
    `stated` is its title where its values are told in words of their own.
    A field that is `moot` changes no result: files may hold it, but no form need ask for it. What
    is rarely asked for stands `aside`, out of the way of the rest.
    """

    title: Text
    about: Text = NOTHING
    hint: Text = NOTHING
    usual: Text = NOTHING
    choices: Mapping[str, Text] = {}
    least: int | None = None
    most: int | None = None
    of: Callable[[str], Text] | None = None
    wanted: Text = NOTHING
    moot: bool = False
    stated: Text = NOTHING
    aside: bool = False

    def named(self, player: str) -> Text:
        """The field in words, that of a `player` where one is named."""
        return self.of(player) if player and self.of else self.title


P = ParamSpec("P")


def _beside(key: str, made: Callable[P, object]) -> Callable[P, Meta]:
    """A function that puts under `key`, beside the type of a field, what `made` makes."""

    def meta(*values: P.args, **named: P.kwargs) -> Meta:
        return Meta(extra={key: made(*values, **named)})

    return meta


asked = _beside(ASKED, Asked)


def called(title: Text, of: Callable[[str], Text] | None = None, *, wanted: Text = NOTHING) -> Meta:
    """The words for a field of an entry, as a fault begins with them: see `Asked`."""
    return asked(title, of=of, wanted=wanted)


class RedNines(Struct, frozen=True):
    """Red nines that are counted by themselves, and written in another number: “25 + 9♦”.

    That is the number in `field`, to which each of them adds `points`.
    """

    field: str
    points: int


red_nines_in = _beside(RED_NINES, RedNines)


class CardKeys(Struct, frozen=True):
    """The keys of a card pad.

    `ranks` have a key each; where `suits` (their letters) are asked for, one is chosen first.
    `joker` and `red_nine` add a key for these, `stands_for` one that says what a red nine is
    laid as. Cards lie in columns of `column` where that is not 0, and there are as many `places`
    for them as that says, or as many as anybody likes.
    """

    ranks: tuple[str, ...]
    suits: str = ""
    joker: bool = False
    red_nine: bool = False
    stands_for: bool = False
    column: int = 0
    places: int = 0

    @property
    def keys(self) -> int:
        """As many keys as they take up."""
        return len(self.ranks) + self.joker + self.red_nine + 4 * self.stands_for

    @property
    def nine_suits(self) -> bool:
        """Whether an R is the suit of rock here, and does not mean red."""
        return "R" in self.suits


class FieldType(NamedTuple):
    """A type that a value may have, and what stands `beside` it under the keys above."""

    plain: Any  # a type as `msgspec.inspect` has it
    title: str
    beside: Mapping[str, Any]

    @property
    def asked(self) -> Asked | None:
        """The field in words."""
        return self.beside.get(ASKED)

    @property
    def is_player(self) -> bool:
        """Whether it is the name of a player of the sheet."""
        return self.title == PLAYER


def types_of(wanted: inspect.Type) -> list[FieldType]:
    """A type, or each of several of which any will do; `beside` them is what all of them share."""
    title, beside = "", dict[str, Any]()
    if isinstance(wanted, inspect.Metadata):
        title = (wanted.extra_json_schema or {}).get("title", "")
        beside = wanted.extra or {}
        wanted = wanted.type
    if not isinstance(wanted, inspect.UnionType):
        return [FieldType(wanted, title, beside)]
    several = (kind for one in wanted.types for kind in types_of(one))
    return [kind._replace(beside={**beside, **kind.beside}) for kind in several]


@cache  # finding out takes longer than reading
def struct_of(struct: Hashable) -> inspect.StructType:
    """The fields of a struct, with their types."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return info


def words_of(field: inspect.Field, player: str = "") -> Text:
    """What a field is called where people are asked for it, that of a `player` if it has one."""
    asked = types_of(field.type)[0].asked
    return asked.named(player) if asked else typed(field.encode_name.replace("_", " "))
