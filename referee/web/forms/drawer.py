"""The drawer of a question: what is asked for, place by place, each a tab with its panel.

A question about several people has a row a person on the page, and one text in the question.

Where turns are asked for, a row is a turn, and its name is whose it was; see `people_of`.

In an address, a file or a command such a field is `hands=Ann:Q 5;Ben:K A`, `folded=Ann,Ben` or
`dealer=Ann`. On the page it is a cell in each person's row: the name in `who.0`, and `hands.0`,
`folded.0` beside it; `dealer.row` is the row that is marked. Texts are spread into cells before
the page is drawn, and cells gathered into texts before the question is asked.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from referee.rules.core import named
from referee.rules.core.asking import CardKeys
from referee.rules.core.judge import Known
from referee.rules.core.ruling import Fault, MalformedEntry
from referee.rules.text import Text, say, typed
from referee.web.forms.decode import form_fault, read_number
from referee.web.forms.fields import Field
from referee.web.forms.taps import Form, row_number

ADD = "row"  # what the button `do` asks for
WHO = "who"
MAX_ROWS = 40  # more than any game seats, and than one pack has hands for

NOTHING_KNOWN: Known = {}
NO_CARD = "-"  # what stands in the cell of a turn in which nothing was laid

_PARTING = re.compile(r"[;:,\s]+")


class People(Struct, frozen=True):
    """The people that a question is about: `form` has a field a cell, `rows` says how many rows.

    `may_grow`: whether there may be another row; `beyond`: whether more are named than fit.
    """

    fields: tuple[Field, ...]
    form: Form
    rows: int
    may_grow: bool
    beyond: bool = False

    @property
    def anything(self) -> bool:
        """Whether anybody has anything yet."""
        return any(
            value.strip()
            for field in self.fields
            for name, value in self.form.items()
            if name.startswith(f"{field.name}.") and ":" not in name
        )

    @property
    def turns(self) -> bool:
        """Whether a row is a turn."""
        return any(field.holds == "turn" for field in self.fields)

    def name(self, row: int) -> str:
        """Whose row it is: the name typed there, or "Player 1" in the first."""
        typed = named.without_signs(self.form.get(f"{WHO}.{row}", ""))
        return typed or str(say("Player {n}", n=row + 1))

    def gathered(self) -> Form:
        """The form with each field as the text it is in a question.

        Raises `MalformedEntry` for every number that is none, naming the person.
        """
        after = Form(self.form)
        faults: list[Fault] = []
        if self.beyond:
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
        """What each person has, or why it cannot be read; nobody who has nothing."""
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
    form: Form,
    fields: Sequence[Field],
    players: Sequence[str],
    seats: range,
    known: Known = NOTHING_KNOWN,
) -> People | None:
    """The rows of people that `fields` ask for, or None where they ask for none.

    The rows are those of the form, with what its texts say, the `players` of a sheet, and what is
    `known` of them; there are at least as many as the game seats. `do=row` in the form asks for
    one more. Rows of turns are named clockwise, by the fields `seating` and `dealer` of the form,
    until somebody names them otherwise; there may be as many as fit.
    """
    asked = tuple(field for field in fields if field.kind == "people")
    if not asked:
        return None
    after = Form(form)
    turns = any(field.holds == "turn" for field in asked)
    names = _names(after, asked, () if turns else players)
    texts = {field: after.pop(field.name, "") for field in asked}
    for field, text in texts.items():
        _spread(after, field, text, names)
    clockwise = _clockwise(after) if turns else []
    least = len(clockwise) or len(players) or seats[0]
    most = MAX_ROWS if turns else least if players else seats[-1]
    rows = min(max(len(names), least), MAX_ROWS)
    if after.pop("do", "") == ADD and rows < most:
        rows += 1
    for row in range(rows):
        after.setdefault(f"{WHO}.{row}", names[row] if row < len(names) else "")
        if clockwise and not after[f"{WHO}.{row}"]:
            before = after.get(f"{WHO}.{row - 1}", clockwise[-1])
            after[f"{WHO}.{row}"] = _left_of(before, clockwise)
        for field in asked:
            told = known.get(field.name)
            if isinstance(told, Mapping) and names[row : row + 1] and names[row] in told:
                after.setdefault(f"{field.name}.{row}", told[names[row]])
            # Where points are counted up and down, counting begins at none.
            if field.least is not None and field.least < 0 and not texts[field]:
                after.setdefault(f"{field.name}.{row}", "0")
    return People(asked, after, rows, rows < most, len(names) > MAX_ROWS)


def _clockwise(form: Form) -> list[str]:
    """The players as they sit, from the dealer's left."""
    seating = named.names(form.get("seating", ""))
    dealer = form.get("dealer", "").strip()
    begins = seating.index(dealer) + 1 if dealer in seating else 0
    return [*seating[begins:], *seating[:begins]]


def _left_of(player: str, clockwise: Sequence[str]) -> str:
    """Who has the next turn; nobody who is known, after a player who is not."""
    if player not in clockwise:
        return ""
    return clockwise[(clockwise.index(player) + 1) % len(clockwise)]


def _names(form: Form, fields: Sequence[Field], players: Sequence[str]) -> list[str]:
    """A name a row, blank where there is none: the players', and what the form says instead."""
    names = list(players)
    for key in form:
        prefix, _, row = key.partition(".")
        if prefix in (WHO, *(field.name for field in fields)) and row.isdecimal():
            place = row_number(row)
            if not 0 <= place < MAX_ROWS:
                place = MAX_ROWS  # the first one that is too many
            names += [""] * (place + 1 - len(names))
            if prefix == WHO:
                names[place] = form[key].strip()
    return names


def _spread(form: Form, field: Field, text: str, names: list[str]) -> None:
    """Write a text into the cells of `field`, adding rows for those who have none to `names`."""
    told: set[int] = set()
    for name, value in _said(field, text):
        if len(names) > MAX_ROWS:
            return  # too many, which is said
        row = len(names)
        if field.holds != "turn":
            row = next(
                (at for at, other in enumerate(names) if name and other == name and at not in told),
                row,
            )
        if row == len(names):
            names.append(name)
        told.add(row)
        if field.holds == "dealer":
            form.setdefault(f"{field.name}.row", str(row))
        elif field.holds == "turn":
            form.setdefault(f"{field.name}.{row}", value or NO_CARD)
        else:
            form.setdefault(f"{field.name}.{row}", value)


def _said(field: Field, text: str) -> Iterator[tuple[str, str]]:
    """Names with what each has, as a text says it; a part without a name has a blank one."""
    text = text.strip()
    if field.holds == "dealer" and text:
        yield text, ""
    elif field.holds == "tick":
        for name in named.names(text):
            yield name, "on"
    elif field.holds != "dealer":
        yield from named.parts(text)


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
    """A place for all numbers, one for all cards that lie in one row, and one for each other."""
    numbers = tuple(field for field in asked if field.kind in ("number", "text"))
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
