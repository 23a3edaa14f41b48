"""Judges, which answer questions without a sheet."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import Meta

from referee.rules.core.asking import asked
from referee.rules.core.decoding import decode
from referee.rules.core.ruling import Ruling, Spread, shared_fault
from referee.rules.core.table import Deal, Table
from referee.rules.text import Text, say, say_many

Q = TypeVar("Q", bound=msgspec.Struct)

#: Fields of a question by name, as text; if asked for each player, as text by player.
Known = Mapping[str, str | Mapping[str, str]]


class Advice(msgspec.Struct, frozen=True):
    """What would be right instead of an illegal play: a sentence, and the cards it names."""

    says: Text
    spreads: tuple[Spread, ...] = ()


class Judge(msgspec.Struct, Generic[Q], frozen=True):
    """A question that a game answers without a sheet.

    `title` asks it in words, `question` is the struct of its fields, `rule` answers it. `advice`
    may say what would be better than an illegal play; it may take longer than a ruling. `known` has
    the fields that a sheet in this state answers already, besides its house rules and the number of
    players. `yes_or_no` is false for a question that is answered by a finding, not by "legal";
    `drawn` is true if a page draws the detail, so that only the first sentence need be shown.
    `section` is the section of the game's rules that the answer rests on.
    """

    name: str
    title: Text
    question: type[Q]
    rule: Callable[[Q], Ruling]
    advice: Callable[[Q], Advice | None] | None = None
    known: Callable[[Any], Known] = lambda state: {}
    yes_or_no: bool = True
    drawn: bool = False
    section: str = "deal"

    def answer(self, fields: Mapping[str, Any]) -> Ruling:
        """Rule on `fields`; numbers and truth values may be text.

        Raises `MalformedEntry` for fields that cannot be read, `NotationError` for text that is
        no card.
        """
        return self.rule(decode(fields, self.question, "question", strict=False))

    def advise(self, fields: Mapping[str, Any]) -> Advice | None:
        """What would be right instead, for fields that were ruled illegal; None if unknown."""
        if self.advice is None:
            return None
        return self.advice(decode(fields, self.question, "question", strict=False))


def judge(
    name: str, title: Text, question: type[Q], **more: Any
) -> Callable[[Callable[[Q], Ruling]], Judge[Q]]:
    """Decorate the rule that answers `question`: it becomes a judge, with `more` of its fields."""
    return partial(Judge, name, title, question, **more)


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
        faults, last = game.table_faults(table), game.deals.last(table)
        if last is not None and question.deal > last:
            says = say_many(
                "With one player the game is over after deal {last}.",
                "With {n} players the game is over after deal {last}.",
                n=question.players,
                last=last,
            )
            faults.append(shared_fault("deal-number", says, "end"))
        if faults:
            return Ruling(tuple(faults))
        plan = game.plan(table, question.deal, dealer)
        detail = {"each": plan.each, "table": plan.table, "deck": plan.deck}
        return Ruling((), detail, (_in_words(plan),))

    return Judge("deal", say("What do we deal?"), question_fields, rule, yes_or_no=False)


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
