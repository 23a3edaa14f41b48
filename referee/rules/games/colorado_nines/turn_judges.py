"""What may be done with the nine cards of Colorado Nines (`docs/rules.md` §8, deal and turns).

The two cards that everybody turns up at the start, and a turn: one of three things.
"""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Struct

from referee.rules.core.asking import asked
from referee.rules.core.judge import Judge
from referee.rules.core.ruling import Fault, Ruling
from referee.rules.games.colorado_nines.places import (
    Places,
    as_text,
    column_of,
    place_name,
    reading_places,
)
from referee.rules.games.colorado_nines.terms import CARDS_EACH, fault
from referee.rules.text import NOTHING, Text, listed, say

# --- the two cards turned up at the start

FACE_UP_AT_FIRST = 2


class OpeningQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May these two cards be turned up at the start?"""

    places: Annotated[Places, asked(say("The two cards you turn up"))] = ""


def rule_on_opening(asked: OpeningQuestion) -> Ruling:
    """Whether two cards lie in different columns; the detail is the column of each, from the left.

    With fewer than two it is unfinished.
    """
    with reading_places() as reader:
        places = reader.places(asked.places)
    columns = [column_of(place) for place in places]
    detail = {"columns": columns, "up": as_text(places)}
    faults = []
    if len(places) != FACE_UP_AT_FIRST:
        says = say("Turn up {most} cards, not {n}.", most=FACE_UP_AT_FIRST, n=len(places))
        faults.append(fault("two-cards", says, "deal"))
    if len(set(columns)) < min(len(columns), FACE_UP_AT_FIRST):
        says = say("Turn up cards in different columns; these are both in one.")
        faults.append(fault("same-column", says, "deal"))
    if not faults:
        says = say("They’re in different columns. The other seven stay face down.")
        return Ruling((), detail, (says,), say("Yes: turn these two up"))
    unfinished = len(places) < FACE_UP_AT_FIRST
    verdict = say("Not yet: one more") if unfinished else NOTHING
    if len(places) == FACE_UP_AT_FIRST:
        verdict = say("No: both in one column")
    return Ruling(tuple(faults), detail, (), verdict, unfinished)


# --- a turn

Way = Literal["", "A", "B", "C"]


class TurnQuestion(Struct, frozen=True, forbid_unknown_fields=True):
    """May a turn go like this?

    `way` is A for a card from the stock, B for the one on the discard pile, C for neither. `swap`
    is the place that the card went to, `flip` one that was turned up, and `up` those that were
    face up before.
    """

    way: Annotated[
        Way,
        asked(
            say("What did you do first?"),
            choices={
                "": say("nothing yet"),
                "A": say("drew from the stock"),
                "B": say("took the top discard"),
                "C": say("neither"),
            },
        ),
    ] = ""
    swap: Annotated[Places, asked(say("Swapped here"))] = ""
    flip: Annotated[Places, asked(say("Turned up"))] = ""
    up: Annotated[Places, asked(say("Up before (optional)"))] = ""


class _Turn(Struct, frozen=True):
    """A turn, read."""

    way: Way
    swap: tuple[int, ...]
    flip: tuple[int, ...]
    up: tuple[int, ...]


def rule_on_turn(question: TurnQuestion) -> Ruling:
    """Whether a turn is one of the three there are, and whole.

    The detail is `up`, the places face up after it, and `over`, whether that is all nine: then
    everybody else has one more turn.
    """
    with reading_places() as reader:
        turn = _Turn(
            question.way,
            reader.places(question.swap),
            reader.places(question.flip),
            reader.places(question.up),
        )
    faults = (*_place_faults(turn), *_WAYS[turn.way](turn))
    after = sorted({*turn.up, *turn.swap, *turn.flip})
    over = len(after) == CARDS_EACH
    detail = {"up": as_text(after), "over": over}
    if faults:
        unfinished = {one.code for one in faults} == {"turn-unfinished"}
        return Ruling(faults, detail, (), say("Not yet") if unfinished else NOTHING, unfinished)
    says = [_done(turn)]
    if over:
        says.append(say("Your nine cards are all face up: everyone else has one more turn."))
    return Ruling((), detail, tuple(says), say("Yes: that’s a whole turn"))


def _place_faults(turn: _Turn) -> Iterator[Fault]:
    """What is wrong with the places, whatever was drawn."""
    if len(turn.up) == CARDS_EACH:
        says = say("Your nine cards were all face up already: you have no more turns.")
        yield fault("no-more-turns", says, "last-turns")
    if len(turn.swap) > 1:
        says = say("Swap a single card, not {n}.", n=len(turn.swap))
        yield fault("one-place", says, "turns")
    if len(turn.flip) > 1:
        says = say("Turn up a single card, not {n}.", n=len(turn.flip))
        yield fault("one-place", says, "turns")
    already = [place_name(place) for place in turn.flip if place in turn.up]
    if already:
        says = say("You can only turn up a face-down card: {places} is up.", places=listed(already))
        yield fault("already-up", says, "turns")


def _from_the_stock(turn: _Turn) -> Iterator[Fault]:
    if turn.swap and turn.flip:
        says = say("Either swap the card in, or discard it and turn one up; you can’t do both.")
        yield fault("both", says, "turns")
    elif not turn.swap and not turn.flip:
        says = say("Swap the card for one of your nine, or discard it and turn one of yours up.")
        yield fault("turn-unfinished", says, "turns")


def _from_the_discards(turn: _Turn) -> Iterator[Fault]:
    if turn.flip:
        says = say("A card from the discard pile has to be swapped in; don’t turn one up.")
        yield fault("has-to-swap", says, "turns")
    elif not turn.swap:
        says = say("Swap it for one of your nine: a card from the discard pile can’t go back.")
        yield fault("turn-unfinished", says, "turns")


def _neither(turn: _Turn) -> Iterator[Fault]:
    if turn.swap:
        says = say("To swap, draw a card first: turning one of yours up is a whole turn.")
        yield fault("nothing-to-swap", says, "turns")
    elif not turn.flip:
        yield fault("turn-unfinished", say("Turn up one of your face-down cards."), "turns")


def _not_said(turn: _Turn) -> Iterator[Fault]:
    says = say("Say what you did first: drew, took the top discard, or neither.")
    yield fault("turn-unfinished", says, "turns")


_WAYS = {"A": _from_the_stock, "B": _from_the_discards, "C": _neither, "": _not_said}


def _done(turn: _Turn) -> Text:
    """What happens to the cards, in a sentence."""
    if turn.swap:
        return say(
            "The new card lies face up {place}, and the one it replaces goes on the discard pile.",
            place=_where(turn.swap),
        )
    if turn.way == "A":
        return say(
            "The card you drew goes on the discard pile, and you turn up the one {place}.",
            place=_where(turn.flip),
        )
    return say("You turn up the card {place}, and that’s all.", place=_where(turn.flip))


def _where(places: Sequence[int]) -> Text:
    return _IN_THE_GRID[places[0] - 1]


_IN_THE_GRID = (
    say("at the top left"), say("at the top middle"), say("at the top right"),
    say("at the middle left"), say("in the center"), say("at the middle right"),
    say("at the bottom left"), say("at the bottom middle"), say("at the bottom right"),
)  # fmt: skip

TURN_JUDGES = (
    Judge(
        "opening",
        say("Can I turn up these two?"),
        OpeningQuestion,
        rule_on_opening,
        section="deal",
    ),
    Judge("turn", say("Is this turn allowed?"), TurnQuestion, rule_on_turn, section="turns"),
)
