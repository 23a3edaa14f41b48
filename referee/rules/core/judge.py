"""Judges, which answer questions without a sheet."""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import msgspec
from msgspec import NODEFAULT, Meta
from msgspec.structs import asdict

from referee.rules.core.asking import asked
from referee.rules.core.decoding import decode
from referee.rules.core.ruling import Ruling, Spread, shared_fault
from referee.rules.core.table import Deal, Table
from referee.rules.text import Text, say, say_many

#: Fields of a question by name, as text; if asked for each player, as text by player.
Known = Mapping[str, str | Mapping[str, str]]


class Advice(msgspec.Struct, frozen=True):
    """What would be right instead of an illegal play: a sentence, and the cards it names."""

    says: Text
    spreads: tuple[Spread, ...] = ()


class Judge(msgspec.Struct, frozen=True):
    """A question that a game answers without a sheet.

    `title` asks it in words, `question` is the struct of its fields, `rule` answers it. `advice`
    may say what would be better than an illegal play, and take longer. `known` has the fields that
    a sheet in this state answers already, besides its house rules and the number of players.
    `yes_or_no` is false for a question that is answered by a finding, not by "legal"; `drawn` is
    true if a page draws the detail, so that only the first sentence need be shown. `section` is
    what the answer rests on.
    """

    name: str
    title: Text
    question: type[msgspec.Struct]
    rule: Callable[..., Ruling]
    advice: Callable[..., Advice | None] = lambda **fields: None
    known: Callable[[Any], Known] = lambda state: {}
    yes_or_no: bool = True
    drawn: bool = False
    section: str = "deal"

    def answer(self, fields: Mapping[str, Any]) -> Ruling:
        """Rule on `fields`, numbers perhaps as text; raises `MalformedEntry` or `NotationError`."""
        return self.rule(**self._read(fields))

    def advise(self, fields: Mapping[str, Any]) -> Advice | None:
        """What would be right instead, for fields that were ruled illegal; None if unknown."""
        return self.advice(**self._read(fields))

    def _read(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        return asdict(decode(fields, self.question, "question", strict=False))


def judge(name: str, title: Text, **more: Any) -> Callable[[Callable[..., Ruling]], Judge]:
    """Decorate a rule, whose parameters are the fields of the question: it becomes a judge."""

    def made(rule: Callable[..., Ruling]) -> Judge:
        types = get_type_hints(rule, include_extras=True)
        fields = [
            (one.name, types[one.name], NODEFAULT if one.default is one.empty else one.default)
            for one in signature(rule).parameters.values()
        ]
        return Judge(name, title, question_of(fields), rule, **more)

    return made


def question_of(
    fields: Iterable[tuple[str, Any, Any]], bases: tuple[type[msgspec.Struct], ...] | None = None
) -> type[msgspec.Struct]:
    """The struct of a question's `fields`, each a name, a type and a default."""
    return msgspec.defstruct(
        "Question", fields, bases=bases, frozen=True, kw_only=True, forbid_unknown_fields=True
    )


if TYPE_CHECKING:
    from referee.rules.core.game import AnyGame

_PLAYERS = Annotated[int, Meta(ge=1, le=99), asked(say("Players"))]
_DEAL = Annotated[int, Meta(ge=1, le=9999), asked(say("Deal number"))]


def deal_judge(game: "AnyGame") -> Judge:
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
