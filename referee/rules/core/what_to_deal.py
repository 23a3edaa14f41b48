"""The judge that every game has: what to deal."""

from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import Meta

from referee.rules.core.asking import ASKED, Asked
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Ruling, shared_fault
from referee.rules.core.table import Deal, Table
from referee.rules.text import Text, say, say_many

if TYPE_CHECKING:  # a game makes this judge for itself
    from referee.rules.core.game import AnyGame

_PLAYERS = Annotated[int, Meta(ge=1, le=99, extra={ASKED: Asked(say("Players"))})]
_DEAL = Annotated[int, Meta(ge=1, le=9999, extra={ASKED: Asked(say("Deal number"))})]


def deal_judge(game: "AnyGame") -> Judge[Any]:
    """What to deal in `game`, for a number of players, a deal and house rules."""
    question = msgspec.defstruct(
        "DealQuestion",
        [("players", _PLAYERS), ("deal", _DEAL, 1)],
        bases=(game.house_rules,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )

    def rule(asked: Any) -> Ruling:
        seated = tuple(f"Player {number}" for number in range(1, asked.players + 1))
        dealer = (asked.deal - 1) % asked.players
        table = Table(seated, dealer, asked)
        faults = game.table_faults(table)
        last = game.last_deal(table)
        if last is not None and asked.deal > last:
            says = say_many(
                "With one player the game is over after deal {last}.",
                "With {n} players the game is over after deal {last}.",
                n=asked.players,
                last=last,
            )
            faults.append(shared_fault("deal-number", says, "end"))
        if faults:
            return Ruling(tuple(faults))
        plan = game.plan(table, asked.deal, dealer)
        detail = {"each": plan.each, "table": plan.table, "deck": plan.deck}
        return Ruling((), detail, (_in_words(plan),))

    return Judge("deal", say("What do we deal?"), question, rule, yes_or_no=False)


def _in_words(plan: Deal) -> Text:
    if not plan.deck:
        return say("Deal as your game says.")
    each = say_many("{n} card each", "{n} cards each", n=plan.each)
    if not plan.table:
        return say("{each}, none left. {deck} in all.", each=each, deck=plan.deck)
    return say(
        "{each}, {left} left for the {place}. {deck} in all.",
        each=each,
        left=plan.table,
        place=plan.table_name,
        deck=plan.deck,
    )
