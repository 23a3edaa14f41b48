"""A model of the number keys: what each tap should do, for comparison with the drawer."""

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec import Struct, convert, field

RED_NINE = "9♦"


class Pad(Struct, frozen=True):
    """The number keys of a game, and the players asked for a number, in seating order.

    `full`: most digits of a number. `red_nines`: most red nines in one. `sum_to`: the sum of all
    numbers, from which the last one is filled in.
    """

    asked: tuple[str, ...]
    keys: tuple[str, ...]
    whole: bool = False
    full: int = 0
    red_nines: int = 0
    sum_to: int | None = None


def pad_of(asked: dict[str, Any]) -> Pad:
    """The number keys of a game, as its cases describe them."""
    of_keys = {name: asked[name] for name in Pad.__struct_fields__ if name in asked}
    return convert({**of_keys, "keys": asked["keys"].split()}, Pad)


class Number(Struct):
    """A number being typed, as the parts of a sum; the last is empty after a plus.

    `chosen`: it was there when its field was opened, and the next digit replaces it.
    """

    parts: list[str] = field(default_factory=list)
    chosen: bool = False
    filled: bool = False

    @property
    def text(self) -> str:
        return " + ".join(self.parts)

    @property
    def plain(self) -> int:
        """The sum of its parts without the red nines."""
        return sum(int(part) for part in self.parts if part not in ("", RED_NINE))

    @property
    def red_nines(self) -> int:
        return self.parts.count(RED_NINE)

    def digit(self, digit: str) -> None:
        """Append a digit, or begin a new number with it."""
        if self.chosen:
            self.parts = []
        if self.parts and self.parts[-1] != RED_NINE:
            self.parts[-1] += digit
        else:
            self.parts.append(digit)

    def whole(self, number: str) -> None:
        """Set this number, keeping the red nines."""
        if self.chosen:
            self.parts = []
        plain = [place for place, part in enumerate(self.parts) if part != RED_NINE]
        if plain:
            self.parts[plain[0]] = number
        else:
            self.parts.append(number)

    def red_nine(self) -> None:
        """Append a red nine."""
        self.parts = [part for part in self.parts if part] + [RED_NINE]

    def plus(self) -> None:
        """Append a plus, unless there is nothing to add to."""
        if self.parts and self.parts[-1]:
            self.parts.append("")

    def take_back(self, *, whole: bool) -> None:
        """Undo the last tap; clear the number if it was chosen and not changed yet."""
        if self.chosen:
            self.parts = []
        elif self.parts:
            last = self.parts.pop()
            if not whole and last not in ("", RED_NINE) and (len(last) > 1 or self.parts):
                self.parts.append(last[:-1])


class Person:
    """A person who taps the numbers of all players, and knows whose turn it is."""

    def __init__(self, pad: Pad) -> None:
        self.pad = pad
        self.numbers = {player: Number() for player in pad.asked}
        self.at = pad.asked[0]
        self.left = ""  # the player before, while the current number is empty
        self.jumped = False  # True if the pad moved on automatically
        self.arrived = False  # just now, so that Next is taken to mean this very step

    @property
    def number(self) -> Number:
        return self.numbers[self.at]

    @property
    def rest(self) -> list[str]:
        """The players without a number, in order after the current one."""
        place = self.pad.asked.index(self.at)
        others = [*self.pad.asked[place + 1 :], *self.pad.asked[:place]]
        return [player for player in others if not self.numbers[player].parts]

    def moves(self, random: Random, taps: int) -> Iterator[str]:
        """Yield random keys and tabs; each is applied to the model before the next is drawn."""
        for _ in range(taps):
            others = [*self.pad.asked] + ["Next"] * 2 * bool(self.rest)
            move = random.choice([*self.pad.keys, *self.pad.keys, *others])
            yield move
            self.tap(move)

    def tap(self, move: str) -> None:
        """Apply a tap: a key of the pad, “Next”, or a player's name (a tab)."""
        before, arrived, self.arrived = self.at, self.arrived, False
        if move == "Next" and arrived:
            return
        if move in self.numbers or move == "Next":
            self._turn_to(self.rest[0] if move == "Next" else move)
            self.left, self.jumped = before if move == "Next" else "", False
            return
        back = self.left if not self.number.parts else ""
        if back and (move == "+" or (move == "⌫" and self.jumped)):
            self._turn_to(back)
            self.number.chosen = False
        self._key(move)

    def _key(self, key: str) -> None:
        if key == "⌫":
            self.number.take_back(whole=self.pad.whole)
        elif key == "+":
            self.number.plus()
        elif key == RED_NINE:
            if self.number.red_nines == self.pad.red_nines:
                return
            self.number.red_nine()
        elif self.pad.whole:
            self.number.whole(key)
        elif self._is_full():
            if not self.rest:
                return
            self._turn_to(self.rest[0])
            self.number.digit(key)
        else:
            self.number.digit(key)
        self.number.chosen, self.left = False, ""
        self._fill_up()
        if self.pad.whole and not self.pad.red_nines and key != "⌫" and self.rest:
            self.left, self.jumped, self.arrived = self.at, True, True
            self._turn_to(self.rest[0])

    def _is_full(self) -> bool:
        number = self.number
        alone = not number.chosen and len(number.parts) == 1
        return bool(self.pad.full) and alone and len(number.parts[0]) >= self.pad.full

    def _turn_to(self, player: str) -> None:
        self.at = player
        self.number.chosen = bool(self.number.parts)

    def _fill_up(self) -> None:
        if self.pad.sum_to is None:
            return
        self.number.filled = False
        free = [n for n in self.numbers.values() if not n.parts or n.filled]
        if len(free) == 1 and free[0] is not self.number:
            rest = self.pad.sum_to - sum(n.plain for n in self.numbers.values() if n is not free[0])
            free[0].parts, free[0].filled = [str(rest)] if rest >= 0 else [], True
