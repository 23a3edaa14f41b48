"""The judge that every game has: what to deal."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Fault, Ruling, shared_fault
from referee.rules.core.table import Deal, Table
from referee.rules.text import Text, say, say_many

if TYPE_CHECKING:
    from referee.rules.core.game import AnyGame

_PLAYERS = Annotated[int, Meta(ge=1, le=99), asked(say("Players"))]
_DEAL = Annotated[int, Meta(ge=1, le=9999), asked(say("Deal number"))]


def deal_judge(game: "AnyGame") -> Judge[Any]:
    """What to deal in `game`, for a number of players, a deal and house rules.

    Players are counted, not named: the deal is the same for all of them.
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
