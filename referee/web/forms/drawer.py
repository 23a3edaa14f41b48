"""The drawer of a question: its fields arranged in places, each a tab with its panel.

A field about several people has a row for each: the name is in the cell `who.0`, and `hands.0`,
`folded.0` are beside it; `dealer.row` is the number of the marked row. If turns are asked for, each
row is a turn, named after the player whose turn it was. The question itself has one text, as in
`hands=Ann:Q 5;Ben:K A`, `folded=Ann,Ben` or `dealer=Ann`: `People.gathered` writes it.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from referee.rules.core import named
from referee.rules.core.asking import CardKeys
from referee.rules.core.judge import Known
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.text import Text, say, typed
from referee.web.forms.decode import form_fault, read_number
from referee.web.forms.fields import Field
from referee.web.forms.taps import Form, row_number

ADD = "row"  # value of the button `do` that adds a row
WHO = "who"
MAX_ROWS = 40  # more than any game seats, and more hands than one pack has
FULL_PAD = 14  # keys: with the one that takes a card back, three rows of five
NO_CARD = "-"  # the cell of a turn in which no card was laid

_PARTING = re.compile(r"[;:,\s]+")


class People(Struct, frozen=True):
    """The people that a question is about: `form` has a field per cell, `rows` is their number.

    `may_grow`: whether a row can be added; `too_many`: whether more people are named than fit.
    """

    fields: tuple[Field, ...]
    form: Form
    rows: int
    may_grow: bool
    too_many: bool = False

    @property
    def is_filled_in(self) -> bool:
        """Whether any cell is filled in."""
        return any(
            value.strip()
            for field in self.fields
            for name, value in self.form.items()
            if name.startswith(f"{field.name}.") and ":" not in name
        )

    @property
    def turns(self) -> bool:
        """Whether rows are turns."""
        return any(field.holds == "turn" for field in self.fields)

    def name(self, row: int) -> str:
        """The name typed in this row, or else "Player 1" for the first, and so on."""
        typed = named.without_separators(self.form.get(f"{WHO}.{row}", ""))
        return typed or str(say("Player {n}", n=row + 1))

    def gathered(self) -> Form:
        """The form with each field's cells gathered into the question's text.

        Raises `MalformedEntry` with a fault for each invalid number, naming the person.
        """
        after = Form(self.form)
        faults: list[Fault] = []
        if self.too_many:
            says = say("Only {most} people fit on this page; you named more.", most=MAX_ROWS)
            if self.turns:
                says = say("Only {most} turns fit on this page; you have more.", most=MAX_ROWS)
            faults.append(form_fault("too-many-people", says))
        for field in self.fields:
            parts = list(self._parts(field))
            faults += [part for part in parts if isinstance(part, Fault)]
            written = [part for part in parts if isinstance(part, str)]
            after[field.name] = ("," if field.holds == "tick" else ";").join(written)
        if faults:
            raise MalformedEntry(faults)
        return after

    def _parts(self, field: Field) -> Iterator[str | Fault]:
        """The part of the text for each person with a filled-in cell, or its fault."""
        if field.holds == "dealer":
            marked = row_number(self.form.get(f"{field.name}.row", ""))
            if 0 <= marked < self.rows:
                yield self.name(marked)
            return
        for row in range(self.rows):
            cell, name = self.form.get(f"{field.name}.{row}", "").strip(), self.name(row)
            if not cell:
                continue
            if field.holds == "tick":
                yield name
            elif field.holds == "number":
                number = read_number(cell, typed(name))
                yield number if isinstance(number, Fault) else f"{name}:{number}"
            elif cell == NO_CARD:
                yield f"{name}:"
            else:
                yield f"{name}:{_PARTING.sub(' ', cell)}"


def people_of(
    form: Form, fields: Sequence[Field], players: Sequence[str], seats: range, known: Known
) -> People | None:
    """The rows of people that `fields` ask for, or None if they ask for none.

    The rows come from the form's cells, from the `players` of a sheet and what is `known` of them;
    there are at least as many as the game seats. `do=row` in the form adds one. Turns without a
    name are named clockwise, by the form's fields `seating` and `dealer`; there may be as many as
    fit.
    """
    asked = tuple(field for field in fields if field.kind == "people")
    if not asked:
        return None
    after = Form(form)
    turns = any(field.holds == "turn" for field in asked)
    names = _names(after, asked, () if turns else players)
    clockwise = _clockwise(after) if turns else []
    least = len(clockwise) or len(players) or seats[0]
    most = MAX_ROWS if turns else least if players else seats[-1]
    rows = min(max(len(names), least), MAX_ROWS)
    if after.pop("do", "") == ADD and rows < most:
        rows += 1
    for row in range(rows):
        name = names[row] if row < len(names) else ""
        if clockwise and not name:
            before = after.get(f"{WHO}.{row - 1}", clockwise[-1])
            left = [*clockwise[1:], clockwise[0]]
            name = left[clockwise.index(before)] if before in clockwise else ""
        after[f"{WHO}.{row}"] = name
        for field in asked:
            told = known.get(field.name)
            if isinstance(told, Mapping) and name in told:
                after.setdefault(f"{field.name}.{row}", told[name])
            elif field.holds == "dealer" and name and name == told:
                after.setdefault(f"{field.name}.row", str(row))
            # Points that may be negative start at 0.
            if field.least is not None and field.least < 0:
                after.setdefault(f"{field.name}.{row}", "0")
    return People(asked, after, rows, rows < most, len(names) > MAX_ROWS)


def _clockwise(form: Form) -> list[str]:
    """The players in seating order, starting at the dealer's left."""
    seating = named.names(form.get("seating", ""))
    dealer = form.get("dealer", "").strip()
    begins = seating.index(dealer) + 1 if dealer in seating else 0
    return [*seating[begins:], *seating[:begins]]


def _names(form: Form, fields: Sequence[Field], players: Sequence[str]) -> list[str]:
    """A name per row, "" if it has none: the players, overridden by the form's names."""
    names = list(players)
    for key in form:
        prefix, _, row = key.partition(".")
        if prefix in (WHO, *(field.name for field in fields)) and row.isdecimal():
            place = row_number(row)
            if not 0 <= place < MAX_ROWS:
                place = MAX_ROWS  # the first row beyond the limit
            names += [""] * (place + 1 - len(names))
            if prefix == WHO:
                names[place] = form[key].strip()
    return names


class Place(Struct, frozen=True):
    """A tab and the fields on its panel; tapped cards go into the fields named in `at`.

    `row` is the row of the person or turn that it is for, if there are several.
    """

    at: str
    tab: Text
    fields: tuple[Field, ...]
    row: int | None = None


class Drawer(Struct, frozen=True):
    """The fields of a question as its drawer shows them.

    One of the `places` is open. `above` the keys are the choices that apply to all places, `below`
    the yes-or-no fields; `aside` are rarely used fields, among them the house rules.
    """

    places: tuple[Place, ...]
    above: tuple[Field, ...]
    below: tuple[Field, ...]
    aside: tuple[Field, ...]

    @property
    def everything(self) -> tuple[Place, ...]:
        """All places; last, one for rarely used fields if there are any."""
        if not self.aside:
            return self.places
        at = next((field.name for field in self.aside if field.kind == "cards"), "aside")
        return (*self.places, Place(at, say("More"), self.aside))

    @property
    def in_one_row(self) -> list[str]:
        """The fields whose cards lie in one row, if there are several."""
        rows = (place.at.split() for place in self.places)
        return next((names for names in rows if len(names) > 1), [])

    @property
    def spots(self) -> list[Field]:
        """The fields whose places are ticked on the felt itself."""
        fields = (field for place in self.places for field in place.fields)
        return [field for field in fields if field.kind == "places"]

    @property
    def pad(self) -> CardKeys | None:
        """The card keys that all places share, None if no field is for cards."""
        pads = (field.pad for place in self.everything for field in place.fields)
        return next(filter(None, pads), None)

    @property
    def numbers(self) -> list[Field]:
        """The fields for numbers, which are tapped on digit keys."""
        fields = (field for place in self.everything for field in place.fields)
        return [field for field in fields if "number" in (field.kind, field.holds)]

    @property
    def has_minus(self) -> bool:
        """Whether one of the numbers can be negative."""
        return any(field.least is not None and field.least < 0 for field in self.numbers)

    @property
    def pad_is_full(self) -> bool:
        """Whether a key that an extra adds to the card pad would begin a row of its own."""
        return self.pad is not None and self.pad.keys == FULL_PAD

    def keys_at(self, at: str) -> Literal["cards", "digits", "none"]:
        """The docked keys that the place `at` needs."""
        place = next(place for place in self.everything if place.at == at)
        wanted = {name for field in place.fields for name in (field.kind, field.holds)}
        if wanted & {"cards", "turn"}:
            return "cards"
        return "digits" if "number" in wanted else "none"

    def opened(self, form: Form) -> str:
        """The open place: the row just added, the one named in the form, or the first."""
        places = [place.at for place in self.everything]
        rows = [place.at for place in self.places if place.row is not None]
        if rows and form.get("do") == ADD:
            return rows[-1]
        return form["at"] if form.get("at") in places else places[0]


def drawer_of(
    fields: Sequence[Field], house_rules: Collection[str], people: People | None, known: bool
) -> Drawer:
    """The drawer for these `fields`; house rules are left out if `known`, as on a sheet."""
    rules = [field for field in fields if field.name in house_rules]
    asked = [field for field in fields if field not in rules and not field.asked.aside]
    aside = [field for field in fields if field not in rules and field.asked.aside]
    rows: list[Place] = []
    if people is not None:
        name = people.fields[0].name
        rows = [
            Place(f"{name}.{row}", typed(people.name(row)), people.fields, row)
            for row in range(people.rows)
        ]
    return Drawer(
        (*rows, *_places(asked)),
        tuple(field for field in asked if field.kind in ("choice", "select")),
        tuple(field for field in asked if field.kind == "switch"),
        tuple(aside if known else (*aside, *rules)),
    )


def _places(asked: Iterable[Field]) -> Iterator[Place]:
    """One place for all numbers, one for all cards in one row, and one for each other field."""
    numbers = tuple(field for field in asked if field.kind in ("number", "text"))
    if numbers:
        yield Place(numbers[0].name, numbers[0].asked.title, numbers)
    in_one_row = tuple(
        field for field in asked if field.kind == "cards" and field.pad and field.pad.places
    )
    if in_one_row:
        names = " ".join(field.name for field in in_one_row)
        yield Place(names, in_one_row[0].asked.title, in_one_row)
    for field in asked:
        if field.kind in ("cards", "places") and field not in in_one_row:
            yield Place(field.name, field.asked.title, (field,))
