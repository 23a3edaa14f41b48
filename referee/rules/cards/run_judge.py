"""The question that all games of the stops family answer: may these cards be laid?

The faults made here name the sections "deal", "play" and "red-nines", which each of these games
must have.
"""

from collections.abc import Iterable
from functools import partial
from typing import Annotated

from msgspec import Struct

from referee.rules.cards.card_keys import RedNineRunText, ShortSuitedRunText
from referee.rules.cards.cards import Laid, reading_cards
from referee.rules.cards.packs import laid_faults
from referee.rules.cards.runs import RunOrder, Walk
from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge, Spread, spread, with_cards
from referee.rules.core.ruling import Fault, MakeFault, Ruling
from referee.rules.text import NOTHING, say

CARDS_LAID = asked(say("Cards laid"))
LAST_CARD = asked(
    say("Last card before"), say("Optional: without it you’re free to start a new run.")
)


class RunQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May one player lay these `cards`, in this order, after the card `last`?

    With `last` empty, or a stop, the player is free to begin with any card. A red nine counts as
    what is written for it (`9R=8`); alone, as a nine where a nine may be laid, or as what is due.
    """

    cards: Annotated[RedNineRunText, CARDS_LAID] = ""
    last: Annotated[RedNineRunText, LAST_CARD] = ""

    @property
    def opens_round(self) -> bool:
        """Whether it is the opening turn of a round, where that makes a difference."""
        return False


class SuitedRunQuestion(RunQuestion, frozen=True, forbid_unknown_fields=True):
    """The same for cards with suits, from a pack without 2s and 3s."""

    cards: Annotated[ShortSuitedRunText, CARDS_LAID] = ""
    last: Annotated[ShortSuitedRunText, LAST_CARD] = ""


class OpeningRunQuestion(RunQuestion, frozen=True, forbid_unknown_fields=True):
    """The same where the `opening` turn of a round may lay several cards of its first rank."""

    opening: Annotated[bool, asked(say("This is the opening turn of the round"))] = False

    @property
    def opens_round(self) -> bool:
        """Whether it is the opening turn of a round."""
        return self.opening


def run_judge(
    order: RunOrder, fault: MakeFault, question: type[RunQuestion] = RunQuestion
) -> Judge[RunQuestion]:
    """The judge of runs in the game whose `order` and `fault` these are; `question` is its form."""
    return Judge(
        "run",
        say("May I lay these cards?"),
        question,
        partial(_rule, order, fault),
        cards=partial(_lay_out, order, fault),
        section="play",
    )


class _Laying(Struct, frozen=True):
    """What is asked about, read and walked: the last cards, those laid now, which do not fit."""

    lasts: tuple[Laid, ...]
    run: tuple[Laid, ...]
    walk: Walk
    misfits: tuple[int, ...]


def _laying(order: RunOrder, fault: MakeFault, asked: RunQuestion) -> _Laying:
    with reading_cards() as reader:
        run = reader.run(asked.cards, order.notation, say("the run"))
        lasts = reader.run(asked.last, order.notation, say("the last card"))
    walk = Walk(order, fault, opening=asked.opens_round)
    if lasts and not asked.opens_round:
        walk.follow(lasts[-1])
    misfits = tuple(place for place, laid in enumerate(run) if not walk.lay(laid))
    return _Laying(lasts, run, walk, misfits)


def _rule(order: RunOrder, fault: MakeFault, asked: RunQuestion) -> Ruling:
    """Whether the cards follow one another.

    The detail is `next`, the card that must follow as text, or None where any card may.
    """
    laying = _laying(order, fault, asked)
    faults = [
        *_turn_faults(order, fault, asked, laying),
        *laid_faults(order.pack, fault, (*laying.lasts, *laying.run)),
        *laying.walk.faults,
    ]
    needed = laying.walk.needed
    detail = {"next": None if needed is None else str(needed)}
    says = (laying.walk.what_follows(), *laying.walk.how_read())
    return Ruling(tuple(faults), detail, () if faults else says)


def _turn_faults(
    order: RunOrder, fault: MakeFault, asked: RunQuestion, laying: _Laying
) -> Iterable[Fault]:
    if len(laying.lasts) > 1:
        says = say("Enter just one last card, not {n}.", n=len(laying.lasts))
        yield fault("one-last", says, "play")
    if asked.opens_round and laying.lasts:
        says = say("The opening turn follows no card, so leave the last card empty.")
        yield fault("opening-last", says, "play")
    if order.most is not None and len(laying.run) > order.most:
        says = say("{n} cards? Everyone is dealt {most}.", n=len(laying.run), most=order.most)
        yield fault("too-many-cards", says, "deal")


def _lay_out(order: RunOrder, fault: MakeFault, asked: RunQuestion) -> tuple[Spread, ...]:
    """The run as it was laid, what does not fit marked, and the card that must follow it."""
    laying = _laying(order, fault, asked)
    needed = laying.walk.needed
    return with_cards(
        spread(laying.lasts, say("already there")),
        Spread(
            tuple(map(str, laying.walk.run)),
            say("laid now") if laying.lasts else NOTHING,
            wrong=laying.misfits,
        ),
        spread(() if needed is None or laying.misfits else (needed,), say("must follow")),
    )
