"""How forms ask for a field: its words, its card keys, how its text is read; kept in its `Meta`."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Literal

from msgspec import Meta, Struct, inspect
from msgspec.structs import replace

from referee.rules.text import NOTHING, Text, typed

#: The keys of this metadata in `Meta.extra`. `READ` has a function that takes a text and the words
#: for its field, and returns a fault for everything in it that is no card (or suit).
ASKED, CARD_KEYS, PEOPLE, READ = "asked", "card keys", "people", "read"
RED_NINES = "red nines"  # the key of a `RedNines`
PLACES = "places"  # names of places in a square, to be ticked, numbered from 1
#: The titles of text types that are a player's name: on the sheet, or new on it.
PLAYER, NEW_PLAYER = "player", "new player"

#: What each person's row holds: cards, a number, a tick, or the mark of the dealer; or a row is a
#: turn with the cards laid in it, and the same person can have several.
InARow = Literal["cards", "turn", "number", "tick", "dealer"]


class Asked(Struct, frozen=True):
    """The words for a field, and how a form asks for it.

    `about` says what it settles (for a house rule, why it can differ), `hint` what to enter,
    `usual` what applies if it is left empty; `choices` are the words for its values. A number that
    may be negative has a `least`. `of` names the field for one {player} ("Ben’s tricks"), `wanted`
    says what may be entered, where its type does not, `stated` replaces the title where values are
    shown as sentences. A `moot` field changes no result, so no form need ask for it; one that is
    rarely needed is `aside`: under More.
    """

    title: Text
    about: Text = NOTHING
    hint: Text = NOTHING
    usual: Text = NOTHING
    choices: Mapping[str, Text] = {}
    least: int | None = None
    of: Text = NOTHING
    wanted: Text = NOTHING
    moot: bool = False
    stated: Text = NOTHING
    aside: bool = False

    def named(self, player: str) -> Text:
        """The words for the field, for one `player` if given."""
        one = player and self.of
        return replace(self.of, values=(("player", player),)) if one else self.title


def asked(title: Text, about: Text = NOTHING, **more: Any) -> Meta:
    """Metadata of a field: its words, and how forms ask for it (`more` are fields of `Asked`)."""
    return Meta(extra={ASKED: Asked(title, about, **more)})


class RedNines(Struct, frozen=True):
    """Red nines counted in a field of their own, but written with another number: “25 + 9♦”.

    That number is in `field`; each red nine adds `points` to it.
    """

    field: str
    points: int


class CardKeys(Struct, frozen=True):
    """The keys of a card pad.

    `ranks` have a key each; with `suits` (their letters) a suit is chosen first. `stands_for` adds
    a key that says what a red nine is laid as. `column` and `places` are numbers of cards, 0 for
    any.
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
        """The space they take up, in keys."""
        return len(self.ranks) + self.joker + self.red_nine + 4 * self.stands_for

    @property
    def behind_rank(self) -> str:
        """The letters that can follow a rank, "" where no suit is asked for."""
        return f"{self.suits}R" if self.suits or self.red_nine else ""

    @property
    def nine_suits(self) -> bool:
        """Whether R is the suit of rock on these keys, and not short for red."""
        return "R" in self.suits


class FieldType(Struct, frozen=True, eq=False):
    """One type that a value may have, with its `metadata` by the keys above.

    `plain` is the type without metadata, from `msgspec.inspect`. `held` are the types of a list's
    items, or of values by player, whose names have the types `keys`.
    """

    plain: Any
    title: str
    metadata: Mapping[str, Any]
    held: tuple["FieldType", ...] = ()
    keys: tuple["FieldType", ...] = ()

    @property
    def asked(self) -> Asked | None:
        """The words for the field, if it has any."""
        return self.metadata.get(ASKED)

    @property
    def is_player(self) -> bool:
        """Whether it is the name of a player on the sheet."""
        return self.title == PLAYER


@cache  # inspecting takes longer than reading
def fields_in(struct: type[Struct]) -> tuple[tuple[inspect.Field, tuple[FieldType, ...]], ...]:
    """The fields of a struct, each with the types that its value may have."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    return tuple((field, _types_of(field.type)) for field in info.fields)


def _types_of(wanted: inspect.Type) -> tuple[FieldType, ...]:
    """Split a type from its metadata; a union into its types, which share its metadata."""
    title, metadata = "", dict[str, Any]()
    if isinstance(wanted, inspect.Metadata):
        title = (wanted.extra_json_schema or {}).get("title", "")
        metadata = wanted.extra or {}
        wanted = wanted.type
    match wanted:
        case inspect.UnionType(types=several):
            kinds = (kind for one in several for kind in _types_of(one))
            return tuple(replace(kind, metadata={**metadata, **kind.metadata}) for kind in kinds)
        case inspect.DictType(key_type=key, value_type=value):
            return (FieldType(wanted, title, metadata, _types_of(value), _types_of(key)),)
        case inspect.ListType(item_type=item):
            return (FieldType(wanted, title, metadata, _types_of(item)),)
    return (FieldType(wanted, title, metadata),)


def words_of(field: inspect.Field, kinds: Sequence[FieldType], player: str = "") -> Text:
    """What a field is called where people are asked for it, for one `player` if given."""
    asked = kinds[0].asked
    return asked.named(player) if asked else typed(field.encode_name.replace("_", " "))
