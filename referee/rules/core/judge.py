"""Judges, which answer questions without a sheet; and the cards they lay out."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

from referee.rules.core.asking import asked
from referee.rules.core.decoding import decode
from referee.rules.core.ruling import Fault, Ruling, shared_fault
from referee.rules.core.table import Deal, Table
from referee.rules.text import NOTHING, Text, say, say_many

Q = TypeVar("Q", bound=msgspec.Struct)

#: Fields of a question by name, as text; if asked for each player, as text by player.
Known = Mapping[str, str | Mapping[str, str]]


class Spread(msgspec.Struct, frozen=True):
    """Cards that belong together: a page draws them, the command line writes them.

    `says` is what they are or make ("8 + A = 9"). `right` and `wrong` are the places, from 0, of
    cards that decide: the one that wins a trick, the one that does not fit into a run. `upright`
    cards form a column, as in a grid. `of` names the fields of the question that the cards were
    entered in, where the same card may be in several.
    """

    cards: tuple[str, ...]
    says: Text = NOTHING
    right: tuple[int, ...] = ()
    wrong: tuple[int, ...] = ()
    upright: bool = False
    of: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The cards in one line, those that decide in brackets: "KS [2H] 3S: the highest trump"."""
        decide = {*self.right, *self.wrong}
        cards = " ".join(
            f"[{card}]" if place in decide else card for place, card in enumerate(self.cards)
        )
        return f"{cards}: {self.says}" if self.says else cards


def with_cards(*spreads: Spread) -> tuple[Spread, ...]:
    """The `spreads` that have any cards."""
    return tuple(one for one in spreads if one.cards)


def spread(cards: Iterable[object], says: Text = NOTHING, of: tuple[str, ...] = ()) -> Spread:
    """A spread of these cards, none of them marked."""
    return Spread(tuple(map(str, cards)), says, of=of)


class Advice(msgspec.Struct, frozen=True):
    """What would be right instead of an illegal play: a sentence, and the cards it names."""

    says: Text
    spreads: tuple[Spread, ...] = ()


class Judge(msgspec.Struct, Generic[Q], frozen=True):
    """A question that a game answers without a sheet.

    `title` asks it in words, `question` is the struct of its fields, `rule` answers it. `cards`
    lays out the cards of the answer, so that its sentences need not name them, and `heading` says
    what these are and what they make, a few words each. `advice` may say what would be better than
    an illegal play; it may take longer than a ruling. `yes_or_no` is false for a question that is
    answered by a finding, not by "legal"; `drawn` is true if a page draws the detail, so that only
    the first sentence need be shown. `section` is the section of the game's rules that the answer
    rests on.
    """

    name: str
    title: Text
    question: type[Q]
    rule: Callable[[Q], Ruling]
    cards: Callable[[Q], tuple[Spread, ...]] | None = None
    heading: Callable[[Q], tuple[Text, Text]] | None = None
    advice: Callable[[Q], Advice | None] | None = None
    yes_or_no: bool = True
    drawn: bool = False
    section: str = "deal"

    def answer(self, fields: Mapping[str, Any]) -> Ruling:
        """Rule on `fields`; numbers and truth values may be text.

        Raises `MalformedEntry` for fields that cannot be read, `NotationError` for text that is
        no card.
        """
        return self.rule(self._asked(fields))

    def lay_out(self, fields: Mapping[str, Any]) -> tuple[Spread, ...]:
        """The cards of the answer to these fields; raises as `answer` does."""
        return () if self.cards is None else self.cards(self._asked(fields))

    def head(self, fields: Mapping[str, Any]) -> tuple[Text, Text]:
        """The heading over these cards: what they are, and what they make."""
        return (NOTHING, NOTHING) if self.heading is None else self.heading(self._asked(fields))

    def advise(self, fields: Mapping[str, Any]) -> Advice | None:
        """What would be right instead, for fields that were ruled illegal; None if unknown."""
        return None if self.advice is None else self.advice(self._asked(fields))

    def _asked(self, fields: Mapping[str, Any]) -> Q:
        return decode(fields, self.question, "question", strict=False)


if TYPE_CHECKING:
    from referee.rules.core.game import AnyGame

_PLAYERS = Annotated[int, Meta(ge=1, le=99), asked(say("Players"))]
_DEAL = Annotated[int, Meta(ge=1, le=9999), asked(say("Deal number"))]


def deal_judge(game: "AnyGame") -> Judge[Any]:
    """The judge of what to deal in `game`, for a number of players, a deal and house rules.

    It asks for a number, not for names: the deal is the same for all players.
    """
    question_fields = msgspec.defstruct(
        "DealQuestion",
        [("players", _PLAYERS), ("deal", _DEAL, 1)],
        bases=(game.house_rules,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )

    def rule(question: Any) -> Ruling:
        names = tuple(f"Player {number}" for number in range(1, question.players + 1))
        dealer = (question.deal - 1) % question.players
        table = Table(names, dealer, question)
        faults = [*game.table_faults(table), *_beyond_the_last(game, table, question.deal)]
        if faults:
            return Ruling(tuple(faults))
        plan = game.plan(table, question.deal, dealer)
        detail = {"each": plan.each, "table": plan.table, "deck": plan.deck}
        return Ruling((), detail, (_in_words(plan),))

    return Judge("deal", say("What do we deal?"), question_fields, rule, yes_or_no=False)


def _beyond_the_last(game: "AnyGame", table: Table[Any], deal: int) -> Iterator[Fault]:
    last = game.deals.last(table)
    if last is not None and deal > last:
        says = say_many(
            "With one player the game is over after deal {last}.",
            "With {n} players the game is over after deal {last}.",
            n=len(table.players),
            last=last,
        )
        yield shared_fault("deal-number", says, "end")


def _in_words(plan: Deal) -> Text:
    if not plan.deck:
        return say("Deal as your game says.")
    if not plan.table:
        return say_many(
            "{n} card each, none left. {deck} in all.",
            "{n} cards each, none left. {deck} in all.",
            n=plan.each,
            deck=plan.deck,
        )
    return say_many(
        "{n} card each, {left} left for the {place}. {deck} in all.",
        "{n} cards each, {left} left for the {place}. {deck} in all.",
        n=plan.each,
        left=plan.table,
        place=plan.table_name,
        deck=plan.deck,
    )
