"""Judges, which answer questions without a sheet."""

from collections.abc import Callable, Iterable, Mapping
from inspect import signature
from typing import Any, get_type_hints

import msgspec
from msgspec import NODEFAULT
from msgspec.structs import asdict

from referee.rules.core.decoding import decode
from referee.rules.core.ruling import Ruling, Spread
from referee.rules.text import Text

#: Fields of a question by name, as text; if asked for each player, as text by player.
Known = Mapping[str, str | Mapping[str, str]]


class Advice(msgspec.Struct, frozen=True):
    """What would be right instead of an illegal play: a sentence, and the cards it names."""

    says: Text
    spreads: tuple[Spread, ...] = ()


class Judge(msgspec.Struct, frozen=True):
    """A question that a game answers without a sheet.

    `title` asks it in words, `question` is the struct of its fields, `rule` answers it. `advice`
    may say what would be right instead of an illegal play, and take longer. `known` returns the
    fields that a sheet's state answers, besides its house rules and the number of players.
    `yes_or_no` is false for a question that is answered by a finding, not by "legal"; `drawn` is
    true if a page draws the detail, so that only the first two sentences are shown. `section` is
    the section of the rules that the answer cites.
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
    """Make a judge of the decorated rule, whose parameters are the fields of the question."""

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
    """The struct of a question's `fields`, each a name, a type and a default; `bases` add more."""
    return msgspec.defstruct(
        "Question", fields, bases=bases, frozen=True, kw_only=True, forbid_unknown_fields=True
    )
