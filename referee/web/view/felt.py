"""The cards of a question as shown on the felt: in groups, each card with a button to remove it."""

from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from referee.rules.cards.cards import SUIT_SIGNS
from referee.rules.core.ruling import Spread
from referee.rules.text import NOTHING, Text
from referee.web.forms.taps import TAKEN_OUT


class Held(Struct):
    """The cards in a field, and their caption; `left` are the places of those in no group yet."""

    field: str
    says: Text
    cards: Sequence[str]
    places: int = 0
    left: list[int] = []

    def __post_init__(self) -> None:
        self.left = [place for place, card in enumerate(self.cards) if card]

    def take(self, card: str) -> int | None:
        """Remove the first place with this card from `left`, and return it; None if not found."""
        found = next((place for place in self.left if _plain(self.cards[place]) == card), None)
        if found is not None:
            self.left.remove(found)
        return found


class OnFelt(Struct, frozen=True):
    """A card, and the value of the button that removes it, "" if it is in no field."""

    card: str
    back: str = ""


class Group(Struct, frozen=True):
    """Cards side by side, entered in the field `of` ("": in none).

    `right` and `wrong` are the places, from 0, of cards that decide; `free` is how many are empty.
    """

    cards: tuple[OnFelt, ...]
    says: Text = NOTHING
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    of: str = ""
    free: int = 0


def groups_on(spreads: Iterable[Spread], hands: Mapping[str, Held]) -> list[Group]:
    """A group for each of `spreads`, then one for each field with other cards or empty places."""
    groups = [_found(spread, hands) for spread in spreads]
    for held in hands.values():
        free = max(held.places - len(held.cards), 0)
        if held.left or free:
            cards = (OnFelt(held.cards[place], _back(held, place)) for place in held.left)
            groups.append(Group(tuple(cards), held.says, of=held.field, free=free))
    return groups


def _found(spread: Spread, hands: Mapping[str, Held]) -> Group:
    found = [(card, *_taken(_plain(card), spread.of, hands)) for card in spread.cards]
    cards = tuple(OnFelt(card, back) for card, _, back in found)
    of = next((field for _, field, _ in found if field), "")
    return Group(cards, spread.says, spread.right, spread.wrong, of)


def _taken(card: str, of: tuple[str, ...], hands: Mapping[str, Held]) -> tuple[str, str]:
    """The field with this card and the value of the button that removes it, or "" for both.

    The card is taken from each field in `of`, or without `of` from the first that has it.
    """
    field = back = ""
    for held in [hands[name] for name in of if name in hands] or hands.values():
        if field and not of:
            break
        place = held.take(card)
        if place is not None and not field:
            field, back = held.field, _back(held, place)
    return field, back


def _back(held: Held, place: int) -> str:
    return f"{held.field}:{TAKEN_OUT}{place}"


def _plain(card: str) -> str:
    """A card in our notation, however it was typed, without the card that it stands for."""
    text = card.upper().partition("=")[0]
    for sign, letter in SUIT_SIGNS.items():
        text = text.replace(sign, letter)
    return "A" + text[1:] if text.startswith("1") and not text.startswith("10") else text
