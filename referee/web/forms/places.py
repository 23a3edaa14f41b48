"""The drawer of a question: what is asked for, place by place, each a tab with its panel."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from msgspec import Struct

from referee.rules.core.asking import CardKeys
from referee.rules.text import Text, say, typed
from referee.web.forms.decode import Form
from referee.web.forms.fields import Field
from referee.web.forms.people import ADD, People

TYPED = ("number", "text")


class Place(Struct, frozen=True):
    """A tab and what its panel asks for; cards that are tapped go into the fields named `at`.

    `row` is whose it is, or which turn, where that is asked of several.
    """

    at: str
    tab: Text
    fields: tuple[Field, ...]
    row: int | None = None


class Drawer(Struct, frozen=True):
    """What a question asks for, in the order of its drawer.

    Of the `places` one is open. `above` the keys stand the choices that hold for all of them,
    `below` the answers of yes or no. `aside` is asked rarely, the house rules among it.
    """

    places: tuple[Place, ...]
    above: tuple[Field, ...]
    below: tuple[Field, ...]
    aside: tuple[Field, ...]

    @property
    def everything(self) -> tuple[Place, ...]:
        """All places, the one for what is asked rarely last, where there is any."""
        if not self.aside:
            return self.places
        at = next((field.name for field in self.aside if field.kind == "cards"), "aside")
        return (*self.places, Place(at, say("More"), self.aside))

    @property
    def in_one_row(self) -> list[str]:
        """The fields whose cards lie side by side, where there are several such."""
        rows = (place.at.split() for place in self.places)
        return next((names for names in rows if len(names) > 1), [])

    @property
    def pad(self) -> CardKeys | None:
        """The card keys that all places share, None where no cards are asked for."""
        pads = (field.pad for place in self.everything for field in place.fields)
        return next(filter(None, pads), None)

    @property
    def numbers(self) -> list[Field]:
        """The fields for which digits are tapped."""
        fields = (field for place in self.everything for field in place.fields)
        return [field for field in fields if "number" in (field.kind, field.holds)]

    def opened(self, form: Form) -> str:
        """The place that is open: the new row, the one that the form says, or the first."""
        places = [place.at for place in self.everything]
        if form.get("do") == ADD:
            return [place.at for place in self.places if place.row is not None][-1]
        return form["at"] if form.get("at") in places else places[0]


def drawer_of(
    fields: Sequence[Field], house_rules: Collection[str], people: People | None, known: bool
) -> Drawer:
    """The drawer for these `fields`; `known` are the house rules and the seats, at a sheet."""
    rules = [field for field in fields if field.name in house_rules]
    asked = [field for field in fields if field not in rules and not field.aside]
    aside = [field for field in fields if field not in rules and field.aside]
    choices = [field for field in asked if field.kind in ("choice", "select")]
    return Drawer(
        (*_of_people(people), *_places(asked)),
        tuple(choices),
        tuple(field for field in asked if field.kind == "switch"),
        tuple(aside if known else (*aside, *rules)),
    )


def _of_people(people: People | None) -> Iterator[Place]:
    if people is None:
        return
    first = people.fields[0]
    for row in range(people.rows):
        yield Place(f"{first.name}.{row}", typed(people.name(row)), people.fields, row)


def _places(asked: Iterable[Field]) -> Iterator[Place]:
    """A place for all numbers, one for all cards that lie in one row, and one for each other."""
    numbers = tuple(field for field in asked if field.kind in TYPED)
    if numbers:
        yield Place(numbers[0].name, numbers[0].label, numbers)
    in_one_row = tuple(
        field for field in asked if field.kind == "cards" and field.pad and field.pad.places
    )
    if in_one_row:
        names = " ".join(field.name for field in in_one_row)
        yield Place(names, in_one_row[0].label, in_one_row)
    for field in asked:
        if field.kind in ("cards", "places") and field not in in_one_row:
            yield Place(field.name, field.label, (field,))
