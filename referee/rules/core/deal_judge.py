"""The judge of every game: what to deal."""

from typing import Annotated, Any

from msgspec import NODEFAULT, Meta

from referee.rules.core.asking import asked
from referee.rules.core.definition import GameDefinition
from referee.rules.core.judge import Judge, question_of
from referee.rules.core.ruling import Ruling, shared_fault
from referee.rules.core.table import Deal, Table
from referee.rules.text import Text, say, say_many

_PLAYERS = Annotated[int, Meta(ge=1, le=99), asked(say("Players"))]
_DEAL = Annotated[int, Meta(ge=1, le=9999), asked(say("Deal number"))]


def deal_judge(game: GameDefinition[Any, Any]) -> Judge:
    """The judge of what to deal in `game`, for a number of players, a deal and house rules."""
    fields = [("players", _PLAYERS, NODEFAULT), ("deal", _DEAL, 1)]
    question = question_of(fields, (game.house_rules,))

    def rule(players: int, deal: int, **rules: Any) -> Ruling:
        names = tuple(f"Player {number}" for number in range(1, players + 1))
        dealer = (deal - 1) % players
        table = Table(names, dealer, game.house_rules(**rules))
        faults, last = game.table_faults(table), game.deals.last(table)
        if last is not None and deal > last:
            says = say_many(
                "With one player the game is over after deal {last}.",
                "With {n} players the game is over after deal {last}.",
                n=players,
                last=last,
            )
            faults.append(shared_fault("deal-number", says, "end"))
        if faults:
            return Ruling(tuple(faults))
        plan = game.plan(table, deal, dealer)
        detail = {"each": plan.each, "table": plan.table, "deck": plan.deck}
        pack = (say("{pack}.", pack=plan.pack),) if plan.pack else ()
        return Ruling((), detail, (_in_words(plan), *pack))

    return Judge("deal", say("What do we deal?"), question, rule, yes_or_no=False)


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
