"""What a deal brought each player, and of what: the one account of it that everything shows.

The score pad, what stands above the button before a deal is recorded, paper and spreadsheet take
a player's figure and the words beside it from the same lines.
"""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from referee.rules.core.table import Line
from referee.rules.text import NOTHING, Sum, Text, say


class Part(Struct, frozen=True, gc=False):
    """An amount that a figure is made of: how it comes about (or nothing), what it is called."""

    points: int
    worked: Text | Sum = NOTHING
    called: Text = NOTHING

    def written(self, *, taken_off: bool = False) -> Text:
        """The amount without its sign, and what it is called: "(2 + 2) × 2", "9 staked"."""
        amount: Text | Sum | str | int = self.worked or abs(self.points)
        if taken_off and isinstance(self.worked, Sum):
            amount = self.worked.as_factor
        if not self.called:
            return say("{amount}", amount=amount)
        return say("{amount} {what}", amount=amount, what=self.called)

    @property
    def is_worked(self) -> bool:
        """Whether it says more than a bare number."""
        return self.worked.is_worked if isinstance(self.worked, Sum) else bool(self.worked)


class Cell(Struct, frozen=True, gc=False):
    """What a row of the pad brought a player: the `parts` that add up to it, and words beside."""

    parts: tuple[Part, ...] = ()
    notes: tuple[Text, ...] = ()

    @property
    def points(self) -> int:
        """The figure, in points, counters or chips."""
        return sum(part.points for part in self.parts)

    @property
    def arithmetic(self) -> Text:
        """How the figure comes about, if it takes any arithmetic: "3 cards × 2 + 9 staked".

        Where all is paid, it stands without minus signs: the figure has one.
        """
        if len(self.parts) < 2 and not any(part.is_worked for part in self.parts):
            return NOTHING
        gains = [part for part in self.parts if part.points > 0]
        costs = [part for part in self.parts if part.points < 0]
        first, *others = gains or costs
        written = first.written()
        for part in others:
            written = say("{first} + {second}", first=written, second=part.written())
        for part in costs if gains else ():
            written = say("{first} − {second}", first=written, second=part.written(taken_off=True))
        return written

    @property
    def small(self) -> Text:
        """What stands in small below the figure: "out: 8 − 9 staked", "11 for 9"."""
        made_of, called = self.arithmetic, [part for part in self.parts if part.called]
        if called and not made_of:  # alone it need not repeat the figure
            in_full = self.notes or called[0].worked
            made_of = called[0].written() if in_full else called[0].called
        if not self.notes:
            return made_of
        words, *others = self.notes
        for other in others:
            words = say("{first}, {second}", first=words, second=other)
        return say("{words}: {sum}", words=words, sum=made_of) if made_of else words


def cells_of(lines: Iterable[Line], seated: Sequence[str] = ()) -> dict[str, Cell]:
    """The cells of these lines by name: of all `seated`, and of whomever else they concern.

    Amounts that are called alike are one part; what comes to nothing is none.
    """
    parts: dict[str, dict[object, Part]] = {player: {} for player in seated}
    notes: dict[str, list[Text]] = {}
    for line in lines:
        if not line.points and (words := _words_of(line)):
            notes.setdefault(line.player, []).append(words)
        for player, points in line.gains:
            part = Part(points, line.worked, line.short)
            if player != line.player:  # who is paid need not be told for what
                part = Part(points)
            _add(parts.setdefault(player, {}), part)
    found = {
        player: Cell(
            tuple(part for part in made_of.values() if part.points), tuple(notes.get(player, ()))
        )
        for player, made_of in parts.items()
    }
    return {name: cell for name, cell in found.items() if name in seated or cell != _EMPTY}


def _words_of(line: Line) -> Text:
    """What a line of no points says on the pad."""
    return line.short or (NOTHING if isinstance(line.worked, Sum) else line.worked)


def _add(parts: dict[object, Part], part: Part) -> None:
    alike: object = len(parts) if part.worked else part.called
    before = parts.get(alike)
    points = part.points + (before.points if before else 0)
    parts[alike] = Part(points, part.worked, part.called)


_EMPTY = Cell()
