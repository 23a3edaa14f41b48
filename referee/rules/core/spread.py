"""Cards laid out beside a ruling, so that everybody sees what it speaks of."""

from collections.abc import Iterable

import msgspec

from referee.rules.text import NOTHING, Text


class Spread(msgspec.Struct, frozen=True):
    """Cards that belong together: a page draws them, the command line writes them.

    `says` is what they are or make ("8 + A = 9"). `right` and `wrong` are the places, from 0, of
    cards that decide: the one that wins a trick, the one that does not fit into a run. `upright`
    cards lie one below the other, as in a column of a grid. `of` names the fields of the question
    that they were asked about in, where the same card may stand in several.
    """

    cards: tuple[str, ...]
    says: Text = NOTHING
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    upright: bool = False
    of: tuple[str, ...] = ()

    def __str__(self) -> str:
        """One line of text, cards that decide in brackets: "KS [2H] 3S: the highest trump"."""
        decide = {*self.right, *self.wrong}
        cards = " ".join(
            f"[{card}]" if place in decide else card for place, card in enumerate(self.cards)
        )
        return f"{cards}: {self.says}" if self.says else cards


def with_cards(*spreads: Spread) -> tuple[Spread, ...]:
    """Those of the `spreads` that have any cards."""
    return tuple(one for one in spreads if one.cards)


def spread(cards: Iterable[object], says: Text = NOTHING, of: tuple[str, ...] = ()) -> Spread:
    """These cards as they are written, none of them marked."""
    return Spread(tuple(map(str, cards)), says, of=of)
